// Any bytes as a CAD plan: never a crash; what is accepted keeps the laws, and what can be cleaned is written and read back the same.
#include "environment/clean/clean.hpp"
#include "reader_laws.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng;
  using namespace throng::fuzz;
  const auto environment = read_any("dxf", data, size);
  if (!environment) return 0;
  const Result<environment::CleanEnvironment> clean = environment::clean(*environment);
  if (!clean) return 0;
  const Result<std::string> text = environment::write_environment("dxf", *clean);
  require(text.ok());
  const Result<environment::Environment> again = environment::parse_environment("dxf", *text, "written");
  const bool empty = clean->vertex_count() == 0;  // a world without free space has no shapes to read
  require(empty || again.ok());
  if (empty) return 0;
  const Result<environment::CleanEnvironment> same = environment::clean(*again);
  require(same.ok() && same->hash() == clean->hash());
  return 0;
}
