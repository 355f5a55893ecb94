// Weights of ground that change at a time: who is touched plans again, who comes later has them, and a run that goes on from a snapshot too.
#include <doctest/doctest.h>

#include <cmath>

#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::scenario;

namespace {

/// A street across the way, with a gap of plain ground at its upper end; dear from 5 s on, cheap again from 10 s on.
const std::string street = R"({"throng": 1, "duration": 60, "environment": {"type": "FeatureCollection", "features": [
  {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[60,0],[60,20],[0,20],[0,0]]]}},
  {"type":"Feature","properties":{"kind":"region","type":"street"},"geometry":{"type":"Polygon","coordinates":[[[30,0],[34,0],[34,18],[30,18],[30,0]]]}},
  {"type":"Feature","properties":{"kind":"area","name":"left"},"geometry":{"type":"Polygon","coordinates":[[[1,1],[3,1],[3,3],[1,3],[1,1]]]}},
  {"type":"Feature","properties":{"kind":"area","name":"right"},"geometry":{"type":"Polygon","coordinates":[[[57,1],[59,1],[59,3],[57,3],[57,1]]]}},
  {"type":"Feature","properties":{"kind":"area","name":"near"},"geometry":{"type":"Polygon","coordinates":[[[24,1],[26,1],[26,3],[24,3],[24,1]]]}}]},
  "profiles": {"minding": {"speed": 1.3, "route": {"method": "weighted"}, "avoid": {"method": "none"}, "weights": {"street": 1.1}}},
  "populations": [{"profile": "minding", "count": 2, "start": {"area": "left"}, "goals": [{"area": "right"}]},
                  {"profile": "minding", "count": 1, "start": {"area": "left"}, "goals": [{"area": "near"}]},
                  {"profile": "minding", "rate": 20, "from": 6, "until": 6.5, "start": {"area": "left"}, "goals": [{"area": "right"}]}],
  "events": [{"at": 10, "weights": {"minding": {"street": 1.1}}}, {"at": 5, "weights": {"minding": {"street": 30}}}]})";

Simulation make(bool with_events = true) {
  const throng::test::TempDir folder;
  const std::string text = with_events ? street : street.substr(0, street.find(",\n  \"events\"")) + "}";
  throng::test::write_file(folder.path() / "run.json", text);
  const MethodCatalogue methods = installed_methods();
  Result<Scenario> scenario = read_scenario((folder.path() / "run.json").string(), methods);
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  Result<Simulation> simulation = Simulation::make(std::move(scenario).value(), {.threads = 1});
  REQUIRE_MESSAGE(simulation.ok(), to_string(simulation.problems().front()));
  return std::move(simulation).value();
}

/// Metres left of everybody's way, by serial.
std::vector<double> left(const Simulation& simulation) {
  std::vector<double> metres;
  for (const crowd::Slot slot : simulation.crowd().in_serial_order())
    metres.push_back(simulation.crowd().remaining(slot));
  return metres;
}

void run_until(Simulation& simulation, double time) {
  while (simulation.crowd().time() < time - 1e-9) REQUIRE(simulation.step().ok());
}

}  // namespace

TEST_CASE("events: a street that becomes dear at 5 s and cheap again at 10 s") {
  Simulation simulation = make();
  CHECK(simulation.scenario().weight_events.front().at == 5);
  run_until(simulation, 5);
  const std::vector<double> before = left(simulation);
  REQUIRE(before.size() == 3);
  REQUIRE(simulation.step().ok());
  const std::vector<double> after = left(simulation);
  CHECK(after[0] > before[0] + 2);
  CHECK(after[1] > before[1] + 2);
  CHECK(after[2] < before[2]);
  run_until(simulation, 9);
  const std::vector<double> late = left(simulation);
  REQUIRE(late.size() > 3);
  CHECK(late[3] > 58);  // who came since knows the street as dear
  run_until(simulation, 10);
  const std::vector<double> dear = left(simulation);
  REQUIRE(simulation.step().ok());
  const std::vector<double> cheap = left(simulation);
  CHECK(cheap[0] < dear[0] - 1);
  CHECK(cheap[3] < dear[3] - 1);
}

TEST_CASE("events: who is not touched walks as if nothing had happened, to the bit") {
  Simulation changing = make(), steady = make(false);
  const auto place_of = [](const Simulation& simulation, std::uint64_t serial) -> std::optional<Vec2> {
    for (const crowd::Slot slot : simulation.crowd().in_serial_order())
      if (simulation.crowd().people().serial[slot] == serial) return simulation.crowd().people().position[slot];
    return std::nullopt;
  };
  bool apart = false;
  for (int i = 0; i < 200; ++i) {
    REQUIRE(changing.step().ok());
    REQUIRE(steady.step().ok());
    CHECK(place_of(changing, 3) == place_of(steady, 3));
    apart = apart || place_of(changing, 1) != place_of(steady, 1);
  }
  CHECK(apart);
}

TEST_CASE("events: a run from a snapshot goes on as the run itself") {
  for (const double at : {4.95, 5.0, 5.1, 7.0}) {
    CAPTURE(at);
    Simulation whole = make();
    run_until(whole, at);
    geometry::ArchiveWriter bytes;
    whole.save(bytes);
    geometry::ArchiveReader archive(bytes.bytes());
    Result<Simulation> resumed = Simulation::resume(Scenario(whole.scenario()), {.threads = 1}, archive);
    REQUIRE_MESSAGE(resumed.ok(), to_string(resumed.problems().front()));
    run_until(whole, 12);
    run_until(*resumed, 12);
    CHECK(left(whole) == left(*resumed));
  }
}
