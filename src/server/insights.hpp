// What methods tell of people and places, for those who look on: numbers that people can be coloured by, what is written and drawn about one of
// them, and what is drawn over the ground. The viewer knows none of it by name: it shows what is listed here, so that a new level adds a file
// with its entries (insights_stream.cpp is the example) and a line in insights.cpp, and no TypeScript.
//
// Thread-safety: of one crowd, between two steps.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/metrics.hpp"
#include "scenario/simulation.hpp"
#include "server/pack.hpp"

namespace throng::server {

/// A number that people have now, and that they can be coloured by.
struct PersonFigure {
  std::string_view key;    ///< in addresses and orders
  std::string_view label;  ///< as planners say it
  std::string_view unit;   ///< may be empty
  double full;             ///< where the scale of colours ends
  /// Whether it makes sense in this run at all; others are not offered.
  bool (*is_there)(const scenario::Simulation&);
  /// Nothing: has none now.
  std::optional<double> (*of)(const scenario::Simulation&, crowd::Slot);
  /// Instead of `of`, of what the run counts of everybody.
  double (*counted)(const analysis::AgentRecord&) = nullptr;
};

/// Something drawn over the floor.
struct Mark {
  enum class Shape { line, arrow, area, text };
  Shape shape = Shape::line;
  std::vector<Vec2> points;  ///< of a line or ring in their order; an arrow's from and to; where a text stands
  crowd::Index layer = 0;
  std::string_view colour = "#22303c";  ///< #rrggbb
  std::string text = {};
  std::vector<std::vector<Vec2>> holes = {};  ///< of an area
};

/// What is told about one person.
struct PersonNote {
  std::vector<std::pair<std::string, std::string>> facts;  ///< a name and a value, in the order they are read
  std::vector<Mark> marks;
};

/// Marks over the ground that can be switched on together.
struct GroundLayer {
  std::string_view key;    ///< in addresses and orders
  std::string_view label;  ///< as planners say it
  bool (*is_there)(const scenario::Simulation&);
  void (*draw)(const scenario::Simulation&, std::vector<Mark>&);
  /// Instead of `draw`, where there is one such layer for each of several (profiles): their names, and what draws one of them by its number.
  /// The number stands behind the key, after a colon, the name behind the label.
  std::vector<std::string> (*parts)(const scenario::Simulation&) = nullptr;
  void (*draw_part)(const scenario::Simulation&, std::size_t, std::vector<Mark>&) = nullptr;
};

/// What one level has to tell.
struct Insights {
  std::span<const PersonFigure> figures = {};
  void (*note)(const scenario::Simulation&, crowd::Slot, PersonNote&) = nullptr;
  std::span<const GroundLayer> layers = {};
};

/// Of all levels.
[[nodiscard]] std::span<const Insights> all_insights();

/// Null where there is none of that key, or none in this run.
[[nodiscard]] const PersonFigure* find_figure(const scenario::Simulation& simulation, std::string_view key);
/// What a layer draws now; nothing where there is none of that key, or none in this run.
[[nodiscard]] std::optional<std::vector<Mark>> marks_of_layer(const scenario::Simulation& simulation,
                                                              std::string_view key);

/// What there is in this run: [{key, label, unit, full}], [{key, label}].
[[nodiscard]] Json describe_figures(const scenario::Simulation& simulation);
[[nodiscard]] Json describe_ground_layers(const scenario::Simulation& simulation);
/// {facts: [[name, value]], marks: [...]} of a person.
[[nodiscard]] Json describe_note(const scenario::Simulation& simulation, crowd::Slot slot, Vec2 origin);
/// Lines that count who crosses them, with their names and an arrow that says which way is forwards.
[[nodiscard]] Json describe_lines(std::span<const analysis::MeasuredLine> lines, Vec2 origin);
[[nodiscard]] Json describe_marks(std::span<const Mark> marks, Vec2 origin);

// --- one function a level (insights_*.cpp)
[[nodiscard]] Insights congestion_insights();
[[nodiscard]] Insights motion_insights();
[[nodiscard]] Insights ground_insights();
[[nodiscard]] Insights stream_insights();
[[nodiscard]] Insights progress_insights();
[[nodiscard]] Insights group_insights();
[[nodiscard]] Insights strategy_insights();

}  // namespace throng::server
