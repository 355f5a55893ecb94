#include "navmesh/build.hpp"

#include <fmt/format.h>

#include <atomic>

#include "navmesh/axis_draft.hpp"
#include "navmesh/boost_voronoi.hpp"
#include "navmesh/boundary.hpp"
#include "navmesh/graph.hpp"
#include "navmesh/layer_walk.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/medial_axis.hpp"
#include "navmesh/open_connections.hpp"
#include "navmesh/passages.hpp"
#include "navmesh/straddles.hpp"
#include "navmesh/voronoi_check.hpp"

namespace throng::navmesh {
namespace {

using environment::CleanEnvironment;

void append(AxisDraft& draft, const Boundary& boundary, const MedialAxis& axis) {
  const Index first_site = Index(draft.sites.size());
  const Index first_node = Index(draft.nodes.size());
  draft.sites.reserve(first_site + boundary.sites.size());
  for (const BoundarySite& site : boundary.sites) {
    DraftSite& added = draft.sites.emplace_back(DraftSite{site, false});
    if (added.next != none) added.next += first_site;
    if (added.corner != none) added.corner += first_site;
  }
  draft.nodes.insert(draft.nodes.end(), axis.nodes.begin(), axis.nodes.end());
  draft.arcs.reserve(draft.arcs.size() + axis.arcs.size());
  for (DraftArc arc : axis.arcs) {
    for (Index& node : arc.node) node += first_node;
    for (Index& site : arc.site) site += first_site;
    draft.arcs.push_back(arc);
  }
}

/// The axis of one layer with its connections closed; empty string, or why there is none.
Problems add_layer(AxisDraft& draft, const CleanEnvironment& environment, Index layer,
                   const VoronoiGenerator& generator) {
  const Boundary boundary = boundary_of(environment, layer);
  if (boundary.segments.empty()) return {};
  MedialAxis axis;
  const auto accept = [&](const VoronoiDiagram& diagram) {
    axis = medial_axis_of(boundary, diagram, layer);
    return axis.fault;
  };
  const Result<VoronoiDiagram> diagram = checked_voronoi(boundary, generator, accept);
  if (!diagram) {
    Problems problems = diagram.problems();
    for (Problem& p : problems) p.place = fmt::format("layer '{}'", environment.layers[layer].layer.id);
    return problems;
  }
  append(draft, boundary, axis);
  return {};
}

void add_connections(Mesh& mesh, const CleanEnvironment& environment) {
  for (const environment::CleanConnection& c : environment.connections)
    mesh.connections.push_back(
        {mesh.grid.to_world(c.a), mesh.grid.to_world(c.b), Index(c.left_layer), Index(c.right_layer)});
}

}  // namespace

std::uint32_t next_generation() {
  static std::atomic<std::uint32_t> last{0};
  return ++last;
}

Result<MeshPtr> build_mesh(const CleanEnvironment& environment, const BuildOptions& options) {
  const BoostVoronoi boost;
  const VoronoiGenerator& generator = options.generator ? *options.generator : boost;
  AxisDraft draft;
  for (Index layer = 0; layer < environment.layers.size(); ++layer)
    if (Problems problems = add_layer(draft, environment, layer, generator); !problems.empty()) return problems;
  if (!environment.connections.empty())
    if (std::string fault = open_connections(draft, environment); !fault.empty())
      return Problem{Severity::error, ProblemCode::geometry, "", std::move(fault)};
  auto mesh = std::make_shared<Mesh>();
  mesh->grid = environment.grid;
  for (const environment::CleanLayer& layer : environment.layers) mesh->layers.push_back(layer.layer);
  if (std::string fault = assemble_graph(draft, *mesh); !fault.empty())
    return Problem{Severity::error, ProblemCode::internal, "", std::move(fault)};
  add_connections(*mesh, environment);
  if (!environment.connections.empty()) find_straddles(*mesh, LayerWalk(environment));
  find_passages(*mesh);
  mesh->environment_hash = environment.hash();
  mesh->generation = next_generation();
  mesh->locator = make_locator(*mesh);
  return MeshPtr(std::move(mesh));
}

}  // namespace throng::navmesh
