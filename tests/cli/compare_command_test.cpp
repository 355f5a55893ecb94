#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "recording/recorder.hpp"
#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

std::string example(const std::string& name) { return std::string(THRONG_SOURCE_DIR) + "/examples/" + name; }

void record(const std::filesystem::path& file, const std::string& seed) {
  REQUIRE(run_throng({"run", example("bottleneck.json"), "--until", "3", "--seed", seed, "-o", file}).exit_code == 0);
}

TEST_CASE("compare: equal recordings are the same, other seeds part at once") {
  const TempDir folder;
  record(folder / "a.throng", "1");
  record(folder / "again.throng", "1");
  record(folder / "b.throng", "2");
  const Json same = Json::parse(run_throng({"compare", folder / "a.throng", folder / "again.throng", "--json"}).out);
  CHECK(same["same"] == true);
  CHECK(same["first_difference"].is_null());
  CHECK(same["frames_a"] == 31);
  const Json other = Json::parse(run_throng({"compare", folder / "a.throng", folder / "b.throng", "--json"}).out);
  CHECK(other["same"] == false);
  CHECK(other["first_difference"]["time"] == 0.0);
  CHECK(other["first_difference"]["max_distance"] > 1.0);
  CHECK(other["over_time"].size() >= 15);
}

/// One person for one frame, on the layer of that number.
void record_person(const std::string& path, const std::vector<std::string>& layers, std::uint32_t layer) {
  recording::Meta meta{.program = "test", .environment_json = "{}", .scenario_json = "{}", .parameters_json = "{}"};
  meta.layers = layers;
  meta.populations = meta.profiles = {"all"};
  Result<std::unique_ptr<recording::Recorder>> recorder = recording::create_native(path, meta);
  REQUIRE(recorder.ok());
  const std::uint64_t serial = 1;
  const Vec2 position{3, 4};
  (*recorder)->agent({.serial = serial, .radius = 0.2});
  (*recorder)->frame({0, 0, {&serial, 1}, {&position, 1}, {&layer, 1}});
  REQUIRE((*recorder)->finish().ok());
}

TEST_CASE("compare: layers listed in another order are the same layers") {
  const TempDir folder;
  record_person(folder / "a.throng", {"ground", "upstairs"}, 1);
  record_person(folder / "turned.throng", {"upstairs", "ground"}, 0);
  record_person(folder / "below.throng", {"upstairs", "ground"}, 1);
  record_person(folder / "unknown.throng", {"ground", "attic", "upstairs"}, 1);
  const auto other_layer = [&](const char* b) {
    const Json json = Json::parse(run_throng({"compare", folder / "a.throng", folder / b, "--json"}).out);
    return json["over_time"][0]["other_layer"].get<int>();
  };
  CHECK(other_layer("turned.throng") == 0);
  CHECK(other_layer("below.throng") == 1);
  CHECK(other_layer("unknown.throng") == 1);
}

TEST_CASE("compare: what is no recording is refused") {
  const TempDir folder;
  record(folder / "a.throng", "1");
  write_file(folder / "b.throng", "nothing");
  const ProgramResult result = run_throng({"compare", folder / "a.throng", folder / "b.throng"});
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("b.throng") != std::string::npos);
}

}  // namespace
}  // namespace throng::test
