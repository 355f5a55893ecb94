// A game: it draws its level in memory, and links throng::core only.
#include <throng/throng.hpp>

int main() {
  throng::Environment level;
  level.layers = {{"street", {}}};
  throng::Feature square{.kind = throng::Kind::walkable};
  square.polygons = {{{{0, 0}, {40, 0}, {40, 20}, {0, 20}}, {}}};
  throng::Feature kiosk{.kind = throng::Kind::obstacle};
  kiosk.polygons = {{{{18, 8}, {22, 8}, {22, 12}, {18, 12}}, {}}};
  level.features = {square, kiosk};
  const throng::Result<throng::World> world = throng::World::make(level);
  if (!world || world->is_walkable({{20, 10}}) || !world->is_walkable({{5, 10}})) return 1;
  const throng::Result<throng::Way> way = world->route({{5, 10}}, {{35, 10}}, 0.25);
  if (!way || way->length < 30 || way->length > 32) return 2;

  throng::Crowd crowd(*world);
  const throng::Result<throng::AgentId> walker = crowd.add({{5, 10}});
  if (!walker || !crowd.go_to(*walker, {{35, 10}})) return 3;
  for (int i = 0; i < 600; ++i)
    if (!crowd.step(0.05)) return 4;
  level.features[0].polygons[0].outer[1].x = 0.0 / 0.0 * 1;
  return throng::World::make(level).ok() ? 5 : 0;
}
