#include "following/follower.hpp"
#include "scenario/method_catalogue.hpp"
#include "steering/avoider.hpp"

namespace throng::scenario {

const MethodCatalogue& installed_methods() {
  static const MethodCatalogue catalogue = [] {
    MethodCatalogue all{.routes = route_methods(), .followers = {}, .avoiders = {}};
    for (const following::Follower* follower : following::followers()) all.followers.push_back(follower->info());
    for (const steering::Avoider* avoider : steering::avoiders()) all.avoiders.push_back(avoider->info());
    return all;
  }();
  return catalogue;
}

}  // namespace throng::scenario
