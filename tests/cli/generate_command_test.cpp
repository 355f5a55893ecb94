#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/data.hpp"

namespace throng::test {
namespace {

TEST_CASE("throng generate writes a city that throng check accepts") {
  const TempDir folder;
  const std::string file = (folder / "city.geojson").string();
  const ProgramResult made = run_throng({"generate", "city", file, "--vertices", "2000", "--seed", "3", "--json"});
  INFO(made.err);
  REQUIRE(made.exit_code == 0);
  const nlohmann::json said = nlohmann::json::parse(made.out);
  CHECK(said["generated"] == true);
  CHECK(said["bytes"] == read_file(file).size());
  CHECK(run_throng({"check", file}).exit_code == 0);
}

TEST_CASE("throng generate gives the same bytes for the same seed, to standard output too") {
  const ProgramResult one = run_throng({"generate", "city", "-", "--width", "150", "--height", "120"});
  const ProgramResult other = run_throng({"generate", "city", "-", "--width", "150", "--height", "120", "--seed", "1"});
  REQUIRE(one.exit_code == 0);
  CHECK(one.out == other.out);
  CHECK(one.out != run_throng({"generate", "city", "-", "--width", "150", "--height", "120", "--seed", "2"}).out);
}

TEST_CASE("throng generate knows the scenes") {
  const ProgramResult spiral = run_throng({"generate", "spiral_ramp", "-"});
  CHECK(spiral.exit_code == 0);
  CHECK(spiral.out.find("\"ramp\"") != std::string::npos);
}

TEST_CASE("throng generate refuses what it cannot make, and leaves the file alone") {
  const TempDir folder;
  const std::string file = (folder / "kept.geojson").string();
  write_file(file, "kept");
  for (const std::vector<std::string>& words : {std::vector<std::string>{"generate", "village", file},
                                                {"generate", "city", file, "--vertices", "0"},
                                                {"generate", "city", file, "--width", "1e300"},
                                                {"generate", "city", file, "--width", "100", "--vertices", "1000"},
                                                {"generate", "city", file, "--seed", "-1"},
                                                {"generate", "stairs", file, "--vertices", "1000"},
                                                {"generate", "city", "-", "--json"}}) {
    const ProgramResult run = run_throng(words);
    CAPTURE(words[1]);
    CHECK(run.exit_code == 2);
    CHECK(!run.err.empty());
  }
  CHECK(read_file(file) == "kept");
  CHECK(run_throng({"generate", "city", (folder / "no" / "such.geojson").string()}).exit_code == 1);
}

}  // namespace
}  // namespace throng::test
