// throng help: longer texts than --help has, the program's own: the manual page, completion for shells, tables to start from.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "cli/command.hpp"
#include "cli/completion.hpp"
#include "cli/manual_page.hpp"
#include "cli/report.hpp"
#include "environment/osm/osm_rules.hpp"
#include "text/nearest_name.hpp"

namespace throng::cli {
namespace {

struct Topic {
  std::string_view name;
  std::string_view summary;
  std::string (*text)();
};

constexpr std::array<Topic, 5> topics = {{
    {"osm-table", "what the tags of OpenStreetMap mean, to change and give back with --osm-table",
     [] { return std::string(environment::default_osm_table()); }},
    {"man", "the manual page, for man(1)", manual_page},
    {"bash", "completion for bash", bash_completion},
    {"zsh", "completion for zsh", zsh_completion},
    {"fish", "completion for fish", fish_completion},
}};

ExitCode print(const Topic& topic, bool json) {
  const std::string text = topic.text();
  if (json) {
    print_json({{"topic", topic.name}, {"text", text}});
    return ExitCode::done;
  }
  const bool fine = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return fine ? ExitCode::done : ExitCode::refused;
}

ExitCode run(const Parsed& parsed) {
  const std::string name = parsed.text("TOPIC");
  std::array<std::string_view, topics.size()> known;
  for (std::size_t i = 0; i < topics.size(); ++i) {
    if (topics[i].name == name) return print(topics[i], parsed.json());
    known[i] = topics[i].name;
  }
  if (!name.empty()) {
    fmt::print(stderr, "throng help: unknown topic {}\n", environment::suggest(name, known));
    return ExitCode::misuse;
  }
  fmt::print("throng help TOPIC prints\n");
  for (const Topic& topic : topics) fmt::print("  {:<10} {}\n", topic.name, topic.summary);
  fmt::print("`throng --help` lists the commands, `throng COMMAND --help` explains one.\n");
  return ExitCode::done;
}

const Registration registration({
    .name = "help",
    .summary = "prints the manual page, shell completion, or the table of OpenStreetMap's tags",
    .arguments = Arguments().positional("TOPIC", "osm-table, man, bash, zsh or fish; without one, what there is",
                                        Count::optional),
    .run = run,
    .details = {},
});

}  // namespace
}  // namespace throng::cli
