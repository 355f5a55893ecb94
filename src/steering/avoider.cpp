#include "steering/avoider.hpp"

#include <algorithm>

#include "steering/cellular.hpp"
#include "steering/karamouzas.hpp"
#include "steering/moussaid.hpp"
#include "steering/no_avoidance.hpp"
#include "steering/orca.hpp"
#include "steering/proximity.hpp"
#include "steering/sampling.hpp"
#include "steering/social_force.hpp"

namespace throng::steering {

const std::vector<const Avoider*>& avoiders() {
  static const std::vector<const Avoider*> all = [] {
    std::vector<const Avoider*> list{&cellular(), &karamouzas(), &moussaid(), &moussaid_jaklin(), &no_avoidance(),
                                     &orca(),     &proximity(),  &sampling(), &social_force()};
    std::sort(list.begin(), list.end(),
              [](const Avoider* a, const Avoider* b) { return a->info().name < b->info().name; });
    return list;
  }();
  return all;
}

const Avoider* find_avoider(std::string_view name) {
  for (const Avoider* avoider : avoiders())
    if (avoider->info().name == name) return avoider;
  return nullptr;
}

}  // namespace throng::steering
