#include "environment/osm/osm_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <osmium/area/assembler.hpp>
#include <osmium/area/problem_reporter.hpp>
#include <osmium/builder/osm_object_builder.hpp>
#include <osmium/io/bzip2_compression.hpp>
#include <osmium/io/compression.hpp>
#include <osmium/io/detail/read_write.hpp>
#include <osmium/io/gzip_compression.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm.hpp>
#include <stdexcept>

#include "environment/osm/osm_node_lists.hpp"
#include "environment/osm/osm_pbf.hpp"
#include "geometry/grid_point.hpp"
#include "text/files.hpp"

namespace throng::environment {
namespace {

constexpr std::string_view type_names[] = {"node", "way", "relation"};

struct StoredWay {
  std::int64_t id = 0;
  NodeLists::Place nodes;
  friend bool operator<(const StoredWay& a, const StoredWay& b) { return a.id < b.id; }
};

struct WantedWay {
  OsmElement element;
  OsmShape shape = OsmShape::line;
  NodeLists::Place nodes;
};

struct WantedRelation {
  OsmElement element;
  std::vector<std::int64_t> members;
};

/// Why an area could not be put together, in words.
class Reporter : public osmium::area::ProblemReporter {
 public:
  void report_ring_not_closed(const osmium::NodeRef& node, const osmium::Way* way) override {
    note(way != nullptr ? fmt::format("a ring is not closed at node {} of way {}", node.ref(), way->id())
                        : fmt::format("a ring is not closed at node {}", node.ref()));
  }
  void report_intersection(osmium::object_id_type one, osmium::Location, osmium::Location, osmium::object_id_type other,
                           osmium::Location, osmium::Location, osmium::Location at) override {
    note(fmt::format("the boundary crosses itself at {:.7f},{:.7f} (way {}{})", double(at.x()) / 1e7,
                     double(at.y()) / 1e7, one, one == other ? std::string() : fmt::format(" and way {}", other)));
  }
  void report_duplicate_segment(const osmium::NodeRef& one, const osmium::NodeRef& other) override {
    note(fmt::format("the boundary runs twice between nodes {} and {}", one.ref(), other.ref()));
  }

  [[nodiscard]] std::string take() { return std::exchange(first_, {}); }

 private:
  void note(std::string text) {
    if (first_.empty()) first_ = std::move(text);
  }
  std::string first_;
};

std::vector<OsmPoint> points_of(const osmium::NodeRefList& ring) {
  std::vector<OsmPoint> out;
  for (const osmium::NodeRef& node : ring) out.push_back({node.ref(), node.location().x(), node.location().y()});
  if (out.size() > 1 && out.front().x == out.back().x && out.front().y == out.back().y) out.pop_back();
  return out;
}

/// The box of some points, to say quickly that they are outside of another.
struct FixedBox {
  std::int64_t west = std::numeric_limits<std::int64_t>::max(), south = west;
  std::int64_t east = std::numeric_limits<std::int64_t>::min(), north = east;

  void add(std::int64_t x, std::int64_t y) {
    west = std::min(west, x), east = std::max(east, x);
    south = std::min(south, y), north = std::max(north, y);
  }
  [[nodiscard]] bool meets(const FixedBox& o) const {
    return west <= o.east && o.west <= east && south <= o.north && o.south <= north;
  }
};

class OsmFileReader {
 public:
  OsmFileReader(const osmium::io::File& file, const std::string& name, const OsmFilter& filter, ProblemList& problems)
      : file_(file),
        one_pass_(file.format() == osmium::io::file_format::xml),
        name_(name),
        filter_(filter),
        problems_(problems) {
    // A little larger than asked for: what is widened reaches in from outside.
    constexpr double margin = 0.002;
    if (filter.box) {
      box_ = FixedBox();
      box_->add(std::int64_t((filter.box->west - margin) * 1e7), std::int64_t((filter.box->south - margin) * 1e7));
      box_->add(std::int64_t((filter.box->east + margin) * 1e7), std::int64_t((filter.box->north + margin) * 1e7));
    }
    config_.problem_reporter = &reporter_;
    config_.create_empty_areas = false;
  }

  OsmData read() {
    const auto ways = osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation;
    each(one_pass_ ? ways | osmium::osm_entity_bits::node : ways,
         [&](const osmium::OSMObject& object) { take(object); });
    find_members();
    if (one_pass_) {
      all_nodes_.visit([&](NodeId id, osmium::Location place) { places_.offer(id, place); });
      all_nodes_.clear();
    } else {
      each(osmium::osm_entity_bits::node,
           [&](const osmium::OSMObject& node) { take_node(static_cast<const osmium::Node&>(node)); });
    }
    make_elements();
    sort(data_.nodes), sort(data_.ways), sort(data_.areas);
    return std::move(data_);
  }

 private:
  void warn(const OsmElement& element, std::string message) {
    problems_.warning(ProblemCode::geometry, name_ + ": " + element.label(), std::move(message));
  }

  std::optional<OsmVerdict> ask(OsmType type, std::int64_t id, const osmium::TagList& tags, bool closed) {
    tags_.clear();
    for (const osmium::Tag& tag : tags)
      if (std::binary_search(filter_.keys.begin(), filter_.keys.end(), std::string_view(tag.key())))
        tags_.emplace_back(tag.key(), tag.value());
    if (tags_.empty()) return std::nullopt;
    return filter_.wanted(type, id, tags_, closed);
  }

  OsmElement element(OsmType type, std::int64_t id, int meaning) const {
    return {type, id, meaning, {tags_.begin(), tags_.end()}};
  }

  template <class Visit>
  void each(osmium::osm_entity_bits::type entities, Visit&& visit) {
    osmium::io::Reader reader(file_, entities, osmium::io::read_meta::no);
    if (!data_.bounds) take_bounds(reader.header());
    while (const osmium::memory::Buffer buffer = reader.read())
      for (const osmium::OSMObject& object : buffer.select<osmium::OSMObject>())
        if (object.visible()) visit(object);
    reader.close();
  }

  void take_bounds(const osmium::io::Header& header) {
    const osmium::Box box = header.joined_boxes();
    if (!box.valid() || box.bottom_left().x() >= box.top_right().x() || box.bottom_left().y() >= box.top_right().y())
      return;
    data_.bounds = GeoBox{double(box.bottom_left().x()) / 1e7, double(box.bottom_left().y()) / 1e7,
                          double(box.top_right().x()) / 1e7, double(box.top_right().y()) / 1e7};
  }

  void take(const osmium::OSMObject& object) {
    if (object.type() == osmium::item_type::way)
      take_way(static_cast<const osmium::Way&>(object));
    else if (object.type() == osmium::item_type::relation)
      take_relation(static_cast<const osmium::Relation&>(object));
    else if (object.type() == osmium::item_type::node)
      take_node(static_cast<const osmium::Node&>(object));
  }

  void take_way(const osmium::Way& way) {
    const bool closed = way.nodes().size() > 2 && way.ends_have_same_id();
    const std::optional<OsmVerdict> verdict = ask(OsmType::way, way.id(), way.tags(), closed);
    if (!verdict || known_outside(way.nodes())) {
      if (!way.nodes().empty()) others_.push_back({way.id(), other_lists_.add(way.nodes())});
      return;
    }
    wanted_ways_.push_back(
        {element(OsmType::way, way.id(), verdict->meaning), verdict->shape, lists_.add(way.nodes())});
  }

  /// Whether it can be told already: in sorted XML nodes come before ways. Then nothing of the way is held but for relations.
  [[nodiscard]] bool known_outside(const osmium::WayNodeList& nodes) {
    if (!box_ || !one_pass_) return false;
    FixedBox box;
    for (const osmium::NodeRef& node : nodes) {
      const osmium::Location place = all_nodes_.find(node.ref());
      if (!place.valid()) return false;
      box.add(place.x(), place.y());
    }
    return !box_->meets(box);
  }

  void take_relation(const osmium::Relation& relation) {
    const std::optional<OsmVerdict> verdict = ask(OsmType::relation, relation.id(), relation.tags(), true);
    if (!verdict) return;
    WantedRelation wanted{element(OsmType::relation, relation.id(), verdict->meaning), {}};
    for (const osmium::RelationMember& member : relation.members())
      if (member.type() == osmium::item_type::way) wanted.members.push_back(member.ref());
    relations_.push_back(std::move(wanted));
  }

  /// Of the ways that nobody asked for, those stay that relations are made of.
  void find_members() {
    std::vector<std::int64_t> ids;
    for (const WantedRelation& relation : relations_)
      ids.insert(ids.end(), relation.members.begin(), relation.members.end());
    std::sort(ids.begin(), ids.end());
    std::erase_if(others_, [&](const StoredWay& way) { return !std::binary_search(ids.begin(), ids.end(), way.id); });
    for (const StoredWay& way : others_) other_lists_.visit(way.nodes, [&](NodeId id) { places_.need(id); });
    for (const WantedWay& way : wanted_ways_) {
      lists_.visit(way.nodes, [&](NodeId id) { places_.need(id); });
      if (std::binary_search(ids.begin(), ids.end(), way.element.id))
        wanted_members_.push_back({way.element.id, way.nodes});
    }
    std::stable_sort(others_.begin(), others_.end());
    std::stable_sort(wanted_members_.begin(), wanted_members_.end());
    if (others_.empty()) other_lists_.clear();
    places_.start();
  }

  void take_node(const osmium::Node& node) {
    if (!node.location().valid()) return;
    if (one_pass_)
      all_nodes_.add(node.id(), node.location());
    else
      places_.offer(node.id(), node.location());
    if (node.tags().empty()) return;
    const std::optional<OsmVerdict> verdict = ask(OsmType::node, node.id(), node.tags(), false);
    const OsmPoint at{node.id(), node.location().x(), node.location().y()};
    if (verdict && inside(at)) data_.nodes.push_back({element(OsmType::node, node.id(), verdict->meaning), at});
  }

  [[nodiscard]] bool inside(const OsmPoint& p) const {
    FixedBox box;
    box.add(p.x, p.y);
    return !box_ || box_->meets(box);
  }

  /// The places of a way's nodes; pieces end where nodes are missing, which are counted.
  std::vector<std::vector<OsmPoint>> pieces_of(const NodeLists& lists, NodeLists::Place place, std::size_t& missing) {
    std::vector<std::vector<OsmPoint>> pieces;
    bool joined = false;
    lists.visit(place, [&](NodeId id) {
      const osmium::Location location = places_.find(id);
      if (!location.valid()) {
        ++missing;
        joined = false;
        return;
      }
      if (!joined) pieces.emplace_back();
      joined = true;
      pieces.back().push_back({id, location.x(), location.y()});
    });
    return pieces;
  }

  [[nodiscard]] bool outside(const std::vector<std::vector<OsmPoint>>& pieces) const {
    if (!box_) return false;
    FixedBox box;
    for (const auto& piece : pieces)
      for (const OsmPoint& p : piece) box.add(p.x, p.y);
    return !box_->meets(box);
  }

  void make_elements() {
    for (WantedWay& way : wanted_ways_) {
      std::size_t missing = 0;
      std::vector<std::vector<OsmPoint>> pieces = pieces_of(lists_, way.nodes, missing);
      if (outside(pieces) && missing == 0) continue;
      if (way.shape == OsmShape::line)
        make_line(std::move(way.element), std::move(pieces), missing);
      else
        make_area(std::move(way.element), pieces, missing);
    }
    for (WantedRelation& relation : relations_) make_area(relation);
  }

  void make_line(OsmElement element, std::vector<std::vector<OsmPoint>> pieces, std::size_t missing) {
    std::erase_if(pieces, [](const auto& piece) { return piece.size() < 2; });
    if (missing > 0)
      warn(element, fmt::format("{} of its nodes are not in the file; {}", missing,
                                pieces.empty() ? "it was left out" : "it has gaps there"));
    else if (pieces.empty())
      warn(element, "it has fewer than two nodes and was left out");
    if (pieces.empty() || outside(pieces)) return;
    OsmWay way;
    static_cast<OsmElement&>(way) = std::move(element);
    way.pieces = std::move(pieces);
    data_.ways.push_back(std::move(way));
  }

  void make_area(OsmElement element, std::vector<std::vector<OsmPoint>>& pieces, std::size_t missing) {
    OsmArea area;
    static_cast<OsmElement&>(area) = std::move(element);
    if (missing > 0) {
      warn(area, fmt::format("{} of its nodes are not in the file", missing));
      area.outline = std::move(pieces);
    } else if (!simple_ring(pieces[0], area)) {
      osmium::memory::Buffer ways(1024, osmium::memory::Buffer::auto_grow::yes);
      add_way(ways, area.id, pieces[0]);
      osmium::memory::Buffer out(1024, osmium::memory::Buffer::auto_grow::yes);
      osmium::area::Assembler assembler(config_);
      const bool made = assembler(ways.get<osmium::Way>(0), out);
      finish(area, made, out, pieces);
    }
    keep(std::move(area));
  }

  /// The usual building: few corners, none of them twice, no two sides that touch. Exact, and far quicker than the general way.
  static bool simple_ring(const std::vector<OsmPoint>& closed, OsmArea& area) {
    constexpr std::size_t few = 24;
    const std::size_t n = closed.size() - 1;
    if (closed.size() < 4 || n > few) return false;
    std::array<geometry::GridPoint, few + 1> p;
    for (std::size_t i = 0; i <= n; ++i) {
      const std::int64_t x = std::int64_t(closed[i].x) - closed[0].x, y = std::int64_t(closed[i].y) - closed[0].y;
      if (std::max(std::abs(x), std::abs(y)) > geometry::max_coordinate) return false;
      p[i] = {std::int32_t(x), std::int32_t(y)};
    }
    for (std::size_t i = 0; i < n; ++i) {
      const geometry::GridPoint a = p[i], b = p[i + 1], c = p[(i + 1) % n + 1];
      const bool spike = geometry::side(a, b, c) == 0 && geometry::dot(b, a, c) >= 0;
      if (a == b || spike) return false;
      for (std::size_t k = i + 2; k < n; ++k) {
        if (i == 0 && k + 1 == n) continue;  // neighbours over the seam
        const auto beside = [](auto u, auto v, auto s, auto t) {
          return geometry::side(u, v, s) * geometry::side(u, v, t) > 0;
        };
        if (!beside(a, b, p[k], p[k + 1]) && !beside(p[k], p[k + 1], a, b)) return false;
      }
    }
    area.polygons.push_back({{closed.begin(), closed.end() - 1}, {}});
    return true;
  }

  void make_area(WantedRelation& relation) {
    OsmArea area;
    static_cast<OsmElement&>(area) = std::move(relation.element);
    osmium::memory::Buffer ways(4096, osmium::memory::Buffer::auto_grow::yes);
    std::vector<std::size_t> offsets;
    std::vector<std::int64_t> found;
    std::vector<std::vector<OsmPoint>> lines;
    std::size_t missing_ways = 0, missing_nodes = 0;
    std::sort(relation.members.begin(), relation.members.end());
    relation.members.erase(std::unique(relation.members.begin(), relation.members.end()), relation.members.end());
    for (const std::int64_t id : relation.members) {
      std::vector<std::vector<OsmPoint>> pieces = member_pieces(id, missing_ways, missing_nodes);
      for (std::vector<OsmPoint>& piece : pieces) {
        offsets.push_back(ways.committed());
        found.push_back(id);
        add_way(ways, id, piece);
        lines.push_back(std::move(piece));
      }
    }
    if (missing_ways > 0 || missing_nodes > 0)
      warn(area, fmt::format("{} of its ways and {} of its nodes are not in the file", missing_ways, missing_nodes));
    if (lines.empty() || outside(lines)) return;
    assemble(area, ways, offsets, found, lines);
    keep(std::move(area));
  }

  std::vector<std::vector<OsmPoint>> member_pieces(std::int64_t id, std::size_t& missing_ways,
                                                   std::size_t& missing_nodes) {
    const auto look = [&](const std::vector<StoredWay>& ways, const NodeLists& lists,
                          std::vector<std::vector<OsmPoint>>& out) {
      const auto at = std::lower_bound(ways.begin(), ways.end(), StoredWay{id, {}});
      if (at == ways.end() || at->id != id) return false;
      out = pieces_of(lists, at->nodes, missing_nodes);
      return true;
    };
    std::vector<std::vector<OsmPoint>> out;
    if (!look(wanted_members_, lists_, out) && !look(others_, other_lists_, out)) ++missing_ways;
    std::erase_if(out, [](const auto& piece) { return piece.size() < 2; });
    return out;
  }

  static void add_way(osmium::memory::Buffer& buffer, std::int64_t id, const std::vector<OsmPoint>& points) {
    {
      osmium::builder::WayBuilder builder(buffer);
      builder.set_id(id);
      osmium::builder::WayNodeListBuilder nodes(builder);
      for (const OsmPoint& p : points) nodes.add_node_ref(p.node, osmium::Location(p.x, p.y));
    }
    buffer.commit();
  }

  void assemble(OsmArea& area, const osmium::memory::Buffer& ways, const std::vector<std::size_t>& offsets,
                const std::vector<std::int64_t>& found, std::vector<std::vector<OsmPoint>>& lines) {
    osmium::memory::Buffer relation(1024, osmium::memory::Buffer::auto_grow::yes);
    {
      osmium::builder::RelationBuilder builder(relation);
      builder.set_id(area.id);
      osmium::builder::RelationMemberListBuilder members(builder);
      for (const std::int64_t id : found) members.add_member(osmium::item_type::way, id, "");
    }
    relation.commit();
    std::vector<const osmium::Way*> pointers;
    for (const std::size_t offset : offsets) pointers.push_back(&ways.get<osmium::Way>(offset));
    osmium::memory::Buffer out(4096, osmium::memory::Buffer::auto_grow::yes);
    osmium::area::Assembler assembler(config_);
    finish(area, assembler(relation.get<osmium::Relation>(0), pointers, out), out, lines);
  }

  void finish(OsmArea& area, bool made, const osmium::memory::Buffer& out, std::vector<std::vector<OsmPoint>>& lines) {
    const std::string reason = reporter_.take();
    if (made && out.committed() > 0)
      for (const osmium::OuterRing& outer : out.get<osmium::Area>(0).outer_rings()) {
        area.polygons.push_back({points_of(outer), {}});
        for (const osmium::InnerRing& inner : out.get<osmium::Area>(0).inner_rings(outer))
          area.polygons.back().holes.push_back(points_of(inner));
      }
    if (!area.polygons.empty()) return;
    warn(area, "no area can be made of it: " + (reason.empty() ? std::string("it has no extent") : reason));
    area.outline = std::move(lines);
  }

  void keep(OsmArea area) {
    std::erase_if(area.outline, [](const auto& line) { return line.size() < 2; });
    std::erase_if(area.polygons, [](const OsmPolygon& polygon) { return polygon.outer.size() < 3; });
    if (!area.polygons.empty() || !area.outline.empty()) data_.areas.push_back(std::move(area));
  }

  template <class Element>
  static void sort(std::vector<Element>& elements) {
    std::stable_sort(elements.begin(), elements.end(), [](const OsmElement& a, const OsmElement& b) {
      return std::pair(a.type, a.id) < std::pair(b.type, b.id);
    });
  }

  const osmium::io::File& file_;
  /// XML takes longer to read than to remember: it is read once, and all its nodes are held in few bytes until it is known
  /// which are needed. PBF is as small itself, and read twice.
  bool one_pass_;
  const std::string& name_;
  const OsmFilter& filter_;
  ProblemList& problems_;
  std::optional<FixedBox> box_;
  Reporter reporter_;
  osmium::area::AssemblerConfig config_;
  std::vector<OsmTag> tags_;  ///< of the element that is asked about
  AllNodes all_nodes_;
  NodeLists lists_, other_lists_;
  std::vector<WantedWay> wanted_ways_;
  std::vector<WantedRelation> relations_;
  std::vector<StoredWay> others_, wanted_members_;
  NodePlaces places_;
  OsmData data_;
};

/// libosmium's name of what the bytes are, whatever the file is called; empty where they are nothing of OpenStreetMap's.
std::string format_of(std::string_view start) {
  if (start.starts_with("\x1f\x8b")) return "osm.gz";
  if (start.starts_with("BZh")) return "osm.bz2";
  if (start.find("OSMHeader") != std::string_view::npos) return "pbf";
  if (start.starts_with("\xef\xbb\xbf")) start.remove_prefix(3);
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && start[first] == '<' ? "osm" : "";
}

/// A file, or a text in memory, unpacked, a megabyte at a time.
class BlockReader {
 public:
  BlockReader(const ImportSource& source, const osmium::io::File& file) : unpacker_(open(source, file)) {}

  std::optional<std::string> operator()() {
    std::string block;
    while (block.size() < block_size && !ended_) {
      const std::string piece = unpacker_->read();
      ended_ = piece.empty();
      block += piece;
    }
    return block.empty() ? std::nullopt : std::optional(std::move(block));
  }

 private:
  static constexpr std::size_t block_size = 1 << 20;

  static std::unique_ptr<osmium::io::Decompressor> open(const ImportSource& source, const osmium::io::File& file) {
    const auto& unpackers = osmium::io::CompressionFactory::instance();
    if (source.text) return unpackers.create_decompressor(file.compression(), source.text->data(), source.text->size());
    return unpackers.create_decompressor(file.compression(), osmium::io::detail::open_for_reading(source.name));
  }

  std::unique_ptr<osmium::io::Decompressor> unpacker_;
  bool ended_ = false;
};

/// The whole text, or none where it is longer than `most` bytes.
std::optional<std::string> whole_text(BlockReader blocks, std::size_t most) {
  std::string text;
  while (const std::optional<std::string> block = blocks()) {
    if (text.size() + block->size() > most) return std::nullopt;
    text += *block;
  }
  return text;
}

/// In one piece: expat begins each unfinished tag or comment anew with every piece it is given, which is quadratic (CVE-2023-52425).
OsmData read_xml(const ImportSource& source, const osmium::io::File& file, const OsmFilter& filter,
                 ProblemList& problems) {
  constexpr std::size_t most = std::size_t{512} << 20;
  const std::optional<std::string> text = whole_text(BlockReader(source, file), most);
  if (!text)
    throw std::runtime_error("its XML is longer than 512 MB; osmium cat makes a PBF of it, which may have any length");
  return OsmFileReader(osmium::io::File(text->data(), text->size(), "osm"), source.name, filter, problems).read();
}

OsmData read_format(const ImportSource& source, const std::string& format, const OsmFilter& filter,
                    ProblemList& problems) {
  const osmium::io::File file = source.text ? osmium::io::File(source.text->data(), source.text->size(), format)
                                            : osmium::io::File(source.name, format);
  if (format != "pbf") return read_xml(source, file, filter, problems);
  return OsmFileReader(file, source.name, filter, problems).read();
}

}  // namespace

std::string OsmElement::tag(std::string_view key) const {
  for (const auto& [name, value] : tags)
    if (name == key) return value;
  return {};
}

std::string OsmElement::label() const { return fmt::format("{}/{}", type_names[std::size_t(type)], id); }

std::optional<OsmData> read_osm_file(const ImportSource& source, const OsmFilter& filter, ProblemList& problems) {
  constexpr std::size_t enough = 64;
  const Result<std::string> start = source.text ? source.text->substr(0, enough) : read_start(source.name, enough);
  const auto fail = [&](ProblemCode code, std::string place, std::string message) {
    problems.error(code, std::move(place), std::move(message));
    return std::nullopt;
  };
  if (!start) {
    for (const Problem& problem : start.problems()) problems.add(problem);
    return std::nullopt;
  }
  const std::string format = format_of(*start);
  if (format.empty()) return fail(ProblemCode::syntax, source.name, "this is neither OpenStreetMap's XML nor its PBF");
  if (format == "pbf" && !pbf_blobs_say_their_type(source))
    return fail(ProblemCode::syntax, source.name, "this file cannot be read on: a blob of it does not say its type");
  try {
    return read_format(source, format, filter, problems);
  } catch (const osmium::xml_error& error) {
    return fail(ProblemCode::syntax, fmt::format("{}:{}:{}", source.name, error.line, error.column + 1),
                fmt::format("this is not XML: {}", error.error_string));
  } catch (const std::bad_alloc&) {
    return fail(ProblemCode::limit, source.name, "there is not enough memory for what is kept of it; a box keeps less");
  } catch (const std::exception& error) {
    return fail(ProblemCode::syntax, source.name, fmt::format("this file cannot be read on: {}", error.what()));
  }
}

}  // namespace throng::environment
