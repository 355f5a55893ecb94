// GeoJSON of a gigabyte: read in parts of some megabytes, so that memory is that of the features that are kept, not of the text.
//
// The file is cut between features, which needs no more than counting brackets outside of strings; each part is read by
// geojson_reader.hpp as a collection of its own, several at once. Only files without any fault are read so: at the first problem or warning, or where
// "throng" follows the features, nothing is given back, and the ordinary reader says what and where.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "environment/environment.hpp"

namespace throng::environment {

/// Bytes of text in a part, and a feature more; a few parts a processor are held at once.
inline constexpr std::size_t geojson_part = 2 << 20;

/// What read_geojson() gives for the file's text, or nothing.
[[nodiscard]] std::optional<Environment> read_large_geojson(const std::string& path);
/// The same with parts of another size.
[[nodiscard]] std::optional<Environment> read_geojson_in_parts(const std::string& path, std::size_t part);

}  // namespace throng::environment
