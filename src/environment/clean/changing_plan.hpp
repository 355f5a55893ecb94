// A plan with its cleaned world and what a change of it can use again: a change cuts anew the pieces of the boundary that it touches
// (pieces.hpp), and what lies on the ground where it is near.
//
// Laws
// 1. The cleaned world and the warnings are those of clean(plan), to the byte, whoever made them.
// 2. Where something cannot be decided in pieces the whole plan is cleaned: right either way, and counted.
// 3. A version is a value: who holds an old one keeps it; versions share pieces.
// Cost: of a change its pieces, and a copy of the plan and of the cleaned world. Thread-safety: immutable.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "environment/clean/change.hpp"
#include "environment/clean/pieces.hpp"

namespace throng::environment {

/// What cleaning of a change took.
struct Redone {
  std::size_t pieces = 0;    ///< cut anew
  std::size_t contents = 0;  ///< layers whose regions and areas were cut anew
  bool whole = false;        ///< the plan was cleaned as a whole
};

class ChangingPlan {
 public:
  /// Cleans a plan and writes its grid and ground down (fixed_plan()).
  [[nodiscard]] static Result<ChangingPlan> make(Environment plan);

  /// The plan after a list of changes. Requires that check_changes() found nothing.
  [[nodiscard]] Result<ChangingPlan> after(const std::vector<Change>& changes) const;

  [[nodiscard]] const Environment& plan() const { return plan_; }
  [[nodiscard]] const CleanEnvironment& clean() const { return clean_; }
  [[nodiscard]] Problems warnings() const;
  [[nodiscard]] const Redone& redone() const { return redone_; }

 private:
  /// Of a layer: nothing as long as nobody asked, an empty pointer where it cannot be cut into pieces.
  using LayerPieces = std::optional<std::shared_ptr<const Pieces>>;

  /// What is drawn otherwise on a layer.
  struct Redrawn {
    std::set<std::size_t> gone;  ///< keys
    std::vector<Shape> come;
    std::vector<geometry::GridBox> touched;  ///< by what goes and by what comes
  };

  [[nodiscard]] std::vector<std::size_t> keys_after(const std::vector<Change>& changes,
                                                    std::vector<bool>& replaced) const;
  [[nodiscard]] LayerPieces cut_into_pieces(std::size_t layer) const;
  [[nodiscard]] bool change_in_pieces(const ChangingPlan& before, const std::vector<bool>& replaced);
  [[nodiscard]] bool change_layer(const ChangingPlan& before, std::size_t layer, const Redrawn& drawn);
  [[nodiscard]] bool touches_contents(std::size_t layer, const std::vector<geometry::GridBox>& touched) const;
  [[nodiscard]] bool cut_contents(std::size_t layer, const CleanContext& context);

  Environment plan_;
  std::vector<std::size_t> keys_;  ///< of each feature: ascending
  std::size_t next_key_ = 0;
  CleanEnvironment clean_;
  CleanedApart apart_;
  std::vector<LayerPieces> pieces_;
  Redone redone_;
};

}  // namespace throng::environment
