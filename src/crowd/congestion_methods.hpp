// The methods of the level `congestion`: how jams are foreseen and left while somebody walks (docs/congestion.md). What they do is in
// crowd/congestion.cpp; here is what they are called and which numbers they take.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/method.hpp"

namespace throng::crowd {

enum class CongestionKind : std::uint8_t { detector, density, quickest };

class CongestionMethod {
 public:
  CongestionMethod(CongestionKind kind, agents::MethodInfo info) : kind_(kind), info_(std::move(info)) {}
  [[nodiscard]] const agents::MethodInfo& info() const { return info_; }
  [[nodiscard]] CongestionKind kind() const { return kind_; }
  /// Whether it plans routes: those who walk along a field have none.
  [[nodiscard]] bool needs_route() const { return kind_ == CongestionKind::density; }
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
