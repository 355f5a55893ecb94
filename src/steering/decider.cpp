#include "steering/decider.hpp"

namespace throng::steering {
namespace {

constexpr std::string_view paper = "van Toll, Pettre 2019, 6.1";

class Topological final : public Decider {
 public:
  [[nodiscard]] const agents::MethodInfo& info() const override {
    static const agents::MethodInfo info{
        "topological",
        "plans again where route and velocity pass an obstacle on different sides (van Toll, Pettre 2019)",
        {{"replan_every", 2, 0, 1e9, "s", "T_R: between two second thoughts about a conflict, at least", std::nullopt,
          paper},
         {"detour", 1.2, 0, 1e9, "", "W: a way is taken that is at most so many times the present one", std::nullopt,
          paper},
         {"strict", 0, 0, 1, "", "1: where no way is taken, the velocity keeps to the route's sides", std::nullopt,
          paper},
         {"hold", 5, 0, 1e9, "s", "how long the decisions that a way was taken for go on to bind", 0, "ours"},
         {"range", 5, 0.1, 100, "m", "walls farther than this are not decided about", std::nullopt,
          "van Toll, Pettre 2019, A.1"},
         {"keep_sides", 0, 0, 1, "", "1: the side on which a neighbour is passed is kept until it is passed",
          std::nullopt, "ours"}}};
    return info;
  }
};

}  // namespace

const std::vector<const Decider*>& deciders() {
  static const Topological topological;
  static const std::vector<const Decider*> all{&topological};
  return all;
}

}  // namespace throng::steering
