#include "navmesh/node_of_sites.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "navmesh/axis_draft.hpp"

namespace throng::navmesh {
namespace {

using geometry::GridPoint;

/// high + low, |low| at most half a unit in the last place of high.
struct Twofold {
  double high = 0, low = 0;

  Twofold() = default;
  Twofold(double h) : high(h) {}  // NOLINT: numbers are numbers
  Twofold(double h, double l) : high(h), low(l) {}
  explicit Twofold(std::int64_t whole) : high(double(whole)), low(double(whole - std::int64_t(double(whole)))) {}
  [[nodiscard]] double value() const { return high + low; }
};

Twofold quick_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

Twofold exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

Twofold exact_product(double a, double b) {
  constexpr double splitter = 134217729;  // 2^27 + 1
  const double product = a * b, wide_a = splitter * a, wide_b = splitter * b;
  const double a1 = wide_a - (wide_a - a), a2 = a - a1, b1 = wide_b - (wide_b - b), b2 = b - b1;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

Twofold operator-(Twofold a) { return {-a.high, -a.low}; }
Twofold operator+(Twofold a, Twofold b) {
  const Twofold high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
  const Twofold sum = quick_sum(high.high, high.low + low.high);
  return quick_sum(sum.high, sum.low + low.low);
}
Twofold operator-(Twofold a, Twofold b) { return a + -b; }
Twofold operator*(Twofold a, Twofold b) {
  const Twofold product = exact_product(a.high, b.high);
  return quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
Twofold operator/(Twofold a, Twofold b) {
  const double first = a.high / b.high;
  const Twofold rest = a - b * Twofold(first);
  const double second = rest.high / b.high;
  const Twofold last = rest - b * Twofold(second);
  return quick_sum(first, second) + Twofold(last.high / b.high);
}
Twofold root_of(Twofold a) {
  if (!(a.high > 0)) return {};
  const double first = std::sqrt(a.high);
  const Twofold rest = a - exact_product(first, first);
  return quick_sum(first, rest.high / (2 * first));
}

struct TwofoldPoint {
  Twofold x, y;
};

std::int64_t dot_of(GridPoint d, GridPoint e) { return std::int64_t{d.x} * e.x + std::int64_t{d.y} * e.y; }
std::int64_t cross_of(GridPoint d, GridPoint e) { return std::int64_t{d.x} * e.y - std::int64_t{d.y} * e.x; }
GridPoint difference(GridPoint a, GridPoint b) { return {a.x - b.x, a.y - b.y}; }

/// To a corner, or to a segment's line.
Twofold distance_of(const BoundarySite& site, const TwofoldPoint& p) {
  const Twofold x = p.x - Twofold(double(site.a.x)), y = p.y - Twofold(double(site.a.y));
  if (site.is_corner()) return root_of(x * x + y * y);
  const GridPoint d = difference(site.b, site.a);
  const Twofold area = Twofold(double(d.x)) * y - Twofold(double(d.y)) * x;
  return area / root_of(Twofold(dot_of(d, d)));
}

/// Away from the nearest point.
Vec2 normal_of(const BoundarySite& site, Vec2 p) {
  const Vec2 away = site.is_corner() ? p - to_vec(site.a) : perpendicular(to_vec(site.b) - to_vec(site.a));
  const double size = std::sqrt(squared_length(away));
  return size > 0 ? away / size : Vec2{};
}

/// Where a segment gives way to the corner at its end, or to a segment that goes on in line: their common point.
std::optional<GridPoint> handover_of(const BoundarySite& s, const BoundarySite& t) {
  if (s.is_corner() && t.is_corner()) return std::nullopt;
  const BoundarySite& segment = s.is_corner() ? t : s;
  const BoundarySite& other = s.is_corner() ? s : t;
  const GridPoint d = difference(segment.b, segment.a), e = difference(other.b, other.a);
  if (!other.is_corner() && (cross_of(d, e) != 0 || dot_of(d, e) <= 0)) return std::nullopt;
  if (other.a == segment.b || other.a == segment.a) return other.a;
  if (other.b == segment.a || other.b == segment.b) return other.b;
  return std::nullopt;
}

/// On the line across `segment` through its point `end`, as far from it as from `other`.
NodePlace across(const BoundarySite& segment, GridPoint end, const BoundarySite& other) {
  const GridPoint d = difference(segment.b, segment.a), normal{-d.y, d.x};
  Twofold along;  // in normals
  if (other.is_corner()) {
    const GridPoint w = difference(end, other.a);
    along = Twofold(dot_of(w, w)) / Twofold(-2 * dot_of(normal, w));
  } else {
    const GridPoint e = difference(other.b, other.a);
    const Twofold size = root_of(Twofold(dot_of(d, d)) * Twofold(dot_of(e, e)));
    const Twofold turned(cross_of(e, normal));
    // size - turned, without loss of digits where the two are nearly parallel
    const Twofold dot(dot_of(e, normal));
    const Twofold apart = turned.high > 0 ? dot * dot / (size + turned) : size - turned;
    along = Twofold(cross_of(e, difference(end, other.a))) / apart;
  }
  const Twofold x = Twofold(double(end.x)) + Twofold(double(normal.x)) * along;
  const Twofold y = Twofold(double(end.y)) + Twofold(double(normal.y)) * along;
  return {{x.value(), y.value()}, (along * root_of(Twofold(dot_of(d, d)))).value()};
}

using Triple = std::array<const BoundarySite*, 3>;

double spread_of(const Triple& three, Vec2 p) {
  const Vec2 n = normal_of(*three[0], p);
  return std::abs(cross(n - normal_of(*three[1], p), n - normal_of(*three[2], p)));
}

/// The first three sites whose directions are well apart, or else those that are most; none where all have handovers.
std::optional<Triple> deciding(std::span<const BoundarySite* const> sites, Vec2 p) {
  constexpr double well_apart = 0.05;
  std::optional<Triple> best;
  double widest = -1;
  for (std::size_t i = 0; i < sites.size(); ++i)
    for (std::size_t j = i + 1; j < sites.size(); ++j) {
      if (handover_of(*sites[i], *sites[j])) continue;
      for (std::size_t k = j + 1; k < sites.size(); ++k) {
        if (handover_of(*sites[i], *sites[k]) || handover_of(*sites[j], *sites[k])) continue;
        const Triple three{sites[i], sites[j], sites[k]};
        const double spread = spread_of(three, p);
        if (spread > widest) widest = spread, best = three;
        if (widest >= well_apart) return best;
      }
    }
  return best;
}

std::optional<NodePlace> handover_node(std::span<const BoundarySite* const> sites) {
  for (std::size_t i = 0; i < sites.size(); ++i)
    for (std::size_t j = i + 1; j < sites.size(); ++j) {
      const std::optional<GridPoint> end = handover_of(*sites[i], *sites[j]);
      if (!end) continue;
      for (const BoundarySite* other : sites) {
        if (other == sites[i] || other == sites[j]) continue;
        if (handover_of(*sites[i], *other) || handover_of(*sites[j], *other)) continue;
        return across(sites[i]->is_corner() ? *sites[j] : *sites[i], *end, *other);
      }
    }
  return std::nullopt;
}

NodePlace refined(const Triple& three, Vec2 start) {
  constexpr double near_enough = 1e-13;  // what remains after a step is below its product with the rounding of doubles
  TwofoldPoint p{start.x, start.y};
  for (int step = 0; step < 6; ++step) {
    const Vec2 at{p.x.value(), p.y.value()};
    const Twofold r = distance_of(*three[0], p);
    const double f = (r - distance_of(*three[1], p)).value(), g = (r - distance_of(*three[2], p)).value();
    const Vec2 n = normal_of(*three[0], at);
    const Vec2 df = n - normal_of(*three[1], at), dg = n - normal_of(*three[2], at);
    const double determinant = cross(df, dg);
    const Vec2 move{(g * df.y - f * dg.y) / determinant, (f * dg.x - g * df.x) / determinant};
    if (!(std::abs(move.x) < 1) || !(std::abs(move.y) < 1)) break;  // no such point near by
    p = {p.x + Twofold(move.x), p.y + Twofold(move.y)};
    if (std::abs(move.x) + std::abs(move.y) < near_enough) break;
  }
  return {{p.x.value(), p.y.value()}, distance_of(*three[0], p).value()};
}

}  // namespace

NodePlace node_of_sites(std::span<const BoundarySite* const> sites, Vec2 guess) {
  constexpr double coarse = 1 << 20;
  const Vec2 start{std::floor(guess.x * coarse + 0.5) / coarse, std::floor(guess.y * coarse + 0.5) / coarse};
  if (const std::optional<Triple> three = deciding(sites, start)) return refined(*three, start);
  if (const std::optional<NodePlace> place = handover_node(sites)) return *place;
  return {guess, sites.empty() ? 0 : distance_of(*sites[0], {guess.x, guess.y}).value()};
}

}  // namespace throng::navmesh
