#include "routes/disc_gates.hpp"

namespace throng::routes {

DiscGates::DiscGates(const DiscTiles& disc_tiles) {
  const CorridorTiles& tiles = disc_tiles.tiles();
  const navmesh::Mesh& mesh = disc_tiles.mesh();
  const double disc = disc_tiles.disc();
  first_.reserve(tiles.size() + 1);
  std::size_t count = 0;
  for (Index tile = 0; tile < tiles.size(); ++tile) count += tiles.gates(tile).size();
  gates_.reserve(count);
  for (Index tile = 0; tile < tiles.size(); ++tile) {
    first_.push_back(Index(gates_.size()));
    const std::span<const TileGate> gates = tiles.gates(tile);
    for (Index g = 0; g < gates.size(); ++g) {
      const TileGate& gate = gates[g];
      DiscGate& made = gates_.emplace_back();
      made.right = gate.right_for(disc);
      made.left = gate.left_for(disc);
      // Whoever enters a tile that is too narrow gets no farther.
      if (gate.tile != none && gate.lets_through(disc) && !disc_tiles.is_narrow(tile)) {
        made.tile = gate.tile;
        made.back = gate.back;
        made.twig = gate.twig;
      }
      if (!tiles.is_arc(tile)) continue;
      const auto at_side = [&](Index side, Index& corner, Vec2& centre) {
        const Index site = mesh.arcs[tile].site[side];
        if (mesh.sites[site].is_corner()) corner = site, centre = mesh.sites[site].a;
      };
      at_side(1 - g, made.right_corner, made.right_centre);
      at_side(g, made.left_corner, made.left_centre);
    }
  }
  first_.push_back(Index(gates_.size()));
  for (DiscGate& gate : gates_)
    if (gate.tile != none) gate.first = first_[gate.tile];
}

}  // namespace throng::routes
