#include "steering/perception.hpp"

#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "geometry/parallel.hpp"
#include "geometry/wide_vectors.hpp"
#include "navmesh/visibility.hpp"

namespace throng::steering {
namespace {

constexpr std::size_t slots_at_once = 4096;           ///< that a thread takes
constexpr std::uint32_t nowhere = ~std::uint32_t{0};  ///< the cell of a slot that nobody has
constexpr double first_radius = 2;                    ///< metres to search where nothing is known yet
constexpr double rounding = 1e-9;                     ///< part of a distance, far more than it is computed wrong by
constexpr double radius_growth = 2;                   ///< from one search to the next
/// Metres added to what sufficed: less than two people can gain on each other in a step, but hardly anybody does, and who has to look again
/// costs less than looking at more people each time does for all.
constexpr double radius_to_spare = 0.15;

/// Times the mean radius: bodies that are wider are kept apart.
constexpr double much_wider = 1.5;

constexpr std::size_t ahead = 4;  ///< people whose numbers are asked for before it is their turn

/// Makes room for this many, by an eighth more at a time: doubling would leave up to half of the memory unused.
template <class Column>
void grow(Column& column, std::size_t count) {
  if (count <= column.size()) return;
  if (count > column.capacity()) column.reserve(count + count / 8);
  column.resize(count);
}

/// The smallest box that holds the field of view of radius 1, from the eye.
struct Reach {
  Vec2 low{-1, -1}, high{1, 1};
};

double farthest(double axis, double edge_a, double edge_b, double view_cosine) {
  return axis >= view_cosine ? 1.0 : std::max({0.0, edge_a, edge_b});
}

Reach reach_of(Vec2 heading, double view_cosine) {
  if (view_cosine <= -1) return {};
  const double sine = std::sqrt(std::max(0.0, 1 - view_cosine * view_cosine));
  const Vec2 a = heading * view_cosine + perpendicular(heading) * sine;
  const Vec2 b = heading * view_cosine - perpendicular(heading) * sine;
  return {{-farthest(-heading.x, -a.x, -b.x, view_cosine), -farthest(-heading.y, -a.y, -b.y, view_cosine)},
          {farthest(heading.x, a.x, b.x, view_cosine), farthest(heading.y, a.y, b.y, view_cosine)}};
}

/// Of a handful of people, by number: how many are nearer.
using Ranks = std::array<std::uint32_t, Perception::handful>;

/// Compared as floats, because a vector holds more of those. Reads a handful of distances, however many there are.
THRONG_WIDE_VECTORS void find_ranks(const double* distances2, std::size_t count, Ranks& result) {
  std::array<float, Perception::handful> rounded;
  for (std::size_t i = 0; i < Perception::handful; ++i) rounded[i] = float(distances2[i]);
  Ranks ranks;
  for (std::uint32_t& rank : ranks) rank = 0;  // not ranks{}: g++ 12 would call for a string instruction
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t i = 0; i < Perception::handful; ++i) ranks[i] += rounded[j] < rounded[i] ? 1 : 0;
  result = ranks;
}

/// Calls put(number, rank) for a handful of people, nearest first: for so few that beats sorting, because there is no branch to foretell. False
/// where some are about as near as others, so that ranks are not 0, 1, 2, ...
template <class Put>
bool ranked(const double* distances2, std::size_t count, const Put& put) {
  Ranks ranks;
  find_ranks(distances2, count, ranks);
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    put(i, ranks[i]);
    sum += ranks[i];
  }
  return 2 * sum == count * (count - 1);
}

}  // namespace

/// One person, looking.
struct Perception::View {
  Slot self;
  Vec2 eye;
  Vec2 heading;
  double cosine_square;  ///< of half the field of view, with the cosine's sign; -2: all round
  Reach reach;
  double to_connections;  ///< distance to the nearest way to another layer
  double certain2;        ///< squared distance within which everybody is seen
};

/// Nearest first, ties to the lower serial.
struct Perception::Nearer {
  std::span<const std::uint64_t> serial;
  bool operator()(const Candidate& a, const Candidate& b) const {
    return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : serial[a.slot] < serial[b.slot];
  }
};

void Perception::index(const People& people) {
  grow(around_, people.position.size());
  for (Scratch& scratch : scratch_) scratch.distances = 0, scratch.found.clear();
  if (connections_.size() != people.mesh->layers.size() || mesh_generation_ != people.mesh->generation)
    list_connections(*people.mesh);
  lay_grid(people);
  find_cells(people);
  find_wide(people);
  if (tbb::this_task_arena::max_concurrency() == 1)
    sort_into_cells<true>(people);
  else
    sort_into_cells<false>(people);
}

namespace {

std::size_t shares_of(std::size_t slots) { return (slots + slots_at_once - 1) / slots_at_once; }

/// Calls work(share, begin, end) for shares of the slots, on all threads.
template <class Work>
void for_each_share(std::size_t slots, const Work& work) {
  geometry::for_each_number(shares_of(slots), [&](std::size_t share) {
    work(share, Slot(share * slots_at_once), Slot(std::min(slots, (share + 1) * slots_at_once)));
  });
}

}  // namespace

void Perception::lay_grid(const People& people) {
  extents_.assign(shares_of(people.position.size()), {});
  for_each_share(people.position.size(), [&](std::size_t share, Slot begin, Slot end) {
    Extent extent;
    for (Slot slot = begin; slot < end; ++slot)
      if (people.present[slot]) extent.take_in({people.position[slot], people.position[slot], 1, people.radius[slot]});
    extents_[share] = extent;
  });
  Extent all;
  for (const Extent& extent : extents_) all.take_in(extent);
  count_ = all.count;
  usual_ = count_ == 0 ? 0 : much_wider * all.radii / double(count_);
  const Vec2 low = count_ == 0 ? Vec2{} : all.low - grid_.margin;
  const Vec2 high = count_ == 0 ? Vec2{} : all.high;
  const auto most_cells = double(std::max<std::size_t>(std::size_t{1} << 20, 16 * count_));
  double size = grid_.cell;
  const auto cells = [&](double metres) { return std::floor(metres / size) + 1; };
  while (cells(high.x - low.x) * cells(high.y - low.y) > most_cells) size *= 2;
  origin_ = low;
  cells_per_metre_ = 1 / size;
  columns_ = std::uint32_t(cells(high.x - low.x));
  rows_ = std::uint32_t(cells(high.y - low.y));
  const double largest = std::max({-low.x, -low.y, high.x, high.y, 1.0});
  slack_ = largest * 0x1p-40;
}

/// Which cell everybody is in; nobody has anything in mind yet.
void Perception::find_cells(const People& people) {
  grow(cell_of_, people.position.size());
  for_each_share(people.position.size(), [&](std::size_t, Slot begin, Slot end) {
    for (Slot slot = begin; slot < end; ++slot) {
      around_[slot].people_count = around_[slot].wall_count = 0;
      const Vec2 p = people.position[slot];
      cell_of_[slot] = people.present[slot] ? row(p.y) * columns_ + column(p.x) : nowhere;
    }
  });
  // Slots that were there once, and are not any more.
  std::fill(cell_of_.begin() + std::ptrdiff_t(people.position.size()), cell_of_.end(), nowhere);
}

/// People are about to have the slots of their places in the grid's order: those kept apart, too.
void Perception::renumber_wide() {
  if (wide_.empty()) return;
  std::vector<std::pair<Slot, std::size_t>> places;  // old slots, and where in wide_ they are
  for (std::size_t i = 0; i < wide_.size(); ++i) places.emplace_back(wide_[i], i);
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < count_; ++i) {
    const auto at = std::lower_bound(places.begin(), places.end(), std::pair(slots_[i], std::size_t{0}));
    if (at != places.end() && at->first == slots_[i]) wide_[at->second] = Slot(i);
  }
}

/// Sets usual_ to the largest radius that is not much wider than the mean, and lists those beyond it.
void Perception::find_wide(const People& people) {
  for_each_share(people.position.size(), [&](std::size_t share, Slot begin, Slot end) {
    double usual = 0, widest = 0;
    for (Slot slot = begin; slot < end; ++slot) {
      const double radius = people.present[slot] ? people.radius[slot] : 0;
      widest = std::max(widest, radius);
      usual = std::max(usual, radius <= usual_ ? radius : 0);
    }
    extents_[share].usual = usual;
    extents_[share].widest = widest;
  });
  usual_ = widest_ = 0;
  for (const Extent& extent : extents_) {
    usual_ = std::max(usual_, extent.usual);
    widest_ = std::max(widest_, extent.widest);
  }
  wide_.clear();
  if (widest_ <= usual_) return;
  for (Slot slot = 0; slot < people.position.size(); ++slot)
    if (people.present[slot] && people.radius[slot] > usual_) wide_.push_back(slot);
  std::sort(wide_.begin(), wide_.end(), [&](Slot a, Slot b) {
    return people.position[a].x != people.position[b].x ? people.position[a].x < people.position[b].x
                                                        : people.serial[a] < people.serial[b];
  });
}

namespace {

/// Adds to a number that several threads add to, unless one is alone; what was there before. Sums do not depend on who came first.
template <bool IsAlone, class Number>
Number add_to(Number& number, Number more) {
  if constexpr (IsAlone) return std::exchange(number, Number(number + more));
  return std::atomic_ref(number).fetch_add(more, std::memory_order_relaxed);
}

/// The same for bits; mostly they are there already.
template <bool IsAlone>
void set_bit(std::uint64_t& bits, std::uint64_t bit) {
  if constexpr (IsAlone) {
    bits |= bit;
  } else {
    std::atomic_ref shared(bits);
    if ((shared.load(std::memory_order_relaxed) & bit) == 0) shared.fetch_or(bit, std::memory_order_relaxed);
  }
}

}  // namespace

/// Every thread takes shares of the slots and fills cells that others fill, too: who comes where in a cell is settled afterwards.
template <bool IsAlone>
void Perception::sort_into_cells(const People& people) {
  cells_.assign(std::size_t(columns_) * rows_ / 64 + 1, {});
  const auto for_each_placed = [&](const auto& work) {
    for_each_share(people.position.size(), [&](std::size_t, Slot begin, Slot end) {
      for (Slot slot = begin; slot < end; ++slot)
        if (cell_of_[slot] != nowhere) work(slot);
    });
  };
  for_each_placed([&](Slot slot) {
    set_bit<IsAlone>(cells_[cell_of_[slot] / 64].occupied, std::uint64_t{1} << (cell_of_[slot] % 64));
  });
  std::uint32_t occupied = 0;
  for (Cells& cells : cells_) {
    cells.before = occupied;
    occupied += ones(cells.occupied);
  }
  starts_.assign(occupied + 1, 0);
  for_each_placed([&](Slot slot) { add_to<IsAlone>(starts_[rank(cell_of_[slot])], std::uint32_t{1}); });
  // Ends of the cells; filling turns them into starts.
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  x_.resize(count_ + lanes);
  y_.resize(count_ + lanes);
  slots_.resize(count_ + lanes);
  for_each_placed(
      [&](Slot slot) { slots_[add_to<IsAlone>(starts_[rank(cell_of_[slot])], ~std::uint32_t{0}) - 1] = slot; });
  for_each_share(occupied, [&](std::size_t, Slot begin, Slot end) {
    for (Slot cell = begin; cell < end; ++cell) order_by_serial(people, starts_[cell], starts_[cell + 1]);
  });
}

/// Those of a cell: the order of slots is an accident of memory, and sums over neighbours must not depend on it.
void Perception::order_by_serial(const People& people, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t i = begin; i < end; ++i) {
    const Slot slot = slots_[i];
    std::uint32_t to = i;
    for (; to > begin && people.serial[slots_[to - 1]] > people.serial[slot]; --to) slots_[to] = slots_[to - 1];
    slots_[to] = slot;
  }
  for (std::uint32_t i = begin; i < end; ++i) {
    x_[i] = people.position[slots_[i]].x;
    y_[i] = people.position[slots_[i]].y;
  }
}

void Perception::list_connections(const navmesh::Mesh& mesh) {
  connections_.assign(mesh.layers.size(), {});
  mesh_generation_ = mesh.generation;
  for (const navmesh::Connection& connection : mesh.all_connections())
    for (const Index layer : {connection.left_layer, connection.right_layer})
      connections_[layer].push_back({connection.a, connection.b});
}

double Perception::distance_to_connections(Vec2 p, Index layer) const {
  if (connections_[layer].empty()) return std::numeric_limits<double>::infinity();
  double nearest2 = std::numeric_limits<double>::infinity();
  for (const Line& line : connections_[layer])
    nearest2 = std::min(nearest2, squared_length(p - navmesh::nearest_on({.a = line.a, .b = line.b}, p)));
  return std::sqrt(nearest2);
}

/// Whom gather() looks for.
struct Perception::Lens {
  Slot self;
  Vec2 eye;
  Vec2 heading;
  double cosine_square;  ///< as in View
  double beyond2, radius2;
};

/// Takes those of a box of the grid who count.
void Perception::take(const Lens& lens, const Box& cells, Scratch& scratch) const {
  Found& found = scratch.gathered;
  for (std::uint32_t row = cells.bottom; row <= cells.top; ++row) {
    const auto [first, last] = run(row, cells);
    scratch.distances += last - first;
    found.make_room(last - first);
    for (std::uint32_t i = first; i < last; ++i) {
      const double x = x_[i] - lens.eye.x;
      const double y = y_[i] - lens.eye.y;
      const double square = x * x + y * y;
      const double along = x * lens.heading.x + y * lens.heading.y;
      // Written in any case, kept only if it counts: cheaper than a branch that nobody can foretell.
      found.distances2[found.count] = square;
      found.slots[found.count] = slots_[i];
      const std::size_t counts[] = {along * std::abs(along) >= lens.cosine_square * square, square <= lens.radius2,
                                    square > lens.beyond2, slots_[i] != lens.self};
      found.count += counts[0] & counts[1] & counts[2] & counts[3];
    }
  }
}

#ifdef THRONG_HAS_AVX2

/// The people in a box, cut into pieces: each from its first to the end of its row, of which a vector holds the first few. Rows are short, and
/// one is longer than the next: loops over the people of each would end where nobody can foretell it. So pieces are listed four at
/// a time, needed or not, and looked through in one loop.
THRONG_AVX2 std::span<const Perception::Run> Perception::cut(const Box& cells, std::vector<Run>& pieces) const {
  constexpr std::uint32_t at_once = 4;
  std::size_t count = 0;
  for (std::uint32_t row = cells.bottom; row <= cells.top; ++row) {
    const auto [first, last] = run(row, cells);
    const std::size_t end = count + (last - first + lanes - 1) / lanes;
    if (pieces.size() < end + at_once) pieces.resize(2 * (end + at_once));
    std::uint32_t from = first;
    do {
      Run* const some = pieces.data() + count;
      for (std::uint32_t i = 0; i < at_once; ++i) some[i] = {from + i * std::uint32_t(lanes), last};
      from += at_once * lanes;
      count += at_once;
    } while (count < end);
    count = end;
  }
  return std::span(pieces).first(count);
}

/// The same, four at a time: those who count are moved to the front of a vector, which is stored as a whole. The same operations on the
/// same numbers as above, so the same bits.
template <bool IsAllRound>
THRONG_AVX2 void Perception::take_wide(const Lens& lens, const Box& cells, Scratch& scratch) const {
  static_assert(lanes == throng::lanes::count);
  namespace wide = throng::lanes;
  const double *const all_x = x_.data(), *const all_y = y_.data();
  const Slot* const all_slots = slots_.data();
  const std::span<const Run> pieces = cut(cells, scratch.pieces);
  Found& found = scratch.gathered;
  found.make_room(pieces.size() * lanes);
  double* const distances2 = found.distances2.data();
  Slot* const found_slots = found.slots.data();
  std::size_t count = found.count;
  std::uint64_t distances = 0;
  for (const auto& [i, last] : pieces) {
    const Four x = wide::load(all_x + i) - lens.eye.x;
    const Four y = wide::load(all_y + i) - lens.eye.y;
    const Four squares = x * x + y * y;
    FourBools near = (squares <= lens.radius2) & (squares > lens.beyond2);
    if constexpr (!IsAllRound) {
      const Four along = x * lens.heading.x + y * lens.heading.y;
      near &= along * wide::absolute(along) >= lens.cosine_square * squares;
    }
    const wide::FourWholes who = wide::load(all_slots + i);
    const std::uint32_t people = std::min<std::uint32_t>(last - i, lanes);
    distances += people;
    const wide::Set counts = wide::where(near) & ~wide::where_equal(who, lens.self) & wide::first(people);
    wide::store_packed(distances2 + count, squares, counts);
    wide::store_packed(found_slots + count, who, counts);
    count += ones(counts);
  }
  found.count = count;
  scratch.distances += distances;
}

/// The same as below, as take_wide() does it.
THRONG_AVX2 void Perception::add_within_wide(std::size_t self, double radius, NearPeople& near,
                                             std::size_t& count) const {
  namespace wide = throng::lanes;
  const double reach = radius + slack_;
  const double radius2 = radius * radius;
  const double *const all_x = x_.data(), *const all_y = y_.data();
  const Slot* const all_slots = slots_.data();
  thread_local std::vector<Run> room;
  const Vec2 p{all_x[self], all_y[self]};
  const std::span<const Run> pieces = cut(box({p.x - reach, p.y - reach}, {p.x + reach, p.y + reach}), room);
  const std::size_t most = count + lanes * pieces.size();
  if (near.found.size() < most) near.found.resize(most + most / 4);
  Slot* const found = near.found.data();
  for (const auto& [i, last] : pieces) {
    const Four x = wide::load(all_x + i) - p.x;
    const Four y = wide::load(all_y + i) - p.y;
    const wide::Set selves = self - i < lanes ? 1U << (self - i) : 0;
    const wide::Set counts =
        wide::where(x * x + y * y <= radius2) & ~selves & wide::first(std::min<std::size_t>(last - i, lanes));
    wide::store_packed(found + count, wide::load(all_slots + i), counts);
    count += ones(counts);
  }
}

#endif

/// Everybody in the field of view farther than `beyond2` (squared), up to the radius.
void Perception::gather(const View& view, double beyond2, double radius, Scratch& scratch) const {
  const double reach = radius + slack_;
  const Box cells = box(view.eye + view.reach.low * reach - Vec2{slack_, slack_},
                        view.eye + view.reach.high * reach + Vec2{slack_, slack_});
  const Lens lens{view.self, view.eye, view.heading, view.cosine_square, beyond2, radius * radius};
  scratch.gathered.count = 0;
#ifdef THRONG_HAS_AVX2
  if (has_avx2()) {
    if (lens.cosine_square < -1)
      take_wide<true>(lens, cells, scratch);
    else
      take_wide<false>(lens, cells, scratch);
    return;
  }
#endif
  take(lens, cells, scratch);
}

void Perception::add_within(std::size_t self, double radius, NearPeople& near, std::size_t& count) const {
#ifdef THRONG_HAS_AVX2
  if (has_avx2()) return add_within_wide(self, radius, near, count);
#endif
  const double reach = radius + slack_;
  const double radius2 = radius * radius;
  const Vec2 p{x_[self], y_[self]};
  const Box cells = box({p.x - reach, p.y - reach}, {p.x + reach, p.y + reach});
  for (std::uint32_t y = cells.bottom; y <= cells.top; ++y) {
    const auto [first, last] = run(y, cells);
    const std::size_t most = count + (last - first);
    if (near.found.size() < most) near.found.resize(most + most / 4);
    Slot* const found = near.found.data();
    for (std::size_t i = first; i < last; ++i) {
      found[count] = slots_[i];  // as in gather(): no branch
      const std::size_t counts[] = {squared_length(Vec2{x_[i], y_[i]} - p) <= radius2, i != self};
      count += counts[0] & counts[1];
    }
  }
}

/// The wide bodies that come within `reach` of the box that holds these people's bodies.
void Perception::find_wide_near(const People& people, std::size_t begin, std::size_t end, double reach,
                                std::vector<Slot>& found) const {
  found.clear();
  if (wide_.empty() || begin == end) return;
  Extent extent;
  double own = 0;
  for (std::size_t i = begin; i < end; ++i) {
    extent.take_in({{x_[i], y_[i]}, {x_[i], y_[i]}});
    own = std::max(own, people.radius[slots_[i]]);
  }
  const auto is_left_of = [&](Slot slot, double x) { return people.position[slot].x < x; };
  const double farthest = (own + widest_ + reach) * (1 + rounding);
  for (auto wide = std::lower_bound(wide_.begin(), wide_.end(), extent.low.x - farthest, is_left_of);
       wide != wide_.end() && people.position[*wide].x <= extent.high.x + farthest; ++wide) {
    const Vec2 p = people.position[*wide];
    const Vec2 off{p.x - std::clamp(p.x, extent.low.x, extent.high.x),
                   p.y - std::clamp(p.y, extent.low.y, extent.high.y)};
    const double far = (own + people.radius[*wide] + reach) * (1 + rounding);
    if (squared_length(off) <= far * far) found.push_back(*wide);
  }
}

void Perception::find_near(const People& people, std::size_t begin, std::size_t end, double reach,
                           NearPeople& near) const {
  thread_local std::vector<Slot> wide;
  find_wide_near(people, begin, end, reach, wide);
  near.ends.clear();
  std::size_t count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const Slot self = slots_[i];
    const Vec2 here = people.position[self];
    const double own = people.radius[self];
    const std::size_t first = count;
    std::size_t seen = count;
    add_within(i, (own + usual_ + reach) * (1 + rounding), near, seen);
    if (near.found.size() < seen + wide.size()) near.found.resize(seen + wide.size());
    Slot* const found = near.found.data();
    // In order of serials, from few to few: each goes before those who came earlier and are later.
    const auto put = [&](Slot slot) {
      std::size_t to = count++;
      for (; to > first && people.serial[found[to - 1]] > people.serial[slot]; --to) found[to] = found[to - 1];
      found[to] = slot;
    };
    const auto touches = [&](Slot slot) {
      const double far = own + people.radius[slot] + reach;
      return squared_length(people.position[slot] - here) <= far * far;
    };
    for (std::size_t k = first; k < seen; ++k) {
      const Slot slot = found[k];
      if (people.radius[slot] <= usual_ && touches(slot)) put(slot);
    }
    for (const Slot slot : wide)
      if (slot != self && touches(slot)) put(slot);
    near.ends.push_back(std::uint32_t(count));
  }
}

/// Nearest first. At most `handful` of them.
std::span<const Perception::Candidate> Perception::sort_few(const People& people, const Found& found, Handful& sorted) {
  const std::span<Candidate> all = std::span(sorted).first(found.count);
  if (ranked(found.distances2.data(), found.count, [&](std::size_t i, std::uint32_t rank) {
        sorted[rank] = {found.distances2[i], found.slots[i]};
      }))
    return all;
  for (std::size_t i = 0; i < found.count; ++i) all[i] = {found.distances2[i], found.slots[i]};
  std::sort(all.begin(), all.end(), Nearer{people.serial});
  return all;
}

/// Moves the nearest into the person's list, of whom everybody is seen; false, and nothing done, where some are about as near as others.
bool Perception::take_nearest(const Found& found, Taken& taken) {
  std::array<Slot, handful> sorted;
  if (!ranked(found.distances2.data(), found.count,
              [&](std::size_t i, std::uint32_t rank) { sorted[rank] = found.slots[i]; }))
    return false;
  const std::size_t count = std::min(taken.most - taken.count, found.count);
  taken.found.insert(taken.found.end(), sorted.begin(), sorted.begin() + std::ptrdiff_t(count));
  taken.count += count;
  return true;
}

/// Moves those who can be seen into the person's list; true once it is full.
bool Perception::take_in_order(const People& people, const View& view, std::span<const Candidate> sorted,
                               Taken& taken) const {
  for (const Candidate& candidate : sorted) {
    if (!sees(people, view, candidate)) continue;
    taken.take(candidate.slot);
    if (taken.is_full()) return true;
  }
  return false;
}

/// The same for the nearest of those gathered.
bool Perception::take_visible(const People& people, const View& view, bool is_all_seen, Scratch& scratch,
                              Taken& taken) const {
  const Found& found = scratch.gathered;
  if (found.count == 0) return false;
  if (found.count <= handful) {
    if (is_all_seen && take_nearest(found, taken)) return taken.is_full();
    Handful sorted;
    return take_in_order(people, view, sort_few(people, found, sorted), taken);
  }
  scratch.candidates.clear();
  for (std::size_t i = 0; i < found.count; ++i) scratch.candidates.push_back({found.distances2[i], found.slots[i]});
  // Most are seen, so that mostly the first few suffice.
  const Nearer nearer{people.serial};
  for (std::span<Candidate> rest = scratch.candidates; !rest.empty();) {
    const std::size_t now = std::min(rest.size(), handful);
    if (now < rest.size()) std::nth_element(rest.begin(), rest.begin() + std::ptrdiff_t(now), rest.end(), nearer);
    std::sort(rest.begin(), rest.begin() + std::ptrdiff_t(now), nearer);
    if (take_in_order(people, view, rest.first(now), taken)) return true;
    rest = rest.subspan(now);
  }
  return false;
}

void Perception::perceive(const People& people, std::span<const Slot> who, std::span<const Needs> needs) {
  assert(who.size() == needs.size());
  Scratch& scratch = scratch_.local();
  for (std::size_t i = 0; i < who.size(); ++i) {
    if (i + ahead < who.size()) {
      const Slot later = who[i + ahead];
      __builtin_prefetch(&around_[later], 1);
      __builtin_prefetch(&people.position[later]);
      __builtin_prefetch(&people.heading[later]);
      __builtin_prefetch(&people.clearance[later]);
      __builtin_prefetch(&people.speed[later]);
    }
    Around& around = around_[who[i]];
    around.owner = &scratch;
    around.first = std::uint32_t(scratch.found.size());
    Taken near{scratch.found, std::min(needs[i].most, capacity)};
    find_people(people, who[i], needs[i], scratch, near, around.search_radius);
    around.people_count = std::uint8_t(near.count);
    Taken walls{scratch.found, most_walls};
    find_walls(people, who[i], needs[i], scratch, walls);
    around.wall_count = std::uint8_t(walls.count);
  }
}

void Perception::look(const People& people, std::span<const Slot> who, std::span<const Needs> needs,
                      Lists& found_people, Lists& found_walls) const {
  assert(who.size() == needs.size());
  Scratch& scratch = scratch_.local();
  for (Lists* lists : {&found_people, &found_walls}) lists->found.clear(), lists->ends.clear();
  for (std::size_t i = 0; i < who.size(); ++i) {
    Taken near{found_people.found, needs[i].most};
    float search_radius = 0;
    find_people(people, who[i], needs[i], scratch, near, search_radius);
    found_people.ends.push_back(std::uint32_t(found_people.found.size()));
    Taken walls{found_walls.found, std::numeric_limits<std::size_t>::max()};
    find_walls(people, who[i], needs[i], scratch, walls);
    found_walls.ends.push_back(std::uint32_t(found_walls.found.size()));
  }
}

/// `search_radius` is a hint, and becomes what would have sufficed.
void Perception::find_people(const People& people, Slot slot, const Needs& needs, Scratch& scratch, Taken& taken,
                             float& search_radius) const {
  if (taken.most == 0) return;
  const Vec2 eye = people.position[slot];
  const double clearance = people.clearance[slot];
  const View view{slot,
                  eye,
                  people.heading[slot],
                  needs.view_cosine <= -1 ? -2 : needs.view_cosine * std::abs(needs.view_cosine),
                  reach_of(people.heading[slot], needs.view_cosine),
                  distance_to_connections(eye, people.layer[slot]),
                  people.mesh->layers.size() == 1 ? clearance * clearance : -1};
  double beyond2 = -1;
  double radius = std::min(needs.range, search_radius > 0 ? double(search_radius) : first_radius);
  for (;; radius = std::min(needs.range, radius * radius_growth)) {
    gather(view, beyond2, radius, scratch);
    const bool is_all_seen = radius * radius < view.certain2;
    if (take_visible(people, view, is_all_seen, scratch, taken) || radius >= needs.range) break;
    beyond2 = radius * radius;
  }
  double enough = needs.range;
  if (taken.is_full()) enough = std::sqrt(squared_length(people.position[taken.found.back()] - eye)) + radius_to_spare;
  search_radius = float(enough);
}

bool Perception::sees(const People& people, const View& view, const Candidate& other) const {
  if (other.distance2 < view.certain2) return true;
  const Index layer = people.layer[view.self];
  // The discs of clearance around both hold the whole line, if it is short enough. They reach over connections; what lies over one
  // must not be taken for a part of this layer below it.
  const double certain = std::min(people.clearance[view.self] + people.clearance[other.slot], view.to_connections);
  if (people.layer[other.slot] == layer && other.distance2 < certain * certain) return true;
  return navmesh::visible_from(*people.mesh, people.standpoint(view.self), people.place(other.slot), 0);
}

void Perception::find_walls(const People& people, Slot slot, const Needs& needs, Scratch& scratch, Taken& taken) {
  const double matters = needs.speed_limit * people.speed[slot] * needs.wall_seconds + people.radius[slot];
  const double range = std::min(needs.wall_range, matters * (1 + rounding));
  if (range <= 0 || people.clearance[slot] > range) return;
  for (const auto& segment : scratch.segments.compute(*people.mesh, people.place(slot), range, people.cell[slot])) {
    if (taken.is_full()) break;
    taken.take(segment.site);
  }
}

std::uint64_t Perception::distances_computed() const {
  std::uint64_t sum = 0;
  for (const Scratch& scratch : scratch_) sum += scratch.distances;
  return sum;
}

std::size_t Perception::bytes() const {
  const auto held = [](const auto&... list) { return (0 + ... + (list.capacity() * sizeof(list[0]))); };
  std::size_t bytes = held(cells_, starts_, cell_of_, x_, y_, slots_, around_, extents_, wide_);
  for (const Scratch& scratch : scratch_)
    bytes +=
        held(scratch.candidates, scratch.found, scratch.pieces, scratch.gathered.distances2, scratch.gathered.slots);
  return bytes;
}

}  // namespace throng::steering
