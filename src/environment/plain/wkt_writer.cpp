#include "environment/plain/wkt_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "environment/formats/write_text.hpp"

namespace throng::environment {
namespace {

void append_points(std::string& out, std::span<const Vec2> points, bool closed) {
  out += '(';
  const auto append = [&](Vec2 p) {
    if (out.back() != '(') out += ", ";
    append_number(out, p.x);
    out += ' ';
    append_number(out, p.y);
  };
  for (const Vec2 p : points) append(p);
  if (closed) append(points.front());
  out += ')';
}

void append_feature(std::string& out, const Feature& feature) {
  const auto begin = [&](std::string_view name) {
    if (!out.ends_with("(\n")) out += ",\n";
    out += name;
    out += ' ';
  };
  for (const Polygon& polygon : feature.polygons) {
    begin("POLYGON");
    out += '(';
    append_points(out, polygon.outer, true);
    for (const Ring& hole : polygon.holes) {
      out += ", ";
      append_points(out, hole, true);
    }
    out += ')';
  }
  for (const Line& line : feature.lines) {
    begin("LINESTRING");
    append_points(out, line, false);
  }
}

/// What would read back as something else.
Problems refuse_features(const Environment& environment) {
  Problems problems;
  for (const Feature& feature : environment.features) {
    const bool area = feature.kind == Kind::obstacle && !feature.polygons.empty();
    if (area || feature.kind == Kind::opening)
      problems.push_back({Severity::error, ProblemCode::unsupported, environment.source + ": " + describe(feature),
                          "wkt has no obstacle areas and openings: write the cleaned environment instead"});
  }
  const bool walkable = std::any_of(environment.features.begin(), environment.features.end(),
                                    [](const Feature& f) { return f.kind == Kind::walkable; });
  if (!walkable)
    problems.push_back({Severity::error, ProblemCode::unsupported, environment.source,
                        "no feature is walkable: write the cleaned environment instead"});
  return problems;
}

}  // namespace

Result<std::string> write_wkt(const Environment& environment, const WriteOptions& options) {
  Result<Environment> part = only_layer(environment, options);
  if (!part) return part.problems();
  if (Problems problems = refuse_layers(*part, "wkt"); !problems.empty()) return problems;
  if (Problems problems = refuse_features(*part); !problems.empty()) return problems;
  std::string out = "GEOMETRYCOLLECTION (\n";
  for (const Feature& feature : part->features)
    if (feature.kind == Kind::walkable || feature.kind == Kind::obstacle) append_feature(out, feature);
  out += ")\n";
  return Result<std::string>(std::move(out), warn_left_out(*part, "wkt"));
}

Result<std::string> write_clean_wkt(const CleanEnvironment& environment, const WriteOptions& options) {
  return write_wkt(to_environment(environment), options);
}

}  // namespace throng::environment
