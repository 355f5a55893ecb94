#include "environment/generate/city_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace throng::environment {

namespace {

// One random number an expression: compilers evaluate the arguments of a call in different orders.

using geometry::RandomStream;

/// A strip of ground behind one edge of a block, mitred at the corners: front[0], front[1] on the edge, back[0], back[1] behind them.
struct Strip {
  Vec2 front[2];
  Vec2 back[2];

  [[nodiscard]] Vec2 at(double along, double deep) const {
    return between(between(front[0], front[1], along), between(back[0], back[1], along), deep);
  }
  [[nodiscard]] Vec2 direction() const { return unit(front[1] - front[0]); }
  [[nodiscard]] Vec2 inwards() const { return perpendicular(direction()); }
  [[nodiscard]] double front_length() const { return length(front[1] - front[0]); }
};

Vec2 corner_inwards(const Ring& ring, std::size_t i, double depth) {
  const std::size_t n = ring.size();
  const Vec2 before = unit(ring[i] - ring[(i + n - 1) % n]);
  const Vec2 after = unit(ring[(i + 1) % n] - ring[i]);
  // The point at `depth` from both edges: |t| = depth * tan(half the turn), written without an angle.
  const double turn = cross(before, after) / (1 + dot(before, after));
  return ring[i] + depth * (perpendicular(after) + turn * after);
}

/// Strips along every edge; none at all where corners are too sharp or the block too small for that depth.
std::vector<Strip> strips_along(const Ring& block, double depth) {
  std::vector<Strip> strips;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::size_t next = (i + 1) % block.size();
    const Strip strip{{block[i], block[next]}, {corner_inwards(block, i, depth), corner_inwards(block, next, depth)}};
    if (dot(strip.back[1] - strip.back[0], strip.direction()) < 6) return {};
    if (length(strip.back[0] - strip.front[0]) > 2.2 * depth) return {};
    strips.push_back(strip);
  }
  return strips;
}

/// Shares of the way along a strip where one lot ends and the next begins, from 0 to 1.
std::vector<double> lot_lines(const Strip& strip, double lot_width, RandomStream& random) {
  const int lots = std::max(1, int(strip.front_length() / lot_width + 0.5));
  std::vector<double> lines{0};
  for (int i = 1; i < lots; ++i) lines.push_back((i + random.uniform(-0.25, 0.25)) / lots);
  lines.push_back(1);
  return lines;
}

/// A footprint over a lot, with a rear wing, a bay or plain.
Ring house_on(const Strip& strip, double from, double to, RandomStream& random) {
  const double deep = random.uniform(0.72, 1.0);
  const double low = between({from, 0}, {to, 0}, random.uniform(0.3, 0.6)).x;
  const double shape = random.unit();
  const Vec2 a = strip.at(from, 0), b = strip.at(to, 0);
  if (shape < 0.35) return {a, b, strip.at(to, deep), strip.at(from, deep)};
  if (shape < 0.70)
    return {a, b, strip.at(to, deep), strip.at(low, deep), strip.at(low, deep * 0.68), strip.at(from, deep * 0.68)};
  const double left = from + 0.3 * (to - from), right = from + 0.7 * (to - from);
  const Vec2 out = -0.9 * strip.inwards();
  return {a, strip.at(left, 0),  strip.at(left, 0) + out, strip.at(right, 0) + out, strip.at(right, 0),
          b, strip.at(to, deep), strip.at(from, deep)};
}

/// A way through whatever stands between the street and the back of the strip.
Ring passage(const Strip& strip, double along, double width) {
  const Vec2 middle = between(strip.front[0], strip.front[1], along);
  const double depth = dot(strip.back[0] - strip.front[0], strip.inwards());
  // A metre or two beyond on both sides: bays and rear wings.
  return oriented_rectangle(middle + (depth / 2) * strip.inwards(), strip.inwards(), depth + 3, width);
}

/// A fence between two points with a gate in the middle.
void fence_with_gate(Sketch& sketch, Vec2 from, Vec2 to, double gate) {
  const double share = gate / 2 / std::max(length(to - from), 2 * gate);
  sketch.wall({from, between(from, to, 0.5 - share)});
  sketch.wall({between(from, to, 0.5 + share), to});
}

void draw_tree(Sketch& sketch, Vec2 at, RandomStream& random) {
  const double radius = random.uniform(0.2, 0.55);
  sketch.obstacle({regular_polygon(at, radius, 6, random.unit()), {}});
}

/// A point of the ring's box; outside the ring where it is not a rectangle.
Vec2 point_about(const Ring& ring, RandomStream& random) {
  Vec2 low = ring[0], high = ring[0];
  for (const Vec2 p : ring) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double x = random.uniform(low.x, high.x);
  return {x, random.uniform(low.y, high.y)};
}

void scatter_trees(Sketch& sketch, const Ring& ground, double square_metres_each, RandomStream& random) {
  const int count = int(signed_area(ground) / square_metres_each);
  for (int i = 0; i < count; ++i)
    if (const Vec2 at = point_about(ground, random); contains(ground, at)) draw_tree(sketch, at, random);
}

/// A roundish shape: radii swing between `least` and 1 of the radius.
Ring blob(Vec2 centre, double radius, double least, int corners, RandomStream& random) {
  Ring ring;
  for (const Vec2 p : regular_polygon({0, 0}, radius, corners)) ring.push_back(centre + random.uniform(least, 1) * p);
  return ring;
}

void draw_yard(Sketch& sketch, const Ring& yard, RandomStream& random) {
  if (yard.empty()) return;
  if (random.chance(0.4)) sketch.region("grass", {inset(yard, 1.5).empty() ? yard : inset(yard, 1.5), {}});
  scatter_trees(sketch, yard, 260, random);
  const int sheds = int(random.below(4));
  for (int i = 0; i < sheds; ++i) {
    const Vec2 at = point_about(yard, random);
    const Vec2 axis = unit(yard[1] - yard[0]);
    if (contains(yard, at)) sketch.obstacle({oriented_rectangle(at, axis, random.uniform(3, 6), 2.6), {}});
  }
}

/// One lot of a perimeter: a house, a house over a passage, or a gap with or without a gate.
void draw_lot(Sketch& sketch, const Strip& strip, double from, double to, bool corner, RandomStream& random) {
  const double fate = random.unit();
  if (!corner && fate < 0.06) return;
  if (!corner && fate < 0.11) return fence_with_gate(sketch, strip.at(from, 0.1), strip.at(to, 0.1), 1.6);
  // Surveyors' millimetres: a third of the houses reach into the next one, a third stop short of it.
  const double slip = (int(random.below(3)) - 1) * 0.003 / strip.front_length();
  sketch.obstacle({house_on(strip, from, to == 1 ? 1 : to + slip, random), {}});
  if (fate > 0.93) sketch.opening(passage(strip, (from + to) / 2, random.uniform(2.4, 3.6)));
}

/// Walls from the backs of the houses towards the middle of the yard, with room to walk round their ends.
void draw_garden_walls(Sketch& sketch, const Strip& strip, const std::vector<double>& lines, Vec2 middle) {
  for (std::size_t i = 1; i + 1 < lines.size(); i += 2) {
    const Vec2 from = strip.at(lines[i], 0.9);
    const Vec2 end = strip.at(lines[i], 1) + 0.3 * (middle - strip.at(lines[i], 1));
    sketch.wall({from, between(from, end, 0.5) + 0.4 * strip.direction(), end});
  }
}

/// A flat-iron building on a corner too sharp for anything else: its two long sides, and a small square behind it.
void draw_wedge(Sketch& sketch, const Ring& block, RandomStream& random) {
  std::size_t sharpest = 0;
  const auto reach = [&](std::size_t i) { return length(corner_inwards(block, i, 1) - block[i]); };
  for (std::size_t i = 1; i < block.size(); ++i)
    if (reach(i) > reach(sharpest)) sharpest = i;
  const Vec2 tip = block[sharpest];
  const Vec2 axis = unit(centre_of(block) - tip);
  const Vec2 back = centre_of(block) + random.uniform(-6, 6) * axis;
  const Ring blunt = clip_left(block, tip + 5 * axis, -perpendicular(axis));
  const Ring building = blunt.empty() ? Ring{} : clip_left(blunt, back, perpendicular(axis));
  if (!building.empty()) sketch.obstacle({building, {}});
  if (const Ring rest = clip_left(block, back + 3 * axis, -perpendicular(axis)); !rest.empty())
    scatter_trees(sketch, rest, 80, random);
}

}  // namespace

void draw_perimeter(Sketch& sketch, const Ring& block, RandomStream& random) {
  const double depth = random.uniform(10, 14);
  const std::vector<Strip> strips = strips_along(block, depth);
  if (strips.empty()) return draw_single_building(sketch, block, random);
  const double lot_width = random.uniform(10, 17);
  const bool walled = random.chance(0.4);
  for (const Strip& strip : strips) {
    const std::vector<double> lines = lot_lines(strip, lot_width, random);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
      draw_lot(sketch, strip, lines[i], lines[i + 1], i == 0 || i + 2 == lines.size(), random);
    if (walled) draw_garden_walls(sketch, strip, lines, centre_of(block));
  }
  // A yard nobody can reach is no use: one sure way in.
  const Strip& way_in = strips[random.below(std::uint32_t(strips.size()))];
  sketch.opening(passage(way_in, random.uniform(0.3, 0.7), 3));
  draw_yard(sketch, inset(block, depth + 2), random);
}

void draw_court_building(Sketch& sketch, const Ring& block, RandomStream& random) {
  const Ring outline = inset(block, random.uniform(0.5, 3));
  const double depth = random.uniform(11, 15);
  const Ring court = inset(outline, depth);
  const std::vector<Strip> strips = outline.empty() ? std::vector<Strip>{} : strips_along(outline, depth);
  if (strips.empty() || signed_area(court) < 80) return draw_single_building(sketch, block, random);
  sketch.obstacle({outline, {Ring(court.rbegin(), court.rend())}});
  const Strip& wing_at = strips[random.below(std::uint32_t(strips.size()))];
  if (signed_area(court) > 500) {
    const Vec2 from = wing_at.at(0.5, 0.5);
    const Vec2 to = 2 * centre_of(court) - from;
    sketch.obstacle({oriented_rectangle(between(from, to, 0.5), unit(to - from), length(to - from), 11), {}});
  }
  for (const Strip& strip : strips)
    if (&strip == &strips[0] || random.chance(0.6)) sketch.opening(passage(strip, random.uniform(0.2, 0.4), 3.4));
  draw_yard(sketch, inset(court, 3), random);
}

void draw_villas(Sketch& sketch, const Ring& block, RandomStream& random) {
  const std::vector<Strip> strips = strips_along(block, 19);
  if (strips.empty()) return draw_slabs(sketch, block, random);
  sketch.region("grass", {inset(block, 1), {}});
  for (const Strip& strip : strips) {
    const std::vector<double> lines = lot_lines(strip, 20, random);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      const double middle = (lines[i] + lines[i + 1]) / 2;
      const Vec2 centre = strip.at(middle, random.uniform(0.45, 0.65));
      const double width = std::min(random.uniform(8, 12), 0.6 * (lines[i + 1] - lines[i]) * strip.front_length());
      sketch.obstacle({oriented_rectangle(centre, strip.direction(), width, random.uniform(8, 10)), {}});
      if (random.chance(0.5))
        sketch.obstacle({oriented_rectangle(centre + 4.5 * strip.inwards(), strip.direction(), 0.4 * width, 3), {}});
      fence_with_gate(sketch, strip.at(lines[i], 0.03), strip.at(lines[i + 1], 0.03), 1.2);
      if (i > 0) sketch.wall({strip.at(lines[i], 0.03), strip.at(lines[i], 0.5), strip.at(lines[i], 0.93)});
    }
  }
}

void draw_slabs(Sketch& sketch, const Ring& block, RandomStream& random) {
  const Ring lawn = inset(block, 2);
  const Ring built = inset(block, 5);
  if (lawn.empty() || built.empty()) return draw_single_building(sketch, block, random);
  sketch.region("grass", {lawn, {}});
  const Vec2 along = unit(block[1] - block[0]);
  const Vec2 across = perpendicular(along);
  const double spacing = random.uniform(22, 30);
  for (double at = random.uniform(2, 8); at < 200; at += spacing) {
    const Ring upper = clip_left(built, block[0] + (at + 5) * across, along);
    const Ring slab = upper.empty() ? Ring{} : clip_left(upper, block[0] + (at + 16) * across, -along);
    if (slab.empty() || signed_area(inset(slab, 3)) < 40) continue;
    sketch.obstacle({slab, {}});
    const Vec2 entrance = centre_of(slab) - 5.6 * across;
    sketch.obstacle({oriented_rectangle(entrance, along, 4, 1.4), {}});
    sketch.region("path", {oriented_rectangle(entrance - 4 * across, across, 8, 2), {}});
  }
  scatter_trees(sketch, lawn, 500, random);
}

void draw_park(Sketch& sketch, const Ring& block, RandomStream& random) {
  const Ring lawn = inset(block, 2);
  if (lawn.size() < 3) return;
  const Vec2 middle = centre_of(lawn);
  sketch.region("grass", {lawn, {}});
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Vec2 a = lawn[i % lawn.size()], b = lawn[(i + 1) % lawn.size()];
    const Vec2 gate = between(a, b, 0.5);
    if (length(b - a) < 8) continue;
    sketch.region(
        "path", {oriented_rectangle(between(gate, middle, 0.5), unit(middle - gate), length(middle - gate), 2.4), {}});
    fence_with_gate(sketch, a, b, 3);
  }
  sketch.region("path", {regular_polygon(middle, 6, 12), {}});
  if (const Ring inner = inset(lawn, 10); !inner.empty()) {
    const Vec2 pond = between(inner[0], middle, random.uniform(0.25, 0.4));
    sketch.obstacle({blob(pond, std::min(9.0, 0.3 * length(middle - pond) + 3), 0.7, 14, random), {}});
  }
  scatter_trees(sketch, lawn, 60, random);
}

void draw_square(Sketch& sketch, const Ring& block, const std::string& name, RandomStream& random) {
  const Vec2 middle = centre_of(block);
  sketch.area(name, block);
  const double basin = random.uniform(2.5, 5);
  Ring inner = regular_polygon(middle, basin - 0.5, 16);
  std::reverse(inner.begin(), inner.end());
  sketch.obstacle({regular_polygon(middle, basin, 16), {inner}});
  sketch.obstacle({blob(middle, 1.2, 0.4, 10, random), {}});
  const Ring rows = inset(block, 6);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vec2 a = rows[i], b = rows[(i + 1) % rows.size()];
    const int trees = int(length(b - a) / 7);
    for (int k = 1; k < trees; ++k)
      sketch.obstacle({oriented_rectangle(between(a, b, double(k) / trees), unit(b - a), 0.8, 0.8), {}});
  }
  for (int kiosk = 0; kiosk < 3; ++kiosk) {
    const Vec2 at = point_about(rows.empty() ? block : rows, random);
    const Vec2 axis = unit(Vec2{3, double(random.integer(-3, 3))});
    if (length(at - middle) > basin + 4 && contains(block, at))
      sketch.obstacle({oriented_rectangle(at, axis, 3.6, 2.4), {}});
  }
  if (const Ring terrace = clip_left(block, between(block[0], block[1], 0.6), block[2] - block[1]); !terrace.empty())
    sketch.region("terrace", {terrace, {}});
}

void draw_single_building(Sketch& sketch, const Ring& block, RandomStream& random) {
  if (signed_area(block) > 1800)
    return random.chance(0.5) ? draw_park(sketch, block, random) : draw_wedge(sketch, block, random);
  const Ring outline = inset(block, random.uniform(0, 1.5));
  if (outline.empty()) return;
  sketch.obstacle({outline, {}});
  // A porch that overlaps the building, as extensions do in cadastres.
  const Vec2 a = outline[0], b = outline[1];
  if (length(b - a) > 8)
    sketch.obstacle({oriented_rectangle(between(a, b, random.uniform(0.3, 0.7)), unit(b - a), 4, 2), {}});
}

}  // namespace throng::environment
