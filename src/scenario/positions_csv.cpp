#include "scenario/positions_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "environment/shapes.hpp"
#include "text/csv.hpp"
#include "text/nearest_name.hpp"
#include "text/problem_list.hpp"

namespace throng::scenario {
namespace {

using environment::in_quotes;

constexpr std::array<std::string_view, 7> column_names = {"x", "y", "layer", "gx", "gy", "glayer", "group"};
/// Where each of the columns is; -1: there is none.
using Columns = std::array<int, 7>;

class Reader {
 public:
  Reader(const std::string& source, const EnvironmentNames* names) : source_(source), names_(names) {}

  Result<std::vector<StartRow>> read(std::string_view text) && {
    const environment::CsvTable table = environment::parse_csv(text, source_, problems_);
    if (!table.rows.empty()) {
      if (const auto columns = columns_of(table))
        for (const environment::CsvRow& row : table.rows) read_row(row, *columns);
    } else if (!problems_.has_errors()) {
      problems_.error(ProblemCode::schema, source_, "there are no positions in it");
    }
    return std::move(problems_).result(std::move(rows_), source_);
  }

 private:
  std::optional<Columns> columns_of(const environment::CsvTable& table) {
    if (!table.heading.empty()) return named_columns(table);
    switch (table.rows.front().fields.size()) {
      case 2: return Columns{0, 1, -1, -1, -1, -1, -1};
      case 3: return Columns{0, 1, 2, -1, -1, -1, -1};
      case 4: return Columns{0, 1, -1, 2, 3, -1, -1};
      case 6: return Columns{0, 1, 2, 3, 4, 5, -1};
      default: break;
    }
    problems_.error(ProblemCode::schema, fmt::format("{}:{}", source_, table.rows.front().line),
                    "x,y[,layer] or x,y,gx,gy or x,y,layer,gx,gy,glayer is expected; other orders need a heading");
    return std::nullopt;
  }

  std::optional<Columns> named_columns(const environment::CsvTable& table) {
    const std::string place = fmt::format("{}:{}", source_, table.heading_line);
    Columns columns{-1, -1, -1, -1, -1, -1, -1};
    bool fine = true;
    for (std::size_t i = 0; i < table.heading.size(); ++i) {
      const auto at = std::find(column_names.begin(), column_names.end(), table.heading[i]);
      if (at == column_names.end()) {
        problems_.error(ProblemCode::schema, place,
                        "unknown column " + environment::suggest(table.heading[i], column_names));
        fine = false;
      } else {
        int& column = columns[std::size_t(at - column_names.begin())];
        if (column >= 0) problems_.error(ProblemCode::schema, place, fmt::format("column '{}' is there twice", *at));
        fine = fine && column < 0;
        column = int(i);
      }
    }
    const bool start = columns[0] >= 0 && columns[1] >= 0, goal = columns[3] >= 0;
    if (start && goal == (columns[4] >= 0) && (goal || columns[5] < 0))
      return fine ? std::optional(columns) : std::nullopt;
    problems_.error(ProblemCode::schema, place, "columns x and y are needed; gx, gy and glayer go together");
    return std::nullopt;
  }

  void read_row(const environment::CsvRow& row, const Columns& columns) {
    StartRow start;
    const auto place = read_point(row, columns[0], columns[1], columns[2]);
    if (!place) return;
    start.place = *place;
    if (columns[3] >= 0) {
      start.goal = read_point(row, columns[3], columns[4], columns[5]);
      if (!start.goal) return;
    }
    if (columns[6] >= 0) {
      start.group = row.fields[std::size_t(columns[6])];
      if (start.group.empty())
        return problems_.error(ProblemCode::value, start.place.pointer,
                               "the group is empty: who walks alone wants a group of their own");
    }
    rows_.push_back(std::move(start));
  }

  std::optional<PointSpec> read_point(const environment::CsvRow& row, int x, int y, int layer) {
    PointSpec point;
    point.pointer = fmt::format("{}:{}", source_, row.line);
    for (const auto& [column, value] : {std::pair{x, &point.point.x}, std::pair{y, &point.point.y}}) {
      const std::string& field = row.fields[std::size_t(column)];
      const std::optional<double> number = environment::to_number(field);
      const auto complaint = number ? environment::check_coordinate(*number) : std::nullopt;
      if (!number || complaint) {
        problems_.error(ProblemCode::value, point.pointer,
                        number ? complaint->message
                               : fmt::format("field {}: {} is not a finite number", column + 1, in_quotes(field)));
        return std::nullopt;
      }
      *value = *number;
    }
    if (layer < 0 || row.fields[std::size_t(layer)].empty() || names_ == nullptr) return point;
    const std::string& id = row.fields[std::size_t(layer)];
    if (const auto found = names_->find_layer(id)) {
      point.layer = *found;
      return point;
    }
    const std::vector<std::string_view> ids(names_->layers().begin(), names_->layers().end());
    problems_.error(ProblemCode::value, point.pointer, "there is no layer " + environment::suggest(id, ids));
    return std::nullopt;
  }

  const std::string& source_;
  const EnvironmentNames* names_;
  std::vector<StartRow> rows_;
  environment::ProblemList problems_;
};

}  // namespace

Result<std::vector<StartRow>> parse_positions(std::string_view text, const std::string& source,
                                              const EnvironmentNames* names) {
  return Reader(source, names).read(text);
}

}  // namespace throng::scenario
