#include "navmesh/mesh.hpp"

#include "navmesh/locate.hpp"
#include "text/fnv1a.hpp"

namespace throng::navmesh {
namespace {

/// Plain doubles enter a hash by their bits; here -0 is 0.
void add(geometry::Fnv1a& hash, Vec2 v) { hash.add(v.x + 0.0), hash.add(v.y + 0.0); }

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

}  // namespace

std::size_t Mesh::bytes() const {
  return sizeof(Mesh) + bytes_of(layers) + bytes_of(sites) + bytes_of(nodes) + bytes_of(arcs) + bytes_of(edges) +
         bytes_of(edge_ends) + bytes_of(site_cells) + bytes_of(passages) + bytes_of(connections) + bytes_of(straddles) +
         (locator ? locator->bytes() : 0);
}

std::uint64_t Mesh::hash() const {
  geometry::Fnv1a hash;
  hash.add(grid.unit());
  for (const Site& s : sites) add(hash, s.a), add(hash, s.b), hash.add(s.layer);
  for (const Node& n : nodes) add(hash, n.point), hash.add(n.clearance + 0.0), hash.add(n.layer);
  for (const Arc& a : arcs)
    hash.add(a.from), hash.add(a.to), hash.add(a.site[0]), hash.add(a.site[1]), hash.add(a.edge);
  for (const Passage& p : passages) add(hash, p.point), hash.add(p.arc);
  for (const Connection& c : connections)
    add(hash, c.a), add(hash, c.b), hash.add(c.left_layer), hash.add(c.right_layer);
  return hash.value();
}

}  // namespace throng::navmesh
