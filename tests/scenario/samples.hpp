// Small scenarios and a catalogue of methods for the tests of the scenario layer.
#pragma once

#include <map>
#include <string>

#include "crowd/world.hpp"
#include "environment/clean/clean.hpp"
#include "navmesh/build.hpp"
#include "scenario/scenario_reader.hpp"

namespace throng::scenario::test {

/// Methods as the real ones declare them, without their code.
inline MethodCatalogue sample_methods() {
  const agents::Parameter shortcut{.name = "shortcut", .value = 5, .least = 0.1, .most = 1000};
  const agents::Parameter sampling{.name = "sampling", .value = 1, .least = 0.01, .most = 100};
  const agents::Parameter horizon{.name = "horizon", .value = 10, .least = 0.1, .most = 100};
  MethodCatalogue all = installed_methods();
  all[agents::Level::follow] = {{"miran", "", {shortcut, sampling}}};
  all[agents::Level::avoid] = {{"moussaid", "", {horizon}}, {"none", "", {}}};
  return all;
}

/// 40 x 10 m with areas west and east at the ends, a pillar in the middle, and grass in the north.
inline const std::string corridor = R"({"type":"FeatureCollection","features":[
 {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[40,0],[40,10],[0,10],[0,0]]]}},
 {"type":"Feature","properties":{"kind":"obstacle"},"geometry":{"type":"Polygon","coordinates":[[[19,4],[21,4],[21,6],[19,6],[19,4]]]}},
 {"type":"Feature","properties":{"kind":"region","type":"grass"},"geometry":{"type":"Polygon","coordinates":[[[0,9],[40,9],[40,10],[0,10],[0,9]]]}},
 {"type":"Feature","properties":{"kind":"area","name":"west"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[8,0],[8,10],[0,10],[0,0]]]}},
 {"type":"Feature","properties":{"kind":"area","name":"east"},"geometry":{"type":"Polygon","coordinates":[[[36,0],[40,0],[40,10],[36,10],[36,0]]]}}
]})";

/// Two storeys, not joined.
inline const std::string storeys = R"({"type":"FeatureCollection",
 "throng":{"version":1,"layers":[{"id":"ground"},{"id":"upper","elevation":4}]},"features":[
 {"type":"Feature","properties":{"kind":"walkable","layer":"ground"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
 {"type":"Feature","properties":{"kind":"walkable","layer":"upper"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
 {"type":"Feature","properties":{"kind":"area","name":"hall","layer":"ground"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[5,0],[5,10],[0,10],[0,0]]]}},
 {"type":"Feature","properties":{"kind":"area","name":"gallery","layer":"upper"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[5,0],[5,10],[0,10],[0,0]]]}}
]})";

/// Reads with files that are in memory only.
inline Result<Scenario> read(const std::string& text, std::map<std::string, std::string> files = {},
                             const MethodCatalogue& methods = sample_methods()) {
  files.emplace("corridor.geojson", corridor);
  files.emplace("storeys.geojson", storeys);
  ReadOptions options;
  options.read_file = [files = std::move(files)](const std::string& path) -> Result<std::string> {
    const auto at = files.find(path);
    if (at != files.end()) return at->second;
    return Problem{Severity::error, ProblemCode::io, path, "cannot be read: no such file"};
  };
  return parse_scenario(text, "run.json", methods, options);
}

/// A scenario in the corridor with these members added.
inline std::string in_corridor(const std::string& members) {
  return R"({"throng":1,"environment":"corridor.geojson")" + std::string(members.empty() ? "" : ",") + members + "}";
}
/// A population of the corridor with these members added to a start and a count.
inline std::string population(const std::string& members) {
  return in_corridor(R"("populations":[{"count":3,"start":{"area":"west"})" + std::string(members.empty() ? "" : ",") +
                     members + "}]");
}
/// Somebody with a profile of these members.
inline std::string profile(const std::string& members) {
  return in_corridor(R"("profiles":{"p":{)" + members +
                     R"(}},"populations":[{"profile":"p","count":3,"start":{"area":"west"}}])");
}

/// The world of a scenario, as far as placing people needs it.
inline crowd::World world_of(const Scenario& scenario) {
  crowd::World world;
  world.environment = *environment::clean(scenario.environment);
  world.mesh = *navmesh::build_mesh(world.environment);
  return world;
}

}  // namespace throng::scenario::test
