// What the outside knows people by, and where they are in the columns now: slots change when the crowd is sorted by place, handles do not.
//
// Laws
// 1. A handle that is in use leads to one slot, and that slot's person has it.
// 2. A handle is given again only with a higher generation, so that an id once given out means one person, or nobody.
// Thread-safety: none while it is changed.
#pragma once

#include <cstdint>
#include <vector>

#include "crowd/crowd.hpp"

namespace throng::crowd {

class Handles {
 public:
  /// A handle for somebody new.
  Index take(Slot slot) {
    if (free_.empty()) {
      free_.push_back(Index(slot_.size()));
      slot_.push_back(none);
      generation_.push_back(0);
    }
    const Index handle = free_.back();
    free_.pop_back();
    slot_[handle] = slot;
    return handle;
  }
  void give_back(Index handle) {
    slot_[handle] = none;
    ++generation_[handle];
    free_.push_back(handle);
  }
  void move(Index handle, Slot slot) { slot_[handle] = slot; }

  [[nodiscard]] AgentId id(Index handle) const { return {handle, generation_[handle]}; }
  /// None where nobody has that id.
  [[nodiscard]] Slot find(AgentId id) const {
    return id.index < slot_.size() && generation_[id.index] == id.generation ? slot_[id.index] : none;
  }
  /// Of a handle of this crowd, in use or not.
  [[nodiscard]] Slot slot(Index handle) const { return slot_[handle]; }
  [[nodiscard]] std::size_t size() const { return slot_.size(); }
  [[nodiscard]] const std::vector<Index>& free() const { return free_; }
  [[nodiscard]] const std::vector<std::uint32_t>& generations() const { return generation_; }
  /// As they were when these lists were saved, with nobody in them; handles outside `free` are to be given slots with move().
  void restore(std::vector<std::uint32_t> generations, std::vector<Index> free) {
    generation_ = std::move(generations);
    free_ = std::move(free);
    slot_.assign(generation_.size(), none);
  }
  [[nodiscard]] std::size_t bytes() const {
    return slot_.capacity() * sizeof(Slot) + (generation_.capacity() + free_.capacity()) * sizeof(std::uint32_t);
  }

 private:
  std::vector<Slot> slot_;                 ///< by handle; none where it is free
  std::vector<std::uint32_t> generation_;  ///< by handle
  std::vector<Index> free_;
};

}  // namespace throng::crowd
