#include "steering/mover.hpp"

namespace throng::steering {
namespace {

using agents::MethodInfo;

class Careful final : public Mover {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        .name = "careful",
        .help = "speeds up in time, brakes at once, parts from bodies it touches and never steps into them (ours)",
        .parameters = {
            {.name = "shell",
             .value = 0.02,
             .least = 0,
             .most = 0.5,
             .unit = "m",
             .help = "between bodies at which they begin to part: people lean away before they touch"},
            {.name = "parting_time",
             .value = 0.1,
             .least = 0,
             .most = 10,
             .unit = "s",
             .help = "in which an overlap shrinks to 1/e of it, at any time step; 0: bodies do not part by themselves"},
            {.name = "hold_back",
             .value = 1,
             .least = 0,
             .most = 1,
             .help = "0: steps into bodies that are in the way"},
            {.name = "braking", .value = 1, .least = 0, .most = 1, .help = "0: slows down as slowly as it speeds up"},
            {.name = "turning",
             .value = 4,
             .least = 0,
             .most = 100,
             .unit = "1/s",
             .help = "how quickly somebody who stands turns to where they want to go"}}};
    return info;
  }
  [[nodiscard]] MotionRules rules(const double* numbers) const override {
    return {.relaxation = -1,
            .brakes_at_once = numbers[3] >= 0.5,
            .shell = numbers[0],
            .parting_time = numbers[1],
            .stiffness = 0,
            .is_held_back = numbers[2] >= 0.5,
            .turning = numbers[4]};
  }
};

class Published final : public Mover {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        .name = "published",
        .help = "forces integrated as printed; nobody is held back (van Toll, Pettre 2019, A.1; Jaklin 2016, 10.3.6)",
        .parameters = {{.name = "relaxation",
                        .value = 0.5,
                        .least = 0,
                        .most = 100,
                        .unit = "s",
                        .help = "in which the chosen velocity is taken up (t_r); 0: at once"},
                       {.name = "stiffness",
                        .value = 5000,
                        .least = 0,
                        .most = 1e6,
                        .unit = "N/m",
                        .help = "of bodies that touch (S), with 320 kg for each metre of radius"},
                       {.name = "turning",
                        .value = 0,
                        .least = 0,
                        .most = 100,
                        .unit = "1/s",
                        .help = "how quickly somebody who stands turns to where they want to go (ours: the papers let "
                                "nobody turn who stands)"}}};
    return info;
  }
  [[nodiscard]] MotionRules rules(const double* numbers) const override {
    return {.relaxation = numbers[0],
            .brakes_at_once = false,
            .shell = 0,
            .parting_time = 0,
            .stiffness = numbers[1],
            .is_held_back = false,
            .turning = numbers[2]};
  }
};

}  // namespace

const std::vector<const Mover*>& movers() {
  static const Careful careful;
  static const Published published;
  static const std::vector<const Mover*> all{&careful, &published};
  return all;
}

}  // namespace throng::steering
