// Random polygons and walls in: a mesh that keeps every law out, or a typed refusal. Small coordinates on a coarse
// grid, so that touching, collinear and cocircular features are common; two layers with a connection along their common
// border.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bytes.hpp"
#include "environment/clean/clean.hpp"
#include "navmesh/build.hpp"
#include "navmesh/validate.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

[[noreturn]] void broken(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

/// The first byte chooses how many grid points a side has: few make everything coincide, many nothing.
Vec2 point(fuzz::Bytes& bytes, std::uint32_t side) {
  const auto coordinate = [&] { return double(bytes.take<std::uint16_t>() % side); };
  const double x = coordinate();
  return {x, coordinate()};
}

std::vector<Vec2> points(fuzz::Bytes& bytes, std::uint32_t side, int count) {
  std::vector<Vec2> result;
  for (int i = 0; i < count; ++i) result.push_back(point(bytes, side));
  return result;
}

Ring rectangle(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

Ring rectangle(fuzz::Bytes& bytes, std::uint32_t side) {
  const Vec2 p = point(bytes, side);
  const Vec2 size{double(1 + bytes.take<std::uint8_t>() % 8), double(1 + bytes.take<std::uint8_t>() % 8)};
  return rectangle(p.x, p.y, p.x + size.x, p.y + size.y);
}

/// Doors in the wall between the two layers; where they overlap, clean() refuses.
void add_doors(fuzz::Bytes& bytes, std::uint32_t side, double width, Environment& world) {
  const int count = 1 + bytes.take<std::uint8_t>() % 3;
  for (int i = 0; i < count; ++i) {
    const double low = double(bytes.take<std::uint16_t>() % side), high = double(bytes.take<std::uint16_t>() % side);
    if (low == high) continue;
    world.features.push_back({.kind = Kind::connection,
                              .layer = 0,
                              .other_layer = 1,
                              .lines = {{{width, low}, {width, high}}},
                              .number = world.features.size()});
  }
}

void add_feature(fuzz::Bytes& bytes, std::uint32_t side, Environment& world) {
  const std::uint8_t kind = bytes.take<std::uint8_t>();
  const std::size_t layer = (kind >> 6) % world.layers.size();
  const int count = 3 + kind % 8 / 6 + kind % 8 / 7;  // mostly triangles: more points mostly cross themselves
  Feature feature;
  feature.layer = layer;
  feature.number = world.features.size();
  switch (kind / 8 % 4) {
    case 0: feature.kind = Kind::obstacle, feature.lines = {points(bytes, side, 2 + count % 3)}; break;
    case 3: feature.kind = Kind::obstacle, feature.polygons = {{rectangle(bytes, side), {}}}; break;
    case 1: feature.kind = Kind::opening, feature.polygons = {{points(bytes, side, count), {}}}; break;
    default: feature.kind = Kind::obstacle, feature.polygons = {{points(bytes, side, count), {}}};
  }
  world.features.push_back(feature);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const std::uint8_t shape = bytes.take<std::uint8_t>();
  const std::uint32_t side = 4u << (shape % 8);
  const double width = double(side - 1);
  Environment world;
  world.layers.push_back({"one", {}});
  world.features.push_back({.kind = Kind::walkable, .polygons = {{rectangle(0, 0, width, width), {}}}});
  if (shape & 0x80) {
    world.layers.push_back({"two", {}});
    world.features.push_back(
        {.kind = Kind::walkable, .layer = 1, .polygons = {{rectangle(width, 0, 2 * width, width), {}}}, .number = 1});
    add_doors(bytes, side, width, world);
  }
  while (!bytes.empty() && world.features.size() < 24) add_feature(bytes, side, world);

  const Result<CleanEnvironment> clean = environment::clean(world, {.unit = 1});
  if (!clean) return 0;
  const auto mesh = navmesh::build_mesh(*clean);
  if (!mesh) {
    // A refusal names its place; faults of ours are no refusals.
    for (const Problem& p : mesh.problems()) broken("not meshed: " + to_string(p));
  }
  const Problems problems = navmesh::validate(**mesh, *clean);
  for (const Problem& p : problems) std::fprintf(stderr, "%s\n", to_string(p).c_str());
  if (!problems.empty()) broken("the mesh is not valid");
  return 0;
}
