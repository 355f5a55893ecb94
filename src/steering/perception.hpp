// Who and what is around: the nearest people in view and the nearest walls. Rebuilt each step over the positions of state n.
//
// A uniform grid over all people, sorted by cell, row by row, so that a row of a box is one run of memory. Which cells hold anybody is
// a bit each, so that the grid of a wide world with few people stays in the cache and is emptied at once. A search takes boxes
// of growing size until it has enough people, from the size that sufficed for that person last time; where people cluster, the
// first box suffices, so that the cost a person stays bounded (the published system went quadratic there).
//
// Laws
// 1. neighbours(slot) are the `most` nearest people within `range` (between centres) whose centre lies in the field of view and can
//    be seen from the person's centre in a straight line through free space, over connections too: nobody reacts through a wall or a
//    floor. Nearest first, ties to the lower serial. The person itself is not among them.
// 2. walls(slot) are the nearest segment sites within `wall_range` that bound the free space around the person (NearbySegments), at
//    most `most_walls`, nearest first, ties to the lower site.
// 3. Answers depend on the positions only, not on who was asked before or on threads, nor on the grid: where it begins, how large its
//    cells are and who else is in them decide cost alone. Lists are in order of distances and then serials, or of serials.
// 4. Who has not been asked about since index() has nobody and nothing in mind.
// 5. What one consumer asks for changes no other's list: perceive() is what avoidance sees, look() fills lists of the caller's own.
// 6. One wide body costs those around it: near lists reach from body to body, and the few bodies that are much wider than most are
//    kept apart, so that nobody else's search is as wide as theirs.
//
// What people have in mind is stored one after another by the thread that found it: most have far less in mind than they could.
// Thread-safety: perceive() may be called for disjoint spans at the same time once index() is done.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "agents/people.hpp"
#include "navmesh/queries.hpp"

namespace throng::steering {

using agents::Index;
using agents::People;
using agents::Slot;

/// People or walls near some people: person after person.
struct Lists {
  std::vector<std::uint32_t> found;  ///< slots or sites, the first ends.back() of them
  std::vector<std::uint32_t> ends;   ///< by person
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t person) const {
    const std::uint32_t first = person == 0 ? 0 : ends[person - 1];
    return std::span(found).subspan(first, ends[person] - first);
  }
};

/// What a method must know of a person's surroundings.
struct Needs {
  std::uint32_t most = 0;   ///< people; perceive() finds at most Perception::capacity, look() as many as are asked for
  double range = 0;         ///< metres
  double view_cosine = -1;  ///< of half the field of view around the heading; -1: all round
  double wall_range = 0;    ///< metres; 0: no walls
  /// Walls that the body would take longer to get to at its speed limit are of no matter, and may be left out.
  double wall_seconds = std::numeric_limits<double>::infinity();
  double speed_limit = 1.3;  ///< for that: times the preferred speed
};

class Perception {
 public:
  static constexpr std::uint32_t capacity = 16;  ///< people a person can have in mind for avoidance
  static constexpr std::uint32_t most_walls = 24;
  static constexpr std::size_t handful = 24;  ///< people to sort at a time

  Perception() = default;
  Perception(const Perception&) = delete;  // what people have in mind is known by its address
  Perception& operator=(const Perception&) = delete;

  /// How the grid is laid. By law 3 no answer depends on it: for tests of that.
  struct Grid {
    Vec2 margin{};    ///< metres, not negative, by which it begins before the lowest person
    double cell = 1;  ///< metres; larger where the world is too wide for so many
  };
  explicit Perception(const Grid& grid) : grid_(grid) {}

  /// Takes in where everybody is. O(n), on as many threads as the task arena has that it is called in.
  void index(const People& people);
  /// Finds what these people need; `needs[i]` belongs to `who[i]`.
  void perceive(const People& people, std::span<const Slot> who, std::span<const Needs> needs);

  /// The same into lists of the caller's own, as long as they need to be: `people` by law 1, `walls` by law 2 without an end.
  void look(const People& people, std::span<const Slot> who, std::span<const Needs> needs, Lists& found_people,
            Lists& found_walls) const;

  [[nodiscard]] std::span<const Slot> neighbours(Slot slot) const {
    const Around& around = around_[slot];
    return around.people_count == 0 ? std::span<const Slot>{}
                                    : std::span(around.owner->found).subspan(around.first, around.people_count);
  }
  /// Segment sites of the mesh, with free space to the left of a->b.
  [[nodiscard]] std::span<const Index> walls(Slot slot) const {
    const Around& around = around_[slot];
    return around.wall_count == 0
               ? std::span<const Index>{}
               : std::span(around.owner->found).subspan(around.first + around.people_count, around.wall_count);
  }

  /// Calls visit(slot) for everybody whose centre is within `radius` of p in the plane, on any layer, in no particular order.
  template <class Visit>
  void for_each_within(Vec2 p, double radius, Visit&& visit) const;

  using NearPeople = Lists;
  /// Everybody whose body is within `reach` of the bodies of the people from `begin` to `end` of in_grid_order(), in order of serials,
  /// on any layer, walls or not. `people` must stand where index() took them in.
  void find_near(const People& people, std::size_t begin, std::size_t end, double reach, NearPeople& near) const;

  /// The people have new slots, in the order of in_grid_order(); `permute` does to a column what was done to theirs.
  template <class Permute>
  void sorted_by_grid(Permute&& permute) {
    permute(around_);
    renumber_wide();
    std::iota(slots_.begin(), slots_.end() - lanes, Slot{0});
  }

  /// Everybody present, those of one grid cell together, by serials: the order in which looking at people is quickest.
  [[nodiscard]] std::span<const Slot> in_grid_order() const { return {slots_.data(), count_}; }
  /// How many distances between people perceive() has computed since index(): what its cost is measured by, whatever the machine.
  [[nodiscard]] std::uint64_t distances_computed() const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Scratch;
  /// People whose distances are computed together; sorted arrays have room for so many more than there are.
  static constexpr std::size_t lanes = 4;
  /// Where to find what one person has in mind.
  struct Around {
    const Scratch* owner = nullptr;  ///< whose `found` holds people and walls
    std::uint32_t first = 0;         ///< of its people; walls come after them
    float search_radius = 0;  ///< that sufficed last time; 0: not known. Only a hint: it decides cost, not answers
    std::uint8_t people_count = 0, wall_count = 0;
  };
  struct Candidate {
    double distance2;
    Slot slot;
  };
  using Handful = std::array<Candidate, handful>;
  /// Candidates in columns, which have room for a vector more, and for a handful.
  struct Found {
    std::vector<double> distances2;
    std::vector<Slot> slots;
    std::size_t count = 0;
    void make_room(std::size_t more) {
      const std::size_t enough = std::max(handful, count + more + lanes);
      if (distances2.size() >= enough) return;
      distances2.resize(2 * enough);
      slots.resize(distances2.size());
    }
  };
  /// People of the sorted arrays: [first, last).
  struct Run {
    std::uint32_t first = 0, last = 0;
  };
  struct Lens;
  /// What a thread needs while it looks.
  struct Scratch {
    Found gathered;
    std::vector<Run> pieces;            ///< of the rows of a box, each as many people as fit a vector
    std::vector<Candidate> candidates;  ///< where there are more than a handful
    navmesh::NearbySegments segments;
    std::uint64_t distances = 0;
    std::vector<std::uint32_t> found;  ///< slots and sites, person by person
  };
  /// Cells of a box, ends included.
  struct Box {
    std::uint32_t left = 0, right = 0, bottom = 0, top = 0;
  };
  /// 64 cells of the grid.
  struct Cells {
    std::uint64_t occupied = 0;  ///< a bit for each that holds anybody
    std::uint32_t before = 0;    ///< occupied cells before these
  };
  struct View;
  struct Nearer;
  struct Line {
    Vec2 a, b;
  };

  /// What holds some people.
  struct Extent {
    Vec2 low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    Vec2 high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    std::size_t count = 0;
    double radii = 0;              ///< their sum
    double usual = 0, widest = 0;  ///< the largest that is not much wider than the mean; the largest
    void take_in(const Extent& other) {
      radii += other.radii;
      low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y)};
      high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y)};
      count += other.count;
    }
  };

  void lay_grid(const People& people);
  void find_cells(const People& people);
  void find_wide(const People& people);
  void renumber_wide();
  template <bool IsAlone>
  void sort_into_cells(const People& people);
  void order_by_serial(const People& people, std::uint32_t begin, std::uint32_t end);
  void list_connections(const navmesh::Mesh& mesh);
  [[nodiscard]] Box box(Vec2 low, Vec2 high) const { return {column(low.x), column(high.x), row(low.y), row(high.y)}; }
  [[nodiscard]] std::uint32_t column(double x) const { return along(x - origin_.x, columns_); }
  [[nodiscard]] std::uint32_t row(double y) const { return along(y - origin_.y, rows_); }
  [[nodiscard]] std::uint32_t along(double metres, std::uint32_t count) const {
    return std::uint32_t(std::clamp(metres * cells_per_metre_, 0.0, double(count - 1)));
  }
  /// The people in a row of a box.
  [[nodiscard]] Run run(std::uint32_t row, const Box& box) const {
    const std::size_t cells = std::size_t(row) * columns_;
    return {start_of(cells + box.left), start_of(cells + box.right + 1)};
  }
  /// How many people are in the cells before this one.
  [[nodiscard]] std::uint32_t start_of(std::size_t cell) const { return starts_[rank(cell)]; }
  /// How many of the cells before this one hold anybody.
  [[nodiscard]] std::uint32_t rank(std::size_t cell) const {
    const Cells& cells = cells_[cell / 64];
    return cells.before + ones(cells.occupied & ((std::uint64_t{1} << (cell % 64)) - 1));
  }
  /// The number of bits that are 1. Written out, because not every x86-64 has the instruction; where it may be used, compilers know
  /// these lines.
  static std::uint32_t ones(std::uint64_t bits) {
    bits -= (bits >> 1) & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return std::uint32_t((bits * 0x0101010101010101) >> 56);
  }

  /// Somebody's list in the making.
  struct Taken {
    std::vector<std::uint32_t>& found;
    std::size_t most = 0, count = 0;
    void take(Slot slot) {
      found.push_back(slot);
      ++count;
    }
    [[nodiscard]] bool is_full() const { return count == most; }
  };
  void find_people(const People& people, Slot slot, const Needs& needs, Scratch& scratch, Taken& taken,
                   float& search_radius) const;
  void gather(const View& view, double beyond2, double radius, Scratch& scratch) const;
  bool take_visible(const People& people, const View& view, bool is_all_seen, Scratch& scratch, Taken& taken) const;
  static std::span<const Candidate> sort_few(const People& people, const Found& found, Handful& sorted);
  static bool take_nearest(const Found& found, Taken& taken);
  bool take_in_order(const People& people, const View& view, std::span<const Candidate> sorted, Taken& taken) const;
  std::span<const Run> cut(const Box& cells, std::vector<Run>& pieces) const;
  /// Appends everybody else whose centre is within the radius of that of number `self` in grid order, in grid order.
  void add_within(std::size_t self, double radius, NearPeople& near, std::size_t& count) const;
  void add_within_wide(std::size_t self, double radius, NearPeople& near, std::size_t& count) const;
  void find_wide_near(const People& people, std::size_t begin, std::size_t end, double reach,
                      std::vector<Slot>& found) const;
  void take(const Lens& lens, const Box& cells, Scratch& scratch) const;
  template <bool IsAllRound>
  void take_wide(const Lens& lens, const Box& cells, Scratch& scratch) const;
  [[nodiscard]] bool sees(const People& people, const View& view, const Candidate& other) const;
  [[nodiscard]] double distance_to_connections(Vec2 p, Index layer) const;
  static void find_walls(const People& people, Slot slot, const Needs& needs, Scratch& scratch, Taken& taken);

  Grid grid_;
  Vec2 origin_;
  double usual_ = 0;        ///< metres: hardly anybody's radius is larger
  double widest_ = 0;       ///< anybody's radius
  std::vector<Slot> wide_;  ///< those whose radius is larger than usual_, from left to right
  double cells_per_metre_ = 1;
  double slack_ = 0;  ///< by which rounding may put somebody into the wrong cell, in metres, with room to spare
  std::uint32_t columns_ = 1, rows_ = 1;
  std::vector<Cells> cells_;            ///< row by row, and one cell more at least
  std::vector<std::uint32_t> starts_;   ///< of the occupied cells in the sorted arrays, one more at the end
  std::vector<std::uint32_t> cell_of_;  ///< by slot
  std::vector<double> x_, y_;           ///< where people are, sorted by cell; with room for whole vectors at the end
  std::vector<Slot> slots_;             ///< the same
  std::size_t count_ = 0;               ///< people in the sorted arrays
  std::vector<Around> around_;          ///< by slot
  std::vector<Extent> extents_;         ///< of shares of the slots
  std::uint32_t mesh_generation_ = 0;
  std::vector<std::vector<Line>> connections_;  ///< by layer; empty where there is one layer only
  mutable tbb::enumerable_thread_specific<Scratch> scratch_;
};

template <class Visit>
void Perception::for_each_within(Vec2 p, double radius, Visit&& visit) const {
  if (count_ == 0) return;
  const double reach = radius + slack_;
  const Box cells = box({p.x - reach, p.y - reach}, {p.x + reach, p.y + reach});
  for (std::uint32_t y = cells.bottom; y <= cells.top; ++y) {
    const Run near = run(y, cells);
    for (std::uint32_t i = near.first; i < near.last; ++i)
      if (squared_length(Vec2{x_[i], y_[i]} - p) <= radius * radius) visit(slots_[i]);
  }
}

}  // namespace throng::steering
