// The only file that includes CLI11, which compiles slowly.
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <deque>
#include <exception>
#include <new>

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
  return {};
}

void bind(Bound& bound, const Argument& argument) {
  Slot& slot = bound.slots.emplace_back();
  slot.argument = &argument;
  if (argument.is_flag()) {
    bound.app->add_flag(argument.names, slot.flag, argument.help);
    return;
  }
  CLI::Option* option = bound.app->add_option(argument.names, slot.values, argument.help);
  option->type_name(argument.value);
  if (argument.count != Count::one_or_more)
    option->expected(argument.values)->allow_extra_args(false);
  else if (!argument.positional)
    option->allow_extra_args(false);  // a word each time it is given
  option->required(argument.positional && argument.count != Count::optional);
  option->check([&argument](const std::string& text) { return check_value(argument, text); });
  if (!argument.choices.empty()) option->check(CLI::IsMember(argument.choices));
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

/// What CLI11 made of the command line, as an exit code; nothing where a command is to be run.
std::optional<ExitCode> parse(CLI::App& program, int argc, char** argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program.exit(error) == 0 ? ExitCode::done : ExitCode::misuse;
  }
  return std::nullopt;
}

ExitCode run_commands(int argc, char** argv) {
  CLI::App program("Throng moves crowds through places: environments, navigation meshes, routes and crowds.", "throng");
  program.set_version_flag("--version", "throng " THRONG_VERSION);
  program.require_subcommand(1);
  program.footer(
      "`throng COMMAND --help` explains a command.\n"
      "Exit codes: 0 done, 1 refused input or an output that cannot be written, 2 wrong use, 3 internal fault,\n"
      "130 and 143 ended early by Ctrl-C or SIGTERM.");
  std::deque<Bound> all;
  for (const auto& [name, command] : commands())
    bind(all.emplace_back(), *program.add_subcommand(command.name, command.summary), command);
  if (const std::optional<ExitCode> ended = parse(program, argc, argv)) return *ended;
  for (const Bound& bound : all)
    if (bound.app->parsed()) return bound.command->run(parsed_of(bound));
  return ExitCode::misuse;
}

ExitCode run_command(int argc, char** argv, const Command& command) {
  CLI::App program(command.summary, command.name);
  program.set_version_flag("--version", command.name + " " THRONG_VERSION);
  Bound bound;
  bind(bound, program, command);
  if (const std::optional<ExitCode> ended = parse(program, argc, argv)) return *ended;
  return command.run(parsed_of(bound));
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
