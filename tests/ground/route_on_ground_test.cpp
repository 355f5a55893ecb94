// `throng route` on weighted ground as a user asks for it, right and wrong; World::route.
#include <cmath>
#include <nlohmann/json.hpp>

#include "ground/ground_worlds.hpp"
#include "throng/world.hpp"

using namespace throng;
using namespace throng::test;
using Json = nlohmann::json;

namespace {

const std::string puddle = THRONG_SOURCE_DIR "/experiments/puddle.geojson";
const std::vector<std::string> ask{"route", puddle, "--from", "20,30", "--to", "80,25", "--radius", "0"};

ProgramResult route(std::vector<std::string> more) {
  std::vector<std::string> words = ask;
  words.insert(words.end(), more.begin(), more.end());
  return run_throng(words);
}

}  // namespace

TEST_CASE("route --method weighted: cost, ground and picture of Puddle") {
  const TempDir folder;
  const ProgramResult result =
      route({"--method", "weighted", "--weights", "forest=5,grass=3,water=20", "--json", "-o", folder / "way.svg"});
  REQUIRE(result.exit_code == 0);
  const Json json = Json::parse(result.out);
  CHECK(json["cost"].get<double>() == doctest::Approx(60 + 35 * std::sqrt(24.0)).epsilon(1e-9));
  CHECK(json["bound"].is_null());
  CHECK(json["explored"].get<int>() > 0);
  CHECK(json["build_ms"].get<double>() >= 0);
  CHECK(json["ground"]["forest"].get<double>() + json["ground"]["road"].get<double>() ==
        doctest::Approx(json["length"].get<double>()));
  const std::string picture = read_file(folder / "way.svg");
  CHECK(picture.find("water x 20") != std::string::npos);
  CHECK(picture.find("road x 1") != std::string::npos);
}

TEST_CASE("route: cost is the weighted length for every method") {
  for (const char* method : {"short", "shortest", "medial", "weighted", "spm", "vbp", "grid"}) {
    INFO(std::string(method));
    const Json json = Json::parse(route({"--method", method, "--weights", "forest=5,grass=3,water=20", "--json"}).out);
    REQUIRE(json["found"] == true);
    const auto metres = [&](const char* type) { return json["ground"].value(type, 0.0); };
    CHECK(json["cost"].get<double>() ==
          doctest::Approx(5 * metres("forest") + 3 * metres("grass") + 20 * metres("water") + metres("road"))
              .epsilon(1e-9));
    const Json plain = Json::parse(route({"--method", method, "--json"}).out);
    CHECK(plain["cost"].get<double>() == doctest::Approx(plain["length"].get<double>()).epsilon(1e-9));
  }
}

TEST_CASE("route --prove says how near the best it is") {
  const Json json = Json::parse(
      route({"--method", "weighted", "--weights", "forest=5,grass=3,water=20", "--prove", "--eps", "0.3", "--json"})
          .out);
  CHECK(json["bound"].get<double>() >= 1);
  CHECK(json["bound"].get<double>() <= 1.3 * (1 + 1e-9));
}

TEST_CASE("route on weighted ground: each wrong word has a clear answer") {
  const auto says = [](const std::vector<std::string>& more, int code, const std::string& what) {
    const ProgramResult result = route(more);
    INFO(more.back() << ": " << result.err);
    CHECK(result.exit_code == code);
    CHECK(result.err.find(what) != std::string::npos);
  };
  for (const char* weights : {"forest=0", "forest=-3", "forest=nan", "forest=2000000", "forest=0.0001", "forest=soft"})
    says({"--method", "weighted", "--weights", weights}, 1, "a weight is a number from 0.001 to 1e6");
  says({"--method", "weighted", "--weights", "forrest=3"}, 1, "did you mean 'forest'?");
  says({"--method", "weighted", "--weights", "forest"}, 1, "is no TYPE=WEIGHT");
  says({"--method", "weighted", "--weights", "forest=2,forest=3"}, 1, "twice");
  for (const char* eps : {"0", "-0.1", "0.6"}) says({"--method", "spm", "--eps", eps}, 2, "at most 0.5");
  says({"--method", "short", "--eps", "0.1"}, 2, "goes with --method weighted");
  says({"--method", "grid", "--numbers", "cell=0.0001"}, 1, "100 million cells");
  says({"--method", "grid", "--numbers", "cell=0"}, 2, "above 0");
  says({"--method", "grid", "--numbers", "nodes=edges"}, 2, "centres or corners");
  says({"--method", "vbp", "--numbers", "prun=edge"}, 2, "did you mean 'prune'?");
  says({"--method", "weighted", "--profile", "nowhere"}, 1, "SCENARIO:NAME");
}

TEST_CASE("route: regions that overlap, nest, lie outside, touch themselves, and five hundred types") {
  GroundSketch sketch(40, 30);
  sketch.box(5, 5, 20, 20, "a");
  sketch.box(8, 8, 12, 12, "b");        // nested
  sketch.box(15, 10, 30, 25, "a");      // overlapping
  sketch.box(35, 20, 60, 50, "c");      // partly outside
  sketch.box(100, 100, 110, 110, "d");  // outside
  sketch.region({{22, 2}, {26, 6}, {30, 2}, {26, 6}, {30, 10}, {22, 10}}, "e");
  Weights weights{{"a", 3}, {"b", 9}, {"c", 2}, {"e", 4}};
  for (int i = 0; i < 500; ++i) {
    const std::string type = "z" + std::to_string(i);
    sketch.box(1 + i % 25 * 1.5, 1 + i / 25 * 1.4, 1.5 + i % 25 * 1.5, 1.6 + i / 25 * 1.4, type);
    weights[type] = 1 + i % 40;
  }
  const GroundWorld world = make_ground_world(sketch.drawn());
  CHECK(world.types().size() >= 500);
  for (const bool body : {false, true}) {
    GroundQuery query = world.query({0.6, 0.6}, {39, 29}, weights, 0.2);
    query.numbers.body = body;
    GroundPlanner planner(world.atlas);
    const GroundAnswer answer = planner.plan(query);
    REQUIRE(answer.verdict == GroundVerdict::found);
    CHECK(answer.cost >= answer.route.length * (1 - 1e-9));
  }
}

TEST_CASE("World::route takes method, numbers and weights") {
  const auto world = World::load(puddle);
  REQUIRE(world.ok());
  RouteOptions options;
  options.method = "weighted";
  options.radius = 0;
  options.weights = {{"forest", 5}, {"grass", 3}, {"water", 20}};
  const auto way = world->route({{20, 30}, 0}, {{80, 25}, 0}, options);
  REQUIRE(way.ok());
  CHECK(way->cost == doctest::Approx(60 + 35 * std::sqrt(24.0)).epsilon(1e-9));
  CHECK(way->points.size() >= 4);
  CHECK(way->ground.at("road") > 50);
  options.method = "grid";
  options.numbers = {{"cell", 2}};
  const auto coarse = world->route({{20, 30}, 0}, {{80, 25}, 0}, options);
  REQUIRE(coarse.ok());
  CHECK(coarse->cost > way->cost);
  options.method = "shrot";
  CHECK_FALSE(world->route({{20, 30}, 0}, {{80, 25}, 0}, options).ok());
  options.method = "weighted", options.numbers = {}, options.weights = {{"sea", 3}};
  CHECK_FALSE(world->route({{20, 30}, 0}, {{80, 25}, 0}, options).ok());
}
