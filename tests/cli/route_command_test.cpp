// `throng route` on grids and with alternatives, as a user asks for them.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

const std::string office = THRONG_SOURCE_DIR "/examples/office.geojson";
const std::string quarter = THRONG_SOURCE_DIR "/examples/quarter.geojson";

TEST_CASE("route --alternatives: ascending, the first is the shortest route, each drawn in a colour of its own") {
  const TempDir folder;
  const std::vector<std::string> ends{"route", quarter, "--from", "5,5", "--to", "110,75", "--json"};
  std::vector<std::string> words = ends;
  words.insert(words.end(), {"--alternatives", "3", "-o", folder / "ways.svg"});
  const ProgramResult result = run_throng(words);
  REQUIRE(result.exit_code == 0);
  const Json json = Json::parse(result.out);
  CHECK(json["found"] == true);
  CHECK(json["complete"] == true);
  REQUIRE(json["alternatives"].size() == 3);
  std::vector<double> lengths;
  for (const Json& way : json["alternatives"]) {
    lengths.push_back(way["length"]);
    CHECK(way["points"].size() >= 2);
    CHECK(!way["segments"].empty());
  }
  CHECK(std::is_sorted(lengths.begin(), lengths.end()));
  words = ends;
  words.insert(words.end(), {"--method", "shortest"});
  CHECK(Json::parse(run_throng(words).out)["length"].get<double>() == doctest::Approx(lengths[0]).epsilon(1e-6));
  const std::string picture = read_file(folder / "ways.svg");
  for (const char* mark : {"\"route-1-", "\"route-2-", "\"route-3-", "#c83c00", "#005aaa", "#00785a"})
    CHECK(picture.find(mark) != std::string::npos);
}

TEST_CASE("route --surface: grids of every kind by every search") {
  for (const char* surface : {"grid4", "grid8", "hex"})
    for (const char* search : {"astar", "dijkstra", "weighted", "best-first", "beam", "bidirectional", "ara", "ana"}) {
      INFO(surface << " " << search);
      const ProgramResult result = run_throng({"route", office, "--from", "2,2", "--to", "30,8", "--surface", surface,
                                               "--search", search, "--cell", "0.4", "--width", "10000", "--json"});
      REQUIRE(result.exit_code == 0);
      const Json json = Json::parse(result.out);
      REQUIRE(json["found"] == true);
      CHECK(json["surface"] == surface);
      CHECK(json["search"] == search);
      CHECK(json["expansions"] > 0);
      const std::string name = search;
      if (name == "best-first")
        CHECK(json["bound"] == nullptr);
      else
        CHECK(json["bound"] == (name == "weighted" ? 2.5 : 1.0));
      CHECK(json.contains("stages") == (name == "ara" || name == "ana"));
    }
}

TEST_CASE("route: what does not go together, and numbers out of range, are refused with what is wrong") {
  const auto misuse = [](std::vector<std::string> extra, const char* what) {
    std::vector<std::string> words{"route", office, "--from", "2,2", "--to", "30,8"};
    words.insert(words.end(), extra.begin(), extra.end());
    const ProgramResult result = run_throng(words);
    CHECK(result.exit_code == 2);
    CHECK_MESSAGE(result.err.find(what) != std::string::npos, result.err);
  };
  for (const char* count : {"0", "-1", "101"}) misuse({"--alternatives", count}, "from 1 to 100");
  misuse({"--alternatives", "3", "--surface", "hex"}, "not on a grid");
  misuse({"--alternatives", "3", "--method", "medial"}, "--method does not go with");
  misuse({"--search", "ara"}, "goes with --surface");
  misuse({"--surface", "grid4", "--cell", "0"}, "--cell wants");
  misuse({"--surface", "grid4", "--search", "beam", "--width", "0"}, "--width wants");
  misuse({"--surface", "grid4", "--search", "weighted", "--weight", "0.5"}, "--weight wants");
  const ProgramResult fine =
      run_throng({"route", office, "--from", "2,2", "--to", "30,8", "--surface", "grid4", "--cell", "0.0001"});
  CHECK(fine.exit_code == 1);
  CHECK(fine.err.find("million cells") != std::string::npos);
}

}  // namespace
}  // namespace throng::test
