// schemas/environment.schema.json and the reader say the same about the structure of a file.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "environment/formats/formats.hpp"
#include "environment/samples.hpp"
#include "support/data.hpp"
#include "support/json_schema.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

const std::string schema = THRONG_SOURCE_DIR "/schemas/environment.schema.json";

bool accepted(const std::string& text) { return parse_environment("geojson", text, "f").ok(); }

}  // namespace

TEST_CASE("the schema accepts what the reader accepts") {
  const SchemaValidator validate(test::read_file(schema));
  CHECK(validate(station));
  CHECK(validate(collection(hall())));
  CHECK(validate(collection(hall(), R"("throng":{"version":1,"grid":{"unit":0.01,"origin":[-12345678901,7]}},)")));
  CHECK(validate(collection(hall(), R"("throng":{"version":1,"origin":[-0.1276,51.5072]},)")));
  CHECK(validate(collection(hall(), R"("crs":{},"x":[1,2],)")));
  const Result<std::string> written = write_environment("geojson", *parse_environment("geojson", station, "f"));
  REQUIRE(written.ok());
  CHECK(validate(*written));
  const auto file = data_file("kaiserslautern.geojson");
  if (file) CHECK(validate(test::read_file(*file)));
}

TEST_CASE("the schema accepts every example") {
  const SchemaValidator validate(test::read_file(schema));
  const std::filesystem::path examples = THRONG_SOURCE_DIR "/examples";
  if (!std::filesystem::exists(examples)) return;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(examples)) {
    if (entry.path().extension() != ".geojson") continue;
    CAPTURE(entry.path());
    const std::string text = test::read_file(entry.path());
    CHECK(validate(text));
    CHECK(accepted(text));
  }
}

TEST_CASE("what is structurally wrong is refused by both") {
  const SchemaValidator validate(test::read_file(schema));
  const std::string shape = polygon(square(1, 1, 1));
  const auto head = [](const std::string& members) { return collection(hall(), R"("throng":{)" + members + "},"); };
  const std::string wrong[] = {
      "[]",
      "{}",
      R"({"type":"FeatureCollection"})",
      R"({"type":"FeatureCollection","features":[]})",
      R"({"type":"FeatureCollection","features":{}})",
      R"({"type":"Feature","features":[]})",
      collection("7"),
      collection(R"({"type":"Thing","properties":{"kind":"obstacle"},"geometry":)" + shape + "}"),
      collection(R"({"type":"Feature","properties":{},"geometry":)" + shape + "}"),
      collection(R"({"type":"Feature","properties":null,"geometry":)" + shape + "}"),
      collection(R"({"type":"Feature","properties":{"kind":"walkable"}})"),
      collection(feature("obstcle", shape)),
      collection(feature("walkable", "null")),
      collection(feature("walkable", "{}")),
      collection(feature("walkable", R"({"type":"Poligon","coordinates":[]})")),
      collection(feature("walkable", R"({"type":"Point","coordinates":[1,2]})")),
      collection(feature("walkable", line("[0,0],[1,1]"))),
      collection(feature("walkable", polygon(""))),
      collection(feature("walkable", polygon("[]"))),
      collection(feature("walkable", polygon("[[1,2]]"))),
      collection(feature("walkable", polygon("[1,2],[3,4]"))),
      collection(feature("walkable", polygon("[[1,2],[\"3\",4],[5,6]]"))),
      collection(feature("walkable", polygon("[[1,2],[3],[5,6]]"))),
      collection(feature("walkable", polygon("[[1,2],[3,1e300],[5,6]]"))),
      collection(feature("walkable", shape, ",\"layer\":0")),
      collection(feature("obstacle", shape, ",\"name\":7")),
      collection(feature("obstacle", line("[1,1]"))),
      collection(feature("region", shape)),
      collection(feature("region", shape, ",\"type\":7")),
      collection(feature("area", shape)),
      collection(feature("area", shape, ",\"name\":\"\"")),
      collection(feature("connection", line("[0,0],[1,1]"))),
      collection(feature("connection", line("[0,0],[1,1],[2,2]"), R"(,"layers":["a","b"])")),
      collection(feature("connection", shape, R"(,"layers":["a","b"])")),
      collection(feature("connection", line("[0,0],[1,1]"), R"(,"layers":["a","a"])")),
      head(R"("layers":[{"id":"a"}])"),
      head(R"("version":2)"),
      head(R"("version":1,"layer":[])"),
      head(R"("version":1,"layers":[])"),
      head(R"("version":1,"layers":[{}])"),
      head(R"("version":1,"layers":[{"id":1}])"),
      head(R"("version":1,"layers":[{"id":"a","height":1}])"),
      head(R"("version":1,"layers":[{"id":"a","elevation":"1"}])"),
      head(R"("version":1,"layers":[{"id":"a","elevation":{"stairs":true}}])"),
      head(R"("version":1,"layers":[{"id":"a","elevation":{"ramp":[[0,0,0]]}}])"),
      head(R"("version":1,"layers":[{"id":"a","elevation":{"ramp":[[0,0],[1,1]]}}])"),
      head(R"("version":1,"grid":{"origin":[0,0]})"),
      head(R"("version":1,"grid":{"unit":0.001,"origin":[0.5,0]})"),
      head(R"("version":1,"grid":{"unit":0.001,"origin":[0]})"),
      head(R"("version":1,"origin":{})"),
      head(R"("version":1,"origin":[7])"),
      head(R"("version":1,"origin":[7,91])"),
      head(R"("version":1,"origin":["7","51"])"),
  };
  for (const std::string& text : wrong) {
    CAPTURE(text);
    CHECK(!accepted(text));
    CHECK(!validate(text));
  }
}
