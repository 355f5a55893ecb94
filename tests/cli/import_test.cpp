// Plans and models of other programs, from the file to a running crowd, as a user goes about it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "environment/dxf/dxf_samples.hpp"
#include "support/data.hpp"

using namespace throng::test;
using Json = nlohmann::json;

namespace {

const std::string examples = std::string(THRONG_SOURCE_DIR) + "/examples/";

}  // namespace

TEST_CASE("import: everybody leaves the twelve rooms of a CAD plan") {
  const ProgramResult check = run_throng({"check", examples + "office_plan.json", "--json"});
  CHECK(check.exit_code == 0);
  const ProgramResult run = run_throng({"run", examples + "office_plan.json", "--json"});
  REQUIRE(run.exit_code == 0);
  const Json result = Json::parse(run.out);
  CHECK(result["agents"] == 72);
  CHECK(result["arrived"] == 72);
  CHECK(result["stuck"] == 0);
}

TEST_CASE("import: a CAD plan is converted with the user's layers and units, and back again") {
  const TempDir folder;
  const std::string plan = folder / "plan.dxf";
  write_file(plan, dxf(dxf_rectangle({0, 0}, {400, 300}, "X1") + dxf_rectangle({100, 100}, {200, 200}, "X2"), 0));
  const ProgramResult result = run_throng(
      {"convert", plan, folder / "plan.geojson", "--json", "--units", "cm", "--walls", "x1", "--obstacles", "X2, Y*"});
  REQUIRE(result.exit_code == 0);
  CHECK(Json::parse(result.out)["area"] == 11.0);
  REQUIRE(run_throng({"convert", folder / "plan.geojson", folder / "back.dxf"}).exit_code == 0);
  REQUIRE(run_throng({"convert", folder / "back.dxf", folder / "back.geojson"}).exit_code == 0);
  CHECK(read_file(folder / "back.geojson") == read_file(folder / "plan.geojson"));
  CHECK(run_throng({"convert", plan, folder / "x.svg", "--gap", "-1"}).exit_code == 2);
  CHECK(run_throng({"convert", plan, folder / "x.svg", "--units", "mile"}).exit_code == 2);
}

TEST_CASE("import: what could not be closed is drawn red, also of a plan that is refused") {
  const TempDir folder;
  const std::string plan = folder / "plan.dxf", picture = folder / "open.svg";
  write_file(plan, dxf(dxf_line({0, 0}, {4, 0}) + dxf_line({4, 0}, {4, 3}) + dxf_line({4, 3}, {0.1, 3})));
  const ProgramResult result = run_throng({"check", plan, "--open-ends", picture});
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("plan.dxf: at (0.1, 3)") != std::string::npos);
  const std::string svg = read_file(picture);
  CHECK(svg.find("2 walls end in the open") != std::string::npos);
  CHECK(svg.find("#d50000") != std::string::npos);
  write_file(folder / "a.wkt", "POLYGON((0 0,1 0,1 1,0 0))");
  CHECK(run_throng({"check", folder / "a.wkt", "--open-ends", picture}).exit_code == 2);
}

TEST_CASE("import: a route through a 3D model leads down from one storey to the other") {
  const std::string model = examples + "two_storeys.obj";
  const ProgramResult stairs = run_throng({"route", model, "--from", "17,5,level-2", "--to", "5,5,level-1", "--json"});
  REQUIRE(stairs.exit_code == 0);
  CHECK(Json::parse(stairs.out)["found"] == true);
  CHECK(Json::parse(stairs.out)["length"] < 16.0);
  const ProgramResult ramp = run_throng({"route", model, "--from", "29,11,level-2", "--to", "1,11,level-1", "--json"});
  REQUIRE(ramp.exit_code == 0);
  CHECK(Json::parse(ramp.out)["length"] < 30.0);
  const ProgramResult run = run_throng({"run", examples + "two_storeys.json", "--json"});
  REQUIRE(run.exit_code == 0);
  CHECK(Json::parse(run.out)["arrived"] == 60);
}

TEST_CASE("import: a model with z up, or in centimetres, says so") {
  const TempDir folder;
  write_file(folder / "floor.obj", "v 0 0 0\nv 400 0 0\nv 400 400 0\nv 0 400 0\nf 1 2 3 4\n");
  CHECK(run_throng({"check", folder / "floor.obj"}).exit_code == 1);
  const ProgramResult result = run_throng({"check", folder / "floor.obj", "--up", "z", "--scale", "0.01", "--json"});
  CHECK(result.exit_code == 0);
  CHECK(Json::parse(result.out)["files"][0]["area"] == 16.0);
  CHECK(run_throng({"check", folder / "floor.obj", "--slope", "95"}).exit_code == 2);
}
