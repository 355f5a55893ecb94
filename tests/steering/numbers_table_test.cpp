// docs/steering.md lists every number of every method with its default, what was published and where: as the registry has it.
#include <doctest/doctest.h>

#include <cstdlib>
#include <sstream>

#include "steering/avoider.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::steering;

namespace {

std::string shown(const agents::Parameter& parameter, double value) {
  std::ostringstream text;
  if (parameter.choices.empty())
    text << value << (parameter.unit.empty() ? "" : " ") << parameter.unit;
  else
    text << parameter.choices.at(std::size_t(value));
  return text.str();
}

std::string table() {
  std::ostringstream text;
  text << "| method | number | default | published | source |\n| --- | --- | ---: | ---: | --- |\n";
  for (const Avoider* avoider : avoiders())
    for (const agents::Parameter& parameter : avoider->info().parameters)
      text << "| `" << avoider->info().name << "` | `" << parameter.name << "` | " << shown(parameter, parameter.value)
           << " | " << (parameter.published ? shown(parameter, *parameter.published) : "") << " | " << parameter.source
           << " |\n";
  return text.str();
}

}  // namespace

TEST_CASE("docs: the table of numbers in docs/steering.md is what the methods say (THRONG_UPDATE=1 writes it)") {
  const std::string path = THRONG_SOURCE_DIR "/docs/steering.md";
  const std::string docs = test::read_file(path), begin = "<!-- numbers -->\n", end = "<!-- end of numbers -->";
  const std::size_t first = docs.find(begin), last = docs.find(end);
  REQUIRE(first != std::string::npos);
  REQUIRE(last != std::string::npos);
  const std::size_t from = first + begin.size();
  if (std::getenv("THRONG_UPDATE") != nullptr)
    test::write_file(path, docs.substr(0, from) + table() + docs.substr(last));
  else
    CHECK_MESSAGE(docs.substr(from, last - from) == table(), "run THRONG_UPDATE=1 build/release/test_steering");
}
