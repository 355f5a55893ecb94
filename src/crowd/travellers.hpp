// Who travels: a person alone, or several who go together. Goals, exit, premovement, waits and route belong to the traveller and are
// decided once for all its members; everybody has a place, a velocity and a progress of their own.
//
// Laws
// 1. Everybody present is a member of one traveller; a traveller has at least one member.
// 2. Members are listed by handle, in order of serials.
// Who is whose does not depend on where anybody is in memory. Thread-safety: none while it is changed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "agents/people.hpp"
#include "goals/itinerary.hpp"

namespace throng::crowd {

using agents::Index;
using agents::none;

/// Where a traveller is in its itinerary.
struct Errand {
  goals::ItineraryPtr itinerary;
  Index goal = 0;
  Index area = none;  ///< of the goal's areas the one it goes to
  /// Before, waiting: when that ends. Walking to a person: when it may plan to where that person has gone. Otherwise never.
  double until = 0;
};

struct Traveller {
  Errand errand;
  std::unique_ptr<std::vector<Index>> company;  ///< handles of all members; none: one alone, who knows
};

class Travellers {
 public:
  [[nodiscard]] Traveller& operator[](Index number) { return all_[number]; }
  [[nodiscard]] const Traveller& operator[](Index number) const { return all_[number]; }
  [[nodiscard]] std::size_t size() const { return all_.size(); }

  /// One alone.
  Index begin(Errand errand) {
    if (free_.empty()) {
      free_.push_back(Index(all_.size()));
      all_.emplace_back();
    }
    const Index number = free_.back();
    free_.pop_back();
    all_[number].errand = std::move(errand);
    return number;
  }
  /// Nobody is left of it.
  void end(Index number) {
    all_[number] = {};
    free_.push_back(number);
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t bytes = all_.capacity() * sizeof(Traveller) + free_.capacity() * sizeof(Index);
    for (const Traveller& traveller : all_)
      if (traveller.company) bytes += sizeof(std::vector<Index>) + traveller.company->capacity() * sizeof(Index);
    return bytes;
  }

 private:
  std::vector<Traveller> all_;
  std::vector<Index> free_;
};

}  // namespace throng::crowd
