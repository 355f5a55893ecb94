// Values in a string of bytes, and back: what snapshots are made of.
//
// Laws
// 1. What a writer put, a reader gets in the same order, to the bit. Little-endian, no padding.
// 2. A reader never reads past the end and never allocates more than the bytes left could fill: after the first misfit it is failed,
//    and everything it gives is zero or empty.
// Thread-safety: plain values.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::geometry {

static_assert(std::endian::native == std::endian::little, "archives are written as the machine has its numbers");

class ArchiveWriter {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void put(Number number) { bytes_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void put(Vec2 v) { put(v.x), put(v.y); }
  void put(std::string_view text) {
    put(std::uint64_t(text.size()));
    bytes_.append(text);
  }
  /// The number of items, then each as `put_item` writes it.
  template <class List, class PutItem>
  void put_list(const List& list, PutItem&& put_item) {
    put(std::uint64_t(list.size()));
    for (const auto& item : list) put_item(item);
  }
  template <class List>
  void put_list(const List& list) {
    put_list(list, [&](const auto& item) { put(item); });
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}

  template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  [[nodiscard]] Number get() {
    if constexpr (std::is_same_v<Number, bool>) {
      // Any other byte than these two is no truth value, and to copy it into one is undefined.
      const auto byte = get<std::uint8_t>();
      if (byte > 1) fail();
      return byte == 1;
    }
    Number number{};
    if (!takes(sizeof number)) return number;
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_.remove_prefix(sizeof number);
    return number;
  }
  template <class Number>
  void get(Number& into) {
    into = get<Number>();
  }
  void get(Vec2& v) { get(v.x), get(v.y); }
  void get(std::string& text) {
    const auto size = get<std::uint64_t>();
    if (!takes(size)) return text.clear();
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  /// Items of at least `item_bytes` each, made by `get_item()`.
  template <class Item, class GetItem>
  void get_list(std::vector<Item>& list, std::size_t item_bytes, GetItem&& get_item) {
    const auto size = get<std::uint64_t>();
    list.clear();
    if (size > rest_.size() / item_bytes) return fail();
    for (std::uint64_t i = 0; i < size && !failed_; ++i) list.push_back(get_item());
  }
  template <class Item>
  void get_list(std::vector<Item>& list) {
    get_list(list, sizeof(Item), [&] {
      Item item{};
      get(item);
      return item;
    });
  }

  void fail() { failed_ = true, rest_ = {}; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  bool takes(std::uint64_t size) {
    if (size > rest_.size()) fail();
    return !failed_;
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace throng::geometry
