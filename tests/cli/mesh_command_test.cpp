#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

const std::string examples = THRONG_SOURCE_DIR "/examples/";

TEST_CASE("mesh --json: the members that were promised, and a valid mesh, on the examples") {
  for (const char* name : {"hall.geojson", "office.geojson", "station.geojson", "spiral.geojson"}) {
    INFO(name);
    const ProgramResult result = run_throng({"mesh", examples + name, "--json"});
    REQUIRE(result.exit_code == 0);
    const Json mesh = Json::parse(result.out);
    for (const char* member : {"layers", "unit", "obstacle_vertices", "vertices", "edges", "annotations", "cells",
                               "passages", "build_ms", "voronoi_ms", "bytes", "valid", "hash"})
      CHECK_MESSAGE(mesh.contains(member), member);
    CHECK(mesh["valid"] == true);
    CHECK(mesh["hash"].get<std::string>().size() == 16);
    CHECK(mesh["build_ms"].get<double>() >= mesh["voronoi_ms"].get<double>());
  }
}

TEST_CASE("mesh: every kind of output is written, and data is read back as the same mesh") {
  const TempDir folder;
  const std::string station = examples + "station.geojson";
  for (const char* ending : {".svg", ".ipe", ".geojson", ".json", ".tmesh"})
    CHECK(run_throng({"mesh", station, "--no-check", "-o", folder / ("out" + std::string(ending))}).exit_code == 0);
  const Json built = Json::parse(run_throng({"mesh", station, "--json"}).out);
  for (const char* name : {"out.tmesh", "out.json"}) {
    INFO(name);
    const ProgramResult result = run_throng({"mesh", folder / name, "--json"});
    REQUIRE(result.exit_code == 0);
    const Json read = Json::parse(result.out);
    for (const char* member : {"hash", "vertices", "edges", "annotations", "cells", "passages", "layers", "unit"})
      CHECK_MESSAGE(read[member] == built[member], member);
    CHECK(read["valid"].is_null());
    // Queries are the same on a mesh that was read.
    const std::string place = "--from=2,2";
    CHECK(run_throng({"see", folder / name, place, "--json"}).out == run_throng({"see", station, place, "--json"}).out);
  }
  const std::string svg = read_file(folder / "out.svg");
  CHECK(svg.find("<svg") != std::string::npos);
  CHECK(svg.find("medial axis") != std::string::npos);
  CHECK(svg.find(" Q ") + svg.find("Q") != 2 * std::string::npos);
  CHECK(read_file(folder / "out.ipe").find("<ipe") != std::string::npos);
  const Json collection = Json::parse(read_file(folder / "out.geojson"));
  CHECK(collection["type"] == "FeatureCollection");
  std::map<std::string, int> kinds;
  for (const Json& feature : collection["features"]) ++kinds[feature["properties"]["kind"]];
  for (const char* kind : {"obstacle_segment", "axis", "vertex", "event", "annotation", "passage", "mesh_connection"})
    CHECK_MESSAGE(kinds[kind] > 0, kind);
  CHECK(kinds["vertex"] == built["vertices"]);
  CHECK(kinds["passage"] == built["passages"]);
}

TEST_CASE("mesh: a damaged .tmesh is refused, an unknown ending is misuse, nothing is left behind") {
  const TempDir folder;
  CHECK(run_throng({"mesh", examples + "hall.geojson", "-o", folder / "hall.tmesh"}).exit_code == 0);
  std::string bytes = read_file(folder / "hall.tmesh");
  bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 1);
  write_file(folder / "hall.tmesh", bytes);
  const ProgramResult damaged = run_throng({"mesh", folder / "hall.tmesh", "-o", folder / "out.svg"});
  CHECK(damaged.exit_code == 1);
  CHECK(damaged.err.find("hall.tmesh") != std::string::npos);
  CHECK(damaged.err.find("checksum") != std::string::npos);
  CHECK(!std::filesystem::exists(folder / "out.svg"));
  CHECK(run_throng({"mesh", examples + "hall.geojson", "-o", folder / "hall.png"}).exit_code == 2);
  CHECK(run_throng({"mesh", folder / "none.geojson"}).exit_code == 1);
  CHECK(run_throng({"mesh", examples + "hall.geojson", "--grid", "-1"}).exit_code == 2);
}

TEST_CASE("see: a polygon, or yes and no; bad places are refused") {
  const std::string hall = examples + "hall.geojson";
  const ProgramResult around = run_throng({"see", hall, "--from", "2,2", "--json"});
  REQUIRE(around.exit_code == 0);
  const Json view = Json::parse(around.out);
  CHECK(view["area"].get<double>() > 1);
  CHECK(view["points"].size() == view["layers"].size());
  CHECK(view["points"].size() >= 3);
  const ProgramResult near = run_throng({"see", hall, "--from", "2,2", "--to", "2.1,2.1", "--radius", "0.1", "--json"});
  REQUIRE(near.exit_code == 0);
  CHECK(Json::parse(near.out)["visible"] == true);
  const ProgramResult far = run_throng({"see", hall, "--from", "2,2", "--to", "1e6,2", "--json"});
  REQUIRE(far.exit_code == 0);
  CHECK(Json::parse(far.out)["visible"] == false);
  CHECK(Json::parse(far.out)["hit"].is_array());
  CHECK(run_throng({"see", hall, "--from", "1e6,2"}).exit_code == 1);
  CHECK(run_throng({"see", hall, "--from", "2,2,attic"}).exit_code == 1);
  CHECK(run_throng({"see", hall, "--from", "here"}).exit_code == 2);
  CHECK(run_throng({"see", hall, "--from", "2,nan"}).exit_code == 2);
  CHECK(run_throng({"see", hall}).exit_code == 2);
  CHECK(run_throng({"see", hall, "--from", "2,2", "--radius", "1"}).exit_code == 2);
}

}  // namespace
}  // namespace throng::test
