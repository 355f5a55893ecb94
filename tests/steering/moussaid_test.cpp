#include "steering/moussaid.hpp"

#include <doctest/doctest.h>

#include "steering/people_of.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::length;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

}  // namespace

TEST_CASE("moussaid: alone, the new velocity is the preferred one") {
  for (const Avoider* method : {&moussaid(), &moussaid_jaklin()}) {
    Columns columns(hall());
    const Slot slot = columns.add({{0, 0}, 0}, {0.3, 1.2});
    Loop loop(*method, columns);
    CHECK(length(loop.steer()[slot] - Vec2{0.3, 1.2}) < 1e-12);
    loop.people.heading[slot] = {0, -1};  // it looks away: turns first
    CHECK(length(loop.steer()[slot] - Vec2{0.3, 1.2}) < 1e-12);
    loop.people.preferred[slot] = {};
    CHECK(loop.steer()[slot] == Vec2{});
  }
}
