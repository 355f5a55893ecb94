// The columns that a method declares for itself (MethodInfo::columns), by slot: what it remembers of each of its people. They are there while
// anybody in the crowd uses the method, and belong to the slot's own person: no method may read those of others.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "agents/columns.hpp"
#include "agents/method.hpp"

namespace throng::agents {

/// What a method gets of them in run(), in the order of their declaration.
struct OwnColumns {
  std::vector<std::span<double>> numbers;  ///< empty where the column is one of vectors
  std::vector<std::span<Vec2>> vectors;    ///< empty where the column is one of numbers
};

class MethodColumns {
 public:
  /// Columns called PREFIX/METHOD/NAME.
  MethodColumns(ColumnStore& store, std::string_view prefix, const MethodInfo& info);
  /// Appends them; valid until the store grows or permutes.
  void show(OwnColumns& view);
  void reset(Slot slot);

 private:
  struct One {
    std::unique_ptr<Column<double>> numbers;
    std::unique_ptr<Column<Vec2>> vectors;
  };
  std::vector<One> columns_;
};

}  // namespace throng::agents
