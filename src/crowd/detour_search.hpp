// A way round a jam, on the squares of the density field (Zwerver 2018, 3.3.3): eight neighbours, no corner cut, the body's radius kept, the weights of
// ground counted. A step costs its length times the mean of (weight + scale * density) of its ends, and a hundred times that in squares that are blocked: what
// leads through a jam is found too, so that whoever asks can tell it from no way at all.
//
// Laws
// 1. Ways keep the radius, or the clearance of where they begin if that is less.
// 2. Of squares only those that are reached are looked at; only those within `reach` of the start on both axes, and on four layers.
// 3. The same question on the same fields gives the same bits.
// Complexity: O(squares reached). Thread-safety: one a thread; fields are only read.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "crowd/detours.hpp"
#include "ground/region_map.hpp"
#include "navmesh/visibility.hpp"
#include "routes/search.hpp"

namespace throng::crowd {

class DetourSearch {
 public:
  /// How much dearer blocked squares are.
  static constexpr double blocked_factor = 100;

  struct Question {
    const navmesh::Mesh* mesh = nullptr;
    navmesh::Standpoint from;
    double radius = 0;
    double reach = 0;  ///< metres
    JamSight* sight = nullptr;
    const ground::RegionMap* regions = nullptr;  ///< null: even ground
    std::span<const double> weights = {};
  };
  void begin(const Question& question);

  /// The cheapest way to a place; false where there is none within the budget.
  bool find(const navmesh::Place& goal, std::size_t budget);
  /// All ways from the start that cost less.
  void spread(double most, std::size_t budget);
  /// Of the last search; infinite where a place was not reached.
  [[nodiscard]] double cost_to(const navmesh::Place& place);
  /// The way there, both ends included. False where there is none.
  bool collect(const navmesh::Place& place, std::vector<navmesh::Place>& points);

  /// Straight lines instead of steps, where they can be walked and cost no more.
  void straighten(std::vector<navmesh::Place>& points);
  /// What a line costs, and how many of its metres are blocked; `ahead`: metres up to its beginning.
  struct Line {
    double cost = 0, blocked = 0;
  };
  [[nodiscard]] Line along(const navmesh::Place& from, const navmesh::Place& to, double ahead);
  [[nodiscard]] Line along(std::span<const navmesh::Place> points);
  [[nodiscard]] std::size_t expansions() const { return expansions_ + search_.expansions(); }

 private:
  static constexpr std::size_t most_layers = 4;
  enum class Known : std::uint8_t { no, free, taken };
  struct Cell {
    std::uint32_t run = 0;
    Known known = Known::no;
    Index cell = none;
    double clearance = 0, weight = 1;
    JamSight::Seen seen;
  };
  struct Graph;

  [[nodiscard]] std::optional<std::size_t> layer_slot(Index layer);
  [[nodiscard]] std::optional<Index> node_of(const fields::Square& square);
  [[nodiscard]] fields::Square square_of(Index node) const;
  Cell& cell_of(Index node, Index hint);
  [[nodiscard]] double cost_of(const Cell& cell, Vec2 direction) const;
  [[nodiscard]] bool is_clear(const navmesh::Place& from, const Cell& a, const navmesh::Place& to, const Cell& b) const;
  template <class Visit>
  void visit_neighbours(Index node, const Visit& visit);
  [[nodiscard]] std::vector<routes::Terminal> beside(const navmesh::Place& place, const navmesh::Standpoint* standing);
  [[nodiscard]] double weight_at(const navmesh::Place& place, Index cell);
  [[nodiscard]] bool can_walk(const navmesh::Place& from, const navmesh::Place& to) const;

  Question question_;
  double radius_ = 0, least_weight_ = 1;
  std::int32_t first_column_ = 0, first_row_ = 0, across_ = 0;
  std::array<Index, most_layers> layers_{};
  std::size_t layer_count_ = 0;
  std::vector<Cell> cells_;
  std::uint32_t run_ = 0;
  std::size_t expansions_ = 0;
  routes::Search search_;
  routes::SearchPath path_;
  std::vector<routes::Terminal> starts_;
  ground::RegionMap::Scratch scratch_;
};

}  // namespace throng::crowd
