#include "crowd/jams.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/elementary.hpp"
#include "navmesh/locate.hpp"

namespace throng::crowd {
namespace {

using navmesh::Place;

/// Weidmann 1993: nobody walks at this density, and how speed falls towards it.
constexpr double jam_density = 5.4, speed_factor = 1.913;
/// Metres a second: nobody is thought to be slower.
constexpr double least_speed = 0.05;
/// The cosine of 45 degrees: who goes so goes one's way.
constexpr double with_stream = 0.7071067811865476;
/// Seconds for which a queue that was seen is known.
constexpr double seen_for = 60;
/// Metres between looks along the border of an area, and how much clearance says that there is no wall.
constexpr double border_step = 0.2, border_clearance = 0.1;

/// Metres of an area's border that people may come over.
double open_border(const World& world, const goals::Area& area) {
  const std::vector<Place> places = area.border(border_step);
  if (places.empty()) return 0;
  const auto is_open = [&](const Place& place) {
    const navmesh::Located at = navmesh::locate(*world.mesh, place);
    return at && at.clearance >= border_clearance;
  };
  return area.border_length() * double(std::ranges::count_if(places, is_open)) / double(places.size());
}

std::vector<double> widths_of(const World& world, const std::vector<goals::Area>& areas) {
  std::vector<double> widths;
  for (const navmesh::Passage& passage : world.mesh->all_passages())
    widths.push_back(distance(passage.left, passage.right));
  for (const goals::Area& area : areas) widths.push_back(open_border(world, area));
  return widths;
}

}  // namespace

PassageTable::PassageTable(const routes::RouteGraph& graph)
    : on_chain_(graph.chains().size()), on_edge_(graph.mesh().edge_count()) {
  const navmesh::Mesh& mesh = graph.mesh();
  std::vector<double> before(mesh.edge_count(), 0);  // metres along its chain
  for (const routes::Chain& chain : graph.chains()) {
    double along = 0;
    for (const routes::Step& step : graph.steps_of(chain)) {
      before[step.edge] = along;
      along += mesh.edge(step.edge).length;
    }
  }
  for (Index i = 0; i < mesh.passage_count(); ++i) {
    const navmesh::Passage& passage = mesh.passage(i);
    const Index edge = mesh.arc(passage.arc).edge;
    const double on_edge = routes::position_on_edge(graph, {passage.point, passage.arc});
    const Index chain = graph.chain_of(edge);
    if (chain == agents::none) {
      on_edge_[edge].push_back({on_edge, i});
      continue;
    }
    const bool forward = graph.steps_of(graph.chains()[chain])[graph.place_in_chain(edge)].forward;
    on_chain_[chain].push_back({before[edge] + (forward ? on_edge : mesh.edge(edge).length - on_edge), i});
  }
  for (auto* lists : {&on_chain_, &on_edge_})
    for (std::vector<At>& list : *lists) std::ranges::stable_sort(list, {}, &At::along);
}

std::vector<PassageTable::At> PassageTable::on_way_out(const routes::RouteGraph& graph, const routes::OnAxis& at,
                                                       const routes::ChainPlace& place) const {
  std::vector<At> found;
  double walked = 0;
  for (std::size_t i = 0; i < place.way_out.size(); ++i) {
    const routes::Step step = place.way_out[i];
    const double length = graph.mesh().edge(step.edge).length;
    const double from = i == 0 ? routes::position_on_edge(graph, at) : step.forward ? 0 : length;
    const std::vector<At>& here = on_edge_[step.edge];
    const auto add = [&](const At& passage) {
      const double ahead = step.forward ? passage.along - from : from - passage.along;
      if (ahead > 0) found.push_back({walked + ahead, passage.passage});
    };
    if (step.forward)
      std::ranges::for_each(here, add);
    else
      std::for_each(here.rbegin(), here.rend(), add);
    walked += step.forward ? length - from : from;
  }
  return found;
}

double QueueCosts::leaving(Index passage, double arrival) const {
  if (seen_only) {
    const auto is_fresh = [&](const Journey::Seen& seen) {
      return seen.passage == passage && now - double(seen.at) <= seen_for;
    };
    if (own == nullptr || std::ranges::none_of(own->seen, is_fresh)) return arrival;
  }
  return queues.leaving(passage, arrival, own != nullptr ? own->announced(passage) : Queues::not_announced);
}

double QueueCosts::stretch(Index via, double from, double to, double so_far) const {
  const std::vector<PassageTable::At>& on = passages.on_chain(via / 2);
  const double length = graph.chains()[via / 2].length;
  const double start = now + so_far;
  double time = start, at = from;
  const auto come_to = [&](double along, Index passage) {
    if (along <= from || along > to) return;
    time = leaving(passage, time + (along - at) / speed);
    at = along;
  };
  if (via % 2 == 0)
    for (const PassageTable::At& passage : on) come_to(passage.along, passage.passage);
  else
    for (std::size_t i = on.size(); i-- > 0;) come_to(length - on[i].along, on[i].passage);
  return time + (to - at) / speed - start;
}

double QueueCosts::dead_end(double length, double so_far) const {
  const double start = now + so_far;
  double time = start, at = 0;
  // Out of the start's own first: that is where one is before anything was walked.
  for (const PassageTable::At& passage : so_far == 0 && out_length > 0 ? out : in) {
    if (passage.along > length) break;
    time = leaving(passage.passage, time + (passage.along - at) / speed);
    at = passage.along;
  }
  return time + (length - at) / speed - start;
}

double speed_in_density(double speed, double density) {
  if (density <= 0) return speed;
  if (density >= jam_density) return least_speed;
  return std::max(least_speed, speed * (1 - geometry::exponential(-speed_factor * (1 / density - 1 / jam_density))));
}

double DensityCosts::speed_on(Index edge, bool forward) const {
  const bool is_mine = own.cell != agents::none && edges.edge_of(own.cell) == edge;
  const std::int64_t people = edges.people(edge) - (is_mine ? 1 : 0);
  if (people <= 0) return speed;
  const double in_crowd = std::min(speed, speed_in_density(speed, double(people) / edges.ground(edge)));
  const navmesh::Mesh& mesh = graph.mesh();
  const Vec2 along = (mesh.node(mesh.edge(edge).to).point - mesh.node(mesh.edge(edge).from).point) * (forward ? 1 : -1);
  const Vec2 stream = edges.velocity(edge);
  const double far = std::sqrt(squared_length(along)), fast = std::sqrt(squared_length(stream));
  if (far == 0 || fast == 0 || dot(along, stream) < with_stream * far * fast) return in_crowd;
  return std::min(speed, std::max(in_crowd, dot(along, stream) / far));
}

double DensityCosts::stretch(Index via, double from, double to, double) const {
  const routes::Chain& chain = graph.chains()[via / 2];
  const std::span<const routes::Step> steps = graph.steps_of(chain);
  double before = 0, time = 0;
  for (std::size_t i = 0; i < steps.size() && before < to; ++i) {
    const routes::Step step = steps[via % 2 == 0 ? i : steps.size() - 1 - i];
    const double after = before + graph.mesh().edge(step.edge).length;
    const double walked = std::min(after, to) - std::max(before, from);
    if (walked > 0) time += walked / speed_on(step.edge, step.forward == (via % 2 == 0));
    before = after;
  }
  return time;
}

Jams::Jams(const World& world, const std::vector<goals::Area>& areas)
    : passages(*world.graph), queues(widths_of(world, areas)) {}

std::size_t Jams::bytes() const { return sizeof *this + queues.bytes() + (edges ? edges->bytes() : 0); }

}  // namespace throng::crowd
