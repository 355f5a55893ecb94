#include "routes/alternatives_finder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/tolerances.hpp"
#include "navmesh/arc.hpp"
#include "navmesh/queries.hpp"

namespace throng::routes {

namespace {

/// Metres between places of a gate where the field is asked at most so many times.
constexpr double sample_distance = 1;
constexpr int most_samples = 16;

/// A point of a line from p that lies on the segment from `right` to `left`, or the end it lies beyond.
Vec2 on_segment(Vec2 p, Vec2 direction, Vec2 right, Vec2 left, Vec2 otherwise) {
  const Vec2 across = left - right;
  const double slant = cross(direction, across);
  if (slant * slant <= tolerance::clearly_across * tolerance::clearly_across * squared_length(across)) return otherwise;
  const double share = cross(p - right, direction) / cross(across, direction);
  return right + across * std::clamp(share, 0.0, 1.0);
}

/// The part of the gate behind a window that the window comes through.
struct GateShare {
  Vec2 right, left;
};
GateShare share_of_gate(const TangentRoot& root, const WindowEntry& entry) {
  const auto end = [&](Vec2 direction, bool open, Vec2 post) {
    return open ? post : on_segment(touch(root.bend, direction), direction, entry.right, entry.left, post);
  };
  return {end(entry.window.right, entry.window.right_open, entry.right),
          end(entry.window.left, entry.window.left_open, entry.left)};
}

/// The length of the way that leaves a root for a place straight; infinite where the window does not hold it.
double length_to(const DiscTiles& tiles, const TangentRoot& root, const WindowEntry& entry, Vec2 place,
                 std::uint8_t side) {
  if (tiles.is_narrow(entry.tile) && entry.window.side != side) return unreachable;
  if (tiles.outside(root, entry.window, entry.tile, place, approach(root.bend, place)) > tolerance::route_clearance)
    return unreachable;
  const Vec2 direction = tangent(root.bend, {place, 0});
  if (direction == Vec2{}) return unreachable;
  return root.distance + arc_length(root.bend, root.arrival, direction) + length(place - touch(root.bend, direction));
}

/// The shortest way from p to q by way of the segment ab.
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
  if (at_a * at_b <= 0) return std::sqrt(squared_length(straight));
  const Vec2 corner = std::abs(at_a) < std::abs(at_b) ? a : b;
  return std::sqrt(squared_length(corner - p)) + std::sqrt(squared_length(q - corner));
}

/// Which tiles lie on simple paths between two tiles: those of the biconnected part that holds both once they are joined by an edge
/// (Hopcroft, Tarjan 1973). Iterative: paths are long.
class SimplePathTiles {
 public:
  SimplePathTiles(const DiscTiles& tiles, Index start, Index goal)
      : tiles_(tiles), start_(start), goal_(goal), order_(tiles.tiles().size(), 0), low_(order_.size(), 0) {}

  std::vector<char> find() {
    std::vector<char> useful(order_.size(), 0);
    useful[start_] = 1;
    if (start_ == goal_ && !tiles_.tiles().is_arc(start_)) return useful;
    visit(start_, none);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      const Index tile = frame.tile;
      const Index to = next_neighbour(frame);
      if (to == none) {
        leave(useful);
      } else if (to != frame.parent) {
        if (order_[to] == 0)
          visit(to, tile);
        else
          low_[tile] = std::min(low_[tile], order_[to]);
      }
    }
    return useful;
  }

 private:
  struct Frame {
    Index tile = none, parent = none;
    Index next = 0;
  };

  void visit(Index tile, Index parent) {
    order_[tile] = low_[tile] = ++count_;
    path_.push_back({tile, parent, 0});
    waiting_.push_back(tile);
  }

  /// The goal first, from the start: so the edge between the two is walked first, and their part is closed at the start.
  Index next_neighbour(Frame& frame) {
    const std::span<const TileGate> gates = tiles_.tiles().gates(frame.tile);
    for (;;) {
      const Index number = frame.next++;
      if (number == 0) {
        if (start_ == goal_) continue;
        if (frame.tile == start_) return goal_;
        if (frame.tile == goal_) return start_;
        continue;
      }
      if (number > gates.size()) return none;
      const TileGate& gate = gates[number - 1];
      if (gate.tile != none && gate.lets_through(tiles_.disc())) return gate.tile;
    }
  }

  void leave(std::vector<char>& useful) {
    const Frame done = path_.back();
    path_.pop_back();
    if (path_.empty()) return;
    const Index parent = path_.back().tile;
    low_[parent] = std::min(low_[parent], low_[done.tile]);
    if (low_[done.tile] < order_[parent]) return;
    // The parent cuts this part off from what was visited before.
    const bool is_ours = parent == start_ && (done.tile == goal_ || start_ == goal_);
    for (;;) {
      const Index tile = waiting_.back();
      waiting_.pop_back();
      if (is_ours) useful[tile] = 1;
      if (tile == done.tile) break;
    }
  }

  const DiscTiles& tiles_;
  Index start_, goal_;
  std::vector<Index> order_, low_;
  std::vector<Frame> path_;
  std::vector<Index> waiting_;
  Index count_ = 0;
};

/// Whether a way turned around the root's circle before, the same way around: a tight one that winds around nothing does not come back
/// to a circle, but rounding may lead to and fro between two that almost touch.
bool turns_again(const std::vector<TangentRoot>& roots, Index root) {
  const TangentRoot& last = roots[root];
  for (Index r = last.parent; r != none; r = roots[r].parent)
    if (roots[r].corner == last.corner && roots[r].bend.radius == last.bend.radius) return true;
  return false;
}

}  // namespace

AlternativesFinder::AlternativesFinder(std::shared_ptr<const CorridorTiles> tiles, double radius)
    : tiles_(std::move(tiles)),
      radius_(radius),
      disc_tiles_(tiles_, radius),
      measures_(disc_tiles_),
      spread_(disc_tiles_, measures_, WindowSpread::Keep::every_class) {}

void AlternativesFinder::find(const ShortestFinder::End& start, const ShortestFinder::End& goal, std::size_t count,
                              std::vector<ShortestWay>& ways) {
  ways.clear();
  spread_.clear();
  nodes_.clear();
  open_.clear();
  way_numbers_.clear();
  way_before_.clear();
  turned_.clear();
  classes_.clear();
  expansions_ = 0;
  complete_ = true;
  count_ = std::min(count, most_count);
  if (count_ == 0) return;
  goal_ = goal;
  goal_tile_ = tiles_->tile_at(goal.cell, goal.place.point, disc_tiles_.disc());
  goal_side_ = disc_tiles_.side_of(goal_tile_, goal.place.point);
  const FlowGoal flow_goal{goal.place, 0};
  field_ = std::make_unique<const FlowField>(tiles_, std::span(&flow_goal, 1), radius_);
  const WindowSpread::Entry first = spread_.begin(start.place.point, start.cell, 0);
  loop_gate_ = first.tile == goal_tile_ ? gate_to_come_back_by(start, first.tile) : none;
  is_useful_ = SimplePathTiles(disc_tiles_, first.tile, goal_tile_).find();
  push(first, none, 0);
  while (!open_.empty() && open_.top().key < most()) {
    if (expansions_ == most_expansions) {
      complete_ = false;
      break;
    }
    const OpenNode next = open_.pop();
    ++expansions_;
    const WindowSpread::Entry entry = nodes_[next.node].entry;
    if (entry.tile == goal_tile_) try_goal(next.node);
    entries_.clear();
    spread_.expand(entry, entries_);
    for (const WindowSpread::Entry& onward : entries_) push(onward, next.node, next.key);
  }
  for (const Class& found : classes_) collect(found, ways.emplace_back());
}

void AlternativesFinder::push(const WindowSpread::Entry& entry, Index parent, double at_least) {
  if (is_useful_[entry.tile] == 0) return;
  const bool stays = parent != none && nodes_[parent].entry.tile == entry.tile;
  const bool is_back = stays ? nodes_[parent].is_back : comes_around(entry, parent);
  if (!stays && !is_back && enters_twice(entry.tile, parent)) return;
  const double bound = std::max(at_least, bound_of(entry));
  if (bound >= most()) return;
  const Index way = stays ? nodes_[parent].way : way_on(parent == none ? none : nodes_[parent].way, entry.tile);
  if (stays && (turns_again(spread_.roots(), entry.window.root) || turned_already(way, entry.window.root))) return;
  open_.push({bound, 0, Index(nodes_.size())});
  nodes_.push_back({entry, parent, is_back, way});
}

/// The number of a way that goes on into a tile.
Index AlternativesFinder::way_on(Index way, Index tile) {
  const std::uint64_t key = std::uint64_t(way) << 32 | tile;
  const auto [entry, is_new] = way_numbers_.try_emplace(key, Index(way_before_.size()));
  if (is_new) way_before_.push_back(way);
  return entry->second;
}

/// Whether another tight way of the same class, one of the same length that is, turns around the root's circle. Which of two tiles a circle
/// is touched in may be rounding where they meet.
bool AlternativesFinder::turned_already(Index way, Index root) {
  const TangentRoot& turn = spread_.roots()[root];
  const Index side = 2 * turn.corner + (turn.bend.radius > 0 ? 1 : 0);
  bool known = false;
  for (const Index w : {way, way_before_[way]}) {
    if (w == none) continue;
    const auto [entry, is_new] = turned_.try_emplace(std::uint64_t(w) << 32 | side, turn.distance);
    known = known || (!is_new && entry->second <= turn.distance + tolerance::route_clearance);
    entry->second = std::min(entry->second, turn.distance);
  }
  return known;
}

bool AlternativesFinder::enters_twice(Index tile, Index parent) const {
  for (Index n = parent; n != none; n = nodes_[n].parent)
    if (nodes_[n].entry.tile == tile) return true;
  return false;
}

/// Whether a window comes back to where start and goal are, from the other end.
bool AlternativesFinder::comes_around(const WindowSpread::Entry& entry, Index parent) const {
  if (loop_gate_ == none || parent == none || entry.tile != goal_tile_ || entry.gate != loop_gate_) return false;
  Index left_by = none;
  for (Index n = parent; n != none; n = nodes_[n].parent) {
    const WindowSpread::Entry& passed = nodes_[n].entry;
    if (passed.tile == goal_tile_) return left_by != loop_gate_ && !nodes_[n].is_back;
    if (passed.gate != none) left_by = tiles_->gates(passed.tile)[passed.gate].back;
  }
  return false;
}

/// Gate 0 is at the arc's end: who stands before the goal leaves by the other and comes back by it.
Index AlternativesFinder::gate_to_come_back_by(const ShortestFinder::End& start, Index start_tile) const {
  if (!tiles_->is_arc(start_tile)) return none;
  const navmesh::Mesh& mesh = disc_tiles_.mesh();
  const navmesh::Arc& arc = mesh.arc(start_tile);
  const Vec2 from = mesh.node(arc.from).point;
  const auto along = [&](const ShortestFinder::End& end) {
    const Vec2 p = navmesh::retract(mesh, navmesh::locate_from(mesh, end.cell, end.place), end.place.point).point;
    return p == from ? 0 : navmesh::ArcCurve(mesh.site(arc.site[0]), mesh.site(arc.site[1]), from, p).length();
  };
  return along(start) <= along(goal_) ? 0 : 1;
}

/// No way to the goal in the window is shorter.
double AlternativesFinder::bound_of(const WindowSpread::Entry& entry) const {
  const TangentRoot& root = spread_.roots()[entry.window.root];
  const Vec2 from = touch(root.bend, root.arrival);
  if (entry.right == entry.left) {
    // A window that begins here: what the field says where the disc is first touched.
    if (root.corner == none) return length(goal_.place.point - from) - tolerance::route_clearance;
    const Index side = disc_tiles_.mesh().arc(entry.tile).site[0] == root.corner ? 0 : 1;
    const double ahead = field_->ask(from, 2 * entry.tile + side).distance;
    return root.distance + std::max(ahead < unreachable ? ahead : 0, length(goal_.place.point - from)) -
           tolerance::route_clearance;
  }
  const auto [right, left] = share_of_gate(root, entry);
  const double straight = by_way_of(from, right, left, goal_.place.point);
  const Index arc = tiles_->is_arc(entry.tile) ? entry.tile : tiles_->gates(entry.tile)[entry.gate].tile;
  return root.distance + std::max(straight, ahead_of(right, left, from, arc)) - tolerance::route_clearance;
}

/// No way from a point by the segment to the goal is shorter. Between two places asked at, distances to the goal, and to the point, differ
/// by no more than the way between them.
double AlternativesFinder::ahead_of(Vec2 right, Vec2 left, Vec2 from, Index tile) const {
  const navmesh::Mesh& mesh = disc_tiles_.mesh();
  const navmesh::Arc& arc = mesh.arc(tile);
  const Vec2 across = left - right;
  const double width = length(across);
  const int parts = std::clamp(int(width / sample_distance), 1, most_samples);
  double least = unreachable, last = 0;
  for (int i = 0; i <= parts; ++i) {
    const Vec2 p = right + across * (double(i) / parts);
    const auto away = [&](Index side) { return squared_length(p - navmesh::nearest_on(mesh.site(arc.site[side]), p)); };
    const Index cell = 2 * tile + (away(0) <= away(1) ? 0 : 1);
    const double here = length(p - from) + field_->ask(p, cell).distance;
    if (here == unreachable) return 0;
    if (i > 0) least = std::min(least, (last + here) / 2 - width / parts);
    last = here;
  }
  return least;
}

void AlternativesFinder::try_goal(Index node) {
  const WindowSpread::Entry& entry = nodes_[node].entry;
  const double length =
      length_to(disc_tiles_, spread_.roots()[entry.window.root], entry, goal_.place.point, goal_side_);
  if (length < most()) keep({length, node, nodes_[node].way});
}

/// One way a class: where rounding lets two of them through, the shorter.
void AlternativesFinder::keep(const Class& found) {
  const auto known = std::find_if(classes_.begin(), classes_.end(), [&](const Class& c) { return c.way == found.way; });
  if (known == classes_.end())
    classes_.push_back(found);
  else if (found.length < known->length)
    known->length = found.length, known->node = found.node;
  std::stable_sort(classes_.begin(), classes_.end(),
                   [](const Class& a, const Class& b) { return a.length < b.length; });
  if (classes_.size() > count_) classes_.pop_back();
}

void AlternativesFinder::collect(const Class& found, ShortestWay& way) const {
  way.length = found.length;
  way.bends.assign(1, {goal_.place.point, 0});
  for (Index r = nodes_[found.node].entry.window.root; r != none; r = spread_.roots()[r].parent)
    way.bends.push_back(spread_.roots()[r].bend);
  std::reverse(way.bends.begin(), way.bends.end());
  std::vector<EnteredTile> entered;
  for (Index n = found.node; n != none; n = nodes_[n].parent) {
    const WindowSpread::Entry& entry = nodes_[n].entry;
    const Index parent = nodes_[n].parent;
    if (parent != none && nodes_[parent].entry.tile == entry.tile) continue;  // turned around a corner in it
    entered.push_back({entry.tile, parent == none ? none : entry.gate});
  }
  std::reverse(entered.begin(), entered.end());
  list_arcs(*tiles_, entered, way.arcs);
}

}  // namespace throng::routes
