#include "environment/dxf/line_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "environment/clean/clean_layer.hpp"
#include "environment/dxf/gap_closing.hpp"
#include "geometry/box_index.hpp"
#include "geometry/overlay.hpp"

namespace throng::environment {
namespace {

using geometry::GridBox;
using geometry::GridSegment;
using geometry::Overlay;
using Id = Overlay::Id;

double distance(GridPoint a, GridPoint b) { return std::sqrt(double(geometry::dot(a, b, b))); }

/// Doors take so much of a wall's border at most, and so much of a room's.
constexpr double most_doors_of_solid = 0.5;
constexpr double most_doors_of_room = 0.75;

class Planner {
 public:
  Planner(const geometry::SnapGrid& grid, const LinePlanOptions& options) : grid_(grid), options_(options) {}

  LinePlan run(std::span<const PlanLine> lines) {
    std::vector<SnappedLine> snapped = snap(lines);
    std::vector<SnappedLine> joints = joints_of(snapped, options_.gap / grid_.unit());
    plan_.joints = joints.size();
    for (const std::vector<SnappedLine>* list : {&snapped, &joints})
      for (const SnappedLine& line : *list) {
        overlay_.add_line(line.points);
        is_door_.push_back(line.door);
      }
    if (is_door_.empty()) return std::move(plan_);
    plan_.is_heap = !overlay_.arrange();
    if (overlay_.edge_count() == 0) return std::move(plan_);
    sort_edges();
    find_dangling();
    sort_faces();
    collect_polygons();
    collect_walls();
    find_next_ends();
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::vector<SnappedLine> snap(std::span<const PlanLine> lines) const {
    std::vector<SnappedLine> snapped;
    for (const PlanLine& line : lines) {
      SnappedLine out{{}, line.door};
      const auto add = [&](Vec2 p) {
        const GridPoint q = grid_.snap(p);
        if (out.points.empty() || out.points.back() != q) out.points.push_back(q);
      };
      for (Vec2 p : line.points) add(p);
      if (line.closed) add(line.points.front());
      if (out.points.size() < 2) continue;
      if (std::vector<GridPoint> back(out.points.rbegin(), out.points.rend()); back < out.points) out.points.swap(back);
      snapped.push_back(std::move(out));
    }
    // A line drawn twice would hold its own ends.
    std::sort(snapped.begin(), snapped.end(), [](const SnappedLine& a, const SnappedLine& b) {
      return std::tie(a.points, a.door) < std::tie(b.points, b.door);
    });
    const auto same = [](const SnappedLine& a, const SnappedLine& b) {
      return a.points == b.points && a.door == b.door;
    };
    snapped.erase(std::unique(snapped.begin(), snapped.end(), same), snapped.end());
    return snapped;
  }

  /// What an edge is part of.
  struct EdgeKind {
    bool wall = false, door = false;
    bool cut_off = false;  ///< reaches beyond a line by less than the gap
  };

  [[nodiscard]] bool is_wall(Id e) const { return kind_[e].wall && !kind_[e].door && !kind_[e].cut_off; }
  [[nodiscard]] const geometry::PlaneGraph& graph() const { return overlay_.graph(); }
  [[nodiscard]] double length_of(Id e) const {
    return distance(graph().origin_of(2 * e), graph().origin_of(2 * e + 1));
  }

  void sort_edges() {
    kind_.resize(overlay_.edge_count());
    for (Id e = 0; e < overlay_.edge_count(); ++e)
      for (const Overlay::Use& use : overlay_.uses_of(e)) (is_door_[use.owner] ? kind_[e].door : kind_[e].wall) = true;
  }

  /// Ends in the open: cut off where they are short, told where they are walls.
  void find_dangling() {
    for (Id v = 0; v < graph().vertex_count(); ++v) {
      if (graph().half_edges_from(v).size() != 1) continue;
      std::vector<Id> chain;
      double sum = 0;
      Id h = graph().half_edges_from(v)[0];
      while (true) {
        chain.push_back(h / 2);
        sum += length_of(h / 2) * grid_.unit();
        const std::span<const Id> on = graph().half_edges_from(graph().vertex_of(h ^ 1u));
        if (on.size() != 2 || sum > options_.gap) break;
        h = on[0] == (h ^ 1u) ? on[1] : on[0];
      }
      const bool joined = graph().half_edges_from(graph().vertex_of(h ^ 1u)).size() > 2;
      if (joined && sum <= options_.gap)
        for (Id e : chain) kind_[e].cut_off = true;
      else if (is_wall(chain[0]))
        open_.push_back(graph().point_of(v));
    }
  }

  enum class FaceKind : std::uint8_t { outside, solid, room, floor };

  void sort_faces() {
    face_.resize(graph().face_count());
    for (Id f = 1; f < face_.size(); ++f) face_[f] = kind_of(f);
  }

  FaceKind kind_of(Id f) {
    double border = 0, doors = 0;
    for (Id h : graph().border_of(f)) {
      if (graph().face_of(h) == graph().face_of(h ^ 1u)) continue;  // a line that ends in the room
      const double size = length_of(h / 2);
      border += size;
      if (kind_[h / 2].door && !kind_[h / 2].wall) doors += size;
    }
    const double twice_area = graph().area_and_border(f).first;
    const double thickness = twice_area / border * grid_.unit();
    if (thickness < options_.wall_thickness && doors < most_doors_of_solid * border) return FaceKind::solid;
    const double area = twice_area / 2 * grid_.unit() * grid_.unit();
    return area >= least_room && doors < most_doors_of_room * border ? FaceKind::room : FaceKind::floor;
  }

  [[nodiscard]] std::vector<std::vector<GridPolygon>> cut(const std::vector<std::int32_t>& labels,
                                                          std::size_t count) const {
    return geometry::face_polygons(graph(), labels, count, std::vector<bool>(graph().vertex_count(), false));
  }

  [[nodiscard]] std::vector<Polygon> to_world(const std::vector<GridPolygon>& polygons) const {
    std::vector<Polygon> world;
    const auto ring = [&](const GridRing& points) {
      Ring out;
      for (GridPoint p : points) out.push_back(grid_.to_world(p));
      return out;
    };
    for (const GridPolygon& polygon : polygons) {
      world.push_back({ring(polygon.outer), {}});
      for (const GridRing& hole : polygon.holes) world.back().holes.push_back(ring(hole));
    }
    return world;
  }

  void collect_polygons() {
    std::vector<std::int32_t> inside(face_.size(), 0), solid(face_.size(), geometry::no_label),
        room(face_.size(), geometry::no_label);
    std::vector<bool> has_door;
    inside[0] = geometry::no_label;
    for (Id f = 1; f < face_.size(); ++f) {
      if (face_[f] == FaceKind::solid) solid[f] = 0;
      if (face_[f] != FaceKind::room) continue;
      room[f] = std::int32_t(has_door.size());
      const std::span<const Id> border = graph().border_of(f);
      has_door.push_back(std::any_of(border.begin(), border.end(), [&](Id h) { return kind_[h / 2].door; }));
    }
    plan_.inside = to_world(cut(inside, 1)[0]);
    plan_.solids = to_world(cut(solid, 1)[0]);
    std::vector<std::vector<GridPolygon>> rooms = cut(room, has_door.size());
    std::vector<std::size_t> order(rooms.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rooms[a] < rooms[b]; });
    for (std::size_t r : order) plan_.rooms.push_back({to_world(rooms[r]), has_door[r]});
  }

  void collect_walls() {
    std::vector<GridSegment> edges;
    for (Id e = 0; e < overlay_.edge_count(); ++e) {
      const auto solid = [&](Id h) { return face_[graph().face_of(h)] == FaceKind::solid; };
      if (is_wall(e) && !solid(2 * e) && !solid(2 * e + 1))
        edges.push_back({graph().origin_of(2 * e), graph().origin_of(2 * e + 1)});
    }
    for (const Wall& wall : join_walls(std::move(edges), {})) {
      Line line;
      for (GridPoint p : wall.points) line.push_back(grid_.to_world(p));
      plan_.walls.push_back(std::move(line));
    }
  }

  void find_next_ends() {
    std::vector<GridBox> boxes;
    for (GridPoint p : open_) boxes.push_back({p, p});
    const geometry::BoxIndex index(boxes);
    for (GridPoint p : open_) {
      OpenEnd end{grid_.to_world(p), {}};
      for (const double reach : {farthest_next / 27, farthest_next / 9, farthest_next / 3, farthest_next}) {
        const std::int32_t units = std::int32_t(std::ceil(reach / grid_.unit()));
        double best = reach / grid_.unit();
        index.for_each_in({{p.x - units, p.y - units}, {p.x + units, p.y + units}}, [&](std::uint32_t i) {
          const double d = distance(p, open_[i]);
          if (open_[i] == p || d > best) return;
          best = d;
          end.next = grid_.to_world(open_[i]);
          end.distance = d * grid_.unit();
        });
        if (end.distance <= reach) break;
      }
      plan_.open_ends.push_back(end);
    }
  }

  const geometry::SnapGrid& grid_;
  const LinePlanOptions& options_;
  Overlay overlay_;
  std::vector<bool> is_door_;  ///< of each owner
  std::vector<EdgeKind> kind_;
  std::vector<FaceKind> face_;
  std::vector<GridPoint> open_;
  LinePlan plan_;
};

}  // namespace

LinePlan plan_of(std::span<const PlanLine> lines, const geometry::SnapGrid& grid, const LinePlanOptions& options) {
  return Planner(grid, options).run(lines);
}

}  // namespace throng::environment
