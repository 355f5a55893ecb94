#include "routes/flow_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/queries.hpp"
#include "routes/flow_field_builder.hpp"
#include "routes/ground_field.hpp"

namespace throng::routes {

namespace {

/// Tiles that are looked at for a place in a tile without any window: too near to obstacles for the body.
constexpr int most_steps_back = 16;
/// Questions of which one part after another is asked for: enough to wait for memory once for all, few enough to stay in the cache.
constexpr std::size_t questions_at_once = 16;

/// More than a way turns around a disc, in radians.
constexpr double longest_turn = 6.3;

}  // namespace

FlowField::FlowField(std::shared_ptr<const CorridorTiles> tiles, std::span<const FlowGoal> goals, double radius)
    : disc_tiles_(std::move(tiles), radius), radius_(radius) {
  FlowFieldBuilder(*this).run(goals);
}

FlowField::FlowField(std::shared_ptr<const CorridorTiles> tiles, std::shared_ptr<const GroundField> ground,
                     double radius)
    : disc_tiles_(std::move(tiles), radius), radius_(radius), ground_(std::move(ground)) {}

FlowField::Answer FlowField::over_ground(Vec2 point, Index cell) const {
  const GroundField::Answer found = ground_->ask({point, navmesh::layer_at(disc_tiles_.mesh(), cell, point)});
  if (!found.reachable()) return {};
  Answer answer{found.metres, {}, found.next, found.tag};
  const Vec2 way = found.next - point, back = found.from - point;
  const double size = length(way), off = length(back);
  if (size > 0) answer.direction = way / size;
  if (off > tolerance::same) {
    // Too near to an obstacle: outwards the more the deeper.
    const Vec2 turned = answer.direction + back * (std::min(1.0, off / std::max(disc(), off)) / off);
    const double turned_size = length(turned);
    answer.direction = turned_size > 0 ? turned / turned_size : back / off;
    answer.distance += off;
  }
  return answer;
}

FlowField::Answer FlowField::along(const Origin& origin, Vec2 p, double arc) {
  const TangentRoot& root = *origin.root;
  const auto& [away, direction] = origin.by;
  const double disc = std::abs(root.bend.radius);
  if (disc > 0 && away < disc) {
    // Inside the disc: along it, and outwards the more the deeper.
    if (away == 0) return {root.distance, -root.arrival, p, root.tag};
    const Vec2 outward = (p - root.bend.centre) / away;
    const Vec2 back = outward * ((disc - away) / disc) - direction;
    return {root.distance + arc + (disc - away), back / length(back), root.bend.centre + outward * disc, root.tag};
  }
  if (away == 0) return {root.distance, {}, p, root.tag};
  const Vec2 next = touch(root.bend, direction);
  return {root.distance + arc + length(p - next), -direction, next, root.tag};
}

FlowField::Origin FlowField::best_origin(Index tile, Vec2 p) const {
  Origin best;
  double least_off = unreachable;
  double most = unreachable;  // the best is no longer than this
  bool is_known = false;      // most is its length
  const auto length_by = [&](const Origin& origin) {
    return along(origin, p, arc_length(origin.root->bend, origin.root->arrival, origin.by.direction)).distance;
  };
  const bool narrow = disc_tiles_.is_narrow(tile);
  const std::uint8_t side = narrow ? disc_tiles_.side_of(tile, p) : 0;
  for (Index w = first_window_[tile]; w < first_window_[tile + 1]; ++w) {
    if (narrow && windows_[w].side != side) continue;
    const TangentRoot& root = roots_[windows_[w].root];
    const double disc = std::abs(root.bend.radius);
    if (least_off == 0 && root.distance - disc + length(p - root.bend.centre) > most) continue;
    const Origin origin{&root, approach(root.bend, p)};
    const double off = disc_tiles_.outside(root, windows_[w], tile, p, origin.by);
    // Of windows that hold the place the shortest counts; where none does, the one that almost does.
    const double counted = off <= tolerance::route_clearance ? 0 : off;
    if (counted > least_off) continue;
    if (counted < least_off) {
      // Mostly there is one only: how long its arc is, which takes longest to find, need not be known.
      best = origin;
      most = root.distance + std::max(origin.by.away, disc) + longest_turn * disc;
      is_known = false;
      least_off = counted;
      continue;
    }
    if (!is_known) most = length_by(best);
    is_known = true;
    const double length = length_by(origin);
    if (length < most) best = origin, most = length;
  }
  return best;
}

FlowField::Answer FlowField::best_at(Index tile, Vec2 p) const {
  const Origin best = best_origin(tile, p);
  if (best.root == nullptr) return {};
  return along(best, p, arc_length(best.root->bend, best.root->arrival, best.by.direction));
}

FlowField::Answer FlowField::ask(Vec2 point, Index cell) const {
  if (ground_) return over_ground(point, cell);
  if (is_too_near(point, cell)) return too_near(point, cell);
  return best_at(disc_tiles_.tiles().tile_at(cell, point, disc()), point);
}

void FlowField::ask_all(std::span<const Question> questions, std::span<Answer> answers) {
  if (std::ranges::any_of(questions, [](const Question& q) { return q.field->ground_ != nullptr; })) {
    for (std::size_t i = 0; i < questions.size(); ++i)
      answers[i] = questions[i].field->ask(questions[i].point, questions[i].cell);
    return;
  }
  std::array<Index, questions_at_once> tiles;
  for (std::size_t begin = 0; begin < questions.size(); begin += questions_at_once) {
    const std::span<const Question> now =
        questions.subspan(begin, std::min(questions_at_once, questions.size() - begin));
    for (const Question& question : now) question.field->disc_tiles_.tiles().prefetch(question.cell / 2);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const FlowField& field = *now[i].field;
      tiles[i] = field.disc_tiles_.tiles().tile_at(now[i].cell, now[i].point, field.disc());
      __builtin_prefetch(&field.first_window_[tiles[i]]);
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      const FlowField& field = *now[i].field;
      const TangentWindow* first = field.windows_.data() + field.first_window_[tiles[i]];
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
    // Arcs for all of them together.
    std::array<Origin, questions_at_once> origins;
    std::array<double, questions_at_once> x{}, y{}, angles;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto& [field, point, cell, clearance] = now[i];
      const bool has_room = clearance >= field->disc() || !field->is_too_near(point, cell);
      if (has_room) origins[i] = field->best_origin(tiles[i], point);
      answers[begin + i] = has_room ? Answer{} : field->too_near(point, cell);
      if (const TangentRoot* root = origins[i].root) {
        const Vec2 turn = turn_of(root->bend, root->arrival, origins[i].by.direction);
        x[i] = turn.x;
        y[i] = turn.y;
      }
    }
    geometry::arc_tangents(y, x, angles);
    for (std::size_t i = 0; i < now.size(); ++i)
      if (const TangentRoot* root = origins[i].root)
        answers[begin + i] = along(origins[i], now[i].point, arc_length(root->bend, angles[i]));
  }
}

bool FlowField::is_too_near(Vec2 point, Index cell) const {
  const navmesh::Mesh& mesh = disc_tiles_.mesh();
  const Vec2 nearest = navmesh::nearest_on(mesh.site(mesh.site_of(cell)), point);
  const double least = disc() - tolerance::same;
  return squared_length(point - nearest) < least * least;
}

/// Straight away from the nearest obstacle, if the body fits there, and on from where it does.
FlowField::Answer FlowField::too_near(Vec2 p, Index cell) const {
  const navmesh::Mesh& mesh = disc_tiles_.mesh();
  const Index site = mesh.site_of(cell);
  const Vec2 nearest = navmesh::nearest_on(mesh.site(site), p);
  const double clearance = length(p - nearest);
  const navmesh::Retraction on_axis = navmesh::retract(mesh, {cell, site, clearance, nearest}, p);
  if (on_axis.clearance < disc() - tolerance::same) return towards_room(p, cell / 2);
  const Vec2 outward = (on_axis.point - nearest) / on_axis.clearance;
  const Vec2 rim = nearest + outward * disc();
  Answer answer = best_at(disc_tiles_.tiles().tile_at(cell, rim, disc()), rim);
  if (!answer.reachable()) return answer;
  const Vec2 back = answer.direction + outward * ((disc() - clearance) / disc());
  const double length = throng::length(back);
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
      const double way = length(middle - p);
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
  if (ground_) return sizeof *this + ground_->bytes();
  return sizeof *this + held(roots_) + held(windows_) + held(first_window_);
}

}  // namespace throng::routes
