// What straight lines through a crowd cost those who mind it: who goes round jams weighs how dense it is there (Zwerver 2018, 3.3.2; with ID3's flow test,
// 4.2); who walks through a gap between people keeps off those who stand (ours).
//
// Laws
// 1. A line that a jam or, in a gap, somebody who stands lies on costs infinitely much.
// 2. Somebody who does neither pays nothing, and is not asked for.
// Thread-safety: reading, between two writings of the fields.
#pragma once

#include "crowd/state.hpp"
#include "following/crowd_weights.hpp"

namespace throng::crowd {

class Crowd::State::CrowdLines final : public following::CrowdWeights {
 public:
  explicit CrowdLines(const State& state) : s_(state) {}

  [[nodiscard]] bool minds(Slot slot) const override {
    return s_.congestion_method_detours(slot) || s_.is_in_gap(slot);
  }
  [[nodiscard]] bool is_free(Slot slot, const navmesh::Place& from, const navmesh::Place& to) const override;
  [[nodiscard]] double along(Slot slot, const navmesh::Place& from, const navmesh::Place& to) const override;
  [[nodiscard]] double most_rejected(Slot slot) const override;

 private:
  [[nodiscard]] double through_jams(Slot slot, const navmesh::Place& from, const navmesh::Place& to) const;

  const State& s_;
};

}  // namespace throng::crowd
