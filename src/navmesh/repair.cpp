#include "navmesh/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "navmesh/bisector.hpp"

namespace throng::navmesh {
namespace {

constexpr double foot_tolerance = 1e-4;  ///< units; a foot this far off its segment errs in distance by its square only

/// Between two neighbouring nearest points around a junction one arc leaves, with these sites beside it.
struct Gap {
  Index right, left;
  bool filled = false;
};

/// A site as seen from a junction.
struct Nearest {
  Index site;
  Vec2 foot;
  double turn;
  double side;  ///< of several sites with one nearest point: on which side of the line to it the segment lies

  [[nodiscard]] bool same_foot(const Nearest& o) const {
    return std::abs(foot.x - o.foot.x) <= foot_tolerance && std::abs(foot.y - o.foot.y) <= foot_tolerance;
  }
};

/// A node on the border of the region or inside it.
struct Junction {
  Index node = none;  ///< of the draft; none: to be made
  Vec2 point;
  double clearance = 0;
  std::vector<Index> sites;
  std::vector<Gap> gaps;
};

struct NewArc {
  std::size_t from, to;  ///< junctions
  Index left, right;
};

class Tracer {
 public:
  Tracer(const AxisEditor& editor, const RepairTask& task, double tolerance)
      : editor_(editor), draft_(editor.draft()), task_(task), tolerance_(tolerance) {}

  std::string trace() {
    find_border();
    collect_parts();
    for (const Index node : border_nodes_) add_border_junction(node);
    for (const RepairTask::Start& start : task_.starts)
      junctions_.push_back({none, start.point, 0, {start.right, start.left}, {{start.right, start.left, false}}});
    for (std::size_t j = 0; j < junctions_.size() && fault_.empty(); ++j)
      for (std::size_t g = 0; g < junctions_[j].gaps.size() && fault_.empty(); ++g)
        if (!junctions_[j].gaps[g].filled) follow(j, g);
    return fault_;
  }

  void commit(AxisEditor& editor) {
    for (const Index arc : removed_arcs_) editor.remove_arc(arc);
    for (Junction& j : junctions_)
      if (j.node == none) j.node = editor.add_node({j.point, j.clearance, task_.layer_at(j.point)});
    for (const NewArc& arc : new_arcs_)
      editor.add_arc({{junctions_[arc.from].node, junctions_[arc.to].node}, {arc.left, arc.right}});
    for (const Junction& j : junctions_) editor.dissolve(j.node);
    for (const Index site : task_.removed) editor.site(site).removed = true;
  }

 private:
  [[nodiscard]] bool is_removed(Index site) const {
    return std::find(task_.removed.begin(), task_.removed.end(), site) != task_.removed.end();
  }

  void find_border() {
    for (const Index site : task_.removed)
      removed_arcs_.insert(removed_arcs_.end(), editor_.arcs_of(site).begin(), editor_.arcs_of(site).end());
    std::sort(removed_arcs_.begin(), removed_arcs_.end());
    removed_arcs_.erase(std::unique(removed_arcs_.begin(), removed_arcs_.end()), removed_arcs_.end());
    for (const Index arc : removed_arcs_)
      for (const Index node : draft_.arcs[arc].node)
        if (draft_.nodes[node].clearance > 0) border_nodes_.push_back(node);
    std::sort(border_nodes_.begin(), border_nodes_.end());
    border_nodes_.erase(std::unique(border_nodes_.begin(), border_nodes_.end()), border_nodes_.end());
  }

  void collect_parts() {
    for (const Index corner : task_.corners) parts_.push_back(local_site(draft_.sites[corner], corner));
    for (const Index arc : removed_arcs_)
      for (const Index site : draft_.arcs[arc].site) {
        if (is_removed(site)) continue;
        LocalSite part = local_site(draft_.sites[site], site);
        if (!part.corner) {
          const double p = dot(draft_.nodes[draft_.arcs[arc].node[0]].point - part.a, part.along);
          const double q = dot(draft_.nodes[draft_.arcs[arc].node[1]].point - part.a, part.along);
          part.low = std::min(p, q);
          part.high = std::max(p, q);
        } else if (std::any_of(parts_.begin(), parts_.end(), [&](const LocalSite& k) { return k.site == site; })) {
          continue;
        }
        parts_.push_back(part);
      }
  }

  void add_border_junction(Index node) {
    Junction j{node, draft_.nodes[node].point, draft_.nodes[node].clearance, {}, {}};
    for (const Index arc : editor_.arcs_at(node))
      for (const Index site : draft_.arcs[arc].site)
        if (!is_removed(site)) j.sites.push_back(site);
    add_equidistant_sites(j);
    // What is left may have one nearest point, a corner and its segment: then the node vanishes with the removed sites.
    if (!make_gaps(j)) return;
    for (const Index arc : editor_.arcs_at(node)) {
      const DraftArc& a = draft_.arcs[arc];
      if (is_removed(a.site[0]) || is_removed(a.site[1])) continue;
      const int start = a.node[0] == node ? 0 : 1;
      if (!fill(j, a.site[start], a.site[1 - start])) return fail(j.point, "an old arc has no place any more");
    }
    junctions_.push_back(std::move(j));
  }

  void fail(Vec2 at, const char* why) {
    if (fault_.empty()) fault_ = fmt::format("cannot repair the mesh at ({}, {}): {}", at.x, at.y, why);
  }

  void add_equidistant_sites(Junction& j) const {
    for (const LocalSite& part : parts_)
      if (std::abs(part.distance(j.point) - j.clearance) <= tolerance_ && part.faces(j.point, foot_tolerance))
        j.sites.push_back(part.site);
    std::sort(j.sites.begin(), j.sites.end());
    j.sites.erase(std::unique(j.sites.begin(), j.sites.end()), j.sites.end());
    drop_hidden_corners(j);
  }

  /// A segment whose foot lies within it is nearer than its own end, however little: their distances only touch (at d units
  /// from the end they differ by d^2 / 2r), so what decides is on which side of the line across the end the junction lies.
  void drop_hidden_corners(Junction& j) const {
    const auto hides = [&](Index segment, const DraftSite& corner) {
      const DraftSite& s = draft_.sites[segment];
      if (s.is_corner() || (s.a != corner.a && s.b != corner.a)) return false;
      const Vec2 inwards = (to_vec(s.b) - to_vec(s.a)) * (s.a == corner.a ? 1 : -1);
      return dot(j.point - to_vec(corner.a), inwards) > foot_tolerance * length(inwards);
    };
    std::erase_if(j.sites, [&](Index site) {
      return draft_.sites[site].is_corner() && std::any_of(j.sites.begin(), j.sites.end(), [&](Index segment) {
               return hides(segment, draft_.sites[site]);
             });
    });
  }

  /// Finds the gaps between the nearest points around a junction; false where there is one nearest point only.
  bool make_gaps(Junction& j) const {
    std::vector<Nearest> around = sites_around(j);
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    for (std::size_t first = 0, last = 0; first < around.size(); first = last) {
      while (last < around.size() && around[first].same_foot(around[last])) ++last;
      std::sort(around.begin() + std::ptrdiff_t(first), around.begin() + std::ptrdiff_t(last),
                [](const Nearest& l, const Nearest& r) { return l.side < r.side; });
      groups.push_back({first, last});
    }
    if (groups.size() < 2) return false;
    for (std::size_t g = 0; g < groups.size(); ++g)
      j.gaps.push_back({around[groups[g].second - 1].site, around[groups[(g + 1) % groups.size()].first].site, false});
    return true;
  }

  /// The sites of a junction by the direction of their nearest points, counterclockwise.
  [[nodiscard]] std::vector<Nearest> sites_around(const Junction& j) const {
    std::vector<Nearest> around;
    for (const Index site : j.sites) {
      const DraftSite& s = draft_.sites[site];
      const Vec2 foot = nearest_on(s, j.point);
      const Vec2 middle = (to_vec(s.a) + to_vec(s.b)) * 0.5;
      around.push_back({site, foot, turn_of(foot - j.point), s.is_corner() ? 0 : cross(foot - j.point, middle - foot)});
    }
    std::sort(around.begin(), around.end(), [](const Nearest& l, const Nearest& r) { return l.turn < r.turn; });
    // Begin behind the widest gap, so that no group of sites with one nearest point is torn apart.
    std::size_t begin = 0;
    double widest = -1;
    for (std::size_t i = 0; i < around.size(); ++i) {
      const double gap = i == 0 ? around[0].turn + 4 - around.back().turn : around[i].turn - around[i - 1].turn;
      if (gap > widest) widest = gap, begin = i;
    }
    std::rotate(around.begin(), around.begin() + std::ptrdiff_t(begin), around.end());
    return around;
  }

  /// Marks the gap by which an arc with these sites leaves.
  static bool fill(Junction& j, Index left, Index right) {
    for (Gap& gap : j.gaps)
      if (!gap.filled && gap.left == left && gap.right == right) return gap.filled = true;
    return false;
  }

  [[nodiscard]] const LocalSite* part_of(Index site) const {
    for (const LocalSite& part : parts_)
      if (part.site == site) return &part;
    return nullptr;
  }

  struct Event {
    double parameter = INFINITY;
    const LocalSite* third = nullptr;
    bool handover = false;  ///< between neighbours on the boundary
  };

  /// The line across which two neighbours on the boundary take over from each other, if that is what they are.
  struct Handover {
    Vec2 point, normal;
  };
  static std::optional<Handover> handover(const LocalSite& s, const LocalSite& t) {
    if (s.corner && t.corner) return std::nullopt;
    const LocalSite& segment = s.corner ? t : s;
    const LocalSite& other = s.corner ? s : t;
    for (const Vec2 end : {segment.a, segment.b}) {
      if (end != other.a && end != other.b) continue;
      const bool in_line = other.corner || (cross(segment.b - segment.a, other.b - other.a) == 0 &&
                                            dot(segment.b - segment.a, other.b - other.a) > 0);
      if (in_line) return Handover{end, segment.along};
    }
    return std::nullopt;
  }

  Event next_event(const Junction& j, const Bisector& bisector, const LocalSite& left, const LocalSite& right) const {
    const double start = bisector.parameter(j.point);
    Event first;
    for (const LocalSite& part : parts_) {
      if (part.site == left.site || part.site == right.site) continue;
      const bool here = std::binary_search(j.sites.begin(), j.sites.end(), part.site);
      std::optional<Handover> line = handover(left, part);
      if (!line) line = handover(right, part);
      const Bisector::Meetings meetings =
          line ? bisector.crossings(line->point, line->normal) : bisector.meetings(part);
      for (int i = 0; i < meetings.count; ++i) {
        const double parameter = meetings.parameter[std::size_t(i)];
        if (!(parameter > start) || !(parameter < first.parameter)) continue;
        const Vec2 p = bisector.at(parameter);
        // Sites of this junction meet the bisector here; only a second meeting counts.
        if (here && length(p - j.point) <= std::max(foot_tolerance, 1e-6 * j.clearance)) continue;
        if (part.distance(p) < 0 || !part.faces(p, foot_tolerance)) continue;
        first = {parameter, &part, line.has_value()};
      }
    }
    return first;
  }

  /// A junction ahead that waits for an arc with these sites to arrive, before the event or at it.
  std::optional<std::size_t> next_waiting(std::size_t from, const Bisector& bisector, const Gap& gap,
                                          const Event& event) const {
    const double start = bisector.parameter(junctions_[from].point);
    std::optional<std::size_t> best;
    double nearest = INFINITY;
    for (std::size_t k = 0; k < junctions_.size(); ++k) {
      const Junction& j = junctions_[k];
      // Seen from there, left and right are the other way round.
      const bool waits = k != from && std::any_of(j.gaps.begin(), j.gaps.end(), [&](const Gap& g) {
                           return !g.filled && g.left == gap.right && g.right == gap.left;
                         });
      if (!waits) continue;
      const double parameter = bisector.parameter(j.point);
      const bool same_place = event.third && length(bisector.at(event.parameter) - j.point) <= merge_distance(j) &&
                              std::binary_search(j.sites.begin(), j.sites.end(), event.third->site);
      if (parameter > start && (parameter <= event.parameter || same_place) && parameter < nearest)
        nearest = parameter, best = k;
    }
    return best;
  }

  /// Computed twice from different sites, one point may come out this far apart.
  [[nodiscard]] static double merge_distance(const Junction& j) { return 1e-3 + 1e-6 * j.clearance; }

  void follow(std::size_t from, std::size_t index) {
    const Gap gap = junctions_[from].gaps[index];
    const LocalSite* left = part_of(gap.left);
    const LocalSite* right = part_of(gap.right);
    if (!left || !right) return fail(junctions_[from].point, "an arc would lie between sites that did not border here");
    const Bisector bisector(*left, *right);
    if (!bisector.exists()) return fail(junctions_[from].point, "two sites have no bisector");
    const Event event = next_event(junctions_[from], bisector, *left, *right);
    std::optional<std::size_t> to = next_waiting(from, bisector, gap, event);
    if (!to) {
      if (!event.third) return fail(junctions_[from].point, "an arc leads nowhere");
      Vec2 point = bisector.at(event.parameter);
      if (!event.handover) point = equidistant_point(*left, *right, *event.third, point);
      to = add_junction(*left, *right, *event.third, point);
      if (!to) return;
    }
    junctions_[from].gaps[index].filled = true;
    if (!fill(junctions_[*to], gap.right, gap.left))
      return fail(junctions_[*to].point, "an arc arrives where none is missing");
    new_arcs_.push_back({from, *to, gap.left, gap.right});
  }

  std::optional<std::size_t> add_junction(const LocalSite& left, const LocalSite& right, const LocalSite& third,
                                          Vec2 point) {
    Junction j{none, point, left.distance(point), {left.site, right.site, third.site}, {}};
    add_equidistant_sites(j);
    if (!make_gaps(j)) return fail(point, "a node has one nearest point only"), std::nullopt;
    if (junctions_.size() > 64 + 8 * parts_.size()) return fail(point, "arcs do not come to an end"), std::nullopt;
    junctions_.push_back(std::move(j));
    return junctions_.size() - 1;
  }

  const AxisEditor& editor_;
  const AxisDraft& draft_;
  const RepairTask& task_;
  double tolerance_;
  std::vector<Index> removed_arcs_, border_nodes_;
  std::vector<LocalSite> parts_;
  std::vector<Junction> junctions_;
  std::vector<NewArc> new_arcs_;
  std::string fault_;
};

}  // namespace

std::string repair(AxisEditor& editor, const RepairTask& task) {
  std::string fault;
  // Where cocircular sites were computed with more rounding than usual, a wider net makes one junction of them.
  for (const double tolerance :
       {vertex_tolerance, 16 * vertex_tolerance, vertex_tolerance / 16, 256 * vertex_tolerance}) {
    Tracer tracer(editor, task, tolerance);
    fault = tracer.trace();
    if (!fault.empty()) continue;
    tracer.commit(editor);
    return {};
  }
  return fault;
}

}  // namespace throng::navmesh
