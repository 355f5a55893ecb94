#include "crowd/detour_search.hpp"

#include <algorithm>
#include <cmath>

namespace throng::crowd {

using fields::Square;
using navmesh::Place;
using navmesh::Standpoint;
using routes::Terminal;

namespace {

constexpr double side = fields::square_side;
const double diagonal = std::sqrt(2.0);
/// Straight ways may cost so much more than steps by rounding.
constexpr double rounding = 1e-9;
/// Points in a row that may be hidden before one stops looking for one that is not.
constexpr int hidden_in_a_row = 12;
/// Straight ways keep off squares that are denser than this part of what blocks.
constexpr double tight_part = 0.75;

Place middle(const Square& square) { return {fields::middle_of(square, side), square.layer}; }

}  // namespace

struct DetourSearch::Graph {
  DetourSearch& search;
  [[nodiscard]] std::size_t node_count() const {
    return most_layers * std::size_t(search.across_) * std::size_t(search.across_);
  }
  template <class Visit>
  void for_each_neighbour(Index node, const Visit& visit) const {
    search.visit_neighbours(node, visit);
  }
};

void DetourSearch::begin(const Question& question) {
  question_ = question;
  radius_ = std::min(question.radius, question.from.clearance);
  const auto half = std::int32_t(std::ceil(question.reach / side));
  const Square start = fields::square_at(question.from.place, side);
  first_column_ = start.column - half, first_row_ = start.row - half, across_ = 2 * half + 1;
  layers_[0] = question.from.place.layer, layer_count_ = 1;
  least_weight_ = 1;
  if (question.regions != nullptr && !question.weights.empty())
    least_weight_ = *std::ranges::min_element(question.weights);
  const std::size_t nodes = Graph{*this}.node_count();
  if (cells_.size() < nodes) cells_.resize(nodes);
  if (++run_ == 0) std::ranges::fill(cells_, Cell{}), run_ = 1;
  expansions_ = 0;
  starts_ = beside(question.from.place, &question_.from);
}

std::optional<std::size_t> DetourSearch::layer_slot(Index layer) {
  for (std::size_t i = 0; i < layer_count_; ++i)
    if (layers_[i] == layer) return i;
  if (layer_count_ == most_layers) return std::nullopt;
  layers_[layer_count_] = layer;
  return layer_count_++;
}

std::optional<Index> DetourSearch::node_of(const Square& square) {
  const std::int32_t column = square.column - first_column_, row = square.row - first_row_;
  if (column < 0 || row < 0 || column >= across_ || row >= across_) return std::nullopt;
  const auto slot = layer_slot(square.layer);
  if (!slot) return std::nullopt;
  const auto wide = std::size_t(across_);
  return Index((*slot * wide + std::size_t(row)) * wide + std::size_t(column));
}

Square DetourSearch::square_of(Index node) const {
  const auto wide = std::size_t(across_);
  return {first_column_ + std::int32_t(node % wide), first_row_ + std::int32_t(node / wide % wide),
          layers_[node / (wide * wide)]};
}

double DetourSearch::weight_at(const Place& place, Index cell) {
  if (question_.regions == nullptr) return 1;
  (void)cell;
  return question_.weights[question_.regions->type_at(place, scratch_)];
}

DetourSearch::Cell& DetourSearch::cell_of(Index node, Index hint) {
  Cell& cell = cells_[node];
  if (cell.run == run_) return cell;
  cell = {.run = run_, .known = Known::taken};
  const Square square = square_of(node);
  const Place place = middle(square);
  const navmesh::Located at = navmesh::locate_from(*question_.mesh, hint, place);
  if (!at || at.clearance < radius_) return cell;
  cell.weight = weight_at(place, at.cell);
  if (!(cell.weight < routes::unreachable)) return cell;
  cell.known = Known::free;
  cell.cell = at.cell, cell.clearance = at.clearance;
  cell.seen = question_.sight->at(square, distance(place.point, question_.from.place.point));
  return cell;
}

double DetourSearch::cost_of(const Cell& cell, Vec2 direction) const {
  const double a_metre = cell.weight + question_.sight->numbers().scale * cell.seen.density;
  return question_.sight->is_blocked(cell.seen, direction) ? blocked_factor * a_metre : a_metre;
}

/// No point of a line has less clearance than its ends' less how far it is from them.
bool DetourSearch::is_clear(const Place& from, const Cell& a, const Place& to, const Cell& b) const {
  const double apart = distance(from.point, to.point);
  if (from.layer == to.layer && a.clearance + b.clearance >= 2 * radius_ + apart && a.clearance > apart) return true;
  return navmesh::visible_from(*question_.mesh, {from, a.cell, a.clearance}, to, radius_);
}

template <class Visit>
void DetourSearch::visit_neighbours(Index node, const Visit& visit) {
  const Square here = square_of(node);
  const Cell& from = cell_of(node, question_.from.cell);
  const Place at = middle(here);
  const bool one_layer = question_.mesh->layers.size() == 1;
  const auto neighbour = [&](std::int32_t dx, std::int32_t dy) -> std::optional<Index> {
    Square next{here.column + dx, here.row + dy, here.layer};
    if (!one_layer) {
      // A line over a connection ends on the layer behind it.
      const navmesh::Hit hit = navmesh::first_hit(*question_.mesh, at, middle(next).point, from.cell);
      if (hit.blocked || hit.cell == none) return std::nullopt;
      next.layer = hit.layer;
    }
    const std::optional<Index> other = node_of(next);
    if (!other || cell_of(*other, from.cell).known != Known::free) return std::nullopt;
    return other;
  };
  const std::array<std::pair<int, int>, 4> straight{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  std::array<bool, 4> free{};
  const auto go = [&](Index other, Vec2 direction, double length) {
    const Cell& to = cells_[other];
    if (!is_clear(at, from, middle(square_of(other)), to)) return false;
    visit(other, length * (cost_of(from, direction) + cost_of(to, direction)) / 2, none);
    return true;
  };
  for (std::size_t i = 0; i < straight.size(); ++i) {
    const auto [dx, dy] = straight[i];
    if (const std::optional<Index> other = neighbour(dx, dy)) free[i] = go(*other, {double(dx), double(dy)}, side);
  }
  for (std::size_t i = 0; i < straight.size(); ++i) {
    const std::size_t next = (i + 1) % straight.size();
    if (!free[i] || !free[next]) continue;
    const int dx = straight[i].first + straight[next].first, dy = straight[i].second + straight[next].second;
    if (const std::optional<Index> other = neighbour(dx, dy))
      (void)go(*other, Vec2{double(dx), double(dy)} / diagonal, side * diagonal);
  }
}

/// Free squares around a place whose middles can be walked to straight.
std::vector<Terminal> DetourSearch::beside(const Place& place, const Standpoint* standing) {
  std::vector<Terminal> found;
  Standpoint from{place, none, 0};
  if (standing != nullptr) {
    from = *standing;
  } else {
    const navmesh::Located at = navmesh::locate(*question_.mesh, place);
    if (!at) return found;
    from.cell = at.cell, from.clearance = at.clearance;
  }
  const Square own = fields::square_at(place, side);
  for (std::int32_t dy = -1; dy <= 1; ++dy)
    for (std::int32_t dx = -1; dx <= 1; ++dx) {
      const std::optional<Index> node = node_of({own.column + dx, own.row + dy, own.layer});
      if (!node) continue;
      const Cell& cell = cell_of(*node, from.cell);
      const Place there = middle(square_of(*node));
      if (cell.known != Known::free ||
          !navmesh::visible_from(*question_.mesh, from, there, std::min(radius_, from.clearance)))
        continue;
      const Vec2 way = there.point - place.point;
      const double far = std::sqrt(squared_length(way));
      found.push_back({*node, far > 0 ? far * cost_of(cell, way / far) : 0});
    }
  return found;
}

bool DetourSearch::find(const Place& goal, std::size_t budget) {
  expansions_ += search_.expansions();
  const std::vector<Terminal> ends = beside(goal, nullptr);
  search_.begin(Graph{*this}.node_count(), starts_, ends);
  if (ends.empty() || starts_.empty()) return false;
  const auto ahead = [&](Index node) {
    return std::max(0.0, distance(middle(square_of(node)).point, goal.point) - side * diagonal) * least_weight_;
  };
  return search_.advance(Graph{*this}, ahead, 1, budget) == routes::SearchStatus::found;
}

void DetourSearch::spread(double most, std::size_t budget) {
  expansions_ += search_.expansions();
  search_.begin(Graph{*this}.node_count(), starts_, {}, most);
  (void)search_.advance(
      Graph{*this}, [](Index) { return 0.0; }, 1, budget);
}

double DetourSearch::cost_to(const Place& place) {
  double least = routes::unreachable;
  for (const Terminal& end : beside(place, nullptr)) least = std::min(least, search_.cost_to(end.node) + end.cost);
  return least;
}

bool DetourSearch::collect(const Place& place, std::vector<Place>& points) {
  double least = routes::unreachable;
  Index last = none;
  for (const Terminal& end : beside(place, nullptr))
    if (const double cost = search_.cost_to(end.node) + end.cost; cost < least) least = cost, last = end.node;
  points.clear();
  if (last == none) return false;
  points.push_back(place);
  for (Index node = last; node != none; node = search_.parent(node)) points.push_back(middle(square_of(node)));
  points.push_back(question_.from.place);
  std::ranges::reverse(points);
  return true;
}

DetourSearch::Line DetourSearch::along(const Place& from, const Place& to, double ahead) {
  Line line;
  const Vec2 way = to.point - from.point;
  const double length = std::sqrt(squared_length(way));
  if (!(length > 0)) return line;
  const Vec2 direction = way / length;
  const double a_metre = question_.sight->numbers().scale;
  fields::for_each_square_under(from.point, to.point, from.layer, side, [&](Square square, double begin, double end) {
    JamSight::Seen seen = question_.sight->at(square, ahead + begin);
    if (to.layer != from.layer) {
      // Over a connection: on which of both layers a square is does not matter, nobody is on the other there.
      square.layer = to.layer;
      const JamSight::Seen other = question_.sight->at(square, ahead + begin);
      if (other.density > seen.density) seen = other;
    }
    const double weight =
        question_.regions == nullptr ? 1 : weight_at({from.point + direction * ((begin + end) / 2), from.layer}, none);
    const bool is_blocked = question_.sight->is_blocked(seen, direction);
    const double cost = (end - begin) * (weight + a_metre * seen.density);
    line.cost += is_blocked ? blocked_factor * cost : cost;
    if (is_blocked) line.blocked += end - begin;
    return false;
  });
  return line;
}

DetourSearch::Line DetourSearch::along(std::span<const Place> points) {
  Line all;
  double ahead = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Line line = along(points[i], points[i + 1], ahead);
    all.cost += line.cost, all.blocked += line.blocked;
    ahead += distance(points[i].point, points[i + 1].point);
  }
  return all;
}

bool DetourSearch::can_walk(const Place& from, const Place& to) const {
  const navmesh::Located at = navmesh::locate(*question_.mesh, from);
  return at &&
         navmesh::visible_from(*question_.mesh, {from, at.cell, at.clearance}, to, std::min(radius_, at.clearance));
}

void DetourSearch::straighten(std::vector<Place>& points) {
  if (points.size() < 3) return;
  std::vector<double> before(points.size(), 0), cost(points.size(), 0);
  for (std::size_t i = 1; i < points.size(); ++i) {
    before[i] = before[i - 1] + distance(points[i - 1].point, points[i].point);
    cost[i] = cost[i - 1] + along(points[i - 1], points[i], before[i - 1]).cost;
  }
  // As tight as the string goes without coming near what blocks.
  const auto is_off_jams = [&](const Place& from, const Place& to, double ahead) {
    const Vec2 direction = (to.point - from.point) / std::max(1e-9, distance(from.point, to.point));
    return from.layer == to.layer && question_.regions == nullptr &&
           !fields::for_each_square_under(from.point, to.point, from.layer, side,
                                          [&](const Square& square, double begin, double) {
                                            JamSight::Seen seen = question_.sight->at(square, ahead + begin);
                                            seen.density /= tight_part;
                                            return question_.sight->is_blocked(seen, direction);
                                          });
  };
  std::vector<Place> straight{points.front()};
  for (std::size_t i = 0; i + 1 < points.size();) {
    std::size_t next = i + 1;
    int hidden = 0;
    for (std::size_t j = i + 2; j < points.size() && hidden < hidden_in_a_row; ++j) {
      const bool is_better = can_walk(points[i], points[j]) &&
                             (is_off_jams(points[i], points[j], before[i]) ||
                              along(points[i], points[j], before[i]).cost <= (cost[j] - cost[i]) * (1 + rounding));
      hidden = is_better ? 0 : hidden + 1;
      if (is_better) next = j;
    }
    straight.push_back(points[next]);
    i = next;
  }
  points = std::move(straight);
}

}  // namespace throng::crowd
