#include "navmesh/passages.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "navmesh/cells.hpp"

namespace throng::navmesh {
namespace {

using geometry::GridPoint;

/// A stretch of an arc along which clearance falls (-1), stays (0) or rises (+1).
struct Stretch {
  Index arc;
  Vec2 from, to;
  int trend;
};

class PassageFinder {
 public:
  explicit PassageFinder(Mesh& mesh) : mesh_(mesh) {}

  void find() {
    first_passage_.reserve(mesh_.edges.size() + 1);
    for (const Edge& edge : mesh_.edges) {
      first_passage_.push_back(Index(mesh_.passages.size()));
      search(edge);
    }
    first_passage_.push_back(Index(mesh_.passages.size()));
    number_regions();
  }

 private:
  void search(const Edge& edge) {
    falling_ = false;
    plateau_.clear();
    for (Index arc = edge.first_arc; arc < edge.first_arc + edge.arc_count; ++arc) {
      const Vec2 from = mesh_.nodes[mesh_.arcs[arc].from].point;
      const Vec2 to = mesh_.nodes[mesh_.arcs[arc].to].point;
      if (const auto narrowest = narrowest_inside(mesh_, arc)) {
        follow({arc, from, narrowest->point, -1});
        follow({arc, narrowest->point, to, +1});
      } else {
        follow({arc, from, to, trend(arc)});
      }
    }
  }

  void follow(const Stretch& stretch) {
    if (stretch.trend < 0) {
      falling_ = true;
      plateau_.assign(1, {stretch.arc, stretch.to, stretch.to, 0});
    } else if (stretch.trend == 0) {
      if (falling_) plateau_.push_back(stretch);
    } else {
      if (falling_) add_passage();
      falling_ = false;
    }
  }

  [[nodiscard]] int trend(Index arc) const {
    const Arc& a = mesh_.arcs[arc];
    const Site& left = mesh_.sites[a.site[0]];
    const Site& right = mesh_.sites[a.site[1]];
    if (!left.is_corner() && !right.is_corner()) {
      // The walls open ahead if the left one, walked from b to a, turns left of the right one, walked from a to b.
      const GridPoint la = mesh_.grid.snap(left.a), lb = mesh_.grid.snap(left.b);
      const GridPoint ra = mesh_.grid.snap(right.a), rb = mesh_.grid.snap(right.b);
      const std::int64_t turn = (std::int64_t{rb.x} - ra.x) * (std::int64_t{la.y} - lb.y) -
                                (std::int64_t{rb.y} - ra.y) * (std::int64_t{la.x} - lb.x);
      return (turn > 0) - (turn < 0);
    }
    return mesh_.nodes[a.to].clearance >= mesh_.nodes[a.from].clearance ? +1 : -1;
  }

  void add_passage() {
    double total = 0;
    for (const Stretch& s : plateau_) total += length(s.to - s.from);
    double ahead = total / 2;
    std::size_t i = 0;
    while (i + 1 < plateau_.size() && ahead > length(plateau_[i].to - plateau_[i].from))
      ahead -= length(plateau_[i].to - plateau_[i].from), ++i;
    const Stretch& s = plateau_[i];
    const double run = length(s.to - s.from);
    const Vec2 point = run > 0 ? s.from + (s.to - s.from) * (ahead / run) : s.from;
    const Arc& arc = mesh_.arcs[s.arc];
    const Vec2 left = nearest_on(mesh_.sites[arc.site[0]], point);
    const Vec2 right = nearest_on(mesh_.sites[arc.site[1]], point);
    mesh_.passages.push_back({point, length(left - right) / 2, s.arc, left, right, {0, 0}});
  }

  Index root(Index node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  void number_regions() {
    parent_.resize(mesh_.nodes.size());
    std::iota(parent_.begin(), parent_.end(), Index{0});
    for (Index i = 0; i < mesh_.edges.size(); ++i)
      if (first_passage_[i] == first_passage_[i + 1]) parent_[root(mesh_.edges[i].to)] = root(mesh_.edges[i].from);
    std::vector<Index> region(mesh_.nodes.size(), none);
    Index next = 0;
    for (Index node = 0; node < mesh_.nodes.size(); ++node)
      if (mesh_.nodes[node].degree > 0 && region[root(node)] == none) region[root(node)] = next++;
    for (Index i = 0; i < mesh_.edges.size(); ++i)
      for (Index p = first_passage_[i]; p < first_passage_[i + 1]; ++p) {
        Passage& passage = mesh_.passages[p];
        passage.region[0] =
            p == first_passage_[i] ? region[root(mesh_.edges[i].from)] : mesh_.passages[p - 1].region[1];
        passage.region[1] = p + 1 == first_passage_[i + 1] ? region[root(mesh_.edges[i].to)] : next++;
      }
    mesh_.region_count = next;
  }

  Mesh& mesh_;
  std::vector<Index> first_passage_;  ///< of each edge
  std::vector<Stretch> plateau_;      ///< since clearance last fell
  std::vector<Index> parent_;
  bool falling_ = false;
};

}  // namespace

void find_passages(Mesh& mesh) { PassageFinder(mesh).find(); }

}  // namespace throng::navmesh
