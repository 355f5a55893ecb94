// Gauges on tracks whose density, speed and flow are known.
#include <doctest/doctest.h>

#include <cmath>

#include "environment/clean/clean.hpp"
#include "environment/sketch.hpp"
#include "validation/measures.hpp"

using namespace throng;
using namespace throng::validation;

namespace {

environment::CleanEnvironment field() {
  environment::Sketch sketch("field");
  sketch.walkable({environment::rectangle({0, 0}, {40, 10}), {}});
  sketch.area("middle", environment::rectangle({10, 0}, {20, 10}));
  return *environment::clean(std::move(sketch).take());
}

/// People in a row behind each other, `apart` metres, who walk to the right at a speed.
std::vector<Frame> row(std::size_t people, double apart, double speed, double seconds, double step = 0.1) {
  std::vector<Frame> frames;
  for (double t = 0; t <= seconds + 1e-9; t += step) {
    Frame frame;
    frame.time = t;
    for (std::size_t i = 0; i < people; ++i) {
      Walker walker;
      walker.serial = i + 1;
      walker.position = {5 - apart * double(i) + speed * t, 5};
      walker.velocity = {speed, 0};
      walker.radius = 0.2;
      if (walker.position.x < 39) frame.people.push_back(walker);
    }
    frames.push_back(frame);
  }
  return frames;
}

struct Seen {
  double value = 0;
  std::vector<Vec2> curve;
};

Seen seen_by(const Json& arguments, const std::vector<Frame>& frames) {
  static const environment::CleanEnvironment world = field();
  Result<GaugePtr> gauge = gauge_of({"figure", arguments.at("measure"), arguments});
  REQUIRE(gauge.ok());
  REQUIRE(*gauge != nullptr);
  REQUIRE((*gauge)->begin({&world, nullptr, 0.1}).empty());
  for (const Frame& frame : frames) (*gauge)->see(frame);
  (*gauge)->end();
  return {(*gauge)->value(), (*gauge)->curve()};
}

const Json line = Json::parse("[[12.05, 0], [12.05, 10]]");

}  // namespace

TEST_CASE("flow is that of who walks through a line one after the other") {
  // 1.25 m apart at 1.25 m/s: one a second.
  CHECK(seen_by({{"measure", "flow"}, {"line", line}}, row(8, 1.25, 1.25, 30)).value ==
        doctest::Approx(1).epsilon(1e-9));
  CHECK(seen_by({{"measure", "flow"}, {"line", line}, {"width", 2}}, row(8, 1.25, 1.25, 30)).value ==
        doctest::Approx(0.5).epsilon(1e-9));
  CHECK(seen_by({{"measure", "crossings"}, {"line", line}}, row(8, 1.25, 1.25, 30)).value == 8);
  // Against its direction nobody crosses it.
  const Json back = Json::array({line[1], line[0]});
  CHECK(seen_by({{"measure", "crossings"}, {"line", back}}, row(8, 1.25, 1.25, 30)).value == 0);
  CHECK(std::isnan(seen_by({{"measure", "flow"}, {"line", back}}, row(8, 1.25, 1.25, 30)).value));
}

TEST_CASE("the time between two lines is length over speed, between the frames") {
  const Json arguments = {{"measure", "between"}, {"from_line", line}, {"to_line", {{22.05, 0}, {22.05, 10}}}};
  CHECK(seen_by(arguments, row(5, 2, 1.3, 40)).value == doctest::Approx(10 / 1.3).epsilon(1e-9));
}

TEST_CASE("an area empties when the last has left it, and not while somebody is in it") {
  const Json arguments = {{"measure", "empties"}, {"area", "middle"}};
  // The last of five is at -3 + t: at 20 m after 23 s.
  CHECK(seen_by(arguments, row(5, 2, 1, 40)).value == doctest::Approx(23).epsilon(0.01));
  CHECK(std::isnan(seen_by(arguments, row(5, 2, 1, 15)).value));
}

TEST_CASE("density and speed in an area are persons over its size and their mean speed") {
  // From 13 to 15 s all five are in the 100 m2.
  const Json arguments = {{"measure", "classical"}, {"area", "middle"}, {"from", 13}, {"until", 15}};
  const Seen seen = seen_by(arguments, row(5, 2, 1, 40));
  CHECK(seen.value == doctest::Approx(1));
  for (const Vec2 sample : seen.curve) CHECK(sample.x == doctest::Approx(0.05));
  const Json jam = {{"measure", "jam"}, {"area", "middle"}};
  CHECK(seen_by(jam, row(5, 0.1, 0.5, 60)).value == doctest::Approx(0.05));
}

TEST_CASE("people behind each other have the half of both gaps, and the speed along the line") {
  const Json arguments = {
      {"measure", "single_file"}, {"ring", {{0, 5}, {40, 5}, {40, 5.001}, {0, 5.001}}}, {"until", 1}};
  for (const Vec2 sample : seen_by(arguments, row(3, 2, 1, 2)).curve)
    CHECK(std::abs(sample.y) == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("an arch is the longest time in which nobody comes through while somebody stands there") {
  std::vector<Frame> frames = row(2, 1, 1, 8);  // both are through the line at 12.05 after 8.05 s
  for (Frame& frame : frames)
    for (Walker& walker : frame.people)
      if (walker.serial == 2) walker.position.x = std::min(walker.position.x, 11.5);
  double t = frames.back().time;
  for (int i = 0; i < 60; ++i) {
    Frame frame = frames.back();
    frame.time = t += 0.1;
    frame.people[0].position.x = 13;
    frames.push_back(frame);
  }
  const double gap = seen_by({{"measure", "longest_gap"}, {"line", line}}, frames).value;
  CHECK(gap > 5);
  CHECK(gap < 7.2);
}

TEST_CASE("the last is out when nobody is left, and nothing is said while somebody is") {
  CHECK(seen_by({{"measure", "last_out"}}, row(3, 1, 2, 30)).value == doctest::Approx(18).epsilon(0.01));
  CHECK(std::isnan(seen_by({{"measure", "last_out"}}, row(3, 1, 2, 10)).value));
}

TEST_CASE("walked speeds are metres over seconds") {
  CHECK(seen_by({{"measure", "walked_speed"}}, row(4, 1, 1.37, 10)).value == doctest::Approx(1.37).epsilon(1e-6));
  CHECK(seen_by({{"measure", "walked_speed"}, {"what", "deviation"}}, row(4, 1, 1.37, 10)).value == doctest::Approx(0));
}

TEST_CASE("who walks through a wall is seen") {
  std::vector<Frame> frames = row(1, 1, 1, 3);
  CHECK(seen_by({{"measure", "walls"}}, frames).value == 0);
  for (Frame& frame : frames)
    if (frame.time > 2) frame.people[0].position.y = 12;
  CHECK(seen_by({{"measure", "walls"}}, frames).value > 0);
}
