#include "crowd/detour_gates.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace throng::crowd {
namespace {

/// The part of a segment within a disc, as parts of it; nothing where it only touches.
std::optional<std::pair<double, double>> within(Vec2 a, Vec2 b, Vec2 centre, double radius) {
  const Vec2 way = b - a, from = a - centre;
  const double qa = squared_length(way), qb = dot(way, from), qc = squared_length(from) - radius * radius;
  if (qa == 0) return qc < 0 ? std::optional(std::pair(0.0, 1.0)) : std::nullopt;
  const double root = qb * qb - qa * qc;
  if (!(root > 0)) return std::nullopt;
  const double low = std::max(0.0, (-qb - std::sqrt(root)) / qa), high = std::min(1.0, (-qb + std::sqrt(root)) / qa);
  return low < high ? std::optional(std::pair(low, high)) : std::nullopt;
}

Index nearest(Vec2 p, std::span<const Gate> gates) {
  Index best = navmesh::none;
  double least = INFINITY;
  for (const Gate& gate : gates) {
    const double off = squared_length(p - gate.centre);
    if (off < gate.radius * gate.radius && off < least) best = gate.number, least = off;
  }
  return best;
}

void append(GateList& list, Index gate) {
  if (gate != navmesh::none && (list.empty() || list.back() != gate)) list.push_back(gate);
}

}  // namespace

std::vector<Gate> gates_near(const navmesh::Mesh& mesh, std::span<const Vec2> path, double body) {
  std::vector<Gate> gates;
  if (path.empty()) return gates;
  Vec2 low = path[0], high = path[0];
  for (const Vec2 p : path) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  for (Index i = 0; i < mesh.nodes.size(); ++i) {
    const auto& node = mesh.node(i);
    const double r = node.clearance;
    const bool is_near =
        node.point.x > low.x - r && node.point.x < high.x + r && node.point.y > low.y - r && node.point.y < high.y + r;
    if (node.degree > 0 && r > body && is_near) gates.push_back({i, node.point, r});
  }
  return gates;
}

GateList gates_of(std::span<const Vec2> path, std::span<const Gate> gates) {
  GateList list;
  std::vector<double> cuts;
  std::vector<Gate> here;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Vec2 a = path[i], b = path[i + 1], way = b - a;
    cuts.assign({0, 1});
    here.clear();
    for (const Gate& gate : gates)
      if (const auto part = within(a, b, gate.centre, gate.radius))
        here.push_back(gate), cuts.push_back(part->first), cuts.push_back(part->second);
    // Where two centres are as near.
    for (std::size_t g = 0; g < here.size(); ++g)
      for (std::size_t h = g + 1; h < here.size(); ++h) {
        const Vec2 apart = here[h].centre - here[g].centre;
        const double across = dot(way, apart);
        if (across == 0) continue;
        const double t = dot((here[g].centre + here[h].centre) / 2 - a, apart) / across;
        if (t > 0 && t < 1) cuts.push_back(t);
      }
    std::ranges::sort(cuts);
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k)
      if (cuts[k] < cuts[k + 1]) append(list, nearest(a + way * ((cuts[k] + cuts[k + 1]) / 2), here));
  }
  return list;
}

GateList without_loops(GateList gates) {
  for (;;) {
    std::size_t first = 0, longest = 0;
    for (std::size_t middle = 1; middle + 1 < gates.size(); ++middle) {
      std::size_t reach = 0;
      while (reach < middle && middle + reach + 1 < gates.size() &&
             gates[middle - reach - 1] == gates[middle + reach + 1])
        ++reach;
      if (reach > 0 && 2 * reach + 1 > longest) longest = 2 * reach + 1, first = middle - reach;
    }
    if (longest == 0) return gates;
    const auto from = gates.begin() + std::ptrdiff_t(first);
    gates.erase(from, from + std::ptrdiff_t(longest));
  }
}

bool is_global(const GateList& detour, const GateList& original) {
  const GateList a = without_loops(detour), b = without_loops(original);
  if (a == b) return false;
  const GateList& longer = a.size() > b.size() ? a : b;
  const GateList& shorter = a.size() > b.size() ? b : a;
  if (longer.size() != shorter.size() + 1) return true;
  return !std::equal(shorter.begin(), shorter.end(), longer.begin()) &&
         !std::equal(shorter.begin(), shorter.end(), longer.begin() + 1);
}

Index decision_gate(const GateList& detour, const GateList& original) {
  std::size_t common = 0;
  while (common < detour.size() && common < original.size() &&
         detour[detour.size() - 1 - common] == original[original.size() - 1 - common])
    ++common;
  if (common > 0) return detour[detour.size() - common];
  return detour.empty() ? navmesh::none : detour.back();
}

std::vector<Vec2> repaired(std::vector<Vec2> path, std::span<const Gate> gates, double body) {
  const GateList list = gates_of(path, gates);
  for (std::size_t i = list.size(); i-- > 0;) {
    if (std::find(list.begin(), list.begin() + std::ptrdiff_t(i), list[i]) == list.begin() + std::ptrdiff_t(i))
      continue;
    const auto gate = std::ranges::find(gates, list[i], &Gate::number);
    const double inside = gate->radius - body;
    std::optional<std::pair<std::size_t, Vec2>> first, last;
    for (std::size_t k = 0; k + 1 < path.size(); ++k)
      if (const auto part = within(path[k], path[k + 1], gate->centre, inside)) {
        const Vec2 way = path[k + 1] - path[k];
        if (!first) first = {k, path[k] + way * part->first};
        last = {k, path[k] + way * part->second};
      }
    if (!first) return path;
    std::vector<Vec2> straight(path.begin(), path.begin() + std::ptrdiff_t(first->first) + 1);
    straight.push_back(first->second);
    straight.push_back(last->second);
    straight.insert(straight.end(), path.begin() + std::ptrdiff_t(last->first) + 1, path.end());
    return straight;
  }
  return path;
}

}  // namespace throng::crowd
