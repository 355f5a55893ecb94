// schemas/scenario.schema.json is what this program makes, and says the same as the reader about the structure of a file.
#include "scenario/schema.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "broken_scenarios.hpp"
#include "samples.hpp"
#include "support/data.hpp"
#include "support/json_schema.hpp"

using namespace throng;
using namespace throng::scenario;
using namespace throng::scenario::test;
using throng::test::SchemaValidator;

namespace {

const std::string shipped = THRONG_SOURCE_DIR "/schemas/scenario.schema.json";

}  // namespace

TEST_CASE("the shipped schema is the one of this program's methods (THRONG_UPDATE=1 writes it)") {
  const std::string made = scenario_schema(installed_methods());
  if (std::getenv("THRONG_UPDATE") != nullptr) throng::test::write_file(shipped, made);
  CHECK_MESSAGE(throng::test::read_file(shipped) == made, "run THRONG_UPDATE=1 build/release/test_scenario");
}

TEST_CASE("what is structurally wrong is refused by reader and schema, the rest by the reader only") {
  const SchemaValidator validate(scenario_schema(sample_methods()));
  for (const Broken& broken : broken_scenarios()) {
    CAPTURE(broken.text);
    CHECK(validate(broken.text) == !broken.structural);
  }
}

TEST_CASE("every example is accepted by the schema and by the reader") {
  const SchemaValidator validate(throng::test::read_file(shipped));
  int examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = throng::test::read_file(entry.path());
    if (!looks_like_scenario(text)) continue;
    ++examples;
    CAPTURE(entry.path());
    CHECK(validate(text));
    const Result<Scenario> scenario = read_scenario(entry.path().string(), installed_methods());
    CHECK_MESSAGE(scenario.ok(), to_string(scenario.problems().empty() ? Problem{} : scenario.problems().front()));
    CHECK(scenario.problems().empty());
  }
  CHECK(examples >= 9);
}

TEST_CASE("the schema accepts distributions wherever the reader does") {
  const SchemaValidator validate(scenario_schema(sample_methods()));
  for (const char* number :
       {"0.3", R"({"uniform":[0.2,0.3]})", R"({"normal":[0.25,0.02],"min":0.2})", R"({"choose":{"0.2":1}})"})
    for (const char* member : {"\"radius\":", "\"speed\":", "\"premovement\":", "\"route\":{\"clearance\":"}) {
      const std::string text =
          profile(std::string(member) + number + (std::string(member).find('{') != std::string::npos ? "}" : ""));
      CAPTURE(text);
      CHECK(validate(text));
      CHECK(read(text).ok());
    }
}
