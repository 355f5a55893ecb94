// Plans that change: what a list of changes may say, and that a changed plan is the plan one would have drawn.
#include "environment/clean/change.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "environment/clean/clean.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

Ring square(double x, double y, double half) {
  return {{x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}};
}

Feature obstacle(std::string id, Ring ring, std::size_t layer = 0) {
  Feature feature;
  feature.id = std::move(id);
  feature.layer = layer;
  feature.polygons = {{std::move(ring), {}}};
  return feature;
}

Change insertion(Feature feature) { return {Change::Kind::insert, {std::move(feature)}, {}}; }
Change removal(std::string id) { return {Change::Kind::remove, {}, {std::move(id)}}; }
Change replacement(Feature feature) { return {Change::Kind::replace, {std::move(feature)}, {}}; }

CleanEnvironment cleaned(const Environment& plan) {
  auto result = clean(plan);
  REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : to_string(result.problems()[0])));
  return std::move(result).value();
}

/// Two obstacles and nothing walkable: the ground is the box of what is drawn.
Environment yard() {
  Environment plan;
  plan.layers = {{"ground", {}}};
  plan.features = {obstacle("shed", square(2, 2, 2)), obstacle("tree", square(18, 8, 1))};
  for (std::size_t i = 0; i < plan.features.size(); ++i) plan.features[i].number = i;
  return plan;
}

Environment fixed(const Environment& plan) { return fixed_plan(plan, cleaned(plan).grid); }

/// What is said of one change, or nothing.
std::string said_of(const Environment& plan, const std::vector<Change>& changes) {
  const Problems problems = check_changes(plan, changes);
  return problems.empty() ? "" : to_string(problems[0]);
}

bool says(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

}  // namespace

TEST_CASE("a plan with its ground written down cleans to the same bytes") {
  CHECK(cleaned(fixed(yard())).hash() == cleaned(yard()).hash());
  CHECK(fixed(yard()).features.size() == 3);
  CHECK(fixed(fixed(yard())).features.size() == 3);
}

TEST_CASE("an obstacle that is dropped beyond the ground does not enlarge it") {
  Environment plan = fixed(yard());
  const std::uint64_t before = cleaned(plan).hash();
  apply(plan, insertion(obstacle("van", square(40, 4, 1))));
  CHECK(cleaned(plan).hash() == before);
}

TEST_CASE("what came can go: the first plan is back, whatever lay over what") {
  Environment plan = fixed(yard());
  const std::uint64_t before = cleaned(plan).hash();
  const std::vector<Change> changes{insertion(obstacle("van", square(10, 5, 1))),
                                    insertion(obstacle("twin", square(10, 5, 1))),
                                    insertion(obstacle("over", square(17.5, 8, 1.2))),
                                    replacement(obstacle("van", square(6, 6, 0.5))),
                                    removal("twin"),
                                    removal("over"),
                                    removal("van")};
  REQUIRE(check_changes(plan, changes).empty());
  for (const Change& change : changes) apply(plan, change);
  CHECK(cleaned(plan).hash() == before);
  CHECK(plan.features.size() == 3);
}

TEST_CASE("independent changes in either order give one world") {
  Environment one = fixed(yard()), other = one;
  const Change van = insertion(obstacle("van", square(10, 5, 1))),
               cart = insertion(obstacle("cart", square(6, 8, 0.7)));
  apply(one, van), apply(one, cart);
  apply(other, cart), apply(other, van);
  CHECK(cleaned(one).hash() == cleaned(other).hash());
}

TEST_CASE("openings of the file do not cut what is inserted") {
  Environment plan = yard();
  Feature opening;
  opening.kind = Kind::opening;
  opening.polygons = {{square(10, 5, 2), {}}};
  plan.features.push_back(opening);
  plan = fixed(plan);
  const std::uint64_t before = cleaned(plan).hash();
  apply(plan, insertion(obstacle("van", square(10, 5, 1))));
  CHECK(cleaned(plan).hash() != before);
}

TEST_CASE("bad changes are refused with their place, before any is applied") {
  const Environment plan = fixed(yard());
  const auto van = [](Ring ring) { return insertion(obstacle("van", std::move(ring))); };
  CHECK(says(said_of(plan, {removal("nobody")}), "change 0: obstacle 'nobody'"));
  CHECK(says(said_of(plan, {insertion(obstacle("tree", square(10, 5, 1)))}), "taken"));
  CHECK(says(said_of(plan, {van(square(10, 5, 1)), van(square(6, 5, 1))}), "change 1"));
  CHECK(says(said_of(plan, {insertion(obstacle("", square(10, 5, 1)))}), "without an id"));
  CHECK(says(said_of(plan, {insertion(obstacle("van", square(10, 5, 1), 7))}), "no such layer"));
  CHECK(says(said_of(plan, {van({{0, 0}, {1, 1}, {1, 0}, {0, 1}})}), "cross"));
  CHECK(!said_of(plan, {van({})}).empty());
  CHECK(!said_of(plan, {van({{0, 0}, {1, 0}, {std::numeric_limits<double>::quiet_NaN(), 1}})}).empty());
  CHECK(!said_of(plan, {van({{0, 0}, {1e300, 0}, {1, 1}})}).empty());
  CHECK(says(said_of(plan, {van({{0, 0}, {9e6, 0}, {1, 1}})}), "grid"));
  CHECK(!said_of(plan, {Change{}}).empty());
  CHECK(!said_of(plan, {Change{Change::Kind::remove, {}, {"tree", "tree"}}}).empty());
  CHECK(said_of(plan, {removal("tree"), insertion(obstacle("tree", square(10, 5, 1)))}).empty());
}
