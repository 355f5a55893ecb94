#include "navmesh/mesh_io.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "navmesh/build.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/validate_parts.hpp"
#include "text/fnv1a.hpp"

namespace throng::navmesh {
namespace {

constexpr std::string_view magic{"TMESH\r\n\x1a", 8};
constexpr std::uint32_t version = 1;
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::size_t header_size = 40;

/// Appends fields as little-endian bytes.
class ByteWriter {
 public:
  void field(std::uint64_t value) { put(value, 8); }
  void field(std::int64_t value) { put(std::uint64_t(value), 8); }
  void field(std::uint32_t value) { put(value, 4); }
  void field(bool value) { put(value, 1); }
  void field(double value) { put(std::bit_cast<std::uint64_t>(value), 8); }
  void field(const Vec2& v) { field(v.x), field(v.y); }
  void field(const std::string& text) {
    field(std::uint64_t(text.size()));
    bytes_ += text;
  }
  template <class T, class Fields>
  void list(const std::vector<T>& items, std::size_t, const Fields& fields) {
    field(std::uint64_t(items.size()));
    for (const T& item : items) fields(*this, item);
  }
  [[nodiscard]] std::string take() && { return std::move(bytes_); }

 private:
  void put(std::uint64_t value, int count) {
    char buffer[8];
    for (int i = 0; i < count; ++i) buffer[i] = char(value >> (8 * i) & 0xff);
    bytes_.append(buffer, std::size_t(count));
  }
  std::string bytes_;
};

/// Takes them off again; `failed()` once the bytes were not enough, or a value was none.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  void field(std::uint64_t& value) { value = get(8); }
  void field(std::int64_t& value) { value = std::int64_t(get(8)); }
  void field(std::uint32_t& value) { value = std::uint32_t(get(4)); }
  void field(bool& value) {
    const std::uint64_t byte = get(1);
    failed_ |= byte > 1;
    value = byte == 1;
  }
  void field(double& value) { value = std::bit_cast<double>(get(8)); }
  void field(Vec2& v) { field(v.x), field(v.y); }
  void field(std::string& text) {
    const std::uint64_t size = get(8);
    if (failed_ || size > rest()) return void(failed_ = true);
    text = bytes_.substr(at_, size);
    at_ += size;
  }
  /// `smallest` is the fewest bytes an item takes, so that no count makes room for more than the file can hold.
  template <class T, class Fields>
  void list(std::vector<T>& items, std::size_t smallest, const Fields& fields) {
    const std::uint64_t count = get(8);
    if (failed_ || count > rest() / smallest) return void(failed_ = true);
    items.resize(count);
    for (T& item : items) fields(*this, item);
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] std::size_t rest() const { return bytes_.size() - at_; }

 private:
  std::uint64_t get(std::size_t count) {
    if (failed_ || count > rest()) return failed_ = true, 0;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t(std::uint8_t(bytes_[at_ + i])) << (8 * i);
    at_ += count;
    return value;
  }
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

/// The payload, for reading and writing alike: the order of these lines is the format.
template <class Archive, class MeshType, class Grid>
void payload(Archive& archive, MeshType& mesh, Grid& grid) {
  archive.field(grid.unit);
  archive.field(grid.origin_x);
  archive.field(grid.origin_y);
  archive.list(mesh.layers, 74, [](auto& a, auto& layer) {
    a.field(layer.id);
    auto& e = layer.elevation;
    a.field(e.ramp), a.field(e.stairs), a.field(e.z), a.field(e.from), a.field(e.to), a.field(e.z_from),
        a.field(e.z_to);
  });
  archive.list(mesh.sites, 44, [](auto& a, auto& site) {
    a.field(site.a), a.field(site.b), a.field(site.layer), a.field(site.first_cell), a.field(site.cell_count);
  });
  archive.list(mesh.nodes, 36, [](auto& a, auto& node) {
    a.field(node.point), a.field(node.clearance), a.field(node.layer), a.field(node.first_edge_end),
        a.field(node.degree);
  });
  archive.list(mesh.arcs, 20, [](auto& a, auto& arc) {
    a.field(arc.from), a.field(arc.to), a.field(arc.site[0]), a.field(arc.site[1]), a.field(arc.edge);
  });
  archive.list(mesh.edges, 32, [](auto& a, auto& edge) {
    a.field(edge.from), a.field(edge.to), a.field(edge.first_arc), a.field(edge.arc_count);
    a.field(edge.length), a.field(edge.min_clearance);
  });
  archive.list(mesh.edge_ends, 5, [](auto& a, auto& end) { a.field(end.edge), a.field(end.at_to); });
  archive.list(mesh.site_cells, 4, [](auto& a, auto& cell) { a.field(cell); });
  archive.list(mesh.passages, 68, [](auto& a, auto& p) {
    a.field(p.point), a.field(p.clearance), a.field(p.arc), a.field(p.left), a.field(p.right);
    a.field(p.region[0]), a.field(p.region[1]);
  });
  archive.field(mesh.region_count);
  archive.list(mesh.connections, 40,
               [](auto& a, auto& c) { a.field(c.a), a.field(c.b), a.field(c.left_layer), a.field(c.right_layer); });
  archive.list(mesh.straddles, 8, [](auto& a, auto& s) { a.field(s.cell), a.field(s.connection); });
}

struct GridFields {
  double unit = 0;
  std::int64_t origin_x = 0, origin_y = 0;
};

std::uint64_t checksum(std::string_view bytes) {
  return geometry::Fnv1a().add_bytes(std::as_bytes(std::span(bytes))).value();
}

Problem problem(ProblemCode code, const std::string& source, std::string message) {
  return {Severity::error, code, source, std::move(message)};
}

struct Header {
  std::uint32_t version = 0, order = 0;
  std::uint64_t environment_hash = 0, size = 0, checksum = 0;
};

Result<Header> read_header(std::string_view bytes, const std::string& source) {
  if (!is_tmesh(bytes)) return problem(ProblemCode::syntax, source, "not a .tmesh file: it does not begin with TMESH");
  if (bytes.size() < header_size)
    return problem(ProblemCode::syntax, source,
                   fmt::format("cut off: {} bytes, where the header alone has {}", bytes.size(), header_size));
  ByteReader reader(bytes.substr(magic.size(), header_size - magic.size()));
  Header header;
  reader.field(header.version), reader.field(header.order), reader.field(header.environment_hash);
  reader.field(header.size), reader.field(header.checksum);
  if (header.order != byte_order) return problem(ProblemCode::unsupported, source, "the byte order mark is damaged");
  if (header.version != version)
    return problem(ProblemCode::unsupported, source,
                   fmt::format("version {} of the format; this program reads version {}", header.version, version));
  const std::size_t there = bytes.size() - header_size;
  if (there < header.size)
    return problem(ProblemCode::syntax, source, fmt::format("cut off: {} of {} bytes are there", there, header.size));
  if (there > header.size)
    return problem(ProblemCode::syntax, source, fmt::format("{} bytes too many at the end", there - header.size));
  if (checksum(bytes.substr(header_size)) != header.checksum)
    return problem(ProblemCode::syntax, source, "damaged: the checksum does not match the content");
  return header;
}

bool knows_end(const Mesh& mesh, Index node, Index edge, bool at_to) {
  const Node& vertex = mesh.nodes[node];
  for (Index i = 0; i < vertex.degree; ++i) {
    const EdgeEnd& end = mesh.edge_ends[vertex.first_edge_end + i];
    if (end.edge == edge && end.at_to == at_to) return true;
  }
  return false;
}

// What check_structure leaves to laws 5, 9 and 11, as far as queries need it to stay within bounds.
std::string wrong_with_rest(const Mesh& mesh) {
  if (mesh.layers.empty()) return "there is no layer";
  if (mesh.region_count > mesh.nodes.size() + mesh.passages.size()) return "there are more regions than can be";
  const auto fits = [](Vec2 p) {
    return std::abs(p.x) <= 2 * environment::max_metres && std::abs(p.y) <= 2 * environment::max_metres;
  };
  for (const Site& site : mesh.sites)
    if (!fits(site.a) || !fits(site.b)) return "a site lies out of range";
  for (const Node& node : mesh.nodes)
    if (!fits(node.point)) return "a node lies out of range";
  for (const Passage& passage : mesh.passages)
    if (!fits(passage.left) || !fits(passage.right)) return "a passage lies out of range";
  for (const Connection& c : mesh.connections)
    if (std::max(c.left_layer, c.right_layer) >= mesh.layers.size() || !fits(c.a) || !fits(c.b))
      return "a connection is out of range";
  std::uint64_t ends = 0;
  for (const Node& node : mesh.nodes) ends += node.degree;
  if (ends != 2 * std::uint64_t{mesh.edges.size()}) return "nodes do not have two ends for every edge";
  for (Index i = 0; i < mesh.edges.size(); ++i)
    if (!knows_end(mesh, mesh.edges[i].from, i, false) || !knows_end(mesh, mesh.edges[i].to, i, true))
      return fmt::format("a node at an end of edge {} does not list it", i);
  std::vector<bool> listed(mesh.cell_count(), false);
  for (Index s = 0; s < mesh.sites.size(); ++s)
    for (Index i = 0; i < mesh.sites[s].cell_count; ++i) {
      const Index cell = mesh.site_cells[mesh.sites[s].first_cell + i];
      if (mesh.site_of(cell) != s) return fmt::format("site {} lists cell {} of another site", s, cell);
      if (listed[cell]) return fmt::format("cell {} is listed twice", cell);
      listed[cell] = true;
    }
  for (Index cell = 0; cell < mesh.cell_count(); ++cell)
    if (!listed[cell]) return fmt::format("cell {} is not listed by its site", cell);
  for (std::size_t i = 1; i < mesh.straddles.size(); ++i)
    if (mesh.straddles[i].cell < mesh.straddles[i - 1].cell) return "straddles are not in order";
  for (std::size_t i = 1; i < mesh.passages.size(); ++i)
    if (mesh.passages[i].arc < mesh.passages[i - 1].arc) return "passages are not in order";
  return {};
}

}  // namespace

bool is_tmesh(std::string_view content) { return content.starts_with(magic); }

std::string write_tmesh(const Mesh& mesh) {
  ByteWriter body;
  const GridFields grid{mesh.grid.unit(), mesh.grid.origin_x(), mesh.grid.origin_y()};
  payload(body, mesh, grid);
  const std::string bytes = std::move(body).take();
  ByteWriter header;
  header.field(version), header.field(byte_order), header.field(mesh.environment_hash);
  header.field(std::uint64_t(bytes.size())), header.field(checksum(bytes));
  return std::string(magic) + std::move(header).take() + bytes;
}

Result<MeshPtr> read_tmesh(std::string_view bytes, const std::string& source) {
  const Result<Header> header = read_header(bytes, source);
  if (!header) return header.problems();
  ByteReader reader(bytes.substr(header_size));
  Mesh mesh;
  GridFields grid;
  payload(reader, mesh, grid);
  if (reader.failed() || reader.rest() > 0)
    return problem(ProblemCode::schema, source, "the content is not that of a mesh: counts and sizes do not agree");
  if (!(grid.unit > 0) || !std::isfinite(grid.unit))
    return problem(ProblemCode::value, source, "the grid's unit is not a length above 0");
  mesh.grid = geometry::SnapGrid(grid.unit, grid.origin_x, grid.origin_y);
  mesh.environment_hash = header->environment_hash;
  return accept_mesh(std::move(mesh), source);
}

Result<MeshPtr> accept_mesh(Mesh mesh, const std::string& source) {
  Problems problems;
  Findings findings(problems);
  findings.start(1);
  if (check_structure(mesh, findings)) {
    if (std::string wrong = wrong_with_rest(mesh); !wrong.empty())
      problems.push_back(problem(ProblemCode::value, "content", std::move(wrong)));
  }
  for (Problem& p : problems) {
    p.code = ProblemCode::value;
    p.place = source + ": " + p.place;
  }
  if (!problems.empty()) return problems;
  mesh.generation = next_generation();
  auto ready = std::make_shared<Mesh>(std::move(mesh));
  ready->locator = make_locator(*ready);
  return MeshPtr(std::move(ready));
}

}  // namespace throng::navmesh
