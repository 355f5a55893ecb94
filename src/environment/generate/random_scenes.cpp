#include "environment/generate/random_scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "environment/sketch.hpp"
#include "geometry/elementary.hpp"
#include "geometry/random.hpp"

namespace throng::environment {

namespace {

// Compilers evaluate the arguments of a call in different orders: one random number an expression, or in braces, which are read from
// left to right.

using geometry::RandomStream;
using geometry::unit_direction;

Vec2 point_in(RandomStream& random, Vec2 min, Vec2 max) {
  const double x = random.uniform(min.x, max.x);
  return {x, random.uniform(min.y, max.y)};
}

/// A ring whose corners are seen from its centre in order, at distances between `least` and 1 of the radius.
Ring star_shaped(RandomStream& random, Vec2 centre, double radius, double least, int corners) {
  Ring ring;
  const double turn = random.unit();
  for (int i = 0; i < corners; ++i) {
    const double at = turn + (i + random.uniform(-0.2, 0.2)) / corners;
    ring.push_back(centre + radius * random.uniform(least, 1) * unit_direction(at));
  }
  return ring;
}

Ring scaled(const Ring& ring, Vec2 centre, double factor) {
  Ring result;
  for (const Vec2 p : ring) result.push_back(centre + factor * (p - centre));
  return result;
}

/// Alternating long and short spokes.
Ring star(Vec2 centre, double radius, double notch, int points, double turn) {
  Ring ring;
  for (int i = 0; i < 2 * points; ++i)
    ring.push_back(centre + (i % 2 == 0 ? radius : notch * radius) * unit_direction(turn + 0.5 * i / points));
  return ring;
}

void draw_room(Sketch& sketch, double width, double height) {
  sketch.walkable({rectangle({0, 0}, {width, height}), {}});
}

// ---- One layer -------------------------------------------------------------------------------------------------------------------------

void draw_overlapping_polygons(Sketch& sketch, RandomStream& random) {
  draw_room(sketch, 100, 100);
  // Free whatever falls on it: an opening at the very end keeps this spot clear.
  const Vec2 clearing = point_in(random, {10, 10}, {90, 90});
  const int count = random.integer(5, 40);
  for (int i = 0; i < count; ++i) {
    const Vec2 centre = point_in(random, {-5, -5}, {105, 105});
    const double radius = random.uniform(1, 15);
    const Ring ring = star_shaped(random, centre, radius, 0.3, random.integer(3, 12));
    const double fate = random.unit();
    if (fate < 0.55)
      sketch.obstacle({ring, {}});
    else if (fate < 0.65)
      sketch.obstacle({ring, {scaled(ring, centre, 0.5)}});
    else if (fate < 0.75)
      sketch.opening(ring);
    else if (fate < 0.85)
      sketch.region(random.chance(0.5) ? "grass" : "road", {ring, {}});
    else if (fate < 0.90)
      sketch.area(random.chance(0.5) ? "here" : "there", ring);
    else
      sketch.wall({centre, point_in(random, {0, 0}, {100, 100}), ring[0]});
  }
  sketch.opening(regular_polygon(clearing, 4, 7));
}

void draw_rotated_rectangles(Sketch& sketch, RandomStream& random) {
  draw_room(sketch, 60, 60);
  const int count = random.integer(40, 120);
  for (int i = 0; i < count; ++i) {
    const Vec2 centre = point_in(random, {2, 2}, {58, 58});
    const Vec2 axis = unit_direction(random.unit());
    const double length = random.uniform(0.5, 6);
    sketch.obstacle({oriented_rectangle(centre, axis, length, random.uniform(0.2, 2)), {}});
  }
  sketch.opening(rectangle({0.5, 0.5}, {3, 3}));
}

void draw_grid_of_squares(Sketch& sketch, RandomStream& random) {
  const int columns = random.integer(1, 9), rows = random.integer(1, 9);
  const double size = random.integer(1, 4), gap = random.integer(1, 4);
  draw_room(sketch, columns * (size + gap) + gap, rows * (size + gap) + gap);
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row) {
      const Vec2 corner{gap + column * (size + gap), gap + row * (size + gap)};
      if (!random.chance(0.05)) sketch.obstacle({rectangle(corner, corner + Vec2{size, size}), {}});
    }
  }
}

void draw_stars(Sketch& sketch, RandomStream& random) {
  const int across = random.integer(1, 3);
  draw_room(sketch, 40.0 * across, 40);
  for (int i = 0; i < across; ++i) {
    const Vec2 centre{40.0 * i + 20, 20};
    const double notch = random.uniform(0.05, 0.9);
    const int points = random.integer(3, 60);
    sketch.obstacle({star(centre, 18, notch, points, random.unit()), {}});
  }
}

void draw_cocircular(Sketch& sketch, RandomStream& random) {
  // Points of the circle of radius 65 with whole coordinates; in centimetres or decimetres they stay exact.
  constexpr std::array<std::pair<int, int>, 4> quarter = {{{63, 16}, {60, 25}, {56, 33}, {52, 39}}};
  std::vector<Vec2> on_circle{{65, 0}, {0, 65}, {-65, 0}, {0, -65}};
  for (const auto& [a, b] : quarter)
    for (const double sx : {-1, 1})
      for (const double sy : {-1, 1}) on_circle.insert(on_circle.end(), {{sx * a, sy * b}, {sx * b, sy * a}});
  const double scale = random.chance(0.5) ? 0.1 : 0.25;
  const double size = 65 * scale;
  const Vec2 centre{2 * size, 2 * size};
  draw_room(sketch, 4 * size, 4 * size);
  for (const Vec2 p : on_circle) {
    if (random.chance(0.2)) continue;
    const Vec2 tip = centre + scale * p;
    const Vec2 away = 0.25 * (tip - centre), aside = 0.02 * perpendicular(tip - centre);
    sketch.obstacle({{tip, tip + away - aside, tip + away + aside}, {}});
  }
}

/// A comb of teeth that hang from a bar, each a little off upright.
Ring comb(RandomStream& random, Vec2 corner, int teeth, double tooth, double pitch, double length) {
  Ring ring{corner, corner + Vec2{teeth * pitch, 0}, corner + Vec2{teeth * pitch, 1}};
  for (int i = teeth - 1; i >= 0; --i) {
    const double lean = random.integer(-3, 3) * 0.001;
    const Vec2 root = corner + Vec2{i * pitch, 1};
    ring.push_back(root + Vec2{tooth, 0});
    ring.push_back(root + Vec2{tooth + lean, length});
    ring.push_back(root + Vec2{random.integer(1, 3) * 0.001 + lean, length + random.integer(-2, 2) * 0.001});
    ring.push_back(root);
  }
  return ring;
}

void draw_thin_combs(Sketch& sketch, RandomStream& random) {
  const int teeth = random.integer(3, 20);
  const double pitch = random.uniform(0.4, 3), length = random.uniform(20, 150);
  const double width = teeth * pitch + 4;
  draw_room(sketch, width, length + 6);
  sketch.obstacle({comb(random, {2, 1}, teeth, pitch * random.uniform(0.2, 0.8), pitch, length), {}});
}

void draw_touching_corners(Sketch& sketch, RandomStream& random) {
  const int cells = random.integer(3, 9);
  draw_room(sketch, cells + 2, cells + 2);
  for (int column = 0; column < cells; ++column) {
    for (int row = 0; row < cells; ++row) {
      const Vec2 corner{1.0 + column, 1.0 + row};
      if ((column + row) % 2 == 0 && !random.chance(0.15))
        sketch.obstacle({rectangle(corner, corner + Vec2{1, 1}), {}});
    }
  }
}

void draw_nested_holes(Sketch& sketch, RandomStream& random) {
  const double size = 60;
  const Vec2 centre{size / 2, size / 2};
  draw_room(sketch, size, size);
  double radius = 0.45 * size;
  const int depth = random.integer(1, 4);
  for (int i = 0; i < depth; ++i) {
    const int corners = random.integer(3, 9);
    const double turn = random.unit();
    const Ring outer = regular_polygon(centre, radius, corners, turn);
    Ring yard = regular_polygon(centre, 0.8 * radius, corners, turn);
    // Now and then the yard touches the outer edge in a corner.
    if (random.chance(0.25)) yard[0] = outer[0];
    sketch.obstacle({outer, {yard}});
    radius *= random.chance(0.2) ? 0.8 : 0.6 * unit_direction(0.5 / corners).x;
  }
  const int corners = random.integer(3, 8);
  if (radius > 2) sketch.obstacle({regular_polygon(centre, 0.4 * radius, corners, random.unit()), {}});
}

void draw_single_wall(Sketch& sketch, RandomStream& random) {
  draw_room(sketch, 20, 10);
  const Vec2 from = point_in(random, {1, 1}, {19, 9});
  if (random.chance(0.3)) return sketch.wall({from, from + Vec2{random.chance(0.5) ? 1.0 : 0.001, 0}});
  sketch.wall({from, point_in(random, {1, 1}, {19, 9})});
}

void draw_empty_room(Sketch& sketch, RandomStream& random) {
  const int corners = random.integer(3, 9);
  const double width = random.integer(1, 50);
  if (random.chance(0.3)) return draw_room(sketch, width, random.integer(1, 50));
  sketch.walkable({random.chance(0.5) ? regular_polygon({20, 20}, 20, corners, random.unit())
                                      : star_shaped(random, {20, 20}, 20, 0.3, corners),
                   {}});
}

void draw_wall_maze(Sketch& sketch, RandomStream& random) {
  const int columns = random.integer(2, 14), rows = random.integer(2, 14);
  const double cell = random.chance(0.5) ? 2 : random.uniform(1, 3);
  draw_room(sketch, columns * cell, rows * cell);
  // A binary-tree maze: every cell is open to the north or to the east, so all hang together.
  for (int column = 0; column < columns; ++column) {
    for (int row = 0; row < rows; ++row) {
      const Vec2 north_east{(column + 1) * cell, (row + 1) * cell};
      const bool last_column = column + 1 == columns, last_row = row + 1 == rows;
      const bool open_north = last_column ? true : last_row ? false : random.chance(0.5);
      if (open_north && !last_column) sketch.wall({north_east, north_east - Vec2{0, cell}});
      if (!open_north && !last_row) sketch.wall({north_east - Vec2{cell, 0}, north_east});
    }
  }
}

void draw_crossing_walls(Sketch& sketch, RandomStream& random) {
  draw_room(sketch, 50, 50);
  const int walls = random.integer(2, 25);
  for (int i = 0; i < walls; ++i) {
    Line line;
    const int points = random.integer(2, 5);
    for (int k = 0; k < points; ++k) line.push_back(point_in(random, {-3, -3}, {53, 53}));
    sketch.wall(line);
    if (random.chance(0.15)) sketch.obstacle({regular_polygon(line[0], 3, 5, random.unit()), {}});
    if (random.chance(0.10)) sketch.opening(regular_polygon(line[0], 5, 4, random.unit()));
  }
}

void draw_slivers(Sketch& sketch, RandomStream& random) {
  draw_room(sketch, 40, 20);
  double x = 2;
  while (x < 36) {
    const double width = random.chance(0.3) ? 0.001 * random.integer(1, 5) : random.uniform(0.5, 3);
    const double tilt = 0.001 * random.integer(-4, 4);
    sketch.obstacle({{{x, 2}, {x + width, 2}, {x + width + tilt, 18}, {x + tilt, random.uniform(10, 18)}}, {}});
    x += width + 0.001 * random.integer(-4, 6);
    if (random.chance(0.3)) x += random.uniform(0.2, 1);
  }
}

// ---- Several layers --------------------------------------------------------------------------------------------------------------------

void scatter(Sketch& sketch, RandomStream& random, Vec2 min, Vec2 max, int count, std::size_t layer) {
  for (int i = 0; i < count; ++i) {
    const Vec2 centre = point_in(random, min, max);
    const double radius = random.uniform(0.3, 1.5);
    sketch.obstacle({star_shaped(random, centre, radius, 0.5, random.integer(3, 8)), {}}, layer);
  }
}

Sketch draw_two_layers(RandomStream& random) {
  Sketch sketch("two_layers", {Layer{"west", {}}, Layer{"east", {}}});
  // The border leans, so that doors lie at every angle; whole metres keep both sides on the same line.
  const Vec2 low{20.0 + random.integer(-4, 4), 0}, high{20.0 + random.integer(-4, 4), 20};
  sketch.walkable({{{0, 0}, low, high, {0, 20}}, {}}, 0);
  sketch.walkable({{low, {40, 0}, {40, 20}, high}, {}}, 1);
  scatter(sketch, random, {3, 3}, {13, 17}, random.integer(0, 8), 0);
  scatter(sketch, random, {27, 3}, {37, 17}, random.integer(0, 8), 1);
  // Doors between tenths of the border: (high - low) / 10 is a whole number of decimetres.
  const auto at = [&](int tenth) { return between(low, high, tenth / 10.0); };
  const int doors = random.integer(1, 3);
  for (int i = 0; i < doors; ++i) sketch.connection(at(3 * i + 1), at(3 * i + (i == 0 && doors == 1 ? 8 : 3)), 0, 1);
  return sketch;
}

Sketch draw_stairs(RandomStream& random) {
  const double rise = random.uniform(3, 5);
  Layer stair{"stair",
              {.ramp = true, .stairs = true, .z = 0, .from = {12, 9}, .to = {18, 9}, .z_from = 0, .z_to = rise}};
  Layer upper{"upper", {.z = rise}};
  Sketch sketch("stairs", {Layer{"lower", {}}, stair, upper});
  const double width = random.integer(1, 4);
  const Vec2 foot{12, 9}, head{18, 9};
  const Ring well = rectangle(foot, head + Vec2{0, width});
  sketch.walkable({rectangle({0, 0}, {30, 20}), {}}, 0);
  sketch.walkable({well, {}}, 1);
  sketch.walkable({rectangle({0, 0}, {30, 20}), {}}, 2);
  sketch.obstacle({well, {}}, 0);
  sketch.obstacle({well, {}}, 2);
  scatter(sketch, random, {2, 2}, {9, 18}, random.integer(0, 6), 0);
  scatter(sketch, random, {22, 2}, {28, 18}, random.integer(0, 6), 2);
  sketch.connection(foot, foot + Vec2{0, width}, 0, 1);
  sketch.connection(head, head + Vec2{0, width}, 1, 2);
  return sketch;
}

/// The quarters of a square spiral, anticlockwise from the south: a flight and the landing at its end each.
struct SpiralQuarter {
  Vec2 min, max;  // of flight and landing
  Vec2 from, to;  // the flight's axis
  Vec2 entry_a, entry_b;
};

SpiralQuarter spiral_quarter(int k, double width, double side) {
  const double inner = side - width, half = width / 2;
  switch (k % 4) {
    case 0: return {{width, 0}, {side, width}, {width, half}, {inner, half}, {width, 0}, {width, width}};
    case 1:
      return {{inner, width}, {side, side}, {side - half, width}, {side - half, inner}, {inner, width}, {side, width}};
    case 2:
      return {{0, inner}, {inner, side}, {inner, side - half}, {width, side - half}, {inner, inner}, {inner, side}};
    default: return {{0, 0}, {width, inner}, {half, inner}, {half, width}, {0, inner}, {width, inner}};
  }
}

Sketch draw_spiral_ramp(RandomStream& random) {
  const int quarters = 1 + 4 * random.integer(1, 3);
  const double width = random.integer(2, 4), side = 2 * width + random.integer(4, 10), rise = 0.75;
  std::vector<Layer> layers{{"ground", {}}};
  for (int k = 0; k < quarters; ++k) {
    const SpiralQuarter q = spiral_quarter(k, width, side);
    layers.push_back({"ramp-" + std::to_string(k + 1),
                      {.ramp = true,
                       .stairs = false,
                       .z = 0,
                       .from = q.from,
                       .to = q.to,
                       .z_from = k * rise,
                       .z_to = (k + 1) * rise}});
  }
  layers.push_back({"deck", {.z = quarters * rise}});
  Sketch sketch("spiral_ramp", layers);
  const std::size_t deck = layers.size() - 1;
  sketch.walkable({rectangle({-12, -5}, {width, width + 5}), {}}, 0);
  scatter(sketch, random, {-10, -3}, {-4, width + 3}, random.integer(0, 5), 0);
  for (int k = 0; k < quarters; ++k) {
    const SpiralQuarter q = spiral_quarter(k, width, side);
    sketch.walkable({rectangle(q.min, q.max), {}}, std::size_t(k) + 1);
    sketch.connection(q.entry_a, q.entry_b, std::size_t(k), std::size_t(k) + 1);
  }
  sketch.walkable({rectangle({side, -5}, {side + 12, width + 5}), {}}, deck);
  scatter(sketch, random, {side + 4, -3}, {side + 10, width + 3}, random.integer(0, 5), deck);
  sketch.connection({side, 0}, {side, width}, deck - 1, deck);
  return sketch;
}

using DrawFlat = void (*)(Sketch&, RandomStream&);
using DrawLayered = Sketch (*)(RandomStream&);

struct SceneEntry {
  SceneKind kind;
  std::string_view name;
  DrawFlat flat = nullptr;
  DrawLayered layered = nullptr;
};

constexpr SceneEntry scenes[] = {
    {SceneKind::overlapping_polygons, "overlapping_polygons", draw_overlapping_polygons},
    {SceneKind::rotated_rectangles, "rotated_rectangles", draw_rotated_rectangles},
    {SceneKind::grid_of_squares, "grid_of_squares", draw_grid_of_squares},
    {SceneKind::stars, "stars", draw_stars},
    {SceneKind::cocircular, "cocircular", draw_cocircular},
    {SceneKind::thin_combs, "thin_combs", draw_thin_combs},
    {SceneKind::touching_corners, "touching_corners", draw_touching_corners},
    {SceneKind::nested_holes, "nested_holes", draw_nested_holes},
    {SceneKind::single_wall, "single_wall", draw_single_wall},
    {SceneKind::empty_room, "empty_room", draw_empty_room},
    {SceneKind::wall_maze, "wall_maze", draw_wall_maze},
    {SceneKind::crossing_walls, "crossing_walls", draw_crossing_walls},
    {SceneKind::slivers, "slivers", draw_slivers},
    {SceneKind::two_layers, "two_layers", nullptr, draw_two_layers},
    {SceneKind::stairs, "stairs", nullptr, draw_stairs},
    {SceneKind::spiral_ramp, "spiral_ramp", nullptr, draw_spiral_ramp},
};

const SceneEntry& entry_of(SceneKind kind) {
  return *std::find_if(std::begin(scenes), std::end(scenes), [kind](const SceneEntry& s) { return s.kind == kind; });
}

}  // namespace

std::string_view name_of(SceneKind kind) { return entry_of(kind).name; }

Environment random_scene(std::uint64_t seed, SceneKind kind) {
  const SceneEntry& entry = entry_of(kind);
  RandomStream random(seed, {.purpose = std::uint32_t(kind)});
  if (entry.layered != nullptr) return entry.layered(random).take();
  Sketch sketch{std::string(entry.name)};
  entry.flat(sketch, random);
  return std::move(sketch).take();
}

}  // namespace throng::environment
