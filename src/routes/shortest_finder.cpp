#include "routes/shortest_finder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/elementary.hpp"

namespace throng::routes {

namespace {

/// Sine of an angle at which where two lines cross is well defined.
constexpr double clearly_across = 1e-6;
/// Metres: ways that differ by less are the same.
constexpr double same_length = 1e-9;
/// Bends of a way whose turns may each be off by rounding.
constexpr double most_bends = 1000;
/// Corners near an end that a way is guessed by, and tiles where they are looked for.
constexpr std::size_t enough_near = 2;
constexpr std::size_t most_near_tiles = 32;
/// Share of a guess that it may be short of, because a corner near an end is not seen from there.
constexpr double guess_share = 0.02;
/// Circles that the start sees first, which tell how far to look, and half as many as the goal does: with more the limit is hardly lower, and each costs its label.
constexpr std::size_t telling_circles = 4;
/// What a way may be longer than labels say: share of it, and radii.
constexpr double hope_share = 0.01;
constexpr double hope_radii = 4;
/// Radii whose tables are kept.
constexpr std::size_t most_radii = 4;

double length_of(Vec2 v) { return std::sqrt(squared_length(v)); }

/// A point of a line from p that lies on the segment from `right` to `left`, or the end it lies beyond.
Vec2 on_segment(Vec2 p, Vec2 direction, Vec2 right, Vec2 left, Vec2 otherwise) {
  const Vec2 across = left - right;
  const double slant = cross(direction, across);
  if (slant * slant <= clearly_across * clearly_across * squared_length(across)) return otherwise;
  const double share = cross(p - right, direction) / cross(across, direction);
  return right + across * std::clamp(share, 0.0, 1.0);
}

}  // namespace

GateShare share_of_gate(const TangentRoot& root, const WindowEntry& entry) {
  const auto end = [&](Vec2 direction, bool open, Vec2 post) {
    return open ? post : on_segment(touch(root.bend, direction), direction, entry.right, entry.left, post);
  };
  return {end(entry.window.right, entry.window.right_open, entry.right),
          end(entry.window.left, entry.window.left_open, entry.left)};
}

double length_to(const DiscTiles& tiles, const TangentRoot& root, const WindowEntry& entry, Vec2 place,
                 std::uint8_t side) {
  if (tiles.is_narrow(entry.tile) && entry.window.side != side) return unreachable;
  if (tiles.outside(root, entry.window, entry.tile, place, approach(root.bend, place)) > beside_window)
    return unreachable;
  const Vec2 direction = tangent(root.bend, {place, 0});
  if (direction == Vec2{}) return unreachable;
  return root.distance + arc_length(root.bend, root.arrival, direction) +
         length_of(place - touch(root.bend, direction));
}

const std::shared_ptr<const CorridorTiles>& RouteGraph::corridor_tiles() const {
  std::call_once(corridor_tiles_.made, [this] {
    // The tiles do not own the graph, which owns them.
    const std::shared_ptr<const RouteGraph> self(std::shared_ptr<void>{}, this);
    corridor_tiles_.it = std::make_shared<const CorridorTiles>(self);
  });
  return corridor_tiles_.it;
}

const std::shared_ptr<const CornerDistances>& RouteGraph::corner_distances(double radius) const {
  const int number = radius_class_of(radius);
  MadeOnce<CornerDistances>* distances = nullptr;
  {
    const std::lock_guard lock(corner_distances_mutex_);
    distances = &corner_distances_[number];
  }
  std::call_once(distances->made, [&] {
    distances->it = std::make_shared<const CornerDistances>(corridor_tiles(), radius_class(number));
  });
  return distances->it;
}

std::shared_ptr<const TangentTable> RouteGraph::tangents(double radius) const {
  const std::shared_ptr<const CorridorTiles>& tiles = corridor_tiles();
  const std::lock_guard lock(tangents_mutex_);
  const auto known =
      std::find_if(tangents_.begin(), tangents_.end(), [&](const auto& t) { return t->radius() == radius; });
  if (known != tangents_.end()) {
    std::rotate(known, known + 1, tangents_.end());
  } else {
    if (tangents_.size() == most_radii) tangents_.erase(tangents_.begin());
    tangents_.push_back(std::make_shared<const TangentTable>(tiles, radius));
  }
  return tangents_.back();
}

ShortestFinder::ShortestFinder(std::shared_ptr<const RouteGraph> graph) : graph_(std::move(graph)) {
  start_led_into_.assign(graph_->mesh().edges.size(), 0);
  goal_led_into_.assign(graph_->mesh().edges.size(), 0);
}

bool ShortestFinder::find(const End& start, const End& goal, double radius, double most, ShortestWay& way) {
  is_hopeful_ = false;
  best_ = most;
  return find(start, goal, radius, way);
}

bool ShortestFinder::find_hopefully(const End& start, const End& goal, double radius, ShortestWay& way) {
  is_hopeful_ = true;
  best_ = unreachable;
  return find(start, goal, radius, way);
}

bool ShortestFinder::find(const End& start, const End& goal, double radius, ShortestWay& way) {
  if (!table_ || table_->radius() != radius) {
    table_ = graph_->tangents(radius);
    distances_ = graph_->corner_distances(radius);
    start_hubs_.begin(distances_->hub_count());
    goal_hubs_.begin(distances_->hub_count());
    near_.clear();
    near_at_.assign(table_->disc_tiles().tiles().size(), none);
    ahead_.assign(distances_->turn_count(), not_asked);
    lift_ = CornerDistances::most_by * table_->disc_tiles().disc();
    bound_error_ = CornerDistances::least_error + most_bends * TangentTable::straight_on * table_->disc_tiles().disc();
    start_view_.emplace(table_->disc_tiles(), table_->gates(), table_->geometry());
    goal_view_.emplace(table_->disc_tiles(), table_->gates(), table_->geometry());
    first_root_.assign(table_->node_count(), none);
    first_seen_.assign(table_->node_count(), none);
  }
  const DiscTiles& tiles = table_->disc_tiles();
  start_ = start;
  goal_ = goal;
  start_tile_ = tiles.tiles().tile_at(start.cell, start.place.point, tiles.disc());
  goal_tile_ = tiles.tiles().tile_at(goal.cell, goal.place.point, tiles.disc());
  best_root_ = best_seen_ = none;
  is_straight_ = false;
  expansions_ = 0;
  search();
  const bool found = is_straight_ || best_root_ != none;
  if (found) collect(way);
  forget();
  return found;
}

/// What an end of the way wants to see: the other end, and circles that a way to it can lead by.
class ShortestFinder::Look {
 public:
  Look(ShortestFinder& finder, bool is_start, const DeadEnd& of_other)
      : finder_(finder),
        tiles_(finder.table_->disc_tiles()),
        is_start_(is_start),
        from_((is_start ? finder.start_ : finder.goal_).place.point),
        to_((is_start ? finder.goal_ : finder.start_).place.point),
        led_into_(is_start ? finder.goal_led_into_ : finder.start_led_into_),
        other_in_dead_end_(of_other.is_one),
        last_tile_(is_start ? finder.goal_tile_ : finder.start_tile_),
        last_side_(tiles_.side_of(last_tile_, to_)) {
    const DiscGates& gates = finder.table_->gates();
    if (is_start) to_last_ = gates.steps_through(last_tile_);
    if (of_other.mouth != none) to_mouth_ = gates.steps_through(of_other.mouth);
  }

  void begin(const TangentRoot& root, const WindowEntry& entry) {
    ++finder_.expansions_;
    if (is_start_ && entry.tile == last_tile_) try_straight(root, entry);
  }
  void enter(const TangentRoot& root, const Sight& sight) {
    ++finder_.expansions_;
    if (is_start_ && sight.behind.tile == last_tile_) try_straight(root, PlaceView::entry_of(sight));
  }
  void circle(Index window_side, const SeenCircle& seen) { finder_.note(window_side, seen, is_start_); }
  /// Where the other end is, and where the dead end begins that it is in.
  [[nodiscard]] Index halts(Index step, Index end) const {
    for (const Index halt : {to_last_[0], to_last_[1], to_mouth_[0], to_mouth_[1]})
      if (halt >= step && halt < end) end = halt;
    return end;
  }
  [[nodiscard]] bool looks_into_dead_ends() const { return other_in_dead_end_; }
  [[nodiscard]] bool leads_nowhere(Index twig) const { return twig != none && led_into_[twig] != finder_.search_; }
  [[nodiscard]] Vec2 towards() const { return to_; }
  [[nodiscard]] double most() const { return finder_.best_ + same_length; }
  /// A circle is enough for now, or a way that nothing is shorter than.
  [[nodiscard]] bool pauses() {
    const std::size_t seen = (is_start_ ? finder_.by_start_ : finder_.by_goal_).size();
    return finder_.is_straight_ || std::exchange(seen_before_, seen) < seen;
  }

 private:
  void try_straight(const TangentRoot& root, const WindowEntry& entry) {
    const double length = length_to(tiles_, root, entry, to_, last_side_);
    if (length < finder_.best_) finder_.best_ = length, finder_.is_straight_ = true;
  }

  ShortestFinder& finder_;
  const DiscTiles& tiles_;
  bool is_start_;
  Vec2 from_, to_;
  const std::vector<std::uint64_t>& led_into_;  ///< by who wants to get to the other end
  bool other_in_dead_end_;
  Index last_tile_;
  std::uint8_t last_side_;
  DiscGates::Through to_last_{none, none}, to_mouth_{none, none};
  std::size_t seen_before_ = 0;
};

void ShortestFinder::search() {
  ++search_;
  const DeadEnd of_start = mark_dead_end(start_tile_, start_led_into_);
  const DeadEnd of_goal = mark_dead_end(goal_tile_, goal_led_into_);
  start_view_->begin(start_.place.point, start_tile_);
  goal_view_->begin(goal_.place.point, goal_tile_);
  Look from_start(*this, true, of_goal), from_goal(*this, false, of_start);
  if (is_hopeful_) guess();
  // In turns, so that each tells the other how far to look.
  for (bool more = true; more;) {
    const bool more_from_start = start_view_->look(from_start);
    if (is_straight_) return;
    more = goal_view_->look(from_goal) || more_from_start;
  }
  tell_of_last();
  for (const Seen& seen : by_start_) reach({seen.touch, seen.length, seen.node, seen.tile}, seen.passing);
  while (!open_.empty() && open_.top().key < best_) {
    const Index root = open_.pop().node;
    if (!open_.empty()) table_->prefetch(roots_[open_.top().node].node);
    if (!roots_[root].useless) expand(root);
  }
}

/// No bound above this is of any use, whatever is taken off it for turns and rounding.
ShortestFinder::Ticks ShortestFinder::most_bound() const {
  constexpr double rounding = 8 * CornerDistances::float_error;
  return distances_->ticks((best_ + 4 * lift_ + bound_error_) * (1 + rounding)) + 1;
}

/// Tells hubs of a way from a turn to an end; for the start, walked backwards.
void ShortestFinder::tell_hubs(Hubs& hubs, Index turn, double ahead) {
  const Ticks lifted = distances_->ticks(ahead + lift_);
  const Ticks most = most_bound();
  if (lifted > most) return;
  Index* known = hubs.known.data() + hubs.known_count;
  Ticks* const distances = hubs.distance.data();
  distances_->for_each_hub(turn, most - lifted, [&](Index hub, Ticks distance) {
    Ticks& best = distances[hub ^ 1];
    *known = hub ^ 1;  // nothing foretells whether it is new: without a branch
    known += best == CornerDistances::unreachable_ticks ? 1 : 0;
    best = std::min(best, distance + lifted);
  });
  hubs.known_count = std::size_t(known - hubs.known.data());
}

void ShortestFinder::Hubs::begin(std::size_t hub_count) {
  distance.assign(hub_count, CornerDistances::unreachable_ticks);
  known.assign(hub_count + 1, none);
  known_count = 0;
}

void ShortestFinder::Hubs::forget() {
  for (std::size_t i = 0; i < known_count; ++i) distance[known[i]] = CornerDistances::unreachable_ticks;
  known_count = 0;
}

/// No way of the disc that arrives at a turn is shorter from there to an end, but for the arrival's share of the turn; for the start, walked backwards. Infinite
/// where any is longer than what is looked for.
double ShortestFinder::least_to(const Hubs& hubs, Index turn) const { return unlifted(lifted_least_to(hubs, turn)); }

ShortestFinder::Ticks ShortestFinder::lifted_least_to(const Hubs& hubs, Index turn) const {
  return distances_->least_sum(turn ^ 1, hubs.distance, most_bound());
}

double ShortestFinder::unlifted(Ticks ticks) const {
  if (ticks >= CornerDistances::unreachable_ticks) return unreachable;
  return ticks * distances_->tick() * (1 - CornerDistances::float_error) - lift_;
}

/// A few corners of the tiles around one, those of the nearest tiles first.
std::span<const Index> ShortestFinder::near(Index from) {
  const auto listed = [&] { return std::span<const Index>(near_).subspan(near_at_[from] + 1, near_[near_at_[from]]); };
  if (near_at_[from] != none) return listed();
  near_at_[from] = Index(near_.size());
  near_.push_back(0);
  const DiscTiles& tiles = table_->disc_tiles();
  const auto add = [&](Index corner) {
    if (corner == none || distances_->turns_of(corner).count == 0) return;
    const std::span<const Index> so_far = listed();
    if (std::find(so_far.begin(), so_far.end(), corner) != so_far.end()) return;
    near_.push_back(corner);
    ++near_[near_at_[from]];
  };
  near_tiles_.assign(1, from);
  for (std::size_t i = 0; i < near_tiles_.size() && listed().size() < enough_near; ++i) {
    const Index tile = near_tiles_[i];
    for (const TileGate& gate : tiles.tiles().gates(tile)) add(gate.right.corner), add(gate.left.corner);
    for (const TileGate& gate : tiles.tiles().gates(tile))
      if (tiles.leads_on(tile, gate) && near_tiles_.size() < most_near_tiles &&
          std::find(near_tiles_.begin(), near_tiles_.end(), gate.tile) == near_tiles_.end())
        near_tiles_.push_back(gate.tile);
  }
  return listed();
}

/// Calls visit(turn, away) for the turns around corners, with their distance from a place.
template <class Visit>
void ShortestFinder::for_each_turn(std::span<const Index> corners, Vec2 place, Visit&& visit) const {
  for (const Index corner : corners) {
    const double away = length_of(graph_->mesh().sites[corner].a - place);
    const auto [first, count] = distances_->turns_of(corner);
    for (Index turn = first; turn < first + count; ++turn) visit(turn, away);
  }
}

/// Hopes for about the length of a way by corners near both ends, if labels know of one. What they say of the first ones tells how much of the
/// others' labels is of use.
void ShortestFinder::guess() {
  static_cast<void>(near(start_tile_));  // both before either is looked at: they share memory
  const std::span<const Index> by_goal = near(goal_tile_), by_start = near(start_tile_);
  // Their labels come from memory side by side.
  for_each_turn(by_goal, goal_.place.point, [&](Index turn, double) { distances_->prefetch(turn); });
  for_each_turn(by_start, start_.place.point, [&](Index turn, double) { distances_->prefetch(turn ^ 1); });
  std::size_t told = 0;
  for (const std::size_t count : {std::size_t{1}, std::max(by_start.size(), by_goal.size())}) {
    const std::size_t upto = std::min(count, by_goal.size());
    for_each_turn(by_goal.subspan(told, upto - told), goal_.place.point,
                  [&](Index turn, double away) { tell_hubs(goal_hubs_, turn, away); });
    told = upto;
    double least = unreachable;
    for_each_turn(by_start.first(std::min(count, by_start.size())), start_.place.point,
                  [&](Index turn, double away) { least = std::min(least, away + least_to(goal_hubs_, turn)); });
    hope_for(least * (1 + guess_share));
  }
  goal_hubs_.forget();
}

/// There may be a way that is not much longer than a bound.
void ShortestFinder::hope_for(double bound) {
  if (!is_hopeful_ || best_root_ != none) return;
  best_ = std::min(best_, bound * (1 + hope_share) + hope_radii * table_->disc_tiles().disc());
}

void ShortestFinder::forget() {
  start_hubs_.forget();
  goal_hubs_.forget();
  for (const Index turn : asked_turns_) ahead_[turn] = not_asked;
  for (const Root& root : roots_) first_root_[root.node] = none;
  for (const Seen& seen : by_goal_) first_seen_[seen.node] = none;
  asked_turns_.clear();
  roots_.clear();
  by_start_.clear();
  by_goal_.clear();
  told_by_goal_ = 0;
  open_.clear();
}

/// Notes the edges that lead into the dead end a tile lies in, if it does.
ShortestFinder::DeadEnd ShortestFinder::mark_dead_end(Index tile, std::vector<std::uint64_t>& led_into) const {
  const navmesh::Mesh& mesh = graph_->mesh();
  const CorridorTiles& tiles = table_->disc_tiles().tiles();
  const Index arc = tiles.is_arc(tile) ? tile : tiles.gates(tile)[0].tile;
  Index node = none;  // an end of the dead end's first edge, or where the tile is
  if (tiles.is_arc(tile)) {
    const navmesh::Edge& edge = mesh.edges[mesh.arcs[arc].edge];
    node = graph_->towards_core(edge.from).edge == mesh.arcs[arc].edge ? edge.from : edge.to;
    if (!graph_->is_twig(mesh.arcs[arc].edge)) return {};
  } else {
    node = tiles.gates(tile)[0].back == 0 ? mesh.arcs[arc].to : mesh.arcs[arc].from;
  }
  DeadEnd dead_end;
  for (Step step = graph_->towards_core(node); step.edge != none; step = graph_->towards_core(end_of(mesh, step))) {
    led_into[step.edge] = search_;
    const navmesh::Edge& edge = mesh.edges[step.edge];
    const Index last_arc = step.forward ? edge.first_arc + edge.arc_count - 1 : edge.first_arc;
    dead_end = {true, tiles.gates(last_arc)[step.forward ? 0 : 1].tile};
  }
  return dead_end;
}

void ShortestFinder::note(Index window_side, const SeenCircle& circle, bool is_start) {
  const Vec2 point = (is_start ? start_ : goal_).place.point;
  const Vec2 other = (is_start ? goal_ : start_).place.point;
  const Vec2 at = touch(circle.bend, circle.direction);
  const double length = std::max(0.0, dot(circle.direction, at - point));
  if (length + length_of(other - at) >= best_ + same_length) return;
  const Index node = table_->node_of(circle, window_side);
  const Index rank = table_->measures().rank(circle.tile, circle.side, window_side);
  const Vec2 onward = is_start ? circle.direction : -circle.direction;
  const TangentTable::Touch touches{geometry::arc_tangent(onward.y, onward.x), rank};
  // From the goal it is walked the other way round.
  const Index onward_node = is_start ? node : node ^ 1;
  const Seen seen{touches, length, onward_node, circle.tile, none, passing(onward_node, touches.angle)};
  if (seen.passing.turn == none) return;
  // Its label is needed a little later.
  distances_->prefetch(is_start ? seen.passing.turn ^ 1 : seen.passing.turn);
  if (is_start)
    note_for_start(seen);
  else
    note_for_goal(seen);
}

void ShortestFinder::note_for_start(const Seen& seen) {
  by_start_.push_back(seen);
  if (!is_hopeful_ || by_start_.size() > telling_circles) return;
  const auto [turn, share] = seen.passing;
  hope_for(seen.length - share + least_to(goal_hubs_, turn));
  tell_hubs(start_hubs_, turn ^ 1, seen.length - share);
}

void ShortestFinder::note_for_goal(const Seen& seen) {
  tell_of_last();
  by_goal_.push_back(seen);
  by_goal_.back().next = first_seen_[seen.node];
  first_seen_[seen.node] = Index(by_goal_.size() - 1);
}

/// Tells the goal's hubs of the circle seen last, now that its label is at hand.
void ShortestFinder::tell_of_last() {
  if (told_by_goal_ == by_goal_.size()) return;
  const Seen& seen = by_goal_[told_by_goal_++];
  const auto [turn, share] = seen.passing;
  if (is_hopeful_ && told_by_goal_ <= 2 * telling_circles)
    hope_for(seen.length + share + least_to(start_hubs_, turn ^ 1));
  tell_hubs(goal_hubs_, turn, seen.length + share);
}

/// The same to the goal, found once a search.
double ShortestFinder::ahead_of(Index turn) {
  Ticks& known = ahead_[turn];
  if (known == not_asked) {
    known = lifted_least_to(goal_hubs_, turn);
    asked_turns_.push_back(turn);
  }
  return unlifted(known);
}

void ShortestFinder::reach(const Root& root, const CornerDistances::Passing& passing) {
  const auto [turn, share] = passing;
  const double bound = turn == none ? unreachable : root.distance + ahead_of(turn) - share - bound_error_;
  if (bound >= best_) return;
  for (Index r = first_root_[root.node]; r != none; r = roots_[r].next) {
    Root& known = roots_[r];
    if (known.distance <= root.distance + same_length) {
      const double arc = table_->arc_between(root.node, known.arrival, root.arrival);
      if (known.distance + arc <= root.distance + same_length) return;
    } else {
      const double arc = table_->arc_between(root.node, root.arrival, known.arrival);
      if (root.distance + arc <= known.distance) known.useless = true;
    }
  }
  const Index number = Index(roots_.size());
  roots_.push_back(root);
  roots_.back().next = first_root_[root.node];
  first_root_[root.node] = number;
  open_.push({bound, root.distance, number});
  try_goal(number);
}

void ShortestFinder::try_goal(Index number) {
  const Root& root = roots_[number];
  for (Index s = first_seen_[root.node]; s != none; s = by_goal_[s].next) {
    const Seen& seen = by_goal_[s];
    const double arc = table_->arc_between(root.node, root.arrival, seen.touch);
    const double length = root.distance + arc + seen.length;
    if (length < best_) best_ = length, best_root_ = number, best_seen_ = s;
  }
}

void ShortestFinder::expand(Index number) {
  ++expansions_;
  const Root root = roots_[number];
  const double disc = table_->disc_tiles().disc();
  children_.clear();
  for (const Tangent& tangent : table_->from(root.node)) {
    const double arc = table_->arc_between(root.node, root.arrival, {tangent.angle, tangent.from_rank});
    const double distance = root.distance + arc + tangent.length;
    const double left = best_ - distance + disc;
    if (!(left > 0) || squared_length(goal_.place.point - tangent.centre) >= left * left) continue;
    __builtin_prefetch(&first_root_[tangent.to]);
    children_.push_back({&tangent, distance, passing(tangent.to, tangent.angle)});
  }
  for (const Child& child : children_) {
    const Index turn = child.passing.turn;
    if (turn != none && ahead_[turn] == not_asked) distances_->prefetch(turn ^ 1);
  }
  for (const auto& [tangent, distance, passing] : children_)
    reach({{tangent->angle, tangent->to_rank}, distance, tangent->to, tangent->to_tile, tangent, number}, passing);
}

void ShortestFinder::collect(ShortestWay& way) {
  way.length = best_;
  way.bends.assign(1, {goal_.place.point, 0});
  path_.clear();
  if (!is_straight_)
    for (Index r = best_root_; r != none; r = roots_[r].parent) path_.push_back(r);
  for (const Index r : path_) way.bends.push_back(table_->bend_of(roots_[r].node));
  way.bends.push_back({start_.place.point, 0});
  std::reverse(way.bends.begin(), way.bends.end());
  std::reverse(path_.begin(), path_.end());
  collect_tiles(way);
}

/// Along the line to a bend of the way, from a tile on; returns the one it ends in. Between circles it is known from before.
Index ShortestFinder::collect_line(const ShortestWay& way, std::size_t line, Index tile) {
  const Bend& from = way.bends[line];
  const Bend& to = way.bends[line + 1];
  const Index to_tile = line < path_.size() ? roots_[path_[line]].tile : goal_tile_;
  if (line > 0 && line < path_.size() && roots_[path_[line]].tangent->from_tile == tile) {
    const auto [leads_there, tiles] = table_->walk(roots_[path_[line - 1]].node, *roots_[path_[line]].tangent);
    entered_.insert(entered_.end(), tiles.begin(), tiles.end());
    return leads_there ? to_tile : tile;
  }
  const Vec2 direction = tangent(from, to);
  const bool leads_there = walk_line(table_->disc_tiles(), table_->gates(), touch(from, direction),
                                     touch(to, direction), tile, to_tile, entered_);
  return leads_there ? to_tile : tile;
}

/// Along the lines and around the circles.
void ShortestFinder::collect_tiles(ShortestWay& way) {
  const DiscTiles& tiles = table_->disc_tiles();
  entered_.assign(1, {start_tile_, none});
  Index tile = start_tile_;
  for (std::size_t i = 0; i <= path_.size(); ++i) {
    tile = collect_line(way, i, tile);
    if (i == path_.size()) break;
    // Around the circle, to where the next line leaves it.
    const Root& root = roots_[path_[i]];
    const bool is_last = i + 1 == path_.size();
    const TangentTable::Touch& departure = is_last ? by_goal_[best_seen_].touch : roots_[path_[i + 1]].arrival;
    const Index to_tile = is_last ? by_goal_[best_seen_].tile : roots_[path_[i + 1]].tangent->from_tile;
    if (table_->arc_between(root.node, root.arrival, departure) > 0 &&
        walk_circle(tiles, table_->corner_of(root.node), root.node % 2 == 1, tile, to_tile, entered_))
      tile = to_tile;
  }
  list_arcs(tiles.tiles(), entered_, way.arcs);
}

}  // namespace throng::routes
