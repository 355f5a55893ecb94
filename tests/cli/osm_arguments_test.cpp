#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/data.hpp"

using namespace throng::test;
using Json = nlohmann::json;

namespace {

const std::string town = THRONG_SOURCE_DIR "/examples/town_square.osm";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("convert and check read OpenStreetMap, cut to a box") {
  const TempDir folder;
  const ProgramResult whole = run_throng({"check", town, "--json"});
  CHECK(whole.exit_code == 0);
  const Json file = Json::parse(whole.out)["files"][0];
  CHECK(file["format"] == "osm");
  CHECK(file["layers"] == 3);
  CHECK(file["connections"] == 2);
  const ProgramResult part = run_throng({"convert", town, folder / "part.geojson", "--bbox",
                                         "8.9995,49.9995,9.0005,50.0005", "--osm-origin", "9,50", "--json"});
  INFO(part.err);
  CHECK(part.exit_code == 0);
  CHECK(Json::parse(part.out)["area"].get<double>() < file["area"].get<double>());
  CHECK(contains(read_file(folder / "part.geojson"), "\"origin\":[9,50]"));
}

TEST_CASE("OpenStreetMap comes through a pipe, too") {
  const ProgramResult result = run_throng({"check", "-", "--input-format", "osm", "--json"}, read_file(town));
  CHECK(result.exit_code == 0);
  CHECK(Json::parse(result.out)["files"][0]["layers"] == 3);
}

TEST_CASE("the printed table is the built-in one, and can be changed") {
  const TempDir folder;
  const ProgramResult printed = run_throng({"help", "osm-table"});
  CHECK(printed.exit_code == 0);
  write_file(folder / "table.json", printed.out);
  const ProgramResult same = run_throng({"check", town, "--json", "--osm-table", folder / "table.json"});
  CHECK(same.exit_code == 0);
  CHECK(Json::parse(same.out)["files"][0]["hash"] ==
        Json::parse(run_throng({"check", town, "--json"}).out)["files"][0]["hash"]);
  write_file(folder / "table.json", "{\"throng_osm\": 1, \"rulez\": []}");
  const ProgramResult wrong = run_throng({"check", town, "--osm-table", folder / "table.json"});
  CHECK(wrong.exit_code == 1);
  CHECK(contains(wrong.err, "did you mean 'rules'"));
}

TEST_CASE("boxes, origins and storeys that are none are wrong use") {
  CHECK(run_throng({"check", town, "--bbox", "1,2,3"}).exit_code == 2);
  CHECK(run_throng({"check", town, "--bbox", "1,2,3,x"}).exit_code == 2);
  CHECK(run_throng({"convert", town, "-", "--format", "geojson", "--osm-origin", "9"}).exit_code == 2);
  CHECK(run_throng({"check", town, "--osm-storey", "-1"}).exit_code == 2);
  CHECK(run_throng({"check", town, "--osm-table", "/no/such/table.json"}).exit_code == 2);
  CHECK(run_throng({"check", town, "--bbox", "10,2,3,4"}).exit_code == 1);
}

TEST_CASE("people walk through the town of the example, up the stairs too") {
  const ProgramResult result =
      run_throng({"run", THRONG_SOURCE_DIR "/examples/town_square.json", "--until", "120", "--json"});
  INFO(result.err);
  CHECK(result.exit_code == 0);
  const Json run = Json::parse(result.out);
  CHECK(run["arrived"].get<int>() > 20);
  CHECK(run["lost"] == 0);
}
