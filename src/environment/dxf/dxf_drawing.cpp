#include "environment/dxf/dxf_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <set>

#include "environment/dxf/dxf_tags.hpp"
#include "environment/environment.hpp"
#include "geometry/elementary.hpp"
#include "text/csv.hpp"
#include "text/nearest_name.hpp"

namespace throng::environment {
namespace {

constexpr std::string_view binary_mark = "AutoCAD Binary DXF";
constexpr double turns_in_degree = 1.0 / 360;
constexpr double turns_in_radian = 0.5 / std::numbers::pi;
constexpr int highest_degree = 25;  ///< of splines; CAD programs stop at 11 or 25

/// What is written, without the marks that format it: the first line of it that is not empty.
std::string plain_text(std::string_view text, bool many_lines) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '%' && next == '%' && i + 2 < text.size()) {
      i += 2;  // %%u and its like
    } else if (!many_lines || (c != '\\' && c != '{' && c != '}')) {
      out += c;
    } else if (c == '\\') {
      ++i;
      if (next == 'P' || next == 'n') {
        if (!trimmed(out).empty()) break;
      } else if (next == '~') {
        out += ' ';
      } else if (std::string_view("ACcFfHQTWpS").find(next) != std::string_view::npos && next != '\0') {
        const std::size_t end = text.find(';', i);
        if (end == std::string_view::npos) break;
        i = end;
      } else if (next == '\\' || next == '{' || next == '}') {
        out += next;
      }
    }
  }
  return std::string(trimmed(out));
}

}  // namespace

/// One entity after the other; each is built when the next one begins.
class DxfParser {
 public:
  DxfParser(std::string_view text, DxfDrawing& drawing, ProblemList& problems)
      : tags_(text), drawing_(drawing), problems_(problems) {
    drawing_.blocks_.emplace_back();
  }

  void run() {
    while (const std::optional<DxfTag> tag = tags_.next()) {
      if (tag->code == 0) {
        finish_record();
        if (tag->value == "EOF") return finish_polyline();
        type_ = tag->value;
        start_line_ = tag->line;
        record_.clear();
      } else if (tag->code == 999) {
        drawing_.comments_.push_back(dxf_text(tag->value));
      } else {
        record_.push_back(*tag);
      }
    }
    finish_record();
    finish_polyline();
    if (!tags_.fault().empty())
      problems_.error(ProblemCode::syntax, fmt::format("{}:{}", drawing_.source_, tags_.line()), tags_.fault());
    else
      problems_.error(ProblemCode::syntax, fmt::format("{}:{}", drawing_.source_, tags_.line()),
                      "the file ends before its EOF: it was cut short");
  }

 private:
  void finish_record() {
    if (type_ == "SECTION") {
      section_ = text_of(2);
      if (section_ == "HEADER") read_header();
    } else if (type_ == "ENDSEC") {
      finish_polyline();
      section_ = {};
    } else if (section_ == "TABLES" && type_ == "LAYER") {
      read_layer();
    } else if (section_ == "BLOCKS" || section_ == "ENTITIES") {
      read_entity();
    }
    type_ = {};
  }

  [[nodiscard]] const DxfTag* find(int code) const {
    const auto at = std::find_if(record_.begin(), record_.end(), [&](const DxfTag& t) { return t.code == code; });
    return at == record_.end() ? nullptr : &*at;
  }
  [[nodiscard]] std::string_view text_of(int code) const {
    const DxfTag* tag = find(code);
    return tag == nullptr ? std::string_view() : tag->value;
  }

  void refuse(std::size_t line, std::string message, ProblemCode code = ProblemCode::value) {
    problems_.error(code, fmt::format("{}:{}", drawing_.source_, line), fmt::format("{}: {}", type_, message));
  }

  double number(const DxfTag& tag) {
    if (const std::optional<double> value = to_number(tag.value)) return *value;
    refuse(tag.line, fmt::format("group code {} wants a finite number, not {}", tag.code, in_quotes(tag.value)));
    return 0;
  }
  double number_of(int code, double otherwise = 0) {
    const DxfTag* tag = find(code);
    return tag == nullptr ? otherwise : number(*tag);
  }
  /// A number the entity cannot do without.
  double needed(int code) {
    if (find(code) == nullptr) refuse(start_line_, fmt::format("group code {} is missing", code), ProblemCode::schema);
    return number_of(code);
  }
  int whole_of(int code, int otherwise = 0) {
    const double value = number_of(code, otherwise);
    return std::abs(value) <= 1e9 ? int(value) : otherwise;
  }
  Vec3 point_of(int code) { return {needed(code), needed(code + 10), number_of(code + 20)}; }

  void read_header() {
    for (std::size_t i = 0; i + 1 < record_.size(); ++i)
      if (record_[i].is(9, "$INSUNITS") && record_[i + 1].code == 70) drawing_.unit_code_ = int(number(record_[i + 1]));
  }

  std::uint32_t layer_id(std::string_view raw) {
    std::string name = dxf_text(raw.empty() ? "0" : raw);
    const auto [at, added] = drawing_.layer_ids_.emplace(name, std::uint32_t(drawing_.layers_.size()));
    if (added) drawing_.layers_.push_back({std::move(name), false});
    return at->second;
  }

  void read_layer() {
    const std::uint32_t id = layer_id(text_of(2));
    drawing_.layers_[id].hidden = number_of(62, 7) < 0 || (whole_of(70) & 1) != 0;
  }

  void read_entity() {
    if (type_ == "VERTEX") return read_vertex();
    if (type_ == "SEQEND") return finish_polyline();
    if (type_ != "ATTRIB") finish_polyline();
    if (type_ == "BLOCK") return begin_block();
    if (type_ == "ENDBLK") return void(block_ = 0);
    if (section_ == "BLOCKS" && block_ == 0) return;
    if (whole_of(67) == 1 || whole_of(60) == 1) return;  // paper space, invisible
    DxfEntity entity;
    entity.layer = layer_id(text_of(8));
    entity.line = std::uint32_t(start_line_);
    read_normal(entity);
    if (read_shape(entity)) drawing_.blocks_[block_].entities.push_back(std::move(entity));
  }

  void begin_block() {
    const std::string name = dxf_text(text_of(2));
    const auto [at, added] = drawing_.block_ids_.emplace(name, std::uint32_t(drawing_.blocks_.size()));
    if (added) drawing_.blocks_.emplace_back();
    block_ = at->second;
    if (find(10) != nullptr) drawing_.blocks_[block_].base = point_of(10);
  }

  void read_normal(DxfEntity& entity) {
    if (find(210) == nullptr) return;
    const Vec3 normal{number_of(210), number_of(220), number_of(230, 1)};
    const double size = length(normal);
    if (std::isfinite(size) && size > 0) entity.normal = (1 / size) * normal;
  }

  /// Whether there is something to keep.
  bool read_shape(DxfEntity& entity) {
    if (type_ == "LINE") return read_line(entity);
    if (type_ == "LWPOLYLINE") return read_light_polyline(entity);
    if (type_ == "POLYLINE") return begin_polyline(entity);
    if (type_ == "ARC" || type_ == "CIRCLE") return read_arc(entity);
    if (type_ == "ELLIPSE") return read_ellipse(entity);
    if (type_ == "SPLINE") return read_spline(entity);
    if (type_ == "SOLID" || type_ == "TRACE" || type_ == "3DFACE") return read_solid(entity);
    if (type_ == "INSERT") return read_insert(entity);
    if (type_ == "TEXT" || type_ == "MTEXT" || type_ == "ATTRIB") return read_text(entity);
    if (type_ == "POINT") return read_point(entity);
    ++drawing_.unread_[dxf_text(type_.substr(0, 32))];
    return false;
  }

  static void add_vertex(DxfEntity& entity, Vec3 p, double bulge = 0) {
    entity.numbers.insert(entity.numbers.end(), {p.x, p.y, p.z, bulge});
  }

  bool read_line(DxfEntity& entity) {
    add_vertex(entity, point_of(10));
    add_vertex(entity, point_of(11));
    return true;
  }

  bool read_light_polyline(DxfEntity& entity) {
    entity.in_plane = true;
    entity.closed = (whole_of(70) & 1) != 0;
    const double z = number_of(38);
    for (const DxfTag& tag : record_) {
      const std::size_t n = entity.numbers.size();
      if (tag.code == 10)
        add_vertex(entity, {number(tag), 0, z});
      else if (tag.code == 20 && n > 0)
        entity.numbers[n - 3] = number(tag);
      else if (tag.code == 42 && n > 0)
        entity.numbers[n - 1] = number(tag);
    }
    return enough_vertices(entity);
  }

  bool enough_vertices(const DxfEntity& entity) {
    const std::size_t count = entity.numbers.size() / 4;
    if (count >= 2) return true;
    problems_.warning(ProblemCode::geometry, fmt::format("{}:{}", drawing_.source_, entity.line),
                      fmt::format("a polyline of {} vertices is left out", count));
    return false;
  }

  bool begin_polyline(DxfEntity& entity) {
    const int flags = whole_of(70);
    if ((flags & (16 | 64)) != 0) {
      ++drawing_.unread_["POLYLINE (mesh)"];
      return false;
    }
    entity.in_plane = (flags & 8) == 0;
    entity.closed = (flags & 1) != 0;
    open_polyline_ = std::move(entity);
    return false;
  }

  void read_vertex() {
    if (!open_polyline_) return;
    constexpr int frame_of_spline = 16;
    if ((whole_of(70) & frame_of_spline) != 0) return;
    add_vertex(*open_polyline_, point_of(10), number_of(42));
  }

  void finish_polyline() {
    if (!open_polyline_) return;
    if (enough_vertices(*open_polyline_)) drawing_.blocks_[block_].entities.push_back(std::move(*open_polyline_));
    open_polyline_.reset();
  }

  bool read_arc(DxfEntity& entity) {
    entity.type = DxfEntity::Type::arc;
    entity.in_plane = true;
    const Vec3 centre = point_of(10);
    const double radius = needed(40);
    if (radius <= 0) return refuse(start_line_, fmt::format("the radius {} is not above 0", radius)), false;
    double start = 0, sweep = 1;
    entity.closed = type_ == "CIRCLE";
    if (!entity.closed) {
      start = turns(needed(50) * turns_in_degree);
      sweep = positive_sweep(turns(needed(51) * turns_in_degree) - start);
    }
    entity.numbers = {centre.x, centre.y, centre.z, radius, start, sweep};
    return true;
  }

  /// In [0, 1), so that angles of any size stay exact enough.
  static double turns(double any) { return any - std::floor(any); }
  static double positive_sweep(double sweep) { return sweep <= 0 ? sweep + 1 : sweep; }

  bool read_ellipse(DxfEntity& entity) {
    entity.type = DxfEntity::Type::ellipse;
    const Vec3 centre = point_of(10), axis = point_of(11);
    const double ratio = needed(40);
    if (!(length(axis) > 0) || ratio == 0) return refuse(start_line_, "an axis has no length"), false;
    const double from = number_of(41), to = number_of(42, 2 * std::numbers::pi);
    const double start = turns(from * turns_in_radian);
    constexpr double full_turn = 1 - 1e-9;
    const double sweep =
        std::abs(to - from) * turns_in_radian >= full_turn ? 1.0 : positive_sweep(turns(to * turns_in_radian) - start);
    entity.closed = sweep >= full_turn;
    entity.numbers = {centre.x, centre.y, centre.z, axis.x, axis.y, axis.z, ratio, start, sweep};
    return true;
  }

  bool read_spline(DxfEntity& entity) {
    entity.type = DxfEntity::Type::spline;
    Spline spline;
    entity.closed = spline.closed = (whole_of(70) & 1) != 0;
    spline.degree = whole_of(71, 3);
    for (const DxfTag& tag : record_) {
      switch (tag.code) {
        case 40: spline.knots.push_back(number(tag)); break;
        case 41: spline.weights.push_back(number(tag)); break;
        case 10: spline.control.push_back({number(tag), 0, 0}); break;
        case 20: set(spline.control, &Vec3::y, tag); break;
        case 30: set(spline.control, &Vec3::z, tag); break;
        case 11: spline.fit.push_back({number(tag), 0, 0}); break;
        case 21: set(spline.fit, &Vec3::y, tag); break;
        case 31: set(spline.fit, &Vec3::z, tag); break;
        default: break;
      }
    }
    if (!check_spline(spline)) return false;
    entity.spline = std::uint32_t(drawing_.splines_.size());
    drawing_.splines_.push_back(std::move(spline));
    return true;
  }

  void set(std::vector<Vec3>& points, double Vec3::*member, const DxfTag& tag) {
    if (!points.empty()) points.back().*member = number(tag);
  }

  bool check_spline(const Spline& spline) {
    const auto fail = [&](std::string message) {
      refuse(start_line_, std::move(message), ProblemCode::geometry);
      return false;
    };
    if (spline.control.empty()) return spline.fit.size() >= 2 || fail("fewer than two fit points");
    if (spline.degree < 1 || spline.degree > highest_degree)
      return fail(fmt::format("a degree of {}; 1 to {} are read", spline.degree, highest_degree));
    const std::size_t wanted = spline.control.size() + std::size_t(spline.degree) + 1;
    if (spline.control.size() <= std::size_t(spline.degree))
      return fail(fmt::format("{} control points are too few for degree {}", spline.control.size(), spline.degree));
    if (spline.knots.size() != wanted)
      return fail(fmt::format("{} knots; {} control points of degree {} want {}", spline.knots.size(),
                              spline.control.size(), spline.degree, wanted));
    if (!std::is_sorted(spline.knots.begin(), spline.knots.end())) return fail("the knots do not rise");
    if (!spline.weights.empty() && spline.weights.size() != spline.control.size())
      return fail(fmt::format("{} weights for {} control points", spline.weights.size(), spline.control.size()));
    const bool sound = std::all_of(spline.weights.begin(), spline.weights.end(), [](double w) { return w > 0; });
    return sound || fail("a weight is not above 0");
  }

  bool read_solid(DxfEntity& entity) {
    entity.in_plane = type_ != "3DFACE";
    entity.closed = true;
    const Vec3 corner[4] = {point_of(10), point_of(11), point_of(12),
                            find(13) != nullptr ? point_of(13) : point_of(12)};
    // SOLID and TRACE give their corners in the order of a Z.
    const bool crossed = entity.in_plane;
    for (const int i : {0, 1, crossed ? 3 : 2, crossed ? 2 : 3}) add_vertex(entity, corner[i]);
    return true;
  }

  bool read_insert(DxfEntity& entity) {
    entity.type = DxfEntity::Type::insert;
    entity.in_plane = true;
    entity.text = dxf_text(text_of(2));
    const Vec3 at = point_of(10);
    entity.numbers = {at.x,
                      at.y,
                      at.z,
                      number_of(41, 1),
                      number_of(42, 1),
                      number_of(43, 1),
                      turns(number_of(50) * turns_in_degree),
                      double(std::max(1, whole_of(70, 1))),
                      double(std::max(1, whole_of(71, 1))),
                      number_of(44),
                      number_of(45)};
    return true;
  }

  bool read_text(DxfEntity& entity) {
    entity.type = DxfEntity::Type::text;
    entity.in_plane = type_ != "MTEXT";
    std::string written;
    for (const DxfTag& tag : record_)
      if (tag.code == 3 || tag.code == 1) written += dxf_text(tag.value);
    entity.text = plain_text(written, type_ == "MTEXT");
    const Vec3 at = point_of(10);
    entity.numbers = {at.x, at.y, at.z, number_of(40)};
    return !entity.text.empty();
  }

  bool read_point(DxfEntity& entity) {
    entity.type = DxfEntity::Type::point;
    const Vec3 at = point_of(10);
    entity.numbers = {at.x, at.y, at.z};
    return true;
  }

  DxfTags tags_;
  DxfDrawing& drawing_;
  ProblemList& problems_;
  std::string_view section_, type_;
  std::size_t start_line_ = 0;
  std::vector<DxfTag> record_;
  std::uint32_t block_ = 0;  ///< where entities go
  std::optional<DxfEntity> open_polyline_;
};

/// Draws the model space out, block by block.
class DxfExpander {
 public:
  DxfExpander(const DxfDrawing& drawing, double flatness, const std::function<bool(std::uint32_t)>& wanted,
              ProblemList& problems)
      : drawing_(drawing),
        flatness_(flatness),
        wanted_(wanted),
        problems_(problems),
        active_(drawing.blocks_.size(), false),
        left_(free_pieces + 16 * drawing.bytes_) {}

  DrawnOut run(double unit) {
    expand(0, {{unit, 0, 0}, {0, unit, 0}, {0, 0, unit}, {}}, no_layer);
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t no_layer = ~0u;

  void expand(std::uint32_t block, const geometry::Affine& map, std::uint32_t layer_of_insert) {
    active_[block] = true;
    path_.push_back(block);
    for (const DxfEntity& entity : drawing_.blocks_[block].entities) {
      if (stopped_) break;
      const bool inherits = layer_of_insert != no_layer && drawing_.layers_[entity.layer].name == "0";
      draw(entity, map, inherits ? layer_of_insert : entity.layer);
    }
    path_.pop_back();
    active_[block] = false;
  }

  bool spend(std::size_t pieces, const DxfEntity& entity) {
    if (pieces <= left_) {
      left_ -= pieces;
      return true;
    }
    if (!stopped_)
      problems_.error(ProblemCode::limit, place(entity),
                      fmt::format("the blocks of this drawing make more than {} points when they are inserted",
                                  free_pieces + 16 * drawing_.bytes_));
    stopped_ = true;
    return false;
  }

  [[nodiscard]] std::string place(const DxfEntity& entity) const {
    return fmt::format("{}:{}", drawing_.source_, entity.line);
  }

  void draw(const DxfEntity& entity, const geometry::Affine& outer, std::uint32_t layer) {
    const geometry::Affine map = entity.in_plane ? outer * plane_of(entity.normal) : outer;
    const std::vector<double>& n = entity.numbers;
    switch (entity.type) {
      case DxfEntity::Type::insert: return insert(entity, map, layer);
      case DxfEntity::Type::text: {
        const Vec3 at = map({n[0], n[1], n[2]});
        if (spend(1, entity) && sound(at, entity))
          out_.texts.push_back({layer, at.plan(), n[3] * length(map.x), entity.text});
        return;
      }
      case DxfEntity::Type::point: {
        const Vec3 at = map({n[0], n[1], n[2]});
        if (wanted_(layer) && spend(1, entity) && sound(at, entity))
          out_.points.push_back({layer, entity.line, false, {at.plan()}, at.z, at.z});
        return;
      }
      default: break;
    }
    if (!wanted_(layer)) return;
    scratch_.clear();
    flatten_shape(entity, flatness_ / std::max(map.stretch(), 1e-300));
    if (spend(scratch_.size(), entity)) add_line(entity, map, layer);
  }

  /// The system of an extrusion direction: the "arbitrary axis algorithm".
  static geometry::Affine plane_of(Vec3 normal) {
    constexpr double near = 1.0 / 64;
    const bool vertical = std::abs(normal.x) < near && std::abs(normal.y) < near;
    Vec3 x = cross(vertical ? Vec3{0, 1, 0} : Vec3{0, 0, 1}, normal);
    x = (1 / length(x)) * x;
    return {x, cross(normal, x), normal, {}};
  }

  void flatten_shape(const DxfEntity& entity, double tolerance) {
    const std::vector<double>& n = entity.numbers;
    if (entity.type == DxfEntity::Type::arc) {
      flatten(EllipticArc{{n[0], n[1], n[2]}, {n[3], 0, 0}, {0, n[3], 0}, n[4], n[5]}, tolerance, scratch_);
    } else if (entity.type == DxfEntity::Type::ellipse) {
      const Vec3 axis{n[3], n[4], n[5]};
      flatten(EllipticArc{{n[0], n[1], n[2]}, axis, n[6] * cross(entity.normal, axis), n[7], n[8]}, tolerance,
              scratch_);
    } else if (entity.type == DxfEntity::Type::spline) {
      flatten(drawing_.splines_[entity.spline], tolerance, scratch_);
    } else {
      const std::size_t count = n.size() / 4;
      const auto vertex = [&](std::size_t i) { return Vec3{n[4 * i], n[4 * i + 1], n[4 * i + 2]}; };
      for (std::size_t i = 0; i < (entity.closed ? count : count - 1); ++i)
        flatten_bulge(vertex(i), vertex((i + 1) % count), n[4 * i + 3], tolerance, scratch_);
    }
  }

  void add_line(const DxfEntity& entity, const geometry::Affine& map, std::uint32_t layer) {
    DrawnLine line{layer, entity.line, entity.closed, {}, 0, 0};
    if (scratch_.empty()) return;
    line.first_z = map(scratch_.front()).z;
    line.last_z = map(scratch_.back()).z;
    for (const Vec3 local : scratch_) {
      const Vec3 p = map(local);
      if (!sound(p, entity)) return;
      if (line.points.empty() || line.points.back() != p.plan()) line.points.push_back(p.plan());
    }
    if (line.points.size() > 3 && line.points.front() == line.points.back()) line.closed = true;
    while (line.closed && line.points.size() > 1 && line.points.front() == line.points.back()) line.points.pop_back();
    if (line.points.size() < 3) line.closed = false;
    if (line.points.size() >= 2) out_.lines.push_back(std::move(line));
  }

  bool sound(Vec3 p, const DxfEntity& entity) {
    const double largest = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
    if (largest <= max_metres) return true;
    problems_.error(
        ProblemCode::value, place(entity),
        fmt::format("lies at ({:g}, {:g}) m; at most {:g} m either side of zero can be read", p.x, p.y, max_metres));
    return false;
  }

  void insert(const DxfEntity& entity, const geometry::Affine& map, std::uint32_t layer) {
    const auto found = drawing_.block_ids_.find(entity.text);
    if (found == drawing_.block_ids_.end()) {
      problems_.warning(ProblemCode::value, place(entity),
                        fmt::format("INSERT: there is no block {}: left out", in_quotes(entity.text)));
      return;
    }
    if (active_[found->second]) return refuse_recursion(entity, found->second);
    constexpr std::size_t deepest_nesting = 100;
    if (path_.size() > deepest_nesting) {
      problems_.error(ProblemCode::limit, place(entity),
                      fmt::format("blocks are nested deeper than {} levels", deepest_nesting));
      stopped_ = true;
      return;
    }
    const std::vector<double>& n = entity.numbers;
    const Vec2 turn = geometry::unit_direction(n[6]);
    const Vec3 across{turn.x, turn.y, 0}, up{-turn.y, turn.x, 0};
    const Vec3 base = drawing_.blocks_[found->second].base;
    for (double row = 0; row < n[8] && !stopped_; ++row)
      for (double column = 0; column < n[7] && !stopped_; ++column) {
        if (!spend(1, entity)) return;
        const Vec3 at = Vec3{n[0], n[1], n[2]} + (column * n[9]) * across + (row * n[10]) * up;
        geometry::Affine place_of{n[3] * across, n[4] * up, {0, 0, n[5]}, {}};
        place_of.origin = at - place_of.turned(base);
        expand(found->second, map * place_of, layer);
      }
  }

  void refuse_recursion(const DxfEntity& entity, std::uint32_t block) {
    std::string way;
    for (const auto& [name, id] : drawing_.block_ids_)
      if (id == block) way = in_quotes(name);
    if (refused_.insert(block).second)
      problems_.error(ProblemCode::value, place(entity), fmt::format("INSERT: the block {} contains itself", way));
  }

  const DxfDrawing& drawing_;
  double flatness_;
  const std::function<bool(std::uint32_t)>& wanted_;
  ProblemList& problems_;
  std::vector<bool> active_;
  std::vector<std::uint32_t> path_;
  std::set<std::uint32_t> refused_;
  std::size_t left_;
  bool stopped_ = false;
  std::vector<Vec3> scratch_;
  DrawnOut out_;
};

DxfDrawing DxfDrawing::read(std::string_view text, const std::string& source, ProblemList& problems) {
  DxfDrawing drawing;
  drawing.source_ = source;
  drawing.bytes_ = text.size();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (text.starts_with(binary_mark))
    problems.error(ProblemCode::unsupported, source, "binary DXF is not read: save it as ASCII DXF");
  else if (text.starts_with("AC10"))
    problems.error(ProblemCode::unsupported, source, "this is a DWG file: save it as ASCII DXF");
  else if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    problems.error(ProblemCode::syntax, source, "the file is empty");
  else
    DxfParser(text, drawing, problems).run();
  return drawing;
}

std::vector<std::size_t> DxfDrawing::entities_by_layer() const {
  std::vector<std::size_t> counts(layers_.size(), 0);
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (const DxfEntity& entity : blocks_[b].entities) {
      const bool inherits = b > 0 && layers_[entity.layer].name == "0";
      const bool shape = entity.type != DxfEntity::Type::insert && entity.type != DxfEntity::Type::text;
      counts[entity.layer] += shape && !inherits;
    }
  return counts;
}

DrawnOut DxfDrawing::draw_out(double unit, double flatness, const std::function<bool(std::uint32_t)>& wanted,
                              ProblemList& problems) const {
  return DxfExpander(*this, flatness, wanted, problems).run(unit);
}

}  // namespace throng::environment
