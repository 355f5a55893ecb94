// Small GeoJSON texts for the tests of readers and writers.
#pragma once

#include <fmt/format.h>

#include <string>

namespace throng::test {

/// A feature of a kind; `properties` are more members, each with a comma in front.
inline std::string feature(const std::string& kind, const std::string& geometry, const std::string& properties = "") {
  return fmt::format(R"({{"type":"Feature","properties":{{"kind":"{}"{}}},"geometry":{}}})", kind, properties,
                     geometry);
}

inline std::string polygon(const std::string& rings) {
  return fmt::format(R"({{"type":"Polygon","coordinates":[{}]}})", rings);
}
inline std::string line(const std::string& points) {
  return fmt::format(R"({{"type":"LineString","coordinates":[{}]}})", points);
}

/// A closed ring around [x, x + size] x [y, y + size].
inline std::string square(double x, double y, double size) {
  const double right = x + size, top = y + size;
  return fmt::format("[[{0},{1}],[{2},{1}],[{2},{3}],[{0},{3}],[{0},{1}]]", x, y, right, top);
}

/// A file of features, one a line from line 2 on; `head` are members in front of "features", each with a comma behind.
inline std::string collection(const std::string& features, const std::string& head = "") {
  return fmt::format("{{\"type\":\"FeatureCollection\",{}\"features\":[\n{}\n]}}", head, features);
}

/// Where people walk in the samples: 20 x 20 m.
inline std::string hall() { return feature("walkable", polygon(square(0, 0, 20))); }

/// Two storeys and a stair between them, with one of everything.
inline const std::string station = R"({"type":"FeatureCollection",
"throng":{"version":1,"layers":[{"id":"ground"},{"id":"stair","elevation":{"ramp":[[20,4,0],[26,4,3]],"stairs":true}},
  {"id":"upper","elevation":3.25}]},
"features":[
{"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,20],[0,20],[0,0]]]}},
{"type":"Feature","properties":{"kind":"obstacle","name":"kiosk","id":17},"geometry":{"type":"MultiPolygon","coordinates":[[[[8,12],[11,12],[11,15],[8,15],[8,12]],[[9,13],[10,13],[10,14],[9,14],[9,13]]],[[[1,18],[2,18],[2,19],[1,18]]]]}},
{"type":"Feature","properties":{"kind":"obstacle","id":"wall"},"geometry":{"type":"LineString","coordinates":[[3,0],[3,8,99],[6,8]]}},
{"type":"Feature","properties":{"kind":"opening"},"geometry":{"type":"Polygon","coordinates":[[[2,3],[4,3],[4,5],[2,5],[2,3]]]}},
{"type":"Feature","properties":{"kind":"region","type":"grass","colour":"green"},"geometry":{"type":"Polygon","coordinates":[[[0,14],[8,14],[8,20],[0,20],[0,14]]]}},
{"geometry":{"coordinates":[[[0,0],[3,0],[3,3],[0,3],[0,0]]],"type":"Polygon"},"properties":{"name":"west \"A\"","kind":"area"},"type":"Feature","bbox":[0,0,3,3]},
{"type":"Feature","properties":{"kind":"walkable","layer":"stair"},"geometry":{"type":"Polygon","coordinates":[[[20,2],[26,2],[26,6],[20,6],[20,2]]]}},
{"type":"Feature","properties":{"kind":"walkable","layer":"upper"},"geometry":{"type":"Polygon","coordinates":[[[26,0],[46,0],[46,12],[26,12],[26,0]]]}},
{"type":"Feature","properties":{"kind":"obstacle","layer":"upper","name":null},"geometry":{"type":"MultiLineString","coordinates":[[[30,3],[32,3]],[[30,5],[32,5.125]]]}},
{"type":"Feature","properties":{"kind":"connection","layers":["ground","stair"]},"geometry":{"type":"LineString","coordinates":[[20,2],[20,6]]}},
{"type":"Feature","properties":{"kind":"connection","layers":["stair","upper"]},"geometry":{"type":"LineString","coordinates":[[26,2],[26,6]]}}
]})";

}  // namespace throng::test
