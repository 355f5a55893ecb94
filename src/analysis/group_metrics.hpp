// What groups of a run are judged by, gathered step by step: measures of sociality (group_measures.hpp), how members walk beside each other,
// who was parted and found again, and when they arrived.
//
// Definitions (docs/groups.md)
//   coherence, partial and total sociality  shares of the steps from appearing until the first member reaches the last goal
//   dispersion      mean distance of members to their centroid, over these steps
//   time apart      seconds of them in which the group is not coherent or a member is parted
//   nearest         distance between centres of a member and the nearest other one, while the group walks
//   angle           of the line between those two to the group's way: 0 behind each other, 90 abreast; abreast: over 60
//   out of formation  share of the steps of members with a place in a formation that are over 0.5 m from it
//   arrival spread  seconds from the first member's arrival to the last one's, of groups that arrived whole
// Laws: observing changes nothing in the crowd; figures do not depend on threads. Cost: O(members^2) a group and step.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "crowd/crowd.hpp"
#include "text/archive.hpp"

namespace throng::analysis {

/// Counts in bins of one width; what is beyond counts in the last.
template <std::size_t bins>
struct Histogram {
  std::array<std::uint64_t, bins> counts{};
  void add(double value, double width) {
    const double bin = value / width;
    ++counts[bin < double(bins - 1) ? std::size_t(bin) : bins - 1];
  }
  [[nodiscard]] std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts) sum += count;
    return sum;
  }
  /// Of the values, to the width of a bin; 0 for none.
  [[nodiscard]] double median(double width) const {
    const std::uint64_t half = (total() + 1) / 2;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < bins; ++i)
      if ((sum += counts[i]) >= half && half > 0) return (double(i) + 0.5) * width;
    return 0;
  }
};
inline constexpr double distance_bin = 0.1;  ///< metres
inline constexpr double angle_bin = 10;      ///< degrees
using DistanceHistogram = Histogram<50>;
using AngleHistogram = Histogram<9>;

struct GroupRecord {
  std::uint64_t serial = 0;
  navmesh::Index population = 0;
  std::string method;
  std::uint32_t members = 0;  ///< when it appeared
  double appeared = 0;
  double seconds = 0;  ///< that were measured
  std::uint64_t steps = 0, coherent = 0, partial = 0, total = 0;
  double dispersions = 0;          ///< sum over steps
  double apart = 0;                ///< seconds
  std::uint64_t member_steps = 0;  ///< of members who walk
  double nearest = 0;              ///< sum over them
  double speeds = 0;               ///< the same
  std::uint64_t abreast = 0;
  std::uint64_t in_formation = 0, out_of_place = 0;  ///< steps of members
  std::array<std::uint64_t, 3> shapes{};             ///< steps in each
  double middle_back = 0;  ///< of three: sum of metres that the one in the middle is behind the other two
  std::uint64_t middle_steps = 0;
  std::uint32_t parted = 0, rejoined = 0, arrived = 0;
  double first_arrival = -1, last_arrival = -1;
  bool is_measured = true;

  [[nodiscard]] double share(std::uint64_t of) const { return steps > 0 ? double(of) / double(steps) : 0; }
  [[nodiscard]] std::optional<double> arrival_spread() const {
    return arrived == members && members > 0 ? std::optional(last_arrival - first_arrival) : std::nullopt;
  }
};

/// Over groups of one size, or all of them.
struct GroupSummary {
  std::size_t size = 0;  ///< 0: all
  std::size_t groups = 0;
  double coherence = 0, partial = 0, total = 0;  ///< means of shares, 0 to 1
  double dispersion = 0, apart = 0;
  std::optional<double> nearest, abreast, speed;  ///< of members who walked
  std::optional<double> median_nearest;
  std::optional<double> out_of_formation, middle_back, arrival_spread;
  std::uint64_t parted = 0, rejoined = 0;
};

class GroupMetrics {
 public:
  void begin(const crowd::Crowd& crowd) { look(crowd, 0); }
  void observe(const crowd::Crowd& crowd, double dt);

  [[nodiscard]] bool any() const { return !records_.empty(); }
  /// By serial of groups.
  [[nodiscard]] const std::vector<GroupRecord>& groups() const { return records_; }
  /// Serial of the group that somebody was in first; 0: none.
  [[nodiscard]] std::uint64_t group_of(std::uint64_t person) const {
    return person <= first_group_.size() && person > 0 ? first_group_[person - 1] : 0;
  }
  /// All, then by size.
  [[nodiscard]] std::vector<GroupSummary> summaries() const;
  [[nodiscard]] const DistanceHistogram& distances(std::size_t size) const { return of(size).distances; }
  [[nodiscard]] const AngleHistogram& angles(std::size_t size) const { return of(size).angles; }
  [[nodiscard]] std::vector<std::size_t> sizes() const;

  void save(geometry::ArchiveWriter& out) const;
  void load(geometry::ArchiveReader& in);

 private:
  struct Histograms {
    DistanceHistogram distances;
    AngleHistogram angles;
  };
  [[nodiscard]] const Histograms& of(std::size_t size) const;
  void look(const crowd::Crowd& crowd, double dt);
  void measure(const crowd::Crowd& crowd, const crowd::GroupView& group, GroupRecord& record, double dt);
  void measure_walk(const crowd::Crowd& crowd, const crowd::GroupView& group, GroupRecord& record);
  void arrive(std::uint64_t person, double time);

  std::vector<GroupRecord> records_;        ///< by serial - 1
  std::vector<std::uint64_t> first_group_;  ///< by serial of people - 1
  std::vector<bool> has_arrived_;           ///< the same
  std::map<std::size_t, Histograms> by_size_;
};

}  // namespace throng::analysis
