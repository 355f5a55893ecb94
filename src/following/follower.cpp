#include "following/follower.hpp"

#include "following/direct.hpp"
#include "following/flow.hpp"
#include "following/irm.hpp"
#include "following/lookahead.hpp"
#include "following/miran.hpp"

namespace throng::following {

const std::vector<const Follower*>& followers() {
  static const std::vector<const Follower*> all{&direct(), &flow(), &irm(), &lookahead(), &miran()};
  return all;
}

const Follower* find_follower(std::string_view name) {
  for (const Follower* follower : followers())
    if (follower->info().name == name) return follower;
  return nullptr;
}

}  // namespace throng::following
