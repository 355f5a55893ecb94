// FNV-1a, 64 bits: the one hash by which results are compared across runs, thread counts, compilers and machines.
// Fowler, Noll, Vo; parameters as in draft-eastlake-fnv, section 5.
//
// Laws
// 1. Bytes enter in the order of the calls; integers and doubles enter as little-endian bytes of their full width, on every
//    machine, so that the type of a call's argument is part of the format.
// 2. Doubles enter by their bits: -0.0 and 0.0 differ, and so do two NaNs of different bits.
// 3. A string enters as its length (64 bits) and its bytes, so that ("ab", "c") and ("a", "bc") differ.
//
// It is no defence against anybody who wants a collision. Thread-safety: a plain value.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace throng::geometry {

class Fnv1a {
 public:
  constexpr Fnv1a() = default;
  /// Goes on from the value of an earlier one.
  constexpr explicit Fnv1a(std::uint64_t value) : value_(value) {}

  constexpr Fnv1a& add_byte(std::uint8_t byte) {
    value_ = (value_ ^ byte) * prime;
    return *this;
  }

  Fnv1a& add_bytes(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) add_byte(std::to_integer<std::uint8_t>(byte));
    return *this;
  }

  template <std::integral Integer>
  constexpr Fnv1a& add(Integer number) {
    static_assert(!std::is_same_v<Integer, bool>, "say how a truth value is to be stored");
    auto rest = static_cast<std::make_unsigned_t<Integer>>(number);
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
      add_byte(static_cast<std::uint8_t>(rest & 0xff));
      // In two steps, because shifting a one-byte number by eight is not defined.
      rest = static_cast<std::make_unsigned_t<Integer>>(rest >> 4) >> 4;
    }
    return *this;
  }

  constexpr Fnv1a& add(double number) { return add(std::bit_cast<std::uint64_t>(number)); }

  constexpr Fnv1a& add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add_byte(static_cast<std::uint8_t>(c));
    return *this;
  }

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace throng::geometry
