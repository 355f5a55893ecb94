// Any bytes as a MovingAI map: never a crash; what is accepted covers as many square metres as there are walkable cells.
#include <algorithm>

#include "environment/sketch.hpp"
#include "reader_laws.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng::fuzz;
  const auto environment = read_any("map", data, size);
  if (!environment) return 0;
  double area = 0;
  for (const auto& feature : environment->features) {
    for (const auto& polygon : feature.polygons) {
      area += throng::environment::signed_area(polygon.outer);
      for (const auto& hole : polygon.holes) area += throng::environment::signed_area(hole);
    }
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The line "map" ends the header, blanks around the word allowed, and no line of the header before it begins with that word.
  std::size_t body = 0;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    const std::size_t word = std::min(text.find_first_not_of(" \t\r", line), end);
    line = end + 1;
    if (!text.substr(word).starts_with("map")) continue;
    body = end;
    break;
  }
  const std::string_view rows = text.substr(body);
  const auto walkable =
      std::count_if(rows.begin(), rows.end(), [](char c) { return c == '.' || c == 'G' || c == 'S'; });
  require(area == double(walkable));
  return 0;
}
