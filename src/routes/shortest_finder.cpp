#include "routes/shortest_finder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/queries.hpp"

namespace throng::routes {

namespace {

/// Circles that each end sees which tell how far to look, and corners where they are looked for.
constexpr std::size_t telling_circles = 2;
constexpr std::size_t most_telling_corners = 8;
/// What a way may be longer than labels say: share of it, and radii. Where nothing is found, more.
constexpr double narrow_hope_share = 0.01, narrow_hope_radii = 4;
constexpr double wide_hope_share = 0.1, wide_hope_radii = 40;
/// Radii whose tables are kept.
constexpr std::size_t most_radii = 16;

}  // namespace

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

std::shared_ptr<const TangentTable> RouteGraph::tangents(double radius, bool with_labels) const {
  const std::shared_ptr<const CorridorTiles>& tiles = corridor_tiles();
  const std::shared_ptr<const CornerDistances> labels =
      with_labels ? corner_distances(radius) : std::shared_ptr<const CornerDistances>();
  const std::lock_guard lock(tangents_mutex_);
  // Those made before there were labels are of no use any more.
  if (with_labels)
    std::erase_if(tangents_, [&](const auto& t) { return t->radius() == radius && !t->labels().has_labels(); });
  const auto known =
      std::find_if(tangents_.begin(), tangents_.end(), [&](const auto& t) { return t->radius() == radius; });
  if (known != tangents_.end()) {
    std::rotate(known, known + 1, tangents_.end());
  } else {
    if (tangents_.size() == most_radii) tangents_.erase(tangents_.begin());
    tangents_.push_back(std::make_shared<const TangentTable>(
        tiles,
        labels ? labels
               : std::make_shared<const CornerDistances>(tiles, radius_class(radius_class_of(radius)),
                                                         CornerDistances::Labels::left_out),
        radius));
  }
  return tangents_.back();
}

ShortestFinder::ShortestFinder(std::shared_ptr<const RouteGraph> graph) : graph_(std::move(graph)) {
  start_.is_start = true;
  first_seen_.assign(2 * graph_->mesh().site_count(), none);
  way_out_.assign(graph_->mesh().edge_count(), 0);
}

/// Makes ready for discs of a radius.
void ShortestFinder::use(double radius) {
  const bool wants_labels = bound_ == GoalBound::labels;
  const bool is_ready = table_ && table_->radius() == radius && (table_->labels().has_labels() || !wants_labels);
  if (!is_ready) {
    table_ = graph_->tangents(radius, wants_labels);
    distances_ = table_->shared_labels();
    if (distances_->has_labels()) labels_.use(distances_, table_->disc_tiles().disc());
    first_root_.assign(table_->node_count(), none);
  }
}

void ShortestFinder::begin(const End& start, const End& goal, double radius, std::optional<double> most) {
  forget();  // what is left of a search that was given up
  use(radius);
  ++search_;
  begin(start_, start);
  begin(goal_, goal);
  best_ = most.value_or(unreachable);
  is_hopeful_ = !most && bound_ == GoalBound::labels;
  is_wide_ = false;
  hope_share_ = narrow_hope_share, hope_radii_ = narrow_hope_radii;
  best_root_ = best_seen_ = none;
  expansions_ = 0;
  const double straight = length(goal.place.point - start.place.point);
  is_straight_ = straight < best_ && slides(start_, goal.place, goal_.tile, none);
  if (is_straight_)
    best_ = straight;
  else
    begin_search();
}

SearchStatus ShortestFinder::advance(std::size_t budget) {
  if (is_straight_) return SearchStatus::found;
  for (;;) {
    while (!open_.empty() && open_.top().key < best_) {
      if (budget == 0) return SearchStatus::running;
      if (budget != any_number) --budget;
      const Index root = open_.pop().node;
      if (!open_.empty() && roots_[open_.top().node].node != none) table_->prefetch(roots_[open_.top().node].node);
      if (!roots_[root].useless && (roots_[root].seen == none || begin_at(root))) expand(root);
    }
    if (best_root_ != none) return SearchStatus::found;
    if (!is_hopeful_ || is_wide_ || best_ == unreachable) return SearchStatus::no_path;
    // Rarely labels mislead.
    forget();
    best_ = unreachable;
    is_wide_ = true;
    hope_share_ = wide_hope_share, hope_radii_ = wide_hope_radii;
    begin_with_all();
  }
}

void ShortestFinder::begin(Side& side, const End& end) {
  const CorridorTiles& tiles = table_->disc_tiles().tiles();
  side.end = end;
  side.tile = tiles.tile_at(end.cell, end.place.point, table_->disc_tiles().disc());
  side.point_tile = tiles.tile_at(end.cell, end.place.point, tangent_point_radius);
  distances_->sights().prefetch(side.point_tile);
  mark_way_out(side);
}

/// Whether the disc gets from an end to a place in a straight line. Where tiles do not tell the mesh does.
bool ShortestFinder::slides(const Side& from, const navmesh::Place& to, Index to_tile, Index touched) const {
  const auto& [place, cell] = from.end;
  const Walked walked = walk_free_line(table_->gates(), place.point, to.point, from.tile, to_tile, touched);
  if (walked != Walked::unclear) return walked == Walked::there;
  const navmesh::Mesh& mesh = graph_->mesh();
  const Vec2 nearest = navmesh::nearest_on(mesh.site(mesh.site_of(cell)), place.point);
  return navmesh::visible_from(mesh, {place, cell, length(place.point - nearest)}, to, table_->radius());
}

void ShortestFinder::begin_search() {
  glance(start_, goal_.end.place.point);
  glance(goal_, start_.end.place.point);
  if (!is_hopeful_) return begin_with_all();
  // A few circles tell how far to look at the others.
  const std::size_t at_start = take_telling(start_), at_goal = take_telling(goal_);
  tell_of_goal(0);
  for (const Seen& seen : start_.seen)
    hope_for(seen.length - seen.passing.share + labels_.least_to(seen.passing.turn, best_));
  const std::size_t told = goal_.seen.size();
  take(start_, at_start);
  take(goal_, at_goal);
  tell_of_goal(told);
  begin_within();
}

/// By all circles that the ends may see and a way within the limit can lead by.
void ShortestFinder::begin_with_all() {
  take(start_, 0);
  take(goal_, 0);
  tell_of_goal(0);
  begin_within();
}

/// There may be a way that is not much longer than a bound.
void ShortestFinder::hope_for(double bound) {
  if (is_hopeful_) best_ = std::min(best_, bound * (1 + hope_share_) + hope_radii_ * table_->disc_tiles().disc());
}

/// The corners that an end sees as a point, those in dead ends only where an end lies.
void ShortestFinder::glance(Side& side, Vec2 other) {
  const Vec2 point = side.end.place.point;
  const double both_radii = 2 * table_->disc_tiles().disc();  // the way touches a circle, a radius from the centre
  side.glimpses.clear();
  for (const auto in : {CornerSights::In::core, CornerSights::In::dead_ends}) {
    const bool in_dead_end = in == CornerSights::In::dead_ends;
    if (in_dead_end && !start_.is_in_dead_end && !goal_.is_in_dead_end) continue;
    distances_->sights().list(side.point_tile, point, in, in_sight_);
    for (const CornerSights::Seen* corner : in_sight_) {
      const double via = length(corner->centre - point) + length(other - corner->centre) - both_radii;
      if (via < best_) side.glimpses.push_back({corner, via, in_dead_end});
    }
  }
}

/// Notes the edges that lead out of the dead end that an end lies in, if it does.
void ShortestFinder::mark_way_out(Side& side) {
  const navmesh::Mesh& mesh = graph_->mesh();
  const CorridorTiles& tiles = table_->disc_tiles().tiles();
  const Index arc = tiles.is_arc(side.tile) ? side.tile : tiles.gates(side.tile)[0].tile;
  const navmesh::Edge& first = mesh.edge(mesh.arc(arc).edge);
  Index node = none;  // an end of the dead end's first edge, or where the tile is
  if (!tiles.is_arc(side.tile))
    node = tiles.gates(side.tile)[0].back == 0 ? mesh.arc(arc).to : mesh.arc(arc).from;
  else if (graph_->is_twig(mesh.arc(arc).edge))
    node = graph_->towards_core(first.from).edge == mesh.arc(arc).edge ? first.from : first.to;
  side.is_in_dead_end = false;
  if (node == none) return;
  for (Step step = graph_->towards_core(node); step.edge != none; step = graph_->towards_core(end_of(mesh, step))) {
    way_out_[step.edge] = search_;
    side.is_in_dead_end = true;
  }
}

/// Whether a corner borders on the way out of an end's dead end.
bool ShortestFinder::is_beside_way_out(Index corner) const {
  const navmesh::Mesh& mesh = graph_->mesh();
  const auto cells = mesh.cells_of(mesh.site(corner));
  return std::any_of(cells.begin(), cells.end(),
                     [&](Index cell) { return way_out_[mesh.arc(cell / 2).edge] == search_; });
}

/// Takes corners next to the straight line until there are enough circles to tell of; how many.
std::size_t ShortestFinder::take_telling(Side& side) {
  const std::size_t count = std::min(side.glimpses.size(), most_telling_corners);
  std::partial_sort(side.glimpses.begin(), side.glimpses.begin() + std::ptrdiff_t(count), side.glimpses.end());
  std::size_t taken = 0;
  while (taken < count && side.seen.size() < telling_circles) take(side, side.glimpses[taken++]);
  return taken;
}

/// Takes the corners after the first few that a way within the limit can lead by.
void ShortestFinder::take(Side& side, std::size_t first) {
  for (std::size_t i = first; i < side.glimpses.size(); ++i)
    if (side.glimpses[i].via < best_) take(side, side.glimpses[i]);
}

/// The circle around a corner, either way to turn around it, if a line from the end can touch it: with what labels need to know of it.
void ShortestFinder::take(Side& side, const Glimpse& glimpse) {
  const CornerSights::Seen& corner = *glimpse.corner;
  if (glimpse.in_dead_end && !is_beside_way_out(corner.site)) return;
  const Vec2 point = side.end.place.point;
  const double disc = table_->disc_tiles().disc();
  // Most lines touch the circle within the walls beside the corner: that can be told before they are drawn.
  const Vec2 to = corner.centre - point;
  const double square = squared_length(to);
  const double aside = std::sqrt(std::max(0.0, square - disc * disc)) * corner.along_middle(perpendicular(to));
  const double along = disc * corner.along_middle(to);
  for (const double radius : {-disc, disc}) {
    if ((radius > 0 ? -aside : aside) - along < double(corner.least_cosine) * square) continue;
    const Bend bend{corner.centre, radius};
    const Vec2 direction = tangent({point, 0}, bend);
    if (direction == Vec2{}) continue;
    const Vec2 outward = perpendicular(direction) * (radius > 0 ? -1 : 1);
    // From the goal it is walked the other way round.
    const Vec2 onward = side.is_start ? direction : -direction;
    const bool to_the_left = (radius > 0) == side.is_start;
    const double angle = geometry::arc_tangent(onward.y, onward.x);
    const CornerDistances::Passing passing = distances_->touching(corner.site, to_the_left, angle);
    if (passing.turn == none) continue;
    if (bound_ == GoalBound::labels) distances_->prefetch(side.is_start ? passing.turn ^ 1 : passing.turn);
    const Vec2 at = touch(bend, direction);
    side.seen.push_back({.touch = {angle, none},
                         .at = at,
                         .outward = outward,
                         .length = std::max(0.0, dot(direction, at - point)),
                         .passing = passing,
                         .corner = corner.site,
                         .to_the_left = to_the_left});
    ++expansions_;
  }
}

/// Tells hubs of what the goal sees, from a circle on.
void ShortestFinder::tell_of_goal(std::size_t from) {
  for (std::size_t i = from; i < goal_.seen.size(); ++i) {
    Seen& seen = goal_.seen[i];
    seen.next = std::exchange(first_seen_[2 * seen.corner + Index(seen.to_the_left)], Index(i));
    if (bound_ == GoalBound::labels) labels_.tell(seen.passing.turn, seen.length + seen.passing.share, best_);
  }
}

/// The circles that ways within the limit can begin at.
void ShortestFinder::begin_within() {
  for (Index s = 0; s < start_.seen.size(); ++s) {
    const Seen& seen = start_.seen[s];
    const double bound = bound_by(seen.length, seen.passing, graph_->mesh().site(seen.corner).a);
    hope_for(bound);
    if (bound >= best_) continue;
    open_.push({bound, seen.length, Index(roots_.size())});
    roots_.push_back({.arrival = seen.touch, .distance = seen.length, .seen = s});
  }
}

/// Finds where on its circle a line from an end arrives, once it matters; false where that is not free.
bool ShortestFinder::is_on_circle(Seen& seen) const {
  if (seen.tile != none || seen.sight == Sight::hidden) return seen.tile != none;
  const TangentTable::Spot spot = table_->spot_at(seen.corner, seen.outward);
  if (spot.cell == none) return seen.sight = Sight::hidden, false;
  seen.node = 2 * spot.stretch + Index(seen.to_the_left);
  seen.tile = spot.cell / 2;
  seen.touch.rank = spot.rank;
  seen.layer = navmesh::layer_at(graph_->mesh(), spot.cell, seen.at);
  return true;
}

/// Whether the disc gets there in a straight line, once that matters.
bool ShortestFinder::is_seen(const Side& side, Seen& seen) const {
  if (seen.sight == Sight::unknown)
    seen.sight = slides(side, {seen.at, seen.layer}, seen.tile, seen.corner) ? Sight::seen : Sight::hidden;
  return seen.sight == Sight::seen;
}

/// Begins a way at a circle that the start sees; false where it does not.
bool ShortestFinder::begin_at(Index number) {
  Root& root = roots_[number];
  Seen& seen = start_.seen[root.seen];
  if (!is_on_circle(seen) || !is_seen(start_, seen)) return false;
  root.arrival = seen.touch;
  root.node = seen.node;
  root.tile = seen.tile;
  if (is_beaten(root)) return false;
  add(number);
  return true;
}

void ShortestFinder::forget() {
  labels_.forget();
  for (const Root& root : roots_)
    if (root.node != none) first_root_[root.node] = none;
  for (const Seen& seen : goal_.seen) first_seen_[2 * seen.corner + Index(seen.to_the_left)] = none;
  roots_.clear();
  start_.seen.clear();
  goal_.seen.clear();
  open_.clear();
}

/// No way by a circle that is reached after a distance is shorter.
double ShortestFinder::bound_by(double distance, const CornerDistances::Passing& passing, Vec2 centre) {
  if (passing.turn == none) return unreachable;
  if (bound_ == GoalBound::labels)
    return distance + labels_.ahead_of(passing.turn, best_) - passing.share - labels_.error();
  const double ahead = throng::distance(centre, goal_.end.place.point) - table_->disc_tiles().disc();
  return distance + std::max(0.0, ahead) - tolerance::same;
}

void ShortestFinder::reach(const Root& root, const CornerDistances::Passing& passing, Vec2 centre) {
  const double bound = bound_by(root.distance, passing, centre);
  if (bound >= best_ || is_beaten(root)) return;
  const Index number = Index(roots_.size());
  roots_.push_back(root);
  open_.push({bound, root.distance, number});
  add(number);
}

/// Whether another root reaches the same circle as well or better; those that this one beats are useless from now on.
bool ShortestFinder::is_beaten(const Root& root) {
  for (Index r = first_root_[root.node]; r != none; r = roots_[r].next) {
    Root& known = roots_[r];
    if (known.distance <= root.distance + tolerance::same) {
      const double arc = table_->arc_between(root.node, known.arrival, root.arrival);
      if (known.distance + arc <= root.distance + tolerance::same) return true;
    } else {
      const double arc = table_->arc_between(root.node, root.arrival, known.arrival);
      if (root.distance + arc <= known.distance) known.useless = true;
    }
  }
  return false;
}

void ShortestFinder::add(Index number) {
  Root& root = roots_[number];
  root.next = std::exchange(first_root_[root.node], number);
  try_goal(number);
}

void ShortestFinder::try_goal(Index number) {
  const Root& root = roots_[number];
  const Index sense = 2 * table_->corner_of(root.node) + root.node % 2;
  for (Index s = first_seen_[sense]; s != none; s = goal_.seen[s].next) {
    Seen& seen = goal_.seen[s];
    if (root.distance + seen.length >= best_ || !is_on_circle(seen) || seen.node != root.node) continue;
    const double arc = table_->arc_between(root.node, root.arrival, seen.touch);
    const double length = root.distance + arc + seen.length;
    if (length < best_ && is_seen(goal_, seen)) best_ = length, best_root_ = number, best_seen_ = s;
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
    if (!(left > 0) || squared_length(goal_.end.place.point - tangent.centre) >= left * left) continue;
    __builtin_prefetch(&first_root_[tangent.to]);
    if (tangent.turn == none) continue;
    children_.push_back({&tangent, distance});
    if (bound_ == GoalBound::labels && !labels_.knows(tangent.turn)) distances_->prefetch(tangent.turn ^ 1);
  }
  for (const auto& [tangent, distance] : children_)
    reach({{tangent->angle, tangent->to_rank}, distance, tangent->to, tangent->to_tile, tangent, number},
          {tangent->turn, tangent->share}, tangent->centre);
}

void ShortestFinder::collect(ShortestWay& way) {
  way.length = best_;
  way.bends.assign(1, {goal_.end.place.point, 0});
  path_.clear();
  if (!is_straight_)
    for (Index r = best_root_; r != none; r = roots_[r].parent) path_.push_back(r);
  for (const Index r : path_) way.bends.push_back(table_->bend_of(roots_[r].node));
  way.bends.push_back({start_.end.place.point, 0});
  std::reverse(way.bends.begin(), way.bends.end());
  std::reverse(path_.begin(), path_.end());
  collect_tiles(way);
}

/// Along the line to a bend of the way, from a tile on; returns the one it ends in. Between circles it is known from before.
Index ShortestFinder::collect_line(const ShortestWay& way, std::size_t line, Index tile) {
  const Bend& from = way.bends[line];
  const Bend& to = way.bends[line + 1];
  const Index to_tile = line < path_.size() ? roots_[path_[line]].tile : goal_.tile;
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
  entered_.assign(1, {start_.tile, none});
  Index tile = start_.tile;
  for (std::size_t i = 0; i <= path_.size(); ++i) {
    tile = collect_line(way, i, tile);
    if (i == path_.size()) break;
    // Around the circle, to where the next line leaves it.
    const Root& root = roots_[path_[i]];
    const bool is_last = i + 1 == path_.size();
    const TangentTable::Touch& departure = is_last ? goal_.seen[best_seen_].touch : roots_[path_[i + 1]].arrival;
    const Index to_tile = is_last ? goal_.seen[best_seen_].tile : roots_[path_[i + 1]].tangent->from_tile;
    if (table_->arc_between(root.node, root.arrival, departure) > 0 &&
        walk_circle(tiles, table_->corner_of(root.node), root.node % 2 == 1, tile, to_tile, entered_))
      tile = to_tile;
  }
  list_arcs(tiles.tiles(), entered_, way.arcs);
}

}  // namespace throng::routes
