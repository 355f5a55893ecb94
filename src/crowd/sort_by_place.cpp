// People who are near each other in the plane, near each other in memory. Who looks at whom changes slowly, so that doing this now
// and then is enough: between times a few have moved over.
#include "crowd/state.hpp"

namespace throng::crowd {

namespace {

/// Marks the last slot of a cycle.
constexpr Slot end_of_cycle = Slot{1} << 31;

}  // namespace

/// Which slot's person goes where, as cycles: each slot takes over from the one listed after it, the last of a cycle from its first.
void Crowd::State::find_cycles() {
  const std::span<const Slot> sorted = perception.in_grid_order();
  came_from.clear();
  came_from.insert(came_from.end(), sorted.begin(), sorted.end());
  came_from.insert(came_from.end(), free_slots.begin(), free_slots.end());
  cycles.clear();
  for (Slot first = 0; first < came_from.size(); ++first) {
    if (came_from[first] == none || came_from[first] == first) continue;
    Slot at = first;
    do {
      cycles.push_back(at);
      const Slot from = came_from[at];
      came_from[at] = none;
      at = from;
    } while (at != first);
    cycles.back() |= end_of_cycle;
  }
}

void Crowd::State::sort_by_place() {
  find_cycles();
  const auto permute = [&](auto& column) {
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      auto first = std::move(column[cycles[i] & ~end_of_cycle]);
      for (; (cycles[i] & end_of_cycle) == 0; ++i) column[cycles[i]] = std::move(column[cycles[i + 1] & ~end_of_cycle]);
      column[cycles[i] & ~end_of_cycle] = std::move(first);
    }
  };
  for (Slot& slot : order) slot = handle[slot];
  std::size_t columns = 0;
  for_each_column([&](auto&) { ++columns; });
  executor.for_chunks(columns, 1, [&](std::size_t begin, std::size_t) {
    std::size_t i = 0;
    for_each_column([&](auto& column) {
      if (i++ == begin) permute(column);
    });
  });
  perception.sorted_by_grid(permute);
  const std::size_t people = perception.in_grid_order().size();
  for (Slot slot = 0; slot < people; ++slot) handles.move(handle[slot], slot);
  for (Slot& person : order) person = handles.slot(person);
  // The lowest is used first.
  for (std::size_t i = 0; i < free_slots.size(); ++i) free_slots[i] = Slot(present.size() - 1 - i);
}

}  // namespace throng::crowd
