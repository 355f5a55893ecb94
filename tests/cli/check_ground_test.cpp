// What profiles, events and regions may say of ground, and what `check` answers to what they may not: each with its place.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

Json box(double x0, double y0, double x1, double y1) {
  return {{"type", "Polygon"}, {"coordinates", {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}}}}};
}
Json feature(Json properties, Json geometry) {
  return {{"type", "Feature"}, {"properties", std::move(properties)}, {"geometry", std::move(geometry)}};
}

/// A room of 30 x 10 m, people from its left end to its right end, regions between them.
struct Room {
  Json features = {feature({{"kind", "walkable"}}, box(0, 0, 30, 10)),
                   feature({{"kind", "area"}, {"name", "left"}}, box(1, 3, 4, 6)),
                   feature({{"kind", "area"}, {"name", "right"}}, box(25, 3, 28, 6))};
  Json profile = {{"route", {{"method", "weighted"}}}, {"weights", Json::object()}};
  Json events = Json::array();

  Room& region(const std::string& type, double from, double to, const Json& slope = {}) {
    Json properties = {{"kind", "region"}, {"type", type}};
    if (!slope.is_null()) properties["slope"] = slope;
    features.push_back(feature(std::move(properties), box(from, 0, to, 10)));
    return *this;
  }
  [[nodiscard]] std::string scenario() const {
    Json all = {{"throng", 1},
                {"environment", {{"type", "FeatureCollection"}, {"features", features}}},
                {"profiles", {{"p", profile}}},
                {"populations",
                 {{{"profile", "p"}, {"count", 2}, {"start", {{"area", "left"}}}, {"goals", {{{"area", "right"}}}}}}}};
    if (!events.empty()) all["events"] = events;
    return all.dump();
  }
};

void answers(const Room& room, int exit_code, const std::string& place, const std::string& what) {
  const ProgramResult result = run_throng({"check", "-", "--input-format", "scenario"}, room.scenario());
  INFO(result.err);
  CHECK(result.exit_code == exit_code);
  CHECK(result.err.find(place) != std::string::npos);
  CHECK(result.err.find(what) != std::string::npos);
}

Room mud(const Json& weight) {
  Room room;
  room.region("mud", 10, 14);
  room.profile["weights"]["mud"] = weight;
  return room;
}

TEST_CASE("check: weights that are none, with their place") {
  const std::string at = "/profiles/p/weights/mud";
  for (const double weight : {0.0, -3.0, 1e7, 1e-4}) answers(mud(weight), 1, at, "between 0.001 and 1e+06");
  for (const Json& weight : {Json(), Json(true), Json::array({1, 2})}) answers(mud(weight), 1, at, "is expected");
  answers(mud("soft"), 1, at, "\"never\"");
  answers(mud({{"up", 2}, {"across", 1}}), 1, at, "\"down\" is missing");
  answers(mud({{"up", 1}, {"across", 2}, {"down", 1}}), 1, at, "at least twice across");
  answers(mud({{"up", 0}, {"across", 1}, {"down", 2}}), 1, at + "/up", "between 0.001 and 1e+06");
  answers(mud({{"up", 2}, {"across", 1}, {"down", 1}, {"over", 3}}), 1, at + "/over", "Known are up, across, down");
  Room room = mud(2);
  room.profile["weights"]["mudd"] = 3;
  answers(room, 0, at, "did you mean 'mud'?");
}

TEST_CASE("check: ground that is never entered around the start, the goal, all of a gap") {
  Json never = {{"mud", "never"}};
  Room start, goal;
  start.region("mud", 0, 6).profile["weights"] = never;
  answers(start, 0, "", "");  // no complaint: they leave it the shortest way
  goal.region("mud", 22, 30).profile["weights"] = never;
  answers(goal, 0, "/populations/0/goals/0", "forbidden ground");
  answers(mud("never"), 0, "/populations/0/goals/0", "forbidden ground");
}

TEST_CASE("check: slopes without a direction, with the region's place") {
  for (const Json& slope : {Json{0, 0}, Json{1e-9, 0}}) {
    Room room;
    answers(room.region("hill", 10, 14, slope), 1, "(10, 0)", "points uphill: its length is 1e-6 to 1e6");
  }
  for (const Json& slope : {Json::array({1}), Json("up"), Json::array({Json(), 1})}) {
    Room room;
    answers(room.region("hill", 10, 14, slope), 1, "(10, 0)", "wants two numbers, [dx, dy]");
  }
}

TEST_CASE("check: five hundred types are weighed, six hundred weights refused") {
  Room many;
  for (int i = 0; i < 500; ++i) {
    const double x = 5 + i * 0.04;
    many.region("t" + std::to_string(i), x, x + 0.03);
    many.profile["weights"]["t" + std::to_string(i)] = 2;
  }
  answers(many, 0, "", "");
  for (int i = 500; i < 600; ++i) many.profile["weights"]["t" + std::to_string(i)] = 2;
  answers(many, 1, "/profiles/p/weights", "at most 512");
}

TEST_CASE("check: `ground` below 0, and in methods that have no candidates") {
  for (const char* method : {"moussaid", "karamouzas", "sampling"}) {
    Room room = mud(2);
    room.profile["avoid"] = {{"method", method}, {"ground", -1}};
    answers(room, 1, "/profiles/p/avoid/ground", "between 0 and 100");
    room.profile["avoid"]["ground"] = 1;
    answers(room, 0, "", "");
  }
  for (const char* method : {"orca", "social_force"}) {
    Room room = mud(2);
    room.profile["avoid"] = {{"method", method}, {"ground", 1}};
    answers(room, 1, "/profiles/p/avoid/ground", "unknown member");
  }
}

TEST_CASE("check: events that cannot change weights") {
  const auto event = [](const Json& what) {
    Room room = mud(2);
    room.events.push_back(what);
    return room;
  };
  answers(event({{"at", 3}, {"weights", {{"p", {{"mud", 0}}}}}}), 1, "/events/0/weights/p/mud", "out of range");
  answers(event({{"at", 3}, {"weights", {{"q", {{"mud", 2}}}}}}), 1, "/events/0/weights/q", "did you mean 'p'?");
  answers(event({{"at", 3}, {"weights", {{"p", {{"mud", {{"uniform", {1, 2}}}}}}}}}), 1, "/events/0/weights/p/mud",
          "the same for everybody");
  answers(event({{"at", -3}, {"weights", {{"p", {{"mud", 2}}}}}}), 1, "/events/0/at", "out of range");
  answers(event({{"at", 3}, {"insert", Json::array()}}), 1, "/events/0/insert", "not available");
}

}  // namespace
}  // namespace throng::test
