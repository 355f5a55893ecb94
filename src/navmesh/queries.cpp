#include "navmesh/queries.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "navmesh/piece.hpp"

namespace throng::navmesh {
namespace {

/// How far from q, along the unit direction u, a point is as far from the other site as from q.
double height_to_bisector(const Site& opposite, Vec2 q, Vec2 u) {
  if (opposite.is_corner()) {
    const Vec2 w = opposite.a - q;
    return squared_length(w) / (2 * dot(w, u));
  }
  const Vec2 d = opposite.b - opposite.a;
  const Vec2 normal = perpendicular(d) / std::sqrt(squared_length(d));
  return dot(q - opposite.a, normal) / (1 - dot(u, normal));
}

/// The unit direction from the site through p; for points on a corner, towards its first node.
Vec2 away_from(const Mesh& mesh, const Located& located, Vec2 p) {
  const Site& site = mesh.sites[located.site];
  Vec2 d = site.is_corner() ? p - site.a : perpendicular(site.b - site.a);
  if (d == Vec2{}) d = mesh.nodes[left_node(mesh, located.cell)].point - site.a;
  const double length = std::sqrt(squared_length(d));
  return length > 0 ? d / length : Vec2{};
}

double squared_distance(Vec2 p, Vec2 a, Vec2 b) { return squared_length(p - nearest_on({.a = a, .b = b}, p)); }

}  // namespace

std::optional<double> clearance(const Mesh& mesh, const Place& place, Index hint) {
  const Located located = locate_from(mesh, hint, place);
  return located ? std::optional(located.clearance) : std::nullopt;
}

Retraction retract(const Mesh& mesh, const Located& located, Vec2 p) {
  const Arc& arc = mesh.arcs[located.cell / 2];
  const double far = std::max(mesh.nodes[arc.from].clearance, mesh.nodes[arc.to].clearance);
  const Vec2 u = away_from(mesh, located, p);
  const double height = height_to_bisector(mesh.sites[mesh.opposite_site_of(located.cell)], located.nearest, u);
  // Clearance along an arc is largest at an end. That also catches directions along which the bisector is never met, which
  // only rounding at a node can bring about.
  const double reached = height >= -mesh.locator->tolerance() && height < far ? height : far;
  const double clear = std::max(reached, located.clearance);
  const Vec2 point = located.nearest + u * clear;
  return {point, clear, located.cell / 2, arc.edge, layer_at(mesh, located.cell, point)};
}

std::optional<Retraction> retract(const Mesh& mesh, const Place& place, Index hint) {
  const Located located = locate_from(mesh, hint, place);
  if (!located) return std::nullopt;
  return retract(mesh, located, place.point);
}

void NearbySegments::Seen::clear() {
  count_ = 0;
  if (++run_ == 0) table_.assign(table_.size(), {0, 0}), run_ = 1;
}

bool NearbySegments::Seen::insert(Index index) {
  if (2 * (count_ + 1) > table_.size()) {
    std::vector<Entry> old = std::move(table_);
    table_.assign(std::max<std::size_t>(64, 2 * old.size()), {0, 0});
    const std::uint32_t run = std::exchange(run_, 1);
    count_ = 0;
    for (const Entry& entry : old)
      if (entry.run == run) insert(entry.index);
  }
  const std::size_t mask = table_.size() - 1;
  std::size_t at = (index * std::size_t{0x9e3779b1}) & mask;
  for (; table_[at].run == run_; at = (at + 1) & mask)
    if (table_[at].index == index) return false;
  table_[at] = {index, run_};
  ++count_;
  return true;
}

std::span<const NearbySegments::Segment> NearbySegments::compute(const Mesh& mesh, const Place& place, double radius,
                                                                 Index hint) {
  found_.clear();
  open_.clear();
  cells_.clear();
  sites_.clear();
  const Located start = locate_from(mesh, hint, place);
  if (!start) return {};
  const Vec2 p = place.point;
  const double radius2 = radius * radius;
  const auto enter = [&](Index cell) {
    if (cells_.insert(cell)) open_.push_back(cell);
  };
  enter(piece_at(mesh, start.cell, p));
  while (!open_.empty()) {
    const Index cell = open_.back();
    open_.pop_back();
    const Piece& piece = mesh.locator->piece(cell);
    const Index site = mesh.site_of(cell);
    if (!mesh.sites[site].is_corner() && squared_distance(p, piece.foot_left, piece.foot_right) <= radius2 &&
        sites_.insert(site)) {
      const Vec2 nearest = nearest_on(mesh.sites[site], p);
      found_.push_back({site, std::sqrt(squared_length(p - nearest)), nearest});
    }
    if (squared_distance(p, piece.node_right, piece.node_left) <= radius2) enter(across_arc(cell));
    if (squared_distance(p, piece.foot_right, piece.node_right) <= radius2) enter(mesh.locator->beside(cell).right);
    if (squared_distance(p, piece.foot_left, piece.node_left) <= radius2) enter(mesh.locator->beside(cell).left);
  }
  std::sort(found_.begin(), found_.end(), [](const Segment& a, const Segment& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.site < b.site;
  });
  return found_;
}

Regions::Regions(const Mesh& mesh) : count_(mesh.region_count), edge_start_(mesh.edges.size(), none) {
  // Regions without any passage have no mention in the mesh; they are numbered by their first node (passages.hpp).
  std::vector<Index> parent(mesh.nodes.size());
  std::iota(parent.begin(), parent.end(), Index{0});
  const auto root = [&](Index node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  std::vector<bool> cut(mesh.edges.size(), false);
  for (const Passage& passage : mesh.passages) cut[mesh.arcs[passage.arc].edge] = true;
  for (Index i = 0; i < mesh.edges.size(); ++i)
    if (!cut[i]) parent[root(mesh.edges[i].to)] = root(mesh.edges[i].from);
  std::vector<Index> region(mesh.nodes.size(), none);
  Index next = 0;
  for (Index node = 0; node < mesh.nodes.size(); ++node)
    if (mesh.nodes[node].degree > 0 && region[root(node)] == none) region[root(node)] = next++;
  for (Index i = 0; i < mesh.edges.size(); ++i) edge_start_[i] = region[root(mesh.edges[i].from)];

  first_way_.assign(count_ + 1, 0);
  for (const Passage& passage : mesh.passages)
    for (const Index r : passage.region) ++first_way_[r + 1];
  std::partial_sum(first_way_.begin(), first_way_.end(), first_way_.begin());
  ways_.resize(2 * mesh.passages.size());
  std::vector<Index> filled(first_way_.begin(), first_way_.end());
  for (Index i = 0; i < mesh.passages.size(); ++i) {
    ways_[filled[mesh.passages[i].region[0]]++] = 2 * i;
    ways_[filled[mesh.passages[i].region[1]]++] = 2 * i + 1;
  }
}

Index Regions::of(const Mesh& mesh, Index cell, Vec2 p) const {
  const Index arc = cell / 2;
  const Index edge = mesh.arcs[arc].edge;
  // The first passage that lies ahead of p along the edge.
  const auto ahead = std::partition_point(mesh.passages.begin(), mesh.passages.end(), [&](const Passage& passage) {
    if (passage.arc != arc) return passage.arc < arc;
    return cross(passage.left - passage.right, p - passage.right) < 0;
  });
  if (ahead != mesh.passages.begin() && mesh.arcs[(ahead - 1)->arc].edge == edge) return (ahead - 1)->region[1];
  if (ahead != mesh.passages.end() && mesh.arcs[ahead->arc].edge == edge) return ahead->region[0];
  return edge_start_[edge];
}

std::span<const Index> Regions::ways_out(Index region) const {
  return {ways_.data() + first_way_[region], ways_.data() + first_way_[region + 1]};
}

}  // namespace throng::navmesh
