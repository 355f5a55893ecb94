#include "following/miran.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <limits>

#include "following/route_sight.hpp"
#include "following/route_window.hpp"
#include "geometry/tolerances.hpp"

namespace throng::following {

namespace {

using navmesh::Place;
using routes::Route;
using routes::RoutePoint;

enum : std::size_t { shortcut_parameter, sampling_parameter, body_parameter };

/// Metres by which a remembered room may be too large: floats of metres round by far less.
constexpr double rounding_of_room = 1e-4;
/// Weight of what is never entered.
constexpr double never = std::numeric_limits<double>::infinity();
/// Metres of room that are remembered at most.
constexpr double most_room = 16;
/// Metres of even ground that are looked for beyond what is needed now.
constexpr double even_ahead = 20;
/// What of a strip is left to rounding, in metres and as a part.
constexpr double rounding_of_strip = 1e-6;
/// How many times as dear as any other ground that is which the person never enters, for who stands on it: the way off it counts most.
constexpr double leaving_factor = 1e4;

struct Candidate {
  RoutePoint at;
  bool last_seen = false;  ///< just beyond it the route goes out of sight
};

/// Buffers of one run.
struct Scratch {
  std::vector<Candidate> candidates;
  std::vector<double> costs;          ///< of the lines to them
  std::vector<std::uint8_t> refused;  ///< dearer than what they skip
  RegionMap::Scratch regions;
  RegionMap::Vicinity around;
  std::vector<double> leaving;  ///< a row, for who stands where it never goes
  RouteWindow window;
};

/// One person's step.
class Miran {
 public:
  Miran(const FollowView& view, Slot slot, Scratch& scratch, FollowHints* hints)
      : people_(view.people),
        slot_(slot),
        packed_(view.way(slot)),
        route_(scratch.window.pieces()),
        scratch_(scratch),
        here_(people_.place(slot)),
        sight_(people_, slot, route_, view.parameters.of(slot)[sampling_parameter]),
        hints_(hints),
        room_(hints != nullptr && people_.mesh->layers.size() == 1 ? &hints->room : nullptr),
        line_(hints != nullptr && people_.mesh->layers.size() == 1 ? &hints->line : nullptr) {
    const double* block = view.parameters.of(slot);
    shortcut_ = block[shortcut_parameter];
    radius_ = people_.radius[slot];
    felt_radius_ = block[body_parameter] != 0 ? radius_ : 0;
    if (view.regions != nullptr && !view.regions->empty() && view.weight_table != nullptr) {
      weights_ = view.weight_table->row(view.weights[slot]);
      if (!same_weights(*view.regions)) regions_ = view.regions;
    }
    if (view.crowd != nullptr && view.crowd->minds(slot)) crowd_ = view.crowd;
    aim_layer_ = here_.layer;
  }

  void run(const FollowOutput& out) {
    FollowMemory& memory = out.memory[slot_];
    const FollowMemory before = memory;
    if (!keeps_to_line(memory)) look_around(memory);
    if (crowd_ != nullptr) mind_crowd(before, out);
    const Vec2 way = aim_ - here_.point;
    const double distance = length(way);
    if (!out.attraction_point.empty()) out.attraction_point[slot_] = aim_;
    out.needs_route[slot_] = lost_ ? 1 : 0;
    out.preferred_velocity[slot_] =
        distance <= sight_.step() ? way / people_.time_step : way * (people_.speed[slot_] / distance);
  }

 private:
  void look_around(FollowMemory& memory) {
    find_reference(memory);
    aim(choose(), memory);
  }
  /// Where somebody's stamp lies on the line that would be walked, all candidates are weighed by the crowd too (Zwerver 2018, 3.3.2). Where all of
  /// them end in jams, or none is seen, it goes on as if nobody were there.
  void mind_crowd(const FollowMemory& before, const FollowOutput& out) {
    if (!out.behind_jam.empty()) out.behind_jam[slot_] = 0;
    if (lost_ || crowd_->is_free(slot_, here_, {aim_, aim_layer_})) return;
    FollowMemory& memory = out.memory[slot_];
    memory = before;
    find_reference(memory);
    scratch_.candidates.clear();
    Choice choice;
    choice.reference_seen = for_each_candidate(true, [&](const Candidate& candidate) {
      scratch_.candidates.push_back(candidate);
      return false;
    });
    double least = never;
    int least_rank = 3;
    for (const Candidate& candidate : scratch_.candidates) {
      const double weight = weight_in_crowd(candidate.at);
      // What opposes the route is taken last; what is nearer than points are apart (ours, not published) only where all else is blocked.
      const bool is_near =
          candidate.at.along < std::min(reference().along + sight_.sampling(), end_) - tolerance::distinct;
      const int rank = opposes(candidate.at) ? 2 : is_near ? 1 : 0;
      if (!(weight < never) || rank > least_rank) continue;
      if (rank == least_rank && !(weight < least * (1 - tolerance::same_part))) continue;
      choice.candidate = candidate, choice.found = true;
      least = weight, least_rank = rank;
    }
    if (!choice.found)
      if (const auto near = near_candidate()) choice.candidate = *near, choice.found = true;
    aim(choice.found ? choice : choose(), memory);
    if (room_ != nullptr) *room_ = 0;
    if (!out.behind_jam.empty()) out.behind_jam[slot_] = is_behind_jam() ? 1 : 0;
  }
  /// The farthest that is nearer than points are apart (ours): who walks close by others who stand sees nothing else.
  [[nodiscard]] std::optional<Candidate> near_candidate() {
    constexpr int parts = 5;
    for (int part = parts - 1; part > 0; --part) {
      const Mark mark = sight_.mark(std::min(reference().along + part * sight_.sampling() / parts, end_));
      if (mark.seen && eligible(mark.at) && !opposes(mark.at) && weight_in_crowd(mark.at) < never)
        return Candidate{mark.at, false};
    }
    return std::nullopt;
  }
  /// A metre of the route.
  [[nodiscard]] double weight_in_crowd(const RoutePoint& p) {
    const double line = regions_ != nullptr ? cost(here_, place_of(p)) : length(p.point - here_.point);
    return (line + crowd_->along(slot_, here_, place_of(p))) /
           std::max(p.along - reference().along, tolerance::distinct);
  }
  /// By points a sampling distance apart, as published; those out of sight are none.
  [[nodiscard]] bool is_behind_jam() {
    int seen = 0, behind = 0;
    for (int i = 1;; ++i) {
      const double along = reference().along + i * sight_.sampling();
      if (along > end_ + tolerance::distinct) break;
      const Mark mark = sight_.mark(std::min(along, end_));
      if (!mark.seen) continue;
      ++seen;
      if (!(crowd_->along(slot_, here_, place_of(mark.at)) < never)) ++behind;
    }
    return double(behind) > crowd_->most_rejected(slot_) * double(seen);
  }
  /// What mostly happens: the person goes on along the line of the route that it was on last, and the line to where it makes for had room
  /// to spare. The same numbers as looking around gives, which is for everybody else; nothing is changed for those.
  [[nodiscard]] bool keeps_to_line(FollowMemory& memory) {
    if (room_ == nullptr || !(*room_ > 0) || memory.reference < line_->begin) return false;
    const double until = std::max(memory.reference, memory.attraction);
    if (!(until < line_->end())) return false;
    const routes::Piece line{.from = line_->from, .to = line_->to, .length = line_->length};
    const double reference = std::max(closest_on_line(line, memory.reference, until), memory.reference);
    const double end = reference + shortcut_;
    const double left = double(*room_) - std::abs(end - hints_->room_to) - rounding_of_room;
    if (!(end < line_->end()) || !(left > 0) || !(end > reference + tolerance::distinct)) return false;
    const Vec2 point = line.at(end - line_->begin);
    const Vec2 way = point - here_.point;
    if (!(squared_length(way) > tolerance::distinct * tolerance::distinct) || dot(way, line.direction_at(0)) < 0)
      return false;
    if (regions_ != nullptr && !is_even_on_line(line.at(reference - line_->begin), point, reference, end)) return false;
    *room_ = float(left);
    hints_->room_to = end;
    memory = {reference, end};
    aim_ = point;
    return true;
  }

  enum class Evenness : std::uint8_t { unknown, even, uneven };

  /// Whether all lines to a straight stretch of the route weigh the same a metre: then the farthest candidate is taken. Found out once a step.
  [[nodiscard]] bool is_even_on_line(Vec2 first, Vec2 last, double reference, double end) {
    if (on_line_ == Evenness::unknown)
      on_line_ = find_even_on_line(first, last, reference, end) ? Evenness::even : Evenness::uneven;
    return on_line_ == Evenness::even;
  }
  [[nodiscard]] bool find_even_on_line(Vec2 first, Vec2 last, double reference, double end) {
    const double aside = length(first - here_.point) + felt_radius_ + rounding_of_strip;
    if (end - line_->begin <= double(line_->even_to) && aside <= double(line_->even_aside)) return true;
    if (felt_radius_ == 0) {
      look_around(first, last);
      if (!regions_->is_even(scratch_.around, first, last)) return false;
    }
    const double least = end - reference, most = std::min(line_->end() - reference, least + even_ahead);
    const RegionMap::Strip strip = regions_->even_strip({first, here_.layer}, (last - first) / least, least, most,
                                                        aside, weights_, scratch_.regions);
    const auto rounded_down = [](double metres) {
      return float(std::max(0.0, metres - rounding_of_strip * (1 + metres)));
    };
    line_->even_to = rounded_down(reference + strip.length - line_->begin);
    line_->even_aside = rounded_down(strip.aside);
    return felt_radius_ == 0 || strip.length > 0;
  }
  /// Finds the borders around what is looked at: the person and a stretch.
  void look_around(Vec2 first, Vec2 last) {
    const Vec2 low{std::min({here_.point.x, first.x, last.x}), std::min({here_.point.y, first.y, last.y})};
    const Vec2 high{std::max({here_.point.x, first.x, last.x}), std::max({here_.point.y, first.y, last.y})};
    regions_->look_around(here_, low, high, weights_, scratch_.around);
  }
  /// How far along the route the point of a line is that is nearest; as Route::closest() of a route that is this line only.
  [[nodiscard]] double closest_on_line(const routes::Piece& line, double from, double to) const {
    const double begin = line_->begin;
    const double first = std::clamp(from - begin, 0.0, line.length);
    const double inside = std::clamp(line.closest(here_.point), std::max(0.0, from - begin),
                                     std::max(0.0, std::min(line.length, to - begin)));
    const bool is_nearer = squared_length(here_.point - line.at(inside)) < squared_length(here_.point - line.at(first));
    return begin + (is_nearer ? inside : first);
  }

  void find_reference(FollowMemory& memory) {
    if (!find_on_line(memory)) find_on_route(memory);
    memory.reference = reference().along;
    if (!route_.pieces.empty()) {
      const routes::Piece& piece = route_.pieces[reference().piece];
      forward_ = piece.direction_at(reference().along - route_.prefix[reference().piece]);
    }
  }
  /// Mostly all that is looked at lies on the line that the person was on last: then the route need not be unpacked.
  [[nodiscard]] bool find_on_line(const FollowMemory& memory) {
    if (line_ == nullptr || memory.reference < line_->begin) return false;
    const double until = std::max(memory.reference, memory.attraction);
    if (!(until < line_->end())) return false;
    scratch_.window.open_line(line_->from, line_->to, line_->begin, line_->length);
    sight_.look_from(here_.point, memory.reference, until);
    end_ = reference().along + shortcut_;
    known_length_ = line_->end();
    return end_ < known_length_;
  }
  void find_on_route(const FollowMemory& memory) {
    known_length_ = packed_.length();
    const double last = std::clamp(memory.reference, 0.0, known_length_);
    const double until = std::max(last, std::min(memory.attraction, known_length_));
    const Index leg = scratch_.window.open(packed_, last, hints_ != nullptr ? hints_->leg : 0);
    if (hints_ != nullptr) hints_->leg = leg;
    scratch_.window.reach(until);
    sight_.look_from(here_.point, last, until);
    end_ = std::min(reference().along + shortcut_, known_length_);
    scratch_.window.reach(end_);
    if (line_ == nullptr || route_.pieces.empty()) return;
    const routes::Piece& piece = route_.pieces[reference().piece];
    *line_ = piece.is_arc() ? FollowHints::Line{}
                            : FollowHints::Line{piece.from, piece.to, route_.prefix[reference().piece], piece.length};
  }
  /// The far end of the stretch is seen where the line to the last attraction had room enough for both ends to move as far as they
  /// did: no point of the line moved farther. Otherwise one has to look.
  [[nodiscard]] bool sees_end(const RoutePoint& end) {
    if (room_ == nullptr) return sight_.sees(place_of(end));
    const double left = double(*room_) - std::abs(end.along - hints_->room_to) - rounding_of_room;
    hints_->room_to = end.along;
    if (left > 0) return *room_ = float(left), true;
    const double clear =
        navmesh::clearance_along(*people_.mesh, people_.standpoint(slot_), place_of(end), sight_.kept());
    *room_ = float(std::min(clear - radius_ - rounding_of_room, most_room));
    return clear >= 0;
  }
  [[nodiscard]] bool opposes(const RoutePoint& p) const { return dot(p.point - here_.point, forward_) < 0; }

  [[nodiscard]] const RoutePoint& reference() const { return sight_.reference(); }
  using Mark = RouteSight::Mark;
  /// A candidate must lie ahead, and elsewhere than the person; the goal always is one.
  [[nodiscard]] bool eligible(const RoutePoint& p) const {
    if (p.along >= known_length_) return true;
    return p.along > reference().along + tolerance::distinct &&
           squared_length(p.point - here_.point) > tolerance::distinct * tolerance::distinct;
  }

  /// Whether from a line to a point of the route's straight piece that has so much room all of the piece before the point can be seen: what
  /// lies between is no farther from that line than the reference is.
  [[nodiscard]] bool shows_all(double room) const {
    return room > length(reference().point - here_.point) + rounding_of_room;
  }
  /// A mark of the stretch; `all_seen` where it shows all before it.
  [[nodiscard]] Mark look(double along, bool& all_seen) const {
    Mark mark{sight_.point_ahead(along)};
    const Index piece = reference().piece;
    if (mark.at.piece != piece || mark.at.layer != here_.layer || route_.pieces.empty() ||
        route_.pieces[piece].is_arc()) {
      mark.seen = sight_.sees(place_of(mark.at));
      return mark;
    }
    const double clear =
        navmesh::clearance_along(*people_.mesh, people_.standpoint(slot_), place_of(mark.at), sight_.kept());
    mark.seen = clear >= 0;
    all_seen = shows_all(clear - radius_);
    return mark;
  }

  /// Calls visit(candidate) from the farthest to the nearest, until it returns true. Where it never does, returns whether the
  /// reference can be seen.
  /// `weighs_all`: visit() will not return true.
  template <class Visit>
  bool for_each_candidate(bool weighs_all, Visit&& visit) {
    Mark far{sight_.point_ahead(end_)};
    far.seen = sees_end(far.at);
    bool all_seen = is_straight_ && far.seen && room_ != nullptr && shows_all(double(*room_));
    if (far.seen && eligible(far.at) && visit(Candidate{far.at, false})) return true;
    while (far.at.along > reference().along) {
      const double next = sight_.next_before(far.at.along);
      const Mark near = all_seen     ? Mark{sight_.point_ahead(next), true}
                        : weighs_all ? look(next, all_seen)
                                     : sight_.mark(next);
      if (near.seen != far.seen) {
        const RoutePoint end = near.seen ? sight_.end_of_sight(near, far) : sight_.end_of_sight(far, near);
        if (eligible(end) && visit(Candidate{end, near.seen})) return true;
      }
      if (near.seen && eligible(near.at) && visit(Candidate{near.at, false})) return true;
      far = near;
    }
    return far.seen;
  }

  /// What becomes of the person: head for a candidate, go to the reference, or nothing.
  struct Choice {
    Candidate candidate;
    bool found = false;
    bool reference_seen = false;
  };

  [[nodiscard]] Choice choose() {
    if (regions_ == nullptr) return farthest();
    is_straight_ = line_ != nullptr && line_->length > 0 && reference().along >= line_->begin && end_ < line_->end();
    if (is_straight_ && is_even_on_line(reference().point, sight_.point_ahead(end_).point, reference().along, end_))
      return farthest();
    if (!is_straight_ || felt_radius_ > 0) look_around_stretch();
    // Whatever may be a candidate is this near.
    const double reach = length(reference().point - here_.point) + end_ - reference().along + radius_;
    if (!scratch_.around.is_plane && !regions_->any_near(here_.point, reach)) return farthest();
    scratch_.around.here = regions_->type_at(here_, scratch_.regions);
    if (felt_radius_ == 0 && weights_[scratch_.around.here] < never && RegionMap::is_even(scratch_.around))
      return farthest();
    leave_what_is_never_entered();
    return cheapest();
  }

  /// Finds the borders around the person and the stretch that is looked at, whatever its pieces.
  void look_around_stretch() {
    Vec2 low = here_.point, high = here_.point;
    const auto take = [&](Vec2 p, double more) {
      low = {std::min(low.x, p.x - more), std::min(low.y, p.y - more)};
      high = {std::max(high.x, p.x + more), std::max(high.y, p.y + more)};
    };
    for (Index i = reference().piece; i < route_.pieces.size() && route_.prefix[i] <= end_; ++i) {
      const routes::Piece& piece = route_.pieces[i];
      take(piece.from, felt_radius_), take(piece.to, felt_radius_);
      if (piece.is_arc()) take(piece.centre, felt_radius_ + length(piece.from - piece.centre));
    }
    regions_->look_around(here_, low, high, weights_, scratch_.around);
  }

  [[nodiscard]] bool same_weights(const RegionMap& regions) const {
    const std::size_t numbers = regions.kinds().row_size();
    return std::all_of(weights_, weights_ + numbers, [&](double w) { return w == weights_[0]; });
  }

  /// Lines over ground that is never entered are no candidates, but for who stands on it: those that are on it least are best.
  void leave_what_is_never_entered() {
    if (weights_[scratch_.around.here] < never) return;
    const std::size_t numbers = regions_->kinds().row_size();
    double most = 1;
    for (std::size_t i = 0; i < numbers; ++i)
      if (weights_[i] < never) most = std::max(most, weights_[i]);
    scratch_.leaving.assign(weights_, weights_ + numbers);
    for (double& weight : scratch_.leaving) weight = std::min(weight, leaving_factor * most);
    weights_ = scratch_.leaving.data();
    is_leaving_ = true;
  }

  [[nodiscard]] Choice farthest() {
    Choice choice;
    choice.reference_seen = for_each_candidate(false, [&](const Candidate& candidate) {
      const bool opposing = opposes(candidate.at);
      if (!choice.found || !opposing) choice.candidate = candidate;
      choice.found = true;
      return !opposing;
    });
    return choice;
  }

  [[nodiscard]] Choice cheapest() {
    scratch_.candidates.clear();
    Choice choice;
    choice.reference_seen = for_each_candidate(true, [&](const Candidate& candidate) {
      scratch_.candidates.push_back(candidate);
      return false;
    });
    choice.found = !scratch_.candidates.empty();
    if (!choice.found) return choice;
    // Off ground that is never entered one goes the route's way, though all lines there weigh the same.
    const bool are_equal = weigh() && !is_leaving_;
    choice.candidate = scratch_.candidates[are_equal ? best_of_equals() : best_by_weight()];
    return choice;
  }

  /// Of a line of the stretch that is looked at.
  [[nodiscard]] double cost(const Place& from, const Place& to) const {
    if (from.layer != here_.layer || to.layer != here_.layer)
      return regions_->weighted_length(from, to, felt_radius_, weights_, scratch_.regions);
    return regions_->weighted_length(scratch_.around, from.point, regions_->type_at(from, scratch_.regions), to.point,
                                     felt_radius_, weights_, scratch_.regions);
  }

  /// From where the person is.
  [[nodiscard]] double cost_to(const Place& to) const {
    return regions_->weighted_length(scratch_.around, to, felt_radius_, weights_, scratch_.regions);
  }

  /// Fills in the costs of the lines to candidates; true where all of them weigh the same a metre.
  [[nodiscard]] bool weigh() {
    scratch_.costs.clear();
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const Candidate& candidate : scratch_.candidates) {
      const double distance = length(candidate.at.point - here_.point);
      const double line = cost_to(place_of(candidate.at));
      scratch_.costs.push_back(line);
      if (distance <= tolerance::distinct) continue;
      least = std::min(least, line / distance);
      most = std::max(most, line / distance);
    }
    return most < never && most <= least * (1 + tolerance::same_part);
  }

  [[nodiscard]] std::size_t best_of_equals() const {
    const auto& all = scratch_.candidates;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (!opposes(all[i].at)) return i;
    return 0;
  }

  /// Cost of the stretch of the route between two places on it.
  [[nodiscard]] double stretch_cost(const RoutePoint& from, const RoutePoint& to) const {
    double sum = 0;
    for (Index i = from.piece; i <= to.piece && i < route_.pieces.size(); ++i) {
      const routes::Piece& piece = route_.pieces[i];
      const double begins = i == from.piece ? from.along - route_.prefix[i] : 0;
      const double ends = i == to.piece ? to.along - route_.prefix[i] : piece.length;
      if (!(ends > begins)) continue;
      if (piece.is_arc())
        sum += regions_->weighted_arc({piece.at(begins), piece.layer}, piece.centre,
                                      piece.turn * ((ends - begins) / piece.length), felt_radius_, weights_,
                                      scratch_.regions);
      else
        sum += cost({piece.at(begins), piece.layer}, {piece.at(ends), piece.layer});
    }
    return sum;
  }

  /// The candidate of least weight among those admitted; where none is, the one that keeps to the route most.
  [[nodiscard]] std::size_t best_by_weight() {
    const std::size_t count = scratch_.candidates.size();
    scratch_.refused.assign(count, 0);
    for (std::size_t tries = 0; tries < count; ++tries) {
      const std::size_t best = best_not_refused();
      if (admitted(best)) return best;
      scratch_.refused[best] = 1;
    }
    return count - 1;
  }

  /// Requires that there is one.
  [[nodiscard]] std::size_t best_not_refused() const {
    const auto& all = scratch_.candidates;
    std::size_t best = all.size();
    bool best_opposes = true;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = all.size(); i-- > 0;) {  // from the nearest on: the farthest of equals stays
      if (scratch_.refused[i] != 0) continue;
      const bool opposing = opposes(all[i].at);
      const double weight = scratch_.costs[i] / std::max(all[i].at.along - reference().along, tolerance::distinct);
      const bool other_kind = best == all.size() || opposing != best_opposes;
      if (other_kind ? best != all.size() && opposing : weight > least * (1 + tolerance::same_part)) continue;
      least = other_kind ? weight : std::min(least, weight);
      best_opposes = opposing;
      best = i;
    }
    return best;
  }

  /// Whether the line costs no more than the stretch it skips and getting back to it.
  [[nodiscard]] bool admitted(std::size_t i) const {
    const RoutePoint& end = scratch_.candidates[i].at;
    const double line = scratch_.costs[i];
    if (!(line < never)) return false;
    const double least_weight = *std::min_element(weights_, weights_ + regions_->kinds().row_size());
    const double back = length(reference().point - here_.point);
    if (line <= least_weight * (back + end.along - reference().along)) return true;
    return line <= (cost_to(place_of(reference())) + stretch_cost(reference(), end)) * (1 + tolerance::same_part);
  }

  void aim(const Choice& choice, FollowMemory& memory) {
    lost_ = false;
    if (choice.found) return aim_at(choice.candidate, memory);
    memory.attraction = reference().along;
    aim_ = here_.point;
    lost_ = !choice.reference_seen;
    if (lost_) return;
    const Vec2 back = reference().point - here_.point;
    if (squared_length(back) > tolerance::distinct * tolerance::distinct)
      aim_ = reference().point;
    else
      lost_ = !go_on(here_.point, forward_, 0, reference(), memory);
  }

  void aim_at(const Candidate& candidate, FollowMemory& memory) {
    aim_ = candidate.at.point, aim_layer_ = candidate.at.layer;
    memory.attraction = candidate.at.along;
    const Vec2 way = aim_ - here_.point;
    const double distance = length(way);
    if (candidate.last_seen && distance < sight_.step() && distance > 0)
      go_on(here_.point, way / distance, distance, candidate.at, memory);
  }

  bool go_on(Vec2 from, Vec2 direction, double distance, const RoutePoint& last, FollowMemory& memory) {
    const auto onward = sight_.go_on(from, direction, distance, last, packed_.length());
    if (!onward) return false;
    aim_ = onward->aim;
    memory.attraction = onward->along;
    return true;
  }

  const People& people_;
  Slot slot_;
  const routes::PackedRoute& packed_;
  const Route& route_;       ///< as much of it as is looked at: pieces are numbered from the first one unpacked
  double known_length_ = 0;  ///< of the route, or so much of it that nothing is looked at beyond
  Scratch& scratch_;
  Place here_;
  double shortcut_ = 0;
  double radius_ = 0;
  double felt_radius_ = 0;  ///< of what feels regions
  RouteSight sight_;
  FollowHints* hints_;       ///< null: nothing is remembered
  float* room_;              ///< the one in the hints; null: not remembered
  FollowHints::Line* line_;  ///< the one in the hints; null: not remembered
  const RegionMap* regions_ = nullptr;
  const double* weights_ = nullptr;

  Vec2 forward_{};  ///< direction of the route at the reference
  double end_ = 0;  ///< of the stretch that is looked at
  Vec2 aim_{};
  Index aim_layer_ = 0;
  const CrowdWeights* crowd_ = nullptr;  ///< null: does not mind it
  bool lost_ = false;
  bool is_straight_ = false;  ///< all that is looked at lies on the line
  bool is_leaving_ = false;   ///< stands where it never goes
  Evenness on_line_ = Evenness::unknown;
};

class MiranFollower final : public Follower {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        "miran",
        "heads for the best visible point ahead on the route, by regions and distance (Jaklin 2016, 6 and 7)",
        {{"shortcut", 5.0, 0.1, 1e6, "m", "how much of the route may be cut off at once (sigma)"},
         {"sampling", 1.0, 0.05, 1e6, "m", "distance between points of the route that are considered (d)"},
         {"body", 0, 0, 1, "",
          "what feels regions: 0 the centre (Jaklin 2016, chapter 6), 1 the whole body (chapter 7)"}}};
    return info;
  }
  [[nodiscard]] bool has_candidates() const override { return true; }
  void run(const FollowView& view, std::span<const Slot> who, const FollowOutput& out) const override {
    thread_local Scratch scratch;  // kept from call to call: nothing is allocated once it has grown
    for (std::size_t i = 0; i < who.size(); ++i) {
      if (i + places_ahead < who.size()) prefetch(view, who[i + places_ahead], out);
      Miran(view, who[i], scratch, out.hints.empty() ? nullptr : &out.hints[who[i]]).run(out);
    }
  }

 private:
  /// Everybody has a route and a cell of its own, far apart in memory: what the next ones need is asked for early.
  static constexpr std::size_t places_ahead = 8;

  /// Always inline: g++ takes a function that does nothing else for one without effect, and leaves out calls of it.
  [[gnu::always_inline]] static void prefetch(const FollowView& view, Slot slot, const FollowOutput& out) {
    if (view.people.cell[slot] != none) view.people.mesh->locator->prefetch(view.people.cell[slot]);
    if (out.hints.empty()) return view.way(slot).prefetch(0);
    const FollowHints& hints = out.hints[slot];
    if (out.memory[slot].reference + view.parameters.of(slot)[shortcut_parameter] >= hints.line.end())
      view.way(slot).prefetch(hints.leg);
  }
};

}  // namespace

const Follower& miran() {
  static const MiranFollower follower;
  return follower;
}

}  // namespace throng::following
