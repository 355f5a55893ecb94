#include "steering/stream.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/elementary.hpp"
#include "steering/field_of_view.hpp"

namespace throng::steering {
namespace {

constexpr double turn = 2 * std::numbers::pi;

double angle_to(Vec2 from, Vec2 to) {
  const double angle = geometry::arc_tangent(cross(from, to), dot(from, to));
  return angle == -std::numbers::pi ? std::numbers::pi : angle;
}

Vec2 rotated(Vec2 v, double angle) {
  const Vec2 by = geometry::unit_direction(angle / turn);
  return {v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x};
}

}  // namespace

Vec2 turned_towards(Vec2 from, Vec2 to, double fraction) {
  return fraction == 0 ? from : rotated(from, fraction * angle_to(from, to));
}

double degrees_between(Vec2 a, Vec2 b) { return std::abs(angle_to(a, b)) * (360 / turn); }

double stream_density(double covered, double ground) {
  return ground > 0 ? std::min(1.0, covered / (full_ground * ground)) : 0;
}

Perceived perceived(Perceived moving, Vec2 line_of_sight, double density, double view_distance) {
  const double distance = length(line_of_sight);
  if (distance == 0) return moving;
  return {turned_towards(moving.direction, line_of_sight, density * distance / view_distance), moving.speed};
}

Perceived motion_of(const People& people, Slot who, double least_speed) {
  const Vec2 velocity = people.velocity[who];
  const double speed = length(velocity);
  return speed >= least_speed ? Perceived{velocity / speed, speed} : Perceived{people.heading[who], least_speed};
}

double incentive(const Urge& urge) {
  const double off = std::clamp(urge.deviation / urge.deviation_degrees - 1, 0.0, 1.0);
  const double room = 1 - urge.density;
  const double own = std::max({off, room * room * room, urge.late});
  return own >= 1 ? 1 : std::min(1.0, urge.motivation + (1 - urge.motivation) * own);
}

Vec2 between(Vec2 stream, Vec2 individual, double incentive) {
  if (incentive == 1) return individual;
  const double fast = length(stream);
  const Vec2 direction = turned_towards(stream / fast, individual, incentive);
  return direction * ((1 - incentive) * fast + incentive * length(individual));
}

namespace {

enum class Measure { view, cells, grid };

enum Number {
  motivation,
  deviation_degrees,
  time_spent,
  view_distance,
  half_view_degrees,
  most_neighbours,
  least_speed,
  headway,
  give_way,
  head_on_degrees,
  cell_side,  ///< of `grid` only
};

enum Column { expected_time, walked_for, last_incentive, last_density, last_stream };

constexpr double not_known = -1;
/// From the middle of a square to its corners, with a little to spare, in sides.
constexpr double to_corner = 0.71;

agents::MethodInfo info_of(std::string_view name, std::string_view help, Measure measure) {
  agents::MethodInfo info{
      name,
      help,
      {{"motivation", 0, 0, 1, "", "the least part of its own way that one goes; 1: never goes with the stream"},
       {"deviation_degrees", 45, 0.01, 180, "",
        "one goes along with a stream this far off, and not at all at twice as far"},
       {"time_spent", 1, 0, 1, "", "how much it counts that one is late; 0: not at all"},
       {"view_distance", 1.5, 0.01, 100, "m", "how far one looks"},
       {"half_view_degrees", 90, 5, 180, "", "to either side of the heading"},
       {"neighbours", 5, 1, 1000, "", "people whose velocity counts, nearest first"},
       {"least_speed", 0.1, 0.001, 10, "m/s", "who is slower counts with its heading at this speed"},
       {"headway", 0.2, 0, 60, "s",
        "where nobody comes towards one: not slowed below the speed that takes so long to whoever is in the way; 0: "
        "slowed by the stream alone",
        0, "ours"},
       {"give_way", 2, 1, 100, "",
        "where somebody comes towards one, deviation counts from so many times as far on, and being late does not; 1: "
        "as anywhere",
        1, "ours"},
       {"head_on_degrees", 140, 90, 180, "",
        "who goes farther than this off one's heading comes towards one: people who meet before a door do not"}},
      {{.name = "expected_time",
        .initial = not_known,
        .lives = agents::Lives::goal,
        .help = "seconds that the way to the goal should take"},
       {.name = "walked_for", .lives = agents::Lives::goal, .help = "seconds on the way to the goal"},
       {.name = "incentive", .initial = 1, .lives = agents::Lives::step, .saved = false},
       {.name = "density", .lives = agents::Lives::step, .saved = false},
       {.name = "stream", .type = agents::ColumnType::vector, .lives = agents::Lives::step, .saved = false}}};
  if (measure == Measure::grid)
    info.parameters.push_back({"cell", 2, 0.1, 100, "m", "side of the squares that density is measured in"});
  return info;
}

/// What a thread needs while it looks, kept for its memory.
struct Scratch {
  std::vector<Slot> looking;
  std::vector<Needs> needs;
  Lists seen, no_walls;
};

/// People's neighbours and what they make of them.
class Looking {
 public:
  Looking(const CoordinateView& view, Measure measure, Scratch& scratch)
      : view_(view), measure_(measure), scratch_(scratch) {}

  /// Whom everybody of a span sees.
  void look(std::span<const Slot> who) {
    scratch_.needs.clear();
    for (const Slot slot : who) {
      const double* numbers = view_.parameters.of(slot);
      scratch_.needs.push_back({.most = std::numeric_limits<std::uint32_t>::max(),
                                .range = numbers[view_distance],
                                .view_cosine = half_view_cosine(numbers[half_view_degrees])});
    }
    view_.perception->look(view_.people, who, scratch_.needs, scratch_.seen, scratch_.no_walls);
  }
  [[nodiscard]] std::span<const Slot> seen(std::size_t person) const { return scratch_.seen.of(person); }

  /// Of what a person sees, or of where it is; oneself never counts.
  [[nodiscard]] double density_in_view(Slot slot, std::span<const Slot> seen) const {
    const double* numbers = view_.parameters.of(slot);
    double covered = 0;
    for (const Slot other : seen) covered += std::numbers::pi * view_.people.radius[other] * view_.people.radius[other];
    const double far = numbers[view_distance];
    return stream_density(covered, numbers[half_view_degrees] / 180 * std::numbers::pi * far * far);
  }
  [[nodiscard]] double density_around(Slot slot) const {
    const std::int64_t own = fields::covered_by(view_.people.radius[slot]);
    if (measure_ == Measure::cells) {
      const Index edge = view_.edges->edge_of(view_.people.cell[slot]);
      return stream_density(double(view_.edges->covered(edge) - own) / fields::units_a_square_metre,
                            view_.edges->ground(edge));
    }
    const double side = view_.parameters.of(slot)[cell_side];
    const fields::Square square = fields::square_at(view_.people.place(slot), side);
    std::int64_t covered = -own;
    view_.perception->for_each_within(fields::middle_of(square, side), to_corner * side, [&](Slot other) {
      if (fields::square_at(view_.people.place(other), side) == square)
        covered += fields::covered_by(view_.people.radius[other]);
    });
    return stream_density(double(covered) / fields::units_a_square_metre, side * side);
  }

  /// The velocity of the stream as the person sees it; nothing where nobody counts.
  [[nodiscard]] std::optional<Vec2> stream(Slot slot, std::span<const Slot> seen, double density) const {
    const double* numbers = view_.parameters.of(slot);
    const Vec2 heading = view_.people.heading[slot];
    const auto most = std::size_t(numbers[most_neighbours]);
    Vec2 sum;
    double speeds = 0;
    std::size_t count = 0;
    for (const Slot other : seen) {  // nearest first, ties to the lower serial
      const Perceived moving = motion_of(view_.people, other, numbers[least_speed]);
      if (!goes_along(heading, moving)) continue;
      const Vec2 sight = view_.people.position[other] - view_.people.position[slot];
      const Perceived as_seen = perceived(moving, sight, density, numbers[view_distance]);
      sum += as_seen.direction * as_seen.speed;
      speeds += as_seen.speed;
      if (++count == most) break;
    }
    const double far = length(sum);
    if (count == 0 || far < least_stream || !(view_.people.speed[slot] > 0)) return std::nullopt;
    return sum * (std::min(speeds / double(count), view_.people.speed[slot]) / far);
  }

  /// Whether somebody who is seen comes towards one. To press on there locks both ways.
  [[nodiscard]] bool is_opposed(Slot slot, std::span<const Slot> seen) const {
    const double* numbers = view_.parameters.of(slot);
    const double least = numbers[least_speed], towards = half_view_cosine(numbers[head_on_degrees]);
    const Vec2 heading = view_.people.heading[slot];
    return std::any_of(seen.begin(), seen.end(), [&](Slot other) {
      return dot(heading, motion_of(view_.people, other, least).direction) < towards;
    });
  }

  /// The same direction, but as fast as there is room for, up to the individual speed: where all see slow people and nobody wants
  /// anything of its own, nobody would ever be faster again.
  [[nodiscard]] Vec2 awake(Slot slot, std::span<const Slot> seen, Vec2 with, double individual_speed) const {
    const double seconds = view_.parameters.of(slot)[headway];
    const double slow = length(with);
    if (seconds == 0 || slow >= individual_speed || slow == 0) return with;
    const Vec2 ahead = with / slow;
    double room = individual_speed * seconds;
    for (const Slot other : seen) {
      const Vec2 offset = view_.people.position[other] - view_.people.position[slot];
      const double apart = view_.people.radius[slot] + view_.people.radius[other];
      const double aside = cross(ahead, offset), along = dot(ahead, offset);
      if (along <= 0 || std::abs(aside) >= apart) continue;
      room = std::min(room, along - std::sqrt(apart * apart - aside * aside));
      if (room <= slow * seconds) return with;
    }
    return ahead * (room / seconds);
  }

 private:
  const CoordinateView& view_;
  Measure measure_;
  Scratch& scratch_;
};

class Stream final : public Coordinator {
 public:
  Stream(std::string_view name, std::string_view help, Measure measure)
      : measure_(measure), info_(info_of(name, help, measure)) {}

  [[nodiscard]] const agents::MethodInfo& info() const override { return info_; }
  [[nodiscard]] bool looks_around() const override { return true; }
  [[nodiscard]] bool counts_edges() const override { return measure_ == Measure::cells; }

  void run(const CoordinateView& view, std::span<const Slot> who, std::span<Vec2> intended) const override {
    thread_local Scratch scratch;
    std::vector<Slot>& looking = scratch.looking;
    Looking eyes(view, measure_, scratch);
    looking.clear();
    for (const Slot slot : who) {
      show(view, slot, {.stream = intended[slot]});
      if (intended[slot] == Vec2{}) continue;
      if (measure_ == Measure::view) {
        looking.push_back(slot);
        continue;
      }
      // Where there is nobody, nobody has to look.
      const double density = eyes.density_around(slot);
      view.own->numbers[last_density][slot] = density;
      if (density > 0)
        looking.push_back(slot);
      else
        count_time(view, slot, density);
    }
    eyes.look(looking);
    for (std::size_t i = 0; i < looking.size(); ++i) {
      const Slot slot = looking[i];
      const double density =
          measure_ == Measure::view ? eyes.density_in_view(slot, eyes.seen(i)) : view.own->numbers[last_density][slot];
      const Vec2 individual = intended[slot];
      const bool is_opposed = eyes.is_opposed(slot, eyes.seen(i));
      const Vec2 with =
          go_with(view, slot, individual, {density, is_opposed}, eyes.stream(slot, eyes.seen(i), density));
      intended[slot] = is_opposed ? with : eyes.awake(slot, eyes.seen(i), with, length(individual));
    }
  }

  [[nodiscard]] std::optional<Coordination> shown(const agents::OwnColumns& own, Slot slot) const override {
    return Coordination{own.numbers[last_density][slot], own.numbers[last_incentive][slot],
                        own.vectors[last_stream][slot]};
  }

 private:
  static void show(const CoordinateView& view, Slot slot, const Coordination& what) {
    view.own->numbers[last_density][slot] = what.density;
    view.own->numbers[last_incentive][slot] = what.incentive;
    view.own->vectors[last_stream][slot] = what.stream;
  }

  struct Around {
    double density = 0;
    bool is_opposed = false;
  };
  static Vec2 go_with(const CoordinateView& view, Slot slot, Vec2 individual, const Around& around,
                      const std::optional<Vec2>& stream) {
    const double* numbers = view.parameters.of(slot);
    const double density = around.density, late = count_time(view, slot, density);
    if (!stream) return show(view, slot, {.density = density, .stream = individual}), individual;
    const bool gives_way = around.is_opposed && numbers[give_way] > 1;
    const double wants =
        incentive({.motivation = numbers[motivation],
                   .density = density,
                   .deviation = degrees_between(*stream, individual),
                   .deviation_degrees = numbers[deviation_degrees] * (gives_way ? numbers[give_way] : 1),
                   .late = gives_way ? 0 : late * numbers[time_spent]});
    show(view, slot, {density, wants, *stream});
    return between(*stream, individual, wants);
  }

  /// How late the person is, 0 to 1; the first call after a goal was set out for says how long it may take.
  static double count_time(const CoordinateView& view, Slot slot, double density) {
    double& expected = view.own->numbers[expected_time][slot];
    double& spent = view.own->numbers[walked_for][slot];
    if (expected == not_known)
      expected = view.journeys->metres_left(slot) / (view.journeys->level_speed(slot) * (1 - density / 2));
    // Written so that what is no number, in a damaged file or for want of speed, is not late.
    const double over = expected > 0 ? (spent - expected) / expected : 0;
    spent += view.people.time_step;
    return over > 0 ? std::min(1.0, over) : 0;
  }

  Measure measure_;
  agents::MethodInfo info_;
};

}  // namespace

const Coordinator& stream_by_view() {
  static const Stream method("view", "goes with those ahead where it is dense in view (Jaklin 2016, chapter 9)",
                             Measure::view);
  return method;
}

const Coordinator& stream_by_cells() {
  static const Stream method("cells", "the same where the cells along the axis are dense (Jaklin 2016, 9.3.1)",
                             Measure::cells);
  return method;
}

const Coordinator& stream_by_grid() {
  static const Stream method("grid", "the same where a square of ground is dense (Jaklin 2016, 9.3.1)", Measure::grid);
  return method;
}

}  // namespace throng::steering
