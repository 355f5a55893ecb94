#include "agents/own_columns.hpp"

namespace throng::agents {

MethodColumns::MethodColumns(ColumnStore& store, std::string_view prefix, const MethodInfo& info) {
  for (const ColumnInfo& column : info.columns) {
    const std::string name = std::string(prefix) + "/" + std::string(info.name) + "/" + std::string(column.name);
    One one;
    if (column.type == ColumnType::number)
      one.numbers = std::make_unique<Column<double>>(store, name, column.lives, column.saved, column.initial);
    else
      one.vectors =
          std::make_unique<Column<Vec2>>(store, name, column.lives, column.saved, Vec2{column.initial, column.initial});
    columns_.push_back(std::move(one));
  }
}

void MethodColumns::show(OwnColumns& view) {
  for (One& column : columns_) {
    view.numbers.push_back(column.numbers ? std::span<double>(*column.numbers) : std::span<double>());
    view.vectors.push_back(column.vectors ? std::span<Vec2>(*column.vectors) : std::span<Vec2>());
  }
}

void MethodColumns::reset(Slot slot) {
  for (One& column : columns_) {
    if (column.numbers) column.numbers->reset(slot);
    if (column.vectors) column.vectors->reset(slot);
  }
}

}  // namespace throng::agents
