// Of the report: figures per exit, where people changed their minds, and what the run does and does not show.
#include <algorithm>
#include <map>

#include "analysis/exits.hpp"
#include "analysis/reporter.hpp"

namespace throng::analysis {

Section Reporter::exits() const {
  Section section{"exits", "Exits", {}};
  Table table{"Who left by which exit", {"exit", "people", "first (s)", "last (s)", "mean flow (persons/s)"}, {}};
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (const ExitFigures& exit : exits_of(runs_[i])) {
      const std::string name = exit.name.empty() ? "elsewhere" : exit.name;
      const std::string key = fmt::format("run-{}.exit.{}", i + 1, name);
      table.rows.push_back({{(several() ? names_[i] + ": " : std::string()) + name},
                            number_cell(double(exit.people), 0, key + ".people"),
                            number_cell(exit.first, 1, key + ".first"),
                            number_cell(exit.last, 1, key + ".last"),
                            exit.flow() ? number_cell(*exit.flow(), 2, key + ".flow") : Cell{"\u2013"}});
    }
  if (table.rows.empty()) return section;
  section.blocks.emplace_back(
      Paragraph{fmt::format("An exit is the named area somebody was in, or within {:g} m of, when they were last seen. "
                            "The mean flow is between "
                            "the first and the last who left by it.",
                            exit_reach)});
  section.blocks.emplace_back(std::move(table));
  add_exit_curves(section);
  return section;
}

void Reporter::add_exit_curves(Section& section) const {
  if (are_seeds()) return add_exit_bands(section);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::vector<ExitFigures> exits = exits_of(runs_[i]);
    if (exits.size() < 2) continue;  // the curve of one is that of arrivals
    Plot plot = time_plot("Exits over time" + in_run(i), "people who have left");
    for (const ExitFigures& exit : exits)
      plot.series.push_back({.name = exit.name.empty() ? "elsewhere" : exit.name,
                             .points = cumulative(exit.times, runs_[i].begin, 1, runs_[i].end),
                             .mark = Mark::steps});
    plot.description = "How many people had left by each exit by each time.";
    section.blocks.emplace_back(Figure{id("exits", i), "Exits over time" + in_run(i) + ".",
                                       "How many people had left by each exit by each time. Curves that go on until "
                                       "the same time say that the exits were shared out well.",
                                       draw_plot(plot), false});
  }
}

void Reporter::add_exit_bands(Section& section) const {
  std::map<std::string, std::vector<Series>> by_exit;
  for (const RecordedRun& run : runs_)
    for (const ExitFigures& exit : exits_of(run))
      by_exit[exit.name.empty() ? "elsewhere" : exit.name].push_back(
          {.name = "", .points = cumulative(exit.times, run.begin, 1, run.end), .mark = Mark::steps});
  if (by_exit.size() < 2) return;  // the curve of one is that of arrivals
  Plot plot = time_plot("Exits over time", "people who have left");
  std::size_t colour = 0;
  for (auto& [name, runs] : by_exit) add_runs(plot, std::move(runs), name, colour++);
  plot.description = "How many people had left by each exit by each time, over all runs.";
  section.blocks.emplace_back(Figure{"exits", "Exits over time.",
                                     "How many people had left by each exit by each time. Curves that go on until "
                                     "the same time say that the exits were shared out well.",
                                     draw_plot(plot), false});
}

Section Reporter::changes() const {
  Section section{"changes", "Where people changed their minds", {}};
  Table table{
      "Who took another way, and why", {"why", "changes", "people", "of the exit", "first (s)", "last (s)"}, {}};
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const RecordedRun& run = runs_[i];
    struct Of {
      std::set<std::uint64_t> people;
      std::size_t changes = 0, exits = 0;
      double first = 0, last = 0;
      std::vector<SeenAt> places;
    };
    std::map<std::string, Of> by_reason;
    for (const ChangeOfMind& change : run.changes) {
      Of& of = by_reason[change.why];
      if (of.changes++ == 0) of.first = change.time;
      of.last = change.time;
      of.people.insert(change.serial);
      of.exits += change.from != change.to ? 1 : 0;
      of.places.push_back(change.at);
    }
    std::vector<DotsOnMap> kinds;
    for (auto& [why, of] : by_reason) {
      const std::string key = fmt::format("run-{}.changes.{}", i + 1, why);
      table.rows.push_back({{(several() ? names_[i] + ": " : std::string()) + why},
                            number_cell(double(of.changes), 0, key),
                            number_cell(double(of.people.size()), 0, key + ".people"),
                            number_cell(double(of.exits), 0, key + ".exits"),
                            number_cell(of.first, 1, key + ".first"),
                            number_cell(of.last, 1, key + ".last")});
      kinds.push_back({why, std::move(of.places)});
    }
    if (kinds.empty()) continue;
    const std::string title = "Where people changed their minds" + in_run(i) + ".";
    section.blocks.emplace_back(
        Figure{id("changes", i), title, "A dot where somebody took another way; colours say why.",
               draw_dots(run, sheets_[i], kinds, {id("changes", i), title, map_width()}), !several()});
  }
  if (table.rows.empty()) return section;
  section.blocks.insert(
      section.blocks.begin(),
      Paragraph{"By jams foreseen (queues, density), stuck, round a jam seen (detour), by the side of obstacles "
                "(strategy), by signs (guidance), or because the host asked for it: docs/congestion.md."});
  section.blocks.emplace_back(std::move(table));
  return section;
}

Section Reporter::validity() const {
  Section section{"validity", "What this shows, and what it does not", {}};
  const auto say = [&](std::string text) { section.blocks.emplace_back(Paragraph{std::move(text)}); };
  std::set<std::string> avoid, follow, seeds;
  for (const RecordedRun& run : runs_) {
    seeds.insert(fmt::format("{}", run.meta.seed));
    const nlohmann::ordered_json profiles = run.parameters.value("profiles", nlohmann::ordered_json::object());
    if (!profiles.is_object()) continue;
    for (const auto& [name, profile] : profiles.items()) {
      if (!profile.is_object()) continue;
      if (profile.contains("avoid") && profile["avoid"].is_string()) avoid.insert(profile["avoid"].get<std::string>());
      if (profile.contains("follow") && profile["follow"].is_string())
        follow.insert(profile["follow"].get<std::string>());
    }
  }
  const auto joined = [](const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? std::string("not recorded") : text;
  };
  say(fmt::format(
      "Method: every person is a disc that plans a route, follows it (by {}) and gives way to others (by {}), in "
      "steps of {:g} s. Walls cannot be passed.",
      joined(follow), joined(avoid), runs_[0].meta.time_step));
  say(fmt::format("Seeds: {}. {}", joined(seeds),
                  seeds.size() < 10
                      ? "Starts, speeds and choices are drawn at random: figures of another seed differ. For "
                        "a design decision take at least ten seeds, and the slowest rather than the mean."
                      : "What is drawn at random (starts, speeds, choices) differs from seed to seed; take "
                        "the slowest runs into account, not the mean alone."));
  say("Not modelled, unless the scenario says so by its numbers: smoke, heat and poor visibility; people who fall, "
      "carry, push "
      "or help each other; families and groups that stay together, but for populations with \"groups\"; lifts; doors "
      "that are opened, held or locked; signs "
      "that are "
      "not seen; people who go back; wheelchairs and prams other than by their radius and speed.");
  say("How well it agrees with measurements is in docs/crowd.md: flow through doors and speed at high density depend "
      "on the "
      "method of avoidance. Where people stand closer than about 4 per m\u00b2 in the maps, the figures are outside "
      "what the "
      "methods were compared with.");
  say("Premovement times, how many people there are and which exits they know come from whoever made the scenario. "
      "This report "
      "checks none of them.");
  return section;
}

}  // namespace throng::analysis
