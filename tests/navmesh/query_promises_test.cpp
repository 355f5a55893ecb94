// What every query promises beside its answer: no allocation once buffers have grown, and any number of threads at once.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility.hpp"
#include "navmesh/visibility_polygon.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"
#include "support/scenes.hpp"

namespace {
std::atomic<std::size_t> allocations{0};
}

#if !THRONG_UNDER_SANITIZER
// For this whole test program; the sanitizers bring their own. Not inlined, or g++ takes malloc and delete for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  std::abort();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

using namespace throng;
using namespace throng::navmesh;
using throng::test::make_scene;
using throng::test::Random;
using throng::test::Scene;

namespace {

/// Asks everything at random places; sums the answers up, so that two runs can be compared.
class Asker {
 public:
  explicit Asker(const Mesh& mesh) : mesh_(mesh) {}

  double ask(std::uint64_t seed, int count) {
    Random random(seed);
    double sum = 0;
    Index hint = none;
    for (int i = 0; i < count; ++i) {
      const auto place = random_point(mesh_, 0, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
      if (!place) continue;
      const Located located = locate_from(mesh_, hint, *place);
      hint = located.cell;
      const Vec2 to = place->point + Vec2{random.uniform(-6, 6), random.uniform(-6, 6)};
      sum += located.clearance + retract(mesh_, located, place->point).clearance + first_hit(mesh_, *place, to, hint).t;
      sum += visible(mesh_, *place, {to, 0}, 0.25, hint);
      if (i % 8 == 0 && view_.compute(mesh_, *place)) sum += view_.area();
      sum += double(nearby_.compute(mesh_, *place, 3, hint).size());
    }
    return sum;
  }

 private:
  const Mesh& mesh_;
  VisibilityPolygon view_;
  NearbySegments nearby_;
};

Scene city() { return make_scene("a small city", environment::generate_city(environment::city_of_vertices(1000))); }

}  // namespace

TEST_CASE("queries do not allocate once their buffers have grown") {
  const Scene scene = city();
  Asker asker(*scene.mesh);
  (void)asker.ask(1, 400);
  const std::size_t before = allocations;
  (void)asker.ask(1, 400);
  CHECK(allocations == before);
#if !THRONG_UNDER_SANITIZER
  CHECK(before > 0);
#endif
}

TEST_CASE("queries give the same answers on several threads at once") {
  const Scene scene = city();
  const double expected = Asker(*scene.mesh).ask(7, 300);
  std::vector<std::thread> threads;
  std::vector<double> sums(4);
  for (double& sum : sums) threads.emplace_back([&] { sum = Asker(*scene.mesh).ask(7, 300); });
  for (std::thread& thread : threads) thread.join();
  for (const double sum : sums) CHECK(sum == expected);
}
