// The frame of a PBF file: blobs one after the other, each behind a header that tells its type and its size.
#pragma once

#include "environment/formats/formats.hpp"

namespace throng::environment {

/// Whether every blob says of which type it is: libosmium compares a type that is not there too, through a null pointer. Whatever else
/// is wrong is left to libosmium, which says so. Reads the headers only.
[[nodiscard]] bool pbf_blobs_say_their_type(const ImportSource& source);

}  // namespace throng::environment
