// Values out of a fuzzer's bytes; zeros once they are used up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace throng::fuzz {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  template <class Value>
  Value take() {
    Value value{};
    const std::size_t count = std::min(sizeof(Value), size_);
    if (count > 0) std::memcpy(&value, data_, count);
    data_ += count;
    size_ -= count;
    return value;
  }

  /// A finite double of at most `limit` in size.
  double finite(double limit) {
    const double value = take<double>();
    return std::isfinite(value) ? std::fmod(value, limit) : 0;
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace throng::fuzz
