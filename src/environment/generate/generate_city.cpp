#include "environment/generate/generate_city.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "environment/generate/city_blocks.hpp"
#include "environment/sketch.hpp"
#include "geometry/random.hpp"

namespace throng::environment {

namespace {

using geometry::RandomStream;

/// What a stream of the city's seed is for.
enum Purpose : std::uint32_t { column_lines = 1, row_lines, nodes, avenues, blocks, kerbs };

constexpr double pavement = 3.2;        ///< between kerb and house fronts
constexpr double smallest_block = 150;  ///< square metres; less stays paved

/// A street of the grid: where it runs on average, and half its width.
struct StreetLine {
  double at = 0;
  double half_width = 0;
};

struct Avenue {
  Vec2 point;
  Vec2 direction;  ///< unit
  double half_width = 0;
};

struct Plan {
  std::vector<StreetLine> columns, rows;
  std::vector<Vec2> nodes;  ///< crossings, row by row
  std::vector<Avenue> avenues;

  [[nodiscard]] Vec2 node(std::size_t column, std::size_t row) const { return nodes[row * columns.size() + column]; }
};

std::uint32_t number_of(std::size_t column, std::size_t row) { return std::uint32_t(row << 16 | column); }

/// Lines from 0 to `extent`, about `spacing` apart, each fifth or so a main street. The outermost lie on the edge.
std::vector<StreetLine> draw_lines(double extent, double spacing, double street_width, RandomStream random) {
  const int gaps = std::max(1, int(extent / spacing + 0.5));
  std::vector<double> shares(std::size_t(gaps), 0.0);
  double sum = 0;
  for (double& share : shares) sum += share = random.uniform(0.75, 1.25);
  std::vector<StreetLine> lines{{0, street_width / 2}};
  double at = 0;
  for (const double share : shares) {
    at += share / sum * extent;
    const double width = street_width * (random.chance(0.2) ? 1.7 : random.uniform(0.8, 1.2));
    lines.push_back({at, width / 2});
  }
  return lines;
}

std::vector<Vec2> draw_nodes(const Plan& plan, const CityOptions& options) {
  std::vector<Vec2> nodes;
  const std::size_t last_column = plan.columns.size() - 1;
  const std::size_t last_row = plan.rows.size() - 1;
  const double sway = 0.09 * options.block_length;
  for (std::size_t row = 0; row <= last_row; ++row) {
    for (std::size_t column = 0; column <= last_column; ++column) {
      RandomStream random(options.seed, {.purpose = Purpose::nodes, .number = number_of(column, row)});
      const double dx = random.uniform(-sway, sway);
      const double dy = random.uniform(-sway, sway);
      // The town's edge stays straight: it is the edge of the walkable rectangle.
      nodes.push_back({plan.columns[column].at + (column == 0 || column == last_column ? 0 : dx),
                       plan.rows[row].at + (row == 0 || row == last_row ? 0 : dy)});
    }
  }
  return nodes;
}

std::vector<Avenue> draw_avenues(const CityOptions& options) {
  // Directions well off the grid's, as whole numbers: nothing here needs an angle.
  constexpr Vec2 directions[] = {{2, 1}, {1, 1}, {3, -2}, {1, -1}, {1, 2}, {2, -3}};
  const double longer = std::max(options.width, options.height);
  const int count = int(longer / options.avenue_spacing + 0.5);
  std::vector<Avenue> avenues;
  RandomStream random(options.seed, {.purpose = Purpose::avenues});
  for (int i = 0; i < count; ++i) {
    const Vec2 point{options.width * random.uniform(0.15, 0.85), options.height * random.uniform(0.15, 0.85)};
    avenues.push_back({point, unit(directions[random.below(6)]), options.street_width * random.uniform(0.9, 1.2)});
  }
  return avenues;
}

Plan draw_plan(const CityOptions& options) {
  Plan plan;
  plan.columns = draw_lines(options.width, options.block_length, options.street_width,
                            RandomStream(options.seed, {.purpose = Purpose::column_lines}));
  plan.rows = draw_lines(options.height, 0.75 * options.block_length, options.street_width,
                         RandomStream(options.seed, {.purpose = Purpose::row_lines}));
  plan.nodes = draw_nodes(plan, options);
  plan.avenues = draw_avenues(options);
  return plan;
}

/// The ground between four crossings, without the streets around it.
Ring block_between(const Plan& plan, std::size_t column, std::size_t row) {
  const Ring quad{plan.node(column, row), plan.node(column + 1, row), plan.node(column + 1, row + 1),
                  plan.node(column, row + 1)};
  const double half_widths[] = {plan.rows[row].half_width, plan.columns[column + 1].half_width,
                                plan.rows[row + 1].half_width, plan.columns[column].half_width};
  Ring block = quad;
  for (std::size_t i = 0; i < 4 && !block.empty(); ++i) {
    const Vec2 direction = unit(quad[(i + 1) % 4] - quad[i]);
    block = clip_left(block, quad[i] + half_widths[i] * perpendicular(direction), direction);
  }
  return block;
}

/// The pieces of a block that the avenues leave, those too small to build on left out.
std::vector<Ring> cut_by_avenues(Ring block, const std::vector<Avenue>& avenues) {
  std::vector<Ring> pieces{std::move(block)};
  for (const Avenue& avenue : avenues) {
    std::vector<Ring> rest;
    const Vec2 aside = avenue.half_width * perpendicular(avenue.direction);
    for (const Ring& piece : pieces) {
      rest.push_back(clip_left(piece, avenue.point + aside, avenue.direction));
      rest.push_back(clip_left(piece, avenue.point - aside, -avenue.direction));
    }
    pieces = std::move(rest);
  }
  std::erase_if(pieces,
                [](const Ring& piece) { return piece.empty() || signed_area(inset(piece, 4)) < smallest_block; });
  return pieces;
}

class City {
 public:
  explicit City(const CityOptions& options) : options_(options), plan_(draw_plan(options)), sketch_("city") {}

  Environment draw() && {
    sketch_.walkable({rectangle({0, 0}, {options_.width, options_.height}), {}});
    draw_roads();
    for (std::size_t row = 0; row + 1 < plan_.rows.size(); ++row)
      for (std::size_t column = 0; column + 1 < plan_.columns.size(); ++column) draw_blocks_at(column, row);
    draw_edge_areas();
    return std::move(sketch_).take();
  }

 private:
  void draw_roads() {
    for (const Avenue& avenue : plan_.avenues) {
      const double reach = options_.width + options_.height;
      const Ring whole = oriented_rectangle(avenue.point, avenue.direction, 2 * reach,
                                            2 * std::max(1.5, avenue.half_width - 1.5 * pavement));
      sketch_.region("road", {clip_to_town(whole), {}});
    }
    for (std::size_t row = 0; row < plan_.rows.size(); ++row) {
      for (std::size_t column = 0; column < plan_.columns.size(); ++column) {
        const Vec2 here = plan_.node(column, row);
        if (column + 1 < plan_.columns.size())
          draw_carriageway(here, plan_.node(column + 1, row), plan_.rows[row], plan_.columns[column].half_width);
        if (row + 1 < plan_.rows.size())
          draw_carriageway(here, plan_.node(column, row + 1), plan_.columns[column], plan_.rows[row].half_width);
      }
    }
  }

  void draw_carriageway(Vec2 from, Vec2 to, const StreetLine& street, double half_width_across) {
    const double width = 2 * std::max(1.5, street.half_width - pavement);
    const Vec2 along = unit(to - from);
    // Half a width further at both ends, so that the bends at crossings have no notches.
    const Ring road = oriented_rectangle(between(from, to, 0.5), along, length(to - from) + width, width);
    sketch_.region("road", {clip_to_town(road), {}});
    const Vec2 zebra = from + (half_width_across + 1.5) * along;
    sketch_.region("crossing", {clip_to_town(oriented_rectangle(zebra, along, 3.0, width)), {}});
  }

  Ring clip_to_town(const Ring& ring) const {
    Ring rest = ring;
    const Ring town = rectangle({0, 0}, {options_.width, options_.height});
    for (std::size_t i = 0; i < 4 && !rest.empty(); ++i) rest = clip_left(rest, town[i], town[(i + 1) % 4] - town[i]);
    return rest.empty() ? ring : rest;
  }

  void draw_blocks_at(std::size_t column, std::size_t row) {
    const Ring whole = block_between(plan_, column, row);
    if (whole.empty()) return;
    RandomStream random(options_.seed, {.purpose = Purpose::blocks, .number = number_of(column, row)});
    for (const Ring& block : cut_by_avenues(whole, plan_.avenues)) draw_block(block, random);
    if (options_.street_trees) draw_kerb(whole, column, row);
  }

  void draw_block(const Ring& block, RandomStream& random) {
    double lot = random.unit();
    const auto falls_to = [&lot](double share) { return (lot -= share) < 0; };
    if (signed_area(block) < 900) return draw_single_building(sketch_, block, random);
    if (falls_to(options_.park_share)) return draw_park(sketch_, block, random);
    if (falls_to(options_.square_share))
      return draw_square(sketch_, block, "square-" + std::to_string(++squares_), random);
    if (falls_to(options_.villa_share)) return draw_villas(sketch_, block, random);
    if (falls_to(options_.slab_share)) return draw_slabs(sketch_, block, random);
    if (falls_to(options_.court_share)) return draw_court_building(sketch_, block, random);
    draw_perimeter(sketch_, block, random);
  }

  /// Trees along the southern and the eastern kerb of every other block.
  void draw_kerb(const Ring& block, std::size_t column, std::size_t row) {
    RandomStream random(options_.seed, {.purpose = Purpose::kerbs, .number = number_of(column, row)});
    if (random.chance(0.5)) return;
    const double spacing = random.uniform(9, 14);
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec2 from = block[i];
      const Vec2 along = unit(block[i + 1] - from);
      const Vec2 kerb = -(pavement - 0.9) * perpendicular(along);
      for (double at = 4; at < length(block[i + 1] - from) - 4; at += spacing)
        if (const Vec2 tree = from + at * along + kerb; !on_avenue(tree))
          sketch_.obstacle({oriented_rectangle(tree, along, 0.5, 0.5), {}});
    }
  }

  [[nodiscard]] bool on_avenue(Vec2 p) const {
    return std::any_of(plan_.avenues.begin(), plan_.avenues.end(), [p](const Avenue& avenue) {
      return std::abs(cross(avenue.direction, p - avenue.point)) < avenue.half_width + 1;
    });
  }

  /// Where people come from and go to: the outermost metres of the town.
  void draw_edge_areas() {
    const double w = options_.width, h = options_.height, deep = 4;
    sketch_.area("west", rectangle({0, 0}, {deep, h}));
    sketch_.area("east", rectangle({w - deep, 0}, {w, h}));
    sketch_.area("south", rectangle({0, 0}, {w, deep}));
    sketch_.area("north", rectangle({0, h - deep}, {w, h}));
  }

  CityOptions options_;
  Plan plan_;
  Sketch sketch_;
  int squares_ = 0;
};

/// Keeps the drawing code within the sizes it was written for.
CityOptions within_limits(CityOptions options) {
  options.block_length = std::clamp(options.block_length, 40.0, 1000.0);
  options.street_width = std::clamp(options.street_width, 4.0, options.block_length / 4);
  options.width = std::clamp(options.width, 60.0, 60000 * 40.0);
  options.height = std::clamp(options.height, 60.0, 60000 * 40.0);
  options.avenue_spacing = std::max(options.avenue_spacing, 200.0);
  return options;
}

}  // namespace

CityOptions city_of_vertices(std::size_t vertices, std::uint64_t seed) {
  // Measured over ten seeds at 10,000 to 150,000 vertices.
  constexpr double vertices_per_square_metre = 0.0243;
  CityOptions options;
  options.seed = seed;
  options.width = options.height = std::floor(std::sqrt(double(vertices) / vertices_per_square_metre));
  return options;
}

Environment generate_city(const CityOptions& options) { return City(within_limits(options)).draw(); }

}  // namespace throng::environment
