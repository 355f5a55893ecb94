#include "geometry/snap_rounding.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "geometry/random.hpp"
#include "support/random.hpp"

using namespace throng::geometry;

namespace {

using Undirected = std::set<std::pair<GridPoint, GridPoint>>;

Undirected undirected(const std::vector<Link>& links) {
  Undirected set;
  for (const Link& link : links) set.insert(std::minmax(link.a, link.b));
  return set;
}

/// Whether two segments have a common point other than common end points.
bool interfere(const GridSegment& s, const GridSegment& t) {
  if (properly_cross(s, t)) return true;
  const auto inside = [](const GridSegment& u, GridPoint p) { return p != u.a && p != u.b && on_segment(u.a, u.b, p); };
  return inside(s, t.a) || inside(s, t.b) || inside(t, s.a) || inside(t, s.b);
}

}  // namespace

TEST_CASE("properly_cross, rounded_crossing: halves round up") {
  const GridSegment rising{{0, 0}, {3, 3}};
  const GridSegment falling{{0, 3}, {3, 0}};
  CHECK(properly_cross(rising, falling));
  CHECK(rounded_crossing(rising, falling) == GridPoint{2, 2});
  CHECK(rounded_crossing({{-3, -3}, {0, 0}}, {{-3, 0}, {0, -3}}) == GridPoint{-1, -1});
  CHECK(!properly_cross(rising, {{0, 0}, {3, 0}}));
  CHECK(!properly_cross(rising, {{1, 1}, {3, 0}}));
  // The largest coordinates there are: nothing overflows.
  const std::int32_t m = max_coordinate;
  CHECK(rounded_crossing({{-m, -m}, {m, m}}, {{-m, m}, {m, -m}}) == GridPoint{0, 0});
}

TEST_CASE("pixels are half-open: left and lower border belong to them") {
  CHECK(passes_pixel({{-5, 0}, {5, 0}}, {0, 0}));
  CHECK(!passes_pixel({{-5, 1}, {5, 1}}, {0, 0}));
  // Through (-1/2, y): the left border; through (1/2, y): the right one, which belongs to the next pixel.
  CHECK(passes_pixel({{-1, -1}, {0, 1}}, {0, 0}));
  CHECK(passes_pixel({{-1, 1}, {0, -1}}, {-1, 0}));
  // The line y = x + 1 meets the closed pixel of (0, 0) in its upper left corner only, which is not its own.
  CHECK(!passes_pixel({{-2, -1}, {2, 3}}, {0, 0}));
  // y = x - 1 meets the lower right corner only: not its own either. y = -x - 1 the lower left one, which is.
  CHECK(!passes_pixel({{-2, -3}, {2, 1}}, {0, 0}));
  CHECK(passes_pixel({{-2, 1}, {1, -2}}, {0, 0}));
  CHECK(!passes_pixel({{-1, 2}, {2, -1}}, {0, 0}));  // upper right corner
}

TEST_CASE("a segment passes the pixels of its own ends, whatever its direction") {
  for (std::int32_t x = -3; x <= 3; ++x) {
    for (std::int32_t y = -3; y <= 3; ++y) {
      if (x == 0 && y == 0) continue;
      CHECK(passes_pixel({{0, 0}, {x, y}}, {0, 0}));
      CHECK(passes_pixel({{0, 0}, {x, y}}, {x, y}));
    }
  }
}

TEST_CASE("a crossing becomes a vertex of both segments") {
  const std::vector<Link> links = snap_round({{{0, 0}, {10, 10}}, {{0, 10}, {10, 0}}});
  CHECK(undirected(links) == Undirected{{{0, 0}, {5, 5}}, {{5, 5}, {10, 10}}, {{0, 10}, {5, 5}}, {{5, 5}, {10, 0}}});
}

TEST_CASE("a segment is led through an end point that it passes") {
  const std::vector<Link> links = snap_round({{{0, 0}, {100, 1}}, {{20, 0}, {20, -50}}});
  CHECK(undirected(links).contains({{0, 0}, {20, 0}}));
  CHECK(undirected(links).contains({{20, 0}, {100, 1}}));
}

TEST_CASE("collinear overlaps become shared links") {
  const std::vector<Link> links = snap_round({{{0, 0}, {10, 0}}, {{4, 0}, {20, 0}}});
  CHECK(undirected(links) == Undirected{{{0, 0}, {4, 0}}, {{4, 0}, {10, 0}}, {{10, 0}, {20, 0}}});
}

TEST_CASE("random segments: disjoint, near, in order, settled, whatever order they come in") {
  const std::uint64_t seed = throng::test::test_seed();
  for (std::uint32_t round = 0; round < 60; ++round) {
    INFO("THRONG_TEST_SEED=" << seed);
    CAPTURE(round);
    RandomStream random(seed, {.number = round});
    const std::int32_t size = round % 3 == 0 ? 12 : round % 3 == 1 ? 200 : 1'000'000;
    const auto coordinate = [&] { return std::int32_t(random.below(std::uint32_t(2 * size + 1))) - size; };
    std::vector<GridSegment> segments(4 + round % 30);
    for (GridSegment& s : segments) s = {{coordinate(), coordinate()}, {coordinate(), coordinate()}};

    const std::vector<Link> links = snap_round(segments);
    const Undirected set = undirected(links);
    const std::vector<std::pair<GridPoint, GridPoint>> all(set.begin(), set.end());
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j)
        REQUIRE(!interfere({all[i].first, all[i].second}, {all[j].first, all[j].second}));

    // The links of each segment lead from its start to its end (as a set of steps: in equals out everywhere else).
    for (std::uint32_t s = 0; s < segments.size(); ++s) {
      std::int64_t steps_x = 0;
      std::int64_t steps_y = 0;
      for (const Link& link : links)
        if (link.source == s) steps_x += link.b.x - link.a.x, steps_y += link.b.y - link.a.y;
      CHECK(steps_x == segments[s].b.x - segments[s].a.x);
      CHECK(steps_y == segments[s].b.y - segments[s].a.y);
    }

    std::vector<GridSegment> shuffled(segments.rbegin(), segments.rend());
    for (GridSegment& s : shuffled) std::swap(s.a, s.b);
    shuffled.push_back(segments[0]);
    CHECK(undirected(snap_round(shuffled)) == set);

    if (size > 1000) {  // law 4: denser ones may have stopped before they drifted
      std::vector<GridSegment> again;
      for (const Link& link : links) again.push_back({link.a, link.b});
      CHECK(undirected(snap_round(again)) == set);
    }
  }
}

TEST_CASE("segments that were pasted a thousand times cost what one of each costs, and round as it does") {
  const std::vector<GridSegment> plan{
      {{0, 0}, {100, 7}}, {{50, -20}, {48, 90}}, {{0, 60}, {100, 60}}, {{9, 80}, {9, 0}}};
  std::vector<GridSegment> pasted;
  for (int i = 0; i < 1000; ++i)
    for (const GridSegment& s : plan) pasted.push_back(i % 2 == 0 ? s : GridSegment{s.b, s.a});
  RoundingBudget budget{.pairs = 6, .crossings = 6};
  const std::vector<Link> links = snap_round(pasted, HotFirst::everything, &budget);
  CHECK(!budget.is_spent);
  CHECK(undirected(links) == undirected(snap_round(plan)));
  CHECK(links.size() == 1000 * snap_round(plan).size());
}

TEST_CASE("a heap of segments is given up once its budget is spent") {
  std::vector<GridSegment> heap;
  for (std::int32_t i = 0; i < 100; ++i) {
    heap.push_back({{10 * i, 0}, {10 * i + 5, 1000}});
    heap.push_back({{0, 10 * i}, {1000, 10 * i + 5}});
  }
  for (const HotFirst first : {HotFirst::everything, HotFirst::end_points}) {
    RoundingBudget enough;
    CHECK(!snap_round(heap, first, &enough).empty());
    CHECK(!enough.is_spent);
    RoundingBudget few_crossings{.crossings = 1000};
    CHECK(snap_round(heap, first, &few_crossings).empty());
    CHECK(few_crossings.is_spent);
    RoundingBudget few_pairs{.pairs = 1000};
    CHECK(snap_round(heap, first, &few_pairs).empty());
    CHECK(few_pairs.is_spent);
    RoundingBudget few_segments{.segments = 199};
    CHECK(snap_round(heap, first, &few_segments).empty());
    CHECK(few_segments.is_spent);
  }
}
