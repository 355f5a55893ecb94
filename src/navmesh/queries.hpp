// Small questions about a place: its clearance, its point on the axis, the obstacle segments around it, its region.
// All in the plane projection, across connections. Thread-safety: the mesh is only read.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "navmesh/locate.hpp"

namespace throng::navmesh {

/// Distance to the nearest obstacle; nothing where the place is not walkable. Costs what locate() does.
[[nodiscard]] std::optional<double> clearance(const Mesh& mesh, const Place& place, Index hint = none);

/// A place moved straight away from its nearest obstacle point onto the axis (Jaklin 2016, 2.1.3).
struct Retraction {
  Vec2 point;
  double clearance = 0;  ///< of that point
  Index arc = none;
  Index edge = none;
  Index layer = 0;
};

/// O(1) once located: the arc is a conic in polar coordinates around the nearest obstacle point. On an obstacle corner, where no
/// direction leads away, the axis point of the corner's first cell is taken.
[[nodiscard]] Retraction retract(const Mesh& mesh, const Located& located, Vec2 p);
[[nodiscard]] std::optional<Retraction> retract(const Mesh& mesh, const Place& place, Index hint = none);

/// Obstacle segments near a place, nearest first: those that bound the part of the free space that can be reached from the place
/// without leaving the disc. A wall behind a wall is not among them, what lies around a corner within the disc is.
class NearbySegments {
 public:
  struct Segment {
    Index site = none;
    double distance = 0;
    Vec2 nearest = {};  ///< the segment's point nearest to the place
  };

  /// O(k log k) for k pieces within the radius. Empty where the place is not walkable. Allocates only while its buffers grow.
  std::span<const Segment> compute(const Mesh& mesh, const Place& place, double radius, Index hint = none);
  [[nodiscard]] std::span<const Segment> segments() const { return found_; }

 private:
  /// Remembers which indices were seen in one run; forgetting is free.
  class Seen {
   public:
    void clear();
    /// True the first time.
    bool insert(Index index);

   private:
    struct Entry {
      Index index;
      std::uint32_t run;
    };
    std::vector<Entry> table_;
    std::size_t count_ = 0;
    std::uint32_t run_ = 0;
  };

  std::vector<Segment> found_;
  std::vector<Index> open_;
  Seen cells_, sites_;
};

/// Regions: what remains connected when the free space is cut along every passage (van Toll, Pettre 2019, A.2.1).
class Regions {
 public:
  /// O(n).
  explicit Regions(const Mesh& mesh);

  [[nodiscard]] Index count() const { return count_; }
  /// The region of a point of a cell.
  [[nodiscard]] Index of(const Mesh& mesh, Index cell, Vec2 p) const;
  /// Directed half-edges out of a region, in ascending order: 2i leads through passage i along its edge, 2i + 1 against it. A
  /// passage that joins a region to itself gives both.
  [[nodiscard]] std::span<const Index> ways_out(Index region) const;

 private:
  Index count_ = 0;
  std::vector<Index> edge_start_;  ///< for each edge, the region at its `from` end
  std::vector<Index> first_way_;
  std::vector<Index> ways_;
};

}  // namespace throng::navmesh
