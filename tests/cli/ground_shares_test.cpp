// Who weighs ground differently walks on different ground: the scenes after Jaklin 2016, figures 6.1 and 6.4.2, run as users run them.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

/// A run's figures; its metres by ground add up to what was walked.
Json run(const std::string& scene) {
  const ProgramResult result = run_throng({"run", THRONG_SOURCE_DIR "/experiments/" + scene + ".json", "--json"});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  Json figures = Json::parse(result.out);
  CHECK(figures["arrived"] == figures["agents"]);
  double metres = 0;
  for (const auto& population : figures["ground"])
    for (const auto& walked : population) metres += walked["metres"].get<double>();
  CHECK(metres == doctest::Approx(figures["mean_distance"].get<double>() * figures["agents"].get<double>()));
  return figures;
}

/// The part of a population's metres that lies on some types.
double share(const Json& figures, const std::string& population, const std::vector<std::string>& types) {
  double all = 0, some = 0;
  for (const auto& [type, walked] : figures["ground"][population].items()) {
    const double metres = walked["metres"];
    all += metres;
    if (std::find(types.begin(), types.end(), type) != types.end()) some += metres;
  }
  return some / all;
}

TEST_CASE("ground: in the park adults go by the view, children by puddles and logs") {
  const Json figures = run("family_park");
  CHECK(share(figures, "adults", {"view"}) > 0.15);
  CHECK(share(figures, "adults", {"puddle", "log"}) < 0.01);
  CHECK(share(figures, "children", {"puddle", "log"}) > 0.3);
  CHECK(share(figures, "children", {"view"}) < 0.01);
}

TEST_CASE("ground: in the suburb adults keep to the paths, children cut across the lawn") {
  const Json figures = run("suburb");
  CHECK(share(figures, "adults", {"grass"}) < 0.01);
  CHECK(share(figures, "children", {"grass"}) > 0.2);
}

}  // namespace
}  // namespace throng::test
