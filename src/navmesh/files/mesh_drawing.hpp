// Pictures of meshes: obstacles, the axis, graph vertices, event points, nearest-obstacle annotations and passages, layers in
// their colours; as SVG, Ipe and GeoJSON.
//
// Laws
// 1. Arcs of a parabola are drawn as the curves they are (quadratic Beziers), not flattened; GeoJSON, which knows lines only, gets
//    them within `flattening` metres.
// 2. What a connection runs through is drawn in each layer as far as it lies there.
// 3. Same mesh, same bytes.
#pragma once

#include <string>

#include "environment/formats/picture.hpp"
#include "navmesh/mesh.hpp"

namespace throng::navmesh {

/// How far a line of the GeoJSON may be off the exact curve, in metres.
inline constexpr double flattening = 1e-3;

/// Draws the mesh over whatever is on the page, legend included.
void draw_mesh(environment::Canvas& canvas, const Mesh& mesh, const environment::Layout& layout);

/// A page for a mesh without its environment, with the obstacle segments drawn.
[[nodiscard]] environment::Layout lay_out(const Mesh& mesh);
void draw_obstacles(environment::Canvas& canvas, const Mesh& mesh, const environment::Layout& layout,
                    const std::string& title);

/// A whole picture. Without the environment, obstacles are drawn as lines only.
[[nodiscard]] std::string write_mesh_svg(const Mesh& mesh, const environment::CleanEnvironment* environment,
                                         const std::string& title);
[[nodiscard]] std::string write_mesh_ipe(const Mesh& mesh, const environment::CleanEnvironment* environment,
                                         const std::string& title);

/// A FeatureCollection. `kind` of each feature: obstacle_segment, axis, vertex, event, annotation, passage, mesh_connection; with the
/// layer's id and the figures of mesh.hpp.
[[nodiscard]] std::string write_mesh_geojson(const Mesh& mesh);

}  // namespace throng::navmesh
