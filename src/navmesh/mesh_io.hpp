// Meshes as files: `.tmesh`, binary, for speed; JSON for people.
//
// .tmesh, all little-endian:
//   8 bytes "TMESH\r\n\x1a", 4 bytes version (1), 4 bytes 0x01020304, 8 bytes environment hash, 8 bytes payload size,
//   8 bytes FNV-1a 64 of the payload, then the payload: grid, layers, and every array of the mesh as a count and its fields in
//   the order of mesh.hpp. A file that was cut, changed, or written on a machine of another byte order is noticed by these.
// JSON: one object, `"throng_mesh": 1` first; sites hold their cells, nodes their edge ends; numbers in the fewest digits that
//   read back the same.
//
// Laws
// 1. Reading what was written gives the same mesh, bit for bit, but for the generation, which is a new one.
// 2. Reading never crashes or asks for memory out of proportion to its input. A mesh it gives keeps law 1 of mesh.hpp and the
//    index part of law 5, whatever the file says, so that queries stay within bounds; the other laws hold if the writer kept
//    them.
// 3. The locator is not stored; it is rebuilt.
//
// Complexity: linear. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "navmesh/mesh.hpp"
#include "throng/result.hpp"

namespace throng::navmesh {

[[nodiscard]] std::string write_tmesh(const Mesh& mesh);
[[nodiscard]] std::string write_mesh_json(const Mesh& mesh);

/// `source` is what problems call the file.
[[nodiscard]] Result<MeshPtr> read_tmesh(std::string_view bytes, const std::string& source);
[[nodiscard]] Result<MeshPtr> read_mesh_json(std::string_view text, const std::string& source);

/// Whether a file's content is a mesh of one of these formats, by how it begins.
[[nodiscard]] bool is_tmesh(std::string_view content);
[[nodiscard]] bool is_mesh_json(std::string_view content);

/// Checks what was read, gives it a locator and a generation. Problems have `source` in their place.
[[nodiscard]] Result<MeshPtr> accept_mesh(Mesh mesh, const std::string& source);

}  // namespace throng::navmesh
