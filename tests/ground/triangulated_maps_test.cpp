// Triangulations of whole maps against their laws: all examples, and the real maps of the data folder.
#include <doctest/doctest.h>

#include <filesystem>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "support/data.hpp"
#include "support/triangulation_laws.hpp"

using namespace throng;
using namespace throng::test;

namespace {

/// Borders of free space, regions and walls of a layer, rounded together.
std::vector<GridSegment> borders_of(const environment::CleanLayer& layer) {
  std::vector<GridSegment> segments;
  const auto add = [&](const geometry::GridRing& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) segments.push_back({ring[i], ring[(i + 1) % ring.size()]});
  };
  const auto add_polygons = [&](const std::vector<geometry::GridPolygon>& polygons) {
    for (const auto& polygon : polygons) {
      add(polygon.outer);
      for (const auto& hole : polygon.holes) add(hole);
    }
  };
  add_polygons(layer.free);
  for (const auto& region : layer.regions) add_polygons(region.polygons);
  for (const auto& wall : layer.walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i) segments.push_back({wall.points[i - 1], wall.points[i]});
  std::vector<GridSegment> links;
  for (const geometry::Link& link : geometry::snap_round(segments)) links.push_back({link.a, link.b});
  return links;
}

std::size_t check_map(const std::filesystem::path& file) {
  INFO(file.filename().string());
  const auto read = environment::read_environment(file.string());
  REQUIRE(read.ok());
  const auto clean = environment::clean(*read);
  REQUIRE(clean.ok());
  std::size_t points = 0;
  for (const auto& layer : clean->layers) {
    const std::vector<GridSegment> links = borders_of(layer);
    const auto made = geometry::triangulate(links);
    REQUIRE(made.ok());
    if (!made->triangles.empty()) CHECK(fault_of(*made, links) == "");
    points += made->points.size();
  }
  return points;
}

}  // namespace

TEST_CASE("triangulation: the examples and real maps are exactly constrained Delaunay") {
  std::size_t maps = 0, points = 0;
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/examples")) {
    const std::string kind = entry.path().extension().string();
    if (kind != ".geojson" && kind != ".osm") continue;
    points += check_map(entry.path());
    ++maps;
  }
  CHECK(maps > 5);
  for (const char* name : {"kaiserslautern.geojson", "Milan_1_512.poly", "Berlin_0_256.poly", "Sydney_2_1024.poly"})
    if (const auto file = data_file(name)) points += check_map(*file);
  CHECK(points > 500);
}
