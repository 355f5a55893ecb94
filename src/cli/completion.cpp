#include "cli/completion.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace throng::cli {
namespace {

std::vector<std::string> names_of(const Argument& argument) {
  std::vector<std::string> names;
  std::string_view rest = argument.names;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    names.emplace_back(rest.substr(0, comma));
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return names;
}

/// What every command has beside its own.
const std::vector<Argument>& common_options() {
  static const std::vector<Argument> all = [] {
    Arguments common;
    common.flag("--json", "print the result as JSON on standard output").flag("-h,--help", "explain the command");
    return common.list();
  }();
  return all;
}

std::vector<Argument> options_of(const Command& command) {
  std::vector<Argument> options;
  for (const Argument& argument : command.arguments.list())
    if (!argument.positional) options.push_back(argument);
  options.insert(options.end(), common_options().begin(), common_options().end());
  return options;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

/// Inside single quotes of a shell.
std::string shell_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

/// In fish, a backslash undoes a quote.
std::string fish_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// zsh's descriptions end at colons and brackets.
std::string zsh_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out;
}

std::string bash_case(const Command& command) {
  std::string options, choices;
  for (const Argument& option : options_of(command)) {
    for (const std::string& name : names_of(option)) {
      options += (options.empty() ? "" : " ") + name;
      if (option.choices.empty()) continue;
      choices += fmt::format("        {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", name,
                             shell_quoted(joined(option.choices)));
    }
  }
  return fmt::format("    {})\n      case \"$before\" in\n{}        *) ;;\n      esac\n      options='{}' ;;\n",
                     command.name, choices, shell_quoted(options));
}

}  // namespace

std::string bash_completion() {
  std::string names, cases;
  for (const auto& [name, command] : commands()) {
    names += (names.empty() ? "" : " ") + name;
    cases += bash_case(command);
  }
  return fmt::format(R"(# bash completion for throng, written by `throng help bash`
_throng() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} options=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}    *) return ;;
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _throng throng
)",
                     shell_quoted(names), cases);
}

std::string zsh_completion() {
  std::string names, cases;
  for (const auto& [name, command] : commands()) {
    names += fmt::format("    '{}:{}'\n", name, zsh_quoted(command.summary));
    cases += fmt::format("    {})\n      _arguments \\\n", name);
    for (const Argument& option : options_of(command)) {
      std::string values;
      for (int i = 0; i < option.values && !option.is_flag(); ++i)
        values += option.choices.empty() ? fmt::format(":{}:_files", zsh_quoted(option.value))
                                         : fmt::format(":{}:({})", zsh_quoted(option.value), joined(option.choices));
      for (const std::string& spelling : names_of(option))
        cases += fmt::format("        '{}[{}]{}' \\\n", spelling, zsh_quoted(option.help), values);
    }
    cases += "        '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef throng
# zsh completion for throng, written by `throng help zsh`
_throng() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_throng "$@"
)",
                     names, cases);
}

std::string fish_completion() {
  std::string out = "# fish completion for throng, written by `throng help fish`\n";
  for (const auto& [name, command] : commands()) {
    out += fmt::format("complete -c throng -n __fish_use_subcommand -f -a {} -d '{}'\n", name,
                       fish_quoted(command.summary));
    for (const Argument& option : options_of(command)) {
      out += fmt::format("complete -c throng -n '__fish_seen_subcommand_from {}'", name);
      for (const std::string& spelling : names_of(option))
        out += spelling.starts_with("--") ? " -l " + spelling.substr(2) : " -s " + spelling.substr(1);
      if (!option.is_flag()) out += " -r";
      if (!option.choices.empty()) out += fmt::format(" -f -a '{}'", fish_quoted(joined(option.choices)));
      out += fmt::format(" -d '{}'\n", fish_quoted(option.help));
    }
  }
  return out;
}

}  // namespace throng::cli
