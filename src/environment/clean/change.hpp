// A plan that changes: obstacles come, go and are exchanged for others, by their ids.
//
// What a changed plan is, is said without its history: the file's features in their order, then what was inserted in order of
// insertion, a replacement in the place of what it replaces; on the grid and with the ground of the start.
//
// Laws
// 1. clean(changed plan) is the changed world: whoever writes the plan to a file and reads it again gets the same bytes.
// 2. Taking out what was put in gives back the plan before.
// 3. What is inserted comes after the file's features: the file's openings do not cut it.
// 4. The ground of a layer without a walkable feature is the box of what the file draws there (fixed_plan makes it a walkable
//    feature): an obstacle that is inserted cannot enlarge it.
// 5. A list is checked whole, against the plan as it will be at each change, before anything is applied.
// Complexity: linear in the plan for a list. Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "environment/environment.hpp"
#include "geometry/snap_grid.hpp"
#include "throng/result.hpp"

namespace throng::environment {

/// One step: what goes in it goes at once.
struct Change {
  enum class Kind { insert, remove, replace };
  Kind kind = Kind::insert;
  std::vector<Feature> obstacles;  ///< inserted, or put in the place of those with the same ids; each has an id
  std::vector<std::string> ids;    ///< removed
};

/// "insert", "remove", "replace"
[[nodiscard]] std::string_view name_of(Change::Kind kind);

/// The plan with the grid and the ground of its layers written down, as changes want it. Cleans to the same bytes.
[[nodiscard]] Environment fixed_plan(Environment plan, const geometry::SnapGrid& grid);

/// Everything that is wrong with a list of changes to a fixed plan, each with its place ("change 2: obstacle 'van'"): ids that
/// are unknown, given twice or missing, layers that do not exist, shapes that cross themselves or leave the grid, layers
/// without ground.
[[nodiscard]] Problems check_changes(const Environment& plan, const std::vector<Change>& changes);

/// Requires that check_changes() found nothing.
void apply(Environment& plan, const Change& change);

}  // namespace throng::environment
