// Any bytes as OpenStreetMap's XML: never a crash; what is accepted keeps the laws, and its GeoJSON can be written and read again.
// What is read the quick way (osm_xml.hpp) is what a general XML parser makes of it.
#include "environment/osm/osm_xml.hpp"
#include "reader_laws.hpp"

namespace {

using namespace throng::environment;

bool is_usual(const std::string& text) {
  bool given = false;
  const TextBlocks blocks = [&] { return std::exchange(given, true) ? std::nullopt : std::optional(text); };
  return read_usual_osm_xml(blocks, {[](const auto&) {}, [](const auto&) {}});
}

std::string told(const throng::Result<Environment>& result) {
  std::string text;
  for (const throng::Problem& problem : result.problems()) text += to_string(problem) + "\n";
  if (!result.ok()) return text;
  const throng::Result<std::string> written = write_environment("geojson", *result);
  return text + (written ? *written : "not written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng::fuzz;
  if (const auto environment = read_any("osm", data, size)) require_stable("geojson", *environment);
  std::string text(reinterpret_cast<const char*>(data), size);
  if (!is_usual(text)) return 0;
  const std::string quick = told(parse_environment("osm", text, "input"));
  const std::size_t end = text.rfind("</osm>");
  require(end != std::string::npos);
  text.insert(end, "<!-- unusual -->");
  require(quick == told(parse_environment("osm", text, "input")));
  return 0;
}
