#include "support/shortest_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace throng::test {
namespace {

constexpr double right_angle = std::numbers::pi / 2;
/// Units by which a way must be shorter to count as another: far below a nanometre.
constexpr double same_length = 1e-9;
/// Radians below which a stretch of an arc is a point.
constexpr double no_stretch = 1e-11;

}  // namespace

ShortestOracle::ShortestOracle(const environment::CleanEnvironment& world, double radius)
    : grid_(world.grid),
      surface_(world),
      wedges_(corner_wedges(surface_)),
      radius_(radius / world.grid.unit()),
      kept_(std::max(0.0, radius - touching) / world.grid.unit()),
      arcs_(wedges_.size()),
      labels_of_(2 * wedges_.size()) {}

/// For sense +1 a way touches the corner on its left and goes around counterclockwise: its direction is the normal turned left.
std::optional<ShortestOracle::Tangent> ShortestOracle::tangent(std::uint32_t from_turn, std::uint32_t to_turn) const {
  const bool starts = from_turn == at_end, ends = to_turn == at_end;
  const Vec2 from = starts ? start_.at : wedge_of(from_turn).at, to = ends ? goal_.at : wedge_of(to_turn).at;
  const double apart = length(to - from);
  if (apart == 0) return std::nullopt;
  const Vec2 ahead = (to - from) / apart;
  const double from_sense = starts ? 0 : sense(from_turn), to_sense = ends ? 0 : sense(to_turn);
  // How far the two discs lie to the right of the line from middle to middle, where it touches them, tells how much it is turned.
  const double across = radius_ * (from_sense - to_sense) / apart;
  if (std::abs(across) > 1 + CornerWedge::turned) return std::nullopt;
  const double along = std::sqrt(std::max(0.0, 1 - across * across));
  // The unit vector to the right of the tangent.
  const Vec2 right = -perpendicular(ahead) * along + ahead * across;
  Tangent line{right * from_sense, right * to_sense, {}, {}, apart * along};
  line.from = from + line.leaves * radius_;
  line.to = to + line.arrives * radius_;
  return line;
}

std::optional<double> ShortestOracle::roll(const Label& label, const Tangent& tangent) const {
  const CornerWedge& wedge = wedge_of(label.turn);
  if (!wedge.may_be_touched(tangent.leaves)) return std::nullopt;
  const auto angle = wedge.angle_of(tangent.leaves);
  if (!angle || *angle < label.arc.least - CornerWedge::turned || *angle > label.arc.most + CornerWedge::turned)
    return std::nullopt;
  const double turned = (*angle - label.angle) * sense(label.turn);
  if (turned < -CornerWedge::turned) return std::nullopt;
  return std::max(0.0, turned) * radius_;
}

/// From the corner to the middle of a disc that touches it.
std::optional<std::size_t> ShortestOracle::layer_of_touch(const CornerWedge& wedge, Vec2 normal) const {
  const auto angle = wedge.angle_of(normal);
  if (!angle) return std::nullopt;
  if (surface_.layer_count() == 1) return wedge.sectors.front().layer;
  return surface_.sight({wedge.at, wedge.layer_at(*angle)}, wedge.at + normal * radius_);
}

bool ShortestOracle::is_free(std::uint32_t from_turn, std::uint32_t to_turn, const Tangent& tangent) const {
  if (radius_ > 0) {
    const auto from = from_turn == at_end ? start_.layer : layer_of_touch(wedge_of(from_turn), tangent.leaves);
    const auto to = to_turn == at_end ? goal_.layer : layer_of_touch(wedge_of(to_turn), tangent.arrives);
    if (!from || !to) return false;
    const auto arrived = surface_.slide({tangent.from, *from}, tangent.to, kept_);
    return arrived && surface_.is_in({tangent.to, *arrived}, *to);
  }
  return is_free_for_point(from_turn, to_turn, tangent);
}

/// A point is at the corner itself: the direction it goes in, or comes from, tells its layer.
bool ShortestOracle::is_free_for_point(std::uint32_t from_turn, std::uint32_t to_turn, const Tangent& tangent) const {
  std::size_t layer = start_.layer;
  if (from_turn != at_end) {
    const CornerWedge& wedge = wedge_of(from_turn);
    layer = wedge.layer_at(*wedge.angle_of(tangent.leaves) + sense(from_turn) * right_angle);
  }
  const auto arrived = surface_.sight({tangent.from, layer}, tangent.to);
  if (!arrived || to_turn == at_end) return arrived && *arrived == goal_.layer;
  // Along a thin wall it stays on the side that it came on.
  if (from_turn != at_end && from_turn % 2 != to_turn % 2 && surface_.has_wall(layer, tangent.from, tangent.to))
    return false;
  const CornerWedge& wedge = wedge_of(to_turn);
  return wedge.leads_into(*wedge.angle_of(tangent.arrives) - sense(to_turn) * right_angle, *arrived);
}

bool ShortestOracle::has_room(const CornerWedge& wedge, double angle) const {
  const Vec2 normal = wedge.direction(angle);
  const auto layer = layer_of_touch(wedge, normal);
  const Vec2 middle = wedge.at + normal * radius_;
  return layer && surface_.slide({middle, *layer}, middle, kept_);
}

/// Those of all edges near enough in any layer: where one lies elsewhere an arc is cut in two that are joined again.
std::vector<double> ShortestOracle::angles_where_room_may_end(const CornerWedge& wedge) const {
  std::vector<double> angles{wedge.least, wedge.most};
  const auto add = [&](double direction) {
    const auto angle = wedge.angle_of({std::cos(direction), std::sin(direction)});
    if (angle && *angle > wedge.least && *angle < wedge.most) angles.push_back(*angle);
  };
  const auto add_both = [&](Vec2 towards, double cosine) {
    if (std::abs(cosine) > 1) return;
    const double middle = std::atan2(towards.y, towards.x), opening = std::acos(cosine);
    add(middle + opening);
    add(middle - opening);
  };
  const auto add_edge = [&](const WalledSurface::Edge& edge) {
    for (const Vec2 end : {edge.a - wedge.at, edge.b - wedge.at}) {
      const double away = length(end);
      if (away > 0) add_both(end, (away * away + radius_ * radius_ - kept_ * kept_) / (2 * away * radius_));
    }
    const Vec2 left = perpendicular(edge.b - edge.a) / length(edge.b - edge.a);
    const double height = dot(left, wedge.at - edge.a);
    for (const double side : {kept_, -kept_}) add_both(left, (side - height) / radius_);
  };
  for (std::size_t layer = 0; layer < surface_.layer_count(); ++layer)
    surface_.near_line(layer, wedge.at, wedge.at, 2 * radius_,
                       [&](std::size_t i) { return add_edge(surface_.edges()[i]), true; });
  std::sort(angles.begin(), angles.end());
  return angles;
}

const std::vector<ShortestOracle::Arc>& ShortestOracle::arcs_of(std::uint32_t index) {
  std::optional<std::vector<Arc>>& arcs = arcs_[index];
  if (arcs) return *arcs;
  arcs.emplace();
  const CornerWedge& wedge = wedges_[index];
  // A point turns on the spot, and a flat corner is touched in one direction only.
  if (radius_ == 0 || wedge.most - wedge.least < no_stretch) {
    arcs->push_back({std::min(wedge.least, wedge.most), wedge.most});
    return *arcs;
  }
  const std::vector<double> angles = angles_where_room_may_end(wedge);
  bool goes_on = false;
  for (std::size_t i = 0; i + 1 < angles.size(); ++i) {
    if (angles[i + 1] - angles[i] < no_stretch) continue;
    const bool free = has_room(wedge, (angles[i] + angles[i + 1]) / 2);
    if (free && goes_on)
      arcs->back().most = angles[i + 1];
    else if (free)
      arcs->push_back({angles[i], angles[i + 1]});
    goes_on = free;
  }
  return *arcs;
}

void ShortestOracle::begin(const Query& query) {
  start_ = {grid_.to_units(query.from.at), query.from.layer};
  goal_ = {grid_.to_units(query.to.at), query.to.layer};
  limit_ = query.limit / grid_.unit();
  labels_.clear();
  open_.clear();
  for (auto& labels : labels_of_) labels.clear();
  within_.clear();
  for (std::uint32_t i = 0; i < wedges_.size(); ++i)
    if (length(wedges_[i].at - start_.at) + length(goal_.at - wedges_[i].at) - 2 * radius_ <= limit_)
      within_.push_back(i);
}

void ShortestOracle::offer(std::uint32_t label, std::uint32_t turn) {
  const auto line = tangent(label == at_end ? at_end : labels_[label].turn, turn);
  if (!line) return;
  const double rest = line->length + length(goal_.at - line->to);
  double walked = label == at_end ? 0 : labels_[label].walked;
  if (walked + rest > limit_) return;
  if (turn != at_end && !wedge_of(turn).may_be_touched(line->arrives)) return;
  if (label != at_end) {
    const auto rolled = roll(labels_[label], *line);
    if (!rolled || walked + *rolled + rest > limit_) return;
    walked += *rolled;
  }
  open_.push_back({walked + rest, label, turn});
  std::push_heap(open_.begin(), open_.end(), std::greater<>());
}

void ShortestOracle::expand(std::uint32_t label) {
  offer(label, at_end);
  for (const std::uint32_t wedge : within_) {
    offer(label, 2 * wedge);
    offer(label, 2 * wedge + 1);
  }
}

bool ShortestOracle::is_dominated(const Label& label) const {
  const std::vector<std::uint32_t>& others = labels_of_[label.turn];
  return std::any_of(others.begin(), others.end(), [&](std::uint32_t i) {
    const Label& other = labels_[i];
    const double turned = (label.angle - other.angle) * sense(label.turn);
    return other.arc.least == label.arc.least && turned >= -CornerWedge::turned &&
           other.walked + std::max(0.0, turned) * radius_ <= label.walked + same_length;
  });
}

std::optional<ShortestOracle::Label> ShortestOracle::arrival(const Candidate& candidate, const Tangent& line) {
  Label label{.turn = candidate.turn};
  label.walked = candidate.bound - length(goal_.at - line.to);
  if (candidate.turn == at_end) return label;
  const auto angle = wedge_of(candidate.turn).angle_of(line.arrives);
  if (!angle) return std::nullopt;
  label.angle = *angle;
  const std::vector<Arc>& arcs = arcs_of(candidate.turn / 2);
  const auto holds = [&](const Arc& arc) {
    return *angle >= arc.least - CornerWedge::turned && *angle <= arc.most + CornerWedge::turned;
  };
  const auto arc = std::find_if(arcs.begin(), arcs.end(), holds);
  if (arc == arcs.end()) return std::nullopt;
  label.arc = *arc;
  if (is_dominated(label)) return std::nullopt;
  return label;
}

ShortestOracle::Answer ShortestOracle::find(const Query& query) {
  begin(query);
  expand(at_end);
  Answer answer{Outcome::none, INFINITY};
  while (!open_.empty()) {
    const Candidate next = open_.front();
    std::pop_heap(open_.begin(), open_.end(), std::greater<>());
    open_.pop_back();
    const std::uint32_t from_turn = next.label == at_end ? at_end : labels_[next.label].turn;
    const Tangent line = *tangent(from_turn, next.turn);
    const auto label = arrival(next, line);
    if (!label) continue;
    if (++answer.lines > query.most_lines) return {Outcome::gave_up, INFINITY, answer.lines};
    if (!is_free(from_turn, next.turn, line)) continue;
    if (next.turn == at_end) return {Outcome::found, grid_.to_metres(label->walked), answer.lines};
    labels_.push_back(*label);
    labels_of_[label->turn].push_back(std::uint32_t(labels_.size() - 1));
    expand(std::uint32_t(labels_.size() - 1));
  }
  return answer;
}

}  // namespace throng::test
