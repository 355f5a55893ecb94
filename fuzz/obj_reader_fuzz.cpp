// Any bytes as a 3D model: never a crash; what is accepted keeps the laws and can be cleaned.
#include "environment/clean/clean.hpp"
#include "reader_laws.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng;
  using namespace throng::fuzz;
  if (const auto environment = read_any("obj", data, size)) require(environment::clean(*environment).ok());
  return 0;
}
