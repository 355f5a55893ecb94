// Levels of buildings: which layers there are, and stairs and ramps between them.
//
// A flight of stairs is a layer of its own, a strip about its line. It meets the level at either end along its end edge: there
// the level has an obstacle where the flight lies and is free, for `landing_depth`, in front of it; so the laws of
// connections hold by construction. Flights that would touch each other on a level are left out.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "environment/environment.hpp"

namespace throng::environment {

/// Metres in front of stairs that are kept free.
inline constexpr double landing_depth = 0.3;

/// "0", "0;1", "-1-2" (a range), "0.5": in rising order, each once; empty where the text is none of these or names more than
/// `most_levels`.
inline constexpr int most_levels = 200;
[[nodiscard]] std::vector<double> parse_levels(std::string_view text);

/// The layers of levels: the ground, which is level 0, and others by rising height.
class LevelLayers {
 public:
  explicit LevelLayers(double storey_height) : storey_height_(storey_height) {}

  void add(double level) { levels_.emplace(level, 0); }
  /// Appends the layers; indices are known from now on.
  void make(std::vector<Layer>& layers);
  [[nodiscard]] std::optional<std::size_t> layer_of(double level) const;
  [[nodiscard]] double height_of(double level) const { return level * storey_height_; }

 private:
  std::map<double, std::size_t> levels_ = {{0.0, 0}};
  double storey_height_;
};

/// Stairs or a ramp between two levels, its line leading up.
struct Flight {
  std::string label;  ///< "way/123"
  Line line;
  double lower = 0, upper = 0;
  double width = 0;
  bool stairs = false;
};

/// Adds a flight's layer, what it changes on its levels, and its connections.
class FlightBuilder {
 public:
  FlightBuilder(const LevelLayers& levels, Environment& environment) : levels_(levels), environment_(environment) {}

  /// Why it cannot be made, or an empty text.
  [[nodiscard]] std::string add(const Flight& flight);
  /// The connections of all flights, which go last.
  [[nodiscard]] std::vector<Feature>& connections() { return connections_; }

 private:
  struct Footprint {
    std::vector<Polygon> strip;
    Ring lower_landing, upper_landing;
  };
  void add_on_level(const Footprint& footprint, const Ring& landing, std::size_t layer, const std::string& label);

  const LevelLayers& levels_;
  Environment& environment_;
  std::map<std::size_t, std::vector<Ring>> taken_;  ///< by layer: what flights cover
  std::vector<Feature> connections_;
};

}  // namespace throng::environment
