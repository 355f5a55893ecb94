// Any bytes as an OpenStreetMap file: never a crash; what is accepted keeps the laws, and its GeoJSON can be written and read again.
#include "reader_laws.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng::fuzz;
  if (const auto environment = read_any("osm", data, size)) require_stable("geojson", *environment);
  return 0;
}
