// Whether two environments say the same, bit by bit.
#pragma once

#include <doctest/doctest.h>

#include "environment/environment.hpp"

namespace throng::test {

inline void check_same(const environment::Environment& a, const environment::Environment& b) {
  REQUIRE(a.layers.size() == b.layers.size());
  for (std::size_t i = 0; i < a.layers.size(); ++i) {
    CHECK(a.layers[i].id == b.layers[i].id);
    CHECK(a.layers[i].elevation == b.layers[i].elevation);
  }
  CHECK(a.grid == b.grid);
  CHECK((a.origin == b.origin));
  REQUIRE(a.features.size() == b.features.size());
  for (std::size_t i = 0; i < a.features.size(); ++i) {
    const environment::Feature &f = a.features[i], &g = b.features[i];
    CAPTURE(i);
    CHECK(f.kind == g.kind);
    CHECK(f.layer == g.layer);
    CHECK(f.other_layer == g.other_layer);
    CHECK(f.name == g.name);
    CHECK(f.id == g.id);
    CHECK(f.type == g.type);
    CHECK(f.number == g.number);
    CHECK((f.lines == g.lines));
    REQUIRE(f.polygons.size() == g.polygons.size());
    for (std::size_t k = 0; k < f.polygons.size(); ++k) {
      CHECK((f.polygons[k].outer == g.polygons[k].outer));
      CHECK((f.polygons[k].holes == g.polygons[k].holes));
    }
  }
}

}  // namespace throng::test
