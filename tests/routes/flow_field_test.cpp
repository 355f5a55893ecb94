// Flow fields against an oracle, against a fine grid, against the planner, and by following them.
#include "routes/flow_field.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "navmesh/visibility.hpp"
#include "routes/held_to_oracle.hpp"
#include "routes/worlds.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

struct Fields {
  World world;
  std::shared_ptr<const CorridorTiles> tiles;

  explicit Fields(World w) : world(std::move(w)), tiles(std::make_shared<const CorridorTiles>(world.graph)) {}
  [[nodiscard]] FlowField to(const std::vector<FlowGoal>& goals, double radius) const {
    return FlowField(tiles, goals, radius);
  }
  [[nodiscard]] FlowField::Answer ask(const FlowField& field, const Place& place) const {
    const Located at = locate(*world.mesh, place);
    REQUIRE(at);
    return field.ask(place.point, at.cell);
  }
};

/// Dijkstra on a grid over all layers, over every step of the 32 directions of (1,0) ... (4,3) along which the disc can slide: an
/// upper bound of the true distance, and in the open at most 1.3 % above it.
class GridOracle {
 public:
  GridOracle(const Mesh& mesh, const std::vector<FlowGoal>& goals, double radius, std::size_t about)
      : mesh_(mesh), radius_(radius) {
    Vec2 low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    for (const Node& node : mesh.all_nodes()) {
      low = {std::min(low.x, node.point.x), std::min(low.y, node.point.y)};
      high = {std::max(high.x, node.point.x), std::max(high.y, node.point.y)};
    }
    pitch_ = std::sqrt((high.x - low.x) * (high.y - low.y) / double(about));
    origin_ = low;
    columns_ = long((high.x - low.x) / pitch_) + 1;
    rows_ = long((high.y - low.y) / pitch_) + 1;
    for (Index layer = 0; layer < mesh.layers.size(); ++layer)
      for (long y = 0; y < rows_; ++y)
        for (long x = 0; x < columns_; ++x) add({{low.x + pitch_ * double(x), low.y + pitch_ * double(y)}, layer});
    run(goals);
  }

  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] bool is_free(std::size_t i) const { return cells_[i] != navmesh::none; }
  [[nodiscard]] const Place& place(std::size_t i) const { return places_[i]; }
  [[nodiscard]] double to_goal(std::size_t i) const { return distance_[i]; }
  [[nodiscard]] double pitch() const { return pitch_; }

 private:
  using Entry = std::pair<double, std::size_t>;

  void add(const Place& place) {
    const Located at = locate(mesh_, place);
    places_.push_back(place);
    cells_.push_back(at && at.clearance >= radius_ && layer_at(mesh_, at.cell, place.point) == place.layer
                         ? at.cell
                         : navmesh::none);
  }

  void reach(std::size_t i, double distance) {
    if (distance >= distance_[i]) return;
    distance_[i] = distance;
    open_.push({distance, i});
  }

  /// Everything near a place that the disc can slide to.
  void look_around(const Place& from, double so_far, long column, long row) {
    for (long dy = -4; dy <= 4; ++dy) {
      for (long dx = -4; dx <= 4; ++dx) {
        const long x = column + dx, y = row + dy;
        if (x < 0 || y < 0 || x >= columns_ || y >= rows_) continue;
        for (Index layer = 0; layer < mesh_.layers.size(); ++layer) {
          const std::size_t i = std::size_t((long(layer) * rows_ + y) * columns_ + x);
          if (!is_free(i)) continue;
          const double length = ::distance(from.point, places_[i].point);
          if (so_far + length < distance_[i] && visible(mesh_, from, places_[i], radius_)) reach(i, so_far + length);
        }
      }
    }
  }

  void run(const std::vector<FlowGoal>& goals) {
    distance_.assign(places_.size(), INFINITY);
    for (const FlowGoal& goal : goals) {
      const Vec2 at = (goal.place.point - origin_) / pitch_;
      look_around(goal.place, 0, std::lround(at.x), std::lround(at.y));
    }
    while (!open_.empty()) {
      const auto [so_far, i] = open_.top();
      open_.pop();
      if (so_far > distance_[i]) continue;
      look_around(places_[i], so_far, long(i) % columns_, long(i) / columns_ % rows_);
    }
  }

  const Mesh& mesh_;
  double radius_;
  double pitch_ = 0;
  Vec2 origin_;
  long columns_ = 0, rows_ = 0;
  std::vector<Place> places_;
  std::vector<Index> cells_;
  std::vector<double> distance_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

/// Follows a field in small steps. Every step gets nearer; the radius is kept but for what a step along a tangent leaves an arc by.
void follow(const Fields& fields, const FlowField& field, Place at, const std::vector<FlowGoal>& goals) {
  const Mesh& mesh = *fields.world.mesh;
  const double step = 0.02;
  const double radius = field.radius();
  const double slack = 1e-6 + step * step / (2 * std::max(radius, step));
  const FlowField::Answer first = fields.ask(field, at);
  INFO("from " << at.point.x << "," << at.point.y << "," << at.layer << " radius " << radius);
  double walked = 0;
  const double most = first.distance * 1.02 + 1;
  while (walked <= most) {
    const Located here = locate(mesh, at);
    REQUIRE(here);
    INFO("at " << at.point.x << "," << at.point.y << " walked " << walked << " of " << first.distance << " near "
               << here.nearest.x << "," << here.nearest.y << " to " << goals[0].place.point.x << ","
               << goals[0].place.point.y);
    CHECK(here.clearance >= radius - slack);
    if (here.clearance < radius - slack) return;
    const FlowField::Answer answer = field.ask(at.point, here.cell);
    REQUIRE(answer.reachable());
    if (answer.distance < 2 * step) break;
    const double straight = ::distance(at.point, answer.next);
    const Vec2 to = at.point + answer.direction * (straight > 1e-6 ? std::min(step, straight) : step);
    const Hit hit = first_hit(mesh, at, to);
    REQUIRE(!hit.blocked);
    walked += ::distance(at.point, to);
    at = {to, hit.layer};
  }
  CHECK(walked <= first.distance + 0.01 * first.distance + 0.1);
  CHECK(walked >= first.distance - 3 * step - 0.001 * first.distance);
  bool arrived = false;
  for (const FlowGoal& goal : goals)  // which may lie just beyond a connection
    arrived |=
        goal.tag == first.tag && ::distance(at.point, goal.place.point) < 3 * step && visible(mesh, at, goal.place, 0);
  CHECK(arrived);
}

struct Ratio {
  double sum = 0;
  int count = 0;
};

/// Law 1 by the oracle: true <= field (it is followed) and field <= oracle (each of whose ways is one).
void compare(const Fields& fields, const FlowField& field, const GridOracle& oracle, Ratio& ratio) {
  for (std::size_t i = 0; i < oracle.size(); ++i) {
    if (!oracle.is_free(i)) continue;
    const Place place = oracle.place(i);
    const double found = fields.ask(field, place).distance;
    if (oracle.to_goal(i) == INFINITY) continue;  // ways narrower than its pitch escape the oracle
    INFO("at " << place.point.x << "," << place.point.y << "," << place.layer << " radius " << field.radius());
    CHECK(found <= oracle.to_goal(i) + 1e-6);
    if (found > 20 * oracle.pitch()) ratio.sum += oracle.to_goal(i) / found, ++ratio.count;
  }
}

/// Law 1 by the planner: its route is a way, and there is one exactly if the field says so.
void compare_with_planner(const Fields& fields, const FlowField& field, const FlowGoal& goal, Planner& planner,
                          const Place& from) {
  INFO("from " << from.point.x << "," << from.point.y << "," << from.layer << " to " << goal.place.point.x << ","
               << goal.place.point.y << "," << goal.place.layer << " radius " << field.radius());
  Route route;
  const NoRoute reason =
      planner.plan({.from = from, .to = goal.place, .radius = field.radius(), .clearance = field.radius()}, route);
  const FlowField::Answer answer = fields.ask(field, from);
  CHECK(answer.reachable() == (reason == NoRoute::found));
  if (reason != NoRoute::found || !answer.reachable()) return;
  CHECK(answer.distance <= route.length + 1e-6);
  CHECK(answer.distance >= ::distance(from.point, goal.place.point) - 1e-6);
  CHECK(answer.tag == goal.tag);
}

void check_world(const Fields& fields, std::uint64_t seed, double radius, int places, int walks) {
  const Mesh& mesh = *fields.world.mesh;
  test::Random random(seed);
  const auto goal = free_place(mesh, random, radius);
  if (!goal) return;
  const std::vector<FlowGoal> goals{{*goal, 7}};
  const FlowField field = fields.to(goals, radius);
  Planner planner(fields.world.graph);
  for (int i = 0; i < places; ++i) {
    const auto from = free_place(mesh, random, radius);
    if (!from) return;
    compare_with_planner(fields, field, goals[0], planner, *from);
    // A point walks from corner to corner, and on a corner nothing tells left from right: it is not followed.
    if (i < walks && radius > 0 && fields.ask(field, *from).reachable()) follow(fields, field, *from, goals);
  }
}

/// Law 1 exactly: as long as the shortest way that an oracle finds, and there exactly if that is.
void compare_exactly(const Fields& fields, std::uint64_t seed, double radius, int places, OracleTally& tally) {
  const Mesh& mesh = *fields.world.mesh;
  test::Random random(seed);
  const auto goal = free_place(mesh, random, radius);
  if (!goal) return;
  const FlowField field = fields.to({{*goal, 0}}, radius);
  test::ShortestOracle oracle(fields.world.clean, radius);
  for (int i = 0; i < places; ++i) {
    const auto from = free_place(mesh, random, radius);
    if (!from) return;
    INFO("from " << from->point.x << "," << from->point.y << "," << from->layer << " to " << goal->point.x << ","
                 << goal->point.y << "," << goal->layer << " radius " << radius);
    hold_to_oracle(oracle, *from, *goal, fields.ask(field, *from).distance, 60'000, tally);
  }
}

}  // namespace

TEST_CASE("flow field: an empty room is straight to the goal") {
  const Fields fields(make_world(room(10, 10)));
  const FlowField field = fields.to({{{{9, 8}, 0}, 3}}, 0.25);
  const FlowField::Answer answer = fields.ask(field, {{1, 1}, 0});
  CHECK(answer.distance == doctest::Approx(std::hypot(8, 7)).epsilon(1e-12));
  CHECK(answer.direction.x == doctest::Approx(8 / std::hypot(8, 7)));
  CHECK(answer.tag == 3);
  CHECK(fields.ask(field, {{9, 8}, 0}).distance == 0);
}

TEST_CASE("flow field: around a block, worked out by hand") {
  environment::Environment e = room(20, 20);
  add_block(e, 9, 0, 11, 10);
  const Fields fields(make_world(e));
  const FlowField field = fields.to({{{{18, 10}, 0}, 0}}, 1);
  const double length = 2 * (std::sqrt(7 * 7 - 1.0) + std::asin(1.0 / 7)) + 2;
  CHECK(fields.ask(field, {{2, 10}, 0}).distance == doctest::Approx(length).epsilon(1e-12));
  CHECK(fields.ask(field, {{10, 11}, 0}).distance == doctest::Approx(length / 2).epsilon(1e-12));
}

TEST_CASE("flow field: the nearest of several goals, and its tag") {
  environment::Environment e = room(20, 10);
  add_block(e, 9, 0, 11, 9);
  const Fields fields(make_world(e));
  const FlowField field = fields.to({{{{1, 5}, 0}, 10}, {{{19, 5}, 0}, 20}}, 0.25);
  CHECK(fields.ask(field, {{8, 1}, 0}).tag == 10);
  CHECK(fields.ask(field, {{12, 1}, 0}).tag == 20);
  CHECK(fields.ask(field, {{12, 1}, 0}).distance == doctest::Approx(std::hypot(7, 4)));
}

TEST_CASE("flow field: a door exactly as wide as the body lets it through, a narrower one does not") {
  environment::Environment e = room(20, 10);
  add_block(e, 9, 0, 11, 4.75);
  add_block(e, 9, 5.25, 11, 10);
  const Fields fields(make_world(e));
  for (const Vec2 from : {Vec2{2, 5}, Vec2{2, 1}, Vec2{8.5, 9}, Vec2{10, 5}}) {
    CHECK(fields.ask(fields.to({{{{18, 2}, 0}, 0}}, 0.25), {from, 0}).reachable());
    CHECK(fields.ask(fields.to({{{{18, 2}, 0}, 0}}, 0.2), {from, 0}).reachable());
  }
  CHECK(!fields.ask(fields.to({{{{18, 2}, 0}, 0}}, 0.2501), {{2, 5}, 0}).reachable());
  CHECK(fields.ask(fields.to({{{{18, 2}, 0}, 0}}, 0.2501), {{15, 9}, 0}).reachable());
  // Between a corner and a wall, where neither gate of the arc is narrow.
  environment::Environment w = room(20, 10);
  w.features.push_back({.kind = environment::Kind::obstacle, .polygons = {{{{10, 9.5}, {6, 0}, {14, 0}}, {}}}});
  const Fields wedge(make_world(w));
  CHECK(wedge.ask(wedge.to({{{{18, 5}, 0}, 0}}, 0.24), {{2, 5}, 0}).reachable());
  CHECK(!wedge.ask(wedge.to({{{{18, 5}, 0}, 0}}, 0.26), {{2, 5}, 0}).reachable());
  CHECK(!wedge.ask(wedge.to({{{{10.5, 9.5}, 0}, 0}}, 0.26), {{9.5, 9.5}, 0}).reachable());
}

TEST_CASE("flow field: goals that cannot be stood on are left out, those too near to a wall are moved off it") {
  environment::Environment e = room(20, 10);
  add_block(e, 9, 4, 11, 6);
  const Fields fields(make_world(e));
  CHECK(!fields.ask(fields.to({{{{10, 5}, 0}, 0}}, 0.25), {{2, 5}, 0}).reachable());
  CHECK(!fields.ask(fields.to({}, 0.25), {{2, 5}, 0}).reachable());
  CHECK(fields.ask(fields.to({{{{0.1, 5}, 0}, 0}}, 0.25), {{2.25, 5}, 0}).distance == doctest::Approx(2));
}

TEST_CASE("flow field: distances equal Dijkstra on a fine grid to its resolution") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  Ratio ratio;
  const auto run = [&](const Fields& fields, double radius) {
    std::vector<FlowGoal> goals;
    for (Index tag = 0; tag < 2; ++tag)
      if (const auto place = free_place(*fields.world.mesh, random, radius)) goals.push_back({*place, tag});
    if (goals.empty()) return;
    INFO("goals " << goals.front().place.point.x << "," << goals.front().place.point.y << " and "
                  << goals.back().place.point.x << "," << goals.back().place.point.y);
    compare(fields, fields.to(goals, radius), GridOracle(*fields.world.mesh, goals, radius, 3000), ratio);
  };
  for (const char* name : {"office", "station", "four_blocks", "spiral"}) {
    INFO("example " << name);
    run(Fields(example(name)), 0.25);
  }
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    run(Fields(make_world(environment::random_scene(seed, kind))), 0.2);
  }
  // Directions up to (4, 3): angles of at most 7.1 degrees between neighbours, so at most 1 / cos(7.1 / 2) = 1.002 too
  // long in the open; corners cost the grid up to a pitch each.
  REQUIRE(ratio.count > 1000);
  CHECK(ratio.sum / ratio.count < 1.03);
}

TEST_CASE("flow field: distances equal the shortest way, on layers too") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  OracleTally tally;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const Fields fields(make_world(environment::random_scene(seed + 9, kind)));
    for (const double radius : {0.0, 0.25, 0.5, 1.0, 2.0}) compare_exactly(fields, seed, radius, 30, tally);
  }
  report(tally);
}

TEST_CASE("flow field: corridors exactly as wide as the body, and ways along corners in one line") {
  struct Case {
    std::uint64_t seed, round;
    double radius;
  };
  OracleTally tally;
  // Each was missed once: by limits of few digits beside a disc, or by gates that a line runs along.
  for (const Case& c : {Case{7, 10, 1}, Case{20260101, 44, 0}, Case{20260101, 44, 1e-5}, Case{20260101, 76, 0}}) {
    const environment::SceneKind kind = environment::all_scene_kinds[c.round % std::size(environment::all_scene_kinds)];
    INFO("scene " << environment::name_of(kind) << " " << c.seed << " " << c.round);
    const Fields fields(make_world(environment::random_scene(c.seed + 2000 + c.round, kind)));
    compare_exactly(fields, c.seed ^ c.round, c.radius, 100, tally);
  }
  report(tally);
}

TEST_CASE("flow field: random scenes: never longer than a route, and following it arrives") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const Fields fields(make_world(environment::random_scene(seed + 5, kind)));
    for (const double radius : {0.0, 0.25, 0.5, 1.0, 2.0}) check_world(fields, seed, radius, 20, 2);
  }
}

TEST_CASE("flow field: examples and real maps") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const char* name : {"hall", "office", "station", "spiral", "quarter", "park", "four_blocks"}) {
    INFO("example " << name);
    const Fields fields(example(name));
    for (const double radius : {0.0, 0.25, 0.5, 1.0, 2.0}) check_world(fields, seed, radius, 20, 2);
  }
  for (const char* name : {"kaiserslautern.geojson", "Milan_1_512.poly"}) {
    const auto path = test::data_file(name);
    if (!path) {
      MESSAGE("skipped: THRONG_DATA is not set");
      continue;
    }
    INFO("file " << name);
    const Fields fields(read_world(path->string()));
    check_world(fields, seed, 0.25, 40, 1);
  }
}

TEST_CASE("long: flow fields on 100 random scenes") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  OracleTally tally;
  for (std::uint64_t round = 0; round < 100; ++round) {
    const environment::SceneKind kind = environment::all_scene_kinds[round % std::size(environment::all_scene_kinds)];
    INFO("scene " << environment::name_of(kind) << " " << round);
    const Fields fields(make_world(environment::random_scene(seed + 2000 + round, kind)));
    for (const double radius : {0.0, 0.25, 0.5, 1.0, 2.0}) {
      check_world(fields, seed ^ round, radius, 100, 4);
      compare_exactly(fields, seed ^ round, radius, 100, tally);
    }
  }
  report(tally);
}

TEST_CASE("flow field: many questions at once get the answers of one at a time") {
  const Fields fields(example("quarter"));
  test::Random random(test::test_seed());
  std::vector<FlowField> some;
  for (int i = 0; i < 3; ++i)
    some.push_back(fields.to({{*free_place(*fields.world.mesh, random, 0.6), 0}}, 0.1 + 0.2 * i));
  std::vector<FlowField::Question> questions;
  for (int i = 0; i < 133; ++i) {
    const Place at = *free_place(*fields.world.mesh, random, 0);
    const navmesh::Located here = locate(*fields.world.mesh, at);
    const double clearance = i % 2 == 0 ? here.clearance : 0;  // known, and not
    questions.push_back({&some[random.below(some.size())], at.point, here.cell, clearance});
  }
  std::vector<FlowField::Answer> answers(questions.size());
  FlowField::ask_all(questions, answers);
  std::size_t reachable = 0;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const FlowField::Answer alone = questions[i].field->ask(questions[i].point, questions[i].cell);
    CHECK(answers[i].distance == alone.distance);
    CHECK(answers[i].direction == alone.direction);
    CHECK(answers[i].next == alone.next);
    CHECK(answers[i].tag == alone.tag);
    reachable += alone.reachable() ? 1 : 0;
  }
  CHECK(reachable > 50);
}

TEST_CASE("flow field: the same goals give the same bits") {
  const Fields fields(example("quarter"));
  test::Random random(1);
  const std::vector<FlowGoal> goals{{*free_place(*fields.world.mesh, random, 0.3), 0}};
  const FlowField a = fields.to(goals, 0.3);
  const FlowField b = fields.to(goals, 0.3);
  for (int i = 0; i < 200; ++i) {
    const auto place = free_place(*fields.world.mesh, random, 0);
    const FlowField::Answer x = fields.ask(a, *place), y = fields.ask(b, *place);
    CHECK(x.distance == y.distance);
    CHECK(x.direction == y.direction);
  }
}
