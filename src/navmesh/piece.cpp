#include "navmesh/piece.hpp"

#include <cassert>

namespace throng::navmesh {
namespace {

/// The next edge end around a graph vertex: counterclockwise for step 1, clockwise for step -1.
EdgeEnd turn(const Mesh& mesh, const Node& vertex, Index edge, bool at_to, int step) {
  for (Index i = 0; i < vertex.degree; ++i) {
    const EdgeEnd& end = mesh.edge_ends[vertex.first_edge_end + i];
    if (end.edge != edge || end.at_to != at_to) continue;
    const Index next = (i + (step > 0 ? 1 : vertex.degree - 1)) % vertex.degree;
    return mesh.edge_ends[vertex.first_edge_end + next];
  }
  assert(false && "an edge that its own vertex does not know");
  return {edge, at_to};
}

/// The cell to one side of an edge where it leaves a vertex, looking away from the vertex.
Index cell_at_end(const Mesh& mesh, EdgeEnd end, bool left) {
  const Edge& edge = mesh.edges[end.edge];
  const Index arc = end.at_to ? edge.first_arc + edge.arc_count - 1 : edge.first_arc;
  return 2 * arc + Index(left == end.at_to);
}

bool continues(const Mesh& mesh, Index arc, bool forward) {
  const Edge& edge = mesh.edges[mesh.arcs[arc].edge];
  return forward ? arc + 1 < edge.first_arc + edge.arc_count : arc > edge.first_arc;
}

}  // namespace

Index beside_left(const Mesh& mesh, Index cell) {
  const Index arc = cell / 2;
  const bool forward = cell % 2 == 0;
  if (continues(mesh, arc, forward)) return forward ? cell + 2 : cell - 2;
  // Seen from the vertex, the cell lies right of its edge; clockwise from there comes the left side of another.
  const EdgeEnd end = turn(mesh, mesh.nodes[left_node(mesh, cell)], mesh.arcs[arc].edge, forward, -1);
  return cell_at_end(mesh, end, true);
}

Index beside_right(const Mesh& mesh, Index cell) {
  const Index arc = cell / 2;
  const bool forward = cell % 2 == 1;
  if (continues(mesh, arc, forward)) return forward ? cell + 2 : cell - 2;
  const EdgeEnd end = turn(mesh, mesh.nodes[right_node(mesh, cell)], mesh.arcs[arc].edge, forward, +1);
  return cell_at_end(mesh, end, false);
}

}  // namespace throng::navmesh
