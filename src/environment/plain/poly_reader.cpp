#include "environment/plain/poly_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "environment/geojson/geojson_header.hpp"
#include "environment/shapes.hpp"
#include "geometry/overlay.hpp"
#include "text/problem_list.hpp"
#include "text/text_cursor.hpp"

namespace throng::environment {
namespace {

using geometry::GridPoint;
using geometry::Overlay;
using geometry::SnapGrid;

class PolyReader {
 public:
  PolyReader(std::string_view text, const std::string& source) : cursor_(text, source), size_(text.size()) {
    environment_.source = source;
    environment_.layers.push_back({std::string(default_layer_id), {}});
  }

  Result<Environment> read() {
    if (read_header()) {
      for (std::size_t i = 0; i < ring_count_ && read_ring(i);) ++i;
      if (rings_.size() == ring_count_ && !cursor_.at_end())
        fail(ProblemCode::syntax, fmt::format("text follows the last of {} rings", ring_count_));
    }
    if (!problems_.has_errors()) combine();
    return std::move(problems_).result(std::move(environment_), cursor_.source());
  }

 private:
  bool fail(ProblemCode code, std::string message) { return fail_at(cursor_.offset(), code, std::move(message)); }

  bool fail_at(std::size_t offset, ProblemCode code, std::string message) {
    problems_.error(code, cursor_.place(offset), std::move(message));
    return false;
  }

  bool read_header() {
    std::size_t offset = cursor_.offset();
    const std::string token = cursor_.next_token();
    if (cursor_.take_word() != "poly")
      return fail_at(offset, ProblemCode::syntax, "the file has to begin with poly, not " + token);
    offset = cursor_.offset();
    const std::string version = cursor_.next_token();
    if (cursor_.take_count() != std::size_t{1})
      return fail_at(offset, ProblemCode::unsupported,
                     fmt::format("version {} is not available; version 1 is", version));
    const std::optional<std::size_t> count = cursor_.take_count();
    if (!count) return fail(ProblemCode::syntax, "the number of rings is wanted here, not " + cursor_.next_token());
    if (*count == 0) return fail(ProblemCode::geometry, "there are no rings: there is nowhere to walk");
    ring_count_ = *count;
    return true;
  }

  bool read_ring(std::size_t number) {
    const std::size_t start = cursor_.offset();
    const std::optional<std::size_t> count = cursor_.take_count();
    if (!count)
      return fail(ProblemCode::syntax, fmt::format("ring {} of {}: a number of points is wanted here, not {}", number,
                                                   ring_count_, cursor_.next_token()));
    // Each point takes four characters at least, so that a wrong count never asks for memory.
    if (*count > size_ / 4 + 1)
      return fail_at(start, ProblemCode::syntax,
                     fmt::format("ring {} claims {} points: the file ends early", number, *count));
    Ring points;
    points.reserve(*count);
    for (std::size_t i = 0; i < *count; ++i)
      if (!read_point(number, points)) return false;
    finish_ring(number, start, points);
    return true;
  }

  bool read_point(std::size_t number, Ring& points) {
    double value[2] = {0, 0};
    for (double& coordinate : value) {
      const std::size_t offset = cursor_.offset();
      const std::optional<double> read = cursor_.take_number();
      if (!read)
        return fail(cursor_.at_end() ? ProblemCode::syntax : ProblemCode::value,
                    fmt::format("ring {}: a finite number is wanted here, not {}", number, cursor_.next_token()));
      coordinate = *read;
      if (const auto complaint = check_coordinate(coordinate))
        problems_.error(complaint->code, cursor_.place(offset), fmt::format("ring {}: {}", number, complaint->message));
    }
    points.push_back({value[0], value[1]});
    return true;
  }

  void finish_ring(std::size_t number, std::size_t start, const Ring& points) {
    ClosedRing closed;
    if (const auto complaint = make_ring(points, closed)) {
      std::string place = cursor_.place(start) + fmt::format(": ring {}", number);
      if (complaint->at) place += " at " + to_string(*complaint->at);
      problems_.error(complaint->code, std::move(place), complaint->message);
    }
    rings_.push_back(std::move(closed.ring));
  }

  [[nodiscard]] geometry::Box box() const {
    geometry::Box box{rings_[0][0], rings_[0][0]};
    for (const Ring& ring : rings_) {
      for (const Vec2 p : ring) {
        box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
        box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
      }
    }
    return box;
  }

  /// Lays all rings over each other; a face in an odd number of rings is walkable.
  void combine() {
    const SnapGrid grid = SnapGrid::for_box(box());
    Overlay overlay;
    for (const Ring& ring : rings_) {
      geometry::GridRing snapped;
      for (const Vec2 p : ring) snapped.push_back(grid.snap(p));
      overlay.add_part(std::span(&snapped, 1));
    }
    if (!overlay.arrange())
      return problems_.error(ProblemCode::limit, cursor_.source(),
                             "its rings cross each other more than ten million times");
    std::vector<std::int32_t> labels(overlay.graph().face_count(), geometry::no_label);
    std::size_t covering = 0;
    std::vector<bool> crossed(rings_.size(), false);
    overlay.walk([&](Overlay::Id, bool inside) { inside ? ++covering : --covering; },
                 [&](Overlay::Id face) { labels[face] = covering % 2 == 1 ? 0 : geometry::no_label; },
                 [&](Overlay::Id ring, Overlay::Id, int) {
                   if (!crossed[ring]) refuse_crossing(grid, overlay, ring);
                   crossed[ring] = true;
                 });
    if (!problems_.has_errors()) add_features(grid, overlay.graph(), labels);
  }

  void refuse_crossing(const SnapGrid& grid, const Overlay& overlay, Overlay::Id ring) {
    const std::optional<GridPoint> crossing = overlay.self_crossing(ring);
    const Vec2 at = crossing ? grid.to_world(*crossing) : rings_[ring].front();
    problems_.error(ProblemCode::geometry, fmt::format("{}: ring {} at {}", cursor_.source(), ring, to_string(at)),
                    "the ring crosses or overlaps itself");
  }

  void add_features(const SnapGrid& grid, const geometry::PlaneGraph& graph, const std::vector<std::int32_t>& labels) {
    const auto in_metres = [&](const geometry::GridRing& points) {
      Ring ring;
      for (const GridPoint p : points) ring.push_back(grid.to_world(p));
      return ring;
    };
    const std::vector<bool> pinned(graph.vertex_count(), false);
    const auto polygons = geometry::face_polygons(graph, labels, 1, pinned);
    for (const geometry::GridPolygon& polygon : polygons[0]) {
      Feature feature;
      feature.kind = Kind::walkable;
      feature.number = environment_.features.size();
      Polygon& out = feature.polygons.emplace_back();
      out.outer = in_metres(polygon.outer);
      for (const geometry::GridRing& hole : polygon.holes) out.holes.push_back(in_metres(hole));
      environment_.features.push_back(std::move(feature));
    }
    environment_.grid = grid;
    if (environment_.features.empty())
      problems_.error(ProblemCode::geometry, cursor_.source(), "the rings cancel out: there is nowhere to walk");
  }

  TextCursor cursor_;
  std::size_t size_;
  ProblemList problems_;
  Environment environment_;
  std::size_t ring_count_ = 0;
  std::vector<Ring> rings_;
};

}  // namespace

// A reader owns its text (formats.hpp), whether it keeps it or not.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Result<Environment> read_poly(std::string text, const std::string& source) { return PolyReader(text, source).read(); }

}  // namespace throng::environment
