// The methods of the level `congestion`: how jams are foreseen and left while somebody walks (docs/congestion.md). What they do is in
// crowd/congestion.cpp; here is what they are called and which numbers they take.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "agents/method.hpp"

namespace throng::crowd {

enum class CongestionKind : std::uint8_t { detector, density, quickest, miranda, id3 };

/// The numbers of MIRANDA and ID3 (Zwerver 2018, table 1); what a method lacks is what the other has, or nothing.
struct DetourNumbers {
  bool is_id3 = false;
  double every = 0;         ///< seconds between looks at the way; 0: every step
  double search_every = 0;  ///< seconds between searches, at least
  double threshold = 0;     ///< persons a square metre: nobody walks into more
  double scale = 0;         ///< metres for a person a square metre and metre
  double reject = 0;        ///< part of the looks ahead that end in jams
  double local_area = 0,
         anchoring = 0;  ///< of MIRANDA: metres, and how much more a detour may cost that rejoins earlier
  double least_cosine = 0, speed_part = 0, goal_density = 0, deadlock_length = 0;  ///< of ID3
  bool predicted = false, gates = false, seen_only = false;
  bool rest = false;         ///< after fruitless searches
  bool no_return = false;    ///< the limits of all second thoughts hold: none back and forth, three a minute
  double memory = 0;         ///< seconds; 0: without end
  std::size_t memories = 0;  ///< at most; 0: any number
  double commitment = 0;     ///< seconds at most; 0: until the place of decision
  bool plain = false, at_once = false, back = false;
};

class CongestionMethod {
 public:
  CongestionMethod(CongestionKind kind, agents::MethodInfo info) : kind_(kind), info_(std::move(info)) {}
  [[nodiscard]] const agents::MethodInfo& info() const { return info_; }
  [[nodiscard]] CongestionKind kind() const { return kind_; }
  /// Whether it plans routes: those who walk along a field have none.
  [[nodiscard]] bool needs_route() const { return kind_ == CongestionKind::density || detours(); }
  /// Whether it goes round jams that are seen.
  [[nodiscard]] bool detours() const { return kind_ == CongestionKind::miranda || kind_ == CongestionKind::id3; }
  /// Whether it is of use only to who chooses among candidates.
  [[nodiscard]] bool needs_candidates() const { return kind_ == CongestionKind::miranda; }
  [[nodiscard]] DetourNumbers detour_numbers(const double* numbers) const;
  /// What is wrong with numbers that are each in their range; empty where nothing is.
  [[nodiscard]] std::string misfit_of(std::span<const double> numbers) const;
  /// Seconds; the first number of every method. 0: no stuck detector.
  [[nodiscard]] static double patience(const double* numbers) { return numbers[0]; }
  /// Seconds between looks; the second number of those that look. 0: when setting out only.
  [[nodiscard]] static double every(const double* numbers) { return numbers[1]; }
  /// Only of `quickest`: whether queues count only where they were seen lately.
  [[nodiscard]] static bool seen_only(const double* numbers) { return numbers[2] != 0; }

 private:
  CongestionKind kind_;
  agents::MethodInfo info_;
};

/// Every one there is; the first is meant where none is named.
[[nodiscard]] const std::vector<const CongestionMethod*>& congestion_methods();

}  // namespace throng::crowd
