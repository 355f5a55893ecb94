// Crowds that benchmarks step: people who walk to random goals far away, as long as they are asked to, and what their steps cost.
#pragma once

#include <array>
#include <ctime>
#include <string>
#include <vector>

#include "benchmarks/bench.hpp"
#include "crowd/crowd.hpp"
#include "geometry/random.hpp"

namespace throng::bench {

inline constexpr double time_step = 0.1;
inline constexpr double body_radius = 0.24;

/// Who walks where, and how.
struct Walk {
  crowd::WorldPtr world;
  std::string name;  ///< of the world
  std::size_t people = 10000;
  std::string avoid = "moussaid", follow = "miran";
  std::string stream = {};      ///< empty: none
  std::string congestion = {};  ///< empty: off
  unsigned threads = 1;
  bool contact = true;                ///< bodies push each other
  double least_distance = 200;        ///< to a goal, in metres, as far as the world allows
  double warm_up = 60;                ///< simulated seconds
  std::size_t shared_goals = 0;       ///< goals that all choose from; 0: everybody has their own
  double square = 0;                  ///< side of the square in the middle that all stay in; 0: the whole world
  std::vector<double> strategy = {};  ///< numbers of `topological`; empty: nobody has a strategy
};

/// Random places where a body fits, the same in every run.
class Places {
 public:
  Places(const navmesh::Mesh& mesh, std::uint64_t seed, double square = 0);
  navmesh::Place next();
  navmesh::Place far_from(Vec2 p, double distance);

 private:
  const navmesh::Mesh& mesh_;
  geometry::RandomStream random_;
  Vec2 low_, high_;
};

/// A crowd that has walked for a while. Who arrives is sent on, so that the number of walkers stays.
class Walkers {
 public:
  explicit Walkers(const Walk& walk);
  void step() { keep(crowd_.step(time_step).ok()); }
  /// Those who arrived, to somewhere else: the benchmark's part, not the crowd's.
  void send_on();
  [[nodiscard]] crowd::Crowd& crowd() { return crowd_; }
  /// Growth of the process for each of the people: planners' buffers and what the allocator wastes included.
  [[nodiscard]] double resident_an_agent() const;

 private:
  void fill();
  [[nodiscard]] goals::ItineraryPtr goal_for(Vec2 p);

  Walk walk_;
  std::size_t before_;
  crowd::Crowd crowd_;
  Places places_;
  std::vector<navmesh::Place> goal_places_;
  std::vector<goals::ItineraryPtr> shared_;
};

/// Wall-clock and processor time of steps, in milliseconds: beside other work the latter is what they cost.
class StepTimes {
 public:
  template <class Work>
  void add(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    work();
    wall_.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    cpu_ += 1000 * double(std::clock() - cpu) / CLOCKS_PER_SEC;
  }
  [[nodiscard]] std::size_t count() const { return wall_.size(); }
  [[nodiscard]] double mean() const;
  [[nodiscard]] double median() const { return part(0.5); }
  [[nodiscard]] double p99() const { return part(0.99); }
  [[nodiscard]] double worst() const { return part(1); }
  [[nodiscard]] double cpu() const { return cpu_ / double(wall_.size()); }

 private:
  [[nodiscard]] double part(double of) const;
  std::vector<double> wall_;
  double cpu_ = 0;
};

struct StepCost {
  StepTimes times;
  std::array<double, std::size(crowd::stage_names)> stage_ms{};  ///< of all steps together
};

/// A step, after which those who arrived are sent on.
void measure_step(Walkers& walkers, StepCost& cost);

/// Kaiserslautern, or a generated city where there are no data; `name` becomes what it is.
[[nodiscard]] Result<crowd::WorldPtr> town(const Options& options, std::string& name);
[[nodiscard]] Result<crowd::WorldPtr> world_of(const environment::Environment& source);

}  // namespace throng::bench
