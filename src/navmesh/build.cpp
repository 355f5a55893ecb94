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

struct LayerAxis {
  std::vector<BoundarySite> sites;
  MedialAxis axis;
};

namespace {

using environment::CleanEnvironment;

void append(AxisDraft& draft, const LayerAxis& layer) {
  const MedialAxis& axis = layer.axis;
  const Index first_site = Index(draft.sites.size());
  const Index first_node = Index(draft.nodes.size());
  draft.sites.reserve(first_site + layer.sites.size());
  for (const BoundarySite& site : layer.sites) {
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

/// The axis of one layer with its connections closed, or why there is none.
Result<std::shared_ptr<const LayerAxis>> axis_of(const CleanEnvironment& environment, Index layer,
                                                 const VoronoiGenerator& generator) {
  Boundary boundary = boundary_of(environment, layer);
  auto made = std::make_shared<LayerAxis>();
  if (boundary.segments.empty()) return std::shared_ptr<const LayerAxis>(std::move(made));
  MedialAxis& axis = made->axis;
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
  made->sites = std::move(boundary.sites);
  return std::shared_ptr<const LayerAxis>(std::move(made));
}

/// Whether a layer's boundary, connections and their numbers included, is what it was.
bool same_boundary(const CleanEnvironment& now, const CleanEnvironment& before, Index layer) {
  return now.grid == before.grid && now.connections == before.connections && layer < before.layers.size() &&
         now.layers[layer].free == before.layers[layer].free && now.layers[layer].walls == before.layers[layer].walls;
}

void add_connections(Mesh& mesh, const CleanEnvironment& environment) {
  for (const environment::CleanConnection& c : environment.connections)
    mesh.connections.push_back(
        {mesh.grid.to_world(c.a), mesh.grid.to_world(c.b), Index(c.left_layer), Index(c.right_layer)});
}

/// Connections opened, in order, with passages and locator.
Result<MeshPtr> assembled(AxisDraft draft, const CleanEnvironment& environment) {
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

}  // namespace

std::uint32_t next_generation() {
  static std::atomic<std::uint32_t> last{0};
  return ++last;
}

Result<MeshBuild> rebuild_mesh(const CleanEnvironment& now, const CleanEnvironment& before, const MeshBuild& built,
                               const BuildOptions& options) {
  const BoostVoronoi boost;
  const VoronoiGenerator& generator = options.generator ? *options.generator : boost;
  MeshBuild build;
  AxisDraft draft;
  for (Index layer = 0; layer < now.layers.size(); ++layer) {
    if (layer < built.axes.size() && same_boundary(now, before, layer)) {
      build.axes.push_back(built.axes[layer]);
    } else {
      Result<std::shared_ptr<const LayerAxis>> axis = axis_of(now, layer, generator);
      if (!axis) return axis.problems();
      build.axes.push_back(std::move(axis).value());
      build.rebuilt.push_back(layer);
    }
    append(draft, *build.axes.back());
  }
  Result<MeshPtr> mesh = assembled(std::move(draft), now);
  if (!mesh) return mesh.problems();
  build.mesh = std::move(mesh).value();
  return build;
}

Result<MeshBuild> first_build(const CleanEnvironment& environment, const BuildOptions& options) {
  return rebuild_mesh(environment, environment, {}, options);
}

Result<MeshPtr> build_mesh(const CleanEnvironment& environment, const BuildOptions& options) {
  Result<MeshBuild> build = first_build(environment, options);
  if (!build) return build.problems();
  return std::move(build->mesh);
}

}  // namespace throng::navmesh
