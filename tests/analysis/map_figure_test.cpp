#include "analysis/map_figure.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "environment/sketch.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using namespace analysis;
using environment::CleanEnvironment;
using environment::Elevation;
using environment::rectangle;
using environment::Sketch;

double brightness(Pixel p) { return 0.2126 * p.red + 0.7152 * p.green + 0.0722 * p.blue; }

TEST_CASE("colour scales change in brightness in one direction only: they can be read without colour") {
  const ColourScale density = density_scale(4), speed = speed_scale(1.5);
  for (int i = 1; i <= 100; ++i) {
    CHECK(brightness(density.at(0.04 * i)) <= brightness(density.at(std::max(0.01, 0.04 * (i - 1)))) + 1);
    CHECK(brightness(speed.at(0.015 * i)) >= brightness(speed.at(0.015 * (i - 1))) - 1);
  }
  for (std::size_t i = 1; i < level_count; ++i)
    CHECK(brightness(level_colour(i)) < brightness(level_colour(i - 1)) - 5);
  CHECK(density.at(0).alpha == 0);
  CHECK(density.at(99) == density.at(4));
  CHECK(density.at(std::numeric_limits<double>::quiet_NaN()).alpha == 0);
}

TEST_CASE("a simplified way is never further off than asked, and keeps its ends") {
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  for (int round = 0; round < 50; ++round) {
    std::vector<Vec2> way{{0, 0}};
    for (int i = 0; i < 200; ++i) way.push_back(way.back() + Vec2{random.uniform(-0.2, 1), random.uniform(-0.6, 0.6)});
    const double tolerance = random.uniform(0.01, 2);
    const std::vector<Vec2> result = simplified(way, tolerance);
    CHECK(result.front() == way.front());
    CHECK(result.back() == way.back());
    std::size_t piece = 0;
    for (const Vec2 p : way) {
      if (piece + 1 < result.size() && p == result[piece + 1]) ++piece;
      double nearest = 1e9;
      for (const std::size_t k : {piece, piece + 1}) {
        if (k == 0 || k >= result.size()) continue;
        const Vec2 a = result[k - 1], along = result[k] - a;
        const double part = std::clamp(dot(p - a, along) / std::max(1e-12, squared_length(along)), 0.0, 1.0);
        nearest = std::min(nearest, std::sqrt(squared_length(p - a - along * part)));
      }
      CHECK(nearest <= tolerance + 1e-9);
    }
  }
  CHECK(simplified({{0, 0}, {1, 0}, {2, 0}}, 0.01).size() == 2);
  CHECK(simplified({{0, 0}, {5, 0}, {0, 0}}, 0.01).size() == 3);  // there and back
  CHECK(simplified({{1, 1}}, 1).size() == 1);
}

TEST_CASE("PNG files hold the squares they were made of; base64 is that of RFC 4648") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64(std::string("\xff\x00\xfe", 3)) == "/wD+");
  const Result<std::string> png = png_of({{255, 0, 0}, {0, 255, 0}, {0, 0, 255, 128}, {1, 2, 3, 0}}, 2);
  REQUIRE(png.ok());
  // Read by other means: sizes from the header, and rows through zlib in Python.
  const ProgramResult read = run_program({"python3", "-c",
                                          "import sys, zlib, struct\n"
                                          "b = sys.stdin.buffer.read(); assert b[:8] == b'\\x89PNG\\r\\n\\x1a\\n'\n"
                                          "at, data = 8, b''\n"
                                          "while at < len(b):\n"
                                          "    n, kind = struct.unpack('>I4s', b[at:at+8])\n"
                                          "    if kind == b'IHDR': print(*struct.unpack('>IIBB', b[at+8:at+18]))\n"
                                          "    if kind == b'IDAT': data += b[at+8:at+8+n]\n"
                                          "    at += 12 + n\n"
                                          "raw = zlib.decompress(data); print(len(raw))\n"},
                                         *png);
  CHECK_MESSAGE(read.exit_code == 0, read.err);
  CHECK(read.out == "2 2 8 6\n18\n");
}

/// A lower floor, an upper floor with a gap over the stairs between them.
CleanEnvironment two_floors(bool with_gap) {
  Sketch sketch("floors",
                {{"lower", {.z = 0}},
                 {"upper", {.z = 4}},
                 {"stairs", {.ramp = true, .stairs = true, .from = {10, 5}, .to = {14, 5}, .z_from = 0, .z_to = 4}}});
  sketch.walkable({rectangle({0, 0}, {10, 10}), {}}, 0);
  sketch.walkable({rectangle({with_gap ? 14.0 : 10.5, 0}, {24, 10}), {}}, 1);
  sketch.walkable({rectangle({10, 4}, {14, 6}), {}}, 2);
  sketch.connection({10, 4}, {10, 6}, 0, 2);
  if (with_gap) sketch.connection({14, 4}, {14, 6}, 2, 1);
  const Result<CleanEnvironment> clean = environment::clean(sketch.environment());
  REQUIRE(clean.ok());
  return *clean;
}

TEST_CASE("storeys are drawn from the highest to the lowest, stairs where there is a gap for them") {
  const CleanEnvironment world = two_floors(true);
  const CrowdMaps maps = CrowdMapper(world).finish();
  const std::vector<Sheet> sheets = sheets_of(world, maps);
  REQUIRE(sheets.size() == 2);
  CHECK(sheets[0].title == "upper (4 m)");
  CHECK(sheets[0].layers == std::vector<std::size_t>{1, 2});
  CHECK(sheets[1].layers == std::vector<std::size_t>{0});
  CHECK(sheets[0].world.min.x == 10);
  CHECK(sheets[0].world.max.x == 24);
}

TEST_CASE("stairs below a closed floor are drawn on the storey below") {
  const CleanEnvironment world = two_floors(false);
  const CrowdMaps maps = CrowdMapper(world).finish();
  const std::vector<Sheet> sheets = sheets_of(world, maps);
  REQUIRE(sheets.size() == 2);
  CHECK(sheets[0].layers == std::vector<std::size_t>{1});
  CHECK(sheets[1].layers == std::vector<std::size_t>{0, 2});
}

TEST_CASE("every storey of a map has its squares, and people are in those of their own storey") {
  RecordedRun run;
  run.environment = two_floors(true);
  CrowdMapper empty(run.environment), with_somebody(run.environment);
  const std::vector<Presence> somebody{{{5, 5}, 0, 1.0, true}};
  for (int second = 0; second < 4; ++second) {
    empty.add(second, {}, 1);
    with_somebody.add(second, somebody, 1);
  }
  run.maps = std::move(empty).finish();
  const std::vector<Sheet> sheets = sheets_of(run.environment, run.maps);
  REQUIRE(sheets.size() == 2);
  const auto images_of = [&](const RecordedRun& of, MapKind kind) {
    const Result<std::string> svg = draw_map(of, sheets, kind, density_scale(4), {"map", "map"});
    REQUIRE(svg.ok());
    std::vector<std::string> images;
    for (std::size_t at = svg->find("<image "); at != std::string::npos; at = svg->find("<image ", at + 1))
      images.push_back(svg->substr(at, svg->find("/>", at) - at));
    return images;
  };
  RecordedRun visited = run;
  visited.maps = std::move(with_somebody).finish();
  for (const MapKind kind : {MapKind::mean_density, MapKind::maximum_density, MapKind::lasting_level}) {
    const std::vector<std::string> before = images_of(run, kind), after = images_of(visited, kind);
    REQUIRE(before.size() == 2);
    REQUIRE(after.size() == 2);
    CHECK(before[0] == after[0]);  // the upper storey
    if (kind != MapKind::lasting_level) CHECK(before[1] != after[1]);
  }
}

TEST_CASE("one layer is one sheet without a title") {
  Sketch sketch("room");
  sketch.walkable({rectangle({0, 0}, {10, 4}), {}});
  const Result<CleanEnvironment> world = environment::clean(sketch.environment());
  REQUIRE(world.ok());
  const std::vector<Sheet> sheets = sheets_of(*world, CrowdMapper(*world).finish());
  REQUIRE(sheets.size() == 1);
  CHECK(sheets[0].title.empty());
}

TEST_CASE("a figure of very many ways keeps to its size") {
  Sketch sketch("room");
  sketch.walkable({rectangle({0, 0}, {100, 50}), {}});
  RecordedRun run;
  run.environment = *environment::clean(sketch.environment());
  run.maps = CrowdMapper(run.environment).finish();
  run.meta.populations = {"everybody"};
  Random random(test_seed());
  for (int i = 0; i < 500; ++i) {
    Track& track = run.tracks.emplace_back();
    track.walker = std::size_t(i);
    for (int k = 0; k < 400; ++k) track.points.push_back({random.uniform(0, 100), random.uniform(0, 50)});
  }
  run.people_with_tracks = run.tracks.size();
  const std::vector<Sheet> sheets = sheets_of(run.environment, run.maps);
  const auto [svg, people] = draw_ways(run, sheets, 200'000, {"ways", "ways"});
  CHECK(people < 500);
  CHECK(people > 10);
  CHECK(svg.size() < 210'000);
  CHECK(svg.size() > 20'000);
  CHECK(run_program({"rsvg-convert"}, svg).exit_code == 0);
  CHECK(draw_ways(run, sheets, 10'000'000, {"ways", "ways"}).people == 500);
}

TEST_CASE("ways are drawn over the types of ground, each in its colour and in the legend") {
  Sketch sketch("park");
  sketch.walkable({rectangle({0, 0}, {40, 20}), {}});
  sketch.region("grass", {rectangle({5, 0}, {15, 20}), {rectangle({8, 8}, {10, 10})}});
  sketch.region("water", {rectangle({20, 0}, {25, 10}), {}});
  RecordedRun run;
  run.environment = *environment::clean(sketch.environment());
  run.maps = CrowdMapper(run.environment).finish();
  run.meta.populations = {"everybody"};
  const std::vector<Sheet> sheets = sheets_of(run.environment, run.maps);
  const std::string svg = draw_ways(run, sheets, 200'000, {"ways", "ways"}).svg;
  const auto count = [&](const std::string& text) {
    std::size_t times = 0;
    for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++times;
    return times;
  };
  CHECK(count(R"(<path class="region")") == 2);
  CHECK(count(R"(<rect class="region")") == 2);
  CHECK(count("<title>grass</title>") == 1);
  CHECK(count(">water</text>") == 1);
  CHECK(run_program({"rsvg-convert"}, svg).exit_code == 0);
}

TEST_CASE("round_up gives the next round number") {
  CHECK(round_up(0) == 0.1);
  CHECK(round_up(0.5) == 0.5);
  CHECK(round_up(0.51) == 1);
  CHECK(round_up(3.2) == 4);
  CHECK(round_up(11) == 15);
}

}  // namespace
}  // namespace throng::test
