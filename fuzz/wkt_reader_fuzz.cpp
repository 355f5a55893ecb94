// Any bytes as well-known text: never a crash; what is accepted keeps the laws and can be written and read again.
#include "reader_laws.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng::fuzz;
  if (const auto environment = read_any("wkt", data, size)) {
    require_stable("wkt", *environment);
    require_stable("geojson", *environment);
  }
  return 0;
}
