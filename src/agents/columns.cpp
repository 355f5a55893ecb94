#include "agents/columns.hpp"

#include <cassert>

namespace throng::agents {

AnyColumn::AnyColumn(ColumnStore& store, std::string_view name, Lives lives, bool saved)
    : store_(store), name_(name), lives_(lives), saved_(saved) {
  assert(store.find(name) == nullptr);
  store_.columns_.push_back(this);
}

AnyColumn::~AnyColumn() { std::erase(store_.columns_, this); }

AnyColumn* ColumnStore::find(std::string_view name) const {
  const auto at = std::ranges::find_if(columns_, [&](const AnyColumn* column) { return column->name() == name; });
  return at == columns_.end() ? nullptr : *at;
}

void ColumnStore::grow_to(std::size_t slots) {
  const bool is_full = slots > capacity_;
  if (is_full) capacity_ = slots + slots / 8;
  for (AnyColumn* column : columns_) column->resize(slots, is_full ? capacity_ : 0);
  slots_ = slots;
}

void ColumnStore::reset(Slot slot) {
  for (AnyColumn* column : columns_) column->reset(slot);
}

void ColumnStore::reset(Slot slot, Lives ended) {
  for (AnyColumn* column : columns_)
    if (column->lives() == ended || (ended == Lives::goal && column->lives() == Lives::route)) column->reset(slot);
}

std::size_t ColumnStore::bytes() const {
  std::size_t bytes = 0;
  for (const AnyColumn* column : columns_) bytes += column->bytes();
  return bytes;
}

void ColumnStore::save(geometry::ArchiveWriter& out, std::span<const Slot> people) const {
  std::uint64_t saved = 0;
  for (const AnyColumn* column : columns_) saved += column->is_saved();
  out.put(saved);
  for (const AnyColumn* column : columns_) {
    if (!column->is_saved()) continue;
    out.put(std::string_view(column->name()));
    column->save(out, people);
  }
}

std::string ColumnStore::load(geometry::ArchiveReader& in, std::span<const Slot> people) {
  std::vector<const AnyColumn*> found;
  for (auto left = in.get<std::uint64_t>(); left > 0 && !in.failed(); --left) {
    std::string name;
    in.get(name);
    if (in.failed()) break;
    AnyColumn* column = find(name);
    if (column == nullptr || !column->is_saved()) return "column '" + name + "' is not known here";
    if (std::ranges::find(found, column) != found.end()) return "column '" + name + "' is there twice";
    found.push_back(column);
    column->load(in, people);
  }
  if (in.failed()) return "it ends early";
  for (const AnyColumn* column : columns_)
    if (column->is_saved() && std::ranges::find(found, column) == found.end())
      return "column '" + column->name() + "' is missing";
  return {};
}

}  // namespace throng::agents
