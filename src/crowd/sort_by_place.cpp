// People who are near each other in the plane, near each other in memory. Who looks at whom changes slowly, so that doing this now
// and then is enough: between times a few have moved over.
#include "crowd/state.hpp"

namespace throng::crowd {

/// Which slot's person goes where.
void Crowd::State::find_cycles() {
  const std::span<const Slot> sorted = perception.in_grid_order();
  came_from.clear();
  came_from.insert(came_from.end(), sorted.begin(), sorted.end());
  came_from.insert(came_from.end(), free_slots.begin(), free_slots.end());
  cycles.slots.clear();
  for (Slot first = 0; first < came_from.size(); ++first) {
    if (came_from[first] == none || came_from[first] == first) continue;
    Slot at = first;
    do {
      cycles.slots.push_back(at);
      const Slot from = came_from[at];
      came_from[at] = none;
      at = from;
    } while (at != first);
    cycles.slots.back() |= agents::Cycles::end_of_cycle;
  }
}

void Crowd::State::sort_by_place() {
  find_cycles();
  for (Slot& slot : order) slot = handle[slot];
  const std::span<agents::AnyColumn* const> columns = store.columns();
  executor.for_chunks(columns.size(), 1, [&](std::size_t i, std::size_t) { columns[i]->permute(cycles); });
  perception.sorted_by_grid([&](auto& column) { cycles.apply_to(column); });
  const std::size_t people = perception.in_grid_order().size();
  for (Slot slot = 0; slot < people; ++slot) handles.move(handle[slot], slot);
  for (Slot& person : order) person = handles.slot(person);
  // The lowest is used first.
  for (std::size_t i = 0; i < free_slots.size(); ++i) free_slots[i] = Slot(present.size() - 1 - i);
}

}  // namespace throng::crowd
