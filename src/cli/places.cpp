#include "cli/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "navmesh/locate.hpp"
#include "text/csv.hpp"
#include "text/files.hpp"
#include "text/nearest_name.hpp"
#include "text/problem_list.hpp"

namespace throng::cli {
namespace {

using environment::in_quotes;
using environment::ProblemList;
using environment::to_number;
using environment::trimmed;

/// Which field holds what: x, y and layer of each place; -1 where there is no layer.
struct Columns {
  std::vector<std::array<int, 3>> places;
};

Columns plain_columns(std::size_t places, bool first_layer, bool second_layer) {
  Columns columns;
  int next = 0;
  for (std::size_t i = 0; i < places; ++i) {
    const bool layer = i == 0 ? first_layer : second_layer;
    columns.places.push_back({next, next + 1, layer ? next + 2 : -1});
    next += layer ? 3 : 2;
  }
  return columns;
}

/// Columns without a heading, by their number and, where that leaves a choice, by what is a number.
std::optional<Columns> guess_columns(const std::vector<std::string>& fields, std::size_t places) {
  const auto numeric = [&](std::size_t i) { return to_number(fields[i]).has_value(); };
  if (fields.size() == 2 * places) return plain_columns(places, false, false);
  if (fields.size() == 3 * places) return plain_columns(places, true, true);
  if (places == 2 && fields.size() == 5) {
    const bool first = numeric(3) && numeric(4), second = numeric(2) && numeric(3);
    if (first != second) return plain_columns(2, first, second);
  }
  return std::nullopt;
}

std::optional<Columns> named_columns(const std::vector<std::string>& heading, std::size_t places) {
  Columns columns;
  const auto find = [&](std::string_view name, std::size_t place) {
    const std::string wanted = places == 1 ? std::string(name) : fmt::format("{}{}", name, place);
    const auto at = std::find(heading.begin(), heading.end(), wanted);
    return at == heading.end() ? -1 : int(at - heading.begin());
  };
  for (std::size_t i = 0; i < places; ++i) columns.places.push_back({find("x", i), find("y", i), find("layer", i)});
  for (const std::array<int, 3>& place : columns.places)
    if (place[0] < 0 || place[1] < 0) return std::nullopt;
  return columns;
}

class RowReader {
 public:
  RowReader(const std::string& source, std::size_t places) : source_(source), places_(places) {}

  Result<std::vector<PlaceRow>> read(const std::string& text) && {
    const environment::CsvTable table = environment::parse_csv(text, source_, problems_);
    if (!table.heading.empty() || !table.rows.empty())
      if (const auto columns = columns_of(table))
        for (const environment::CsvRow& row : table.rows) read_row(row, *columns);
    if (rows_.empty() && !problems_.has_errors())
      problems_.error(ProblemCode::schema, source_, "there are no points in it");
    return std::move(problems_).result(std::move(rows_), source_);
  }

 private:
  std::optional<Columns> columns_of(const environment::CsvTable& table) {
    const bool named = !table.heading.empty();
    const std::vector<std::string>& first = named ? table.heading : table.rows.front().fields;
    const std::optional<Columns> columns = named ? named_columns(first, places_) : guess_columns(first, places_);
    if (columns) return columns;
    const char* wanted = places_ == 1 ? "x,y[,layer]" : "x0,y0[,layer0],x1,y1[,layer1]";
    const std::size_t line = named ? table.heading_line : table.rows.front().line;
    problems_.error(ProblemCode::schema, fmt::format("{}:{}", source_, line),
                    fmt::format("{} is expected, not {}", wanted, in_quotes(fmt::format("{}", fmt::join(first, ",")))));
    return std::nullopt;
  }

  void read_row(const environment::CsvRow& line, const Columns& columns) {
    PlaceRow row;
    row.line = line.line;
    for (const auto& [x, y, layer] : columns.places) {
      WrittenPlace written;
      for (const auto& [column, value] : {std::pair{x, &written.point.x}, std::pair{y, &written.point.y}}) {
        const std::string& field = line.fields[std::size_t(column)];
        const auto number = to_number(field);
        if (!number)
          return problems_.error(ProblemCode::value, fmt::format("{}:{}", source_, line.line),
                                 fmt::format("field {}: {} is not a finite number", column + 1, in_quotes(field)));
        *value = *number;
      }
      if (layer >= 0 && !line.fields[std::size_t(layer)].empty()) written.layer = line.fields[std::size_t(layer)];
      row.places.push_back(std::move(written));
    }
    rows_.push_back(std::move(row));
  }

  const std::string& source_;
  std::size_t places_;
  std::vector<PlaceRow> rows_;
  ProblemList problems_;
};

}  // namespace

Result<WrittenPlace> parse_place(const std::string& text) {
  const auto refuse = [&] {
    return Problem{Severity::error, ProblemCode::value, "",
                   fmt::format("{} is not a place: X,Y or X,Y,LAYER is expected", in_quotes(text))};
  };
  const std::size_t first = text.find(','), second = first == std::string::npos ? first : text.find(',', first + 1);
  if (first == std::string::npos) return refuse();
  const auto x = to_number(trimmed(std::string_view(text).substr(0, first)));
  const auto y = to_number(
      trimmed(std::string_view(text).substr(first + 1, second == std::string::npos ? second : second - first - 1)));
  if (!x || !y) return refuse();
  WrittenPlace written{{*x, *y}, std::nullopt};
  if (second == std::string::npos) return written;
  // The rest is the layer, commas and all: ids may hold any text.
  written.layer = trimmed(std::string_view(text).substr(second + 1));
  if (written.layer->empty()) return refuse();
  return written;
}

Result<std::vector<WrittenPlace>> places_of(const Parsed& parsed, std::initializer_list<const char*> options) {
  std::vector<WrittenPlace> written;
  for (const char* option : options) {
    if (!parsed.given(option)) continue;
    const Result<WrittenPlace> place = parse_place(parsed.text(option));
    if (!place)
      return Problem{Severity::error, ProblemCode::value, "",
                     fmt::format("--{}: {}", option, place.problems().front().message)};
    written.push_back(*place);
  }
  return written;
}

Result<std::vector<PlaceRow>> parse_place_csv(const std::string& text, const std::string& source,
                                              std::size_t places_a_row) {
  return RowReader(source, places_a_row).read(text);
}

Result<std::vector<PlaceRow>> read_place_csv(const std::string& path, std::size_t places_a_row) {
  const Result<std::string> text = environment::read_file(path);
  if (!text) return text.problems();
  return parse_place_csv(*text, path == "-" ? "standard input" : path, places_a_row);
}

Result<navmesh::Place> resolve(const WrittenPlace& written, const navmesh::Mesh& mesh, const std::string& origin) {
  if (!written.layer) return navmesh::first_walkable(mesh, written.point).value_or(navmesh::Place{written.point, 0});
  std::vector<std::string_view> ids;
  for (const environment::Layer& layer : mesh.layers) ids.push_back(layer.id);
  const auto at = std::find(ids.begin(), ids.end(), *written.layer);
  if (at == ids.end())
    return Problem{Severity::error, ProblemCode::value, origin,
                   "there is no layer " + environment::suggest(*written.layer, ids)};
  return navmesh::Place{written.point, navmesh::Index(at - ids.begin())};
}

Result<navmesh::Place> resolve_walkable(const WrittenPlace& written, const navmesh::Mesh& mesh,
                                        const std::string& origin) {
  const Result<navmesh::Place> place = resolve(written, mesh, origin);
  if (!place || navmesh::locate(mesh, *place)) return place;
  const std::string where = written.layer ? " in layer " + in_quotes(*written.layer) : std::string();
  return Problem{Severity::error, ProblemCode::value, origin,
                 fmt::format("({:g}, {:g}) is not walkable{}", written.point.x, written.point.y, where)};
}

}  // namespace throng::cli
