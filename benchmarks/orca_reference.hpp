// ORCA the textbook way, to measure ours against: a kd-tree over everybody, built anew each step; for each person the nearest ten by a
// search of the tree with a sorted list; a half plane for each; then the linear program in two dimensions, and in three where that has no
// answer (van den Berg, Guy, Lin, Manocha, Reciprocal n-body collision avoidance, ISRR 2009). One thread, one person after the other, no walls.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::bench {

struct OrcaNumbers {
  std::size_t neighbours = 10;
  double range = 10;        ///< metres
  double time_horizon = 3;  ///< seconds
};

class OrcaReference {
 public:
  struct Person {
    Vec2 position, velocity, preferred;
    double radius = 0, fastest = 0;
  };

  OrcaReference(std::vector<Person> people, OrcaNumbers numbers) : people_(std::move(people)), numbers_(numbers) {}
  [[nodiscard]] std::vector<Person>& people() { return people_; }
  /// New velocities for all, then new places.
  void step(double dt);

 private:
  struct Node {
    std::size_t begin = 0, end = 0;
    std::size_t left = 0, right = 0;  ///< 0: a leaf
    Vec2 low, high;
  };
  struct Neighbour {
    double distance2 = 0;
    std::size_t person = 0;
  };
  struct Plane {
    Vec2 point, direction;
  };

  void build_tree();
  void split(std::size_t node);
  void search(std::size_t node, std::size_t person, double& range2);
  void consider(std::size_t person, std::size_t other, double& range2);
  [[nodiscard]] Plane plane(const Person& self, const Person& other, double dt) const;
  bool on_line(const std::vector<Plane>& planes, std::size_t line, double fastest, Vec2 aim, bool direction,
               Vec2& result) const;
  std::size_t in_plane(const std::vector<Plane>& planes, double fastest, Vec2 aim, bool direction, Vec2& result) const;
  void in_space(const std::vector<Plane>& planes, std::size_t begin, double fastest, Vec2& result);

  std::vector<Person> people_;
  OrcaNumbers numbers_;
  std::vector<std::size_t> order_;
  std::vector<Node> tree_;
  std::vector<Neighbour> near_;
  std::vector<Plane> planes_, projected_;
  std::vector<Vec2> chosen_;
};

}  // namespace throng::bench
