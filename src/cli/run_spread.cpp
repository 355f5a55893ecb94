#include "cli/run_spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/figures.hpp"
#include "analysis/spread.hpp"
#include "text/csv.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

using environment::csv_field;

bool was_whole(const Json& run) { return !run.value("stopped", false); }

std::vector<Json> whole_runs(const std::vector<Json>& runs) {
  std::vector<Json> whole;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(whole), was_whole);
  return whole;
}

/// Members of any run whose value is one word, in the order in which they come.
std::vector<std::string> columns_of(const std::vector<Json>& runs) {
  std::vector<std::string> names;
  for (const Json& run : runs)
    for (const auto& [name, value] : run.items())
      if (!value.is_structured() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::optional<double> number_in(const Json& run, const std::string& name) {
  const auto found = run.find(name);
  return found != run.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

/// Nearest rank; `late` more runs come after all values.
std::optional<double> percentile(const std::vector<double>& sorted, std::size_t late, int percent) {
  const std::size_t all = sorted.size() + late;
  const std::size_t rank = std::max<std::size_t>(1, (all * std::size_t(percent) + 99) / 100);
  return rank <= sorted.size() ? std::optional(sorted[rank - 1]) : std::nullopt;
}

RunSpread spread_of(const std::vector<Json>& runs, const std::string& name) {
  analysis::Spread spread{name, {}};
  for (const Json& run : runs)
    if (const auto value = number_in(run, name)) spread.values.push_back(*value);
  RunSpread result{name, spread.values.size(), {}, {}, {}, {}, {}};
  if (spread.values.empty()) return result;
  result.mean = spread.mean();
  if (spread.values.size() > 1) result.deviation = spread.deviation();
  std::sort(spread.values.begin(), spread.values.end());
  result.least = spread.values.front(), result.most = spread.values.back();
  const std::size_t late = name.starts_with("evacuated_") ? runs.size() - spread.values.size() : 0;
  for (std::size_t i = 0; i < run_percentiles.size(); ++i)
    result.percentiles[i] = percentile(spread.values, late, run_percentiles[i]);
  return result;
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string text_of(const Json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? csv_field(value.get<std::string>()) : value.dump();
}

}  // namespace

std::vector<RunSpread> spread_of(const std::vector<Json>& runs) {
  const std::vector<Json> whole = whole_runs(runs);
  std::vector<RunSpread> all;
  for (const analysis::FigureOfRun& figure : analysis::figures()) {
    if (!figure.averaged) continue;
    RunSpread spread = spread_of(whole, std::string(figure.key));
    if (!figure.where_in_use || spread.runs > 0) all.push_back(std::move(spread));
  }
  return all;
}

Json spread_json(const std::vector<Json>& runs, std::uint64_t asked) {
  const std::size_t whole = whole_runs(runs).size();
  Json object{{"runs", whole}, {"asked", asked}, {"stopped", whole != asked}};
  for (const RunSpread& spread : spread_of(runs)) {
    Json figures{{"mean", number_or_null(spread.mean)},
                 {"deviation", number_or_null(spread.deviation)},
                 {"runs", spread.runs},
                 {"least", number_or_null(spread.least)}};
    for (std::size_t i = 0; i < run_percentiles.size(); ++i)
      figures[fmt::format("p{}", run_percentiles[i])] = number_or_null(spread.percentiles[i]);
    figures["most"] = number_or_null(spread.most);
    object[spread.name] = std::move(figures);
  }
  return object;
}

std::string spread_table(const std::vector<Json>& runs, std::uint64_t asked) {
  const std::size_t whole = whole_runs(runs).size();
  std::vector<std::vector<std::string>> rows{
      {whole == asked ? "over all runs" : fmt::format("over {} of {} runs", whole, asked), "mean", "deviation",
       "least"}};
  for (const int percent : run_percentiles) rows[0].push_back(fmt::format("{} %", percent));
  rows[0].insert(rows[0].end(), {"most", "runs"});
  const auto text = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.3f}", *value) : std::string("-");
  };
  for (const RunSpread& spread : spread_of(runs)) {
    rows.push_back({spread.name, text(spread.mean), text(spread.deviation), text(spread.least)});
    for (const auto& value : spread.percentiles) rows.back().push_back(text(value));
    rows.back().insert(rows.back().end(), {text(spread.most), std::to_string(spread.runs)});
  }
  return table(rows);
}

Problems write_runs_csv(const std::string& path, const std::vector<Json>& runs) {
  const std::vector<std::string> columns = columns_of(runs);
  const std::vector<RunSpread> spreads = spread_of(runs);
  std::string text;
  const auto add_row = [&](const std::string& what, const auto& cell_of) {
    text += what;
    for (const std::string& column : columns) text.append(1, ',').append(cell_of(column));
    text += '\n';
  };
  const auto add_figures = [&](const std::string& what, const auto& value_of) {
    add_row(what, [&](const std::string& column) {
      const auto found =
          std::find_if(spreads.begin(), spreads.end(), [&](const RunSpread& spread) { return spread.name == column; });
      return found == spreads.end() ? std::string() : text_of(number_or_null(value_of(*found)));
    });
  };
  add_row("row", [](const std::string& column) { return csv_field(column); });
  for (const Json& run : runs)
    add_row("run",
            [&](const std::string& column) { return run.contains(column) ? text_of(run[column]) : std::string(); });
  add_figures("mean", [](const RunSpread& s) { return s.mean; });
  add_figures("deviation", [](const RunSpread& s) { return s.deviation; });
  for (std::size_t i = 0; i < run_percentiles.size(); ++i)
    add_figures(fmt::format("p{}", run_percentiles[i]), [i](const RunSpread& s) { return s.percentiles[i]; });
  return environment::replace_file(path, text);
}

}  // namespace throng::cli
