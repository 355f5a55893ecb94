#include "server/insights.hpp"

#include <array>
#include <cmath>

namespace throng::server {
namespace {

constexpr std::string_view shape_names[] = {"line", "arrow", "area", "text"};

template <class Entry, class Entries>
const Entry* find_entry(const scenario::Simulation& simulation, std::string_view key, const Entries& entries_of) {
  for (const Insights& insights : all_insights())
    for (const Entry& entry : entries_of(insights))
      if (entry.key == key && entry.is_there(simulation)) return &entry;
  return nullptr;
}

}  // namespace

std::span<const Insights> all_insights() {
  static const std::array all{progress_insights(), motion_insights(),   group_insights(),     ground_insights(),
                              stream_insights(),   strategy_insights(), congestion_insights()};
  return all;
}

const PersonFigure* find_figure(const scenario::Simulation& simulation, std::string_view key) {
  return find_entry<PersonFigure>(simulation, key, [](const Insights& insights) { return insights.figures; });
}

const GroundLayer* find_ground_layer(const scenario::Simulation& simulation, std::string_view key) {
  return find_entry<GroundLayer>(simulation, key, [](const Insights& insights) { return insights.layers; });
}

Json describe_figures(const scenario::Simulation& simulation) {
  Json all = Json::array();
  for (const Insights& insights : all_insights())
    for (const PersonFigure& figure : insights.figures)
      if (figure.is_there(simulation))
        all.push_back({{"key", figure.key}, {"label", figure.label}, {"unit", figure.unit}, {"full", figure.full}});
  return all;
}

Json describe_ground_layers(const scenario::Simulation& simulation) {
  Json all = Json::array();
  for (const Insights& insights : all_insights())
    for (const GroundLayer& layer : insights.layers)
      if (layer.is_there(simulation)) all.push_back({{"key", layer.key}, {"label", layer.label}});
  return all;
}

Json describe_marks(std::span<const Mark> marks, Vec2 origin) {
  Json all = Json::array();
  for (const Mark& mark : marks) {
    Json points = Json::array();
    for (const Vec2 p : mark.points) points.push_back({p.x - origin.x, p.y - origin.y});
    all.push_back({{"shape", shape_names[std::size_t(mark.shape)]},
                   {"points", std::move(points)},
                   {"layer", mark.layer},
                   {"colour", mark.colour},
                   {"text", mark.text}});
  }
  return all;
}

Json describe_lines(std::span<const analysis::MeasuredLine> lines, Vec2 origin) {
  std::vector<Mark> marks;
  constexpr std::string_view red = "#d91a40";
  for (const analysis::MeasuredLine& line : lines) {
    const Vec2 along = line.to - line.from, middle = line.from + along * 0.5;
    const double length = std::sqrt(squared_length(along));
    marks.push_back({Mark::Shape::line, {line.from, line.to}, line.layer, red, {}});
    if (length == 0) continue;
    // From its left to its right is forwards.
    const Vec2 forwards = Vec2{along.y, -along.x} * (1 / length);
    marks.push_back({Mark::Shape::arrow, {middle, middle + forwards}, line.layer, red, line.name});
  }
  return describe_marks(marks, origin);
}

Json describe_note(const scenario::Simulation& simulation, crowd::Slot slot, Vec2 origin) {
  PersonNote note;
  for (const Insights& insights : all_insights())
    if (insights.note != nullptr) insights.note(simulation, slot, note);
  Json facts = Json::array();
  for (const auto& [name, value] : note.facts) facts.push_back({name, value});
  return {{"facts", std::move(facts)}, {"marks", describe_marks(note.marks, origin)}};
}

}  // namespace throng::server
