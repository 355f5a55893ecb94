#include "navmesh/obstacle_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/box_index.hpp"
#include "text/nearest_name.hpp"

namespace throng::navmesh {
namespace {

/// Units that snapping moves an edge at most (clean.hpp, law 6).
constexpr double most_moved = 2;

bool is_on(Vec2 p, Vec2 a, Vec2 b, double slack) {
  return squared_length(p - nearest_on(Site{.a = a, .b = b}, p)) <= slack * slack;
}

template <class Visit>
void for_each_edge(const environment::Feature& feature, const Visit& visit) {
  const auto ring = [&](const environment::Ring& points) {
    for (std::size_t i = 0; i < points.size(); ++i) visit(points[i], points[(i + 1) % points.size()]);
  };
  for (const environment::Polygon& polygon : feature.polygons) {
    ring(polygon.outer);
    for (const environment::Ring& hole : polygon.holes) ring(hole);
  }
  for (const environment::Line& line : feature.lines)
    for (std::size_t i = 1; i < line.size(); ++i) visit(line[i - 1], line[i]);
}

geometry::GridBox box_around(const Mesh& mesh, Vec2 a, Vec2 b) {
  const geometry::GridPoint p = mesh.grid.snap(a), q = mesh.grid.snap(b);
  constexpr int more = int(most_moved) + 1;
  return {{std::min(p.x, q.x) - more, std::min(p.y, q.y) - more},
          {std::max(p.x, q.x) + more, std::max(p.y, q.y) + more}};
}

}  // namespace

ObstacleNames::ObstacleNames(const Mesh& mesh, const Obstacles& obstacles, const environment::Environment& plan) {
  const auto has_name = [](const environment::Feature& feature) {
    return feature.kind == environment::Kind::obstacle && !(feature.name.empty() && feature.id.empty());
  };
  if (std::ranges::none_of(plan.features, has_name)) return;
  std::vector<geometry::GridBox> boxes;
  for (const Site& site : mesh.all_sites()) boxes.push_back(box_around(mesh, site.a, site.b));
  const geometry::BoxIndex index(boxes);
  const double slack = most_moved * mesh.grid.unit();
  for (const environment::Feature& feature : plan.features) {
    if (!has_name(feature)) continue;
    Named named{feature.name, feature.id, feature.number, {}};
    for_each_edge(feature, [&](Vec2 a, Vec2 b) {
      if (!mesh.grid.contains(a) || !mesh.grid.contains(b)) return;
      index.for_each_in(box_around(mesh, a, b), [&](std::uint32_t s) {
        const Site& site = mesh.site(s);
        const Index obstacle = obstacles.of_site(s);
        if (site.is_corner() || site.layer != feature.layer || obstacle == none) return;
        if (is_on((site.a + site.b) / 2, a, b, slack) || is_on((a + b) / 2, site.a, site.b, slack))
          named.obstacles.push_back(obstacle);
      });
    });
    std::ranges::sort(named.obstacles);
    named.obstacles.erase(std::unique(named.obstacles.begin(), named.obstacles.end()), named.obstacles.end());
    features_.push_back(std::move(named));
  }
}

std::string ObstacleNames::name_of(Index obstacle) const {
  for (const Named& named : features_)
    if (std::ranges::binary_search(named.obstacles, obstacle)) return named.name.empty() ? named.id : named.name;
  return {};
}

Result<std::vector<Index>> find_obstacles(const Mesh& mesh, const Obstacles& obstacles, const ObstacleNames& names,
                                          const ObstacleRef& wanted, const std::string& origin) {
  const auto refuse = [&](std::string message) {
    return Problem{Severity::error, ProblemCode::value, origin, std::move(message)};
  };
  std::vector<Index> found;
  if (wanted.name.empty()) {
    const Index nearest = obstacles.nearest(mesh, wanted.near);
    if (nearest == none) return refuse(fmt::format("there is no obstacle near {}", wanted.describe));
    found.push_back(nearest);
  } else {
    bool is_known = false;
    std::vector<std::string_view> known;
    for (const ObstacleNames::Named& named : names.features()) {
      for (const std::string* name : {&named.name, &named.id})
        if (!name->empty()) known.push_back(*name);
      if (named.name != wanted.name && named.id != wanted.name) continue;
      is_known = true;
      found.insert(found.end(), named.obstacles.begin(), named.obstacles.end());
    }
    if (!is_known) {
      if (known.empty()) return refuse(fmt::format("no obstacle has a name here, so none is '{}'", wanted.name));
      return refuse(fmt::format("there is no obstacle {}", environment::suggest(wanted.name, known)));
    }
    if (found.empty())
      return refuse(fmt::format("nothing to pass: '{}' has no outline in the free space", wanted.name));
  }
  std::erase_if(found, [&](Index obstacle) { return !obstacles.is_inner(obstacle); });
  if (found.empty()) return refuse(fmt::format("nothing to pass: {} lies around the free space", wanted.describe));
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace throng::navmesh
