// Nobody oscillates: crowds in random scenes, everybody from a random place to another, with every method for jams. Changes of way are judged from outside: by
// the ways people had and have, and by where they walked in between.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "environment/generate/random_scenes.hpp"
#include "navmesh/random_point.hpp"
#include "routes/axis_trace.hpp"
#include "routes/planned_route.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using crowd::AgentSpec;
using crowd::ChangeEvent;
using crowd::Crowd;
using crowd::Level;
using crowd::Slot;
using navmesh::Place;
using routes::ChainWord;
using routes::Route;

constexpr double no_return = 10, minute = 60;

/// Whom a test watches, by serial.
class Watch {
 public:
  explicit Watch(const Crowd& crowd) : crowd_(crowd), mesh_(*crowd.world().mesh), graph_(*crowd.world().graph) {}

  /// What everybody has before a step.
  void look() {
    for (const Slot slot : crowd_.in_serial_order()) {
      const routes::PlannedRoute* route = crowd_.route_of(slot);
      Person& person = people_[crowd_.people().serial[slot]];
      person.at = crowd_.people().place(slot);
      for (Left& left : person.left)
        if (left.walked.back().point != person.at.point) left.walked.push_back(person.at);
      if (route != nullptr && (route != person.seen || route->way.length() != person.way.length))
        person.way = routes::unpacked(*route);
      person.seen = route;
      person.metres_left = crowd_.remaining(slot);
    }
  }

  /// What changed in it.
  void judge() {
    for (const ChangeEvent& change : crowd_.changes()) {
      Person& person = people_[change.person];
      ++changes;
      person.changed.push_back(change.time);
      most_a_minute = std::max(
          most_a_minute,
          std::size_t(std::ranges::count_if(person.changed, [&](double at) { return change.time - at < minute; })));
      const auto slot = std::ranges::find_if(crowd_.in_serial_order(),
                                             [&](Slot one) { return crowd_.people().serial[one] == change.person; });
      if (slot == crowd_.in_serial_order().end() || crowd_.route_of(*slot) == nullptr || person.seen == nullptr)
        continue;
      const auto before = class_from(person.at, person.way, person.way.length - person.metres_left);
      person.way = routes::unpacked(*crowd_.route_of(*slot));
      person.seen = crowd_.route_of(*slot);
      const auto after = class_from(person.at, person.way, 0);
      if (!before || !after) {
        ++unknown;
        continue;
      }
      std::erase_if(person.left, [&](const Left& left) { return change.time - left.time >= no_return; });
      for (const Left& left : person.left) {
        if (left.area != change.to || change.why == crowd::Reason::stuck) continue;
        const auto walked = routes::trace_of(mesh_, left.walked);
        if (!walked) continue;
        if (routes::joined(routes::reversed(routes::class_of(graph_, *walked)), left.word) == *after) ++returns;
      }
      if (*before != *after || change.from != change.to)
        person.left.push_back({change.time, change.from, *before, {person.at}});
    }
  }

  std::size_t changes = 0, returns = 0, most_a_minute = 0, unknown = 0;

 private:
  struct Left {
    double time = 0;
    crowd::Index area = crowd::none;
    ChainWord word;             ///< of the way that was left, from where it was
    std::vector<Place> walked;  ///< since
  };
  struct Person {
    Place at;
    const routes::PlannedRoute* seen = nullptr;
    Route way;
    double metres_left = 0;
    std::vector<Left> left;
    std::vector<double> changed;
  };
  [[nodiscard]] std::optional<ChainWord> class_from(const Place& here, const Route& way, double from) const {
    routes::AxisTracer tracer(mesh_);
    const routes::RoutePoint there = way.at(std::clamp(from, 0.0, way.length));
    if (!tracer.begin(here) || !tracer.line_to({there.point, there.layer}) ||
        !tracer.along(way.stretch(there.along, way.length)) || !tracer.finish(way.goal))
      return std::nullopt;
    return routes::class_of(graph_, tracer.trace());
  }

  const Crowd& crowd_;
  const navmesh::Mesh& mesh_;
  const routes::RouteGraph& graph_;
  std::map<std::uint64_t, Person> people_;
};

constexpr const char* methods[] = {"none", "density", "quickest", "miranda", "id3"};

std::unique_ptr<Crowd> random_crowd(std::uint64_t seed, int number) {
  const environment::SceneKind kinds[] = {environment::SceneKind::wall_maze, environment::SceneKind::stairs,
                                          environment::SceneKind::grid_of_squares};
  const crowd::WorldPtr world =
      make_crowd_world(environment::random_scene(seed, kinds[std::size_t(number) % std::size(kinds)]));
  auto crowd = std::make_unique<Crowd>(world, crowd::CrowdOptions{.seed = seed, .threads = 1});
  Random random(seed);
  const auto place = [&] {
    const auto layer = navmesh::Index(random.below(world->mesh->layers.size()));
    return navmesh::random_point(*world->mesh, layer, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
  };
  // Many go to the same few places, so that there are jams.
  std::vector<Place> goals;
  for (int tries = 0; goals.size() < 4 && tries < 40; ++tries)
    if (const auto goal = place()) goals.push_back(*goal);
  for (std::uint32_t i = 0; i < 150 && !goals.empty(); ++i) {
    const auto from = place();
    if (!from || !crowd->is_free(*from, 0.24)) continue;
    AgentSpec spec = walker(*from, goals[random.below(goals.size())]);
    spec.number = i;
    spec.methods[Level::congestion] = {methods[std::size_t(number) % std::size(methods)], {}};
    const auto added = crowd->add(spec);
    // Some stand about.
    if (added && random.chance(0.1)) (void)crowd->steer(*added, {});
  }
  return crowd;
}

void hold(int runs, std::uint64_t first_seed) {
  std::map<std::string, std::size_t> changes, unknown;
  for (int run = 0; run < runs; ++run) {
    const std::uint64_t seed = first_seed + std::uint64_t(run);
    const char* method = methods[std::size_t(run) % std::size(methods)];
    CAPTURE(seed);
    CAPTURE(method);
    const std::unique_ptr<Crowd> crowd = random_crowd(seed, run);
    Watch watch(*crowd);
    for (int i = 0; i < 400; ++i) {
      watch.look();
      REQUIRE(crowd->step(0.1).ok());
      watch.judge();
    }
    CHECK(watch.most_a_minute <= 3);
    CHECK(watch.returns == 0);
    CHECK(crowd->validate().empty());
    changes[method] += watch.changes, unknown[method] += watch.unknown;
  }
  for (const auto& [method, count] : changes) {
    MESSAGE(method, ": ", count, " changes of way, ", unknown[method], " of them with a way that has no class");
    CHECK(count > 0);
    CHECK(20 * unknown[method] <= count);
  }
}

TEST_CASE("restless: nobody goes back and forth, twenty random crowds, every method for jams") { hold(20, 40); }
TEST_CASE("long: restless: nobody goes back and forth, a thousand random crowds") { hold(1000, 1000); }

}  // namespace
}  // namespace throng::test
