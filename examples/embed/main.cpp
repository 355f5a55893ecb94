// A crowd as a game would use it: load a level, add people, send them somewhere, step in the frame loop, draw what the spans say.
//
//   cmake -S examples/embed -B build/embed -DCMAKE_PREFIX_PATH=<where throng is installed> && cmake --build build/embed
//   build/embed/embed examples/hall.geojson
#include <cstdio>
#include <throng/throng.hpp>

int main(int argc, char** argv) {
  const throng::Result<throng::World> world = throng::World::load(argc > 1 ? argv[1] : "examples/hall.geojson");
  if (!world) return std::fprintf(stderr, "%s\n", to_string(world.problems().front()).c_str()), 1;

  throng::Crowd crowd(*world, {.seed = 7});
  throng::AgentId player;
  for (int i = 0; i < 50; ++i) {
    // Any spread of numbers will do: these are the golden ratio's.
    const double u = 0.618 * i - int(0.618 * i), v = 0.755 * i - int(0.755 * i);
    const auto from = world->random_point(0, u, v, 0.5), to = world->random_point(0, v, u, 0.5);
    if (!from || !to || !world->is_walkable(*from, 0.3)) continue;
    throng::Agent agent{.position = *from};
    agent.profile.speed = 1.1 + 0.5 * u;
    const throng::Result<throng::AgentId> id = crowd.add(agent);
    if (!id) continue;
    if (crowd.size() == 1) player = *id;
    if (const auto sent = crowd.go_to(*id, *to); !sent) std::puts("nowhere to go");
  }
  (void)crowd.steer(player, {1.0, 0.0});  // walls and other people hold the player up, nothing else does

  for (int frame = 0; frame < 600; ++frame) {
    if (!crowd.step(1.0 / 60)) return 1;
    if (frame % 120 != 0) continue;
    for (std::size_t i = 0; i < crowd.size() && i < 3; ++i)
      std::printf("%5.2f s  person %zu at (%.2f, %.2f)\n", crowd.time(), i, crowd.positions()[i].x,
                  crowd.positions()[i].y);
  }
  std::printf("%zu people after %.1f s\n", crowd.size(), crowd.time());
}
