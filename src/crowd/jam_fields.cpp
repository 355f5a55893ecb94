// How dense it is around people, as long as anybody goes round jams: stamps renewed by turns, what lines through the crowd cost, and what is shown of it.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "crowd/state.hpp"
#include "following/route_window.hpp"
#include "navmesh/visibility.hpp"

namespace throng::crowd {

using fields::Square;
using fields::Stamp;
using navmesh::Place;

namespace {

std::uint64_t turns_of(double seconds, double dt) {
  return std::uint64_t(std::max(1.0, std::floor(seconds / dt + 0.5)));
}

}  // namespace

bool Crowd::State::congestion_method_detours(Slot slot) const {
  const CongestionMethod* method = congestion_of(slot);
  return method != nullptr && method->detours();
}

DetourNumbers Crowd::State::detour_numbers(Slot slot) const {
  return congestion_of(slot)->detour_numbers(level(Level::congestion).numbers(slot));
}

JamSight Crowd::State::jam_sight(Slot slot, const DetourNumbers& numbers) const {
  return {*detours, (*detours->stamps)[slot], numbers, traits[slot].speed, detour_mind(slot), *world->mesh, time()};
}

DetourMind& Crowd::State::keep_detour_mind(Slot slot) {
  std::unique_ptr<DetourMind>& own = (*detours->minds)[slot];
  if (!own) own = std::make_unique<DetourMind>();
  return *own;
}

/// What all who go round jams want together.
Detours::Wants Crowd::State::wanted_fields() const {
  Detours::Wants wants{fields::KernelKind::plain, true, false};
  for (const Slot slot : order) {
    if (!congestion_method_detours(slot)) continue;
    const DetourNumbers numbers = detour_numbers(slot);
    if (!numbers.plain) wants.kernel = fields::KernelKind::walls;
    if (!numbers.at_once) wants.at_once = false;
    if (numbers.predicted) wants.predicts = true;
  }
  return wants;
}

void Crowd::State::begin_detours(const Detours::Wants& wants) {
  std::unique_ptr<Detours> before = std::move(detours);
  detours = std::make_unique<Detours>(world->mesh, wants);
  if (before) {
    // Other fields of the same people.
    detours->stamps = std::move(before->stamps), detours->minds = std::move(before->minds);
    detours->behind_jam = std::move(before->behind_jam);
    for (const Slot slot : order) (*detours->stamps)[slot] = {};
    return;
  }
  agents::Codec<JamStamps> stamps;
  const auto put = [](geometry::ArchiveWriter& out, const Stamp& s) {
    out.put(s.square.column), out.put(s.square.row), out.put(s.square.layer), out.put(s.velocity_x),
        out.put(s.velocity_y);
  };
  const auto get = [this](geometry::ArchiveReader& in, Stamp& s) {
    in.get(s.square.column), in.get(s.square.row), in.get(s.square.layer), in.get(s.velocity_x), in.get(s.velocity_y);
    constexpr std::int32_t farthest = 1 << 28;
    if ((s.square.layer != none && s.square.layer >= world->mesh->layers.size()) ||
        std::abs(std::int64_t(s.square.column)) > farthest || std::abs(std::int64_t(s.square.row)) > farthest)
      in.fail(), s = {};
  };
  stamps.save = [put](geometry::ArchiveWriter& out, const JamStamps& s, Slot) {
    out.put(std::uint8_t(s.is_there ? 1 : 0));
    if (s.is_there) put(out, s.now), put(out, s.soon), put(out, s.later);
  };
  stamps.load = [get](geometry::ArchiveReader& in, JamStamps& s, Slot) {
    s.is_there = in.get<std::uint8_t>() != 0;
    if (s.is_there) get(in, s.now), get(in, s.soon), get(in, s.later);
  };
  detours->stamps = std::make_unique<Detours::StampColumn>(store, "jam stamps", agents::Lives::agent, true, JamStamps(),
                                                           std::move(stamps));
  detours->minds = std::make_unique<Detours::MindColumn>(store, "detours", agents::Lives::agent, true,
                                                         std::unique_ptr<DetourMind>(), detour_mind_codec());
  detours->behind_jam = std::make_unique<agents::Column<std::uint8_t>>(store, "behind jam", agents::Lives::step, false);
}

/// Where it will be in so many seconds: along its own way at the speed it walks now, or straight ahead up to a wall where it has none.
Stamp Crowd::State::stamp_in(Slot slot, double ahead) const {
  const Place here{position[slot], layer[slot]};
  const bool is_steered = activity[slot] == Activity::steered;
  // Who came in this step has not moved yet; of who is steered it is known how it will.
  const Vec2 moves = is_steered && !(*detours->stamps)[slot].is_there ? preferred[slot] : velocity[slot];
  const double walked = std::sqrt(squared_length(moves)) * ahead;
  if (walked == 0 || (activity[slot] != Activity::walking && !is_steered)) return detours->now.stamp_of(here, moves);
  if (!route[slot] || is_steered) {
    const navmesh::Hit hit = navmesh::first_hit(*world->mesh, here, here.point + moves * ahead, cell[slot]);
    return detours->now.stamp_of(hit.cell == none ? here : Place{hit.point, hit.layer}, moves);
  }
  const routes::PackedRoute& own = route[slot]->way;
  const double along = memory[slot].reference + walked;
  const Errand& errand = errand_of(slot);
  const bool is_last = errand.goal + 1 == errand.itinerary->goals.size();
  if (along >= own.length()) {
    if (is_last && errand.itinerary->at_last == goals::AtLastGoal::leave) return {};
    return detours->now.stamp_of({own.end(), target[slot].layer == none ? layer[slot] : target[slot].layer}, {});
  }
  following::RouteWindow window;
  window.open(own, along);
  const routes::RoutePoint there = window.pieces().at(along);
  const routes::Piece& piece = window.pieces().pieces[there.piece];
  const Vec2 direction = piece.direction_at(along - window.pieces().prefix[there.piece]);
  return detours->now.stamp_of({there.point, there.layer}, direction * (walked / ahead));
}

JamStamps Crowd::State::stamps_of(Slot slot) const {
  JamStamps left{.now = stamp_in(slot, 0), .is_there = true};
  if (!detours->soon) return left;
  left.soon = stamp_in(slot, foreseen_every), left.later = stamp_in(slot, 2 * foreseen_every);
  return left;
}

void Crowd::State::leave_fields(Slot slot) {
  if (detours) detours->renew((*detours->stamps)[slot], {});
}

void Crowd::State::keep_fields(double dt) {
  const bool any = std::ranges::any_of(order, [&](Slot slot) { return congestion_method_detours(slot); });
  if (!any) return detours.reset();
  if (const Detours::Wants wants = wanted_fields(); !detours || detours->wants != wants) begin_detours(wants);
  const std::uint64_t turns = turns_of(renew_every, dt);
  for_everybody([&](Slot slot) {
    const std::uint64_t turn = detours->wants.at_once ? 0 : serial[slot];
    due[slot] = !(*detours->stamps)[slot].is_there || (steps + turn) % turns == 0 ? 1 : 0;
  });
  const std::span<const Slot> now = flagged(due);
  std::vector<JamStamps> anew(now.size());
  executor.for_chunks(now.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) anew[i] = stamps_of(now[i]);
  });
  for (std::size_t i = 0; i < now.size(); ++i) {
    detours->renew((*detours->stamps)[now[i]], anew[i]);
    if (congestion_method_detours(now[i]) && detour_numbers(now[i]).seen_only) (void)keep_detour_mind(now[i]);
  }
}

std::vector<DenseSquare> Crowd::dense_squares(double least, int in_seconds) const {
  const State& s = *state_;
  std::vector<DenseSquare> squares;
  if (!s.detours) return squares;
  const fields::DensityField* field = in_seconds <= 0   ? &s.detours->now
                                      : in_seconds <= 4 ? s.detours->soon.get()
                                                        : s.detours->later.get();
  if (field == nullptr) return squares;
  field->for_each([&](const Square& square, double persons) {
    if (persons >= least) squares.push_back({{fields::middle_of(square, fields::square_side), square.layer}, persons});
  });
  std::ranges::sort(squares, {}, [](const DenseSquare& square) {
    return std::tuple(square.middle.layer, square.middle.point.y, square.middle.point.x);
  });
  return squares;
}

std::vector<Place> Crowd::remembered_squares() const {
  const State& s = *state_;
  std::set<Square> all;
  std::set<const JamBlock*> known;
  for (const Slot slot : s.order)
    if (const DetourMind* mind = s.detour_mind(slot))
      for (const DetourMind::Memory& memory : mind->memories)
        if (known.insert(memory.block.get()).second)
          all.insert(memory.block->squares.begin(), memory.block->squares.end());
  std::vector<Place> places;
  for (const Square& square : all) places.push_back({fields::middle_of(square, fields::square_side), square.layer});
  return places;
}

std::optional<DetoursShown> Crowd::detours_of(Slot slot) const {
  const State& s = *state_;
  if (!s.detours_round_jams(slot)) return std::nullopt;
  DetoursShown shown;
  const DetourMind* mind = s.detour_mind(slot);
  if (mind == nullptr) return shown;
  shown.last = mind->last;
  shown.local = mind->local, shown.global = mind->global, shown.back = mind->back;
  shown.fruitless = mind->fruitless, shown.blocks = mind->blocks;
  shown.committed_time = mind->committed_time, shown.remembered = mind->memories.size();
  if (mind->is_away) shown.goal = mind->joins;
  if (mind->is_committed) shown.decision = mind->decision, shown.committed_until = mind->committed_until;
  return shown;
}

}  // namespace throng::crowd
