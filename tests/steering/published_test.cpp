// As published: numbers that switch off every rule of ours, and what is left then.
#include <doctest/doctest.h>

#include "geometry/elementary.hpp"
#include "steering/avoider.hpp"
#include "steering/people_of.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

/// With the numbers as published.
class Published : public Loop {
 public:
  Published(const char* name, const Columns& columns) : Loop(*find_avoider(name), columns) {
    numbers = agents::default_block(find_avoider(name)->info(), true);
  }
};

double published_value(const char* method, const char* number) {
  const agents::Parameter* parameter = find_avoider(method)->info().parameter(number);
  REQUIRE(parameter != nullptr);
  return parameter->published_value();
}

}  // namespace

TEST_CASE("published: values lie within bounds, choices are whole numbers, and what differs says where it is from") {
  for (const Avoider* avoider : avoiders())
    for (const agents::Parameter& parameter : avoider->info().parameters) {
      CAPTURE(avoider->info().name);
      CAPTURE(parameter.name);
      CHECK(parameter.published_value() >= parameter.least);
      CHECK(parameter.published_value() <= parameter.most);
      if (parameter.published) CHECK(!parameter.source.empty());
      // What is ours is off as published: it must differ, or nothing is switched.
      if (parameter.source == "ours") CHECK(parameter.published_value() != parameter.value);
      if (parameter.choices.empty()) continue;
      CHECK(parameter.most == double(parameter.choices.size() - 1));
      for (const double value : {parameter.value, parameter.published_value()}) CHECK(value == std::floor(value));
    }
}

TEST_CASE("published: every rule of ours is off") {
  for (const char* method : {"moussaid", "moussaid_jaklin", "karamouzas", "sampling", "orca", "social_force"})
    CHECK(published_value(method, "sidestep") == 0);
  for (const char* method : {"moussaid", "moussaid_jaklin", "orca"}) CHECK(published_value(method, "keep_right") == 0);
  CHECK(published_value("moussaid", "half_notice_degrees") == published_value("moussaid", "half_view_degrees"));
  CHECK(published_value("moussaid_jaklin", "half_notice_degrees") == 90);
  CHECK(published_value("karamouzas", "last_moment") == 0);
  CHECK(published_value("orca", "margin") == 0);
  CHECK(published_value("social_force", "body_decay") == 0);
}

TEST_CASE("avoiders: relaxation and speed limit are numbers") {
  for (const Avoider* avoider : avoiders()) {
    CAPTURE(avoider->info().name);
    Columns columns(hall());
    columns.add({{0, 0}, 0}, {3, 0}, 0.25, 1);
    Loop loop(*avoider, columns);
    loop.set("relaxation", 0.25);
    loop.set("speed_limit", 1.5);
    CHECK(avoider->relaxation(loop.numbers.data()) == 0.25);
    CHECK(avoider->speed_limit(loop.numbers.data()) == 1.5);
    CHECK(length(loop.steer()[0]) == doctest::Approx(1.5));
    loop.set("speed_limit", 1);
    CHECK(length(loop.steer()[0]) == doctest::Approx(1));
  }
}

TEST_CASE("moussaid: as published the speed goes by the distance now, in Jaklin's by the first collision") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1.3, 0});
  columns.add({{1, 0}, 0}, {1.3, 0});                                                // 50 cm ahead, as fast
  CHECK(length(Published("moussaid", columns).steer()[0]) == doctest::Approx(1.0));  // 0.5 m in 0.5 s
  CHECK(length(Published("moussaid_jaklin", columns).steer()[0]) == doctest::Approx(1.3));
  CHECK(length(Loop(*find_avoider("moussaid"), columns).steer()[0]) == doctest::Approx(1.3));
}

TEST_CASE("moussaid: as published nobody walks where it does not look") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {-1.3, 0.01});
  columns.heading[slot] = {1, 0};
  const Vec2 walks = Published("moussaid", columns).steer()[slot];
  CHECK(length(walks) > 1);
  CHECK(walks.x >= geometry::unit_direction(75.0 / 360).x * length(walks) - 1e-9);
  CHECK(walks.y > 0);  // to the side it wants to go to
  CHECK(length(Loop(*find_avoider("moussaid"), columns).steer()[slot] - columns.preferred[slot]) < 1e-9);
}

TEST_CASE("moussaid: where no direction's cost is a number one stands") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1.3, 0});
  Loop loop(*find_avoider("moussaid"), columns);
  loop.set("view_distance", INFINITY);  // against its bounds
  loop.set("wall_range", 1);
  CHECK(loop.steer()[0] == Vec2{});
}

TEST_CASE("sampling: as published nobody stands still, and walls straight ahead count") {
  Columns ring(hall());
  ring.add({{0, 0}, 0}, {1.3, 0});
  for (int i = 0; i < 12; ++i) ring.add({geometry::unit_direction(i / 12.0) * 0.5, 0});
  Loop loop(*find_avoider("sampling"), ring);
  loop.set("standing", 5);
  CHECK(length(loop.steer()[0]) < 0.01);
  CHECK(length(Published("sampling", ring).steer()[0]) >= 0.64);

  Columns at_wall(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
  at_wall.add({{18, 10}, 0}, {1.3, 0});
  CHECK(Loop(*find_avoider("sampling"), at_wall).steer()[0] == Vec2{1.3, 0});
  CHECK(std::abs(Published("sampling", at_wall).steer()[0].y) > 0.5);
}

TEST_CASE("social_force: with a body_decay of 0 people are points, overlapping or not") {
  const auto steered = [](double radius, double decay) {
    Columns columns(hall());
    columns.add({{0, 0}, 0}, {1.3, 0}, radius);
    columns.add({{0.3, 0.1}, 0}, {}, radius);
    Loop loop(*find_avoider("social_force"), columns);
    loop.set("body_decay", decay);
    return loop.steer()[0];
  };
  CHECK(steered(0.25, 0) == steered(0.05, 0));
  CHECK(steered(0.25, 0.1) != steered(0.05, 0.1));
  CHECK(length(steered(0.25, 1e-3) - steered(0.25, 0)) > 0.1);  // an overlap counts as soon as there is any decay
}

TEST_CASE("karamouzas: as published the personal space counts for who is in it, and who overlaps may come") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1.3, 0});
  columns.add({{0.7, 0.1}, 0}, {0.2, 0});  // within 0.75 m, not touching
  Loop loop(*find_avoider("karamouzas"), columns);
  const Vec2 ours = loop.steer()[0];
  loop.set("space_gives_way", 0);
  CHECK(loop.steer()[0] != ours);
  Columns overlapping(hall());
  overlapping.add({{0, 0}, 0}, {0.3, 0});
  overlapping.add({{0.3, 0.05}, 0}, {-1.2, 0});
  Loop second(*find_avoider("karamouzas"), overlapping);
  const Vec2 standing = second.steer()[0];
  second.set("comers_stand", 0);
  CHECK(second.steer()[0] != standing);
}

TEST_CASE("cellular: as published people take the cell their centre is in, and no other") {
  Columns columns(hall());
  columns.add({{0.25, 0.25}, 0}, {1.3, 0});
  const Slot other = columns.add({{0.75, 0.52}, 0});  // one row up, its body over the cell ahead
  CHECK(Published("cellular", columns).steer()[0] == Vec2{1.3, 0});
  CHECK(Loop(*find_avoider("cellular"), columns).steer()[0] != Vec2{1.3, 0});
  columns.put(other, {{0.75, 0.48}, 0});
  CHECK(Published("cellular", columns).steer()[0] != Vec2{1.3, 0});
}
