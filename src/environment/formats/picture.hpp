// Pictures of cleaned environments: free space white on what is not, with walls, regions, named areas, connections, a legend and
// a scale bar; layers side by side (or above each other where they are wide) at one scale. y points up.
//
// Meshes and routes draw on the same page: lay out, draw the environment, then set the view of a layer and draw over it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drawing/drawing.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"

namespace throng::environment {

/// Where one layer is drawn.
struct Panel {
  std::size_t layer = 0;
  geometry::Box world;       ///< what is shown, in metres
  Vec2 page_low, page_high;  ///< where, in points
  View view;
};

struct Layout {
  double width = 0, height = 0;  ///< of the page, in points
  double scale = 1;              ///< points a metre
  std::vector<Panel> panels;

  /// The panel of a layer; nothing where it is not drawn.
  [[nodiscard]] const Panel* panel_of(std::size_t layer) const;
};

/// The colour of a region type: names such as grass, road, water have theirs, others take the palette's by their order.
[[nodiscard]] Colour region_colour(const std::string& type, std::size_t index);

/// Panels for all layers, or for the one of `only` (an index).
[[nodiscard]] Layout lay_out(const CleanEnvironment& environment, std::optional<std::size_t> only = std::nullopt);

/// Draws everything, title and legend included; leaves the view of the last panel. `notes` are written behind the names of region types in
/// the legend; that of "" belongs to free space.
void draw_environment(Canvas& canvas, const CleanEnvironment& environment, const Layout& layout,
                      const std::string& title, const std::map<std::string, std::string>& notes = {});

/// Rings in metres, outer first, as Canvas::polygon takes them.
[[nodiscard]] std::vector<std::vector<Vec2>> rings_of(const GridPolygon& polygon, const geometry::SnapGrid& grid);

[[nodiscard]] Result<std::string> write_clean_svg(const CleanEnvironment& environment, const WriteOptions& options);
[[nodiscard]] Result<std::string> write_clean_ipe(const CleanEnvironment& environment, const WriteOptions& options);

}  // namespace throng::environment
