#include "navmesh/boost_voronoi.hpp"

#include <boost/polygon/voronoi_builder.hpp>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "navmesh/sweep_numbers.hpp"

namespace throng::navmesh {
namespace {

/// What Boost's sweep writes into, in place of its own half-edge diagram: plain edges, a quarter of the memory, nothing to
/// convert. A half-edge is known to the sweep by a pointer it never looks behind: here 2 * edge + side + 1.
class EdgeRecorder {
 public:
  explicit EdgeRecorder(VoronoiDiagram& diagram) : diagram_(diagram) {}

  void _reserve(std::size_t sites) {
    diagram_.vertices.reserve(2 * sites);
    diagram_.edges.reserve(3 * sites);
  }

  template <class Site>
  void _process_single_site(const Site&) {
    diagram_.cell_count = 1;
  }

  /// A bisector that starts nowhere yet. The second site is new, and so is the first one at the first call.
  template <class Site>
  std::pair<void*, void*> _insert_new_edge(const Site& first, const Site& second) {
    diagram_.cell_count += diagram_.edges.empty() ? 2 : 1;
    return add_edge(source_of(first), source_of(second));
  }

  /// Two bisectors end in a vertex, and that of their outer sites starts there.
  template <class Site, class Circle>
  std::pair<void*, void*> _insert_new_edge(const Site& first, const Site& third, const Circle& circle, void* edge12,
                                           void* edge23) {
    const auto vertex = std::uint32_t(diagram_.vertices.size());
    diagram_.vertices.push_back({circle.x(), circle.y()});
    start(edge12) = vertex;
    start(edge23) = vertex;
    const std::pair<void*, void*> added = add_edge(source_of(first), source_of(third));
    start(added.second) = vertex;
    return added;
  }

  void _build() {}

 private:
  template <class Site>
  static VoronoiSource source_of(const Site& site) {
    VoronoiSource source;
    source.segment = std::uint32_t(site.initial_index()) & ((1u << 30) - 1);
    switch (site.source_category()) {
      case boost::polygon::SOURCE_CATEGORY_SEGMENT_START_POINT: source.part = VoronoiSource::start; break;
      case boost::polygon::SOURCE_CATEGORY_SEGMENT_END_POINT: source.part = VoronoiSource::end; break;
      default: source.part = VoronoiSource::interior;
    }
    return source;
  }

  std::pair<void*, void*> add_edge(VoronoiSource left, VoronoiSource right) {
    diagram_.edges.push_back({{VoronoiEdge::at_infinity, VoronoiEdge::at_infinity}, {left, right}});
    const std::uintptr_t first = 2 * diagram_.edges.size() - 1;
    return {reinterpret_cast<void*>(first), reinterpret_cast<void*>(first + 1)};
  }

  std::uint32_t& start(void* half_edge) {
    const std::uintptr_t number = reinterpret_cast<std::uintptr_t>(half_edge) - 1;
    return diagram_.edges[number / 2].vertex[number % 2];
  }

  VoronoiDiagram& diagram_;
};

}  // namespace

Result<VoronoiDiagram> BoostVoronoi::generate(std::span<const VoronoiSegment> segments) const {
  try {
    boost::polygon::voronoi_builder<std::int32_t, SweepNumbers> builder;
    for (const VoronoiSegment& s : segments) builder.insert_segment(s.a.x, s.a.y, s.b.x, s.b.y);
    VoronoiDiagram diagram;
    EdgeRecorder recorder(diagram);
    builder.construct(&recorder);
    return diagram;
  } catch (const std::exception& e) {
    return Problem{Severity::error, ProblemCode::internal, "", std::string("Boost.Polygon failed: ") + e.what()};
  }
}

}  // namespace throng::navmesh
