#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "environment/samples.hpp"
#include "support/data.hpp"

using namespace throng::test;
using Json = nlohmann::json;

namespace {

std::size_t files_in(const TempDir& folder) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++count;
  return count;
}

}  // namespace

TEST_CASE("convert: every written format comes out of one file") {
  const TempDir folder;
  write_file(folder / "in.geojson", collection(hall() + "," + feature("obstacle", polygon(square(3, 3, 2)))));
  for (const char* ending : {"geojson", "json", "wkt", "poly", "dxf", "svg", "ipe"}) {
    CAPTURE(ending);
    const std::string out = folder / (std::string("out.") + ending);
    const ProgramResult result = run_throng({"convert", folder / "in.geojson", out, "--json"});
    CHECK(result.exit_code == 0);
    const Json object = Json::parse(result.out);
    CHECK(object["converted"] == true);
    CHECK(object["bytes"] == read_file(out).size());
    CHECK(object["area"] == 396.0);
  }
  CHECK(files_in(folder) == 8);
}

TEST_CASE("convert: what was converted converts to the same bytes") {
  const TempDir folder;
  write_file(folder / "a.geojson", station);
  REQUIRE(run_throng({"convert", folder / "a.geojson", folder / "b.geojson"}).exit_code == 0);
  REQUIRE(run_throng({"convert", folder / "b.geojson", folder / "c.geojson"}).exit_code == 0);
  CHECK(read_file(folder / "b.geojson") == read_file(folder / "c.geojson"));
  CHECK(read_file(folder / "b.geojson").find("\"grid\"") != std::string::npos);
}

TEST_CASE("convert --source keeps the features; --grid is recorded with them") {
  const TempDir folder;
  write_file(folder / "a.geojson", station);
  REQUIRE(run_throng({"convert", "--source", folder / "a.geojson", folder / "b.geojson"}).exit_code == 0);
  const Json plain = Json::parse(read_file(folder / "b.geojson"));
  CHECK(plain["features"].size() == 11);
  CHECK(plain["features"][1]["properties"]["name"] == "kiosk");
  CHECK(!plain["throng"].contains("grid"));
  REQUIRE(run_throng({"convert", "--source", "--grid", "0.01", folder / "a.geojson", folder / "b.geojson"}).exit_code ==
          0);
  CHECK(Json::parse(read_file(folder / "b.geojson"))["throng"]["grid"]["unit"] == 0.01);
}

TEST_CASE("convert: bad input leaves the output as it was, and nothing beside it") {
  const TempDir folder;
  write_file(folder / "out.geojson", "precious");
  const std::string bad[] = {"",
                             "{",
                             station.substr(0, station.size() - 3),
                             collection(feature("wakable", polygon(square(0, 0, 1)))),
                             collection(hall() + "," + feature("obstacle", polygon("[[1,1],[3,3],[3,1],[1,3],[1,1]]"))),
                             collection(hall() + "," + feature("obstacle", polygon("[[1,1],[3,1e300],[3,1],[1,1]]")))};
  for (const std::string& text : bad) {
    write_file(folder / "in.geojson", text);
    const ProgramResult result = run_throng({"convert", folder / "in.geojson", folder / "out.geojson"});
    CHECK(result.exit_code == 1);
    CHECK(result.err.find("error: ") != std::string::npos);
    CHECK(read_file(folder / "out.geojson") == "precious");
    CHECK(files_in(folder) == 2);
  }
  // Even onto itself.
  const ProgramResult result = run_throng({"convert", folder / "in.geojson", folder / "in.geojson"});
  CHECK(result.exit_code == 1);
  CHECK(read_file(folder / "in.geojson") == bad[5]);
}

TEST_CASE("convert: what a format cannot hold leaves the output as it was") {
  const TempDir folder;
  write_file(folder / "in.geojson", station);
  write_file(folder / "out.wkt", "precious");
  const ProgramResult layers = run_throng({"convert", folder / "in.geojson", folder / "out.wkt"});
  CHECK(layers.exit_code == 1);
  CHECK(layers.err.find("--layer") != std::string::npos);
  CHECK(read_file(folder / "out.wkt") == "precious");
  const ProgramResult walls = run_throng({"convert", folder / "in.geojson", folder / "out.poly", "--layer", "ground"});
  CHECK(walls.exit_code == 1);
  CHECK(!std::filesystem::exists(folder / "out.poly"));
  CHECK(run_throng({"convert", folder / "in.geojson", folder / "out.wkt", "--layer", "ground"}).exit_code == 0);
  CHECK(read_file(folder / "out.wkt").starts_with("GEOMETRYCOLLECTION"));
}

TEST_CASE("convert: an output that cannot be written is an error that names it") {
  const TempDir folder;
  write_file(folder / "in.geojson", station);
  const ProgramResult result = run_throng({"convert", folder / "in.geojson", folder / "none/out.svg", "--json"});
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("none/out.svg") != std::string::npos);
  CHECK(Json::parse(result.out)["converted"] == false);
}

TEST_CASE("convert: a replaced file keeps its permissions; a link's target is replaced") {
  const TempDir folder;
  write_file(folder / "in.geojson", station);
  write_file(folder / "out.svg", "old");
  std::filesystem::permissions(folder / "out.svg",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  REQUIRE(run_throng({"convert", folder / "in.geojson", folder / "out.svg"}).exit_code == 0);
  struct stat status {};
  REQUIRE(::stat((folder / "out.svg").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  std::filesystem::create_symlink(folder / "out.svg", folder / "link.svg");
  write_file(folder / "out.svg", "old");
  REQUIRE(run_throng({"convert", folder / "in.geojson", folder / "link.svg"}).exit_code == 0);
  CHECK(std::filesystem::is_symlink(folder / "link.svg"));
  CHECK(read_file(folder / "out.svg").size() > 100);
}

TEST_CASE("convert: pipes") {
  const ProgramResult result =
      run_throng({"convert", "-", "-", "--input-format", "wkt", "--format", "poly"}, "POLYGON((0 0,4 0,4 3,0 0))");
  CHECK(result.exit_code == 0);
  CHECK(result.out == "poly\n1\n1\n3 0 0 4 0 4 3\n");
}

TEST_CASE("convert: wrong use is 2 and says how") {
  const TempDir folder;
  write_file(folder / "in.geojson", station);
  const std::string in = folder / "in.geojson";
  const std::vector<std::string> wrong[] = {{"convert", in},
                                            {"convert", in, folder / "out.dwg"},
                                            {"convert", in, folder / "out.map"},
                                            {"convert", in, folder / "out.svg", "--source"},
                                            {"convert", in, folder / "out.svg", "--grid", "0"},
                                            {"convert", in, folder / "out.svg", "--grid", "nan"},
                                            {"convert", in, folder / "out.svg", "--grid", "one"},
                                            {"convert", in, folder / "out.svg", "--format", "pdf"},
                                            {"convert", in, "-", "--format", "wkt", "--json"},
                                            {"convert", in, folder / "out.svg", "third"},
                                            {"convert", in, folder / "out.svg", "--colour"}};
  for (const auto& words : wrong) {
    const ProgramResult result = run_throng(words);
    CHECK(result.exit_code == 2);
    CHECK(!result.err.empty());
    CHECK(result.out.empty());
  }
  CHECK(files_in(folder) == 1);
}

TEST_CASE("convert: everything in the data folder, to everything that can hold it") {
  const TempDir folder;
  for (const char* name : {"kaiserslautern.geojson", "Berlin_0_256.poly", "Milan_1_512.poly", "Sydney_2_1024.poly"}) {
    const auto file = data_file(name);
    if (!file) return;
    CAPTURE(name);
    const Json original = Json::parse(run_throng({"check", "--json", file->string()}).out)["files"][0];
    for (const char* ending : {"geojson", "wkt", "svg", "ipe"}) {
      CAPTURE(ending);
      const std::string out = folder / (std::string("out.") + ending);
      CHECK(run_throng({"convert", file->string(), out}).exit_code == 0);
      if (ending != std::string("geojson") && ending != std::string("wkt")) continue;
      const Json again = Json::parse(run_throng({"check", "--json", out}).out)["files"][0];
      CHECK(again["area"] == original["area"]);
      CHECK(again["clean_vertices"] == original["clean_vertices"]);
    }
  }
}
