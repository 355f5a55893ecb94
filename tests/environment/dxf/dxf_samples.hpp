// Small drawings for tests, as DXF.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::test {

/// "10 1.5 20 2" as lines: codes and values, one a line.
inline std::string tags(const std::string& words) {
  std::string out;
  for (char c : words) out += c == ' ' ? '\n' : c;
  return out + "\n";
}

/// A drawing in metres (or the unit of that code) with these entities.
inline std::string dxf(const std::string& entities, int unit = 6, const std::string& blocks = {}) {
  return tags("0 SECTION 2 HEADER 9 $INSUNITS 70 " + std::to_string(unit) + " 0 ENDSEC") +
         (blocks.empty() ? "" : tags("0 SECTION 2 BLOCKS") + blocks + tags("0 ENDSEC")) + tags("0 SECTION 2 ENTITIES") +
         entities + tags("0 ENDSEC 0 EOF");
}

inline std::string dxf_line(Vec2 a, Vec2 b, const std::string& layer = "WALLS") {
  return tags(fmt::format("0 LINE 8 {} 10 {} 20 {} 11 {} 21 {}", layer, a.x, a.y, b.x, b.y));
}

inline std::string dxf_polyline(const std::vector<Vec2>& points, bool closed, const std::string& layer = "WALLS",
                                const std::string& more = {}) {
  std::string out = tags(fmt::format("0 LWPOLYLINE 8 {} 90 {} 70 {}{}", layer, points.size(), int(closed), more));
  for (Vec2 p : points) out += tags(fmt::format("10 {} 20 {}", p.x, p.y));
  return out;
}

inline std::string dxf_rectangle(Vec2 low, Vec2 high, const std::string& layer = "WALLS") {
  return dxf_polyline({low, {high.x, low.y}, high, {low.x, high.y}}, true, layer);
}

}  // namespace throng::test
