#include "routes/shortest_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"

namespace throng::routes {

namespace {

/// Radii whose measures are kept.
constexpr std::size_t most_sizes = 4;
/// Sine of an angle at which where two lines cross is well defined.
constexpr double clearly_across = 1e-6;
/// Metres: ways that differ by less are the same.
constexpr double same_length = 1e-9;
/// Share by which distances of landmarks are off, being floats.
constexpr double float_error = 2e-7;
constexpr float unreached = std::numeric_limits<float>::infinity();

double length_of(Vec2 v) { return std::sqrt(squared_length(v)); }

bool later(const auto& a, const auto& b) { return a.bound != b.bound ? a.bound > b.bound : a.node > b.node; }

/// A point of a line from p that lies on the segment from `right` to `left`, or the end it lies beyond.
Vec2 on_segment(Vec2 p, Vec2 direction, Vec2 right, Vec2 left, Vec2 otherwise) {
  const Vec2 across = left - right;
  const double slant = cross(direction, across);
  if (slant * slant <= clearly_across * clearly_across * squared_length(across)) return otherwise;
  const double share = cross(p - right, direction) / cross(across, direction);
  return right + across * std::clamp(share, 0.0, 1.0);
}

/// For each node of the part of the world with most nodes a cell beside it; none for others, and on obstacles.
std::vector<Index> cells_of_largest_part(const RouteGraph& graph) {
  const navmesh::Mesh& mesh = graph.mesh();
  std::map<Index, std::size_t> arcs_of;
  for (const navmesh::Arc& arc : mesh.arcs) ++arcs_of[graph.component_of(arc.edge)];
  std::vector<Index> cell_of(mesh.nodes.size(), none);
  if (arcs_of.empty()) return cell_of;
  const Index largest = std::max_element(arcs_of.begin(), arcs_of.end(), [](const auto& a, const auto& b) {
                          return a.second < b.second;
                        })->first;
  for (Index arc = 0; arc < mesh.arcs.size(); ++arc)
    if (graph.component_of(mesh.arcs[arc].edge) == largest)
      for (const Index node : {mesh.arcs[arc].from, mesh.arcs[arc].to})
        if (mesh.nodes[node].clearance > 0) cell_of[node] = 2 * arc;
  return cell_of;
}

/// The node a gate runs across.
Index node_of(const CorridorTiles& tiles, Index tile, Index gate) {
  if (!tiles.is_arc(tile)) {
    const TileGate& out = tiles.gates(tile)[gate];
    tile = out.tile, gate = out.back;
  }
  const navmesh::Arc& arc = tiles.graph().mesh().arcs[tile];
  return gate == 0 ? arc.to : arc.from;
}

}  // namespace

double by_way_of(Vec2 p, Vec2 a, Vec2 b, Vec2 q) {
  const Vec2 along = b - a;
  const double p_side = cross(along, p - a);
  double q_side = cross(along, q - a);
  if (p_side * q_side > 0) {  // on one side: a way to the line and back is as long as one to the mirror image
    const Vec2 normal = perpendicular(along);
    q = q - normal * (2 * q_side / squared_length(along));
    q_side = -q_side;
  }
  const Vec2 straight = q - p;
  const double at_a = cross(straight, a - p);
  const double at_b = cross(straight, b - p);
  if (at_a * at_b <= 0) return length_of(straight);
  const Vec2 corner = std::abs(at_a) < std::abs(at_b) ? a : b;
  return length_of(corner - p) + length_of(q - corner);
}

GateShare share_of_gate(const TangentRoot& root, const WindowSpread::Entry& entry) {
  const auto end = [&](Vec2 direction, bool open, Vec2 post) {
    return open ? post : on_segment(touch(root.bend, direction), direction, entry.right, entry.left, post);
  };
  return {end(entry.window.right, entry.window.right_open, entry.right),
          end(entry.window.left, entry.window.left_open, entry.left)};
}

double length_to(const DiscTiles& tiles, const TangentRoot& root, const WindowSpread::Entry& entry, Vec2 place,
                 std::uint8_t side) {
  if (tiles.is_narrow(entry.tile) && entry.window.side != side) return unreachable;
  if (tiles.outside(root, entry.window, entry.tile, place) > beside_window) return unreachable;
  const Vec2 direction = tangent(root.bend, {place, 0});
  if (direction == Vec2{}) return unreachable;
  return root.distance + arc_length(root.bend, root.arrival, direction) +
         length_of(place - touch(root.bend, direction));
}

void list_arcs(const CorridorTiles& tiles, const std::vector<EnteredTile>& last_first, std::vector<Index>& arcs) {
  arcs.clear();
  Index left_by = none;  // the gate by which the tile looked at was left
  for (const auto& [tile, gate] : last_first) {
    if (tiles.is_arc(tile)) {
      // Gate 0 is at the arc's end: who enters there walks against it, who leaves there along it.
      const bool against = gate != none ? gate == 0 : left_by == 1;
      arcs.push_back(2 * tile + (against ? 1 : 0));
    }
    if (gate != none) left_by = tiles.gates(tile)[gate].back;
  }
  std::reverse(arcs.begin(), arcs.end());
}

/// The places are nodes of the largest part of the world that is joined, each the farthest from those taken before, the first as far as
/// can be from anywhere. Smaller parts, courtyards mostly, are searched without help.
Landmarks::Landmarks(std::shared_ptr<const CorridorTiles> tiles) : tiles_(std::move(tiles)) {
  const navmesh::Mesh& mesh = tiles_->graph().mesh();
  Distances nothing;
  nothing.fill(unreached);
  at_node_.assign(mesh.nodes.size(), nothing);
  const std::vector<Index> cell_of = cells_of_largest_part(tiles_->graph());
  std::vector<float> nearest(mesh.nodes.size(), unreached);
  const auto farthest = [&] {  // the lowest of them
    Index best = none;
    for (Index node = 0; node < mesh.nodes.size(); ++node)
      if (cell_of[node] != none && (best == none || nearest[node] > nearest[best])) best = node;
    return best;
  };
  const auto field_of = [&](Index node) {
    const Vec2 point = mesh.nodes[node].point;
    const FlowGoal goal{{point, navmesh::layer_at(mesh, cell_of[node], point)}, 0};
    return FlowField(tiles_, {&goal, 1}, 0);
  };
  const auto measure = [&](const FlowField& field, auto&& take) {
    for (Index node = 0; node < mesh.nodes.size(); ++node)
      if (cell_of[node] != none) take(node, float(field.ask(mesh.nodes[node].point, cell_of[node]).distance));
  };
  Index landmark = farthest();
  if (landmark == none) return;
  measure(field_of(landmark), [&](Index node, float distance) { nearest[node] = distance; });
  landmark = farthest();
  nearest.assign(nearest.size(), unreached);
  for (std::size_t number = 0; number < count; ++number, landmark = farthest()) {
    measure(field_of(landmark), [&](Index node, float distance) {
      at_node_[node][number] = distance;
      nearest[node] = std::min(nearest[node], distance);
    });
  }
}

Landmarks::Range Landmarks::at(const navmesh::Place& place, Index cell) const {
  const navmesh::Mesh& mesh = tiles_->graph().mesh();
  Range range;
  range.least.fill(0);
  range.most.fill(unreached);
  const navmesh::Arc& arc = mesh.arcs[cell / 2];
  for (const Index node : {arc.from, arc.to}) {
    const Vec2 point = mesh.nodes[node].point;
    if (!navmesh::visible(mesh, place, {point, navmesh::layer_at(mesh, cell, point)}, 0)) continue;
    const auto apart = float(length_of(point - place.point));
    for (std::size_t i = 0; i < count; ++i) {
      if (at_node_[node][i] == unreached) continue;
      range.least[i] = std::max(range.least[i], at_node_[node][i] - apart);
      range.most[i] = std::min(range.most[i], at_node_[node][i] + apart);
    }
  }
  return range;
}

std::size_t Landmarks::bytes() const { return sizeof *this + at_node_.capacity() * sizeof(Distances); }

const std::shared_ptr<const Landmarks>& RouteGraph::landmarks() const {
  std::call_once(landmarks_made_, [this] {
    // The tiles do not own the graph, which owns them.
    const std::shared_ptr<const RouteGraph> self(std::shared_ptr<void>{}, this);
    landmarks_ = std::make_shared<const Landmarks>(std::make_shared<const CorridorTiles>(self));
  });
  return landmarks_;
}

ShortestFinder::ShortestFinder(std::shared_ptr<const Landmarks> landmarks) : landmarks_(std::move(landmarks)) {}

ShortestFinder::Sized& ShortestFinder::sized(double radius) {
  auto found = std::find_if(sized_.begin(), sized_.end(), [&](const auto& known) { return known->radius == radius; });
  if (found == sized_.end()) {
    if (sized_.size() == most_sizes)
      sized_.erase(std::min_element(sized_.begin(), sized_.end(),
                                    [](const auto& a, const auto& b) { return a->used < b->used; }));
    sized_.push_back(std::make_unique<Sized>(landmarks_->tiles(), radius));
    found = sized_.end() - 1;
  }
  (*found)->used = ++uses_;
  return **found;
}

bool ShortestFinder::find(const End& start, const End& goal, double radius, double most, ShortestWay& way) {
  Sized& body = sized(radius);
  body.spread.clear();
  nodes_.clear();
  open_.clear();
  expansions_ = 0;
  goal_ = goal;
  goal_tile_ = body.tiles.tiles().tile_at(goal.cell, goal.place.point, body.tiles.disc());
  goal_side_ = body.tiles.side_of(goal_tile_, goal.place.point);
  goal_range_ = landmarks_->at(goal.place, goal.cell);
  best_ = most;
  best_node_ = none;
  push(body, body.spread.begin(start.place.point, start.cell, 0), none, 0);
  while (!open_.empty() && open_.front().bound < best_) {
    std::pop_heap(open_.begin(), open_.end(), later<Open, Open>);
    const auto [bound, node] = open_.back();
    open_.pop_back();
    const WindowSpread::Entry entry = nodes_[node].entry;
    if (body.spread.is_hopeless(entry)) continue;
    ++expansions_;
    if (entry.tile == goal_tile_) try_goal(body, node);
    entries_.clear();
    body.spread.expand(entry, entries_);
    for (const WindowSpread::Entry& next : entries_) push(body, next, node, bound);
  }
  if (best_node_ == none) return false;
  collect(body, way);
  return true;
}

void ShortestFinder::push(const Sized& body, const WindowSpread::Entry& entry, Index parent, double at_least) {
  if (body.spread.is_hopeless(entry)) return;
  const double bound = std::max(at_least, bound_of(body, entry));
  if (bound >= best_) return;
  open_.push_back({bound, Index(nodes_.size())});
  nodes_.push_back({entry, parent});
  std::push_heap(open_.begin(), open_.end(), later<Open, Open>);
}

/// No way to the goal in the window is shorter. From where the root is reached to a point of the gate a way is no shorter than the
/// straight line, whatever part of it runs around the root.
double ShortestFinder::bound_of(const Sized& body, const WindowSpread::Entry& entry) const {
  const TangentRoot& root = body.spread.roots()[entry.window.root];
  const Vec2 from = touch(root.bend, root.arrival);
  if (entry.right == entry.left) return root.distance + length_of(goal_.place.point - from) - same_length;
  const auto [right, left] = share_of_gate(root, entry);
  const double straight = by_way_of(from, right, left, goal_.place.point);
  const Index node = node_of(body.tiles.tiles(), entry.tile, entry.gate);
  const Vec2 at = body.tiles.mesh().nodes[node].point;
  const double apart = std::sqrt(std::max(squared_length(right - at), squared_length(left - at)));
  const double to_gate = length_of(from - navmesh::nearest_on({.a = right, .b = left}, from));
  const double by_landmarks = to_gate + landmark_bound(node) - apart;
  return root.distance + std::max(straight, by_landmarks) - same_length;
}

/// No way from the node to the goal is shorter.
double ShortestFinder::landmark_bound(Index node) const {
  const Landmarks::Distances& here = landmarks_->at_node(node);
  float most = 0;
  float size = 0;  // of what was taken from each other
  for (std::size_t i = 0; i < Landmarks::count; ++i) {
    if (here[i] == unreached) continue;
    const float apart = std::max(here[i] - goal_range_.most[i], goal_range_.least[i] - here[i]);
    if (!(apart > most)) continue;
    most = apart;
    size = here[i];
  }
  return double(most) - float_error * (2 * double(size) + double(most));
}

void ShortestFinder::try_goal(const Sized& body, Index node) {
  const WindowSpread::Entry& entry = nodes_[node].entry;
  const double length =
      length_to(body.tiles, body.spread.roots()[entry.window.root], entry, goal_.place.point, goal_side_);
  if (length < best_) best_ = length, best_node_ = node;
}

void ShortestFinder::collect(const Sized& body, ShortestWay& way) {
  way.length = best_;
  way.bends.assign(1, {goal_.place.point, 0});
  for (Index r = nodes_[best_node_].entry.window.root; r != none; r = body.spread.roots()[r].parent)
    way.bends.push_back(body.spread.roots()[r].bend);
  std::reverse(way.bends.begin(), way.bends.end());
  entered_.clear();
  for (Index n = best_node_; n != none; n = nodes_[n].parent) {
    const WindowSpread::Entry& entry = nodes_[n].entry;
    const Index parent = nodes_[n].parent;
    if (parent != none && nodes_[parent].entry.tile == entry.tile) continue;  // turned around a corner in it
    entered_.push_back({entry.tile, parent == none ? none : entry.gate});
  }
  list_arcs(body.tiles.tiles(), entered_, way.arcs);
}

}  // namespace throng::routes
