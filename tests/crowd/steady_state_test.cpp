// A crowd that walks allocates nothing: what a step needs has grown in the steps before. A frame loop can count on that.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "crowd/crowd.hpp"
#include "environment/sketch.hpp"
#include "geometry/wide_vectors.hpp"
#include "support/crowd_simulation.hpp"

namespace {

std::atomic<bool> counts{false};
std::atomic<std::size_t> allocations{0};

}  // namespace

// Of the whole test program; they count only while a test here says so. Sanitizers have their own, which check more.
#ifndef THRONG_SANITIZED
namespace {

void* counted(std::size_t size) {
  if (counts.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* memory = counted(size)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace throng::test {
namespace {

/// A long hall with pillars, and people who walk through it both ways: alone, or in threes by a method of groups.
crowd::Crowd walking(const std::string& avoid, const std::string& follow, const std::string& groups,
                     const std::string& stream) {
  environment::Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {200, 30}), {}});
  for (int i = 1; i < 10; ++i) sketch.obstacle({environment::rectangle({i * 20.0, 13}, {i * 20.0 + 1, 15}), {}});
  crowd::Crowd crowd(make_crowd_world(std::move(sketch).take()), {1, 1});
  std::vector<crowd::AgentSpec> together;
  for (int i = 0; i < 150; ++i) {
    const double y = 1 + i % 28;
    const bool east = i % 2 == 0;
    crowd::AgentSpec spec = walker({{east ? 2.0 + i / 28 : 198.0 - i / 28, y}, 0}, {{east ? 198.0 : 2.0, y}, 0});
    spec.methods[agents::Level::avoid].name = avoid;
    spec.methods[agents::Level::follow].name = follow;
    spec.methods[agents::Level::coordinate].name = stream;
    if (groups.empty()) {
      REQUIRE(crowd.add(spec).ok());
      continue;
    }
    together.push_back(spec);  // every second one goes the same way
    if (together.size() < 6) continue;
    for (const int first : {0, 1})
      REQUIRE(crowd
                  .add_group(std::vector{together[std::size_t(first)], together[std::size_t(first + 2)],
                                         together[std::size_t(first + 4)]},
                             {{groups, {}}})
                  .ok());
    together.clear();
  }
  return crowd;
}

struct Walk {
  std::string avoid, follow, groups = "", stream = "";
};

TEST_CASE(
    "a walking crowd allocates nothing once it has walked for a while, in groups or not, with streams or without") {
  for (const auto& [avoid, follow, groups, stream] : {Walk{"moussaid", "miran"},
                                                      {"orca", "flow"},
                                                      {"none", "miran"},
                                                      {"moussaid", "miran", "sgn"},
                                                      {"moussaid", "lookahead", "moussaid_2010"},
                                                      {"moussaid", "miran", "formation"},
                                                      {"moussaid", "miran", "", "view"},
                                                      {"moussaid", "miran", "", "cells"},
                                                      {"moussaid", "miran", "", "grid"},
                                                      {"moussaid", "miran", "sgn", "view"}}) {
    CAPTURE(avoid);
    CAPTURE(follow);
    CAPTURE(groups);
    CAPTURE(stream);
    crowd::Crowd crowd = walking(avoid, follow, groups, stream);
    // They meet in the middle, when most have somebody in mind, and walk on.
    for (int i = 0; i < 900; ++i) REQUIRE(crowd.step(0.1).ok());
    CHECK(crowd.size() > 100);
    // Who loses their way plans another one, and a crowd may be denser than it ever was: soon after, nothing.
    std::size_t last = 1;
    bool fine = true;
    for (int tries = 0; tries < 3 && last > 0; ++tries) {
      allocations = 0;
      counts = true;
      for (int i = 0; i < 100; ++i) fine &= crowd.step(0.1).ok();
      counts = false;
      last = allocations;
    }
    CHECK(fine);
    CHECK(last == 0);
  }
}

}  // namespace
}  // namespace throng::test
