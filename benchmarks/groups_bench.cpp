// `throng bench groups`: what groups cost in a step. People in groups of one to four in a town beside the same people alone, with `sgn`, `formation`
// and with `around_groups` 0; and Jaklin's eleven rooms (2016, tables 10.6 and 10.7): 1,980 people who leave them, alone and in groups of two to
// four. Rows of one table are stepped by turns, and compared by processor time: what disturbs the machine disturbs none.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "benchmarks/crowd_walkers.hpp"
#include "crowd/methods.hpp"
#include "environment/sketch.hpp"
#include "navmesh/locate.hpp"

namespace throng::bench {
namespace {

using crowd::AgentSpec;
using crowd::Crowd;

int failed(const Problems& problems) { return fmt::print(stderr, "{}\n", to_string(problems.front())), 1; }

struct Variant {
  std::string name, method;  ///< no method: alone
  bool around = true;
};

crowd::MethodChoice avoidance(bool around) {
  const agents::MethodInfo& info = *crowd::built_in_methods()->find(agents::Level::avoid, "moussaid");
  crowd::MethodChoice choice{"moussaid", agents::default_block(info)};
  choice.parameters[std::size_t(info.parameter("around_groups") - info.parameters.data())] = around ? 1 : 0;
  return choice;
}

/// People of a town who go together, and who are sent on once all of them are there.
class Companions {
 public:
  Companions(const Walk& walk, const Variant& variant)
      : walk_(walk), crowd_(walk.world, {.threads = walk.threads}), places_(*walk.world->mesh, 5) {
    geometry::RandomStream speeds(11), sizes(12), turns(13);
    for (std::size_t people = 0; people < walk.people;) {
      const std::size_t size = std::min<std::size_t>(1 + sizes.below(4), walk.people - people);
      std::vector<AgentSpec> specs;
      const navmesh::Place first = places_.next();
      const goals::ItineraryPtr goal = goal_from(first.point);
      for (int tries = 0; specs.size() < size && tries < 200; ++tries) {
        AgentSpec spec;
        spec.place = first;
        if (!specs.empty()) spec.place.point += Vec2{turns.uniform(-1, 1), turns.uniform(-1, 1)};
        spec.radius = body_radius;
        spec.speed = std::clamp(speeds.normal(1.34, 0.26), 0.5, 2.2);
        spec.methods[agents::Level::avoid] = avoidance(variant.around);
        spec.number = std::uint32_t(people + specs.size());
        spec.itinerary = goal;
        const bool is_apart = std::ranges::all_of(specs, [&](const AgentSpec& other) {
          return distance(other.place.point, spec.place.point) > 2 * body_radius;
        });
        const navmesh::Located at = navmesh::locate(*walk.world->mesh, spec.place);
        if (is_apart && at && at.clearance > body_radius) specs.push_back(spec);
      }
      people += std::max<std::size_t>(1, specs.size());
      if (variant.method.empty()) {
        for (const AgentSpec& spec : specs) keep(crowd_.add(spec).ok());
      } else {
        keep(crowd_.add_group(specs, {{variant.method, {}}}).ok());
      }
    }
    while (crowd_.time() < walk.warm_up) step(), send_on();
  }
  void step() { keep(crowd_.step(time_step).ok()); }
  void send_on() {
    for (const crowd::Slot slot : crowd_.in_serial_order()) {
      if (crowd_.activity(slot) != crowd::Activity::arrived && crowd_.activity(slot) != crowd::Activity::lost) continue;
      const std::uint64_t group = crowd_.group_of(slot);
      if (group == 0) {
        keep(crowd_.set_goals(crowd_.id_of(slot), goal_from(crowd_.people().position[slot])).ok());
        continue;
      }
      const auto members = crowd_.members_of_group(group);
      if (std::ranges::all_of(members, [&](crowd::AgentId id) {
            return crowd_.activity(crowd_.slot_of(id)) != crowd::Activity::walking;
          }))
        keep(crowd_.set_group_goals(group, goal_from(crowd_.people().position[slot])).ok());
    }
  }
  [[nodiscard]] Crowd& crowd() { return crowd_; }

 private:
  goals::ItineraryPtr goal_from(Vec2 p) {
    auto itinerary = std::make_shared<goals::Itinerary>();
    itinerary->goals.push_back({places_.far_from(p, walk_.least_distance), 1.0, {}, 0});
    itinerary->at_last = goals::AtLastGoal::stay;
    return itinerary;
  }

  Walk walk_;
  Crowd crowd_;
  Places places_;
};

int run_town(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = town(options, name);
  if (!world) return failed(world.problems());
  Walk walk{.world = *world, .name = name};
  walk.people = options.quick ? 200 : options.people > 0 ? options.people : 10000;
  walk.warm_up = options.quick ? 2 : options.warm_up > 0 ? options.warm_up : 20;
  if (options.quick) walk.least_distance = 50;
  const std::vector<Variant> variants{
      {"alone", ""}, {"sgn", "sgn"}, {"formation", "formation"}, {"sgn, around_groups 0", "sgn", false}};
  std::vector<std::unique_ptr<Companions>> crowds;
  for (const Variant& variant : variants) {
    fmt::print(stderr, "{}: {} people, {} ...\n", name, walk.people, variant.name);
    crowds.push_back(std::make_unique<Companions>(walk, variant));
  }
  std::vector<StepTimes> times(variants.size());
  const int steps = options.quick ? 10 : options.steps > 0 ? options.steps : 200;
  for (int step = 0; step < steps; ++step)
    for (std::size_t i = 0; i < crowds.size(); ++i) {
      times[i].add([&] { crowds[i]->step(); });
      crowds[i]->send_on();
    }
  Table table({"world", "people", "groups", "go", "ms/step", "p99 ms", "median ms", "cpu ms", "times alone, cpu"});
  for (std::size_t i = 0; i < crowds.size(); ++i)
    table.add({name, (long long)crowds[i]->crowd().size(), (long long)crowds[i]->crowd().groups().size(),
               variants[i].name, Number{times[i].mean()}, Number{times[i].p99()}, Number{times[i].median()},
               Number{times[i].cpu()}, Number{times[i].cpu() / times[0].cpu(), 3}});
  table.print(options);
  return 0;
}

// --- eleven rooms

constexpr int rooms = 11, people_a_room = 180;
constexpr double room_apart = 17;

crowd::WorldPtr rooms_world() {
  environment::Sketch sketch("eleven rooms");
  for (int i = 0; i < rooms; ++i) {
    const double x = room_apart * i;
    sketch.walkable({environment::rectangle({x, 0}, {x + 10, 8}), {}});
    sketch.walkable({environment::rectangle({x + 10.2, 0}, {x + 16.2, 8}), {}});
    sketch.walkable({environment::rectangle({x + 9.9, 3.4}, {x + 10.3, 4.6}), {}});
  }
  const Result<crowd::WorldPtr> world = world_of(std::move(sketch).take());
  return world ? *world : nullptr;
}

/// On a lattice, neighbours together.
Crowd people_of_rooms(const crowd::WorldPtr& world, std::size_t size) {
  Crowd crowd(world, {.threads = 1});
  geometry::RandomStream speeds(11);
  constexpr int columns = 15;
  for (int room = 0; room < rooms; ++room) {
    std::vector<AgentSpec> specs;
    for (int i = 0; i < people_a_room; ++i) {
      AgentSpec spec;
      spec.place = {{room_apart * room + 0.5 + 0.52 * (i % columns), 0.6 + 0.6 * (i / columns)}, 0};
      spec.radius = 0.24;
      spec.speed = std::clamp(speeds.normal(1.34, 0.26), 0.5, 2.2);
      auto itinerary = std::make_shared<goals::Itinerary>();
      itinerary->goals.push_back({{{room_apart * room + 15, 4}, 0}, 1.5, {}, 0});
      spec.itinerary = itinerary;
      specs.push_back(spec);
      // Mixed sizes: 1, 2, 3, 4 by turns.
      const std::size_t wanted = size == 0 ? 1 + std::size_t(i / 5) % 4 : size;
      if (specs.size() < wanted && i + 1 < people_a_room) continue;
      keep(crowd.add_group(specs, {}).ok());
      specs.clear();
    }
  }
  return crowd;
}

int run_rooms(const Options& options) {
  const crowd::WorldPtr world = rooms_world();
  if (!world) return fmt::print(stderr, "the rooms cannot be made\n"), 1;
  const std::vector<std::pair<const char*, std::size_t>> rows{
      {"individuals", 1}, {"groups of 2", 2}, {"groups of 3", 3}, {"groups of 4", 4}, {"mixed", 0}};
  std::vector<Crowd> crowds;
  for (const auto& [name, size] : rows) crowds.push_back(people_of_rooms(world, size));
  std::vector<StepTimes> times(rows.size());
  const int steps = options.quick ? 10 : options.steps > 0 ? options.steps : 300;
  for (int step = 0; step < steps; ++step)
    for (std::size_t i = 0; i < crowds.size(); ++i) times[i].add([&] { keep(crowds[i].step(time_step).ok()); });
  constexpr double published[] = {228.6, 235.1, 235.6, 236.4, 233.8};
  Table table({"rooms", "people", "ms/step", "cpu ms", "times individuals, cpu", "Jaklin's ms", "Jaklin's times"});
  for (std::size_t i = 0; i < rows.size(); ++i)
    table.add({rows[i].first, (long long)(rooms * people_a_room), Number{times[i].mean()}, Number{times[i].cpu()},
               Number{times[i].cpu() / times[0].cpu(), 3}, Number{published[i], 1},
               Number{published[i] / published[0], 3}});
  table.print(options);
  return 0;
}

int run(const Options& options) {
  if (const int code = run_town(options); code != 0) return code;
  return run_rooms(options);
}

const Registration registration({"groups", "people in groups beside the same people alone: a town, and Jaklin's rooms",
                                 run});

}  // namespace
}  // namespace throng::bench
