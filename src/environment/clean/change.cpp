#include "environment/clean/change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "environment/check.hpp"
#include "environment/clean/clean.hpp"

namespace throng::environment {
namespace {

using geometry::GridPoint;
using geometry::SnapGrid;

struct GroundBox {
  GridPoint low{std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::max()};
  GridPoint high{std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::min()};

  void take(GridPoint p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  [[nodiscard]] bool has_area() const { return low.x < high.x && low.y < high.y; }
};

bool lies_on(const Feature& feature, std::size_t layer) {
  return feature.layer == layer || (feature.kind == Kind::connection && feature.other_layer == layer);
}

bool has_ground(const Environment& plan, std::size_t layer) {
  return std::any_of(plan.features.begin(), plan.features.end(),
                     [&](const Feature& f) { return f.kind == Kind::walkable && f.layer == layer; });
}

/// For messages: behind all others.
std::size_t next_number(const Environment& plan) {
  std::size_t next = 0;
  for (const Feature& feature : plan.features) next = std::max(next, feature.number + 1);
  return next;
}

/// The box of everything drawn on a layer, as cleaning takes it for the ground.
GroundBox box_of_layer(const Environment& plan, std::size_t layer, const SnapGrid& grid) {
  GroundBox box;
  for (const Feature& feature : plan.features) {
    if (!lies_on(feature, layer)) continue;
    for (const Polygon& polygon : feature.polygons)
      for (const Vec2 p : polygon.outer) box.take(grid.snap(p));
    for (const Line& line : feature.lines)
      for (const Vec2 p : line) box.take(grid.snap(p));
  }
  return box;
}

class ChangeChecker {
 public:
  explicit ChangeChecker(const Environment& plan) : plan_(plan) {
    for (const Feature& feature : plan.features)
      if (feature.kind == Kind::obstacle && !feature.id.empty()) ++present_[feature.id];
  }

  Problems check(const std::vector<Change>& changes) {
    for (std::size_t i = 0; i < changes.size(); ++i) {
      number_ = i;
      check(changes[i]);
    }
    return std::move(problems_);
  }

 private:
  void refuse(ProblemCode code, const std::string& id, std::string message) {
    const std::string what = id.empty() ? "" : fmt::format(": obstacle '{}'", id);
    problems_.push_back({Severity::error, code, fmt::format("change {}{}", number_, what), std::move(message)});
  }

  void check(const Change& change) {
    if (change.obstacles.empty() && change.ids.empty())
      return refuse(ProblemCode::value, "", fmt::format("there is nothing to {}", name_of(change.kind)));
    std::map<std::string, int> named;
    const auto is_second = [&](const std::string& id) {
      if (++named[id] == 1) return false;
      refuse(ProblemCode::value, id, "the id is given twice in one change");
      return true;
    };
    for (const std::string& id : change.ids)
      if (!is_second(id) && is_known(id)) present_.erase(id);
    for (const Feature& obstacle : change.obstacles) {
      if (obstacle.id.empty()) {
        refuse(ProblemCode::value, "", "an obstacle without an id could never be removed");
        continue;
      }
      if (is_second(obstacle.id)) continue;
      if (change.kind == Change::Kind::replace) {
        (void)is_known(obstacle.id);
      } else if (!present_.emplace(obstacle.id, 1).second) {
        refuse(ProblemCode::value, obstacle.id, "the id is taken already");
      }
      check_shape(obstacle);
    }
  }

  bool is_known(const std::string& id) {
    const auto found = present_.find(id);
    if (found == present_.end()) return refuse(ProblemCode::value, id, "there is no obstacle of that id here"), false;
    if (found->second > 1) return refuse(ProblemCode::value, id, "several obstacles of the file have that id"), false;
    return true;
  }

  /// What cleaning would say of the obstacle alone on a ground that reaches beyond it.
  void check_shape(const Feature& obstacle) {
    if (obstacle.layer >= plan_.layers.size()) return refuse(ProblemCode::value, obstacle.id, "there is no such layer");
    if (!has_ground(plan_, obstacle.layer))
      return refuse(ProblemCode::geometry, obstacle.id,
                    fmt::format("layer '{}' has no ground to stand on", plan_.layers[obstacle.layer].id));
    Environment alone;
    alone.layers = {plan_.layers[obstacle.layer]};
    alone.grid = plan_.grid;
    alone.features = {obstacle};
    alone.features[0].layer = 0;
    if (take(obstacle, check_environment(alone))) return;
    GroundBox box;
    for (const Polygon& polygon : obstacle.polygons) {
      if (!in_grid(obstacle, polygon.outer, box)) return;
      for (const Ring& hole : polygon.holes)
        if (!in_grid(obstacle, hole, box)) return;
    }
    for (const Line& line : obstacle.lines)
      if (!in_grid(obstacle, line, box)) return;
    Feature ground;
    ground.kind = Kind::walkable;
    const Vec2 low = grid_.to_world(GridPoint{box.low.x - 2, box.low.y - 2});
    const Vec2 high = grid_.to_world(GridPoint{box.high.x + 2, box.high.y + 2});
    ground.polygons = {{{low, {high.x, low.y}, high, {low.x, high.y}}, {}}};
    alone.features.insert(alone.features.begin(), ground);
    if (!grid_.contains(low) || !grid_.contains(high))
      return refuse(ProblemCode::value, obstacle.id, "reaches beyond the grid of the world");
    const Result<CleanEnvironment> cleaned = clean(alone);
    if (!cleaned) take(obstacle, cleaned.problems());
  }

  bool in_grid(const Feature& obstacle, const std::vector<Vec2>& points, GroundBox& box) {
    for (const Vec2 p : points) {
      if (!grid_.contains(p)) {
        refuse(ProblemCode::value, obstacle.id, fmt::format("({}, {}) lies outside the grid of the world", p.x, p.y));
        return false;
      }
      box.take(grid_.snap(p));
    }
    return true;
  }

  bool take(const Feature& obstacle, const Problems& problems) {
    for (const Problem& problem : problems)
      if (problem.severity == Severity::error)
        refuse(problem.code, obstacle.id, fmt::format("{}: {}", problem.place, problem.message));
    return has_errors(problems);
  }

  const Environment& plan_;
  geometry::SnapGrid grid_ =
      plan_.grid ? geometry::SnapGrid(*plan_.grid) : geometry::SnapGrid{};  ///< plans of worlds have one
  std::map<std::string, int> present_;  ///< ids of obstacles, and how many have them
  std::size_t number_ = 0;
  Problems problems_;
};

}  // namespace

std::string_view name_of(Change::Kind kind) {
  return kind == Change::Kind::insert ? "insert" : kind == Change::Kind::remove ? "remove" : "replace";
}

Environment fixed_plan(Environment plan, const geometry::SnapGrid& grid) {
  plan.grid = grid;
  std::vector<Feature> grounds;
  for (std::size_t layer = 0; layer < plan.layers.size(); ++layer) {
    if (has_ground(plan, layer)) continue;
    const GroundBox box = box_of_layer(plan, layer, grid);
    if (!box.has_area()) continue;  // nothing drawn, nothing free
    const Vec2 low = grid.to_world(box.low), high = grid.to_world(box.high);
    Feature& ground = grounds.emplace_back();
    ground.kind = Kind::walkable;
    ground.layer = layer;
    ground.polygons = {{{low, {high.x, low.y}, high, {low.x, high.y}}, {}}};
  }
  for (Feature& ground : grounds) {
    ground.number = next_number(plan);
    plan.features.push_back(std::move(ground));
  }
  return plan;
}

Problems check_changes(const Environment& plan, const std::vector<Change>& changes) {
  return ChangeChecker(plan).check(changes);
}

void apply(Environment& plan, const Change& change) {
  const auto is_obstacle = [](const Feature& feature, const std::string& id) {
    return feature.kind == Kind::obstacle && feature.id == id;
  };
  for (const std::string& id : change.ids)
    std::erase_if(plan.features, [&](const Feature& f) { return is_obstacle(f, id); });
  for (const Feature& obstacle : change.obstacles) {
    Feature added = obstacle;
    added.kind = Kind::obstacle;
    const auto old = std::find_if(plan.features.begin(), plan.features.end(),
                                  [&](const Feature& f) { return is_obstacle(f, obstacle.id); });
    if (change.kind == Change::Kind::replace && old != plan.features.end()) {
      added.number = old->number;
      *old = std::move(added);
    } else {
      added.number = next_number(plan);
      plan.features.push_back(std::move(added));
    }
  }
}

}  // namespace throng::environment
