#include "benchmarks/detour_peer.hpp"

#ifdef THRONG_WITH_RECAST

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <Recast.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "navmesh/locate.hpp"
#include "navmesh/piece.hpp"

namespace throng::bench {

namespace {

constexpr int most_path_polygons = 65535;
constexpr int most_straight_points = 16384;
constexpr int node_pool = 65535;
constexpr double tile_metres = 48;
/// More columns than this take Recast several gigabytes.
constexpr double most_columns = 60e6;
constexpr unsigned short walkable_flag = 1;

struct HeightfieldFree {
  void operator()(rcHeightfield* p) const { rcFreeHeightField(p); }
  void operator()(rcCompactHeightfield* p) const { rcFreeCompactHeightfield(p); }
  void operator()(rcContourSet* p) const { rcFreeContourSet(p); }
  void operator()(rcPolyMesh* p) const { rcFreePolyMesh(p); }
  void operator()(dtNavMesh* p) const { dtFreeNavMesh(p); }
  void operator()(dtNavMeshQuery* p) const { dtFreeNavMeshQuery(p); }
};
template <class T>
using Owned = std::unique_ptr<T, HeightfieldFree>;

constexpr float wall_height = 2.5f;

struct Triangle {
  std::array<Vec2, 3> corner;
  std::array<float, 3> height{};
  bool wall = false;
};

/// Triangles of the ground and of the walls around it, in metres from the map's lower left corner.
struct Ground {
  Vec2 origin, size;
  std::vector<Triangle> triangles;
};

Ground ground_of(const navmesh::Mesh& mesh) {
  Ground ground;
  Vec2 low = mesh.node(0).point, high = low;
  for (const navmesh::Site& site : mesh.all_sites()) {
    low = {std::min(low.x, site.a.x), std::min(low.y, site.a.y)};
    high = {std::max(high.x, site.a.x), std::max(high.y, site.a.y)};
  }
  ground.origin = low;
  ground.size = high - low;
  for (navmesh::Index cell = 0; cell < mesh.cell_count(); ++cell) {
    const navmesh::Piece& piece = mesh.locator->piece(cell);
    ground.triangles.push_back({{piece.foot_left - low, piece.foot_right - low, piece.node_right - low}});
    ground.triangles.push_back({{piece.foot_left - low, piece.node_right - low, piece.node_left - low}});
  }
  for (const navmesh::Site& site : mesh.all_sites()) {
    if (site.is_corner()) continue;
    const Vec2 a = site.a - low, b = site.b - low;
    ground.triangles.push_back({{a, b, b}, {0, 0, wall_height}, true});
    ground.triangles.push_back({{a, b, a}, {0, wall_height, wall_height}, true});
  }
  return ground;
}

rcConfig config_of(const DetourSettings& settings) {
  rcConfig config{};
  config.cs = float(settings.cell);
  config.ch = 0.2f;
  config.walkableSlopeAngle = 45;
  config.walkableHeight = 10;
  config.walkableClimb = 4;
  config.walkableRadius = int(std::ceil(settings.radius / settings.cell - 1e-9));
  config.maxEdgeLen = int(12 / settings.cell);
  config.maxSimplificationError = 1.3f;
  config.minRegionArea = 8 * 8;
  config.mergeRegionArea = 20 * 20;
  config.maxVertsPerPoly = 6;
  return config;
}

struct TileData {
  unsigned char* data = nullptr;
  int size = 0;
  bool empty = false;
};

bool overlaps(const Triangle& triangle, const rcConfig& config) {
  const std::array<Vec2, 3>& t = triangle.corner;
  const auto [x0, x1] = std::minmax({t[0].x, t[1].x, t[2].x});
  const auto [y0, y1] = std::minmax({t[0].y, t[1].y, t[2].y});
  return x1 >= double(config.bmin[0]) && x0 <= double(config.bmax[0]) && y1 >= double(config.bmin[2]) &&
         y0 <= double(config.bmax[2]);
}

/// Detour has 64 areas; none is 0, and 63 is Recast's walkable one.
constexpr std::size_t most_kinds = 62;

/// Tells each column the kind of ground at its centre.
void mark_areas(const rcConfig& config, const DetourSettings& settings, const Ground& ground,
                rcCompactHeightfield& compact) {
  for (int y = 0; y < compact.height; ++y)
    for (int x = 0; x < compact.width; ++x) {
      const Vec2 at{double(config.bmin[0]) + (x + 0.5) * double(config.cs),
                    double(config.bmin[2]) + (y + 0.5) * double(config.cs)};
      const rcCompactCell& cell = compact.cells[x + y * compact.width];
      const unsigned first = cell.index, end = first + cell.count;
      for (unsigned i = first; i < end; ++i)
        if (compact.areas[i] != RC_NULL_AREA)
          compact.areas[i] =
              static_cast<unsigned char>(1 + std::min(most_kinds - 1, settings.kind_at(ground.origin + at)));
    }
}

Owned<rcCompactHeightfield> voxelise(rcContext& context, const rcConfig& config, const DetourSettings& settings,
                                     const Ground& ground, const std::vector<std::size_t>& triangles) {
  Owned<rcHeightfield> solid(rcAllocHeightfield());
  if (!rcCreateHeightfield(&context, *solid, config.width, config.height, config.bmin, config.bmax, config.cs,
                           config.ch))
    return nullptr;
  for (const std::size_t i : triangles) {
    std::array<std::array<float, 3>, 3> v{};
    const Triangle& t = ground.triangles[i];
    for (std::size_t k = 0; k < 3; ++k) v[k] = {float(t.corner[k].x), t.height[k], float(t.corner[k].y)};
    rcRasterizeTriangle(&context, v[0].data(), v[1].data(), v[2].data(), t.wall ? RC_NULL_AREA : RC_WALKABLE_AREA,
                        *solid, config.walkableClimb);
  }
  Owned<rcCompactHeightfield> compact(rcAllocCompactHeightfield());
  if (!rcBuildCompactHeightfield(&context, config.walkableHeight, config.walkableClimb, *solid, *compact) ||
      !rcErodeWalkableArea(&context, config.walkableRadius, *compact))
    return nullptr;
  if (settings.kind_at) mark_areas(config, settings, ground, *compact);
  const bool built =
      rcBuildDistanceField(&context, *compact) &&
      rcBuildRegions(&context, *compact, config.borderSize, config.minRegionArea, config.mergeRegionArea);
  return built ? std::move(compact) : nullptr;
}

/// The navigation data of one tile, or of the whole map.
TileData build_tile(const rcConfig& config, const DetourSettings& settings, const Ground& ground,
                    const std::vector<std::size_t>& triangles, int x, int y, std::string& reason) {
  rcContext context(false);
  TileData tile;
  const Owned<rcCompactHeightfield> compact = voxelise(context, config, settings, ground, triangles);
  Owned<rcContourSet> contours(rcAllocContourSet());
  Owned<rcPolyMesh> polygons(rcAllocPolyMesh());
  const bool built = compact &&
                     rcBuildContours(&context, *compact, config.maxSimplificationError, config.maxEdgeLen, *contours) &&
                     rcBuildPolyMesh(&context, *contours, config.maxVertsPerPoly, *polygons);
  if (!built) return reason = "Recast cannot build it: more contours or vertices than it holds", tile;
  if (polygons->npolys == 0) return reason = "no polygons", tile.empty = true, tile;
  std::fill_n(polygons->flags, polygons->npolys, walkable_flag);
  dtNavMeshCreateParams params{};
  params.verts = polygons->verts;
  params.vertCount = polygons->nverts;
  params.polys = polygons->polys;
  params.polyAreas = polygons->areas;
  params.polyFlags = polygons->flags;
  params.polyCount = polygons->npolys;
  params.nvp = polygons->nvp;
  params.walkableHeight = 2;
  params.walkableRadius = float(settings.radius);
  params.walkableClimb = 0.8f;
  params.tileX = x;
  params.tileY = y;
  std::copy_n(polygons->bmin, 3, params.bmin);
  std::copy_n(polygons->bmax, 3, params.bmax);
  params.cs = config.cs;
  params.ch = config.ch;
  params.buildBvTree = true;
  if (!dtCreateNavMeshData(&params, &tile.data, &tile.size)) reason = "Detour refuses the mesh that Recast made";
  return tile;
}

void set_bounds(rcConfig& config, Vec2 low, Vec2 high) {
  const std::array<float, 3> bmin{float(low.x), -1, float(low.y)};
  const std::array<float, 3> bmax{float(high.x), 3, float(high.y)};
  std::copy_n(bmin.begin(), 3, config.bmin);
  std::copy_n(bmax.begin(), 3, config.bmax);
}

std::array<float, 3> position(Vec2 p, const Ground& ground) {
  return {float(p.x - ground.origin.x), 0, float(p.y - ground.origin.y)};
}

}  // namespace

struct DetourPeer::State {
  Ground ground;
  DetourSettings settings;
  rcConfig config{};
  Owned<dtNavMesh> mesh;
  Owned<dtNavMeshQuery> query;
  dtQueryFilter filter;
  dtPolyRef from = 0, to = 0;
  std::array<float, 3> from_point{}, to_point{};
  std::vector<dtPolyRef> path;
  std::vector<float> straight;
  int path_count = 0, straight_count = 0;

  bool build_solo(std::string& reason) {
    const double columns = ground.size.x * ground.size.y / (settings.cell * settings.cell);
    if (columns > most_columns) {
      reason = fmt::format("not tried: {:.0f} million columns at once", columns / 1e6);
      return false;
    }
    set_bounds(config, {0, 0}, ground.size);
    rcCalcGridSize(config.bmin, config.bmax, config.cs, &config.width, &config.height);
    std::vector<std::size_t> all(ground.triangles.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const TileData tile = build_tile(config, settings, ground, all, 0, 0, reason);
    if (tile.data == nullptr) return false;
    const bool taken = dtStatusSucceed(mesh->init(tile.data, tile.size, DT_TILE_FREE_DATA));
    if (!taken) reason = "Detour does not take a mesh of that size";
    return taken;
  }

  bool build_tiled(std::string& reason) {
    const int tile_cells = int(tile_metres / settings.cell);
    const double side = tile_cells * settings.cell;
    const int columns = int(ground.size.x / side) + 1;
    const int rows = int(ground.size.y / side) + 1;
    dtNavMeshParams params{};
    params.tileWidth = params.tileHeight = float(side);
    params.maxTiles = 1;
    while (params.maxTiles < columns * rows) params.maxTiles *= 2;
    params.maxPolys = (1 << 22) / params.maxTiles;
    if (dtStatusFailed(mesh->init(&params))) return reason = "too many tiles", false;
    config.borderSize = config.walkableRadius + 3;
    config.width = config.height = tile_cells + 2 * config.borderSize;
    const double border = config.borderSize * settings.cell;
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < columns; ++x) {
        const Vec2 low{x * side - border, y * side - border};
        set_bounds(config, low, low + Vec2{side + 2 * border, side + 2 * border});
        std::vector<std::size_t> here;
        for (std::size_t i = 0; i < ground.triangles.size(); ++i)
          if (overlaps(ground.triangles[i], config)) here.push_back(i);
        const TileData tile = build_tile(config, settings, ground, here, x, y, reason);
        if (tile.empty) continue;
        if (tile.data == nullptr) return false;
        if (dtStatusFailed(mesh->addTile(tile.data, tile.size, DT_TILE_FREE_DATA, 0, nullptr)))
          return reason = "a tile has more polygons than Detour numbers", false;
      }
    }
    return true;
  }
};

bool has_detour() { return true; }

DetourPeer::DetourPeer(std::unique_ptr<State> state) : state_(std::move(state)) {}
DetourPeer::~DetourPeer() = default;

std::unique_ptr<DetourPeer> DetourPeer::build(const navmesh::Mesh& mesh, const DetourSettings& settings,
                                              std::string& reason) {
  auto state = std::make_unique<State>();
  state->ground = ground_of(mesh);
  state->settings = settings;
  state->config = config_of(settings);
  state->mesh.reset(dtAllocNavMesh());
  state->query.reset(dtAllocNavMeshQuery());
  if (!(settings.tiled ? state->build_tiled(reason) : state->build_solo(reason))) return nullptr;
  if (dtStatusFailed(state->query->init(state->mesh.get(), node_pool))) return reason = "no query", nullptr;
  for (std::size_t kind = 0; kind < settings.weight_of_kind.size() && kind < most_kinds; ++kind)
    state->filter.setAreaCost(int(1 + kind), float(settings.weight_of_kind[kind]));
  state->path.resize(most_path_polygons);
  state->straight.resize(3 * most_straight_points);
  return std::unique_ptr<DetourPeer>(new DetourPeer(std::move(state)));
}

double DetourPeer::eroded() const { return state_->config.walkableRadius * state_->settings.cell; }

std::size_t DetourPeer::polygon_count() const {
  std::size_t count = 0;
  const dtNavMesh& mesh = *state_->mesh;
  for (int i = 0; i < mesh.getMaxTiles(); ++i)
    if (const dtMeshTile* tile = mesh.getTile(i); tile->header != nullptr)
      count += std::size_t(tile->header->polyCount);
  return count;
}

bool DetourPeer::locate(Vec2 from, Vec2 to) {
  State& s = *state_;
  const std::array<float, 3> extents{1, 2, 1};
  const auto a = position(from, s.ground), b = position(to, s.ground);
  s.from = s.to = 0;
  s.query->findNearestPoly(a.data(), extents.data(), &s.filter, &s.from, s.from_point.data());
  s.query->findNearestPoly(b.data(), extents.data(), &s.filter, &s.to, s.to_point.data());
  return s.from != 0 && s.to != 0;
}

bool DetourPeer::find() {
  State& s = *state_;
  const dtStatus found = s.query->findPath(s.from, s.to, s.from_point.data(), s.to_point.data(), &s.filter,
                                           s.path.data(), &s.path_count, most_path_polygons);
  s.straight_count = 0;
  if (dtStatusFailed(found) || dtStatusDetail(found, DT_PARTIAL_RESULT) || s.path_count == 0) return false;
  const dtStatus straight =
      s.query->findStraightPath(s.from_point.data(), s.to_point.data(), s.path.data(), s.path_count, s.straight.data(),
                                nullptr, nullptr, &s.straight_count, most_straight_points);
  return dtStatusSucceed(straight) && !dtStatusDetail(straight, DT_BUFFER_TOO_SMALL);
}

std::vector<Vec2> DetourPeer::points() const {
  std::vector<Vec2> points;
  for (int i = 0; i < state_->straight_count; ++i) {
    const float* p = &state_->straight[std::size_t(3 * i)];
    points.push_back(state_->ground.origin + Vec2{double(p[0]), double(p[2])});
  }
  return points;
}

}  // namespace throng::bench

#else

namespace throng::bench {

struct DetourPeer::State {};

bool has_detour() { return false; }
DetourPeer::DetourPeer(std::unique_ptr<State> state) : state_(std::move(state)) {}
DetourPeer::~DetourPeer() = default;
std::unique_ptr<DetourPeer> DetourPeer::build(const navmesh::Mesh&, const DetourSettings&, std::string& reason) {
  return reason = "librecast-dev was not there when this was built", nullptr;
}
double DetourPeer::eroded() const { return 0; }
std::size_t DetourPeer::polygon_count() const { return 0; }
bool DetourPeer::locate(Vec2, Vec2) { return false; }
bool DetourPeer::find() { return false; }
std::vector<Vec2> DetourPeer::points() const { return {}; }

}  // namespace throng::bench

#endif
