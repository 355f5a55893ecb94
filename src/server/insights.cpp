#include "server/insights.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
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

std::optional<std::vector<Mark>> marks_of_layer(const scenario::Simulation& simulation, std::string_view key) {
  const std::size_t colon = key.find(':');
  const GroundLayer* layer = find_entry<GroundLayer>(simulation, key.substr(0, colon),
                                                     [](const Insights& insights) { return insights.layers; });
  if (layer == nullptr || (colon != std::string_view::npos) != (layer->parts != nullptr)) return std::nullopt;
  std::vector<Mark> marks;
  if (layer->parts == nullptr) return layer->draw(simulation, marks), marks;
  const std::string_view number = key.substr(colon + 1);
  std::size_t part = 0;
  const auto [end, wrong] = std::from_chars(number.data(), number.data() + number.size(), part);
  if (wrong != std::errc() || end != number.data() + number.size() || part >= layer->parts(simulation).size())
    return std::nullopt;
  return layer->draw_part(simulation, part, marks), marks;
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
      if (layer.is_there(simulation)) {
        if (layer.parts == nullptr) all.push_back({{"key", layer.key}, {"label", layer.label}});
        const auto parts = layer.parts != nullptr ? layer.parts(simulation) : std::vector<std::string>();
        for (std::size_t i = 0; i < parts.size(); ++i)
          all.push_back(
              {{"key", fmt::format("{}:{}", layer.key, i)}, {"label", fmt::format("{} {}", layer.label, parts[i])}});
      }
  return all;
}

Json describe_marks(std::span<const Mark> marks, Vec2 origin) {
  Json all = Json::array();
  for (const Mark& mark : marks) {
    const auto as_json = [&](const std::vector<Vec2>& points) {
      Json list = Json::array();
      for (const Vec2 p : points) list.push_back({p.x - origin.x, p.y - origin.y});
      return list;
    };
    all.push_back({{"shape", shape_names[std::size_t(mark.shape)]},
                   {"points", as_json(mark.points)},
                   {"layer", mark.layer},
                   {"colour", mark.colour},
                   {"text", mark.text}});
    if (mark.holes.empty()) continue;
    all.back()["holes"] = Json::array();
    for (const std::vector<Vec2>& hole : mark.holes) all.back()["holes"].push_back(as_json(hole));
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
