// Pictures of squares as PNG files, and files as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "throng/result.hpp"

namespace throng::analysis {

struct Pixel {
  std::uint8_t red = 0, green = 0, blue = 0, alpha = 255;
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

/// The bytes of a PNG file. `pixels` row by row from the upper left, at least one.
[[nodiscard]] Result<std::string> png_of(const std::vector<Pixel>& pixels, std::size_t width);

/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace throng::analysis
