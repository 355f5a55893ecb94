#include "recording/jupedsim.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <filesystem>

#include "environment/formats/formats.hpp"
#include "navmesh/build.hpp"
#include "navmesh/random_point.hpp"
#include "recording/crowd.hpp"
#include "recording/tracks.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::recording;
using namespace throng::test;
namespace fs = std::filesystem;

namespace {

/// The rows of a query as text, columns parted by '|', through SQLite itself.
std::vector<std::string> rows(const fs::path& path, const std::string& query) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database, query.c_str(), -1, &statement, nullptr);
  REQUIRE_MESSAGE(code == SQLITE_OK, sqlite3_errmsg(database));
  std::vector<std::string> result;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    std::string row;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
      row += (i > 0 ? "|" : "") + std::string(text == nullptr ? "" : text);
    }
    result.push_back(row);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return result;
}

using Rows = std::vector<std::string>;

const std::string room = "POLYGON ((0 0, 10 0, 10 5.5, 0 5.5, 0 0))";

Meta one_layer() {
  Meta meta = sample_meta();
  meta.layers = {"ground"};
  return meta;
}

void finish(Recorder& recorder) {
  const Result<Written> written = recorder.finish();
  REQUIRE_MESSAGE(written, said(written));
}

/// Even-odd over all rings of all polygons; the boundary belongs to it.
bool covers(const environment::Environment& area, Vec2 p) {
  bool inside = false;
  const auto ring = [&](const environment::Ring& points) {
    for (std::size_t i = 0, j = points.size() - 1; i < points.size(); j = i++) {
      const Vec2 a = points[j], b = points[i];
      if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
    }
  };
  for (const environment::Feature& feature : area.features)
    for (const environment::Polygon& polygon : feature.polygons) {
      ring(polygon.outer);
      for (const environment::Ring& hole : polygon.holes) ring(hole);
    }
  return inside;
}

}  // namespace

TEST_CASE("a JuPedSim file has the tables, types and index that its readers ask for") {
  const TempDir folder;
  const fs::path path = folder / "run.sqlite";
  const Result<std::unique_ptr<Recorder>> recorder = create_jupedsim(path.string(), one_layer(), {room});
  REQUIRE_MESSAGE(recorder, said(recorder));
  const std::vector<std::uint64_t> serials = {3, 70000000000};
  const std::vector<Vec2> positions = {{1.0 / 3, 2}, {4, 5.25}};
  const std::vector<std::uint32_t> layers = {0, 0};
  (*recorder)->agent({.serial = 3});
  (*recorder)->frame({0, 0, serials, positions, layers});
  (*recorder)->frame({1, 0.1, {}, {}, {}});
  (*recorder)->event(0.1, "remove", "{}");
  (*recorder)->metric("flow", "1");
  finish(**recorder);
  CHECK(files_in(folder.path()) == 1);

  CHECK(rows(path, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") ==
        Rows{"frame_data", "geometry", "metadata", "trajectory_data"});
  const auto columns = [&](const std::string& table) {
    return rows(path, "SELECT name, type FROM pragma_table_info('" + table + "')");
  };
  CHECK(columns("trajectory_data") == Rows{"frame|INTEGER", "id|INTEGER", "pos_x|REAL", "pos_y|REAL"});
  CHECK(columns("metadata") == Rows{"key|TEXT", "value|TEXT"});
  CHECK(columns("geometry") == Rows{"hash|INTEGER", "wkt|TEXT"});
  CHECK(columns("frame_data") == Rows{"frame|INTEGER", "geometry_hash|INTEGER"});
  CHECK(rows(path, "SELECT name FROM pragma_index_info('frame_id_idx')") == Rows{"frame", "id"});

  CHECK(rows(path, "SELECT key, value FROM metadata ORDER BY key") ==
        Rows{"fps|10", "version|2", "xmax|10", "xmin|0", "ymax|5.5", "ymin|0"});
  CHECK(rows(path, "SELECT wkt FROM geometry") == Rows{room});
  CHECK(rows(path, "SELECT frame, geometry_hash = (SELECT hash FROM geometry) FROM frame_data") == Rows{"0|1", "1|1"});
  CHECK(rows(path, "SELECT frame, id, pos_x = 1.0 / 3, pos_y FROM trajectory_data") ==
        Rows{"0|3|1|2.0", "0|70000000000|0|5.25"});
  // JuPedSim's reader of version 2.
  CHECK(rows(path, "SELECT id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data WHERE frame == 0 ORDER BY id ASC")
            .size() == 2);
}

TEST_CASE("several layers go to a file each, with the same ids and all frames") {
  const TempDir folder;
  const std::vector<OwnedFrame> frames = random_crowd(6, 30, 25);
  const Result<std::unique_ptr<Recorder>> recorder =
      create_jupedsim((folder / "run.sqlite").string(), sample_meta(), {room, room, room});
  REQUIRE_MESSAGE(recorder, said(recorder));
  feed(**recorder, frames);
  finish(**recorder);
  CHECK(files_in(folder.path()) == 3);
  const std::vector<std::string> names = {"run.ground.sqlite", "run.upper_deck.sqlite", "run.stairs_1.sqlite"};
  for (std::uint32_t layer = 0; layer < 3; ++layer) {
    Rows expected;
    for (const OwnedFrame& frame : frames)
      for (std::size_t i = 0; i < frame.serial.size(); ++i)
        if (frame.layer[i] == layer)
          expected.push_back(std::to_string(frame.number) + "|" + std::to_string(frame.serial[i]));
    CHECK(rows(folder / names[layer], "SELECT frame, id FROM trajectory_data ORDER BY frame, id") == expected);
    CHECK(rows(folder / names[layer], "SELECT count(*) FROM frame_data") == Rows{"25"});
  }
}

TEST_CASE("layers' names become parts of file names") {
  CHECK(layer_path("out/run.sqlite", "upper deck") == "out/run.upper_deck.sqlite");
  CHECK(layer_path("run", "../x") == "run.___x.sqlite");
  CHECK(layer_path("a.b/run", "Größe-1_2") == "a.b/run.Größe-1_2.sqlite");
  CHECK(layer_path("run.db", "0") == "run.0.db");
}

TEST_CASE("JuPedSim files that cannot be made are refused before anything is written") {
  const TempDir folder;
  const std::string path = (folder / "run.sqlite").string();
  CHECK(said(create_jupedsim(path, sample_meta(), {room})).find("3 layers, but walkable areas of 1") !=
        std::string::npos);
  CHECK(said(create_jupedsim(path, one_layer(), {"POLYGON ((0 0, 1"})).find("layer 'ground'") != std::string::npos);
  Meta alike = sample_meta();
  alike.layers = {"a b", "a/b"};
  CHECK(said(create_jupedsim(path, alike, {room, room})).find("same file") != std::string::npos);
  CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("a JuPedSim file gets its name when it is whole, and a second writer is refused until then") {
  const TempDir folder;
  const std::string path = (folder / "run.sqlite").string();
  write_file(path, "old");
  Result<std::unique_ptr<Recorder>> recorder = create_jupedsim(path, one_layer(), {room});
  REQUIRE_MESSAGE(recorder, said(recorder));
  CHECK(read_file(path) == "old");
  CHECK(fs::exists(path + ".part"));
  CHECK(said(create_jupedsim(path, one_layer(), {room})).find("another program is writing it") != std::string::npos);
  (*recorder)->frame({0, 0, {}, {}, {}});
  finish(**recorder);
  CHECK(files_in(folder.path()) == 1);
  CHECK(rows(path, "SELECT count(*) FROM frame_data") == Rows{"1"});
  CHECK(rows(path, "PRAGMA application_id") == Rows{"0"});
}

TEST_CASE("a JuPedSim file whose tables are views, which never end, or computed, is refused") {
  const TempDir folder;
  const std::string path = (folder / "endless.sqlite").string();
  const auto wrong_with = [&](const std::string& tables) {
    fs::remove(path);
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
    REQUIRE(sqlite3_exec(database, tables.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    REQUIRE(sqlite3_close(database) == SQLITE_OK);
    return said(read_jupedsim(path));
  };
  const std::string metadata =
      "CREATE TABLE metadata(key TEXT, value TEXT); INSERT INTO metadata VALUES ('fps', '10');";
  CHECK(wrong_with(metadata +
                   "CREATE VIEW trajectory_data AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
                   "SELECT 0 AS frame, x AS id, 1.0 AS pos_x, 1.0 AS pos_y FROM c")
            .find("has no tables") != std::string::npos);
  CHECK(wrong_with(metadata + "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER, pos_y REAL, pos_x REAL AS "
                              "(length(hex(zeroblob(400000000)))))")
            .find("has no tables") != std::string::npos);
  CHECK(wrong_with(metadata + "CREATE TABLE trajectory_data(frame INTEGER, id INTEGER, pos_x REAL, pos_y REAL); "
                              "INSERT INTO trajectory_data VALUES (0, 1, 9e999, 0)")
            .find("no frame, id and position") != std::string::npos);
}

TEST_CASE("a bad frame ends a JuPedSim file and is said") {
  const TempDir folder;
  const Result<std::unique_ptr<Recorder>> recorder =
      create_jupedsim((folder / "run.sqlite").string(), one_layer(), {room});
  REQUIRE(recorder);
  std::vector<OwnedFrame> frames = random_crowd(4, 10, 8, false);
  for (OwnedFrame& frame : frames) frame.layer.assign(frame.layer.size(), 0);
  frames[5].layer[0] = 1;
  feed(**recorder, frames);
  CHECK(said((*recorder)->finish()).find("frame 5: agent") != std::string::npos);
  CHECK(rows(folder / "run.sqlite", "SELECT count(*) FROM frame_data") == Rows{"5"});
}

TEST_CASE("the walkable area in a JuPedSim file covers every place where people can be") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const Result<environment::Environment> source =
      environment::read_environment(THRONG_SOURCE_DIR "/examples/station.geojson");
  REQUIRE_MESSAGE(source, said(source));
  const Result<environment::CleanEnvironment> clean = environment::clean(*source);
  REQUIRE_MESSAGE(clean, said(clean));
  const Result<std::vector<std::string>> wkts = layer_wkts(*clean);
  REQUIRE_MESSAGE(wkts, said(wkts));
  REQUIRE(wkts->size() == clean->layers.size());
  REQUIRE(wkts->size() > 1);
  const Result<navmesh::MeshPtr> mesh = navmesh::build_mesh(*clean);
  REQUIRE_MESSAGE(mesh, said(mesh));
  for (std::size_t layer = 0; layer < wkts->size(); ++layer) {
    const Result<environment::Environment> area = environment::parse_environment("wkt", (*wkts)[layer], "wkt");
    REQUIRE_MESSAGE(area, said(area));
    for (int i = 0; i < 1000; ++i) {
      const auto place = navmesh::random_point(**mesh, navmesh::Index(layer), random.uniform(0, 1),
                                               random.uniform(0, 1), random.uniform(0, 1));
      REQUIRE(place);
      CHECK_MESSAGE(covers(*area, place->point), place->point.x << ", " << place->point.y << " in layer " << layer);
    }
  }
  // The checker can fail: a place outside of everything.
  CHECK(!covers(*environment::parse_environment("wkt", wkts->front(), "wkt"), {1e5, 1e5}));
}
