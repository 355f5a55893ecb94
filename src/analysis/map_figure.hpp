// Plans as SVG text with something laid over them: the ways people took, or a map of squares in colours, with a scale bar and a colour
// scale in units. Sheets (sheets.hpp) one below the other.
//
// Laws
// 1. The same run gives the same text.
// 2. Nothing is drawn beyond walls: maps are cut to free space.
// 3. Colour scales change in brightness all the way in one direction, so that they can be read in print without colour.
// 4. A figure of ways has at most about `bytes` of them: many are simplified up to a point of the page, and if that is not enough only
//    those of every second, fourth, ... person are drawn.
// Classes for a style sheet: `map`, `paper`, `blocked`, `ground`, `edge`, `wall`, `label`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/recorded_run.hpp"
#include "analysis/sheets.hpp"
#include "drawing/png.hpp"
#include "throng/result.hpp"

namespace throng::analysis {

/// Colours from low to high over a range of values.
struct ColourScale {
  std::string label;  ///< with the unit
  double high = 1;    ///< the value of the last colour; 0 is that of the first
  std::vector<Pixel> colours;
  double visible_from = 0;  ///< below it the ground shows

  [[nodiscard]] Pixel at(double value) const;
};

/// From pale yellow to dark red: much is dark.
[[nodiscard]] ColourScale density_scale(double high);
/// From dark violet to pale yellow: slow is dark.
[[nodiscard]] ColourScale speed_scale(double high);
/// Of a level of service, 0 for A to 5 for F.
[[nodiscard]] Pixel level_colour(std::size_t level);

/// The smallest of some round numbers that is not below a value.
[[nodiscard]] double round_up(double value);

struct FigureOptions {
  std::string id;  ///< distinct among the figures of a page
  std::string description;
  double width = 1000;  ///< points; letters are as large in every width
};

enum class MapKind { mean_density, maximum_density, lasting_level, mean_speed };

/// `scale` is not looked at for levels of service.
[[nodiscard]] Result<std::string> draw_map(const RecordedRun& run, const std::vector<Sheet>& sheets, MapKind kind,
                                           const ColourScale& scale, const FigureOptions& options);

struct WaysFigure {
  std::string svg;
  std::size_t people = 0;  ///< whose ways are drawn
};
[[nodiscard]] WaysFigure draw_ways(const RecordedRun& run, const std::vector<Sheet>& sheets, std::size_t bytes,
                                   const FigureOptions& options);

/// Dots of several kinds, each with its name in the legend.
struct DotsOnMap {
  std::string name;
  std::vector<SeenAt> places;
};
[[nodiscard]] std::string draw_dots(const RecordedRun& run, const std::vector<Sheet>& sheets,
                                    const std::vector<DotsOnMap>& kinds, const FigureOptions& options);

/// The points that a line keeps when it may be off by `tolerance` (Douglas, Peucker 1973); both ends stay.
[[nodiscard]] std::vector<Vec2> simplified(const std::vector<Vec2>& points, double tolerance);

}  // namespace throng::analysis
