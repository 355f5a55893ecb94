#include "navmesh/mesh.hpp"

#include <bit>

namespace throng::navmesh {
namespace {

/// FNV-1a, 64 bits (Fowler, Noll, Vo).
class Fnv {
 public:
  void add(std::uint64_t value) {
    for (int i = 0; i < 8; ++i) {
      state_ ^= (value >> (8 * i)) & 0xff;
      state_ *= 0x100000001b3ULL;
    }
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value)); }  // -0 is 0
  void add(Vec2 v) { add(v.x), add(v.y); }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

template <class T>
std::size_t bytes_of(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

}  // namespace

std::size_t Mesh::bytes() const {
  return sizeof(Mesh) + bytes_of(layers) + bytes_of(sites) + bytes_of(nodes) + bytes_of(arcs) + bytes_of(edges) +
         bytes_of(edge_ends) + bytes_of(site_cells) + bytes_of(passages) + bytes_of(connections) + bytes_of(straddles);
}

std::uint64_t Mesh::hash() const {
  Fnv fnv;
  fnv.add(grid.unit());
  for (const Site& s : sites) fnv.add(s.a), fnv.add(s.b), fnv.add(std::uint64_t{s.layer});
  for (const Node& n : nodes) fnv.add(n.point), fnv.add(n.clearance), fnv.add(std::uint64_t{n.layer});
  for (const Arc& a : arcs)
    for (const Index i : {a.from, a.to, a.site[0], a.site[1], a.edge}) fnv.add(std::uint64_t{i});
  for (const Passage& p : passages) fnv.add(p.point), fnv.add(std::uint64_t{p.arc});
  for (const Connection& c : connections)
    fnv.add(c.a), fnv.add(c.b), fnv.add(std::uint64_t{c.left_layer}), fnv.add(std::uint64_t{c.right_layer});
  return fnv.value();
}

}  // namespace throng::navmesh
