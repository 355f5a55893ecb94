#include "environment/clean/plane_edges.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>

namespace throng::environment {

namespace {

using geometry::side;

namespace bg = boost::geometry;
using TreePoint = bg::model::point<std::int32_t, 2, bg::cs::cartesian>;
using TreeBox = bg::model::box<TreePoint>;
using TreeEntry = std::pair<TreeBox, std::size_t>;

TreeBox box_of(const PlaneEdge& edge) {
  const auto [low, high] = std::minmax(edge.from.y, edge.to.y);
  return {{edge.from.x, low}, {edge.to.x, high}};
}

/// Whether two edges on one line share more than a point.
bool overlap_on_line(const PlaneEdge& e, const PlaneEdge& f) { return std::max(e.from, f.from) < std::min(e.to, f.to); }

/// From bottom to top, for edges and points on one vertical line; edges meet in common vertices only.
struct BelowInSweep {
  using is_transparent = void;
  const std::vector<PlaneEdge>* edges;

  bool operator()(std::size_t i, std::size_t j) const {
    if (i == j) return false;
    const PlaneEdge& e = (*edges)[i];
    const PlaneEdge& f = (*edges)[j];
    if (e.from == f.from) return side(e.from, e.to, f.to) > 0;
    if (e.from < f.from) return side(e.from, e.to, f.from) > 0;
    return side(f.from, f.to, e.from) < 0;
  }
  bool operator()(std::size_t i, GridPoint p) const { return side((*edges)[i].from, (*edges)[i].to, p) > 0; }
  bool operator()(GridPoint p, std::size_t i) const { return side((*edges)[i].from, (*edges)[i].to, p) < 0; }
};

std::vector<std::size_t> sorted_by(const std::vector<PlaneEdge>& edges, GridPoint PlaneEdge::*end) {
  std::vector<std::size_t> order(edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return edges[i].*end < edges[j].*end; });
  return order;
}

/// A vertical line that moves from left to right over the edges, one vertex at a time.
class Sweep {
 public:
  using Status = std::set<std::size_t, BelowInSweep>;

  explicit Sweep(const std::vector<PlaneEdge>& edges)
      : edges_(edges),
        begins_(sorted_by(edges, &PlaneEdge::from)),
        ends_(sorted_by(edges, &PlaneEdge::to)),
        status_(BelowInSweep{&edges}),
        places_(edges.size()) {}

  [[nodiscard]] bool done() const { return next_end_ == ends_.size(); }
  /// The vertex the line comes to next. Requires !done().
  [[nodiscard]] GridPoint next() const {
    const GridPoint end = edges_[ends_[next_end_]].to;
    return next_begin_ == begins_.size() ? end : std::min(end, edges_[begins_[next_begin_]].from);
  }
  /// Moves over next(): edges that end there leave the status, those that begin there enter it.
  void pass() {
    const GridPoint p = next();
    for (; !done() && edges_[ends_[next_end_]].to == p; ++next_end_) status_.erase(places_[ends_[next_end_]]);
    for (; next_begin_ < begins_.size() && edges_[begins_[next_begin_]].from == p; ++next_begin_)
      places_[begins_[next_begin_]] = status_.insert(begins_[next_begin_]).first;
  }

  [[nodiscard]] const Status& status() const { return status_; }

 private:
  const std::vector<PlaneEdge>& edges_;
  std::vector<std::size_t> begins_, ends_;
  std::size_t next_begin_ = 0, next_end_ = 0;
  Status status_;
  std::vector<Status::iterator> places_;
};

}  // namespace

struct EdgeBoxes::Tree {
  bg::index::rtree<TreeEntry, bg::index::quadratic<16>> boxes;
};

EdgeBoxes::EdgeBoxes(const std::vector<PlaneEdge>& edges) {
  std::vector<TreeEntry> entries;
  entries.reserve(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) entries.emplace_back(box_of(edges[i]), i);
  tree_.reset(new Tree{decltype(Tree::boxes)(entries)});  // handed all at once, the tree is packed
}
EdgeBoxes::~EdgeBoxes() = default;
EdgeBoxes::EdgeBoxes(EdgeBoxes&&) noexcept = default;
EdgeBoxes& EdgeBoxes::operator=(EdgeBoxes&&) noexcept = default;

void EdgeBoxes::visit(GridPoint low, GridPoint high, const std::function<void(std::size_t)>& visit) const {
  const TreeBox box{{low.x, low.y}, {high.x, high.y}};
  for (auto hit = tree_->boxes.qbegin(bg::index::intersects(box)); hit != tree_->boxes.qend(); ++hit)
    visit(hit->second);
}

PlaneEdge plane_edge(GridPoint a, GridPoint b, std::int32_t left, std::int32_t right) {
  return a < b ? PlaneEdge{a, b, left, right} : PlaneEdge{b, a, right, left};
}

Meeting meeting_of(const PlaneEdge& e, const PlaneEdge& f) {
  const int f_from = side(e.from, e.to, f.from), f_to = side(e.from, e.to, f.to);
  if (f_from == 0 && f_to == 0) {
    if (overlap_on_line(e, f)) return Meeting::overlap;
    return e.to == f.from || f.to == e.from ? Meeting::at_common_vertex : Meeting::apart;
  }
  if (e.from == f.from || e.from == f.to || e.to == f.from || e.to == f.to) return Meeting::at_common_vertex;
  const int e_from = side(f.from, f.to, e.from), e_to = side(f.from, f.to, e.to);
  if (f_from * f_to > 0 || e_from * e_to > 0) return Meeting::apart;
  return f_from * f_to * e_from * e_to == 0 ? Meeting::touch : Meeting::cross;
}

void find_bad_meetings(const std::vector<PlaneEdge>& edges,
                       const std::function<void(std::size_t, std::size_t, Meeting)>& found) {
  const EdgeBoxes boxes(edges);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const auto [low, high] = std::minmax(edges[i].from.y, edges[i].to.y);
    boxes.visit({edges[i].from.x, low}, {edges[i].to.x, high}, [&](std::size_t j) {
      if (j <= i) return;
      const Meeting how = meeting_of(edges[i], edges[j]);
      if (how != Meeting::apart && how != Meeting::at_common_vertex) found(i, j, how);
    });
  }
}

void find_disagreements(std::vector<PlaneEdge>& edges,
                        const std::function<void(GridPoint, std::int32_t, std::int32_t)>& found) {
  Sweep sweep(edges);
  while (!sweep.done()) {
    const GridPoint p = sweep.next();
    sweep.pass();
    const Sweep::Status& status = sweep.status();
    auto edge = status.lower_bound(p);  // begins with the edges through p, which are those that begin there
    std::int32_t face = edge == status.begin() ? nothing : edges[*std::prev(edge)].above;
    for (; edge != status.end() && edges[*edge].from == p; ++edge) {
      PlaneEdge& e = edges[*edge];
      if (e.below == same_on_both_sides) e.above = e.below = face;
      if (e.below != face) found(p, e.below, face);
      face = e.above;
    }
    const std::int32_t over = edge == status.end() ? nothing : edges[*edge].below;
    if (over != face) found(p, over, face);
  }
}

std::vector<std::int32_t> faces_at(const std::vector<PlaneEdge>& edges, const std::vector<GridPoint>& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return points[i] < points[j]; });
  std::vector<std::int32_t> faces(points.size(), nothing);
  Sweep sweep(edges);
  for (const std::size_t i : order) {
    while (!sweep.done() && sweep.next() <= points[i]) sweep.pass();
    const auto edge = sweep.status().lower_bound(points[i]);
    if (edge != sweep.status().begin()) faces[i] = edges[*std::prev(edge)].above;
  }
  return faces;
}

}  // namespace throng::environment
