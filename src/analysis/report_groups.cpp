// Of the report: companions. How far groups kept together, how their members walked beside each other, and who was parted.
#include <algorithm>

#include "analysis/reporter.hpp"

namespace throng::analysis {

namespace {

const GroupFigures* all_groups(const RecordedRun& run) {
  return run.groups.empty() || run.groups.front().of.size != 0 ? nullptr : &run.groups.front();
}

std::string size_name(std::size_t size) { return size == 0 ? std::string("all") : fmt::format("of {}", size); }

/// Shares of the sum, in percent, at the middle of each bin.
std::vector<Vec2> shares(const std::vector<std::uint64_t>& counts, double bin) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count;
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < counts.size() && sum > 0; ++i)
    points.push_back({(double(i) + 0.5) * bin, 100 * double(counts[i]) / double(sum)});
  return points;
}

/// Over all sizes.
std::vector<std::uint64_t> counts_of(const RecordedRun& run, bool of_angles, double& bin) {
  std::vector<std::uint64_t> sum;
  for (const GroupFigures& group : run.groups) {
    const std::vector<std::uint64_t>& counts = of_angles ? group.angles : group.distances;
    if (counts.empty()) continue;
    bin = of_angles ? group.angle_bin : group.distance_bin;
    sum.resize(std::max(sum.size(), counts.size()));
    for (std::size_t i = 0; i < counts.size(); ++i) sum[i] += counts[i];
  }
  return sum;
}

}  // namespace

Section Reporter::groups() const {
  Section section{"groups", "Companions", {}};
  if (std::ranges::all_of(runs_, [](const RecordedRun& run) { return all_groups(run) == nullptr; })) return section;
  section.blocks.emplace_back(group_histogram(false));
  section.blocks.emplace_back(group_histogram(true));
  section.blocks.emplace_back(groups_table());
  section.blocks.emplace_back(
      Paragraph{"Coherence: the part of the time in which the first and the last of a group were no farther apart than "
                "they can see. Partial sociality: everybody saw somebody of the group nearby who saw them; total "
                "sociality: all saw each other, too. From appearing until the first member was at the last goal. "
                "These compare methods; distances, angles and speeds say how people walked (docs/groups.md)."});
  return section;
}

Table Reporter::groups_table() const {
  Table table{"Groups by size",
              {"groups", "how many", "coherence (%)", "partial sociality (%)", "total sociality (%)",
               "nearest member, median (m)", "abreast (%)", "mean speed (m/s)", "time apart (s)",
               "out of formation (%)", "arrivals apart (s)", "parted", "found again"},
              {}};
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (const GroupFigures& line : runs_[i].groups) {
      const GroupSummary& g = line.of;
      const std::string key = fmt::format("run-{}.groups.{}.", i + 1, g.size == 0 ? "all" : fmt::format("{}", g.size));
      const auto cell = [&](const char* what, std::optional<double> value, int decimals, double factor = 1) {
        return value ? Cell{fmt::format("{:.{}f}", *value * factor, decimals), nlohmann::ordered_json(*value).dump(),
                            key + what}
                     : Cell{"\u2013"};
      };
      const auto whole = [&](const char* what, std::uint64_t count) {
        return Cell{fmt::format("{}", count), fmt::format("{}", count), key + what};
      };
      table.rows.push_back({{(several() ? names_[i] + ": " : std::string()) + size_name(g.size)},
                            whole("groups", g.groups),
                            cell("coherence", g.coherence, 1, 100),
                            cell("partial_sociality", g.partial, 1, 100),
                            cell("total_sociality", g.total, 1, 100),
                            cell("median_nearest", g.median_nearest, 2),
                            cell("abreast", g.abreast, 0, 100),
                            cell("mean_speed", g.speed, 2),
                            cell("time_apart", g.apart, 1),
                            cell("out_of_formation", g.out_of_formation, 0, 100),
                            cell("arrival_spread", g.arrival_spread, 1),
                            whole("parted", g.parted),
                            whole("rejoined", g.rejoined)});
    }
  return table;
}

Figure Reporter::group_histogram(bool of_angles) const {
  Plot plot{.title = of_angles ? "Where the nearest member is" : "How far the nearest member is",
            .x_label = of_angles ? "angle to the way (degrees)" : "distance (m)",
            .y_label = "share of the time (%)"};
  const auto add = [&](std::string name, const std::vector<std::uint64_t>& counts, double bin) {
    std::vector<Vec2> points = shares(counts, bin);
    // What nobody walked at is left out at the end.
    while (!of_angles && points.size() > 1 && points.back().y == 0) points.pop_back();
    if (!points.empty()) plot.series.push_back({.name = std::move(name), .points = std::move(points)});
  };
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (several()) {
      double bin = 1;
      const std::vector<std::uint64_t> counts = counts_of(runs_[i], of_angles, bin);
      add(names_[i], counts, bin);
      continue;
    }
    for (const GroupFigures& group : runs_[i].groups)
      if (group.of.size != 0)
        add("groups " + size_name(group.of.size), of_angles ? group.angles : group.distances,
            of_angles ? group.angle_bin : group.distance_bin);
  }
  if (plot.series.size() == 1) plot.series.front().mark = Mark::bars;
  plot.x_from = 0;
  if (of_angles) plot.x_to = 90;
  plot.description = of_angles ? "How often the line to the nearest member was at which angle to the group's way."
                               : "How often the nearest member was how far away.";
  return {of_angles ? "group-angles" : "group-distances",
          of_angles ? "Beside or behind each other." : "Distances between companions.",
          of_angles ? "Angle between the line to the nearest member and the group's way, while the group walks: "
                      "0 behind each other, 90 side by side."
                    : "Between the centres of a member and the nearest other one, while the group walks.",
          draw_plot(plot), false};
}

}  // namespace throng::analysis
