#include "crowd/detours.hpp"

#include <algorithm>
#include <cmath>

#include "navmesh/visibility.hpp"

namespace throng::crowd {

using fields::Square;

namespace {

/// Of those who count only what they saw: for how long, and from how far.
constexpr double seen_for = 60, sight = 50;
/// Metres a second: a jam that is slower stands.
constexpr double standing = 0.1;

}  // namespace

bool JamBlock::holds(const Square& square) const { return std::ranges::binary_search(squares, square); }

bool DetourMind::remembers(const Square& square) const {
  return std::ranges::any_of(memories, [&](const Memory& memory) { return memory.block->holds(square); });
}

std::size_t DetourMind::bytes() const {
  return sizeof *this + memories.capacity() * sizeof(Memory) + way_left.capacity() * sizeof(Index) +
         eyes.capacity() * sizeof(Eye);
}

Detours::Detours(navmesh::MeshPtr mesh, const Wants& w) : wants(w), now(mesh, w.kernel) {
  if (!w.predicts) return;
  soon = std::make_unique<fields::DensityField>(mesh, w.kernel);
  later = std::make_unique<fields::DensityField>(mesh, w.kernel);
}

void Detours::add(const JamStamps& left) {
  if (!left.is_there) return;
  now.add(left.now);
  if (soon) soon->add(left.soon), later->add(left.later);
}

void Detours::renew(JamStamps& left, const JamStamps& anew) {
  if (left.is_there) {
    now.remove(left.now);
    if (soon) soon->remove(left.soon), later->remove(left.later);
  }
  add(anew);
  left = anew;
}

std::size_t Detours::bytes() const { return sizeof *this + now.bytes() + (soon ? soon->bytes() + later->bytes() : 0); }

JamSight::JamSight(const Detours& detours, const JamStamps& own, const DetourNumbers& numbers, double speed,
                   const DetourMind* mind, const navmesh::Mesh& mesh, double now)
    : now_(detours.now, own.now),
      numbers_(numbers),
      speed_(std::max(standing, speed)),
      mind_(mind),
      mesh_(mesh),
      time_(now) {
  if (!numbers.predicted || !detours.soon) return;
  soon_.emplace(*detours.soon, own.soon);
  later_.emplace(*detours.later, own.later);
}

JamSight::Seen JamSight::at(const Square& square, double ahead) {
  const auto seen_in = [&](fields::DensityField::Look& look) {
    const auto found = look.at(square);
    return Seen{found.density, found.velocity};
  };
  Seen seen;
  if (!soon_) {
    seen = seen_in(now_);
  } else {
    const double time = std::clamp(ahead / speed_, 0.0, 2 * foreseen_every);
    const bool is_soon = time <= foreseen_every;
    const Seen before = seen_in(is_soon ? now_ : *soon_), after = seen_in(is_soon ? *soon_ : *later_);
    const double part = (time - (is_soon ? 0 : foreseen_every)) / foreseen_every;
    const double one = (1 - part) * before.density, other = part * after.density;
    seen.density = one + other;
    if (seen.density > 0) seen.velocity = (before.velocity * one + after.velocity * other) / seen.density;
  }
  if (numbers_.seen_only && seen.density > 0 && !is_known(square)) return {};
  return seen;
}

bool JamSight::is_known(const Square& square) const {
  if (mind_ == nullptr) return false;
  const Vec2 middle = fields::middle_of(square, fields::square_side);
  return std::ranges::any_of(mind_->eyes, [&](const DetourMind::Eye& eye) {
    return time_ - double(eye.at) <= seen_for && squared_length(eye.place.point - middle) <= sight * sight &&
           navmesh::visible(mesh_, eye.place, {middle, square.layer}, 0);
  });
}

bool JamSight::is_blocked(const Seen& seen, Vec2 direction) const {
  if (!(seen.density > numbers_.threshold)) return false;
  if (!numbers_.is_id3) return true;
  const double fast = std::sqrt(squared_length(seen.velocity));
  if (fast < numbers_.speed_part * speed_ || fast == 0) return true;
  return dot(seen.velocity, direction) < numbers_.least_cosine * fast;
}

double time_past_jam(double to_place, double to_jam, double along, double jam_speed, double age, double speed,
                     bool published) {
  if (to_place <= to_jam) return to_place / speed;
  if (jam_speed < standing || along < 0) return INFINITY;
  // Where it is by now; then, walking up to it while it goes on.
  const double gap = to_jam + jam_speed * age;
  if (published) return gap / speed + std::max(0.0, to_place - gap) / jam_speed;
  if (jam_speed >= speed) return to_place / speed;
  const double meets_at = speed * gap / (speed - jam_speed);
  if (to_place <= meets_at) return to_place / speed;
  return meets_at / speed + (to_place - meets_at) / jam_speed;
}

}  // namespace throng::crowd
