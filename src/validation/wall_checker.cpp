// Distances are in doubles, far finer than the tolerance; what is
// crossed is decided exactly.
#include <fmt/format.h>

#include <algorithm>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point_xy.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cassert>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "geometry/tolerances.hpp"
#include "validation/exact_sign.hpp"
#include "validation/wall_checker.hpp"

namespace throng::validation {
namespace {

namespace bg = boost::geometry;
using BoostPoint = bg::model::d2::point_xy<double>;
using BoostBox = bg::model::box<BoostPoint>;
using environment::CleanConnection;
using environment::CleanEnvironment;
using environment::CleanLayer;
using geometry::GridPoint;

constexpr std::uint32_t no_layer = ~std::uint32_t{0};

struct Edge {
  Vec2 a, b;                          ///< rings: free space to the left
  bool of_ring = false;               ///< thin walls do not bound free space
  std::uint32_t leads_to = no_layer;  ///< connections: the layer behind

  [[nodiscard]] bool is_door() const { return leads_to != no_layer; }
};

/// A closed range of an edge's parameter; empty where low > high.
struct Range {
  double low = 0, high = 1;
  [[nodiscard]] bool empty() const { return low > high; }
};

std::vector<Range> without(const std::vector<Range>& ranges, Range gone) {
  if (gone.empty()) return ranges;
  std::vector<Range> left;
  for (const Range& range : ranges)
    for (const Range& piece :
         {Range{range.low, std::min(range.high, gone.low)}, Range{std::max(range.low, gone.high), range.high}})
      if (!piece.empty()) left.push_back(piece);
  return left;
}

BoostBox box_of(Vec2 p, Vec2 q, double margin) {
  return {{std::min(p.x, q.x) - margin, std::min(p.y, q.y) - margin},
          {std::max(p.x, q.x) + margin, std::max(p.y, q.y) + margin}};
}

double distance_to(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double length2 = squared_length(d);
  const double t = length2 > 0 ? std::clamp(dot(p - a, d) / length2, 0.0, 1.0) : 0;
  const Vec2 gap = p - (a + d * t);
  return std::hypot(gap.x, gap.y);
}

double distance_to(Vec2 p, const Edge& edge, Range range) {
  const Vec2 d = edge.b - edge.a;
  return distance_to(p, edge.a + d * range.low, edge.a + d * range.high);
}

/// The part of `edge` that p sees through `door`, or that the door's far side hides from p: what lies in the wedge from p
/// through the door, beyond the door. Requires p on the door's free side.
Range behind(Vec2 p, const Edge& door, const Edge& edge) {
  Range range;
  // value >= 0 is linear in the edge's parameter: cut the range where it changes sign.
  const auto keep_where = [&](auto&& value) {
    const double at_a = value(edge.a), at_b = value(edge.b);
    if (at_a < 0 && at_b < 0)
      range = {1, 0};
    else if (at_a < 0)
      range.low = std::max(range.low, at_a / (at_a - at_b));
    else if (at_b < 0)
      range.high = std::min(range.high, at_a / (at_a - at_b));
  };
  keep_where([&](Vec2 q) { return cross(door.a - p, q - p); });
  keep_where([&](Vec2 q) { return cross(q - p, door.b - p); });
  keep_where([&](Vec2 q) { return -cross(door.b - door.a, q - door.a); });
  return range;
}

/// Where along p->q (0 to 1) the edge is met first; the two are known to meet.
double parameter_of(Vec2 p, Vec2 q, const Edge& edge) {
  const double denominator = cross(q - p, edge.b - edge.a);
  if (denominator != 0) return std::clamp(cross(edge.a - p, edge.b - edge.a) / denominator, 0.0, 1.0);
  const double length2 = squared_length(q - p);
  if (length2 == 0) return 0;
  return std::clamp(std::min(dot(edge.a - p, q - p), dot(edge.b - p, q - p)) / length2, 0.0, 1.0);
}

}  // namespace

class WallChecker::Walls {
 public:
  explicit Walls(const CleanEnvironment& environment) {
    for (std::uint32_t layer = 0; layer < environment.layers.size(); ++layer) layers_.emplace_back(environment, layer);
  }

  [[nodiscard]] std::size_t layer_count() const { return layers_.size(); }
  [[nodiscard]] bool is_free(Vec2 p, std::uint32_t layer) const;
  /// Distance to the nearest wall that p sees, up to `limit`; larger where there is none.
  [[nodiscard]] double clearance(Vec2 p, std::uint32_t layer, double limit) const;
  /// What is wrong with walking from p to q; empty where nothing is.
  [[nodiscard]] std::string complaint_about_move(Vec2 p, Vec2 q, std::uint32_t from, std::uint32_t to) const;

 private:
  struct LayerIndex {
    LayerIndex(const CleanEnvironment& environment, std::uint32_t layer);
    void add_edges(const CleanEnvironment& environment, const std::vector<GridPoint>& points, bool closed);
    void mark_doors(const CleanEnvironment& environment, std::uint32_t layer);

    template <class Visit>
    void visit(const BoostBox& box, Visit&& visit_edge) const {
      for (auto i = tree.qbegin(bg::index::intersects(box)); i != tree.qend(); ++i) visit_edge(edges[i->second]);
    }

    std::vector<Edge> edges;
    double right_end = 0;  ///< no edge reaches further in x
    bg::index::rtree<std::pair<BoostBox, std::size_t>, bg::index::rstar<16>> tree;
  };

  struct Meeting {
    double at;
    const Edge* edge;
  };
  [[nodiscard]] std::vector<const Edge*> doors_near(Vec2 p, std::uint32_t layer, double limit) const;
  [[nodiscard]] std::optional<Meeting> first_meeting(Vec2 p, Vec2 q, std::uint32_t layer, const Edge* came_by,
                                                     double after) const;

  std::vector<LayerIndex> layers_;
};

WallChecker::Walls::LayerIndex::LayerIndex(const CleanEnvironment& environment, std::uint32_t layer) {
  const CleanLayer& source = environment.layers[layer];
  for (const environment::GridPolygon& polygon : source.free) {
    add_edges(environment, polygon.outer, true);
    for (const environment::GridRing& hole : polygon.holes) add_edges(environment, hole, true);
  }
  for (const environment::Wall& wall : source.walls) add_edges(environment, wall.points, false);
  mark_doors(environment, layer);
  std::vector<std::pair<BoostBox, std::size_t>> boxes;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    boxes.emplace_back(box_of(edges[i].a, edges[i].b, 0), i);
    right_end = std::max({right_end, edges[i].a.x, edges[i].b.x});
  }
  tree = decltype(tree)(boxes);
}

void WallChecker::Walls::LayerIndex::add_edges(const CleanEnvironment& environment,
                                               const std::vector<GridPoint>& points, bool closed) {
  const std::size_t count = closed ? points.size() : points.size() - 1;
  for (std::size_t i = 0; i < count; ++i)
    edges.push_back(
        {environment.grid.to_world(points[i]), environment.grid.to_world(points[(i + 1) % points.size()]), closed});
}

void WallChecker::Walls::LayerIndex::mark_doors(const CleanEnvironment& environment, std::uint32_t layer) {
  const auto key = [](Vec2 a, Vec2 b) { return std::tuple(a.x, a.y, b.x, b.y); };
  std::map<std::tuple<double, double, double, double>, std::uint32_t> doors;
  for (const CleanConnection& connection : environment.connections) {
    const Vec2 a = environment.grid.to_world(connection.a), b = environment.grid.to_world(connection.b);
    if (connection.left_layer == layer) doors[key(a, b)] = std::uint32_t(connection.right_layer);
    if (connection.right_layer == layer) doors[key(b, a)] = std::uint32_t(connection.left_layer);
  }
  for (Edge& edge : edges)
    if (const auto door = doors.find(key(edge.a, edge.b)); edge.of_ring && door != doors.end())
      edge.leads_to = door->second;
}

bool WallChecker::Walls::is_free(Vec2 p, std::uint32_t layer) const {
  const LayerIndex& index = layers_[layer];
  bool inside = false;
  index.visit(box_of(p, {std::max(p.x, index.right_end), p.y}, 0), [&](const Edge& edge) {
    if (!edge.of_ring || (edge.a.y > p.y) == (edge.b.y > p.y)) return;
    // Upward edges pass to the right of p where p is left of them.
    if (exact_side(edge.a, edge.b, p) == (edge.b.y > edge.a.y ? 1 : -1)) inside = !inside;
  });
  return inside;
}

std::vector<const Edge*> WallChecker::Walls::doors_near(Vec2 p, std::uint32_t layer, double limit) const {
  std::vector<const Edge*> doors;
  layers_[layer].visit(box_of(p, p, limit), [&](const Edge& edge) {
    // From its far side a door cannot be seen: there it is the outside of this layer's boundary.
    if (edge.is_door() && exact_side(edge.a, edge.b, p) >= 0) doors.push_back(&edge);
  });
  return doors;
}

double WallChecker::Walls::clearance(Vec2 p, std::uint32_t layer, double limit) const {
  double nearest = limit;
  const auto consider = [&](const Edge& edge, Range range) {
    if (!range.empty()) nearest = std::min(nearest, distance_to(p, edge, range));
  };
  const std::vector<const Edge*> doors = doors_near(p, layer, limit);
  layers_[layer].visit(box_of(p, p, limit), [&](const Edge& edge) {
    if (edge.is_door()) return;
    std::vector<Range> visible = {{0, 1}};
    for (const Edge* door : doors) visible = without(visible, behind(p, *door, edge));
    for (const Range& range : visible) consider(edge, range);
  });
  for (const Edge* door : doors)
    layers_[door->leads_to].visit(box_of(p, p, limit), [&](const Edge& edge) {
      if (!edge.is_door()) consider(edge, behind(p, *door, edge));
    });
  return nearest;
}

std::optional<WallChecker::Walls::Meeting> WallChecker::Walls::first_meeting(Vec2 p, Vec2 q, std::uint32_t layer,
                                                                             const Edge* came_by, double after) const {
  std::optional<Meeting> first;
  layers_[layer].visit(box_of(p, q, 0), [&](const Edge& edge) {
    if (came_by != nullptr && edge.a == came_by->b && edge.b == came_by->a) return;
    // Through a door one goes from its free side to the other; ending on it is being on either side.
    if (edge.is_door() && exact_side(edge.a, edge.b, q) >= 0) return;
    if (!exactly_meet(p, q, edge.a, edge.b)) return;
    const double at = parameter_of(p, q, edge);
    if (at >= after && (!first || at < first->at)) first = Meeting{at, &edge};
  });
  return first;
}

std::string WallChecker::Walls::complaint_about_move(Vec2 p, Vec2 q, std::uint32_t from, std::uint32_t to) const {
  std::uint32_t layer = from;
  std::optional<Meeting> meeting;
  while ((meeting = first_meeting(p, q, layer, meeting ? meeting->edge : nullptr, meeting ? meeting->at : 0))) {
    const Edge& edge = *meeting->edge;
    if (!edge.is_door())
      return fmt::format("moves from ({}, {}) to ({}, {}) through the wall ({}, {})-({}, {}) of layer {}", p.x, p.y,
                         q.x, q.y, edge.a.x, edge.a.y, edge.b.x, edge.b.y, layer);
    layer = edge.leads_to;
  }
  if (layer == to) return {};
  bool on_door = false;
  layers_[layer].visit(box_of(q, q, 0), [&](const Edge& edge) {
    on_door = on_door || (edge.leads_to == to && exactly_meet(q, q, edge.a, edge.b));
  });
  if (on_door) return {};
  return fmt::format("moves from ({}, {}) to ({}, {}) and is then in layer {}, but the way leads to layer {}", p.x, p.y,
                     q.x, q.y, to, layer);
}

WallChecker::WallChecker(const CleanEnvironment& environment) : walls_(std::make_unique<const Walls>(environment)) {}

WallChecker::~WallChecker() = default;

void WallChecker::complain(std::uint64_t serial, const std::string& what) {
  if (++complaint_count_ <= max_complaints)
    complaints_.push_back(fmt::format("step {}: agent {} {}", states_ - 1, serial, what));
}

void WallChecker::check_place(std::uint64_t serial, Vec2 position, std::uint32_t layer, double radius, bool is_new) {
  const double clearance = walls_->clearance(position, layer, radius);
  if (clearance < radius - tolerance::wall)
    complain(serial, fmt::format("of radius {} is {} from a wall, at ({}, {}) in layer {}", radius, clearance,
                                 position.x, position.y, layer));
  else if (is_new && !walls_->is_free(position, layer))
    complain(serial, fmt::format("appears outside free space, at ({}, {}) in layer {}", position.x, position.y, layer));
}

void WallChecker::add(const AgentsView& agents) {
  ++states_;
  for (std::size_t i = 0; i < agents.serials.size(); ++i) {
    const std::uint64_t serial = agents.serials[i];
    const Seen now{agents.positions[i], agents.layers[i], states_};
    if (!std::isfinite(now.position.x) || !std::isfinite(now.position.y) || now.layer >= walls_->layer_count()) {
      complain(serial, fmt::format("is nowhere: ({}, {}) in layer {}", now.position.x, now.position.y, now.layer));
      seen_.erase(serial);
      continue;
    }
    const auto before = seen_.find(serial);
    const bool is_new = before == seen_.end() || before->second.at + 1 < states_;
    if (!is_new && before->second.at == states_) complain(serial, "is there twice");
    check_place(serial, now.position, now.layer, agents.radii[i], is_new);
    if (!is_new) {
      const Seen& was = before->second;
      const std::string complaint = walls_->complaint_about_move(was.position, now.position, was.layer, now.layer);
      if (!complaint.empty()) complain(serial, complaint);
    }
    seen_[serial] = now;
  }
}

}  // namespace throng::validation
