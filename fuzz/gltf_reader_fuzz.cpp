// Any bytes as glTF or GLB: never a crash; what is accepted keeps the laws.
#include "reader_laws.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  throng::fuzz::read_any("gltf", data, size);
  return 0;
}
