// `throng experiment crowd`: what a step of a large crowd costs, as Jaklin measures it (2016, 11.3.3, figure 11.6): people at random places of a
// city, each with a goal at least 50 m away, at 1.4 m/s, MIRAN with a shortcut of 5 m and samples of 1 m, until the first one arrives; with avoidance
// (Moussaid) and without any neighbours looked for.
#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "crowd/crowd.hpp"
#include "environment/clean/clean.hpp"
#include "environment/generate/generate_city.hpp"
#include "geometry/random.hpp"
#include "navmesh/random_point.hpp"

namespace throng::cli {
namespace {

constexpr double radius = 0.24, speed = 1.4, apart = 50, time_step = 0.1;
/// Steps after which a crowd in which nobody arrives is given up: twice the 50 m.
constexpr int most_steps = int(2 * apart / speed / time_step);

/// What Jaklin prints, milliseconds a step; its city is 500 x 500 m.
struct Published {
  std::size_t people = 0;
  bool avoids = false;
  unsigned threads = 0;
  double ms = 0;
};
constexpr Published published[] = {{100'000, false, 8, 82}, {10'000, true, 8, 63}};
constexpr double published_gigabytes_a_million = 2.3;

std::optional<double> published_ms(std::size_t people, bool avoids) {
  for (const Published& row : published)
    if (row.people == people && row.avoids == avoids) return row.ms;
  return std::nullopt;
}

struct Cost {
  double mean_ms = 0, first_arrival = 0, bytes_a_person = 0;
  int steps = 0;
};

/// Somewhere on the first layer with room for a body.
std::optional<navmesh::Place> place_in(const navmesh::Mesh& mesh, geometry::RandomStream& random) {
  for (int i = 0; i < 100; ++i) {
    const double u = random.unit(), v = random.unit();
    const std::optional<navmesh::Place> place = navmesh::random_point(mesh, 0, u, v, random.unit());
    if (place && navmesh::locate(mesh, *place).clearance > radius + 0.05) return place;
  }
  return std::nullopt;
}

Result<Cost> measure(const crowd::WorldPtr& world, std::size_t people, bool avoids, unsigned threads,
                     std::uint64_t seed) {
  crowd::Crowd crowd(world, {.seed = seed, .threads = threads, .contact = avoids});
  geometry::RandomStream random(seed);
  while (crowd.size() < people) {
    const auto from = place_in(*world->mesh, random), to = place_in(*world->mesh, random);
    if (!from || !to || distance(from->point, to->point) < apart) continue;
    crowd::AgentSpec spec;
    spec.place = *from;
    spec.heading = to->point - from->point;
    spec.radius = radius, spec.speed = speed;
    spec.methods[crowd::Level::follow] = {"miran", {}};
    spec.methods[crowd::Level::avoid] = {avoids ? "moussaid" : "none", {}};
    spec.number = std::uint32_t(crowd.size());
    auto itinerary = std::make_shared<goals::Itinerary>();
    itinerary->goals.push_back({*to, 0.5, {}, 0});
    spec.itinerary = std::move(itinerary);
    if (const Result<crowd::AgentId> added = crowd.add(spec); !added) return added.problems();
  }
  // The first step plans everybody's route; Jaklin counts steps of people who walk.
  if (const auto stepped = crowd.step(time_step); !stepped) return stepped.problems();
  const std::size_t walking = crowd.size();
  Cost cost;
  const auto start = std::chrono::steady_clock::now();
  while (crowd.size() == walking && cost.steps < most_steps) {
    if (const auto stepped = crowd.step(time_step); !stepped) return stepped.problems();
    ++cost.steps;
  }
  cost.mean_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() / cost.steps;
  cost.first_arrival = crowd.time();
  cost.bytes_a_person = double(crowd.bytes()) / double(std::max<std::size_t>(1, crowd.size()));
  return cost;
}

ExitCode run(const ExperimentOptions& options) {
  environment::CityOptions city;
  city.width = city.height = 500;
  city.seed = options.seed;
  Result<environment::CleanEnvironment> clean = environment::clean(environment::generate_city(city));
  if (!clean) return refused(clean.problems());
  const Result<crowd::WorldPtr> world = crowd::make_world(std::move(clean).value());
  if (!world) return refused(world.problems());
  ExperimentTable table({"scene", "avoid", "people", "threads", "step_ms", "J_11.6_ms", "first_arrival_s",
                         "bytes_a_person", "GB_a_million", "J_GB_a_million"});
  const std::vector<std::size_t> counts =
      options.quick ? std::vector<std::size_t>{100} : std::vector<std::size_t>{1'000, 10'000, 100'000};
  for (const bool avoids : {false, true})
    for (const std::size_t people : counts)
      for (const unsigned threads : {1u, 2u}) {
        fmt::print(stderr, "{} people, {}, {} threads ...\n", people, avoids ? "moussaid" : "without avoidance",
                   threads);
        const Result<Cost> cost = measure(*world, people, avoids, threads, options.seed);
        if (!cost) return refused(cost.problems());
        const std::optional<double> paper = published_ms(people, avoids);
        table.add({"city 500 x 500 m", avoids ? "moussaid" : "none", people, threads, cost->mean_ms,
                   paper ? Json(*paper) : Json(nullptr), cost->first_arrival, cost->bytes_a_person,
                   cost->bytes_a_person / 1000, published_gigabytes_a_million});
      }
  table.print(options.json, "crowd",
              {.scene = {"scene"},
               .method = {"avoid"},
               .variant = {"people", "threads"},
               .published = {{"step_ms", "J_11.6_ms"}, {"GB_a_million", "J_GB_a_million"}}});
  const Problems problems = write_into(options, "crowd.csv", table.csv());
  return has_errors(problems) ? refused(problems) : ExitCode::done;
}

const ExperimentRegistration registration(
    {"crowd", "what a step of 1,000 to 100,000 people costs, as in Jaklin 2016 (figure 11.6)", run});

}  // namespace
}  // namespace throng::cli
