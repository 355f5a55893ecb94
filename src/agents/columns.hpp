// Columns: what a crowd knows of each person, one list a kind, by slot. A column is declared once, with its name, its type, its first value,
// how long values live and whether snapshots keep them; one store grows, permutes, resets, counts, saves and loads them all, so that a
// column nobody thought of cannot mix people up.
//
// Laws
// 1. All columns of a store have one length. Names are distinct among the columns that are there.
// 2. permute() does to every column the same.
// 3. What is not saved has its first value after load().
// 4. Saved bytes name every column: one that the store lacks, or that the bytes lack, is refused by its name.
// 5. A column goes when its object goes: optional ones (MethodColumns) take memory only while a method that declares them is in use.
// Complexity: O(people) each. Thread-safety: columns of disjoint slots may be written at the same time; the store is one caller's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "agents/column_info.hpp"
#include "agents/people.hpp"
#include "text/archive.hpp"

namespace throng::agents {

class ColumnStore;

/// A permutation as cycles: each slot takes over from the one listed after it, the last of a cycle from its first. The last one of a
/// cycle is marked.
struct Cycles {
  static constexpr Slot end_of_cycle = Slot{1} << 31;
  std::vector<Slot> slots;

  template <class List>
  void apply_to(List& list) const {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      auto first = std::move(list[slots[i] & ~end_of_cycle]);
      for (; (slots[i] & end_of_cycle) == 0; ++i) list[slots[i]] = std::move(list[slots[i + 1] & ~end_of_cycle]);
      list[slots[i] & ~end_of_cycle] = std::move(first);
    }
  }
};

/// What the store does with a column of any type.
class AnyColumn {
 public:
  AnyColumn(ColumnStore& store, std::string_view name, Lives lives, bool saved);
  virtual ~AnyColumn();
  AnyColumn(const AnyColumn&) = delete;
  AnyColumn& operator=(const AnyColumn&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Lives lives() const { return lives_; }
  [[nodiscard]] bool is_saved() const { return saved_; }

  virtual void resize(std::size_t slots, std::size_t capacity) = 0;
  virtual void permute(const Cycles& cycles) = 0;
  virtual void reset(Slot slot) = 0;
  [[nodiscard]] virtual std::size_t bytes() const = 0;
  /// Of these slots, one after the other.
  virtual void save(geometry::ArchiveWriter& out, std::span<const Slot> slots) const = 0;
  virtual void load(geometry::ArchiveReader& in, std::span<const Slot> slots) = 0;
  /// A sum over all values; two that differ mean that something was written. 0 for types that have no plain bytes.
  [[nodiscard]] virtual std::uint64_t checksum() const = 0;

 private:
  ColumnStore& store_;
  std::string name_;
  Lives lives_;
  bool saved_;
};

class ColumnStore {
 public:
  ColumnStore() = default;
  ColumnStore(const ColumnStore&) = delete;
  ColumnStore& operator=(const ColumnStore&) = delete;

  [[nodiscard]] std::size_t slots() const { return slots_; }
  /// In the order of their declaration.
  [[nodiscard]] std::span<AnyColumn* const> columns() const { return columns_; }
  [[nodiscard]] AnyColumn* find(std::string_view name) const;

  /// By an eighth more at a time: doubling would leave up to half of the memory unused.
  void grow_to(std::size_t slots);
  /// The first value in every column.
  void reset(Slot slot);
  /// The first value in every column whose values do not outlive this: a goal takes its routes along.
  void reset(Slot slot, Lives ended);
  [[nodiscard]] std::size_t bytes() const;

  /// Every saved column of these people, by name.
  void save(geometry::ArchiveWriter& out, std::span<const Slot> people) const;
  /// Into slots that exist; what is wrong, or empty.
  [[nodiscard]] std::string load(geometry::ArchiveReader& in, std::span<const Slot> people);

 private:
  friend class AnyColumn;
  std::vector<AnyColumn*> columns_;
  std::size_t slots_ = 0, capacity_ = 0;
};

/// How values of a type are written that have no plain bytes, or whose bytes mean something elsewhere.
template <class T>
struct Codec {
  std::function<void(geometry::ArchiveWriter&, const T&, Slot)> save;
  std::function<void(geometry::ArchiveReader&, T&, Slot)> load;
};

template <class T>
class Column final : public AnyColumn {
 public:
  Column(ColumnStore& store, std::string_view name, Lives lives, bool saved, T first = {}, Codec<T> codec = {})
      : AnyColumn(store, name, lives, saved), first_(std::move(first)), codec_(std::move(codec)) {
    resize(store.slots(), 0);
  }

  [[nodiscard]] T& operator[](std::size_t slot) { return values_[slot]; }
  [[nodiscard]] const T& operator[](std::size_t slot) const { return values_[slot]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] T* data() { return values_.data(); }
  [[nodiscard]] const T* data() const { return values_.data(); }
  operator std::span<T>() { return values_; }  // NOLINT(google-explicit-constructor): a column is its values
  operator std::span<const T>() const { return values_; }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::span<const T> values() const { return values_; }
  void swap(Column& other) { values_.swap(other.values_); }
  void set_codec(Codec<T> codec) { codec_ = std::move(codec); }

  void resize(std::size_t slots, std::size_t capacity) override {
    if (capacity > 0) values_.reserve(capacity);
    if constexpr (std::is_copy_constructible_v<T>)
      values_.resize(slots, first_);
    else
      values_.resize(slots);  // begins empty
  }
  void permute(const Cycles& cycles) override { cycles.apply_to(values_); }
  void reset(Slot slot) override {
    if constexpr (std::is_copy_constructible_v<T>)
      values_[slot] = first_;
    else
      values_[slot] = T();
  }
  [[nodiscard]] std::size_t bytes() const override { return values_.capacity() * sizeof(T); }
  void save(geometry::ArchiveWriter& out, std::span<const Slot> slots) const override {
    for (const Slot slot : slots) {
      if (codec_.save)
        codec_.save(out, values_[slot], slot);
      else if constexpr (is_plain)
        out.put(values_[slot]);
    }
  }
  void load(geometry::ArchiveReader& in, std::span<const Slot> slots) override {
    for (const Slot slot : slots) {
      if (codec_.load)
        codec_.load(in, values_[slot], slot);
      else if constexpr (is_plain)
        in.get(values_[slot]);
    }
  }
  [[nodiscard]] std::uint64_t checksum() const override {
    std::uint64_t sum = 0;
    if constexpr (is_plain) {
      geometry::ArchiveWriter bytes;
      for (const T& value : values_) bytes.put(value);
      for (const char byte : bytes.bytes()) sum = sum * 1099511628211u + std::uint8_t(byte);
    }
    return sum;
  }

 private:
  static constexpr bool is_plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Vec2>;
  static_assert(!std::is_same_v<T, bool>, "threads write neighbouring slots: use std::uint8_t");
  T first_;
  Codec<T> codec_;
  std::vector<T> values_;
};

}  // namespace throng::agents
