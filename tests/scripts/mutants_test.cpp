// scripts/mutants without its builds: which changes it would try.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/data.hpp"

namespace throng::test {
namespace {

const std::string script = THRONG_SOURCE_DIR "/scripts/mutants";

TEST_CASE("mutants: a seed draws the same changes, another seed others, all in the layers that were asked for") {
  const ProgramResult one =
      run_program({"python3", script, "20", "--seed", "5", "--list", "--layers", "crowd,analysis"});
  REQUIRE_MESSAGE(one.exit_code == 0, one.err);
  CHECK(std::count(one.out.begin(), one.out.end(), '\n') == 21);  // and how many there are
  CHECK(one.out.find("src/crowd/") != std::string::npos);
  CHECK(one.out.find("src/analysis/") != std::string::npos);
  CHECK(one.out.find("src/steering/") == std::string::npos);
  CHECK(one.out.find("  ->  ") != std::string::npos);
  CHECK(run_program({"python3", script, "20", "--seed", "5", "--list", "--layers", "crowd,analysis"}).out == one.out);
  CHECK(run_program({"python3", script, "20", "--seed", "6", "--list", "--layers", "crowd,analysis"}).out != one.out);
}

TEST_CASE("mutants: a layer that is not there is refused by name") {
  const ProgramResult wrong = run_program({"python3", script, "1", "--list", "--layers", "crowds"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("'crowds'") != std::string::npos);
}

}  // namespace
}  // namespace throng::test
