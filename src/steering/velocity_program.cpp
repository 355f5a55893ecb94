#include "steering/velocity_program.hpp"

#include <algorithm>

#include "geometry/tolerances.hpp"
#include "steering/four_people.hpp"
#include "steering/speed_limit.hpp"

namespace throng::steering {
namespace {

using Row = VelocityPrograms::Row;

/// How far outside a half plane a velocity lies; negative inside.
THRONG_INLINED void broken_by(const Row& plane, const FourVecs& velocity, Four& result) {
  result = (velocity.x - plane.point.x) * plane.direction.y - (velocity.y - plane.point.y) * plane.direction.x;
}

/// What is to be made best within the half planes: nearness to a point, or the way in a direction.
struct Aims {
  FourVecs target;  ///< velocities, or unit vectors
  bool direction = false;
};

/// The best points of a plane's border within the planes before it and the disc; who has none.
THRONG_INLINED void best_on_border(const Row* planes, std::size_t i, const Four& limit, const Aims& aims,
                                   FourVecs& best, FourBools& has_none) {
  const Row own = planes[i];
  const Four along = own.point.x * own.direction.x + own.point.y * own.direction.y;
  const Four square = along * along + limit * limit - (own.point.x * own.point.x + own.point.y * own.point.y);
  has_none = ~(square >= 0);
  Four root;
  square_root(square, root);
  Four low = -along - root;
  Four high = -along + root;
  for (std::size_t j = 0; j < i; ++j) {
    const Row& other = planes[j];
    const Four sine = own.direction.x * other.direction.y - own.direction.y * other.direction.x;
    const Four inside =
        other.direction.x * (own.point.y - other.point.y) - other.direction.y * (own.point.x - other.point.x);
    Four slant;
    magnitude(sine, slant);
    has_none |= (slant <= tolerance::parallel) & (inside < 0);
    const Four where = inside / sine;
    // Not a number where the other does not bound that side: never less nor more, so that a minimum is all it takes.
    const Four end = Four(FourBools(where) | ~(sine > tolerance::parallel));
    const Four begin = Four(FourBools(where) | ~(sine < -tolerance::parallel));
    high = end < high ? end : high;
    low = begin > low ? begin : low;
  }
  has_none |= low > high;
  Four at;
  if (aims.direction) {
    at = aims.target.x * own.direction.x + aims.target.y * own.direction.y > 0 ? high : low;
  } else {
    at = own.direction.x * (aims.target.x - own.point.x) + own.direction.y * (aims.target.y - own.point.y);
    at = high < at ? high : at;
    at = low > at ? low : at;
  }
  best.x = own.point.x + own.direction.x * at;
  best.y = own.point.y + own.direction.y * at;
}

/// Puts the best velocities into `best`, and how many planes could be kept to into `kept`: all, or those before the first that could not.
THRONG_INLINED void solve(const Row* planes, std::size_t rows, const FourBools& who, const Four& counts,
                          const Four& limit, const Aims& aims, FourVecs& best, Four& kept) {
  const FourVecs& target = aims.target;
  Four factor = limit;
  if (!aims.direction) {
    const Four length2 = target.x * target.x + target.y * target.y;
    Four length;
    square_root(length2, length);
    factor = length2 > limit * limit ? limit / length : Four{} + 1;
  }
  best = {target.x * factor, target.y * factor};
  kept = counts;
  FourBools going = who;
  for (std::size_t i = 0; i < rows; ++i) {
    Four excess;
    broken_by(planes[i], best, excess);
    const FourBools broken = going & ~(excess <= 0) & (counts > double(i));
    if (!any(broken)) continue;
    FourVecs moved;
    FourBools has_none;
    best_on_border(planes, i, limit, aims, moved, has_none);
    const FourBools lost = broken & has_none;
    kept = lost ? Four{} + double(i) : kept;
    going &= ~lost;
    const FourBools moves = broken & ~has_none;
    best.x = moves ? moved.x : best.x;
    best.y = moves ? moved.y : best.y;
  }
}

/// Where two soft planes are broken by the same distance: the half plane in which the second is broken less than the first. Nothing (all 0, which
/// anything keeps to) where they are side by side: whichever is broken more stays so.
THRONG_INLINED void bisecting(const Row& first, const Row& second, Row& result) {
  const Four turn_x = second.direction.x - first.direction.x;
  const Four turn_y = second.direction.y - first.direction.y;
  const Four length2 = turn_x * turn_x + turn_y * turn_y;
  const FourBools is_nothing = length2 <= tolerance::parallel * tolerance::parallel;
  const Four sine = first.direction.x * second.direction.y - first.direction.y * second.direction.x;
  Four slant, length;
  magnitude(sine, slant);
  square_root(length2, length);
  const FourBools is_parallel = slant <= tolerance::parallel;
  const Four where =
      (second.direction.x * (first.point.y - second.point.y) - second.direction.y * (first.point.x - second.point.x)) /
      sine;
  const Four middle_x = (first.point.x + second.point.x) / 2;
  const Four middle_y = (first.point.y + second.point.y) / 2;
  const Four x = is_parallel ? middle_x : first.point.x + first.direction.x * where;
  const Four y = is_parallel ? middle_y : first.point.y + first.direction.y * where;
  const Four zero{};
  result.point.x = is_nothing ? zero : x;
  result.point.y = is_nothing ? zero : y;
  result.direction.x = is_nothing ? zero : turn_x / length;
  result.direction.y = is_nothing ? zero : turn_y / length;
}

/// From plane `begin` on, in order: wherever one is broken more than any before, lets it be broken as little as can be while
/// those before it are broken no more than it is.
THRONG_INLINED void break_least(const Row* planes, std::size_t rows, const FourBools& who, const Four& hard,
                                const Four& begin, const Four& counts, const Four& limit, Row* scratch,
                                FourVecs& best) {
  Four worst{};
  for (std::size_t i = 0; i < rows; ++i) {
    const Row own = planes[i];
    Four excess;
    broken_by(own, best, excess);
    const FourBools broken = who & (begin <= double(i)) & (counts > double(i)) & ~(excess <= worst);
    if (!any(broken)) continue;
    for (std::size_t j = 0; j < i; ++j) {
      Row between;
      bisecting(own, planes[j], between);
      const FourBools is_hard = hard > double(j);
      scratch[j].point.x = is_hard ? planes[j].point.x : between.point.x;
      scratch[j].point.y = is_hard ? planes[j].point.y : between.point.y;
      scratch[j].direction.x = is_hard ? planes[j].direction.x : between.direction.x;
      scratch[j].direction.y = is_hard ? planes[j].direction.y : between.direction.y;
    }
    const Four all = Four{} + double(i);
    FourVecs better;
    Four kept;
    solve(scratch, i, broken, all, limit, {{-own.direction.y, own.direction.x}, true}, better, kept);
    // Only rounding lets this fail: the point found so far keeps to all of these.
    const FourBools is_better = broken & (kept == all);
    best.x = is_better ? better.x : best.x;
    best.y = is_better ? better.y : best.y;
    broken_by(own, best, excess);
    worst = broken ? excess : worst;
  }
}

/// The programs of all lanes that ask.
struct Programs {
  const Row* planes = nullptr;
  Row* scratch = nullptr;
  std::size_t rows = 0;
  FourBools who;
  Four hard, counts, limit;
  FourVecs wanted;
};

THRONG_WIDE_VECTORS void solve_all(const Programs& programs, FourVecs& best, FourBools& is_stuck) {
  const auto& [planes, scratch, rows, who, hard, counts, limit, wanted] = programs;
  Four kept;
  solve(planes, rows, who, counts, limit, {wanted, false}, best, kept);
  is_stuck = kept < hard;
  const FourBools breaks = who & ~is_stuck & (kept < counts);
  if (any(breaks)) break_least(planes, rows, breaks, hard, kept, counts, limit, scratch, best);
  best.x = is_stuck ? Four{} : best.x;
  best.y = is_stuck ? Four{} : best.y;
}

}  // namespace

std::array<Vec2, VelocityPrograms::lanes> VelocityPrograms::solve(const std::array<Question, lanes>& questions,
                                                                  const std::array<std::size_t, lanes>& hard,
                                                                  const std::array<std::size_t, lanes>& counts,
                                                                  std::array<bool, lanes>& is_stuck) {
  Programs programs;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto& [is_asked, limit, wanted] = questions[lane];
    programs.who[lane] = is_asked ? -1 : 0;
    programs.hard[lane] = double(hard[lane]);
    programs.counts[lane] = double(counts[lane]);
    programs.limit[lane] = limit;
    programs.wanted.x[lane] = wanted.x;
    programs.wanted.y[lane] = wanted.y;
    if (is_asked) programs.rows = std::max(programs.rows, counts[lane]);
  }
  if (scratch_.size() < programs.rows) scratch_.resize(rows_.size());
  programs.planes = rows_.data();
  programs.scratch = scratch_.data();
  FourVecs best;
  FourBools stuck;
  solve_all(programs, best, stuck);
  std::array<Vec2, lanes> answers;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    answers[lane] = limited({best.x[lane], best.y[lane]}, questions[lane].limit);
    is_stuck[lane] = stuck[lane] != 0;
  }
  return answers;
}

std::array<Vec2, VelocityPrograms::lanes> VelocityPrograms::nearest(const std::array<Question, lanes>& questions) {
  std::array<std::size_t, lanes> hard = hard_, counts = counts_;
  std::array<bool, lanes> is_stuck{};
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (rules_[lane] > 0) hard[lane] = counts[lane] - rules_[lane];
  std::array<Vec2, lanes> answers = solve(questions, hard, counts, is_stuck);
  // Those whom people and walls leave nothing forget the rules.
  std::array<Question, lanes> again = questions;
  bool is_any = false;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    again[lane].is_asked = questions[lane].is_asked && rules_[lane] > 0 && is_stuck[lane];
    is_any |= again[lane].is_asked;
    hard[lane] = hard_[lane];
    counts[lane] = counts_[lane] - rules_[lane];
  }
  if (!is_any) return answers;
  const std::array<Vec2, lanes> others = solve(again, hard, counts, is_stuck);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (again[lane].is_asked) answers[lane] = others[lane];
  return answers;
}

}  // namespace throng::steering
