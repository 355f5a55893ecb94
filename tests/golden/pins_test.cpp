// Pins: what the program gives today for every example, mesh and some routes, as hashes. Whoever changes one changes its line in pins.txt
// (`THRONG_WRITE_PINS=1 build/release/test_golden` writes the file anew) and says why in the changelog.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "analysis/metrics.hpp"
#include "crowd/world.hpp"
#include "environment/formats/formats.hpp"
#include "navmesh/random_point.hpp"
#include "routes/planner.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "support/random.hpp"
#include "text/fnv1a.hpp"

using namespace throng;

namespace {

namespace fs = std::filesystem;

using Pins = std::map<std::string, std::string>;

const fs::path file = fs::path(THRONG_SOURCE_DIR) / "tests/golden/pins.txt";
const fs::path examples = fs::path(THRONG_SOURCE_DIR) / "examples";

std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

/// "what = value" lines; those that begin with # are comments.
Pins read_pins() {
  Pins pins;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t sign = line.find(" = ");
    if (!line.empty() && line[0] != '#' && sign != std::string::npos)
      pins[line.substr(0, sign)] = line.substr(sign + 3);
  }
  return pins;
}

bool is_writing() { return std::getenv("THRONG_WRITE_PINS") != nullptr; }

/// Replaces all pins whose names begin with one of these words.
void write_pins(const Pins& found, std::initializer_list<std::string_view> words) {
  Pins all = read_pins();
  std::erase_if(all, [&](const auto& pin) {
    return std::ranges::any_of(words, [&](std::string_view word) { return pin.first.starts_with(word); });
  });
  all.insert(found.begin(), found.end());
  std::ofstream out(file);
  out << "# Hashes of what the program gives. A commit that changes a line says why in CHANGELOG.md "
         "(tests/golden/pins_test.cpp).\n";
  for (const auto& [name, value] : all) out << name << " = " << value << '\n';
}

void check_pins(const Pins& found, std::initializer_list<std::string_view> words) {
  if (is_writing()) return write_pins(found, words);
  const Pins pinned = read_pins();
  for (const auto& [name, value] : found) {
    const auto pin = pinned.find(name);
    REQUIRE_MESSAGE(pin != pinned.end(), name << " is not pinned");
    CHECK_MESSAGE(pin->second == value, name << " was " << pin->second << ", is " << value);
  }
  for (const auto& [name, value] : pinned)
    if (std::ranges::any_of(words, [&](std::string_view word) { return name.starts_with(word); }))
      CHECK_MESSAGE(found.contains(name), name << " is pinned and no longer there");
}

std::vector<fs::path> files_of(const fs::path& folder, const std::string& ending) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

scenario::Scenario example(const fs::path& path) {
  Result<scenario::Scenario> read = scenario::read_scenario(path.string(), scenario::installed_methods());
  REQUIRE_MESSAGE(read.ok(), path.string() << ": " << to_string(read.problems().front()));
  return std::move(read).value();
}

/// The hash of the steps until `end` seconds, as `throng run` prints it.
std::uint64_t run_until(scenario::Simulation& simulation, double end) {
  analysis::Metrics metrics({}, {});
  metrics.begin(simulation.crowd());
  while (!simulation.finished() && simulation.crowd().time() < end - 1e-9) {
    REQUIRE(simulation.step().ok());
    metrics.observe(simulation.crowd(), simulation.scenario().time_step);
  }
  return metrics.summary().hash;
}

}  // namespace

TEST_CASE("pins: ten seconds of every example, and the same resumed at five") {
  Pins found;
  for (const fs::path& path : files_of(examples, ".json")) {
    const std::string name = path.stem().string();
    CAPTURE(name);
    Result<scenario::Simulation> made = scenario::Simulation::make(example(path), {.duration = 10});
    REQUIRE(made.ok());
    geometry::ArchiveWriter bytes;
    const std::uint64_t first = run_until(*made, 5);
    made->save(bytes);
    const std::uint64_t second = run_until(*made, 10);
    geometry::ArchiveReader reader(bytes.bytes());
    Result<scenario::Simulation> resumed = scenario::Simulation::resume(example(path), {.duration = 10}, reader);
    REQUIRE_MESSAGE(resumed.ok(), to_string(resumed.problems().front()));
    const std::uint64_t again = run_until(*resumed, 10);
    CHECK(again == second);
    found["run " + name + " 0-5 s"] = hex(first);
    found["run " + name + " 5-10 s resumed"] = hex(again);
  }
  check_pins(found, {"run "});
}

TEST_CASE("pins: the mesh of every environment, and routes on it") {
  Pins found;
  for (const fs::path& path : files_of(examples, ".geojson")) {
    const std::string name = path.stem().string();
    CAPTURE(name);
    const Result<environment::Environment> plan = environment::read_environment(path.string());
    REQUIRE(plan.ok());
    Result<environment::CleanEnvironment> clean = environment::clean(*plan);
    REQUIRE(clean.ok());
    const Result<crowd::WorldPtr> world = crowd::make_world(std::move(clean).value());
    REQUIRE(world.ok());
    const navmesh::Mesh& mesh = *(*world)->mesh;
    found["mesh " + name] = hex(mesh.hash());
    test::Random random(7);
    routes::Planner planner((*world)->graph);
    const routes::RouteMethod methods[] = {routes::RouteMethod::shortest_in_corridor, routes::RouteMethod::shortest,
                                           routes::RouteMethod::medial, routes::RouteMethod::left};
    for (int i = 0; i < 8; ++i) {
      const auto place = [&] {
        const auto layer = navmesh::Index(random.below(mesh.layers.size()));
        const double u = random.uniform(0, 1), v = random.uniform(0, 1), w = random.uniform(0, 1);
        return navmesh::random_point(mesh, layer, u, v, w).value_or(navmesh::Place{{0, 0}, layer});
      };
      const navmesh::Place from = place(), to = place();
      const routes::RouteMethod method = methods[i % 4];
      routes::Route route;
      const routes::NoRoute verdict =
          planner.plan({.from = from, .to = to, .radius = 0.24, .clearance = 0.5, .method = method}, route);
      geometry::Fnv1a hash;
      for (const routes::Piece& piece : route.pieces)
        hash.add(piece.from.x).add(piece.from.y).add(piece.to.x).add(piece.to.y).add(std::uint64_t{piece.layer});
      found[fmt::format("route {} {} {}", name, i, routes::route_method_names[int(method)])] =
          verdict == routes::NoRoute::found ? fmt::format("{:.17g} m, {}", route.length, hex(hash.value()))
                                            : std::string(routes::reason_of(verdict));
    }
  }
  check_pins(found, {"mesh ", "route "});
}
