#include "environment/geojson/large_geojson.hpp"

#include <doctest/doctest.h>

#include "environment/formats/formats.hpp"
#include "environment/same_environment.hpp"
#include "environment/samples.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

std::optional<Environment> in_parts(const std::string& text, std::size_t part) {
  const TempDir folder;
  write_file(folder / "f.geojson", text);
  return read_geojson_in_parts(folder / "f.geojson", part);
}

}  // namespace

TEST_CASE("a file read in parts of any size is the file read as a whole") {
  std::vector<std::string> texts = {station, collection(hall()), "\xef\xbb\xbf" + collection(hall()),
                                    collection(hall(), R"("throng":{"version":1,"origin":[9,50]},"x":"features",)")};
  if (const auto map = data_file("kaiserslautern.geojson")) texts.push_back(test::read_file(*map));
  for (const std::string& text : texts) {
    const Result<Environment> whole = parse_environment("geojson", text, "f");
    REQUIRE(whole.ok());
    for (const std::size_t part : {std::size_t(0), std::size_t(1000), std::size_t(1) << 20}) {
      CAPTURE(part);
      const std::optional<Environment> parts = in_parts(text, part);
      // Warnings are the ordinary reader's to tell.
      CHECK(parts.has_value() == whole.problems().empty());
      if (parts) check_same(*whole, *parts);
    }
  }
}

TEST_CASE("whatever is wrong or unusual is left to the ordinary reader") {
  const std::string good = collection(hall() + "," + hall());
  REQUIRE(in_parts(good, 0));
  const std::string late_layers = R"({"type":"FeatureCollection","features":[)" + hall() +
                                  R"(],"throng":{"version":1,"layers":[{"id":"a"},{"id":"b"}]}})";
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[]"), good.substr(0, good.size() - 2), good + "x", good + "}",
        collection(hall() + ",," + hall()), collection(hall() + ","), collection(""), collection("7"),
        collection(hall() + ",7"), collection(feature("wakable", polygon(square(0, 0, 1)))), late_layers,
        R"({"features":[)" + hall() + R"(],"features":[)" + hall() + "]}",
        R"({"type":"Thing","features":[)" + hall() + "]}", collection(hall() + " " + hall()),
        collection(hall(), R"("a":[1,)"), collection(hall() + "]"), collection("\"features\":[" + hall())}) {
    CAPTURE(text);
    for (const std::size_t part : {std::size_t(0), std::size_t(1) << 20}) CHECK(!in_parts(text, part));
  }
}
