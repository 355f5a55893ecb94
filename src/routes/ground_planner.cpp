#include "routes/ground_planner.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/visibility.hpp"
#include "routes/ground_bound.hpp"
#include "routes/ground_route.hpp"
#include "routes/ground_walk.hpp"

namespace throng::routes {

namespace {

/// How often a cell is halved before spm is asked.
constexpr int most_halvings = 3;
/// How many times as dear as any other ground a metre is that leads off ground which is left out: as good as the shortest way off it.
constexpr double leaving_factor = 1e5;
/// Bounds of a weight, as in scenarios.
constexpr double least_weight = 1e-3, most_weight = 1e6;

}  // namespace

std::string_view reason_of(GroundVerdict verdict) {
  switch (verdict) {
    case GroundVerdict::found: return routes::reason_of(NoRoute::found);
    case GroundVerdict::bad_query: return routes::reason_of(NoRoute::bad_query);
    case GroundVerdict::start_blocked: return routes::reason_of(NoRoute::start_blocked);
    case GroundVerdict::goal_blocked: return routes::reason_of(NoRoute::goal_blocked);
    case GroundVerdict::not_connected: return routes::reason_of(NoRoute::not_connected);
    case GroundVerdict::too_narrow: return routes::reason_of(NoRoute::too_narrow);
    case GroundVerdict::forbidden_ground: return routes::reason_of(NoRoute::forbidden_ground);
    case GroundVerdict::not_as_told: return routes::reason_of(NoRoute::not_as_told);
    case GroundVerdict::too_many_cells: return "the grid would have more than 100 million cells";
    case GroundVerdict::too_crowded: return "the ground is too crowded to be triangulated";
  }
  return "";
}

GroundVerdict verdict_of(NoRoute reason) {
  switch (reason) {
    case NoRoute::found: return GroundVerdict::found;
    case NoRoute::bad_query: return GroundVerdict::bad_query;
    case NoRoute::start_blocked: return GroundVerdict::start_blocked;
    case NoRoute::goal_blocked: return GroundVerdict::goal_blocked;
    case NoRoute::not_connected: return GroundVerdict::not_connected;
    case NoRoute::too_narrow: return GroundVerdict::too_narrow;
    case NoRoute::forbidden_ground: return GroundVerdict::forbidden_ground;
    case NoRoute::not_as_told: return GroundVerdict::not_as_told;
    case NoRoute::too_long: break;  // only where a search has a limit, and here none has
  }
  return GroundVerdict::bad_query;
}

GroundPlanner::GroundPlanner(std::shared_ptr<const GroundAtlas> atlas) : atlas_(std::move(atlas)) {}
GroundPlanner::~GroundPlanner() = default;

namespace {

double most_weight_of(const GroundRow& row) { return *std::max_element(row.weight.begin(), row.weight.end()); }

bool leaves_anything_out(const GroundRow& row) {
  return std::find(row.never.begin(), row.never.end(), true) != row.never.end();
}

/// Of a row of weights, three a kind where the world slopes; what is left out of the search may weigh anything.
bool is_valid_row(const GroundRow& row, const ground::GroundKinds& kinds) {
  const std::size_t count = kinds.size();
  if (row.weight.size() != kinds.row_size() || (!row.never.empty() && row.never.size() != count)) return false;
  for (std::size_t i = 0; i < row.weight.size(); ++i)
    if (!(row.weight[i] >= least_weight && row.weight[i] <= most_weight)) return false;
  for (std::size_t k = 0; k < count && kinds.slopes(); ++k)  // or zigzags would pay
    if (row.weight[count + k] + row.weight[2 * count + k] < 2 * row.weight[k] * (1 - 1e-12)) return false;
  return true;
}

}  // namespace

bool GroundPlanner::is_valid(const GroundQuery& query, const ground::GroundKinds& kinds) {
  const auto finite = [](Vec2 p) { return std::isfinite(p.x) && std::isfinite(p.y); };
  return finite(query.from.point) && finite(query.to.point) && query.radius >= 0 && std::isfinite(query.radius) &&
         query.adjust >= 0 && is_valid_row(query.row, kinds) && query.numbers.eps > 0 && query.numbers.eps <= 0.5 &&
         query.numbers.cell > 0;
}

GroundVerdict GroundPlanner::prepare(const GroundQuery& query) {
  if (!is_valid(query, atlas_->regions().kinds())) return GroundVerdict::bad_query;
  const GroundNumbers& numbers = query.numbers;
  Result<GroundSheetPtr> sheet = atlas_->sheet(query.radius, numbers.body);
  if (!sheet.ok()) return GroundVerdict::too_crowded;
  const bool same_ground = sheet_ == *sheet && query_.row == query.row;
  if (sheet_ != *sheet) graded_.reset(), grid_.reset(), pruned_.reset();
  sheet_ = std::move(sheet).value();
  if (!same_ground || !costs_) {
    costs_.emplace(sheet_->surface, query.row.weight, query.row.never);
    graded_.reset(), grid_.reset(), landmarks_.reset();
  }
  if (query.landmarks && !landmarks_ && numbers.method == GroundMethod::weighted && !costs_->directed())
    landmarks_ = atlas_->landmarks(sheet_, query.row, *costs_);
  query_ = query;
  const SteinerPlacement placement{numbers.points, numbers.eps};
  if (graded_ && !(graded_placement_ == placement)) graded_.reset();
  if (numbers.method == GroundMethod::spm) search_all_points();
  if (numbers.method == GroundMethod::vbp || numbers.method == GroundMethod::grid) {
    if (!grid_ || grid_cell_ != numbers.cell || grid_nodes_ != numbers.nodes || halvings_ > 0) {
      Result<GroundGrid> grid = GroundGrid::make(sheet_->surface, *costs_, numbers.cell, numbers.nodes);
      if (!grid.ok())
        return sheet_->surface.triangles().empty() ? GroundVerdict::not_connected : GroundVerdict::too_many_cells;
      grid_.emplace(std::move(grid).value());
      grid_cell_ = numbers.cell, grid_nodes_ = numbers.nodes, halvings_ = 0;
    }
  }
  return GroundVerdict::found;
}

/// Makes the points of spm, where they are not there, and makes them those that are searched.
void GroundPlanner::search_all_points() {
  if (!graded_) {
    graded_placement_ = {query_.numbers.points, query_.numbers.eps};
    graded_.emplace(sheet_->surface, &*costs_, graded_placement_);
  }
  kept_.clear();
  points_ = &*graded_;
}

/// The place on the surface, and where the route begins: where the body stands, if it has room there, else on the surface.
std::optional<ground::Surface::Located> GroundPlanner::located(const navmesh::Place& place, navmesh::Place& end) const {
  const auto found = sheet_->surface.locate(place, query_.adjust);
  if (!found) return {};
  const navmesh::Place moved{found->point, sheet_->surface.triangles()[found->triangle].layer};
  end = moved;
  if (distance(found->point, place.point) == 0) return found;
  const navmesh::Located here = navmesh::locate(atlas_->mesh(), place);
  if (here.cell == none) return found;                                // in an obstacle: the nearest ground of all
  if (!navmesh::visible(atlas_->mesh(), place, moved, 0)) return {};  // never through a wall
  if (here.clearance >= query_.radius) end = place;
  return found;
}

GroundVerdict GroundPlanner::begin(const GroundQuery& query) {
  stage_ = Stage::done;
  leaving_.reset();
  explored_ = 0;
  grid_way_.clear(), kept_.clear();
  if (const GroundVerdict verdict = prepare(query); verdict != GroundVerdict::found) return verdict;
  const auto from = located(query.from, start_), to = located(query.to, goal_);
  if (!from || !to) {  // too near to obstacles for the surface, which the mesh knows exactly
    stage_ = Stage::along_axis;
    return GroundVerdict::found;
  }
  if (from->point != query.from.point || to->point != query.to.point) {
    // Ends that were moved: whether they may be is the planner's to say.
    if (!planner_) planner_ = std::make_unique<Planner>(atlas_->graph());
    const NoRoute reason = planner_->begin({query.from, query.to, query.radius, query.clearance, {}, query.adjust});
    if (reason != NoRoute::found) return verdict_of(reason);
  }
  from_ = *from, to_ = *to;
  if (!costs_->open(to_.triangle)) return GroundVerdict::forbidden_ground;
  if (!costs_->open(from_.triangle)) {
    begin_leaving();
    return GroundVerdict::found;
  }
  switch (query.numbers.method) {
    case GroundMethod::weighted:
      points_ = &sheet_->rough;
      if (!leaves_anything_out(query.row) && !costs_->directed() && costs_->least() == costs_->most())
        stage_ = Stage::along_axis;
      else
        begin_search();
      break;
    case GroundMethod::spm: begin_search(); break;
    case GroundMethod::vbp:
    case GroundMethod::grid: grid_->begin(from_, to_); stage_ = Stage::grid;
  }
  return GroundVerdict::found;
}

void GroundPlanner::begin_search() {
  const bool rough = points_ == &sheet_->rough;
  search_.begin(*points_, searched_costs(), from_, to_,
                {kept_.empty() ? nullptr : &kept_, rough && query_.landmarks ? landmarks_.get() : nullptr});
  stage_ = Stage::search;
}

/// By the rough points, whatever the method.
void GroundPlanner::begin_leaving() {
  GroundRow row = query_.row;
  const std::size_t kinds = row.never.size();
  for (std::size_t i = 0; i < row.weight.size(); ++i)
    if (row.never[i % kinds]) row.weight[i] = leaving_factor * most_weight_of(query_.row);
  leaving_.emplace(sheet_->surface, row.weight);
  points_ = &sheet_->rough;
  landmarks_.reset();
  begin_search();
}

/// Whether ground that is left out is walked on at the beginning only.
bool GroundPlanner::only_leaves(const std::vector<GroundPath::Leg>& legs) const {
  bool left = false;
  for (const GroundPath::Leg& leg : legs) {
    const bool open = weight_of(*costs_, leg.via) < unreachable;
    if (left && !open && distance(leg.from, leg.to) > tolerance::distinct) return false;
    left = left || open;
  }
  return true;
}

bool GroundPlanner::is_on_left_out(const Route& route) {
  std::vector<double> metres(atlas_->regions().kinds().size(), 0);
  const double felt = query_.numbers.body ? query_.radius : 0;
  (void)weigh_route(atlas_->regions(), route, felt, query_.row.weight.data(), scratch_, metres);
  for (std::size_t k = 0; k < metres.size(); ++k)
    if (query_.row.never[k] && metres[k] > tolerance::distinct) return true;
  return false;
}

void GroundPlanner::after_grid(SearchStatus status) {
  explored_ += grid_->expansions();
  if (status == SearchStatus::found) {
    grid_way_ = grid_->way();
    grid_cost_ = grid_->cost();
    if (query_.numbers.method == GroundMethod::grid) {
      stage_ = Stage::done;
      return;
    }
    kept_ = kept_edges(sheet_->surface, *costs_, from_, grid_way_, query_.numbers.prune);
    pruned_.emplace(sheet_->surface, &*costs_, SteinerPlacement{query_.numbers.points, query_.numbers.eps}, kept_);
    points_ = &*pruned_;
    return begin_search();
  }
  // A coarse grid closes gaps.
  while (halvings_ < most_halvings) {
    ++halvings_;
    Result<GroundGrid> finer =
        GroundGrid::make(sheet_->surface, *costs_, query_.numbers.cell / double(1 << halvings_), query_.numbers.nodes);
    if (!finer.ok()) break;
    grid_.emplace(std::move(finer).value());
    return grid_->begin(from_, to_);
  }
  search_all_points();
  begin_search();
}

SearchStatus GroundPlanner::advance(std::size_t budget) {
  while (true) {
    if (stage_ == Stage::grid) {
      const std::size_t before = grid_->expansions();
      const SearchStatus status = grid_->advance(budget);
      budget -= std::min(budget, grid_->expansions() - before);
      if (status == SearchStatus::running) return status;
      after_grid(status);
    } else if (stage_ == Stage::search) {
      const SearchStatus status = search_.advance(budget);
      if (status == SearchStatus::running) return status;
      explored_ += search_.expansions();
      if (status == SearchStatus::found) return status;
      // Pruned too much, or nothing that the surface knows of.
      if (!kept_.empty()) {
        search_all_points();
        begin_search();
        continue;
      }
      stage_ = Stage::along_axis;
    } else {
      return SearchStatus::found;
    }
  }
}

GroundPath GroundPlanner::path_found() {
  search_.path(nodes_, vias_);
  return GroundPath(*points_, searched_costs(), from_.point, to_.point, nodes_, vias_);
}

void GroundPlanner::plan_along_axis(GroundAnswer& answer, RouteMethod method) {
  if (!planner_) planner_ = std::make_unique<Planner>(atlas_->graph());
  RouteQuery query{query_.from, query_.to, query_.radius, query_.clearance, method, query_.adjust};
  answer.verdict = verdict_of(planner_->plan(query, answer.route));
  answer.explored += planner_->expansions();
  if (answer.verdict == GroundVerdict::found && leaves_anything_out(query_.row) && is_on_left_out(answer.route))
    answer.verdict = GroundVerdict::forbidden_ground;
}

void GroundPlanner::write_path(GroundAnswer& answer) {
  GroundPath path = path_found();
  answer.searched_cost = search_.cost();
  path.tighten();
  answer.legs = path.legs();
}

void GroundPlanner::write_grid_way(GroundAnswer& answer) {
  answer.searched_cost = grid_cost_;
  StraightWalk walk;
  Located at = from_;
  for (std::size_t i = 1; i < grid_way_.size(); ++i) {
    const auto end = walk_straight(sheet_->surface, *costs_, at, grid_way_[i], &walk);
    if (!end) break;
    at = *end;
  }
  answer.legs = std::move(walk.pieces);
}

void GroundPlanner::prove(GroundAnswer& answer) {
  if (answer.cost == 0) {  // who is there already
    answer.bound = 1;
    return;
  }
  const double eps = query_.numbers.eps;
  LowerBound lower = lower_bound(sheet_->surface, *costs_, from_, to_, answer.cost / (1 + eps));
  answer.explored += lower.explored;
  answer.bound = lower.cost > 0 ? std::optional(std::max(1.0, answer.cost / lower.cost)) : std::nullopt;
}

double GroundPlanner::on_surface(const std::vector<GroundPath::Leg>& legs) const {
  const std::optional<ground::GroundCosts> all =
      leaving_ ? std::optional(ground::GroundCosts(sheet_->surface, query_.row.weight)) : std::nullopt;
  double sum = 0;
  for (const GroundPath::Leg& leg : legs) sum += cost_of(all ? *all : *costs_, leg.via, leg.to - leg.from);
  return sum;
}

/// Where weights hardly differ, a rough search may take a class of ways that is a little dearer than that of the `short` route. Where the dearest
/// ground is within 1 + eps of the cheapest, no way is cheaper by more than that than the shortest one.
void GroundPlanner::take_short_if_cheaper(GroundAnswer& answer, double felt) {
  if (leaves_anything_out(query_.row)) return;
  if (!planner_) planner_ = std::make_unique<Planner>(atlas_->graph());
  const bool hardly_differ = costs_->most() <= costs_->least() * (1 + query_.numbers.eps);
  const RouteQuery query{query_.from,
                         query_.to,
                         query_.radius,
                         query_.clearance,
                         hardly_differ ? RouteMethod::shortest : RouteMethod::shortest_in_corridor,
                         query_.adjust};
  Route route;
  if (planner_->plan(query, route) != NoRoute::found) return;
  const double* weights = query_.row.weight.data();
  if (costs_->least() * route.length >= on_surface(answer.legs)) return;
  if (weigh_route(atlas_->regions(), route, felt, weights, scratch_) <
      weigh_route(atlas_->regions(), answer.route, felt, weights, scratch_) * (1 - 1e-9))
    answer.route = std::move(route), answer.legs.clear();
}

GroundAnswer GroundPlanner::finish() {
  GroundAnswer answer;
  answer.explored = explored_;
  answer.grid_way = grid_way_;
  const GroundNumbers& numbers = query_.numbers;
  const double felt = numbers.body ? query_.radius : 0;
  if (stage_ == Stage::search) write_path(answer);
  if (leaving_ && !only_leaves(answer.legs)) {
    answer.verdict = GroundVerdict::forbidden_ground;
    return answer;
  }
  if (stage_ == Stage::done) write_grid_way(answer);
  GroundRouteWriter writer(atlas_->mesh(), sheet_->surface, atlas_->regions());
  const GroundRouteWriter::Task task{answer.legs,
                                     start_,
                                     goal_,
                                     query_.radius,
                                     query_.clearance,
                                     felt,
                                     query_.row.weight.data(),
                                     on_surface(answer.legs)};
  const bool even = stage_ == Stage::along_axis && numbers.method == GroundMethod::weighted && !costs_->directed() &&
                    costs_->least() == costs_->most();
  if (answer.legs.empty() || !writer.write(task, answer.route)) {
    answer.legs.clear();
    plan_along_axis(answer, even ? RouteMethod::shortest : RouteMethod::shortest_in_corridor);
    if (answer.verdict != GroundVerdict::found) return answer;
  }
  if (numbers.method == GroundMethod::weighted && !answer.legs.empty()) take_short_if_cheaper(answer, felt);
  answer.metres.assign(atlas_->regions().types().size(), 0);
  answer.cost = weigh_route(atlas_->regions(), answer.route, felt, query_.row.weight.data(), scratch_, answer.metres);
  answer.route.cost = answer.cost;
  if (numbers.prove && !leaving_) prove(answer);
  return answer;
}

GroundAnswer GroundPlanner::plan(const GroundQuery& query) {
  if (const GroundVerdict verdict = begin(query); verdict != GroundVerdict::found) {
    GroundAnswer answer;
    answer.verdict = verdict;
    return answer;
  }
  while (advance(~std::size_t{0}) == SearchStatus::running) {
  }
  return finish();
}

}  // namespace throng::routes
