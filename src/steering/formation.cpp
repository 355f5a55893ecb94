#include "steering/formation.hpp"

#include <algorithm>

namespace throng::steering {
namespace {

using formation::most_in_row;

/// Orders are all tried up to so many members.
constexpr std::size_t most_tried = 4;

/// Of members in one row, from left to right.
Vec2 place_in_row(Shape shape, std::size_t i, std::size_t count) {
  const double from_middle = double(count - 1) / 2 - double(i);
  if (shape == Shape::abreast) return {0, from_middle * formation::abreast_apart};
  if (count == 2) return {0, from_middle * formation::pair_apart};
  return {count == 3 && i == 1 ? -formation::v_back : 0.0, from_middle * formation::v_apart};
}

std::size_t widest_row(std::size_t members) {
  const std::size_t rows = (members + most_in_row - 1) / most_in_row;
  return (members + rows - 1) / rows;
}

/// The best order of members `who` over places [first, last), as many; tries all.
void best_order(std::span<const Vec2> at, std::span<const std::uint8_t> who, std::size_t first, const Places& places,
                Order& order) {
  std::array<std::uint8_t, most_tried> trial{};
  const std::size_t count = who.size();
  for (std::size_t i = 0; i < count; ++i) trial[i] = std::uint8_t(i);
  double best = -1;
  do {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += squared_length(at[who[i]] - places[first + trial[i]]);
    if (best >= 0 && sum >= best) continue;
    best = sum;
    for (std::size_t i = 0; i < count; ++i) order[who[i]] = std::uint8_t(first + trial[i]);
  } while (std::next_permutation(trial.begin(), trial.begin() + std::ptrdiff_t(count)));
}

}  // namespace

void lay_out(Shape shape, std::size_t members, Places& places) {
  Vec2 sum;
  for (std::size_t i = 0; i < members; ++i) {
    if (shape == Shape::river) {
      places[i] = {-double(i) * formation::river_apart, 0};
    } else {
      const Range row = subgroup_of(i, members, most_in_row);
      std::size_t number = 0;
      for (std::size_t first = 0; first < row.first; first = subgroup_of(first, members, most_in_row).last) ++number;
      places[i] =
          place_in_row(shape, i - row.first, row.last - row.first) - Vec2{double(number) * formation::rows_apart, 0};
    }
    sum += places[i];
  }
  const Vec2 mean = sum / double(members);
  for (std::size_t i = 0; i < members; ++i) places[i] += -mean;
}

double room_needed(Shape shape, std::size_t members) {
  const std::size_t row = widest_row(members);
  switch (shape) {
    case Shape::abreast: return double(row - 1) * formation::abreast_apart + formation::body_room;
    case Shape::v:
      return (row == 2 ? formation::pair_apart : double(row - 1) * formation::v_apart) + formation::body_room;
    default: return formation::body_room;
  }
}

Shape shape_for(double free_width, double density, std::size_t members) {
  if (density < formation::abreast_density && free_width >= room_needed(Shape::abreast, members)) return Shape::abreast;
  if (density < formation::v_density && free_width >= room_needed(Shape::v, members)) return Shape::v;
  return Shape::river;
}

double squared_distances(std::span<const Vec2> at, const Places& places, const Order& order) {
  double sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) sum += squared_length(at[i] - places[order[i]]);
  return sum;
}

void ordered(Shape shape, std::span<const Vec2> at, const Places& places, bool is_kept, Order& order) {
  const std::size_t members = at.size();
  std::array<std::uint8_t, most_members> who{};
  for (std::size_t i = 0; i < members; ++i) who[i] = std::uint8_t(i);
  Order best{};
  if (members <= most_tried) {
    best_order(at, std::span(who).first(members), 0, places, best);
  } else {
    // Who is farthest along walks in front.
    std::sort(who.begin(), who.begin() + std::ptrdiff_t(members),
              [&](std::uint8_t a, std::uint8_t b) { return at[a].x != at[b].x ? at[a].x > at[b].x : a < b; });
    const std::size_t in_row = shape == Shape::river ? 1 : most_in_row;
    for (std::size_t first = 0; first < members;) {
      const Range row = subgroup_of(first, members, in_row);
      best_order(at, std::span(who).subspan(first, row.last - first), first, places, best);
      first = row.last;
    }
  }
  if (is_kept && squared_distances(at, places, best) > formation::worth_changing * squared_distances(at, places, order))
    return;
  std::copy(best.begin(), best.begin() + std::ptrdiff_t(members), order.begin());
}

}  // namespace throng::steering
