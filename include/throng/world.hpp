// A place to walk in, ready for questions: read from a file, cleaned, meshed. Immutable, cheap to copy, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/result.hpp"
#include "throng/vec2.hpp"

namespace throng {

namespace crowd {
struct World;
}

/// A place in the world: layers may lie above each other.
struct Position {
  Vec2 point;               ///< metres
  std::uint32_t layer = 0;  ///< number of the layer, in the order of the file

  friend bool operator==(const Position&, const Position&) = default;  ///< same point and layer
};

/// What a straight line meets.
struct Ray {
  bool blocked = false;  ///< an obstacle was met before the end
  Position end;          ///< where the line ends: at the obstacle, or at its end
  double fraction = 0;   ///< of the line that is free
};

/// What is nearest to a position.
struct Nearest {
  double clearance = 0;  ///< metres to the nearest obstacle
  Vec2 obstacle;         ///< its nearest point
};

/// A way for a body, as points that keep its radius from every obstacle.
struct Way {
  std::vector<Position> points;  ///< at least the start and the goal
  double length = 0;             ///< metres, of the exact curve
};

/// See the head of this file.
class World {
 public:
  /// Reads any format that `throng convert` reads, by the file's ending.
  static Result<World> load(const std::string& path);
  /// From GeoJSON text (docs/formats.md).
  static Result<World> from_geojson(std::string_view text);

  /// How many layers there are.
  [[nodiscard]] std::size_t layer_count() const;
  /// The id of a layer, as in the file.
  [[nodiscard]] std::string layer_id(std::uint32_t layer) const;

  /// Whether a body of that radius can stand here.
  [[nodiscard]] bool is_walkable(const Position& position, double radius = 0) const;
  /// Nothing where the position is not walkable.
  [[nodiscard]] std::optional<Nearest> nearest(const Position& position) const;
  /// The first obstacle on a straight line, over connections too.
  [[nodiscard]] Ray ray(const Position& from, Vec2 to) const;
  /// Whether a disc of that radius can slide from one place to the other in a straight line.
  [[nodiscard]] bool sees(const Position& from, const Position& to, double radius = 0) const;
  /// A place spread evenly over the layer, for three numbers in [0, 1); nothing in a layer without free space.
  [[nodiscard]] std::optional<Position> random_point(std::uint32_t layer, double u, double v, double w) const;
  /// A short way for a body; refused with the reason where there is none.
  [[nodiscard]] Result<Way> route(const Position& from, const Position& to, double radius, double clearance = 0) const;

  /// For Throng itself.
  explicit World(std::shared_ptr<const crowd::World> inside) : inside_(std::move(inside)) {}
  [[nodiscard]] const std::shared_ptr<const crowd::World>& inside() const { return inside_; }  ///< for Throng itself

 private:
  std::shared_ptr<const crowd::World> inside_;
};

}  // namespace throng
