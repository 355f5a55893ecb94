// Any bytes as GeoJSON: never a crash; what is accepted keeps the laws, is JSON for another parser too, and can be written and
// read again.
#include <nlohmann/json.hpp>

#include "reader_laws.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng::fuzz;
  const auto environment = read_any("geojson", data, size);
  if (!environment) return 0;
  require(nlohmann::json::accept(data, data + size));
  require_stable("geojson", *environment);
  return 0;
}
