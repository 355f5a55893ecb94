#include "benchmarks/behaviour_scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "crowd/methods.hpp"
#include "environment/sketch.hpp"
#include "geometry/elementary.hpp"
#include "geometry/random.hpp"

namespace throng::bench {

namespace {

using crowd::AgentSpec;
using crowd::Crowd;
using environment::rectangle;
using environment::Sketch;

/// What numbers of a scene are drawn for.
enum class Draw : std::uint32_t { speed, place, jitter };

geometry::RandomStream draws(std::uint64_t seed, Draw what, std::size_t number) {
  return geometry::RandomStream(seed, {0, std::uint32_t(what), std::uint32_t(number)});
}

double walking_speed(std::uint64_t seed, std::size_t number) {
  return std::clamp(draws(seed, Draw::speed, number).normal(1.34, 0.26), 0.5, 2.2);
}

goals::ItineraryPtr to(Vec2 goal, double radius) {
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->goals.push_back({{goal, 0}, radius, {}, 0});
  return itinerary;
}

/// "avoidance", "avoidance+streams" or "avoidance+streams:number=value,...".
void set_methods(AgentSpec& spec, const std::string& methods) {
  const std::size_t plus = methods.find('+');
  spec.methods[agents::Level::avoid].name = methods.substr(0, plus);
  if (plus == std::string::npos) return;
  const std::size_t colon = std::min(methods.find(':'), methods.size());
  crowd::MethodChoice& stream = spec.methods[agents::Level::coordinate];
  stream.name = methods.substr(plus + 1, colon - plus - 1);
  const agents::MethodInfo* info = crowd::built_in_methods()->find(agents::Level::coordinate, stream.name);
  if (info == nullptr || colon == methods.size()) return;
  stream.parameters = agents::default_block(*info);
  for (std::size_t at = colon + 1; at < methods.size();) {
    const std::size_t equals = methods.find('=', at), end = std::min(methods.find(',', at), methods.size());
    for (std::size_t i = 0; i < info->parameters.size(); ++i)
      if (info->parameters[i].name == std::string_view(methods).substr(at, equals - at))
        stream.parameters[i] = std::stod(methods.substr(equals + 1, end - equals - 1));
    at = end + 1;
  }
}

/// Somebody who walks from here to there; not added where a wall is in the way of the body.
bool add_walker(Crowd& crowd, Vec2 from, Vec2 goal, const std::string& avoidance, double radius, double speed) {
  AgentSpec spec;
  spec.place = {from, 0};
  spec.heading = goal - from;
  spec.radius = radius;
  spec.speed = speed;
  // Looks far along its route: a point a few metres ahead would pull people back to the line they began on.
  spec.methods[agents::Level::follow] = {"miran", {40, 1, 0}};
  set_methods(spec, avoidance);
  spec.number = std::uint32_t(crowd.size());
  spec.itinerary = to(goal, 1.0);
  return crowd.add(spec).ok();
}

double most_overlap(const Crowd& crowd, double so_far) {
  for (const crowd::Contact& contact : crowd.contacts()) so_far = std::max(so_far, contact.overlap);
  return so_far;
}

bool step(Crowd& crowd, double time_step = scene_time_step) { return crowd.step(time_step).ok(); }

/// A corridor that begins again at its end, with people walking both ways for ever.
class EndlessCorridor {
 public:
  EndlessCorridor(const std::string& avoidance, std::uint64_t seed, std::size_t count, double corridor_length,
                  double corridor_width, double time_step)
      : length_(corridor_length),
        width_(corridor_width),
        time_step_(time_step),
        crowd_(world(corridor_length, corridor_width), {seed, 1}) {
    geometry::RandomStream places = draws(seed, Draw::place, 0);
    while (crowd_.size() < count) {
      const double x = places.uniform(0, length_);
      const Vec2 p{x, places.uniform(0.3, width_ - 0.3)};
      const bool east = crowd_.size() % 2 == 0;
      if (crowd_.is_free({p, 0}, 0.26) &&
          add_walker(crowd_, p, goal_of(east, p.y), avoidance, 0.24, walking_speed(seed, crowd_.size())))
        goes_east_.push_back(east);
    }
  }

  void step() {
    (void)bench::step(crowd_, time_step_);
    const std::vector<crowd::Slot> everybody(crowd_.in_serial_order().begin(), crowd_.in_serial_order().end());
    for (const crowd::Slot slot : everybody) begin_again(slot);
  }

  [[nodiscard]] double order() const {
    std::map<int, std::array<double, 2>> rows;
    const agents::People people = crowd_.people();
    for (const crowd::Slot slot : crowd_.in_serial_order())
      ++rows[int(people.position[slot].y / row)][goes_east_[people.serial[slot] - 1] ? 0 : 1];
    double weighted = 0;
    for (const auto& [number, count] : rows) {
      const double difference = count[0] - count[1];
      weighted += difference * difference / (count[0] + count[1]);
    }
    return weighted / double(crowd_.size());
  }

  /// Mean over everybody, the way they want to go.
  [[nodiscard]] double speed() const {
    double sum = 0;
    const agents::People people = crowd_.people();
    for (const crowd::Slot slot : crowd_.in_serial_order())
      sum += people.velocity[slot].x * (goes_east_[people.serial[slot] - 1] ? 1 : -1);
    return sum / double(crowd_.size());
  }

  [[nodiscard]] double time() const { return crowd_.time(); }

 private:
  static constexpr double row = 0.6;
  static constexpr double ahead = 200;  ///< of corridor beyond both ends, so that everybody walks on

  static crowd::WorldPtr world(double length, double width) {
    Sketch sketch("endless corridor");
    sketch.walkable({rectangle({-ahead, 0}, {length + ahead, width}), {}});
    return scene_world(std::move(sketch).take());
  }
  [[nodiscard]] Vec2 goal_of(bool east, double y) const { return {east ? length_ + ahead - 1 : 1 - ahead, y}; }

  void begin_again(crowd::Slot slot) {
    const Vec2 p = crowd_.people().position[slot];
    if (p.x >= 0 && p.x < length_) return;
    const bool east = goes_east_[crowd_.people().serial[slot] - 1];
    const crowd::AgentId id = crowd_.id_of(slot);
    (void)crowd_.teleport(id, {{p.x < 0 ? p.x + length_ : p.x - length_, p.y}, 0});
    (void)crowd_.set_goals(id, to(goal_of(east, p.y), 1));
  }

  double length_, width_, time_step_;
  Crowd crowd_;
  std::vector<bool> goes_east_;  ///< by serial - 1
};

/// A room, a passage at y 0 and what is behind it; people start in the room.
crowd::WorldPtr bottleneck(double width) {
  Sketch sketch("bottleneck");
  sketch.walkable({rectangle({-10, -5}, {0, 5}), {}});
  sketch.walkable({rectangle({0, -width / 2}, {2.8, width / 2}), {}});
  sketch.walkable({rectangle({2.8, -5}, {12, 5}), {}});
  return scene_world(std::move(sketch).take());
}

/// Rows of places as of a honeycomb, `density` a square metre, shaken a little; in [0, length] x [0, width] less the radius.
std::vector<Vec2> honeycomb(double length, double width, double density, double radius, std::uint64_t seed) {
  const double inner = width - 2 * radius;
  const double apart = std::sqrt(2 / (std::sqrt(3.0) * density));
  const int rows = std::max(1, int(std::floor(inner / (apart * std::sqrt(3.0) / 2))) + 1);
  const double along = rows / (density * width);  // makes the density right for whole rows
  std::vector<Vec2> places;
  for (int row = 0; row < rows; ++row)
    for (double at = (0.75 + 0.5 * (row % 2)) * along; at < length; at += along) {
      geometry::RandomStream jitter = draws(seed, Draw::jitter, places.size());
      const double shake = std::max(0.0, along - 2 * radius) / 4;
      const double x = at + jitter.uniform(-shake, shake);
      const double y = radius + 0.01 + (inner - 0.02) * (rows > 1 ? double(row) / (rows - 1) : 0.5);
      places.push_back({std::max(x, radius + 0.01), y});
    }
  return places;
}

}  // namespace

crowd::WorldPtr scene_world(environment::Environment environment) {
  return *crowd::make_world(*environment::clean(environment));
}

LaneOrder lane_order(const std::string& avoidance, std::uint64_t seed, double seconds, double corridor_length,
                     double time_step) {
  return lane_order_at(avoidance, seed, seconds, corridor_length, 4, 10.0 / 12, time_step);
}

LaneOrder lane_order_at(const std::string& avoidance, std::uint64_t seed, double seconds, double corridor_length,
                        double width, double density, double time_step) {
  EndlessCorridor corridor(avoidance, seed, std::size_t(corridor_length * width * density + 1e-9), corridor_length,
                           width, time_step);
  LaneOrder result;
  result.at_start = corridor.order();
  std::size_t frames = 0;
  while (corridor.time() < seconds) {
    corridor.step();
    if (corridor.time() < 0.75 * seconds) continue;
    result.at_end += corridor.order();
    result.speed += corridor.speed();
    ++frames;
  }
  result.at_end /= double(std::max<std::size_t>(1, frames));
  result.speed /= double(std::max<std::size_t>(1, frames));
  return result;
}

BottleneckFlow bottleneck_flow(const std::string& avoidance, double width, double radius, std::uint64_t seed,
                               std::size_t people, double time_step) {
  Crowd crowd(bottleneck(width), {seed, 1});
  geometry::RandomStream places = draws(seed, Draw::place, 0);
  while (crowd.size() < people) {
    const double x = places.uniform(-9.5, -2);
    const Vec2 p{x, places.uniform(-4.5, 4.5)};
    if (crowd.is_free({p, 0}, radius + 0.01))
      (void)add_walker(crowd, p, {11, 0}, avoidance, radius, walking_speed(seed, crowd.size()));
  }
  std::vector<bool> inside(people, true);
  std::vector<double> times;
  BottleneckFlow result;
  for (double end = 300; crowd.time() < end && times.size() < people && step(crowd, time_step);) {
    const agents::People now = crowd.people();
    for (const crowd::Slot slot : crowd.in_serial_order()) {
      if (!inside[now.serial[slot] - 1] || now.position[slot].x < 0) continue;
      inside[now.serial[slot] - 1] = false;
      times.push_back(crowd.time());
    }
    result.most_overlap = most_overlap(crowd, result.most_overlap);
  }
  result.came_through = times.size();
  const std::size_t first = people / 5, last = people * 4 / 5;
  if (times.size() > last) result.a_second = double(last - first) / (times[last] - times[first]);
  result.a_metre_second = result.a_second / width;
  return result;
}

SpeedAtDensity speed_at_density(const std::string& avoidance, double density, double radius, std::uint64_t seed) {
  constexpr double length = 120, width = 4, from = 30, to = 60;
  Sketch sketch("corridor");
  sketch.walkable({rectangle({0, 0}, {length + 100, width}), {}});
  Crowd crowd(scene_world(std::move(sketch).take()), {seed, 1});
  for (const Vec2 p : honeycomb(length, width, density, radius, seed))
    (void)add_walker(crowd, p, {length + 98, p.y}, avoidance, radius, walking_speed(seed, crowd.size()));
  SpeedAtDensity result;
  double seen = 0, frames = 0, speeds = 0;
  while (crowd.time() < 20 && step(crowd)) {
    result.most_overlap = most_overlap(crowd, result.most_overlap);
    if (crowd.time() < 10) continue;
    ++frames;
    const agents::People now = crowd.people();
    for (const crowd::Slot slot : crowd.in_serial_order()) {
      if (now.position[slot].x < from || now.position[slot].x >= to) continue;
      ++seen;
      speeds += now.velocity[slot].x;
    }
  }
  result.density = seen / frames / ((to - from) * width);
  result.speed = seen > 0 ? speeds / seen : 0;
  return result;
}

Restart ring_restart(const std::string& avoidance, double density, std::uint64_t seed) {
  constexpr double middle = 10, width = 3;
  constexpr int quarters = 4, rounds = 10;
  Sketch sketch("ring");
  sketch.walkable({environment::regular_polygon({0, 0}, middle + width / 2, 96),
                   {environment::regular_polygon({0, 0}, middle - width / 2, 96)}});
  Crowd crowd(scene_world(std::move(sketch).take()), {seed, 1});
  for (int i = 0; i < quarters; ++i) {
    const Vec2 out = geometry::unit_direction(double(i) / quarters), along = perpendicular(out);
    const std::vector<Vec2> across{out * 8 - along * 0.5, out * 12 - along * 0.5, out * 12 + along * 0.5,
                                   out * 8 + along * 0.5};
    crowd.add_area(*goals::Area::drawn(crowd.world().environment, across, 0));
  }
  const double area = 2 * std::numbers::pi * middle * width;
  geometry::RandomStream places = draws(seed, Draw::place, 0);
  // Rows as of a honeycomb, bent round: people at random places would not fit.
  const auto count = std::size_t(density * area);
  const int rows = std::max(2, int(std::lround(std::sqrt(density * width * width * 0.85))));
  for (std::size_t i = 0; i < count; ++i) {
    const double round = (double(i) + 0.5 * (places.unit() - 0.5)) / double(count);
    const double r = middle - width / 2 + 0.3 + (width - 0.6) * (double(i % std::size_t(rows)) / (rows - 1));
    const Vec2 out = geometry::unit_direction(round);
    auto itinerary = std::make_shared<goals::Itinerary>();
    for (int k = 0; k < quarters * rounds; ++k)
      itinerary->goals.push_back({{}, 0.5, {navmesh::Index((int(round * quarters) + 1 + k) % quarters)}, 0});
    AgentSpec spec;
    spec.place = {out * r, 0};
    spec.heading = perpendicular(out);
    spec.radius = 0.24;
    spec.speed = walking_speed(seed, i);
    spec.number = std::uint32_t(i);
    spec.itinerary = itinerary;
    set_methods(spec, avoidance);
    (void)crowd.add(spec);
  }
  Restart result;
  const auto speed_over = [&](double seconds) {
    double sum = 0, seen = 0;
    for (const double end = crowd.time() + seconds; crowd.time() < end - 1e-9 && step(crowd);) {
      const agents::People now = crowd.people();
      for (const crowd::Slot slot : crowd.in_serial_order()) {
        const Vec2 p = now.position[slot];
        sum += dot(now.velocity[slot], perpendicular(p / length(p)));
        ++seen;
      }
    }
    return seen > 0 ? sum / seen : 0;
  };
  (void)speed_over(25);
  result.before = speed_over(5);
  for (const crowd::Slot slot : crowd.in_serial_order()) (void)crowd.steer(crowd.id_of(slot), {});
  (void)speed_over(10);
  for (const crowd::Slot slot : crowd.in_serial_order()) (void)crowd.release(crowd.id_of(slot));
  (void)speed_over(25);
  result.after = speed_over(5);
  return result;
}

Circle antipodal_circle(const std::string& avoidance, std::size_t people, double radius, double time_step,
                        std::uint64_t seed) {
  constexpr double speed = 1.34;
  Sketch sketch("circle");
  sketch.walkable({rectangle({-radius - 10, -radius - 10}, {radius + 10, radius + 10}), {}});
  Crowd crowd(scene_world(std::move(sketch).take()), {1, 1});
  const environment::Ring ring = environment::regular_polygon({0, 0}, radius, int(people));
  constexpr double jitter = 0.05;
  for (const Vec2 p : ring) {
    geometry::RandomStream random = draws(seed, Draw::jitter, crowd.size());
    const double x = random.uniform(-jitter, jitter);
    const Vec2 off = seed == 0 ? Vec2{} : Vec2{x, random.uniform(-jitter, jitter)};
    (void)add_walker(crowd, p + off, -1.0 * p, avoidance, 0.24, speed);
  }
  Circle result;
  result.free_time = 2 * radius / speed;
  while (crowd.size() > 0 && crowd.time() < 10 * result.free_time && crowd.step(time_step).ok())
    result.most_overlap = most_overlap(crowd, result.most_overlap);
  result.arrived = ring.size() - crowd.size();
  result.last_arrival = crowd.time();
  return result;
}

double weidmann_speed(double density) { return std::max(0.0, 1.34 * (1 - std::exp(-1.913 * (1 / density - 1 / 5.4)))); }

double hermes_speed(double density) {
  static constexpr std::array<std::array<double, 2>, 5> points{
      {{1.1, 1.34}, {1.5, 1.13}, {1.9, 0.94}, {2.4, 0.5}, {2.9, 0.33}}};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto [d0, v0] = points[i - 1];
    const auto [d1, v1] = points[i];
    if (density >= d0 && density <= d1) return v0 + (v1 - v0) * (density - d0) / (d1 - d0);
  }
  return 0;
}

}  // namespace throng::bench
