#include "validation/validation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "drawing/plot.hpp"
#include "validation/statistics.hpp"

namespace throng::validation {
namespace {

using analysis::Cell;
using analysis::Document;
using analysis::Paragraph;
using analysis::Plot;
using analysis::Section;
using analysis::Table;

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> suites{{{"rimea", "RiMEA 4.1.1"},
                                                                               {"imo", "IMO MSC.1/Circ.1533"},
                                                                               {"nist", "NIST Technical Note 1822"},
                                                                               {"iso", "ISO 20414:2020"},
                                                                               {"lab", "Laboratories"}}};

std::string figure_text(const Outcome& outcome, const std::string& name) {
  const std::vector<double> values = outcome.values(name);
  if (values.empty()) return fmt::format("{} -", name);
  std::string text = fmt::format("{} {}", name, printed(mean_of(values)));
  if (values.size() > 1 && deviation_of(values) > 0) text += fmt::format(" ± {}", printed(deviation_of(values)));
  if (values.size() < outcome.seeds.size())
    text += fmt::format(" ({} of {} seeds)", values.size(), outcome.seeds.size());
  return text;
}

std::string verdict_text(const Outcome& outcome) {
  std::string text(name_of(outcome.verdict()));
  if (outcome.seeds.size() > 1 && outcome.verdict() != Verdict::measured && outcome.kept() < outcome.seeds.size())
    text += fmt::format(" ({} of {} seeds hold)", outcome.kept(), outcome.seeds.size());
  return text;
}

std::string criterion_text(const Case& one) {
  return one.kind == Kind::not_built ? fmt::format("needs {}", one.needs) : one.criterion;
}

Table table_of(const std::vector<Outcome>& outcomes, std::string_view suite, std::string_view title) {
  Table table;
  table.caption = std::string(title);
  table.head = {"Case",    "Clause", "Kind", "Criterion", "Measured, mean ± deviation over seeds",
                "Verdict", "Seeds",  "Took"};
  for (const Outcome& outcome : outcomes) {
    const Case& one = *outcome.one;
    if (one.suite != suite) continue;
    table.rows.push_back({Cell{one.name}, Cell{one.clause}, Cell{std::string(name_of(one.kind))},
                          Cell{criterion_text(one)}, Cell{shown_figures(outcome)}, Cell{verdict_text(outcome)},
                          Cell{fmt::format("{}", outcome.seeds.size())},
                          Cell{fmt::format("{:.1f} s", outcome.seconds())}});
  }
  return table;
}

/// The curves of the first seed; bands that they are judged by.
std::string curves_of(const Outcome& outcome) {
  const Case& one = *outcome.one;
  Plot plot;
  plot.title = one.about;
  plot.x_label = "persons a square metre (single file: a metre); seconds of counts";
  plot.y_label = "m/s; persons of counts";
  for (const FigureSpec& figure : one.figures) {
    if (figure.measure != "in_band") continue;
    analysis::Series band{fmt::format("band ({})", figure.name), {}, analysis::Mark::band};
    for (const Json& row : figure.arguments.at("band")) {
      band.points.push_back({row.at(0).get<double>(), row.at(1).get<double>()});
      band.upper.push_back({row.at(0).get<double>(), row.at(2).get<double>()});
    }
    plot.series.push_back(std::move(band));
  }
  for (const std::string& name : one.plots) {
    const auto curve = outcome.seeds.front().curves.find(name);
    if (curve == outcome.seeds.front().curves.end()) continue;
    std::vector<Vec2> points = curve->second;
    // As many dots as can be told apart.
    constexpr std::size_t most = 400;
    if (points.size() > most) {
      std::vector<Vec2> some;
      for (std::size_t i = 0; i < most; ++i) some.push_back(points[i * points.size() / most]);
      points = std::move(some);
    }
    plot.series.push_back({name, std::move(points), analysis::Mark::dots});
  }
  plot.description = "what the first seed gave";
  return plot.series.empty() ? std::string() : analysis::draw_plot(plot);
}

Table figures_of_seeds(const Outcome& outcome) {
  Table table;
  table.caption = "Figures, seed by seed";
  table.head = {"Seed"};
  std::vector<std::string> names;
  for (const FigureSpec& figure : outcome.one->figures) names.push_back(figure.name);
  table.head.insert(table.head.end(), names.begin(), names.end());
  table.head.emplace_back("Complete");
  table.head.emplace_back("Hash");
  for (const SeedOutcome& seed : outcome.seeds) {
    std::vector<Cell> row{Cell{fmt::format("{}", seed.seed)}};
    for (const std::string& name : names) {
      const auto found = seed.figures.find(name);
      const bool is_there = found != seed.figures.end() && std::isfinite(found->second);
      row.push_back(is_there ? Cell{printed(found->second), fmt::format("{}", found->second)} : Cell{"-"});
    }
    row.push_back(Cell{seed.is_complete ? std::string("yes") : seed.incomplete});
    row.push_back(Cell{fmt::format("{:016x}", seed.hash)});
    table.rows.push_back(std::move(row));
  }
  table.folded = true;
  return table;
}

Table checks_of(const Outcome& outcome) {
  Table table;
  table.caption = "Checks, and in how many seeds each holds";
  table.head = {"Check", "Holds"};
  for (const Check& check : outcome.one->checks) {
    const auto count = std::ranges::count_if(
        outcome.seeds, [&](const SeedOutcome& seed) { return holds(check, seed.figures) == true; });
    table.rows.push_back({Cell{text_of(check)}, Cell{fmt::format("{} of {}", count, outcome.seeds.size())}});
  }
  return table;
}

Section section_of(const Outcome& outcome) {
  const Case& one = *outcome.one;
  Section section{one.name, fmt::format("{}: {}", one.name, one.about), {}};
  section.blocks.emplace_back(
      Paragraph{fmt::format("{}. {}: {}. Verdict: {}{}.", one.clause, name_of(one.kind), criterion_text(one),
                            verdict_text(outcome), outcome.quick ? " (quick form: fewer people or shorter)" : "")});
  for (const std::string& ours : one.ours) section.blocks.emplace_back(Paragraph{fmt::format("Ours: {}.", ours)});
  if (one.kind == Kind::not_built) return section;
  for (const SeedOutcome& seed : outcome.seeds)
    if (!seed.is_complete)
      section.blocks.emplace_back(Paragraph{fmt::format("Seed {}: {}.", seed.seed, seed.incomplete)});
  if (!one.checks.empty()) section.blocks.emplace_back(checks_of(outcome));
  section.blocks.emplace_back(figures_of_seeds(outcome));
  if (std::string curves = curves_of(outcome); !curves.empty())
    section.blocks.emplace_back(analysis::Figure{fmt::format("{}-curves", one.name), "Curves of the first seed",
                                                 "curves and bands", std::move(curves)});
  for (const DrawnRun& drawn : outcome.seeds.front().drawn)
    section.blocks.emplace_back(analysis::Figure{fmt::format("{}-{}", one.name, drawn.run),
                                                 fmt::format("Plan and ways: {}", drawn.run),
                                                 "the plan with ways of up to 150 people", drawn.svg, true});
  return section;
}

std::string head_text(const ReportFacts& facts) {
  return fmt::format(
      "{}; seeds 1 to {}; {}", facts.program, facts.seeds,
      facts.method.empty() ? std::string("default methods") : fmt::format("all people by {}", facts.method));
}

}  // namespace

std::string printed(double value) {
  const double size = std::abs(value);
  if (value == std::round(value) && size < 1e6) return fmt::format("{:.0f}", value);
  return size >= 100  ? fmt::format("{:.0f}", value)
         : size >= 10 ? fmt::format("{:.1f}", value)
                      : fmt::format("{:.2f}", value);
}

std::string shown_figures(const Outcome& outcome) {
  std::string text;
  for (const std::string& name : outcome.one->shown)
    text = fmt::format("{}{}{}", text, text.empty() ? "" : ", ", figure_text(outcome, name));
  return text;
}

Tally tally_of(const std::vector<Outcome>& outcomes, const std::string& suite) {
  Tally tally;
  for (const Outcome& outcome : outcomes) {
    if (outcome.one->suite != suite) continue;
    ++tally.cases;
    const Verdict verdict = outcome.verdict();
    ++(verdict == Verdict::pass       ? tally.pass
       : verdict == Verdict::measured ? tally.measured
       : verdict == Verdict::fail     ? tally.fail
                                      : tally.not_built);
  }
  return tally;
}

std::string rimea_line(const std::vector<Outcome>& outcomes) {
  std::vector<Outcome> of_4;
  for (const Outcome& outcome : outcomes)
    if (outcome.one->name.starts_with("rimea-")) of_4.push_back(outcome);
  const Tally tally = tally_of(of_4, "rimea");
  return fmt::format("RiMEA 4.1.1: {} of {} parts pass, {} measured, {} fail", tally.pass, tally.cases, tally.measured,
                     tally.fail);
}

Document report_of(const std::vector<Outcome>& outcomes, const ReportFacts& facts) {
  Document document;
  document.title = "Validation";
  document.subtitle = head_text(facts);
  Section front{"cases", "Cases", {}};
  front.blocks.emplace_back(Paragraph{
      "Required: the guideline states a number or an outcome, which holds for every seed. Direction: it says which way "
      "a result must go, which "
      "nine of ten seeds do (ours). Measured: it asks for a figure. A case also fails where somebody does not arrive. "
      "Doors: IMO 4, NIST 5.2 and "
      "ISO 11 ask for at most 1.33 persons a metre and second, laboratories measure 1.7 to 2.3: no model does both."});
  for (const auto& [suite, title] : suites) {
    Table table = table_of(outcomes, suite, title);
    if (!table.rows.empty()) front.blocks.emplace_back(std::move(table));
    const Tally tally = tally_of(outcomes, std::string(suite));
    if (tally.cases > 0)
      document.highlights.emplace_back(fmt::format("{} of {}", tally.pass, tally.cases),
                                       fmt::format("{}: pass; {} measured, {} fail, {} not built", title,
                                                   tally.measured, tally.fail, tally.not_built));
  }
  document.sections.push_back(std::move(front));
  for (const Outcome& outcome : outcomes) document.sections.push_back(section_of(outcome));
  document.footer = facts.program;
  return document;
}

}  // namespace throng::validation
