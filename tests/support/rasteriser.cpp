#include "support/rasteriser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "support/random.hpp"

namespace throng::test {

namespace {

using namespace environment;

struct Edge {
  Vec2 a, b;
};

double distance_of(const Edge& edge, Vec2 p) {
  const Vec2 d = edge.b - edge.a;
  const double length2 = squared_length(d);
  const double t = length2 == 0 ? 0 : std::clamp(dot(p - edge.a, d) / length2, 0.0, 1.0);
  return std::sqrt(squared_length(p - (edge.a + t * d)));
}

/// Edges in square buckets, for the distance to the nearest of them.
class EdgeBuckets {
 public:
  explicit EdgeBuckets(std::vector<Edge> edges) : edges_(std::move(edges)) {
    if (edges_.empty()) return;
    Vec2 high = low_ = edges_[0].a;
    for (const Edge& e : edges_)
      for (const Vec2 p : {e.a, e.b}) {
        low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
    size_ = std::max({(high.x - low_.x) / 200, (high.y - low_.y) / 200, 1e-6});
    columns_ = int((high.x - low_.x) / size_) + 1;
    rows_ = int((high.y - low_.y) / size_) + 1;
    buckets_.resize(std::size_t(columns_) * std::size_t(rows_));
    for (std::size_t i = 0; i < edges_.size(); ++i)
      for_each_bucket(edges_[i], 0, [&](std::vector<std::size_t>& bucket) { bucket.push_back(i); });
  }

  /// The distance to the nearest edge, if that is at most `reach`; infinite if not.
  [[nodiscard]] double distance(Vec2 p, double reach) const {
    double nearest = std::numeric_limits<double>::infinity();
    for_each_bucket({p, p}, reach, [&](const std::vector<std::size_t>& bucket) {
      for (const std::size_t i : bucket) nearest = std::min(nearest, distance_of(edges_[i], p));
    });
    return nearest <= reach ? nearest : std::numeric_limits<double>::infinity();
  }

  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

 private:
  template <class Self, class Visit>
  static void visit_buckets(Self& self, const Edge& e, double margin, Visit&& visit) {
    const auto column = [&](double x) { return std::clamp(int((x - self.low_.x) / self.size_), 0, self.columns_ - 1); };
    const auto row = [&](double y) { return std::clamp(int((y - self.low_.y) / self.size_), 0, self.rows_ - 1); };
    if (self.buckets_.empty()) return;
    const double half = 0.71 * self.size_;
    for (int i = column(std::min(e.a.x, e.b.x) - margin); i <= column(std::max(e.a.x, e.b.x) + margin); ++i)
      for (int k = row(std::min(e.a.y, e.b.y) - margin); k <= row(std::max(e.a.y, e.b.y) + margin); ++k) {
        // Long slanted edges pass few of the buckets in their box.
        const Vec2 middle{self.low_.x + (i + 0.5) * self.size_, self.low_.y + (k + 0.5) * self.size_};
        if (distance_of(e, middle) <= half + margin)
          visit(self.buckets_[std::size_t(k) * std::size_t(self.columns_) + std::size_t(i)]);
      }
  }
  template <class Visit>
  void for_each_bucket(const Edge& e, double margin, Visit&& visit) {
    visit_buckets(*this, e, margin, visit);
  }
  template <class Visit>
  void for_each_bucket(const Edge& e, double margin, Visit&& visit) const {
    visit_buckets(*this, e, margin, visit);
  }

  std::vector<Edge> edges_;
  std::vector<std::vector<std::size_t>> buckets_;
  Vec2 low_;
  double size_ = 1;
  int columns_ = 0, rows_ = 0;
};

/// A polygon as the scanlines see it: its edges, and what it says about the ground it covers.
struct Shape {
  std::vector<Edge> edges;
  double low = 0, high = 0;  ///< in y
  std::size_t feature = 0;

  void add_ring(const std::vector<Vec2>& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) edges.push_back({ring[i], ring[(i + 1) % ring.size()]});
  }
  void close() {
    low = high = edges[0].a.y;
    for (const Edge& e : edges) low = std::min(low, e.a.y), high = std::max(high, e.a.y);
  }
};

/// A place along a scanline where a shape begins or ends.
struct Event {
  double x = 0;
  bool inside = false;
  std::size_t feature = 0;
};

std::vector<Event> events_on(const std::vector<Shape>& shapes, double y) {
  std::vector<Event> events;
  std::vector<double> crossings;
  for (const Shape& shape : shapes) {
    if (y < shape.low || y > shape.high) continue;
    crossings.clear();
    for (const Edge& e : shape.edges)
      if ((e.a.y > y) != (e.b.y > y)) crossings.push_back(e.a.x + (y - e.a.y) / (e.b.y - e.a.y) * (e.b.x - e.a.x));
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t i = 0; i < crossings.size(); ++i) events.push_back({crossings[i], i % 2 == 0, shape.feature});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.x < b.x; });
  return events;
}

/// What the ground is from x on: "" where nothing is free, else "free", its region and its areas.
struct Ground {
  double x = 0;
  std::string what;
};
using Strip = std::vector<Ground>;

void append(Strip& strip, double x, std::string what) {
  if (!strip.empty() && strip.back().x == x) strip.pop_back();
  if (strip.empty() ? !what.empty() : strip.back().what != what) strip.push_back({x, std::move(what)});
}

std::string name_ground(const std::string& region, const std::set<std::string>& areas) {
  std::string what = "free";
  if (!region.empty()) what += ", region " + region;
  for (const std::string& area : areas) what += ", area " + area;
  return what;
}

/// The source features of one layer.
class SourceLayer {
 public:
  SourceLayer(const Environment& environment, std::size_t layer) : environment_(environment) {
    bool any_walkable = false;
    for (std::size_t f = 0; f < environment.features.size(); ++f) {
      const Feature& feature = environment.features[f];
      const bool here = feature.layer == layer || (feature.kind == Kind::connection && feature.other_layer == layer);
      if (!here) continue;
      any_walkable |= feature.kind == Kind::walkable;
      for (const Polygon& polygon : feature.polygons) add_polygon(polygon, f);
      for (const Line& line : feature.lines) add_line(line, f);
    }
    if (!any_walkable) add_box();
  }

  [[nodiscard]] Strip strip(double y) const {
    Strip strip;
    std::map<std::size_t, int> covering;  // parts of a feature may overlap
    for (const Event& event : events_on(shapes_, y)) {
      covering[event.feature] += event.inside ? 1 : -1;
      append(strip, event.x, ground_of(covering));
    }
    return strip;
  }

  [[nodiscard]] std::string at(Vec2 p) const {
    std::string what;
    for (const Ground& ground : strip(p.y))
      if (ground.x <= p.x) what = ground.what;
    return what;
  }

  /// Whether an opening later than feature f covers p.
  [[nodiscard]] bool opened(Vec2 p, std::size_t f) const {
    std::map<std::size_t, int> covering;
    for (const Event& event : events_on(shapes_, p.y))
      if (event.x <= p.x) covering[event.feature] += event.inside ? 1 : -1;
    return std::any_of(covering.begin(), covering.end(), [&](const auto& entry) {
      return entry.second > 0 && entry.first != box && entry.first > f &&
             environment_.features[entry.first].kind == Kind::opening;
    });
  }

  struct WallEdge {
    Edge edge;
    std::size_t feature = 0;
  };
  [[nodiscard]] const std::vector<Edge>& all_edges() const { return all_edges_; }
  [[nodiscard]] const std::vector<Edge>& bounding_edges() const { return bounding_edges_; }
  [[nodiscard]] const std::vector<WallEdge>& walls() const { return walls_; }

 private:
  static constexpr std::size_t box = ~std::size_t{0};

  void add_polygon(const Polygon& polygon, std::size_t f) {
    Shape shape;
    shape.feature = f;
    shape.add_ring(polygon.outer);
    for (const Ring& hole : polygon.holes) shape.add_ring(hole);
    shape.close();
    all_edges_.insert(all_edges_.end(), shape.edges.begin(), shape.edges.end());
    const Kind kind = environment_.features[f].kind;
    if (kind != Kind::region && kind != Kind::area)
      bounding_edges_.insert(bounding_edges_.end(), shape.edges.begin(), shape.edges.end());
    shapes_.push_back(std::move(shape));
  }

  void add_line(const Line& line, std::size_t f) {
    for (std::size_t i = 1; i < line.size(); ++i) {
      const Edge edge{line[i - 1], line[i]};
      all_edges_.push_back(edge);
      bounding_edges_.push_back(edge);
      if (environment_.features[f].kind == Kind::obstacle) walls_.push_back({edge, f});
    }
  }

  void add_box() {
    Vec2 low = all_edges_[0].a, high = low;
    for (const Edge& e : all_edges_)
      for (const Vec2 p : {e.a, e.b}) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
    Shape shape;
    shape.feature = box;
    shape.add_ring({low, {high.x, low.y}, high, {low.x, high.y}});
    shape.close();
    all_edges_.insert(all_edges_.end(), shape.edges.begin(), shape.edges.end());
    bounding_edges_.insert(bounding_edges_.end(), shape.edges.begin(), shape.edges.end());
    shapes_.push_back(std::move(shape));
  }

  [[nodiscard]] std::string ground_of(const std::map<std::size_t, int>& covering) const {
    bool walkable = false, blocked = false;
    std::string region;
    std::set<std::string> areas;
    for (const auto& [f, count] : covering) {  // in file order
      if (count <= 0) continue;
      if (f == box) {
        walkable = true;
        continue;
      }
      const Feature& feature = environment_.features[f];
      switch (feature.kind) {
        case Kind::walkable: walkable = true; break;
        case Kind::obstacle: blocked = true; break;
        case Kind::opening: blocked = false; break;
        case Kind::region: region = feature.type; break;
        case Kind::area: areas.insert(feature.name); break;
        case Kind::connection: break;
      }
    }
    return walkable && !blocked ? name_ground(region, areas) : "";
  }

  const Environment& environment_;
  std::vector<Shape> shapes_;
  std::vector<Edge> all_edges_, bounding_edges_;
  std::vector<WallEdge> walls_;
};

/// The polygons of one cleaned layer, in metres.
class CleanedLayer {
 public:
  CleanedLayer(const CleanEnvironment& clean, std::size_t layer) : grid_(clean.grid), layer_(clean.layers[layer]) {
    add_polygons(layer_.free, 0);
    for (std::size_t i = 0; i < layer_.regions.size(); ++i) add_polygons(layer_.regions[i].polygons, 1 + i);
    for (std::size_t i = 0; i < layer_.areas.size(); ++i)
      add_polygons(layer_.areas[i].polygons, 1 + layer_.regions.size() + i);
    for (const GridPolygon& polygon : layer_.free) {
      add_boundary(polygon.outer, true);
      for (const GridRing& hole : polygon.holes) add_boundary(hole, true);
    }
    for (const Wall& wall : layer_.walls) add_boundary(wall.points, false);
  }

  [[nodiscard]] Strip strip(double y) const {
    Strip strip;
    std::map<std::size_t, int> covering;
    for (const Event& event : events_on(shapes_, y)) {
      covering[event.feature] += event.inside ? 1 : -1;
      append(strip, event.x, ground_of(covering));
    }
    return strip;
  }

  [[nodiscard]] const std::vector<Edge>& boundary() const { return boundary_; }

 private:
  [[nodiscard]] std::vector<Vec2> to_world(const std::vector<GridPoint>& points) const {
    std::vector<Vec2> world;
    for (const GridPoint p : points) world.push_back(grid_.to_world(p));
    return world;
  }

  void add_polygons(const std::vector<GridPolygon>& polygons, std::size_t group) {
    for (const GridPolygon& polygon : polygons) {
      Shape shape;
      shape.feature = group;
      shape.add_ring(to_world(polygon.outer));
      for (const GridRing& hole : polygon.holes) shape.add_ring(to_world(hole));
      shape.close();
      shapes_.push_back(std::move(shape));
    }
  }

  void add_boundary(const std::vector<GridPoint>& points, bool closed) {
    const std::vector<Vec2> world = to_world(points);
    for (std::size_t i = closed ? 0 : 1; i < world.size(); ++i)
      boundary_.push_back({world[(i + world.size() - 1) % world.size()], world[i]});
  }

  [[nodiscard]] std::string ground_of(const std::map<std::size_t, int>& covering) const {
    const auto covers = [&](std::size_t group) {
      const auto found = covering.find(group);
      return found != covering.end() && found->second > 0;
    };
    if (!covers(0)) return "";
    std::string region;
    std::set<std::string> areas;
    for (std::size_t i = 0; i < layer_.regions.size(); ++i)
      if (covers(1 + i)) region = layer_.regions[i].type;
    for (std::size_t i = 0; i < layer_.areas.size(); ++i)
      if (covers(1 + layer_.regions.size() + i)) areas.insert(layer_.areas[i].name);
    return name_ground(region, areas);
  }

  const geometry::SnapGrid& grid_;
  const CleanLayer& layer_;
  std::vector<Shape> shapes_;
  std::vector<Edge> boundary_;
};

/// Calls visit(from, to, one, other) for every span on which two strips differ.
template <class Visit>
void for_each_difference(const Strip& one, const Strip& other, Visit&& visit) {
  std::size_t i = 0, k = 0;
  std::string here, there;
  double x = 0;
  while (i < one.size() || k < other.size()) {
    const bool from_one = k == other.size() || (i < one.size() && one[i].x <= other[k].x);
    const double next = from_one ? one[i].x : other[k].x;
    if (here != there && next > x) visit(x, next, here, there);
    x = next;
    (from_one ? here : there) = from_one ? one[i++].what : other[k++].what;
  }
}

double total_length(const std::vector<Edge>& edges) {
  double sum = 0;
  for (const Edge& e : edges) sum += std::sqrt(squared_length(e.b - e.a));
  return sum;
}

/// Farther than anything rounding could do; what lies beyond is reported as this far.
constexpr double far_in_units = 1000;

double units_from(const EdgeBuckets& edges, Vec2 p, double unit) {
  const double near = edges.distance(p, 4 * unit);  // most are, and a short reach is quick
  return std::min(std::isfinite(near) ? near / unit : edges.distance(p, far_in_units * unit) / unit, far_in_units);
}

void compare_layer(const Environment& source, const CleanEnvironment& clean, std::size_t layer, int scanlines,
                   Random& random, Difference& difference) {
  const SourceLayer given(source, layer);
  const CleanedLayer cleaned(clean, layer);
  const EdgeBuckets edges(given.all_edges());
  difference.edge_length += total_length(given.all_edges());
  double low = given.all_edges()[0].a.y, high = low;
  for (const Edge& e : given.all_edges()) low = std::min({low, e.a.y, e.b.y}), high = std::max({high, e.a.y, e.b.y});
  const double unit = clean.grid.unit();
  for (int line = 0; line < scanlines; ++line) {
    const double y = low + (high - low) * (line + random.uniform(0, 1)) / scanlines;
    for_each_difference(
        given.strip(y), cleaned.strip(y), [&](double from, double to, const std::string& said, const std::string& is) {
          difference.area += (to - from) * (high - low) / scanlines;
          const int steps = std::clamp(int((to - from) / unit), 2, 40);
          for (int step = 0; step <= steps; ++step) {
            const Vec2 p{from + (to - from) * step / steps, y};
            const double d = units_from(edges, p, unit);
            if (d <= difference.worst) continue;
            difference.worst = d;
            difference.where = fmt::format("layer {} at ({:.4f}, {:.4f}): the source says '{}', cleaned it is '{}'",
                                           layer, p.x, p.y, said, is);
          }
        });
  }
}

}  // namespace

Difference compare_with_source(const Environment& source, const CleanEnvironment& clean, int scanlines,
                               std::uint64_t seed) {
  Difference difference;
  Random random(seed);
  for (std::size_t layer = 0; layer < clean.layers.size(); ++layer)
    compare_layer(source, clean, layer, scanlines, random, difference);
  return difference;
}

namespace {

/// Samples along edges, so that long edges get more of them.
template <class Visit>
void sample(const std::vector<Edge>& edges, int samples, Random& random, Visit&& visit) {
  const double spacing = std::max(total_length(edges) / samples, 1e-9);
  double next = random.uniform(0, spacing);
  for (const Edge& e : edges) {
    const double length = std::sqrt(squared_length(e.b - e.a));
    for (; next < length; next += spacing) visit(e, e.a + (next / length) * (e.b - e.a));
    next -= length;
  }
}

class BoundaryCheck {
 public:
  BoundaryCheck(const Environment& source, const CleanEnvironment& clean, std::size_t layer, BoundaryDistance& result)
      : given_(source, layer),
        cleaned_(clean, layer),
        given_edges_(given_.bounding_edges()),
        cleaned_edges_(cleaned_.boundary()),
        unit_(clean.grid.unit()),
        layer_(layer),
        result_(result) {}

  void run(int samples, Random& random) {
    for (const Edge& e : cleaned_.boundary()) note(e.a, given_edges_, result_.clean_to_source, "cleaned vertex");
    sample(cleaned_.boundary(), samples, random,
           [&](const Edge&, Vec2 p) { note(p, given_edges_, result_.clean_to_source, "cleaned edge"); });
    sample(given_.bounding_edges(), samples, random, [&](const Edge& e, Vec2 p) {
      if (bounds(e, p)) note(p, cleaned_edges_, result_.source_to_clean, "source edge");
    });
    for (const SourceLayer::WallEdge& wall : given_.walls()) {
      const Vec2 p = wall.edge.a + random.uniform(0, 1) * (wall.edge.b - wall.edge.a);
      if (stands_free(wall, p)) note(p, cleaned_edges_, result_.source_to_clean, "source wall");
    }
  }

 private:
  enum class Side { blocked, thin, free };

  /// What lies beside an edge, to the side that `towards` (+1 left, -1 right) points to. Free space that ends within three units is thin:
  /// rounding may close it.
  [[nodiscard]] Side beside(const Edge& e, Vec2 p, double towards) const {
    const Vec2 d = e.b - e.a;
    const double length = std::sqrt(squared_length(d));
    if (length == 0) return Side::thin;
    const Vec2 aside = (towards * unit_ / length) * perpendicular(d);
    if (given_.at(p + 0.001 * aside).empty()) return Side::blocked;
    for (const double units : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0})
      if (given_.at(p + units * aside).empty()) return Side::thin;
    return Side::free;
  }
  [[nodiscard]] bool bounds(const Edge& e, Vec2 p) const {
    const Side left = beside(e, p, +1), right = beside(e, p, -1);
    if (left == Side::free && right == Side::blocked) return !is_sliver(e, p, -1);
    return left == Side::blocked && right == Side::free && !is_sliver(e, p, +1);
  }
  /// What an opening left of an obstacle, thinner than rounding can tell: it may go.
  [[nodiscard]] bool is_sliver(const Edge& e, Vec2 p, double towards) const {
    const Vec2 d = e.b - e.a;
    const Vec2 aside = (towards * unit_ / std::sqrt(squared_length(d))) * perpendicular(d);
    for (const double units : {0.5, 1.0, 1.5}) {
      const Vec2 beyond = p + units * aside;
      if (!given_.at(beyond).empty() && given_.opened(beyond, 0)) return true;
    }
    return false;
  }
  [[nodiscard]] bool stands_free(const SourceLayer::WallEdge& wall, Vec2 p) const {
    return beside(wall.edge, p, +1) == Side::free && beside(wall.edge, p, -1) == Side::free &&
           !given_.opened(p, wall.feature);
  }

  void note(Vec2 p, const EdgeBuckets& others, double& worst, const char* what) {
    const double d = units_from(others, p, unit_);
    if (d <= worst) return;
    worst = d;
    if (d == std::max(result_.clean_to_source, result_.source_to_clean))
      result_.where = fmt::format("layer {}, {} at ({:.4f}, {:.4f})", layer_, what, p.x, p.y);
  }

  SourceLayer given_;
  CleanedLayer cleaned_;
  EdgeBuckets given_edges_, cleaned_edges_;
  double unit_;
  std::size_t layer_;
  BoundaryDistance& result_;
};

}  // namespace

BoundaryDistance boundary_distance(const Environment& source, const CleanEnvironment& clean, int samples,
                                   std::uint64_t seed) {
  BoundaryDistance result;
  Random random(seed);
  for (std::size_t layer = 0; layer < clean.layers.size(); ++layer)
    BoundaryCheck(source, clean, layer, result).run(samples, random);
  return result;
}

}  // namespace throng::test
