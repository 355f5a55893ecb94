// Obstacles, regions and the order of passages around them, held to the free polygons of the cleaned environment cut along all passages: the
// plane graph of their edges, walls and passages is walked face by face, and no cell, arc or node of the mesh is asked.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "environment/generate/random_scenes.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/obstacles.hpp"
#include "navmesh/world.hpp"
#include "support/cut_plan.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::test;
using geometry::GridPoint;

namespace {

/// Half edges with free space on the left: of the boundary, cut where passages end, and of passages, both ways.
class CutPolygons {
 public:
  CutPolygons(const environment::CleanLayer& layer, const Mesh& mesh, const Obstacles& obstacles) : mesh_(mesh) {
    add_boundary(layer);
    name_components();
    for (Index p = 0; p < obstacles.passage_count(); ++p) add_passage(obstacles.passage(p));
    for (auto& [edge, cuts] : cuts_) std::ranges::sort(cuts);
    for (auto& [corner, ends] : at_corner_)
      for (const auto& [edge, component] : component_)
        if (edge.first == corner) ends.push_back({direction(edge.first, edge.second), none, edge});
  }

  [[nodiscard]] std::size_t component_count() const { return components_; }
  /// Which piece of boundary a passage that leads out has on its left.
  [[nodiscard]] std::size_t component_left_of(Index directed) const { return component_.at(ends_[directed].edge); }
  [[nodiscard]] std::size_t component_of(const Site& site) const {
    return component_.at({mesh_.grid.snap(site.a), mesh_.grid.snap(site.b)});
  }

  /// The next passage out of the face that a passage leads out of, counterclockwise: on from its left end along the boundary.
  [[nodiscard]] Index next_in_face(Index directed) const {
    const End& end = ends_[directed];
    Edge edge = end.edge;
    if (end.is_corner) {
      const Outgoing& next = after(end.corner, end.spoke);
      if (next.passage != none) return next.passage;
      edge = next.edge;
    } else {
      const auto& cuts = cuts_.at(edge);
      const auto on = std::ranges::upper_bound(cuts, end.along, {}, [](const auto& cut) { return cut.first; });
      if (on != cuts.end()) return on->second;
      return from_corner(edge);
    }
    return along(edge);
  }

 private:
  using Edge = std::pair<GridPoint, GridPoint>;
  struct End {
    Edge edge;  ///< of the boundary, that it lies on; of a corner, one that ends there on that side
    double along = 0;
    bool is_corner = false;
    GridPoint corner;
    Vec2 spoke;  ///< from the corner into the passage
  };
  /// What leaves a corner: an edge of the boundary, or a passage.
  struct Outgoing {
    Vec2 direction;
    Index passage = none;  ///< directed so that it leads out of the face on the left of who sets out there
    Edge edge;
  };

  static Vec2 direction(GridPoint from, GridPoint to) {
    return {double(std::int64_t{to.x} - from.x), double(std::int64_t{to.y} - from.y)};
  }

  void add_boundary(const environment::CleanLayer& layer) {
    const auto ring = [&](const geometry::GridRing& points) {
      for (std::size_t i = 0; i < points.size(); ++i) component_[{points[i], points[(i + 1) % points.size()]}] = none;
    };
    for (const auto& polygon : layer.free) {
      ring(polygon.outer);
      for (const auto& hole : polygon.holes) ring(hole);
    }
    for (const environment::Wall& wall : layer.walls)
      for (std::size_t i = 1; i < wall.points.size(); ++i)
        component_[{wall.points[i - 1], wall.points[i]}] = component_[{wall.points[i], wall.points[i - 1]}] = none;
  }

  /// The boundary's edges one after the other, passages left out.
  void name_components() {
    std::map<GridPoint, std::vector<GridPoint>> leaving;
    for (const auto& [edge, component] : component_) leaving[edge.first].push_back(edge.second);
    for (auto& [first, component] : component_) {
      if (component != none) continue;
      for (Edge edge = first; component_[edge] == none;) {
        component_[edge] = components_;
        const Vec2 back = direction(edge.second, edge.first);
        const auto turn = [&](GridPoint to) { return clockwise(back, direction(edge.second, to)); };
        edge = {edge.second, *std::ranges::min_element(leaving[edge.second], {}, turn)};
      }
      ++components_;
    }
  }

  /// Above 0, up to a full turn.
  static double clockwise(Vec2 from, Vec2 to) {
    double turn = std::atan2(from.y, from.x) - std::atan2(to.y, to.x);
    while (turn <= 0) turn += 2 * std::numbers::pi;
    while (turn > 2 * std::numbers::pi) turn -= 2 * std::numbers::pi;
    return turn;
  }

  /// Directed, who walks along a passage with the face on the left leads from its right end to its left end.
  void add_passage(const Passage& passage) {
    const auto& sides = mesh_.arc(passage.arc).site;
    const End left = end_at(mesh_.site(sides[0]), passage.left, passage.point);
    const End right = end_at(mesh_.site(sides[1]), passage.right, passage.point);
    const Index along = Index(ends_.size()), against = along + 1;
    ends_.push_back(left), ends_.push_back(right);
    // From the left end one sets out to lead out against the arc, from the right end along it.
    set_out(left, against), set_out(right, along);
  }

  void set_out(const End& end, Index directed) {
    if (end.is_corner)
      at_corner_[end.corner].push_back({end.spoke, directed, {}});
    else
      cuts_[end.edge].push_back({end.along, directed});
  }

  [[nodiscard]] End end_at(const Site& site, Vec2 point, Vec2 middle) {
    End end;
    const GridPoint a = mesh_.grid.snap(site.a), b = mesh_.grid.snap(site.b);
    const Vec2 way = site.b - site.a;
    const double along = site.is_corner() ? 0 : dot(point - site.a, way) / squared_length(way);
    end.is_corner = site.is_corner() || along <= 0 || along >= 1;
    if (!end.is_corner) {
      REQUIRE(component_.contains({a, b}));
      end.edge = {a, b}, end.along = along;
      return end;
    }
    end.corner = along >= 1 ? b : a;
    end.spoke = middle - mesh_.grid.to_world(end.corner);
    // The piece of boundary on that side: the next edge clockwise.
    double least = INFINITY;
    for (const auto& [edge, component] : component_)
      if (edge.first == end.corner)
        if (const double turn = clockwise(end.spoke, direction(edge.first, edge.second)); turn < least)
          least = turn, end.edge = edge;
    REQUIRE(least < INFINITY);
    return end;
  }

  /// The first that leaves a corner, clockwise from what one came along.
  [[nodiscard]] const Outgoing& after(GridPoint corner, Vec2 back) const {
    const std::vector<Outgoing>& leaving = at_corner_.at(corner);
    return *std::ranges::min_element(leaving, {}, [&](const Outgoing& out) { return clockwise(back, out.direction); });
  }

  /// The first passage along an edge of the boundary and those after it.
  [[nodiscard]] Index along(const Edge& edge) const {
    const auto cuts = cuts_.find(edge);
    return cuts != cuts_.end() ? cuts->second.front().second : from_corner(edge);
  }

  /// From an edge's end.
  [[nodiscard]] Index from_corner(Edge edge) const {
    for (std::size_t most = component_.size() + 1; most > 0; --most) {
      const Vec2 back = direction(edge.second, edge.first);
      if (const auto passages = at_corner_.find(edge.second); passages != at_corner_.end()) {
        const Outgoing& next = after(edge.second, back);
        if (next.passage != none) return next.passage;
        edge = next.edge;
      } else {
        double least = INFINITY;
        Edge next;
        for (auto at = component_.lower_bound({edge.second, GridPoint{INT32_MIN, INT32_MIN}});
             at != component_.end() && at->first.first == edge.second; ++at)
          if (const double turn = clockwise(back, direction(at->first.first, at->first.second)); turn < least)
            least = turn, next = at->first;
        edge = next;
      }
      if (const auto cuts = cuts_.find(edge); cuts != cuts_.end()) return cuts->second.front().second;
    }
    return none;
  }

  const Mesh& mesh_;
  std::map<Edge, std::size_t> component_;
  std::size_t components_ = 0;
  std::vector<End> ends_;  ///< left ends of directed passages
  std::map<Edge, std::vector<std::pair<double, Index>>> cuts_;
  std::map<GridPoint, std::vector<Outgoing>> at_corner_;  ///< where passages end
};

struct Tally {
  int scenes = 0, passages = 0, at_corners = 0;
};

void hold_to_polygons(const environment::CleanEnvironment& clean, const Mesh& mesh, Tally& tally) {
  const Obstacles obstacles(mesh);
  const CutPolygons polygons(clean.layers[0], mesh, obstacles);
  ++tally.scenes;
  // Obstacles are the pieces of boundary.
  CHECK(obstacles.count() == polygons.component_count());
  std::map<Index, std::size_t> piece_of;
  std::map<std::size_t, Index> obstacle_of;
  const auto agree = [&](Index obstacle, std::size_t piece) {
    CHECK(piece_of.try_emplace(obstacle, piece).first->second == piece);
    CHECK(obstacle_of.try_emplace(piece, obstacle).first->second == obstacle);
  };
  for (Index site = 0; site < mesh.site_count(); ++site)
    if (!mesh.site(site).is_corner() && obstacles.of_site(site) != none)
      agree(obstacles.of_site(site), polygons.component_of(mesh.site(site)));
  // Faces are the regions, and passages lie around them in that order.
  const bool has_own = obstacles.passage_count() == mesh.passage_count();
  std::map<Index, Index> face_of;  // of regions, by the lowest passage of the face
  std::set<Index> seen;
  for (Index p = 0; p < 2 * obstacles.passage_count(); ++p) {
    agree(obstacles.left(p), polygons.component_left_of(p));
    const Index next = polygons.next_in_face(p);
    REQUIRE(next != none);
    CHECK(obstacles.next_left(next ^ 1) == p);
    CHECK(obstacles.next_right(p ^ 1) == next);
    ++tally.passages;
  }
  for (Index first = 0; has_own && first < 2 * mesh.passage_count(); ++first) {
    if (seen.contains(first)) continue;
    const auto out_of = [&](Index p) { return mesh.passage(p / 2).region[p % 2]; };
    CHECK(face_of.try_emplace(out_of(first), first).second);
    for (Index p = first; seen.insert(p).second; p = polygons.next_in_face(p)) CHECK(out_of(p) == out_of(first));
  }
}

void hold_random_scenes(std::uint64_t first, int seeds, Tally& tally) {
  for (int i = 0; i < seeds; ++i)
    for (const environment::SceneKind kind : environment::all_scene_kinds) {
      const std::uint64_t seed = first + std::uint64_t(i);
      INFO("random_scene(" << seed << ", " << environment::name_of(kind) << ")");
      const auto clean = environment::clean(environment::random_scene(seed, kind));
      if (!clean.ok() || clean->layers.size() != 1) continue;
      const auto mesh = build_mesh(*clean);
      if (mesh.ok()) hold_to_polygons(*clean, **mesh, tally);
    }
}

/// Rooms with blocks, whole and cut in two by a slanted line.
void hold_cut_to_whole(std::uint64_t first, int count, Tally& tally) {
  for (std::uint64_t seed = first; count > 0; ++seed) {
    test::Random random(seed);
    const double width = double(random.whole(15, 40)), height = double(random.whole(15, 30));
    World room(box(0, 0, width, height));
    for (int i = int(random.whole(1, 10)); i > 0; --i) {
      const double x = double(random.whole(1, int(width) - 4)), y = double(random.whole(1, int(height) - 4));
      room.obstacle(box(x, y, x + double(random.whole(1, 3)), y + double(random.whole(1, 3))));
    }
    const double below = double(random.whole(3, int(width) - 3)), above = double(random.whole(3, int(width) - 3));
    const auto plan = cut_plan(room.environment(), {{{0, 0}, {below, 0}, {above, height}, {0, height}},
                                                    {{below, 0}, {width, 0}, {width, height}, {above, height}}});
    if (!plan || plan->cut.connections.empty()) continue;
    INFO("cut " << seed);
    const MeshPtr cut = build(plan->cut), whole = build(plan->uncut);
    // Rounding may leave part of a slanted cut closed: another plan.
    if (cut->edge_count() != whole->edge_count() || cut->passage_count() != whole->passage_count()) continue;
    --count;
    const Obstacles of_cut(*cut), of_whole(*whole);
    CHECK(validate_obstacles(*cut, of_cut).empty());
    REQUIRE(of_cut.count() == of_whole.count());
    std::map<Index, Index> same;
    for (Index i = 0; i < of_whole.count(); ++i) {
      const auto outline = of_whole.outline(i);
      for (std::size_t k = 0; k < outline.size(); ++k) {
        const Vec2 a = outline[k].point, b = outline[(k + 1) % outline.size()].point;
        // Just off the middle of a wall, where it is free.
        Place beside{(a + b) / 2 + perpendicular(b - a) * (1e-3 / length(b - a)), 0};
        if (of_whole.nearest(*whole, beside) != i) continue;
        for (; beside.layer < 2 && !locate(*cut, beside); ++beside.layer) {
        }
        REQUIRE(beside.layer < 2);
        const Index there = of_cut.nearest(*cut, beside);
        CHECK(same.try_emplace(i, there).first->second == there);
        CHECK(of_cut[there].turning == of_whole[i].turning);
      }
    }
    std::set<Index> others;
    for (const auto& [one, other] : same) others.insert(other);
    CHECK(others.size() == same.size());
    CHECK(same.size() == of_whole.count());
    ++tally.scenes;
    tally.passages += int(of_cut.passage_count());
  }
}

}  // namespace

TEST_CASE("obstacles and the order of passages are those of the free polygons cut along all passages") {
  Tally tally;
  hold_random_scenes(test_seed(), 12, tally);
  MESSAGE(tally.scenes << " scenes, " << tally.passages << " directed passages");
  CHECK(tally.scenes > 100);
  CHECK(tally.passages > 2000);
}

TEST_CASE("long: obstacles and the order of passages are those of the free polygons, a thousand scenes") {
  Tally tally;
  hold_random_scenes(test_seed() + 1000, 90, tally);
  CHECK(tally.scenes > 900);
}

TEST_CASE("obstacles of cut plans are those of the plans") {
  Tally tally;
  hold_cut_to_whole(test_seed(), 40, tally);
  CHECK(tally.scenes == 40);
}
