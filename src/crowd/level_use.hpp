// A level of a crowd: who uses which method, with which numbers. People with the same numbers share a block of them.
//
// Laws
// 1. A method's own columns (agents/own_columns.hpp) are there exactly while somebody uses it.
// 2. A level without a default has no columns while nobody uses it.
// 3. Snapshots name methods and hold their numbers, so that neither order nor place of methods matters.
// Thread-safety: none while it is changed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agents/blocks.hpp"
#include "agents/columns.hpp"
#include "agents/own_columns.hpp"
#include "crowd/agent_spec.hpp"
#include "crowd/methods.hpp"

namespace throng::crowd {

class LevelUse {
 public:
  static constexpr agents::MethodNumber off = 255;

  LevelUse(agents::ColumnStore& store, Level level, MethodsPtr methods);

  /// What is wrong with a choice, or empty.
  [[nodiscard]] static std::string misfit(const Methods& methods, Level level, const MethodChoice& choice);
  [[nodiscard]] static std::string misfit_of_numbers(const agents::MethodInfo& info,
                                                     const std::vector<double>& numbers);

  /// The person begins or ceases to use a method that fits.
  void take(agents::Slot slot, const MethodChoice& choice);
  void drop(agents::Slot slot);
  [[nodiscard]] MethodChoice choice(agents::Slot slot) const;

  [[nodiscard]] bool is_used() const { return method_ != nullptr && people_ > 0; }
  [[nodiscard]] agents::MethodNumber method(agents::Slot slot) const { return method_ ? (*method_)[slot] : off; }
  [[nodiscard]] Index block(agents::Slot slot) const { return (*block_)[slot]; }
  /// Of a slot whose level is on.
  [[nodiscard]] const double* numbers(agents::Slot slot) const { return pool_.data() + (*block_)[slot]; }
  [[nodiscard]] agents::Blocks blocks() const {
    return {pool_.data(), block_ ? block_->values() : std::span<const Index>()};
  }
  /// Whether both surely have the same method and numbers; people of one profile do.
  [[nodiscard]] bool same(agents::Slot a, agents::Slot b) const {
    return (*block_)[a] == (*block_)[b] && (*method_)[a] == (*method_)[b];
  }
  /// What each method remembers of its people; empty lists where it declares nothing or nobody uses it.
  [[nodiscard]] std::span<const agents::OwnColumns> own_columns();
  [[nodiscard]] std::size_t bytes() const { return pool_.bytes(); }

  /// The methods and numbers in use; then each person's place among them is what its columns save.
  void save(geometry::ArchiveWriter& out, std::span<const agents::Slot> people);
  /// What is wrong, or empty.
  [[nodiscard]] std::string load(geometry::ArchiveReader& in, std::span<const agents::Slot> people);

 private:
  void make_columns();
  void begin(agents::MethodNumber method);
  void end(agents::MethodNumber method);

  agents::ColumnStore& store_;
  Level level_;
  MethodsPtr methods_;
  std::unique_ptr<agents::Column<agents::MethodNumber>> method_;
  std::unique_ptr<agents::Column<Index>> block_;
  agents::BlockPool pool_;
  std::size_t people_ = 0;
  std::vector<std::size_t> users_;                           ///< by method
  std::vector<std::unique_ptr<agents::MethodColumns>> own_;  ///< by method
  std::vector<agents::OwnColumns> views_;                    ///< of them, kept for their memory
};

}  // namespace throng::crowd
