// The only file that includes CLI11, which compiles slowly.
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <exception>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

#include "text/nearest_name.hpp"

namespace throng::cli {
namespace {

/// Where CLI11 puts what it read for one command.
struct Slot {
  const Argument* argument = nullptr;
  std::vector<std::string> values;
  bool flag = false;
};

struct Bound {
  const Command* command = nullptr;
  CLI::App* app = nullptr;
  std::deque<Argument> own;  ///< arguments every command has
  std::deque<Slot> slots;    ///< a deque, since CLI11 keeps references
};

std::string check_value(const Argument& argument, const std::string& text) {
  if (argument.type != Type::text && !is_number(text, argument.type))
    return fmt::format("{} wants a {}, not '{}'", argument.names,
                       argument.type == Type::number ? "number" : "whole number", text);
  const std::vector<std::string_view> known(argument.choices.begin(), argument.choices.end());
  if (!known.empty() && std::find(known.begin(), known.end(), text) == known.end())
    return fmt::format("{} wants another word than {}", argument.names, environment::suggest(text, known));
  return {};
}

void bind(Bound& bound, const Argument& argument) {
  Slot& slot = bound.slots.emplace_back();
  slot.argument = &argument;
  if (argument.is_flag()) {
    CLI::Option* const flag = bound.app->add_flag(argument.names, slot.flag, argument.help);
    if (!argument.group.empty()) flag->group(argument.group);
    return;
  }
  CLI::Option* option = bound.app->add_option(argument.names, slot.values, argument.help);
  option->type_name(argument.choices.empty()
                        ? argument.value
                        : fmt::format("{}:{{{}}}", argument.value, fmt::join(argument.choices, ",")));
  if (!argument.group.empty()) option->group(argument.group);
  if (argument.values < 0)
    option->expected(0, -1);  // any number
  else if (argument.count != Count::one_or_more)
    option->expected(argument.values)->allow_extra_args(false);
  else if (!argument.positional)
    option->allow_extra_args(false);  // a word each time it is given
  option->required(argument.positional && argument.count != Count::optional);
  option->check([&argument](const std::string& text) { return check_value(argument, text); });
}

void bind(Bound& bound, CLI::App& app, const Command& command) {
  bound.command = &command;
  bound.app = &app;
  bound.app->footer(command.details);
  for (const Argument& argument : command.arguments.list()) bind(bound, argument);
  bound.own.push_back(
      {.names = "--json", .value = {}, .help = "print the result as JSON on standard output", .choices = {}});
  for (const Argument& argument : bound.own) bind(bound, argument);
}

Parsed parsed_of(const Bound& bound) {
  std::map<std::string, std::vector<std::string>> values;
  for (const Slot& slot : bound.slots)
    values[slot.argument->key()] = slot.flag ? std::vector<std::string>{"true"} : slot.values;
  return Parsed(std::move(values));
}

/// "--from" of "--from=wkt".
std::string option_in(const std::string& word) { return word.substr(0, word.find('=')); }

/// Every spelling of every option: "-o", "--output".
std::vector<std::string> spellings_of(const Bound& bound) {
  std::vector<std::string> all{"--help"};
  for (const Slot& slot : bound.slots) {
    if (slot.argument->positional) continue;
    std::string_view rest = slot.argument->names;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      all.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return all;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string_view near = environment::nearest_name(word, names);
  return near.empty() ? std::string() : fmt::format("; did you mean '{}'?", near);
}

/// What is wrong with words that nothing was declared for; empty where there are none.
std::string what_is_left(const std::vector<std::string>& left, const Bound& bound) {
  const auto option =
      std::find_if(left.begin(), left.end(), [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
  if (option != left.end()) {
    const std::string name = option_in(*option);
    if (const std::string now = bound.command->arguments.new_name_of(name); !now.empty())
      return fmt::format("{} is called {} now", name, now);
    return fmt::format("there is no option {}{}", environment::in_quotes(name),
                       did_you_mean(name, spellings_of(bound)));
  }
  return left.empty() ? std::string() : fmt::format("{} is one word too many", environment::in_quotes(left.front()));
}

/// CLI11's words without the name of the option in front, which ours begin with.
std::string words_of(const CLI::ParseError& error) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ValidationError*>(&error) == nullptr) return text;
  const std::size_t colon = text.find(": ");
  const std::string own = colon == std::string::npos ? text : text.substr(colon + 2);
  return own.starts_with("-") || colon == std::string::npos ? own : text;
}

/// An option that had another meaning once: what that is called now.
std::string also_called(const CLI::ParseError& error, const Bound& bound) {
  const std::string text = error.what();
  const std::string now = bound.command->arguments.new_name_of(text.substr(0, text.find(':')));
  return now.empty() ? now : fmt::format("; the format of what is read is {} now", now);
}

/// What CLI11 made of the command line, as an exit code; nothing where a command is to be run.
std::optional<ExitCode> parse(CLI::App& program, const std::deque<Bound>& all, int argc, char** argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error) == 0 ? ExitCode::done : ExitCode::misuse;
    for (const Bound& bound : all) {
      if (!bound.app->parsed() && bound.app != &program) continue;
      const std::string left = what_is_left(program.remaining(true), bound);
      const std::string name = bound.app == &program ? program.get_name() : "throng " + bound.app->get_name();
      fmt::print(stderr, "{}: {}\n`{} --help` explains it.\n", name,
                 left.empty() ? words_of(error) + also_called(error, bound) : left, name);
      return ExitCode::misuse;
    }
    fmt::print(stderr, "throng: {}\n", error.what());
    return ExitCode::misuse;
  }
  return std::nullopt;
}

/// What is wrong with the first word, which names the command; empty where nothing is.
std::string wrong_command(int argc, char** argv) {
  if (argc < 2) return "which command? To start with: throng init first";
  const std::string word = argv[1];
  if (commands().count(word) > 0) return {};
  for (const char* own : {"-h", "--help", "--version"})
    if (word == own) return {};
  if (word.starts_with("-"))
    return fmt::format("there is no option {}{}", environment::in_quotes(option_in(word)),
                       did_you_mean(option_in(word), {"--help", "--version"}));
  std::vector<std::string> names;
  for (const auto& [name, command] : commands()) names.push_back(name);
  return fmt::format("there is no command {}{}", environment::in_quotes(word), did_you_mean(word, names));
}

ExitCode run_commands(int argc, char** argv) {
  if (const std::string wrong = wrong_command(argc, argv); !wrong.empty()) {
    fmt::print(stderr, "throng: {}\n`throng --help` lists the commands.\n", wrong);
    return ExitCode::misuse;
  }
  CLI::App program(
      "Throng moves crowds through places: environments, navigation meshes, routes and crowds.\n"
      "To start with: `throng init first`, then `throng view first/scenario.json`; or `throng edit` to draw a plan.",
      "throng");
  program.set_version_flag("--version", "throng " THRONG_VERSION);
  program.require_subcommand(1);
  program.footer(
      "`throng COMMAND --help` explains a command.\n"
      "Exit codes: 0 done, 1 refused input or an output that cannot be written, 2 wrong use, 3 internal fault,\n"
      "130 and 143 ended early by Ctrl-C or SIGTERM.");
  std::deque<Bound> all;
  for (const char* const use : use_names)
    for (const auto& [name, command] : commands())
      if (use == use_names[std::size_t(command.use)])
        bind(all.emplace_back(), *program.add_subcommand(command.name, command.summary)->group(use), command);
  if (const std::optional<ExitCode> ended = parse(program, all, argc, argv)) return *ended;
  for (const Bound& bound : all)
    if (bound.app->parsed()) return bound.command->run(parsed_of(bound));
  return ExitCode::misuse;
}

ExitCode run_command(int argc, char** argv, const Command& command) {
  CLI::App program(command.summary, command.name);
  program.set_version_flag("--version", command.name + " " THRONG_VERSION);
  std::deque<Bound> all;
  bind(all.emplace_back(), program, command);
  if (const std::optional<ExitCode> ended = parse(program, all, argc, argv)) return *ended;
  return command.run(parsed_of(all.front()));
}

/// Runs it; faults become a line on standard error and an exit code.
template <class Program>
int guarded(const char* name, Program&& program) {
  try {
    return int(program());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "{}: internal fault: out of memory\n", name);
  } catch (const std::exception& fault) {
    fmt::print(stderr, "{}: internal fault: {}\n", name, fault.what());
  } catch (...) {
    fmt::print(stderr, "{}: internal fault\n", name);
  }
  return int(ExitCode::fault);
}

}  // namespace

int run_program(int argc, char** argv) {
  return guarded("throng", [&] { return run_commands(argc, argv); });
}

int run_program(int argc, char** argv, const Command& command) {
  return guarded(command.name.c_str(), [&] { return run_command(argc, argv, command); });
}

}  // namespace throng::cli
