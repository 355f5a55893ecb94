#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

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
