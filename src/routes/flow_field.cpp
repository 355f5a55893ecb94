#include "routes/flow_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "navmesh/queries.hpp"
#include "routes/flow_field_builder.hpp"

namespace throng::routes {

namespace {

/// Tiles that are looked at for a place in a tile without any window: too near to obstacles for the body.
constexpr int most_steps_back = 16;
/// Questions of which one part after another is asked for: enough to wait for memory once for all, few enough to stay in the cache.
constexpr std::size_t questions_at_once = 16;

double length_of(Vec2 v) { return std::sqrt(squared_length(v)); }

}  // namespace

FlowField::FlowField(std::shared_ptr<const CorridorTiles> tiles, std::span<const FlowGoal> goals, double radius)
    : disc_tiles_(std::move(tiles), radius), radius_(radius) {
  FlowFieldBuilder(*this).run(goals);
}

FlowField::Answer FlowField::along(const TangentWindow& window, Vec2 p) const {
  const TangentRoot& root = roots_[window.root];
  const Vec2 from_centre = p - root.bend.centre;
  const double away = length_of(from_centre);
  const double disc = std::abs(root.bend.radius);
  if (disc > 0 && away < disc) {
    // Inside the disc: along it, and outwards the more the deeper.
    if (away == 0) return {root.distance, -root.arrival, p, root.tag};
    const Vec2 outward = from_centre / away;
    const Vec2 onward = direction_to(root.bend, p, away);
    const Vec2 back = outward * ((disc - away) / disc) - onward;
    const double length = root.distance + arc_length(root.bend, root.arrival, onward) + (disc - away);
    return {length, back / length_of(back), root.bend.centre + outward * disc, root.tag};
  }
  if (away == 0) return {root.distance, {}, p, root.tag};
  const Vec2 direction = tangent(root.bend, {p, 0});
  const Vec2 next = touch(root.bend, direction);
  const double straight = length_of(p - next);
  return {root.distance + arc_length(root.bend, root.arrival, direction) + straight, -direction, next, root.tag};
}

FlowField::Answer FlowField::best_at(Index tile, Vec2 p) const {
  Answer best;
  double least_off = unreachable;
  const bool narrow = disc_tiles_.is_narrow(tile);
  const std::uint8_t side = narrow ? disc_tiles_.side_of(tile, p) : 0;
  for (Index w = first_window_[tile]; w < first_window_[tile + 1]; ++w) {
    if (narrow && windows_[w].side != side) continue;
    const TangentRoot& root = roots_[windows_[w].root];
    const double at_least = root.distance - std::abs(root.bend.radius);
    if (least_off == 0 && at_least + length_of(p - root.bend.centre) > best.distance) continue;
    const double off = disc_tiles_.outside(root, windows_[w], tile, p);
    // Of windows that hold the place the shortest counts; where none does, the one that almost does.
    const double counted = off <= beside_window ? 0 : off;
    if (counted > least_off) continue;
    const Answer answer = along(windows_[w], p);
    if (counted < least_off || answer.distance < best.distance) best = answer;
    least_off = counted;
  }
  return best;
}

FlowField::Answer FlowField::ask(Vec2 point, Index cell) const {
  return ask(point, cell, disc_tiles_.tiles().tile_at(cell, point, disc()));
}

void FlowField::ask_all(std::span<const Question> questions, std::span<Answer> answers) {
  std::array<Index, questions_at_once> tiles;
  for (std::size_t begin = 0; begin < questions.size(); begin += questions_at_once) {
    const std::span<const Question> now =
        questions.subspan(begin, std::min(questions_at_once, questions.size() - begin));
    for (std::size_t i = 0; i < now.size(); ++i) {
      const FlowField& field = *now[i].field;
      tiles[i] = field.disc_tiles_.tiles().tile_at(now[i].cell, now[i].point, field.disc());
      __builtin_prefetch(&field.first_window_[tiles[i]]);
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      const TangentWindow* first = now[i].field->windows_.data() + now[i].field->first_window_[tiles[i]];
      __builtin_prefetch(first);
      __builtin_prefetch(first + 1);
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      const FlowField& field = *now[i].field;
      const Index end = field.first_window_[tiles[i] + 1];
      for (Index w = field.first_window_[tiles[i]]; w < end; ++w) {
        const TangentRoot& root = field.roots_[field.windows_[w].root];
        __builtin_prefetch(&root);
        __builtin_prefetch(&root.distance);
      }
    }
    for (std::size_t i = 0; i < now.size(); ++i)
      answers[begin + i] = now[i].field->ask(now[i].point, now[i].cell, tiles[i]);
  }
}

/// `tile` is the one that holds the point, if the body fits there.
FlowField::Answer FlowField::ask(Vec2 point, Index cell, Index tile) const {
  const navmesh::Mesh& mesh = disc_tiles_.mesh();
  const Vec2 nearest = navmesh::nearest_on(mesh.sites[mesh.site_of(cell)], point);
  const double least = disc() - fit_tolerance;
  if (squared_length(point - nearest) < least * least) return too_near(point, cell);
  return best_at(tile, point);
}

/// Straight away from the nearest obstacle, if the body fits there, and on from where it does.
FlowField::Answer FlowField::too_near(Vec2 p, Index cell) const {
  const navmesh::Mesh& mesh = disc_tiles_.mesh();
  const Index site = mesh.site_of(cell);
  const Vec2 nearest = navmesh::nearest_on(mesh.sites[site], p);
  const double clearance = length_of(p - nearest);
  const navmesh::Retraction on_axis = navmesh::retract(mesh, {cell, site, clearance, nearest}, p);
  if (on_axis.clearance < disc() - fit_tolerance) return towards_room(p, cell / 2);
  const Vec2 outward = (on_axis.point - nearest) / on_axis.clearance;
  const Vec2 rim = nearest + outward * disc();
  Answer answer = best_at(disc_tiles_.tiles().tile_at(cell, rim, disc()), rim);
  if (!answer.reachable()) return answer;
  const Vec2 back = answer.direction + outward * ((disc() - clearance) / disc());
  const double length = length_of(back);
  return {answer.distance + (disc() - clearance), length > 0 ? back / length : outward, answer.next, answer.tag};
}

/// From a place where the body does not fit to the middle of the next gate that lets it through, by ever wider ones.
FlowField::Answer FlowField::towards_room(Vec2 p, Index tile) const {
  for (int step = 0; step < most_steps_back; ++step) {
    const std::span<const TileGate> gates = disc_tiles_.tiles().gates(tile);
    const TileGate* widest = &gates[step == 0 ? disc_tiles_.side_of(tile, p) : 0];
    if (step > 0 || !widest->lets_through(disc()))
      for (const TileGate& gate : gates)
        if (gate.clearance > widest->clearance) widest = &gate;
    if (widest->lets_through(disc())) {
      const Vec2 middle = (widest->right_for(disc()) + widest->left_for(disc())) / 2;
      Answer answer = best_at(tile, middle);
      if (!answer.reachable() && widest->tile != none) answer = best_at(widest->tile, middle);
      const double way = length_of(middle - p);
      if (!answer.reachable() || way == 0) return answer;
      return {answer.distance + way, (middle - p) / way, middle, answer.tag};
    }
    if (widest->tile == none) break;
    tile = widest->tile;
  }
  return {};
}

std::size_t FlowField::most_windows_in_a_tile() const {
  std::size_t most = 0;
  for (std::size_t t = 0; t + 1 < first_window_.size(); ++t)
    most = std::max<std::size_t>(most, first_window_[t + 1] - first_window_[t]);
  return most;
}

std::size_t FlowField::bytes() const {
  const auto held = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof *this + held(roots_) + held(windows_) + held(first_window_);
}

}  // namespace throng::routes
