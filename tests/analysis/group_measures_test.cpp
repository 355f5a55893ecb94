// Coherence and socialities against their definitions by brute force, and what a run gathers of its groups.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "analysis/group_measures.hpp"
#include "analysis/metrics.hpp"
#include "analysis/welch.hpp"
#include "environment/sketch.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using analysis::MemberState;

const analysis::JoinedLayers apart = [](const MemberState&, const MemberState&) { return false; };

/// The field of view holds a point of the disc: by looking at very many points of it.
bool sees_by_sampling(const MemberState& from, const MemberState& other, double view, double slack) {
  for (int i = 0; i <= 40; ++i)
    for (int k = 0; k < 120; ++k) {
      const double r = other.radius * i / 40 + (i == 40 ? slack : 0), angle = 6.283185307179586 * k / 120;
      const Vec2 p = other.position + Vec2{std::cos(angle), std::sin(angle)} * r - from.position;
      if (dot(p, from.heading) >= -slack && length(p) <= view + slack) return true;
    }
  return false;
}

TEST_CASE("group measures: a member is visible if the field of view holds a point of its body") {
  Random random(11);
  int seen = 0, hidden = 0;
  for (int i = 0; i < 3000; ++i) {
    const double angle = random.uniform(0, 6.28);
    const MemberState from{1, {0, 0}, {std::cos(angle), std::sin(angle)}, 0.24};
    const MemberState other{2, {random.uniform(-3, 3), random.uniform(-3, 3)}, {1, 0}, random.uniform(0.2, 0.8)};
    const double view = random.uniform(0.5, 3);
    // Where sampling is sure.
    const bool surely = sees_by_sampling(from, other, view - 0.02, -0.0),
               perhaps = sees_by_sampling(from, other, view + 0.02, 0.02);
    if (surely != perhaps) continue;
    CHECK(analysis::is_visible(from, other, view) == surely);
    ++(surely ? seen : hidden);
  }
  CHECK(seen > 300);
  CHECK(hidden > 300);
}

TEST_CASE("group measures: coherence and socialities of random groups are those of their definitions") {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t n = 2 + random.below(6);
    std::vector<MemberState> members;
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = random.uniform(0, 6.28);
      members.push_back({i + 1,
                         {random.uniform(-2, 2), random.uniform(-2, 2)},
                         {std::cos(angle), std::sin(angle)},
                         random.uniform(0.2, 0.3),
                         navmesh::Index(random.below(8) == 0 ? 1 : 0),
                         std::floor(random.uniform(0, 8))});
    }
    const double view = random.uniform(1, 6), social = random.uniform(0.3, 2);
    std::size_t first = 0, last = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) {
        if (members[i].way_left < members[first].way_left) first = i;
        if (members[i].way_left > members[last].way_left) last = i;
      }
    const auto ends = analysis::first_and_last(members);
    CHECK(ends.first == first);
    CHECK(ends.last == last);
    CHECK(analysis::is_coherent(members, view, apart) ==
          (distance(members[first].position, members[last].position) <= view + members[first].radius &&
           members[first].layer == members[last].layer));
    bool partial = true, all_pairs = true;
    for (const MemberState& a : members) {
      bool any = false;
      for (const MemberState& b : members) {
        if (a.serial == b.serial) continue;
        const bool mutual = a.layer == b.layer && analysis::is_visible(a, b, view) && analysis::is_visible(b, a, view);
        any = any || (mutual && distance(a.position, b.position) <= social + a.radius + b.radius);
        all_pairs = all_pairs && mutual;
      }
      partial = partial && any;
    }
    const auto is = analysis::sociality(members, view, social, apart);
    CHECK(is.partial == partial);
    CHECK(is.total == (partial && all_pairs));
    if (n == 2) CHECK(is.partial == is.total);
    // Who is on another storey counts once there is a way to see them.
    const auto joined =
        analysis::sociality(members, view, social, [](const MemberState&, const MemberState&) { return true; });
    if (is.partial) CHECK(joined.partial);
  }
}

TEST_CASE("group measures: angles to the way") {
  CHECK(analysis::degrees_to_way({0, 2}, {1, 0}) == doctest::Approx(90));
  CHECK(analysis::degrees_to_way({-3, 0}, {1, 0}) == doctest::Approx(0));
  CHECK(analysis::degrees_to_way({1, -1}, {0, 5}) == doctest::Approx(45));
}

TEST_CASE("welch: probabilities are those of the tables") {
  // Student's distribution: 5 % beyond 1.812 at 10 degrees of freedom, 1 % beyond 2.326 at very many.
  CHECK(analysis::student_below(-1.812, 10) == doctest::Approx(0.05).epsilon(0.01));
  CHECK(analysis::student_below(2.764, 10) == doctest::Approx(0.99).epsilon(0.001));
  CHECK(analysis::student_below(-2.326, 1e6) == doctest::Approx(0.01).epsilon(0.01));
  CHECK(analysis::chance_of_being_lower({91.7, 2.2, 100}, {91.7, 2.2, 100}) == doctest::Approx(0.5));
  CHECK(analysis::chance_of_being_lower({80, 2.2, 20}, {91.7, 2.2, 100}) < 1e-6);
  CHECK(analysis::chance_of_being_lower({95, 2.2, 20}, {91.7, 2.2, 100}) > 0.99);
  CHECK(analysis::chance_of_being_lower({100, 0, 20}, {100, 0, 100}) == 1);
  CHECK(analysis::chance_of_being_lower({99, 0, 20}, {100, 0, 100}) == 0);
}

TEST_CASE("group metrics: what a run gathers, and goes on with after a snapshot") {
  environment::Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {40, 10}), {}});
  const auto world = make_crowd_world(std::move(sketch).take());
  const auto build = [&] {
    crowd::Crowd crowd(world, {.seed = 1, .threads = 1});
    std::vector<crowd::AgentSpec> pair, three;
    for (int i = 0; i < 2; ++i) pair.push_back(walker({{2, 3 + 0.8 * i}, 0}, {{38, 3}, 0}));
    for (int i = 0; i < 3; ++i) three.push_back(walker({{2, 6 + 0.8 * i}, 0}, {{38, 7}, 0}));
    REQUIRE(crowd.add_group(pair, {}).ok());
    REQUIRE(crowd.add_group(three, {{"formation", {}}}).ok());
    REQUIRE(crowd.add(walker({{2, 1}, 0}, {{38, 1}, 0})).ok());
    return crowd;
  };
  crowd::Crowd crowd = build();
  analysis::Metrics whole({}, {});
  whole.begin(crowd);
  analysis::Metrics second({}, {});
  crowd::Crowd other = build();
  for (int i = 0; crowd.size() > 0; ++i) {
    REQUIRE(i < 1000);
    REQUIRE(crowd.step(0.1).ok());
    whole.observe(crowd, 0.1);
    if (i == 80) {
      geometry::ArchiveWriter bytes;
      crowd.save(bytes);
      whole.save(bytes);
      crowd::Crowd resumed(world, {.seed = 1, .threads = 1});
      geometry::ArchiveReader reader(bytes.bytes());
      REQUIRE(resumed.load(reader).ok());
      second.load(reader, resumed, 1, 1);
      REQUIRE_FALSE(reader.failed());
      other = std::move(resumed);
    }
  }
  while (other.size() > 0) {
    REQUIRE(other.step(0.1).ok());
    second.observe(other, 0.1);
  }
  for (const analysis::Metrics* metrics : {&whole, &second}) {
    const auto summaries = metrics->groups().summaries();
    REQUIRE(summaries.size() == 3);  // all, pairs, threes
    CHECK(summaries[0].groups == 2);
    CHECK(summaries[1].size == 2);
    CHECK(summaries[2].size == 3);
    CHECK(summaries[1].coherence == 1);
    CHECK(summaries[1].partial == summaries[1].total);
    CHECK(summaries[0].arrival_spread.has_value());
    CHECK(summaries[2].out_of_formation.has_value());
    CHECK_FALSE(summaries[1].out_of_formation.has_value());
    CHECK(metrics->groups().group_of(1) == 1);
    CHECK(metrics->groups().group_of(6) == 0);
    CHECK(metrics->summary().hash == whole.summary().hash);
    for (std::size_t i = 0; i < 2; ++i) {
      const auto& a = whole.groups().groups()[i];
      const auto& b = metrics->groups().groups()[i];
      CHECK(a.steps == b.steps);
      CHECK(a.nearest == b.nearest);
      CHECK(a.last_arrival == b.last_arrival);
      CHECK(a.arrived == a.members);
    }
  }
}

}  // namespace
}  // namespace throng::test
