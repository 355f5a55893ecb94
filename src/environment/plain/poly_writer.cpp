#include "environment/plain/poly_writer.hpp"

#include "environment/formats/write_text.hpp"
#include "environment/shapes.hpp"

namespace throng::environment {
namespace {

void append_ring(std::string& out, const Ring& ring) {
  out += std::to_string(ring.size());
  for (const Vec2 p : ring) {
    out += ' ';
    append_number(out, p.x);
    out += ' ';
    append_number(out, p.y);
  }
  out += '\n';
}

Problems refuse_walls(const Environment& environment) {
  for (const Feature& feature : environment.features)
    if (feature.kind == Kind::obstacle && !feature.lines.empty())
      return {{Severity::error, ProblemCode::unsupported, "wall at " + to_string(feature.lines[0][0]),
               "poly has no thin walls"}};
  return {};
}

}  // namespace

Result<std::string> write_clean_poly(const CleanEnvironment& environment, const WriteOptions& options) {
  Result<Environment> part = only_layer(to_environment(environment), options);
  if (!part) return part.problems();
  if (Problems problems = refuse_layers(*part, "poly"); !problems.empty()) return problems;
  if (Problems problems = refuse_walls(*part); !problems.empty()) return problems;
  std::string rings;
  std::size_t count = 0;
  for (const Feature& feature : part->features) {
    if (feature.kind != Kind::walkable) continue;
    for (const Polygon& polygon : feature.polygons) {
      append_ring(rings, polygon.outer);
      for (const Ring& hole : polygon.holes) append_ring(rings, hole);
      count += 1 + polygon.holes.size();
    }
  }
  return Result<std::string>("poly\n1\n" + std::to_string(count) + "\n" + rings, warn_left_out(*part, "poly"));
}

}  // namespace throng::environment
