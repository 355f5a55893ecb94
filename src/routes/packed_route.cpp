#include "routes/packed_route.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace throng::routes {

namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same_bits(Vec2 a, Vec2 b) { return same_bits(a.x, b.x) && same_bits(a.y, b.y); }
bool same_bits(const Piece& a, const Piece& b) {
  return same_bits(a.from, b.from) && same_bits(a.to, b.to) && same_bits(a.centre, b.centre) &&
         same_bits(a.radius, b.radius) && same_bits(a.turn, b.turn) && same_bits(a.length, b.length) &&
         a.layer == b.layer;
}

/// Whether a window holds just these pieces of a route.
bool holds(const Route& window, const Route& route, std::size_t begin, std::size_t end) {
  if (window.pieces.size() != end - begin) return false;
  for (std::size_t i = begin; i < end; ++i)
    if (!same_bits(window.pieces[i - begin], route.pieces[i]) || !same_bits(window.prefix[i - begin], route.prefix[i]))
      return false;
  return same_bits(window.length, end < route.prefix.size() ? route.prefix[end] : route.length);
}

}  // namespace

/// A route being packed.
struct PackedRoute::Draft {
  std::vector<Joint> joints;
  std::vector<Turn> turns;
  std::vector<double> radii;             ///< by joint; empty once all arcs are known to have the same
  double radius = 0;                     ///< of all arcs
  std::vector<std::size_t> first_piece;  ///< by leg, one more at the end
  std::vector<OutrightLeg> outright_legs;
  std::vector<Piece> outright_pieces;
  Route window;

  void list_joints(const Route& route) {
    joints.clear(), turns.clear(), radii.clear(), first_piece.clear();
    for (std::size_t i = 0; i < route.pieces.size(); ++i) {
      const Piece& piece = route.pieces[i];
      const bool begins_leg = i == 0 || piece.is_arc() || !route.pieces[i - 1].is_arc();
      if (!begins_leg) continue;
      const bool bends = i > 0 && piece.is_arc();
      radii.push_back(bends ? piece.radius : 0);
      radius = std::max(radius, radii.back());
      joints.push_back({bends ? piece.centre : piece.from, route.prefix[i]});
      turns.push_back(!bends ? Turn::straight : piece.turn < 0 ? Turn::right : Turn::left);
      first_piece.push_back(i);
    }
    first_piece.push_back(route.pieces.size());
    joints.push_back({route.pieces.empty() ? route.start.point : route.pieces.back().to, route.length});
    turns.push_back(Turn::straight);
    radii.push_back(0);
    const bool same = std::ranges::all_of(radii, [&](double r) { return r == 0 || r == radius; });
    if (same) radii.clear();
  }

  /// Legs that do not come out as they are in the route. Layers change in such legs only, so that the last one tells the layer.
  void list_outright(const Route& route) {
    outright_legs.clear(), outright_pieces.clear();
    Index layer = route.start.layer;
    for (Index leg = 0; leg + 1 < joints.size(); ++leg) {
      window.pieces.clear(), window.prefix.clear();
      make_leg({joints, turns, radii, radius}, leg, layer, window);
      const std::size_t begin = first_piece[leg];
      const std::size_t end = first_piece[leg + 1];
      if (holds(window, route, begin, end)) continue;
      outright_legs.push_back({leg, Index(outright_pieces.size())});
      outright_pieces.insert(outright_pieces.end(), route.pieces.begin() + std::ptrdiff_t(begin),
                             route.pieces.begin() + std::ptrdiff_t(end));
      layer = outright_pieces.back().layer;
    }
  }
};

PackedRoute::PackedRoute(const Route& route) {
  Draft draft;
  draft.list_joints(route);
  draft.list_outright(route);
  const Head head{route.start.layer,
                  Index(draft.joints.size()),
                  Index(draft.outright_legs.size()),
                  Index(draft.outright_pieces.size()),
                  draft.radii.empty() ? draft.radius : -1,
                  draft.joints.back().before};
  std::size_t size = sizeof head;
  const auto placed = [&](const auto& list) { return std::exchange(size, size + list.size() * sizeof(list[0])); };
  draft.turns.resize(room_for_turns(draft.joints.size()), Turn::straight);
  const std::size_t at_turns = placed(draft.turns);
  const std::size_t at_joints = placed(draft.joints);
  const std::size_t at_radii = placed(draft.radii);
  const std::size_t at_legs = placed(draft.outright_legs);
  const std::size_t at_pieces = placed(draft.outright_pieces);
  memory_ = std::make_unique_for_overwrite<std::byte[]>(size);
  std::memcpy(memory_.get(), &head, sizeof head);
  const auto copy = [&](std::size_t at, const auto& list) {
    if (!list.empty()) std::memcpy(memory_.get() + at, list.data(), list.size() * sizeof(list[0]));
  };
  copy(at_turns, draft.turns);
  copy(at_joints, draft.joints);
  copy(at_radii, draft.radii);
  copy(at_legs, draft.outright_legs);
  copy(at_pieces, draft.outright_pieces);
}

/// As Planner::write_bends writes them.
void PackedRoute::make_leg(const Chain& chain, Index leg, Index layer, Route& window) {
  const Bend bend = chain.bend(leg);
  const Bend next = chain.bend(leg + 1);
  window.length = chain.joints[leg].before;
  RouteBuilder builder(window);
  const Vec2 direction = tangent(bend, next);
  const Vec2 leave = touch(bend, direction);
  if (bend.radius != 0) {
    const Vec2 arrive = touch(bend, tangent(chain.bend(leg - 1), bend));
    builder.arc(arrive, leave, bend.centre, std::abs(bend.radius), bend.radius > 0, layer);
  }
  builder.line(leave, touch(next, direction), layer);
}

Index PackedRoute::leg_at(double along) const {
  const std::span<const Joint> first_to_last = joints().first(legs());
  const auto after = std::upper_bound(first_to_last.begin(), first_to_last.end(), along,
                                      [](double a, const Joint& joint) { return a < joint.before; });
  return after == first_to_last.begin() ? 0 : Index(after - first_to_last.begin() - 1);
}

Index PackedRoute::leg_at(double along, Index hint) const {
  constexpr Index few = 4;
  const std::span<const Joint> all = joints();
  if (hint >= legs() || all[hint].before > along) return leg_at(along);
  for (Index leg = hint; leg < hint + few; ++leg)
    if (leg + 1 == legs() || all[leg + 1].before > along) return leg;
  return leg_at(along);
}

void PackedRoute::unpack(Index leg, Route& window) const {
  Index layer = head().start_layer;
  if (head().outright_legs > 0) {
    const std::span<const OutrightLeg> outright = outright_legs();
    const auto after = std::upper_bound(outright.begin(), outright.end(), leg,
                                        [](Index l, const OutrightLeg& other) { return l < other.leg; });
    const Index end = after == outright.end() ? head().outright_pieces : after->first_piece;
    if (after != outright.begin()) {
      const OutrightLeg& last = *(after - 1);
      if (last.leg == leg) {
        window.length = begin_of(leg);
        RouteBuilder builder(window);
        for (Index i = last.first_piece; i < end; ++i) builder.piece(outright_pieces()[i]);
        return;
      }
      layer = outright_pieces()[end - 1].layer;
    }
  }
  make_leg({joints(), turns(), radii(), head().radius}, leg, layer, window);
}

std::size_t PackedRoute::bytes() const {
  if (!memory_) return 0;
  return sizeof(Head) + room_for_turns(head().joints) + joints().size_bytes() + radii().size_bytes() +
         outright_legs().size_bytes() + outright_pieces().size_bytes();
}

void PackedRoute::save(geometry::ArchiveWriter& archive) const {
  archive.put(std::string_view(reinterpret_cast<const char*>(memory_.get()), bytes()));
}

bool PackedRoute::load(geometry::ArchiveReader& archive, Index layers) {
  *this = {};
  std::string bytes;
  archive.get(bytes);
  if (archive.failed() || bytes.empty()) return !archive.failed();
  Head head;
  if (bytes.size() < sizeof head) return false;
  std::memcpy(&head, bytes.data(), sizeof head);
  const std::uint64_t size = sizeof head + room_for_turns(head.joints) +
                             std::uint64_t{head.joints} * (sizeof(Joint) + (head.radius < 0 ? sizeof(double) : 0)) +
                             std::uint64_t{head.outright_legs} * sizeof(OutrightLeg) +
                             std::uint64_t{head.outright_pieces} * sizeof(Piece);
  if (size != bytes.size() || head.joints == 0 || head.start_layer >= layers) return false;
  memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes.size());
  std::memcpy(memory_.get(), bytes.data(), bytes.size());
  if (is_sound(layers)) return true;
  *this = {};
  return false;
}

/// Whether memory from outside keeps what unpack() relies on.
bool PackedRoute::is_sound(Index layers) const {
  double before = 0;
  for (const Joint& joint : joints()) {
    const bool finite = std::isfinite(joint.centre.x) && std::isfinite(joint.centre.y) && std::isfinite(joint.before);
    if (!finite || joint.before < before) return false;
    before = joint.before;
  }
  const double radius = head().radius;
  if (!std::isfinite(radius) || turns().front() != Turn::straight || head().length != before) return false;
  for (const Turn turn : turns())
    if (turn > Turn::right) return false;
  for (const double own : radii())
    if (!std::isfinite(own) || own < 0) return false;
  Index next_leg = 0;
  Index next_piece = 0;
  for (const OutrightLeg& leg : outright_legs()) {
    if (leg.leg < next_leg || leg.leg >= legs() || leg.first_piece < next_piece ||
        leg.first_piece >= head().outright_pieces)
      return false;
    next_leg = leg.leg + 1;
    next_piece = leg.first_piece + 1;
  }
  if (!outright_legs().empty() && outright_legs().front().first_piece != 0) return false;
  for (const Piece& piece : outright_pieces())
    if (piece.layer >= layers || !std::isfinite(piece.length) || !(piece.length >= 0)) return false;
  return true;
}

}  // namespace throng::routes
