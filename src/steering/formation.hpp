// Formations of small groups (Karamouzas and Overmars 2012, as Jaklin 2016 tells of it): two or three walk in a line abreast where there is
// room, in a V where it is narrower or more crowded, behind each other ("river") where it is narrowest. The thesis gives no numbers: all of
// these are ours. More than three walk in rows of at most three.
//
// Laws
// 1. Places are centred: their mean is the origin. x counts along the way, y to its left; rows go from the front to the back.
// 2. ordered() gives the order with the least sum of squared distances, of all orders for up to four members, row by row along the way for
//    more; ties to the first in lexical order. An order that was kept is given up only for a fifth less.
// Thread-safety: pure functions. No allocation.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "steering/companions.hpp"

namespace throng::steering {

enum class Shape : std::uint8_t { abreast, v, river };
inline constexpr std::array<std::string_view, 3> shape_names = {"abreast", "v", "river"};

/// Metres, of `formation`.
namespace formation {
inline constexpr double abreast_apart = 0.8;
inline constexpr double v_apart = 0.7, v_back = 0.35;
inline constexpr double pair_apart = 0.6;  ///< instead of a V
inline constexpr double river_apart = 0.9;
inline constexpr double rows_apart = 1.2;
inline constexpr double body_room = 0.6;  ///< beside the outermost places, both sides together
inline constexpr std::size_t most_in_row = 3;
inline constexpr double abreast_density = 0.3, v_density = 0.6;
inline constexpr double ahead_seconds = 3;     ///< of walking, that the width is looked at
inline constexpr double choose_seconds = 1;    ///< between choices
inline constexpr double keep_seconds = 2;      ///< a shape is kept at least
inline constexpr double reach_seconds = 1;     ///< to come to one's place
inline constexpr double speed_factor = 1.1;    ///< of one's own speed, at most
inline constexpr double worth_changing = 0.8;  ///< of the squared distances: above it places stay
inline constexpr double out_of_place = 0.5;    ///< metres from one's place: out of formation
}  // namespace formation

using Places = std::array<Vec2, most_members>;
using Order = std::array<std::uint8_t, most_members>;  ///< of each member its place

/// The places of so many; the first `members` of the array.
void lay_out(Shape shape, std::size_t members, Places& places);
/// How wide a way a shape needs.
[[nodiscard]] double room_needed(Shape shape, std::size_t members);
/// The widest shape for a free width and a density as streams have it (stream.hpp).
[[nodiscard]] Shape shape_for(double free_width, double density, std::size_t members);

/// Who takes which place: `at` is where members are, in the frame of the places. `order` holds what was kept, if `is_kept`.
void ordered(Shape shape, std::span<const Vec2> at, const Places& places, bool is_kept, Order& order);
/// Of an order.
[[nodiscard]] double squared_distances(std::span<const Vec2> at, const Places& places, const Order& order);

}  // namespace throng::steering
