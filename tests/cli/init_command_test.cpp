#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/data.hpp"

using namespace throng::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

TEST_CASE("init makes a scenario and an environment that check and run at once") {
  const TempDir folder;
  const std::string name = folder / "new/town";
  const ProgramResult made = run_throng({"init", name});
  CHECK(made.exit_code == 0);
  const ProgramResult checked = run_throng({"check", name + "/scenario.json", name + "/environment.geojson"});
  INFO(checked.err);
  CHECK(checked.exit_code == 0);
  CHECK(checked.err == "");
  const ProgramResult run = run_throng({"run", name + "/scenario.json", "--json"});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  const Json result = Json::parse(run.out);
  CHECK(result["arrived"].get<int>() >= 100);
  CHECK(result["lost"] == 0);
  CHECK(read_file(name + "/scenario.json").find("// ") != std::string::npos);
}

TEST_CASE("init leaves alone what is there") {
  const TempDir folder;
  write_file(folder / "mine", "precious");
  const ProgramResult refused = run_throng({"init", folder / "mine", "--json"});
  CHECK(refused.exit_code == 1);
  CHECK(Json::parse(refused.out)["created"].empty());
  CHECK(read_file(folder / "mine") == "precious");
  fs::create_directory(folder / "empty");
  CHECK(run_throng({"init", folder / "empty"}).exit_code == 1);
  CHECK(fs::is_empty(folder / "empty"));
  CHECK(run_throng({"init", "/proc/no/such"}).exit_code == 1);
}
