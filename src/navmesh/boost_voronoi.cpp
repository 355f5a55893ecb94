#include "navmesh/boost_voronoi.hpp"

#include <boost/polygon/voronoi_builder.hpp>
#include <boost/polygon/voronoi_diagram.hpp>

#include <exception>

namespace throng::navmesh {
namespace {

using BoostDiagram = boost::polygon::voronoi_diagram<double>;

VoronoiSource source_of(const BoostDiagram::cell_type& cell) {
  VoronoiSource source;
  source.segment = std::uint32_t(cell.source_index()) & ((1u << 30) - 1);
  switch (cell.source_category()) {
    case boost::polygon::SOURCE_CATEGORY_SEGMENT_START_POINT: source.part = VoronoiSource::start; break;
    case boost::polygon::SOURCE_CATEGORY_SEGMENT_END_POINT: source.part = VoronoiSource::end; break;
    default: source.part = VoronoiSource::interior;
  }
  return source;
}

VoronoiDiagram convert(const BoostDiagram& from) {
  VoronoiDiagram to;
  // An end point without a wedge of more than 180 degrees has a cell of no extent, which is no face.
  for (const auto& cell : from.cells()) to.cell_count += !cell.is_degenerate();
  to.vertices.reserve(from.num_vertices());
  for (const auto& vertex : from.vertices()) to.vertices.push_back({vertex.x(), vertex.y()});
  const auto index_of = [&](const BoostDiagram::vertex_type* vertex) {
    return vertex ? std::uint32_t(vertex - from.vertices().data()) : VoronoiEdge::at_infinity;
  };
  to.edges.reserve(from.num_edges() / 2);
  for (std::size_t i = 0; i + 1 < from.num_edges(); i += 2) {  // half-edges come in pairs of twins
    const auto& edge = from.edges()[i];
    to.edges.push_back({{index_of(edge.vertex0()), index_of(edge.vertex1())},
                        {source_of(*edge.cell()), source_of(*edge.twin()->cell())}});
  }
  return to;
}

}  // namespace

Result<VoronoiDiagram> BoostVoronoi::generate(std::span<const VoronoiSegment> segments) const {
  try {
    boost::polygon::voronoi_builder<std::int32_t> builder;
    for (const VoronoiSegment& s : segments) builder.insert_segment(s.a.x, s.a.y, s.b.x, s.b.y);
    BoostDiagram diagram;
    builder.construct(&diagram);
    return convert(diagram);
  } catch (const std::exception& e) {
    return Problem{Severity::error, ProblemCode::internal, "", std::string("Boost.Polygon failed: ") + e.what()};
  }
}

}  // namespace throng::navmesh
