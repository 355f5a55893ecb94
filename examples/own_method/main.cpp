// A follower and an avoidance method of one's own, each with a number and something it remembers of everybody, beside those of the library.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "throng/crowd.hpp"

namespace {

/// Looks a stretch ahead on its way, and tires: the longer it walks, the slower.
class Tiring final : public throng::FollowMethod {
  const throng::MethodInfo info_{.name = "tiring",
                                 .help = "straight to a point ahead, slower with every metre",
                                 .numbers = {{.name = "ahead", .value = 2, .least = 0.1, .most = 50, .unit = "m"}},
                                 .columns = {{.name = "walked"}}};

 public:
  const throng::MethodInfo& info() const override { return info_; }
  void run(const throng::PeopleView& people, const throng::OwnNumbers& own, throng::WayAhead& way,
           std::span<const std::uint32_t> rows, std::span<throng::Vec2> preferred) const override {
    for (const std::uint32_t row : rows) {
      const double here = way.nearest(row, way.progress(row), way.progress(row) + 5);
      way.set_progress(row, here);
      const throng::Vec2 to = way.at(row, here + own.number(row, 0)).point - people.positions[row];
      own.column(row, 0) += length(people.velocities[row]) * people.time_step;
      const double speed = people.speeds[row] / (1 + own.column(row, 0) / 100);
      preferred[row] = to * (speed / std::max(length(to), 1e-9));
    }
  }
};

/// Stops for whoever is close ahead, for at most `patience` seconds at a time.
class Polite final : public throng::AvoidMethod {
  const throng::MethodInfo info_{.name = "polite",
                                 .help = "stops for people close ahead, but not for ever",
                                 .numbers = {{.name = "patience", .value = 3, .least = 0, .most = 60, .unit = "s"}},
                                 .columns = {{.name = "stood"}}};

 public:
  const throng::MethodInfo& info() const override { return info_; }
  throng::Surroundings looks_at(const double*) const override { return {.people = 1, .range = 1.2, .half_view = 60}; }
  void run(const throng::PeopleView& people, const throng::OwnNumbers& own, const throng::AroundView& around,
           std::span<const throng::Vec2> preferred, std::span<const std::uint32_t> rows,
           std::span<throng::Vec2> chosen) const override {
    for (const std::uint32_t row : rows) {
      double& stood = own.column(row, 0);
      const bool waits = !around.people(row).empty() && stood < own.number(row, 0);
      stood = waits ? stood + people.time_step : std::max(0.0, stood - people.time_step);
      chosen[row] = waits ? throng::Vec2{} : preferred[row];
    }
  }
};

}  // namespace

int main() {
  throng::Methods methods;
  if (!methods.add(std::make_shared<Tiring>()) || !methods.add(std::make_shared<Polite>())) return 1;
  throng::Feature hall{.kind = throng::Kind::walkable};
  hall.polygons.push_back({.outer = {{0, 0}, {40, 0}, {40, 4}, {0, 4}}});
  const auto world = throng::World::make({.layers = {{.id = "hall"}}, .features = {hall}});
  if (!world) return std::fprintf(stderr, "%s\n", to_string(world.problems()[0]).c_str()), 1;
  throng::Crowd crowd(*world, {.methods = methods});
  const throng::Profile mine{
      .levels = {{"follow", {.name = "tiring"}}, {"avoid", {.name = "polite", .numbers = {{"patience", 2}}}}}};
  for (const double x : {2.0, 38.0}) {
    const double y = x < 20 ? 1.2 : 2.8;
    const auto who = crowd.add({.position = {{x, y}, 0}, .profile = mine});
    if (!who || !crowd.go_to(*who, {{40 - x, y}, 0})) return 1;
  }
  while (crowd.time() < 60)
    if (!crowd.step(0.1)) return 1;
  for (const throng::Vec2 p : crowd.positions()) std::printf("%.2f %.2f\n", p.x, p.y);
}
