// Gaps that no survey meant: they cost neither points nor time, and change no answer by more than their width.
#include "ground/ground_worlds.hpp"

using namespace throng;
using namespace throng::test;

namespace {

struct Asked {
  double cost = 0;  ///< as the search counts: the judge counts a way along a gap for what it is
  std::size_t points = 0, explored = 0;
};

Asked ask(const GroundSketch& sketch, Vec2 from, Vec2 to) {
  const GroundWorld world = make_ground_world(sketch.drawn());
  GroundQuery query = world.query(from, to, {{"mud", 20}, {"sand", 12}});
  query.numbers.method = GroundMethod::spm;
  query.numbers.points = routes::PointPlacement::published;
  GroundPlanner planner(world.atlas);
  const GroundAnswer answer = planner.plan(query);
  REQUIRE(answer.verdict == GroundVerdict::found);
  const GroundAnswer weighted = [&] {
    GroundQuery by = query;
    by.numbers.method = GroundMethod::weighted;
    GroundPlanner other(world.atlas);
    return other.plan(by);
  }();
  CHECK(weighted.cost <= answer.cost * 1.01);
  double on_surface = 0;
  for (const auto& leg : answer.legs) on_surface += routes::cost_of(planner.costs(), leg.via, leg.to - leg.from);
  CHECK(answer.cost <= on_surface * (1 + 1e-9));
  return {on_surface, planner.points().node_count(), answer.explored};
}

}  // namespace

TEST_CASE(
    "ground: slivers between regions cost neither points nor time, and change answers by no more than their width") {
  GroundSketch whole(40, 20);
  whole.box(5, 0, 20, 20, "mud");
  whole.box(20, 0, 35, 20, "sand");
  for (const double gap : {0.001, 0.002, 0.004}) {
    INFO("gap " << gap);
    GroundSketch parted(40, 20);
    parted.box(5, 0, 20, 20, "mud");
    parted.box(20 + gap, 0, 35, 20, "sand");
    for (const auto& [from, to] :
         {std::pair{Vec2{20, 1}, Vec2{20, 19}}, {Vec2{8, 2}, Vec2{32, 18}}, {Vec2{1, 1}, Vec2{39, 15}}}) {
      const Asked clean = ask(whole, from, to), slivered = ask(parted, from, to);
      // Along the gap, were it plain ground, 18 m would cost 18.
      // Off the gap and onto it again, over the dearer ground.
      CHECK(std::abs(slivered.cost - clean.cost) <= 2 * 20 * gap + 1e-6);
      CHECK(slivered.points <= clean.points * 1.1 + 8);
      CHECK(slivered.explored <= clean.explored * 1.3 + 16);
    }
  }
}

TEST_CASE("ground: slivers between regions and walls are no cheap ways along the wall") {
  for (const double gap : {0.0, 0.001, 0.002}) {
    INFO("gap " << gap);
    GroundSketch sketch(40, 20);
    sketch.box(5, gap, 35, 19.99, "mud");
    const Asked along = ask(sketch, {6, gap / 2}, {34, gap / 2});
    // 28 m of mud, or round to either end along what is plain.
    CHECK(along.cost > 40);
  }
}
