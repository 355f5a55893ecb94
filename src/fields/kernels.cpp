#include "fields/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

#include "geometry/elementary.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/visibility.hpp"

namespace throng::fields {

namespace {

using navmesh::Place;

/// Squares from the centre to the rim of the circle.
constexpr auto reach = std::int32_t(kernel_reach / square_side + 1e-9);

bool is_in_circle(std::int32_t dx, std::int32_t dy) { return dx * dx + dy * dy <= reach * reach; }

double weight_at(std::int32_t dx, std::int32_t dy) {
  const double square = square_side * square_side * double(dx * dx + dy * dy);
  return geometry::exponential(-square / (kernel_radius * kernel_radius));
}

/// All of the circle around (0, 0), in ascending order.
std::vector<Share> whole_circle() {
  std::vector<Share> shares;
  for (std::int32_t dx = -reach; dx <= reach; ++dx)
    for (std::int32_t dy = -reach; dy <= reach; ++dy)
      if (is_in_circle(dx, dy)) shares.push_back({{dx, dy, 0}, 0});
  return shares;
}

}  // namespace

std::vector<std::int32_t> share_out(std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::int32_t> shares(weights.size());
  std::vector<std::pair<double, std::size_t>> left(weights.size());
  std::int64_t given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exact = weights[i] / total * double(one_person);
    shares[i] = std::int32_t(exact);
    left[i] = {shares[i] - exact, i};  // the largest remainder first, then the first of equals
    given += shares[i];
  }
  std::sort(left.begin(), left.end());
  for (std::size_t i = 0; given < one_person; i = (i + 1) % left.size(), ++given) ++shares[left[i].second];
  return shares;
}

Kernels::Kernels(navmesh::MeshPtr mesh, KernelKind kind) : mesh_(std::move(mesh)), kind_(kind), open_(whole_circle()) {
  std::vector<double> weights;
  for (const Share& share : open_) weights.push_back(weight_at(share.square.column, share.square.row));
  if (kind_ == KernelKind::walls) {
    const std::vector<std::int32_t> shares = share_out(weights);
    for (std::size_t i = 0; i < open_.size(); ++i) open_[i].weight = shares[i];
  } else {
    const double height = square_side * square_side / (std::numbers::pi * kernel_radius * kernel_radius);
    for (std::size_t i = 0; i < open_.size(); ++i)
      open_[i].weight = std::int32_t(std::floor(weights[i] * height * double(one_person) + 0.5));
  }
  joined_layers_.resize(mesh_->layers.size());
  for (Index layer = 0; layer < joined_layers_.size(); ++layer) joined_layers_[layer].push_back(layer);
  const auto join = [&](Index a, Index b) {
    std::vector<Index>& list = joined_layers_[a];
    if (std::find(list.begin(), list.end(), b) == list.end()) list.push_back(b);
  };
  for (const navmesh::Connection& c : mesh_->all_connections())
    join(c.left_layer, c.right_layer), join(c.right_layer, c.left_layer);
}

Place Kernels::resting_place(const Square& square) const {
  const Vec2 middle = middle_of(square, square_side);
  // The middle, then points ever farther from it: a wall may leave but a corner of a square.
  for (const double far : {0.0, 0.25, 0.45})
    for (const Vec2 towards :
         {Vec2{1, 1}, Vec2{-1, 1}, Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 0}, Vec2{0, 1}, Vec2{-1, 0}, Vec2{0, -1}}) {
      const Place place{middle + towards * (far * square_side), square.layer};
      if (navmesh::locate(*mesh_, place)) return place;
      if (far == 0) break;
    }
  return {middle, none};
}

Square Kernels::square_of(const Place& place) const {
  const Square own = square_at(place, square_side);
  if (kind_ == KernelKind::plain) return own;
  const auto sees = [&](const Square& square) {
    const Place rest = resting_place(square);
    return rest.layer != none && navmesh::visible(*mesh_, place, rest, 0);
  };
  if (sees(own)) return own;
  Square best = own;
  double nearest = INFINITY;
  for (const Index layer : joined_layers_[place.layer])
    for (std::int32_t dx = -1; dx <= 1; ++dx)
      for (std::int32_t dy = -1; dy <= 1; ++dy) {
        const Square square{own.column + dx, own.row + dy, layer};
        const double distance = squared_length(middle_of(square, square_side) - place.point);
        if (distance < nearest && sees(square)) best = square, nearest = distance;
      }
  return best;
}

/// Walks from square to linked square within the circle.
std::vector<Share> Kernels::spread_over_ground(const Square& centre) const {
  std::map<Square, Place> met{{centre, resting_place(centre)}};
  std::vector<Square> found{centre};
  if (met.begin()->second.layer == none) return {{centre, std::int32_t(one_person)}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Square from = found[i];
    const Place rest = met.at(from);
    for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{-1, 0}, std::pair{0, 1}, std::pair{0, -1}}) {
      const std::int32_t column = from.column + dx, row = from.row + dy;
      if (!is_in_circle(column - centre.column, row - centre.row)) continue;
      for (const Index layer : joined_layers_[from.layer]) {
        const Square next{column, row, layer};
        if (met.contains(next)) continue;
        const Place to = resting_place(next);
        if (to.layer == none || !navmesh::visible(*mesh_, rest, to, 0)) continue;
        met.emplace(next, to);
        found.push_back(next);
      }
    }
    // Within a square, from one layer to the other, where a connection runs through it.
    for (const Index layer : joined_layers_[from.layer]) {
      const Square over{from.column, from.row, layer};
      if (met.contains(over)) continue;
      const Place to = resting_place(over);
      if (to.layer == none || !navmesh::visible(*mesh_, rest, to, 0)) continue;
      met.emplace(over, to);
      found.push_back(over);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<double> weights;
  for (const Square& s : found) weights.push_back(weight_at(s.column - centre.column, s.row - centre.row));
  const std::vector<std::int32_t> shares = share_out(weights);
  std::vector<Share> result;
  for (std::size_t i = 0; i < found.size(); ++i) result.push_back({found[i], shares[i]});
  return result;
}

/// Whether the shares are those of a whole circle in one layer.
bool Kernels::is_open(const Square& centre, std::span<const Share> shares) const {
  return shares.size() == open_.size() &&
         std::all_of(shares.begin(), shares.end(), [&](const Share& s) { return s.square.layer == centre.layer; });
}

std::span<const Share> Kernels::known_shares(const Square& centre) const {
  if (kind_ == KernelKind::plain) return open_;
  const std::int32_t known = which_.at(centre);
  if (known == open) return open_;
  return known == not_made ? std::span<const Share>() : made_[std::size_t(known - 1)];
}

std::span<const Share> Kernels::shares_of(const Square& centre) {
  if (const std::span<const Share> known = known_shares(centre); !known.empty()) return known;
  std::vector<Share> shares = spread_over_ground(centre);
  if (is_open(centre, shares)) return which_[centre] = open, std::span<const Share>(open_);
  made_.push_back(std::move(shares));
  which_[centre] = std::int32_t(made_.size());
  return made_.back();
}

std::int32_t Kernels::share_on(const Square& centre, const Square& square) const {
  if (!is_in_circle(square.column - centre.column, square.row - centre.row)) return 0;
  const std::span<const Share> shares = known_shares(centre);
  const bool by_offset = shares.data() == open_.data();
  if (by_offset && square.layer != centre.layer) return 0;
  const Square wanted = by_offset ? Square{square.column - centre.column, square.row - centre.row, 0} : square;
  const auto at = std::lower_bound(shares.begin(), shares.end(), wanted,
                                   [](const Share& share, const Square& s) { return share.square < s; });
  return at != shares.end() && at->square == wanted ? at->weight : 0;
}

std::size_t Kernels::bytes() const {
  std::size_t sum = which_.bytes() + open_.capacity() * sizeof(Share);
  for (const std::vector<Share>& shares : made_) sum += sizeof shares + shares.capacity() * sizeof(Share);
  return sum;
}

}  // namespace throng::fields
