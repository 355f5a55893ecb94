// A place to walk in, ready for questions: drawn in memory or read from a file, cleaned, meshed. Immutable, cheap to copy, safe on any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/environment.hpp"
#include "throng/ground_weight.hpp"
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
  std::vector<Position> points;               ///< at least the start and the goal
  double length = 0;                          ///< metres, of the exact curve
  double cost = 0;                            ///< weighted length; the length where nothing was weighed
  std::optional<double> bound = {};           ///< proven: the cost is at most so many times the best
  std::map<std::string, double> ground = {};  ///< metres by type of region, "plain" where none lies
};

/// How to look for a way: a method of `throng route` with its numbers, and what the ground costs (docs/ground.md).
struct RouteOptions {
  std::string method = "short";  ///< short, shortest, medial, left, right, weighted, spm, vbp, grid
  double radius = 0.25;          ///< metres, of the body
  double clearance = 0;          ///< distance of its centre from obstacles it would like to keep
  /// By type of ground, each 0.001 to 1e6 or never; 1 where it is not said; "plain": no region.
  std::map<std::string, GroundWeight> weights = {};
  std::map<std::string, double> numbers = {};  ///< eps, cell (of grid, and of the grid that guides vbp), body (0 or 1)
  std::map<std::string, std::string> choices = {};  ///< nodes, prune, points
  bool prove = false;                               ///< fills in `bound` on weighted ground
};

/// An obstacle that comes: a polygon or a thin wall, over anything that is there.
struct Obstacle {
  std::string id;                          ///< names it for as long as it stands; no other obstacle has it
  std::uint32_t layer = 0;                 ///< number of the layer, in the order of the file
  std::vector<std::vector<Vec2>> polygon;  ///< rings, the outer one first; empty for a wall
  std::vector<Vec2> wall;                  ///< two points or more; empty for a polygon
};

/// What happens to the obstacles of a world at one time: first some go, then some give way to others, then some come.
struct WorldChange {
  std::vector<std::string> remove;  ///< ids; those of the file's obstacles too
  std::vector<Obstacle> replace;    ///< put in the place of those with the same ids
  std::vector<Obstacle> insert;     ///< come after everything else: openings of the file do not cut them
};

/// See the head of this file.
class World {
 public:
  /// From layers and features in memory.
  static Result<World> make(const Environment& drawn);
  /// Reads any format that `throng convert` reads, by the file's ending. Defined in throng::throng, not in throng::core.
  static Result<World> load(const std::string& path);
  /// From GeoJSON text (docs/formats.md). Defined in throng::throng, not in throng::core.
  static Result<World> from_geojson(std::string_view text);

  /// The world after these changes, in their order: to the last bit the one that the changed file would give. This one stays as it is.
  /// Refused as a whole, with the place of everything that is wrong, where anything is.
  [[nodiscard]] Result<World> with(const std::vector<WorldChange>& changes) const;
  /// The same for all of the geometry and the graph, whoever made it: from a file or by changes.
  [[nodiscard]] std::uint64_t mesh_hash() const;

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

  /// The same by any method, over weighted ground. Surfaces are made when first needed, and kept with the world and its copies.
  [[nodiscard]] Result<Way> route(const Position& from, const Position& to, const RouteOptions& options) const;

  /// For Throng itself.
  explicit World(std::shared_ptr<const crowd::World> inside);
  [[nodiscard]] const std::shared_ptr<const crowd::World>& inside() const { return inside_; }  ///< for Throng itself

 private:
  struct Ground;
  std::shared_ptr<const crowd::World> inside_;
  std::shared_ptr<Ground> ground_;  ///< made when first asked for
};

}  // namespace throng
