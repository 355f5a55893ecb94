// Models of triangles in space, as 3D programs write them: Wavefront OBJ, and glTF with its binary form. Only positions are read.
//
// Laws
// 1. Every index of a triangle names a vertex; coordinates are finite and at most `max_metres` in size.
// 2. OBJ: polygons become fans of triangles; negative indices count from the end. glTF: the scene's nodes place their meshes;
//    triangles, strips and fans are read, other primitives left out.
// 3. y is left as it is in the file: axes are the caller's to turn.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/vec3.hpp"
#include "throng/result.hpp"

namespace throng::environment {

struct TriangleModel {
  std::vector<geometry::Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

[[nodiscard]] Result<TriangleModel> read_obj(const std::string& text, const std::string& source);

/// `text` is JSON or GLB; buffers that are files lie beside `source`.
[[nodiscard]] Result<TriangleModel> read_gltf(const std::string& text, const std::string& source);

}  // namespace throng::environment
