// What the viewer is told, asked for as the server asks.
#include "server/view.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "geometry/random.hpp"
#include "recording/sqlite.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "server/live_view.hpp"
#include "server/local_density.hpp"
#include "server/scenario_edits.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

namespace throng::server {
namespace {

StaticFiles client(const test::TempDir& folder) {
  test::write_file(folder / "index.html", "<!doctype html>");
  Result<StaticFiles> files = StaticFiles::read(folder.path().string());
  REQUIRE(files.ok());
  return std::move(files).value();
}

Response get(Application& application, const std::string& target) {
  const auto request = parse_target(target);
  REQUIRE(request);
  return application.answer(*request);
}

Json head_of(const std::string& pack) {
  std::uint32_t size = 0;
  REQUIRE(pack.size() >= 4);
  std::memcpy(&size, pack.data(), 4);
  return Json::parse(pack.substr(4, size));
}

template <class Number>
std::vector<Number> array_of(const std::string& pack, const std::string& name) {
  std::uint32_t size = 0;
  std::memcpy(&size, pack.data(), 4);
  const Json entry = head_of(pack)["arrays"][name];
  std::vector<Number> values(entry[2].get<std::size_t>());
  std::memcpy(values.data(), pack.data() + 4 + size + entry[1].get<std::size_t>(), values.size() * sizeof(Number));
  return values;
}

const std::string bottleneck = THRONG_SOURCE_DIR "/examples/bottleneck.json";

struct Recorded {
  explicit Recorded(const std::string& scenario = bottleneck, const std::string& until = "15") {
    REQUIRE(test::run_throng({"run", scenario, "--until", until, "-o", folder / "run.throng"}).exit_code == 0);
    auto opened = view_recording(client(folder), folder / "run.throng");
    REQUIRE_MESSAGE(opened.ok(), to_string(opened.problems().front()));
    view = std::move(opened).value();
  }
  test::TempDir folder;
  std::unique_ptr<Application> view;
};

TEST_CASE("a recording says who was where") {
  Recorded recorded;
  const Json session = Json::parse(*get(*recorded.view, "/api/session").body);
  CHECK(session["mode"] == "recording");
  CHECK(session["frames"] == 151);
  CHECK(session["people"] == 100);
  CHECK(session["goals"] == Json::array({"exit"}));
  const std::string frames = *get(*recorded.view, "/api/frames?first=100&count=3").body;
  const auto time = array_of<double>(frames, "time");
  REQUIRE(time.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(time[i] == doctest::Approx(10 + 0.1 * double(i)));
  const auto begin = array_of<std::uint32_t>(frames, "begin");
  REQUIRE(begin.size() == 4);
  CHECK(begin[3] == array_of<float>(frames, "x").size());
  CHECK(array_of<std::uint32_t>(*get(*recorded.view, "/api/agents").body, "serial").size() == 100);
  const Json person = Json::parse(*get(*recorded.view, "/api/person?serial=7").body);
  CHECK(person["profile"] == "student");
  CHECK(person["goals"] == Json::array({"exit"}));
  CHECK(person["way"].size() > 5);
}

TEST_CASE("what is asked wrongly of a recording is refused") {
  Recorded recorded;
  for (const char* target :
       {"/api/frames", "/api/frames?first=0", "/api/frames?first=151&count=1", "/api/frames?first=0&count=0",
        "/api/frames?first=0&count=100000", "/api/frames?first=-1&count=1", "/api/frames?first=1e3&count=1",
        "/api/route?serial=1", "/api/route?serial=1&time=x", "/api/see?x=0", "/api/see?x=nan&y=0&layer=0",
        "/api/see?x=0&y=0&layer=9"})
    CHECK_MESSAGE(get(*recorded.view, target).status == 400, target);
  for (const char* target : {"/api/person?serial=0", "/api/person?serial=x", "/api/person?serial=101",
                             "/api/route?serial=0&time=1", "/api/route?serial=101&time=1", "/api/nothing",
                             "/../run.throng", "/run.throng/", "//etc/passwd", "/download/recording.throng"})
    CHECK_MESSAGE(get(*recorded.view, target).status == 404, target);
}

TEST_CASE("a recorded person has the route that somebody with their goal plans from where they are") {
  Recorded recorded;
  const auto route_at = [&](const std::string& time) {
    return Json::parse(*get(*recorded.view, "/api/route?serial=7&time=" + time).body);
  };
  const Json way = Json::parse(*get(*recorded.view, "/api/person?serial=7").body)["way"];
  const auto origin = Json::parse(*get(*recorded.view, "/api/session").body)["origin"][0].get<double>();
  for (const std::size_t second : {0, 2, 5}) {
    const Json route = route_at(std::to_string(second));
    CHECK(route["goal"] == "exit");
    REQUIRE(route["points"].size() >= 2);
    for (const std::size_t axis : {0, 1})
      CHECK(std::abs(route["points"].front()[axis].get<double>() - way[second][axis].get<double>()) < 0.01);
    // The door is at x = 12, and the exit behind it.
    CHECK(route["points"].back()[0].get<double>() + origin > 12);
  }
}

/// One person, two goals, a rest at the first.
const std::string errand = R"({"throng": 1, "duration": 40,
  "environment": {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"kind": "walkable"},
    "geometry": {"type": "Polygon", "coordinates": [[[0,0],[30,0],[30,4],[0,4],[0,0]]]}}]},
  "populations": [{"count": 1, "start": {"polygon": [[0.5,1.5],[1.5,1.5],[1.5,2.5],[0.5,2.5]]},
    "goals": [{"point": [14, 2], "wait": 5}, {"point": [2, 2]}]}]})";

TEST_CASE("a recorded person heads for one goal after the other, as their way tells") {
  const test::TempDir folder;
  test::write_file(folder / "errand.json", errand);
  Recorded recorded(folder / "errand.json", "40");
  const auto goal_at = [&](int time) {
    return Json::parse(*get(*recorded.view, "/api/route?serial=1&time=" + std::to_string(time)).body);
  };
  // Ten seconds or so to the first goal, five of rest, and back.
  CHECK(goal_at(2)["goal"] == "(14, 2)");
  CHECK(goal_at(7)["goal"] == "(14, 2)");
  CHECK(goal_at(18)["goal"] == "(2, 2)");
  const Json points = goal_at(18)["points"];
  REQUIRE(points.size() >= 2);
  CHECK(points.front()[0].get<double>() > points.back()[0].get<double>() + 3);
  CHECK(goal_at(39)["goal"] == nullptr);
  CHECK(goal_at(39)["points"].empty());
}

TEST_CASE("the plots of a recording are complete after a while, and count everybody") {
  Recorded recorded;
  std::string series;
  for (int i = 0; i < 500; ++i) {
    series = *get(*recorded.view, "/api/series?first=0").body;
    if (head_of(series)["complete"] == true) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  REQUIRE(head_of(series)["complete"] == true);
  const auto people = array_of<float>(series, "people"), arrived = array_of<float>(series, "arrived");
  REQUIRE(people.size() == 16);
  CHECK(people.front() == 100);
  CHECK(people.back() + arrived.back() == 100);
}

TEST_CASE("local density counts the nine square metres around") {
  const std::vector<Vec2> positions{{0.5, 0.5}, {1.5, 1.5}, {2.5, 0.5}, {0.5, 0.6}, {50, 50}, {50.9, 50.1}, {-1e12, 3}};
  const std::vector<std::uint32_t> layers{0, 0, 0, 1, 0, 0, 0};
  CHECK(mean_local_density(positions, layers) == doctest::Approx((2 + 3 + 2 + 1 + 2 + 2 + 1) / 9.0 / 7));
  CHECK(mean_local_density({}, {}) == 0);
}

TEST_CASE("local density is the mean over everybody, counted pair by pair") {
  geometry::RandomStream random(test::test_seed(), {});
  std::vector<Vec2> positions;
  std::vector<std::uint32_t> layers;
  for (int i = 0; i < 400; ++i) {
    positions.push_back({random.uniform(-9, 9), random.uniform(-9, 9)});
    layers.push_back(i % 3);
  }
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t k = 0; k < positions.size(); ++k)
      pairs += layers[i] == layers[k] && std::abs(std::floor(positions[i].x) - std::floor(positions[k].x)) <= 1 &&
                       std::abs(std::floor(positions[i].y) - std::floor(positions[k].y)) <= 1
                   ? 1
                   : 0;
  CHECK(mean_local_density(positions, layers) == doctest::Approx(double(pairs) / 9 / 400));
}

scenario::Scenario bottleneck_scenario() {
  Result<scenario::Scenario> read = scenario::read_scenario(bottleneck, scenario::installed_methods());
  REQUIRE(read.ok());
  return std::move(read).value();
}

TEST_CASE("edits make scenarios that can be read again, and can be taken back") {
  const scenario::Scenario original = bottleneck_scenario();
  const Result<crowd::WorldPtr> world = scenario::make_world(original);
  REQUIRE(world.ok());
  ScenarioEdits edits(original, (*world)->environment.grid);
  const std::string id = edits.add_obstacle({18, 8}, 0, 1);
  CHECK(edits.obstacles(10).size() == 1);
  CHECK(edits.goal_places().size() == 1);
  CHECK(edits.move_goal("area:exit", {20, 3}, 0));
  CHECK(!edits.move_goal("area:nowhere", {20, 3}, 0));
  CHECK(!edits.move_goal("goal:0:0", {20, 3}, 0));
  CHECK(!edits.move_goal("goal:../x:0", {20, 3}, 0));
  const Result<scenario::Scenario> changed = edits.scenario();
  REQUIRE_MESSAGE(changed.ok(), to_string(changed.problems().front()));
  const Result<crowd::WorldPtr> other = scenario::make_world(*changed);
  REQUIRE(other.ok());
  CHECK((*other)->environment.hash() != (*world)->environment.hash());
  CHECK((*other)->environment.grid == (*world)->environment.grid);
  CHECK(edits.remove_obstacle(id));
  CHECK(!edits.remove_obstacle(id));
  edits.add_people(0, 5, {2, 2}, {5, 5}, 0);
  const Result<std::string> text = edits.text();
  REQUIRE(text.ok());
  const Result<scenario::Scenario> again = scenario::parse_scenario(*text, "again", scenario::installed_methods());
  REQUIRE_MESSAGE(again.ok(), to_string(again.problems().front()));
  CHECK(again->populations.size() == original.populations.size() + 1);
}

/// A live run behind a real server.
struct Live {
  explicit Live(LiveOptions options = {.speed = 0}, scenario::Scenario scenario = bottleneck_scenario()) {
    Result<scenario::Simulation> simulation = scenario::Simulation::make(std::move(scenario), {.threads = 1});
    REQUIRE(simulation.ok());
    view = std::make_unique<LiveView>(client(folder), "bottleneck", std::move(simulation).value(),
                                      analysis::Metrics({}, {}), nullptr, options);
    auto started = Server::start({}, *view);
    REQUIRE(started.ok());
    server = std::move(started).value();
    view->begin(*server);
  }
  ~Live() {
    view->end();
    server->stop();
  }
  Json state() { return head_of(*get(*view, "/api/state").body); }
  bool eventually(const std::function<bool()>& holds) {
    for (int i = 0; i < 1000 && !holds(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return holds();
  }
  test::TempDir folder;
  std::unique_ptr<LiveView> view;
  std::unique_ptr<Server> server;
};

TEST_CASE("a live run obeys: steps, changes, and is the run of the same scenario") {
  Live live({.speed = 0, .paused = true});
  CHECK(live.state()["step"] == 0);
  // Of several sockets: one may not send so many at once.
  for (int i = 0; i < 20; ++i) live.view->said(ClientId(1 + i % 4), R"({"do":"step"})");
  CHECK(live.eventually([&] { return live.state()["step"] == 20; }));
  Result<scenario::Simulation> alone = scenario::Simulation::make(bottleneck_scenario(), {.threads = 2});
  REQUIRE(alone.ok());
  for (int i = 0; i < 20; ++i) REQUIRE(alone->step().ok());
  const std::string frame = *get(*live.view, "/api/state").body;
  const auto x = array_of<float>(frame, "x");
  const Json origin = Json::parse(*get(*live.view, "/api/session").body)["origin"];
  REQUIRE(x.size() == alone->crowd().size());
  for (std::size_t i = 0; i < x.size(); ++i)
    CHECK(x[i] ==
          float(alone->crowd().people().position[alone->crowd().in_serial_order()[i]].x - origin[0].get<double>()));

  live.view->said(1, R"({"do":"add_obstacle","x":6,"y":2,"layer":0,"size":1})");
  CHECK(live.eventually([&] { return Json::parse(*get(*live.view, "/api/session").body)["world_version"] == 2; }));
  live.view->said(1, R"({"do":"add_people","x":6,"y":-2,"layer":0,"count":5,"population":0})");
  CHECK(live.eventually([&] { return live.state()["people"] == 105; }));
  live.view->said(2, R"({"do":"move_goal","id":"area:exit","x":5,"y":-3,"layer":0})");
  live.view->said(2, R"({"do":"undo"})");
  live.view->said(3, R"({"do":"remove_obstacle","x":6,"y":2,"layer":0})");
  const auto changes = [&] { return Json::parse(*get(*live.view, "/api/session").body)["events"]; };
  REQUIRE(live.eventually([&] { return changes().size() == 5; }));
  std::vector<std::string> kinds;
  for (const Json& change : changes()) {
    kinds.push_back(change["kind"]);
    CHECK(change["time"] == doctest::Approx(alone->crowd().time()));
  }
  CHECK(kinds == std::vector<std::string>{"obstacle", "people", "goal", "undone", "removed"});
  CHECK(changes()[1]["what"]["count"] == 5);
  CHECK(changes()[2]["what"]["label"] == "exit");
  // What went is told by its shape: whoever plays the recording sees the world of its start.
  const Json gone = changes()[4]["what"];
  CHECK(gone["id"] == changes()[0]["what"]["id"]);
  CHECK(gone["layer"] == 0);
  CHECK(gone["ring"].size() >= 4);
  CHECK(gone["ring"][0][0].get<double>() - origin[0].get<double>() == doctest::Approx(6).epsilon(0.2));
  const Response scenario = get(*live.view, "/download/scenario.json");
  CHECK(scenario.download == "scenario.json");
  CHECK(scenario::parse_scenario(*scenario.body, "download", scenario::installed_methods()).ok());
  CHECK(get(*live.view, "/download/recording.throng").status == 404);
}

/// A street across the way of two out of three, with a gap of plain ground at its upper end.
scenario::Scenario street_scenario() {
  const std::string text = R"({"throng": 1, "duration": 60, "environment": {"type": "FeatureCollection", "features": [
    {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[60,0],[60,20],[0,20],[0,0]]]}},
    {"type":"Feature","properties":{"kind":"region","type":"street"},"geometry":{"type":"Polygon","coordinates":[[[30,0],[34,0],[34,18],[30,18],[30,0]]]}}]},
    "profiles": {"minding": {"route": {"method": "weighted"}, "avoid": {"method": "none"}, "weights": {"street": {"uniform": [1.05, 1.1]}}}},
    "populations": [{"profile": "minding", "count": 2, "start": {"polygon": [[1,1],[3,1],[3,3],[1,3]]}, "goals": [{"point": [58, 2]}]},
                    {"profile": "minding", "count": 1, "start": {"polygon": [[1,1],[3,1],[3,3],[1,3]]}, "goals": [{"point": [25, 2]}]}]})";
  Result<scenario::Scenario> read = scenario::parse_scenario(text, "street", scenario::installed_methods());
  REQUIRE_MESSAGE(read.ok(), to_string(read.problems().front()));
  return std::move(read).value();
}

TEST_CASE(
    "a live run: what ground costs is changed on the way, those it touches plan again, and it can be taken back") {
  Live live({.speed = 0, .paused = true}, street_scenario());
  const auto session = [&] { return Json::parse(*get(*live.view, "/api/session").body); };
  CHECK(session()["ground"]["types"] == Json::parse(R"(["plain","street"])"));
  std::atomic<int> client = 1;
  std::size_t steps = 0;
  const auto step = [&] {
    live.view->said(ClientId(client++), R"({"do":"step"})");
    ++steps;
    REQUIRE(live.eventually([&] { return live.state()["step"] == steps; }));
  };
  const auto weigh = [&](const std::string& weight, std::size_t changes) {
    live.view->said(ClientId(client++), R"({"do":"set_weight","profile":0,"type":"street","weight":)" + weight + "}");
    CHECK(live.eventually([&] { return session()["changes"] == changes; }));
  };
  for (int i = 0; i < 3; ++i) step();
  weigh("40", 1);
  CHECK(session()["ground"]["weights"][0][1] == 40.0);
  weigh("\"never\"", 2);
  CHECK(session()["ground"]["weights"][0][1].is_null());
  for (const char* wrong : {"0", "-1", "1e9", "\"sometimes\"", "null", "[1]"})
    live.view->said(ClientId(client++),
                    R"({"do":"set_weight","profile":0,"type":"street","weight":)" + std::string(wrong) + "}");
  live.view->said(ClientId(client++), R"({"do":"set_weight","profile":0,"type":"lava","weight":2})");
  live.view->said(ClientId(client++), R"({"do":"set_weight","profile":7,"type":"street","weight":2})");
  live.view->said(ClientId(client++), R"({"do":"set_weight","profile":0,"type":"street"})");
  step();
  CHECK(session()["changes"] == 2);
  // The scenario that is saved has the change from the start, and runs.
  const Response saved = get(*live.view, "/download/scenario.json");
  const Result<scenario::Scenario> again =
      scenario::parse_scenario(*saved.body, "download", scenario::installed_methods());
  REQUIRE_MESSAGE(again.ok(), to_string(again.problems().front()));
  REQUIRE(again->weight_events.size() == 1);
  CHECK(again->weight_events[0].weights.at("street").never);
  Result<scenario::Simulation> alone = scenario::Simulation::make(*again, {.threads = 1});
  REQUIRE(alone.ok());
  REQUIRE(alone->step().ok());
  CHECK(alone->crowd().remaining(alone->crowd().in_serial_order()[0]) > 62);
  CHECK(alone->crowd().remaining(alone->crowd().in_serial_order()[2]) < 26);
  // Back, one by one.
  for (const std::size_t left : {1, 0}) {
    live.view->said(ClientId(client++), R"({"do":"undo"})");
    CHECK(live.eventually([&] { return session()["changes"] == left; }));
    CHECK(session()["ground"]["weights"][0][1] == doctest::Approx(left == 1 ? 40 : 1.075));
  }
}

TEST_CASE(
    "weights of a profile that are changed: people who are here and those to come have them, others keep their ways") {
  Result<scenario::Simulation> made = scenario::Simulation::make(street_scenario(), {.threads = 1});
  REQUIRE(made.ok());
  scenario::Simulation& simulation = *made;
  for (int i = 0; i < 10; ++i) REQUIRE(simulation.step().ok());
  const auto left = [&](std::size_t i) {
    return simulation.crowd().remaining(simulation.crowd().in_serial_order()[i]);
  };
  const double before = left(0), other = left(2);
  scenario::WeightSpec never;
  never.never = true;
  CHECK_FALSE(simulation.set_weights(3, {{"street", never}}).ok());
  const Result<std::size_t> told = simulation.set_weights(0, {{"street", never}});
  REQUIRE(told.ok());
  CHECK(*told == 3);
  REQUIRE(simulation.step().ok());
  CHECK(left(0) > before + 2);
  CHECK(left(2) < other);
  const auto came = simulation.add_people(0, {{2, 2}, 0}, 1);
  REQUIRE(came.ok());
  REQUIRE(came->size() == 1);
  REQUIRE(simulation.step().ok());
  CHECK(simulation.crowd().remaining(simulation.crowd().slot_of(came->front())) > 62);
  CHECK(simulation.scenario().profiles[0].weights.at("street").never);
}

TEST_CASE("a sign is put up in a live run, seen, undone, and taken down") {
  Live live({.speed = 0, .paused = true});
  const auto version = [&] { return Json::parse(*get(*live.view, "/api/session").body)["world_version"].get<int>(); };
  const auto signs = [&] { return Json::parse(*get(*live.view, "/api/session").body)["signs"].size(); };
  live.view->said(1, R"({"do":"add_obstacle","x":6,"y":0,"layer":0,"size":1})");
  CHECK(live.eventually([&] { return version() == 2; }));
  live.view->said(1, R"({"do":"add_sign","x":5,"y":0,"layer":0,"facing":180,"range":8,"pass":"left"})");
  CHECK(live.eventually([&] { return version() == 3; }));
  CHECK(signs() == 1);
  const Json layers = Json::parse(*get(*live.view, "/api/session").body)["ground_layers"];
  CHECK(std::any_of(layers.begin(), layers.end(), [](const Json& layer) { return layer["key"] == "guidance"; }));
  const Response saved = get(*live.view, "/download/scenario.json");
  const auto again = scenario::parse_scenario(*saved.body, "download", scenario::installed_methods());
  REQUIRE(again.ok());
  REQUIRE(again->guidance.size() == 1);
  CHECK(again->guidance[0].sign->range == 8);
  live.view->said(1, R"({"do":"remove_sign","x":5.5,"y":0.5,"layer":0})");
  CHECK(live.eventually([&] { return version() == 4; }));
  CHECK(signs() == 0);
  live.view->said(1, R"({"do":"undo"})");
  CHECK(live.eventually([&] { return signs() == 1; }));
}

TEST_CASE("orders that make no sense change nothing") {
  Live live({.speed = 0, .paused = true});
  ClientId client = 1;  // another one each time: of one socket only so many are taken at once
  for (const char* order : {"",
                            R"({"do":"speed","value":1e-300})",
                            R"({"do":"add_obstacle","x":0,"y":0,"layer":0.7,"size":1})",
                            R"({"do":"add_people","x":6,"y":0,"layer":0,"count":1,"population":0.7})",
                            R"({"do":"add_people","x":6,"y":0,"layer":0,"count":1,"population":1e300})",
                            R"({"do":"add_people","x":6,"y":0,"layer":0,"count":1.5,"population":0})",
                            "[]",
                            "{}",
                            "nonsense",
                            R"({"do":5})",
                            R"({"do":"fly"})",
                            R"({"do":"speed"})",
                            R"({"do":"speed","value":-1})",
                            R"({"do":"speed","value":"x"})",
                            R"({"do":"add_obstacle"})",
                            R"({"do":"add_obstacle","x":0,"y":0,"layer":7,"size":1})",
                            R"({"do":"add_obstacle","x":0,"y":0,"layer":-1,"size":1})",
                            R"({"do":"add_obstacle","x":0,"y":0,"layer":0,"size":1e9})",
                            R"({"do":"add_obstacle","x":1e300,"y":0,"layer":0,"size":1})",
                            R"({"do":"remove_obstacle","id":"obstacle:99"})",
                            R"({"do":"add_people","x":0,"y":0,"layer":0,"count":1e9,"population":0})",
                            R"({"do":"add_people","x":6,"y":0,"layer":0,"count":1,"population":1e18})",
                            R"({"do":"inspect"})",
                            R"({"do":"figure"})",
                            R"({"do":"figure","key":"incentive"})",
                            R"({"do":"inspect","serial":-5})",
                            R"({"do":"add_sign","x":6,"y":0,"layer":0})",
                            R"({"do":"add_sign","x":6,"y":0,"layer":0,"facing":0,"range":5,"pass":"up"})",
                            R"({"do":"add_sign","x":6,"y":0,"layer":0,"facing":0,"range":5,"pass":"left"})",
                            R"({"do":"add_sign","x":1e300,"y":0,"layer":0,"facing":0,"range":5,"pass":"left"})",
                            R"({"do":"remove_sign","x":6,"y":0,"layer":0})",
                            R"({"do":"move_goal","id":"area:exit"})",
                            R"({"do":"move_goal","id":"goal:99999999999999999999:0","x":0,"y":0,"layer":0})"})
    live.view->said(client++, order);
  CHECK(live.state()["step"] == 0);
  CHECK(live.state()["rate"] == 0);
  const Json session = Json::parse(*get(*live.view, "/api/session").body);
  CHECK(session["world_version"] == 1);
  CHECK(live.state()["people"] == 100);
}

TEST_CASE("orders that come faster than they can be carried out are shed, and the end does not wait for them") {
  Live live({.speed = 0, .paused = true});
  for (int i = 0; i < 500; ++i)
    live.view->said(7, fmt::format(R"({{"do":"add_obstacle","x":{},"y":{},"layer":0,"size":0.1}})", 1 + i % 20 * 0.3,
                                   0.2 + double(i / 20) * 0.1));
  // Requests that need the simulation wait without a thread of the server's.
  std::atomic<int> answered{0};
  for (int i = 0; i < 8; ++i)
    live.view->answer_later({"/api/agents", {}},
                            [&](Response response) { answered += response.status == 200 ? 1 : 0; });
  CHECK(live.eventually([&] { return answered == 8; }));
  const auto version = [&] { return Json::parse(*get(*live.view, "/api/session").body)["world_version"].get<int>(); };
  CHECK(version() > 1);
  CHECK(version() < 100);
  for (int i = 0; i < 16; ++i)
    live.view->said(8, fmt::format(R"({{"do":"add_obstacle","x":{},"y":3,"layer":0,"size":0.1}})", 1 + i * 0.3));
  const int before = version();
  live.view->end();
  CHECK(version() < before + 16);
}

/// A recording of the bottleneck, changed by SQL.
void altered(const std::string& path, const std::string& statement, const std::string& text = {}) {
  Result<recording::Database> database = recording::Database::open(path);
  REQUIRE(database.ok());
  recording::Statement change = database->prepare(statement);
  if (!text.empty()) change.bind(1, std::string_view(text));
  REQUIRE(change.run());
}

std::string recorded_bottleneck(const test::TempDir& folder) {
  const std::string path = folder / "r.throng";
  REQUIRE(test::run_throng({"run", bottleneck, "--until", "3", "-o", path}).exit_code == 0);
  return path;
}

TEST_CASE("a recording that names a file on this machine does not have it opened") {
  const test::TempDir folder;
  const std::string path = recorded_bottleneck(folder);
  altered(path, "UPDATE scenario SET json = ?",
          R"({"throng":1,"populations":[{"positions":"/dev/zero","goals":[{"area":"exit"}]}]})");
  Result<std::unique_ptr<Application>> view = view_recording(client(folder), path);
  REQUIRE(view.ok());
  const Json session = Json::parse(*get(**view, "/api/session").body);
  CHECK(session["goals"] == Json::array({"unknown"}));
}

TEST_CASE("a recording whose frames are in other layers than its environment has is not shown") {
  const test::TempDir folder;
  const std::string path = recorded_bottleneck(folder);
  altered(path, "UPDATE layer SET name = ?", "elsewhere");
  const Result<std::unique_ptr<Application>> view = view_recording(client(folder), path);
  REQUIRE(!view.ok());
  CHECK(view.problems().front().message.find("other layers") != std::string::npos);
  CHECK(test::run_throng({"export", path, folder / "o.csv"}).exit_code == 1);
  CHECK(test::run_throng({"report", path, "-o", folder / "o.html"}).exit_code == 1);
}

TEST_CASE("people beyond those that can be numbered in a picture are refused") {
  const test::TempDir folder;
  const std::string path = recorded_bottleneck(folder);
  altered(path, "INSERT INTO agent VALUES (?, 0, 0, NULL, 0.2, 0, NULL)", "5000000000");
  const Result<std::unique_ptr<Application>> view = view_recording(client(folder), path);
  REQUIRE(!view.ok());
  CHECK(view.problems().front().message.find("5000000000") != std::string::npos);
}

TEST_CASE("a run that is left alone goes on to its end") {
  Live live;
  CHECK(live.eventually([&] { return live.state()["finished"] == true; }));
  CHECK(live.state()["arrived"] == 100);
}

}  // namespace
}  // namespace throng::server
