// Numbers for Boost.Polygon's Voronoi sweep: the same values as its own, computed faster.
//
// Where doubles cannot decide, the sweep computes circles with integers of up to 2048 bits and with doubles whose exponent is
// kept apart. Boost's integers are 64 limbs of 32 bits, copied whole; these have limbs of 64 bits and copy what is used.
// Boost's doubles call frexp and ldexp; these move exponents by their bits. A third of the sweep's time is spent here.
//
// Laws
// 1. A diagram made with these is Boost's own, to the bit (sweep_numbers_test.cpp compares them).
// 2. WideInt is exact up to 2048 bits, which the sweep does not exceed for 32-bit coordinates.
// Thread-safety: plain values.
#pragma once

#include <algorithm>
#include <bit>
#include <boost/polygon/detail/voronoi_ctypes.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace throng::navmesh {

/// An integer as sign and magnitude.
class WideInt {
 public:
  WideInt() = default;
  WideInt(std::int32_t value) : WideInt(std::int64_t{value}) {}
  WideInt(std::int64_t value) : count_(value != 0), negative_(value < 0) {
    limbs_[0] = value < 0 ? 0 - std::uint64_t(value) : std::uint64_t(value);
  }
  WideInt(const WideInt& other) : count_(other.count_), negative_(other.negative_) { copy_limbs(other); }
  WideInt& operator=(const WideInt& other) {
    count_ = other.count_;
    negative_ = other.negative_;
    copy_limbs(other);
    return *this;
  }

  [[nodiscard]] bool is_zero() const { return count_ == 0; }
  [[nodiscard]] bool is_negative() const { return count_ > 0 && negative_; }
  [[nodiscard]] bool is_positive() const { return count_ > 0 && !negative_; }

  friend WideInt operator-(WideInt a) {
    a.negative_ = !a.negative_;
    return a;
  }
  friend WideInt operator+(const WideInt& a, const WideInt& b) { return sum(a, b, b.negative_); }
  friend WideInt operator-(const WideInt& a, const WideInt& b) { return sum(a, b, !b.negative_); }

  friend WideInt operator*(const WideInt& a, const WideInt& b) {
    WideInt product;
    if (a.count_ == 0 || b.count_ == 0) return product;
    product.negative_ = a.negative_ != b.negative_;
    product.count_ = std::min(a.count_ + b.count_, capacity);
    std::fill_n(product.limbs_, product.count_, 0);
    for (std::size_t i = 0; i < a.count_; ++i) {
      Double carry = 0;
      for (std::size_t j = 0; j < b.count_ && i + j < capacity; ++j) {
        carry += Double{a.limbs_[i]} * b.limbs_[j] + product.limbs_[i + j];
        product.limbs_[i + j] = std::uint64_t(carry);
        carry >>= 64;
      }
      if (i + b.count_ < capacity) product.limbs_[i + b.count_] = std::uint64_t(carry);
    }
    product.trim();
    return product;
  }

  /// The number as mantissa and power of two, from its three leading groups of 32 bits: Boost's rounding.
  [[nodiscard]] std::pair<double, int> scaled() const {
    if (count_ == 0) return {0, 0};
    const std::size_t size = 2 * count_ - (limbs_[count_ - 1] >> 32 == 0);
    double mantissa = 0;
    for (std::size_t i = 1; i <= std::min<std::size_t>(size, 3); ++i)
      mantissa = mantissa * 0x1p32 + double(chunk(size - i));
    return {negative_ ? -mantissa : mantissa, size > 3 ? int(32 * (size - 3)) : 0};
  }
  [[nodiscard]] double to_double() const {
    const auto [mantissa, exponent] = scaled();
    return std::ldexp(mantissa, exponent);
  }

 private:
  __extension__ using Double = unsigned __int128;
  static constexpr std::size_t capacity = 32;

  void copy_limbs(const WideInt& other) { std::copy_n(other.limbs_, other.count_, limbs_); }
  [[nodiscard]] std::uint32_t chunk(std::size_t i) const { return std::uint32_t(limbs_[i / 2] >> (32 * (i % 2))); }
  void trim() {
    while (count_ > 0 && limbs_[count_ - 1] == 0) --count_;
  }

  /// a plus b, with b's sign given.
  static WideInt sum(const WideInt& a, const WideInt& b, bool b_negative) {
    if (a.negative_ == b_negative) return a.count_ >= b.count_ ? add(a, b, b_negative) : add(b, a, b_negative);
    return smaller(a, b) ? subtract(b, a, b_negative) : subtract(a, b, a.negative_);
  }
  static bool smaller(const WideInt& a, const WideInt& b) {
    if (a.count_ != b.count_) return a.count_ < b.count_;
    for (std::size_t i = a.count_; i-- > 0;)
      if (a.limbs_[i] != b.limbs_[i]) return a.limbs_[i] < b.limbs_[i];
    return false;
  }
  static WideInt add(const WideInt& longer, const WideInt& shorter, bool negative) {
    WideInt result;
    result.negative_ = negative;
    Double carry = 0;
    for (std::size_t i = 0; i < longer.count_; ++i) {
      carry += Double{longer.limbs_[i]} + (i < shorter.count_ ? shorter.limbs_[i] : 0);
      result.limbs_[i] = std::uint64_t(carry);
      carry >>= 64;
    }
    result.count_ = longer.count_;
    if (carry != 0 && result.count_ < capacity) result.limbs_[result.count_++] = std::uint64_t(carry);
    return result;
  }
  static WideInt subtract(const WideInt& larger, const WideInt& smaller, bool negative) {
    WideInt result;
    result.negative_ = negative;
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < larger.count_; ++i) {
      const std::uint64_t taken = i < smaller.count_ ? smaller.limbs_[i] : 0;
      const std::uint64_t without = larger.limbs_[i] - taken;
      result.limbs_[i] = without - borrow;
      borrow = std::uint64_t(larger.limbs_[i] < taken) | std::uint64_t(without < borrow);
    }
    result.count_ = larger.count_;
    result.trim();
    return result;
  }

  std::size_t count_ = 0;  ///< limbs in use; the last one is not 0
  bool negative_ = false;
  std::uint64_t limbs_[capacity];
};

/// value * 2^exponent with |value| in [1/2, 1), or 0. Inputs are 0 or normal numbers.
class ScaledDouble {
 public:
  explicit ScaledDouble(double value, int exponent = 0) : value_(value), exponent_(exponent) {
    if (value == 0) return;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    exponent_ += int(bits >> 52 & 0x7ff) - 1022;
    value_ = std::bit_cast<double>((bits & ~exponent_mask) | std::uint64_t{1022} << 52);
  }

  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] double to_double() const { return std::ldexp(value_, exponent_); }

  friend ScaledDouble operator-(const ScaledDouble& a) { return ScaledDouble(-a.value_, a.exponent_); }
  friend ScaledDouble operator+(const ScaledDouble& a, const ScaledDouble& b) {
    if (a.value_ == 0 || b.exponent_ > a.exponent_ + digits) return b;
    if (b.value_ == 0 || a.exponent_ > b.exponent_ + digits) return a;
    if (a.exponent_ >= b.exponent_) return ScaledDouble(a.shifted(a.exponent_ - b.exponent_) + b.value_, b.exponent_);
    return ScaledDouble(b.shifted(b.exponent_ - a.exponent_) + a.value_, a.exponent_);
  }
  friend ScaledDouble operator-(const ScaledDouble& a, const ScaledDouble& b) { return a + -b; }
  friend ScaledDouble operator*(const ScaledDouble& a, const ScaledDouble& b) {
    return ScaledDouble(a.value_ * b.value_, a.exponent_ + b.exponent_);
  }
  friend ScaledDouble operator/(const ScaledDouble& a, const ScaledDouble& b) {
    return ScaledDouble(a.value_ / b.value_, a.exponent_ - b.exponent_);
  }
  [[nodiscard]] ScaledDouble root() const {
    return exponent_ % 2 == 0 ? ScaledDouble(std::sqrt(value_), exponent_ / 2)
                              : ScaledDouble(std::sqrt(value_ * 2), (exponent_ - 1) / 2);
  }

 private:
  static constexpr std::uint64_t exponent_mask = std::uint64_t{0x7ff} << 52;
  static constexpr int digits = 54;  ///< beyond that the smaller number does not count

  /// value * 2^places, for places that keep it a normal number.
  [[nodiscard]] double shifted(int places) const {
    return value_ * std::bit_cast<double>(std::uint64_t(1023 + places) << 52);
  }

  double value_;
  int exponent_;
};

// What Boost's predicates ask of their numbers, found by argument-dependent lookup.
inline bool is_pos(const WideInt& a) { return a.is_positive(); }
inline bool is_neg(const WideInt& a) { return a.is_negative(); }
inline bool is_zero(const WideInt& a) { return a.is_zero(); }
inline bool is_pos(const ScaledDouble& a) { return a.value() > 0; }
inline bool is_neg(const ScaledDouble& a) { return a.value() < 0; }
inline bool is_zero(const ScaledDouble& a) { return a.value() == 0; }
inline ScaledDouble get_sqrt(const ScaledDouble& a) { return a.root(); }

/// In place of Boost's voronoi_ctype_traits<int32>.
struct SweepNumbers {
  struct ToDouble {
    template <class Number>
    double operator()(const Number& a) const {
      return static_cast<double>(a);
    }
    double operator()(const WideInt& a) const { return a.to_double(); }
    double operator()(const ScaledDouble& a) const { return a.to_double(); }
  };
  struct ToScaled {
    ScaledDouble operator()(const WideInt& a) const {
      const auto [mantissa, exponent] = a.scaled();
      return ScaledDouble(mantissa, exponent);
    }
  };

  using int_type = std::int32_t;
  using int_x2_type = std::int64_t;
  using uint_x2_type = std::uint64_t;
  using big_int_type = WideInt;
  using fpt_type = double;
  using efpt_type = ScaledDouble;
  using ulp_cmp_type = boost::polygon::detail::ulp_comparison<double>;
  using to_fpt_converter_type = ToDouble;
  using to_efpt_converter_type = ToScaled;
};

}  // namespace throng::navmesh
