#include "environment/osm/osm_indoor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "environment/osm/widened_line.hpp"

namespace throng::environment {
namespace {

/// Metres; flights nearer than this share snapped points.
constexpr double apart_by = 0.02;
constexpr double highest_level = 1000;

std::optional<double> take_number(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(std::abs(number) <= highest_level)) return std::nullopt;
  text.remove_prefix(std::size_t(stop - text.data()));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return number + 0.0;  // -0 is 0
}

/// One part of a list of levels: a number, or a range of them. False where it is neither.
bool take_levels(std::string_view text, std::vector<double>& out) {
  const std::optional<double> first = take_number(text);
  if (!first) return false;
  out.push_back(*first);
  if (text.empty()) return true;
  if (text.front() != '-') return false;
  text.remove_prefix(1);
  const std::optional<double> last = take_number(text);
  if (!last || !text.empty() || *last < *first || *last - *first > most_levels) return false;
  for (double level = *first + 1; level <= *last; level += 1) out.push_back(level);
  return true;
}

/// Whether some side of one convex ring has all of the other beyond it.
bool has_separating_side(const Ring& one, const Ring& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    const Vec2 a = one[i], side = one[(i + 1) % one.size()] - a;
    const double margin = apart_by * std::sqrt(squared_length(side));
    if (std::all_of(other.begin(), other.end(), [&](Vec2 p) { return cross(side, p - a) < -margin; })) return true;
  }
  return false;
}

bool apart(const Ring& one, const Ring& other) {
  return has_separating_side(one, other) || has_separating_side(other, one);
}

bool apart(const Ring& ring, const std::vector<Ring>& others) {
  return std::all_of(others.begin(), others.end(), [&](const Ring& other) { return apart(ring, other); });
}

/// The end edge of a flight and what lies in front of it.
struct End {
  Vec2 left, right;
  Ring landing;
};

/// At the point `at`, walking on in the direction of `ahead`.
End end_of(Vec2 at, Vec2 from, double half) {
  const Vec2 along = at - from;
  const Vec2 d = along / std::sqrt(squared_length(along));
  const Vec2 n = perpendicular(d) * half;
  const Vec2 left = rounded_to_mm(at + n), right = rounded_to_mm(at - n);
  return {
      left, right, {right, rounded_to_mm(at - n + d * landing_depth), rounded_to_mm(at + n + d * landing_depth), left}};
}

}  // namespace

std::vector<double> parse_levels(std::string_view text) {
  std::vector<double> out;
  while (true) {
    const std::size_t end = text.find(';');
    if (!take_levels(text.substr(0, end), out) || out.size() > std::size_t(most_levels)) return {};
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void LevelLayers::make(std::vector<Layer>& layers) {
  for (auto& [level, index] : levels_) {
    if (level == 0) continue;  // the ground is there already
    index = layers.size();
    layers.push_back({fmt::format("level {}", level), {.z = height_of(level)}});
  }
}

std::optional<std::size_t> LevelLayers::layer_of(double level) const {
  const auto found = levels_.find(level);
  return found == levels_.end() ? std::nullopt : std::optional(found->second);
}

std::string FlightBuilder::add(const Flight& flight) {
  const auto lower = levels_.layer_of(flight.lower), upper = levels_.layer_of(flight.upper);
  if (!lower || !upper) return "one of its levels has no rooms or corridors to lead to";
  Line line;
  for (const Vec2 p : flight.line)
    if (const Vec2 q = rounded_to_mm(p); line.empty() || !(line.back() == q)) line.push_back(q);
  if (line.size() < 2 || line.front() == line.back()) return "it leads nowhere";
  Footprint footprint{widened(line, flight.width), {}, {}};
  if (footprint.strip.empty()) return "it has no length";
  const End low = end_of(line[0], line[1], flight.width / 2);
  const End high = end_of(line.back(), line[line.size() - 2], flight.width / 2);
  footprint.lower_landing = low.landing, footprint.upper_landing = high.landing;
  for (std::size_t i = 0; i < footprint.strip.size(); ++i) {
    const Ring& part = footprint.strip[i].outer;
    const bool bends_back =
        (i > 0 && !apart(low.landing, part)) || (i + 1 < footprint.strip.size() && !apart(high.landing, part));
    if (bends_back || !apart(part, taken_[*lower]) || !apart(part, taken_[*upper]))
      return bends_back ? "it bends back onto its own end" : "it touches other stairs on the same level";
  }
  if (!apart(low.landing, taken_[*lower]) || !apart(high.landing, taken_[*upper]))
    return "it begins or ends where other stairs do";

  add_on_level(footprint, footprint.lower_landing, *lower, flight.label);
  add_on_level(footprint, footprint.upper_landing, *upper, flight.label);
  const std::size_t own = environment_.layers.size();
  environment_.layers.push_back({"stairs " + flight.label,
                                 {.ramp = true,
                                  .stairs = flight.stairs,
                                  .from = line.front(),
                                  .to = line.back(),
                                  .z_from = levels_.height_of(flight.lower),
                                  .z_to = levels_.height_of(flight.upper)}});
  environment_.features.push_back({.kind = Kind::walkable, .layer = own, .polygons = footprint.strip});
  connections_.push_back(
      {.kind = Kind::connection, .layer = *lower, .other_layer = own, .lines = {{low.left, low.right}}});
  connections_.push_back(
      {.kind = Kind::connection, .layer = *upper, .other_layer = own, .lines = {{high.left, high.right}}});
  return {};
}

void FlightBuilder::add_on_level(const Footprint& footprint, const Ring& landing, std::size_t layer,
                                 const std::string& label) {
  std::vector<Ring>& taken = taken_[layer];
  taken.push_back(landing);
  for (const Polygon& part : footprint.strip) taken.push_back(part.outer);
  // The ground is walkable as it is; the floors of other levels may end where the stairs begin.
  if (layer != 0)
    environment_.features.push_back({.kind = Kind::walkable, .layer = layer, .polygons = {{landing, {}}}});
  std::vector<Polygon> cleared = footprint.strip;
  cleared.push_back({landing, {}});
  environment_.features.push_back({.kind = Kind::opening, .layer = layer, .polygons = std::move(cleared)});
  environment_.features.push_back({.kind = Kind::obstacle, .layer = layer, .polygons = footprint.strip, .id = label});
}

}  // namespace throng::environment
