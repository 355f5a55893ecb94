#include "routes/ground_path.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace throng::routes {

namespace {

/// Lengths are smoothed by these parts of the mean leg, one after the other.
constexpr double smoothings[] = {1e-2, 1e-4, 1e-7, 1e-10};
constexpr int most_rounds = 40;
/// Rounds that win less than this part of the cost are the last.
constexpr double least_gain = 1e-15;
constexpr int most_sides_tried = 400, most_rounds_of_sides = 4;
/// Bends on either side of a vertex that move while its other side is tried.
constexpr std::size_t bends_around = 6;
/// Bends this near an end of their edge, as a part of it, are at its vertex.
constexpr double at_vertex = 1e-9;
/// Legs shorter than this, in metres, are none.
constexpr double no_leg = 1e-10;

using Gauge = ground::GroundCosts::Gauge;

/// What a leg costs: the largest of a few gauges, smoothed by lengths of `smooth`.
class LegCost {
 public:
  explicit LegCost(double weight) : one_{weight, 0, 0, {}}, weight_(weight) {}
  LegCost(std::span<const Gauge> gauges, double weight)
      : one_(gauges[0]), others_(gauges.subspan(1)), weight_(weight) {}
  /// Along a line: so much a metre forwards and backwards.
  LegCost(Vec2 direction, double forwards, double backwards)
      : one_{0, (forwards - backwards) / 2, (forwards + backwards) / 2, direction},
        weight_(std::max(forwards, backwards)) {}
  [[nodiscard]] double weight() const { return weight_; }

  [[nodiscard]] double of(Vec2 leg, double smooth) const {
    double most = of(one_, leg, smooth);
    for (const Gauge& other : others_) most = std::max(most, of(other, leg, smooth));
    return most;
  }
  /// How the cost changes with the leg, by the gauge that counts.
  struct Change {
    Vec2 leg, uphill;
    double a_metre = 0, size2 = 0;     ///< of the part that counts lengths
    double lift = 0, lift_change = 0;  ///< of the part that counts rise
    [[nodiscard]] double slope(Vec2 u) const {
      const double even = a_metre * dot(leg, u);
      return lift == 0 ? even : even + lift * dot(uphill, u);
    }
    [[nodiscard]] double curvature(Vec2 u, Vec2 v) const {
      const double even = a_metre * (dot(u, v) - dot(leg, u) * dot(leg, v) / size2);
      return lift_change == 0 ? even : even + lift_change * dot(uphill, u) * dot(uphill, v);
    }
  };
  [[nodiscard]] Change change(Vec2 leg, double smooth) const {
    const Gauge* gauge = &one_;
    for (const Gauge& other : others_)
      if (of(other, leg, smooth) > of(*gauge, leg, smooth)) gauge = &other;
    const double size = std::sqrt(squared_length(leg) + smooth * smooth);
    Change change{leg, gauge->uphill, gauge->across / size, size * size, 0, 0};
    if (gauge->linear == 0 && gauge->bent == 0) return change;
    const double rise = dot(leg, gauge->uphill), bend = std::sqrt(rise * rise + smooth * smooth);
    change.lift = gauge->linear + gauge->bent * rise / bend;
    change.lift_change = gauge->bent * smooth * smooth / (bend * bend * bend);
    return change;
  }

 private:
  static double of(const Gauge& gauge, Vec2 leg, double smooth) {
    double sum = gauge.across * (std::sqrt(squared_length(leg) + smooth * smooth) - smooth);
    if (gauge.linear == 0 && gauge.bent == 0) return sum;
    const double rise = dot(leg, gauge.uphill);
    return sum + gauge.linear * rise + gauge.bent * (std::sqrt(rise * rise + smooth * smooth) - smooth);
  }
  Gauge one_;
  std::span<const Gauge> others_;
  double weight_;  ///< at the dearest
};

/// The convex problem: points a + t d on edges, costs between them.
class Slider {
 public:
  Slider(Vec2 start, Vec2 goal) : start_(start), goal_(goal) {}
  void add(Vec2 a, Vec2 d, double t, const LegCost& before) {
    a_.push_back(a), d_.push_back(d), t_.push_back(t), leg_.push_back(before);
  }
  void finish(const LegCost& last) { leg_.push_back(last); }
  [[nodiscard]] const std::vector<double>& solution() const { return t_; }
  void solve() {
    double weights = 0;
    for (const LegCost& leg : leg_) weights += leg.weight();
    const double mean = std::max(1e-6, cost(t_, 0) / weights);
    for (const double part : smoothings) minimise(part * mean);
  }
  [[nodiscard]] double cost(const std::vector<double>& t, double smooth) const {
    double sum = 0;
    Vec2 last = start_;
    for (std::size_t i = 0; i <= t.size(); ++i) {
      const Vec2 here = i < t.size() ? a_[i] + d_[i] * t[i] : goal_;
      sum += leg_[i].of(here - last, smooth);
      last = here;
    }
    return sum;
  }

 private:
  /// Slope and curvature at t_: `beside_[i]` joins i with i + 1.
  void develop(double smooth) {
    const std::size_t n = t_.size();
    slope_.assign(n, 0), curve_.assign(n, 0), beside_.assign(n, 0);
    Vec2 last = start_;
    for (std::size_t i = 0; i <= n; ++i) {
      const Vec2 here = i < n ? a_[i] + d_[i] * t_[i] : goal_;
      const LegCost::Change change = leg_[i].change(here - last, smooth);
      if (i < n) slope_[i] += change.slope(d_[i]), curve_[i] += change.curvature(d_[i], d_[i]);
      if (i > 0) slope_[i - 1] -= change.slope(d_[i - 1]), curve_[i - 1] += change.curvature(d_[i - 1], d_[i - 1]);
      if (i > 0 && i < n) beside_[i - 1] = -change.curvature(d_[i - 1], d_[i]);
      last = here;
    }
  }
  /// Newton's step of the bends that may move; others stay.
  void step() {
    const std::size_t n = t_.size();
    step_.assign(n, 0), pivot_.assign(n, 0);
    const auto held = [&](std::size_t i) { return (t_[i] <= 0 && slope_[i] > 0) || (t_[i] >= 1 && slope_[i] < 0); };
    for (std::size_t i = 0; i < n; ++i) {
      const double lift = 1e-12 * curve_[i] + 1e-300;
      pivot_[i] = curve_[i] + lift;
      step_[i] = -slope_[i];
      if (held(i)) {
        pivot_[i] = 0;
        continue;
      }
      if (i > 0 && pivot_[i - 1] > 0) {
        const double part = beside_[i - 1] / pivot_[i - 1];
        pivot_[i] = std::max(pivot_[i] - part * beside_[i - 1], 1e-12 * curve_[i] + 1e-300);
        step_[i] -= part * step_[i - 1];
      }
    }
    for (std::size_t i = n; i-- > 0;) {
      if (pivot_[i] <= 0) {
        step_[i] = 0;
        continue;
      }
      if (i + 1 < n && pivot_[i + 1] > 0) step_[i] -= beside_[i] * step_[i + 1];
      step_[i] /= pivot_[i];
    }
  }
  void minimise(double smooth) {
    double now = cost(t_, smooth);
    for (int round = 0; round < most_rounds; ++round) {
      develop(smooth);
      step();
      bool moved = false;
      double gain = 0;
      for (double part = 1; part > 1e-6 && !moved; part *= 0.4) {
        trial_ = t_;
        for (std::size_t i = 0; i < t_.size(); ++i) trial_[i] = std::clamp(t_[i] + part * step_[i], 0.0, 1.0);
        const double then = cost(trial_, smooth);
        if (then < now) moved = true, gain = now - then, now = then, t_.swap(trial_);
      }
      if (!moved || gain <= least_gain * now) return;
    }
  }

  Vec2 start_, goal_;
  std::vector<Vec2> a_, d_;
  std::vector<double> t_;
  std::vector<LegCost> leg_;
  std::vector<double> slope_, curve_, beside_, step_, pivot_, trial_;
};

}  // namespace

GroundPath::GroundPath(const SteinerPoints& points, const ground::GroundCosts& costs, Vec2 start, Vec2 goal,
                       const std::vector<Index>& nodes, const std::vector<LinkVia>& vias)
    : surface_(&points.surface()), costs_(&costs), start_(start), goal_(goal) {
  LinkVia in = vias[0];
  vias_.push_back(in);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const LinkVia out = vias[i + 1];
    if (points.is_vertex(nodes[i])) {
      pass_vertex(nodes[i], in, out);
    } else if (!(in.along && out.along)) {  // a point passed along its edge is none
      const auto& e = surface_->edges()[points.edge_of(nodes[i])];
      const double t = distance(points.position(nodes[i]), surface_->point(e.a)) / e.length;
      bends_.push_back({points.edge_of(nodes[i]), std::clamp(t, 0.0, 1.0)});
      vias_.push_back(out);
    }
    in = out;
  }
}

Index GroundPath::vertex_of(const GroundBend& bend) const {
  const auto& e = surface_->edges()[bend.edge];
  return bend.t <= at_vertex ? e.a : bend.t >= 1 - at_vertex ? e.b : none;
}

/// Around a vertex edges and triangles alternate: edge i is 2 i, the triangle
/// between edges i and i + 1 is 2 i + 1.
bool GroundPath::lead_around(Index vertex, LinkVia in, LinkVia out, bool counterclockwise,
                             std::vector<GroundBend>& bends, std::vector<LinkVia>& vias) const {
  const auto edges = surface_->edges_at(vertex);
  const std::size_t m = edges.size();
  const auto triangle_after = [&](std::size_t i) -> Index {
    for (const Index t : surface_->edges()[edges[i]].triangle) {
      if (t == none) continue;
      const auto& triangle = surface_->triangles()[t];
      const int corner = triangle.corner_of(vertex);
      if (corner >= 0 && triangle.edge[std::size_t(corner + 2) % 3] == edges[i]) return t;
    }
    return none;
  };
  const auto slot_of = [&](LinkVia via) -> std::size_t {
    for (std::size_t i = 0; i < m; ++i) {
      if (via.along && edges[i] == via.index) return 2 * i;
      if (!via.along && triangle_after(i) == via.index) return 2 * i + 1;
    }
    return 2 * m;
  };
  const std::size_t from = slot_of(in), to = slot_of(out), slots = 2 * m;
  if (from == slots || to == slots) return false;
  const auto bend_at = [&](Index e) { bends.push_back({e, surface_->edges()[e].a == vertex ? 0.0 : 1.0}); };
  std::size_t slot = from;
  if (slot % 2 == 0) bend_at(edges[slot / 2]);
  while (slot != to) {
    slot = counterclockwise ? (slot + 1) % slots : (slot + slots - 1) % slots;
    if (slot % 2 == 1) {
      const Index t = triangle_after(slot / 2);
      if (t == none || !costs_->open(t)) return false;
      vias.push_back({t, false});
    } else {
      bend_at(edges[slot / 2]);
    }
  }
  // One via between two bends, the last one is the way out.
  if (!bends.empty() && out.along) vias.push_back(out);
  return vias.size() == bends.size();
}

double GroundPath::angle_around(Index vertex, LinkVia in, LinkVia out, bool counterclockwise) const {
  std::vector<GroundBend> bends;
  std::vector<LinkVia> vias;
  if (!lead_around(vertex, in, out, counterclockwise, bends, vias)) return unreachable;
  double sum = 0;
  for (const LinkVia via : vias) {
    if (via.along) continue;
    const auto& triangle = surface_->triangles()[via.index];
    const auto i = std::size_t(triangle.corner_of(vertex));
    const Vec2 v = surface_->point(vertex);
    const Vec2 p = surface_->point(triangle.vertex[(i + 1) % 3]) - v,
               q = surface_->point(triangle.vertex[(i + 2) % 3]) - v;
    // 0 for none, 1 for a right angle, 2 for a straight one: grows with the
    // angle, which is enough.
    sum += 1 - dot(p, q) / (length(p) * length(q));
  }
  return sum;
}

void GroundPath::pass_vertex(Index vertex, LinkVia in, LinkVia out) {
  if (in == out) return;
  const bool ccw = angle_around(vertex, in, out, true) <= angle_around(vertex, in, out, false);
  std::vector<GroundBend> bends;
  std::vector<LinkVia> vias;
  if (!lead_around(vertex, in, out, ccw, bends, vias)) return;
  bends_.insert(bends_.end(), bends.begin(), bends.end());
  vias_.insert(vias_.end(), vias.begin(), vias.end());
}

/// Bends that hold the path to an edge for nothing go: where it comes back into the triangle it left, and at either end of a crawl that is no
/// cheaper than the triangle the path comes from or goes to. What they tied together is then one straight leg in a triangle.
void GroundPath::drop_needless_bends() {
  const auto as_cheap = [&](LinkVia through, LinkVia crawl) {
    if (through.along || !crawl.along || costs_->directed()) return false;
    const auto& sides = surface_->edges()[crawl.index].triangle;
    return (sides[0] == through.index || sides[1] == through.index) && weight(through) <= weight(crawl);
  };
  for (std::size_t i = 0; i < bends_.size();) {
    const LinkVia in = vias_[i], out = vias_[i + 1];
    const bool back = in == out, begins = as_cheap(in, out), ends = as_cheap(out, in);
    if (!back && !begins && !ends) {
      ++i;
      continue;
    }
    bends_.erase(bends_.begin() + std::ptrdiff_t(i));
    vias_.erase(vias_.begin() + std::ptrdiff_t(begins ? i + 1 : i));
    if (i > 0) --i;
  }
}

double GroundPath::cost() const {
  double sum = 0;
  Vec2 last = start_;
  for (std::size_t i = 0; i <= bends_.size(); ++i) {
    const Vec2 here = i < bends_.size() ? at(bends_[i]) : goal_;
    sum += cost_of_leg(vias_[i], here - last);
    last = here;
  }
  return sum;
}

void GroundPath::slide() {
  const auto leg_cost = [&](LinkVia via) {
    if (!costs_->directed()) return LegCost(weight(via));
    if (!via.along)
      return costs_->gauges(via.index).empty() ? LegCost(weight(via)) : LegCost(costs_->gauges(via.index), weight(via));
    const auto& e = surface_->edges()[via.index];
    const Vec2 along = (surface_->point(e.b) - surface_->point(e.a)) / e.length;
    return LegCost(along, cost_of_leg(via, along), cost_of_leg(via, -along));
  };
  Slider slider(start_, goal_);
  for (std::size_t i = 0; i < bends_.size(); ++i) {
    const auto& e = surface_->edges()[bends_[i].edge];
    slider.add(surface_->point(e.a), surface_->point(e.b) - surface_->point(e.a), bends_[i].t, leg_cost(vias_[i]));
  }
  slider.finish(leg_cost(vias_.back()));
  slider.solve();
  const std::vector<GroundBend> before = bends_;
  const double was = cost();
  for (std::size_t i = 0; i < bends_.size(); ++i) bends_[i].t = slider.solution()[i];
  if (cost() > was) bends_ = before;
}

std::vector<GroundPath::Run> GroundPath::runs_at_vertices() const {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < bends_.size(); ++i) {
    const Index v = vertex_of(bends_[i]);
    if (v == none) continue;
    if (!runs.empty() && runs.back().vertex == v && runs.back().last + 1 == i)
      runs.back().last = i;
    else
      runs.push_back({i, i, v});
  }
  return runs;
}

/// The run's bends replaced by those on the other side of the vertex, where there is ground. Only bends near it may move: the rest of the
/// path hardly notices, and is pulled taut at the end.
bool GroundPath::try_other_side(const Run& run) {
  const LinkVia in = vias_[run.first], out = vias_[run.last + 1];
  if (in == out) return false;
  const std::size_t low = run.first - std::min(run.first, bends_around),
                    high = std::min(bends_.size(), run.last + 1 + bends_around);
  const auto part_of = [](const auto& list, std::size_t from, std::size_t to) {
    return std::vector(list.begin() + std::ptrdiff_t(from), list.begin() + std::ptrdiff_t(to));
  };
  GroundPath part = *this, before = part;
  before.start_ = low > 0 ? at(bends_[low - 1]) : start_;
  before.goal_ = high < bends_.size() ? at(bends_[high]) : goal_;
  before.bends_ = part_of(bends_, low, high);
  before.vias_ = part_of(vias_, low, high + 1);
  const double was = before.cost();
  for (const bool ccw : {true, false}) {
    std::vector<GroundBend> bends;
    std::vector<LinkVia> vias;
    if (!lead_around(run.vertex, in, out, ccw, bends, vias)) continue;
    const bool same = bends.size() == run.last - run.first + 1 &&
                      std::equal(bends.begin(), bends.end(), bends_.begin() + std::ptrdiff_t(run.first),
                                 [](const GroundBend& x, const GroundBend& y) { return x.edge == y.edge; });
    if (same) continue;
    GroundPath& other = part;
    other.start_ = before.start_, other.goal_ = before.goal_;
    other.bends_ = part_of(bends_, low, run.first);
    other.vias_ = part_of(vias_, low, run.first + 1);
    other.bends_.insert(other.bends_.end(), bends.begin(), bends.end());
    other.vias_.insert(other.vias_.end(), vias.begin(), vias.end());
    other.bends_.insert(other.bends_.end(), bends_.begin() + std::ptrdiff_t(run.last) + 1,
                        bends_.begin() + std::ptrdiff_t(high));
    other.vias_.insert(other.vias_.end(), vias_.begin() + std::ptrdiff_t(run.last) + 2,
                       vias_.begin() + std::ptrdiff_t(high) + 1);
    other.drop_needless_bends();
    other.slide();
    if (other.cost() < was * (1 - 1e-9)) {
      bends_.erase(bends_.begin() + std::ptrdiff_t(low), bends_.begin() + std::ptrdiff_t(high));
      vias_.erase(vias_.begin() + std::ptrdiff_t(low), vias_.begin() + std::ptrdiff_t(high) + 1);
      bends_.insert(bends_.begin() + std::ptrdiff_t(low), other.bends_.begin(), other.bends_.end());
      vias_.insert(vias_.begin() + std::ptrdiff_t(low), other.vias_.begin(), other.vias_.end());
      return true;
    }
  }
  return false;
}

/// Vertices are tried in the order of the path; after one that pays, from a little before it on, since its neighbours have moved.
void GroundPath::tighten() {
  drop_needless_bends();
  if (bends_.empty()) return;
  int tried = 0;
  for (int round = 0; round < most_rounds_of_sides; ++round) {
    slide();
    bool better = false;
    std::size_t from = 0;
    for (std::size_t i = 0; tried < most_sides_tried;) {
      const std::vector<Run> runs = runs_at_vertices();
      while (i < runs.size() && runs[i].last < from) ++i;
      if (i >= runs.size()) break;
      ++tried;
      from = runs[i].last + 1;
      if (!try_other_side(runs[i])) continue;
      better = true;
      from = runs[i].first - std::min(runs[i].first, bends_around);
      i = 0;
    }
    if (!better) return;
  }
  slide();
}

std::vector<GroundPath::Leg> GroundPath::legs() const {
  std::vector<Leg> legs;
  Vec2 last = start_;
  Index vertex = none;
  for (std::size_t i = 0; i <= bends_.size(); ++i) {
    const Vec2 here = i < bends_.size() ? at(bends_[i]) : goal_;
    const bool is_leg = distance(last, here) > no_leg || (i == bends_.size() && legs.empty());
    if (is_leg) legs.push_back({last, here, vias_[i], vertex}), last = here;
    if (i == bends_.size()) break;
    const Index at_bend = vertex_of(bends_[i]);
    if (is_leg || vertex == none) vertex = at_bend;
  }
  if (!legs.empty()) legs.back().to = goal_;
  return legs;
}

}  // namespace throng::routes
