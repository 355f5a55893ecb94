// Mesh files of any bytes: refused, or a mesh that answers without leaving its bounds. The checksum is made right first, so that
// the fuzzer gets behind it.
#include <string>

#include "bytes.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/mesh_io.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"
#include "navmesh/visibility_polygon.hpp"
#include "text/fnv1a.hpp"

using namespace throng;
using namespace throng::navmesh;

namespace {

constexpr std::size_t header_size = 40, size_at = 24, checksum_at = 32;

void put(std::string& bytes, std::size_t at, std::uint64_t value) {
  for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = char(value >> (8 * i) & 0xff);
}

void ask(const Mesh& mesh, Vec2 p, Vec2 q) {
  const Place place{p, 0};
  const Located located = locate_from(mesh, 0, place);
  if (located) (void)retract(mesh, located, p);
  (void)visible(mesh, place, {q, 0}, 0.1);
  VisibilityPolygon().compute(mesh, place);
  (void)NearbySegments().compute(mesh, place, 5);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (is_tmesh(bytes) && bytes.size() >= header_size) {
    put(bytes, size_at, bytes.size() - header_size);
    geometry::Fnv1a hash;
    for (std::size_t i = header_size; i < bytes.size(); ++i) hash.add_byte(std::uint8_t(bytes[i]));
    put(bytes, checksum_at, hash.value());
  }
  const Result<MeshPtr> mesh = is_tmesh(bytes) ? read_tmesh(bytes, "fuzz") : read_mesh_json(bytes, "fuzz");
  if (!mesh) return 0;
  for (const Node& node : (*mesh)->all_nodes()) {
    ask(**mesh, node.point, {node.point.y, node.point.x});
    if (&node - (*mesh)->all_nodes().data() > 8) break;
  }
  return 0;
}
