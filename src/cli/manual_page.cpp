#include "cli/manual_page.hpp"

#include <fmt/format.h>

#include <string_view>

#include "cli/command.hpp"

namespace throng::cli {
namespace {

/// Text as roff shows it unchanged: backslashes, hyphens, and dots or quotes that begin a line.
std::string escaped(std::string_view text) {
  std::string out;
  bool at_line_start = true;
  for (const char c : text) {
    if (at_line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    at_line_start = c == '\n';
  }
  return out;
}

/// "-o, --output FILE" in bold and italics.
std::string term(const Argument& argument) {
  std::string out;
  std::string_view names = argument.names;
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    if (!out.empty()) out += ", ";
    out += fmt::format("{}{}\\fR", argument.positional ? "\\fI" : "\\fB", escaped(names.substr(0, comma)));
    names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 1);
  }
  if (!argument.value.empty()) out += fmt::format(" \\fI{}\\fR", escaped(argument.value));
  return out;
}

std::string synopsis(const Command& command) {
  std::string out = fmt::format("\\fBthrong {}\\fR", escaped(command.name));
  for (const Argument& argument : command.arguments.list()) {
    if (!argument.positional) continue;
    const std::string name = escaped(argument.names);
    if (argument.count == Count::one) out += fmt::format(" \\fI{}\\fR", name);
    if (argument.count == Count::optional)
      out += fmt::format(" [\\fI{}\\fR{}]", name, argument.values < 0 ? "..." : "");
    if (argument.count == Count::one_or_more) out += fmt::format(" \\fI{}\\fR...", name);
  }
  return out + " [\\fIoptions\\fR]";
}

std::string section(const Command& command) {
  std::string out =
      fmt::format(".SS {}\n{}\n.PP\n{}\n", escaped(command.name), synopsis(command), escaped(command.summary));
  for (const Argument& argument : command.arguments.list()) {
    out += fmt::format(".TP\n{}\n{}", term(argument), escaped(argument.help));
    for (std::size_t i = 0; i < argument.choices.size(); ++i)
      out += fmt::format("{}{}", i == 0 ? "; one of " : ", ", escaped(argument.choices[i]));
    out += '\n';
  }
  if (!command.details.empty()) out += fmt::format(".PP\n{}\n", escaped(command.details));
  return out;
}

}  // namespace

std::string manual_page() {
  std::string out = ".TH THRONG 1 \"\" \"throng " THRONG_VERSION "\" \"User Commands\"\n";
  out += ".SH NAME\nthrong \\- moves crowds through places\n";
  out += ".SH SYNOPSIS\n\\fBthrong\\fR \\fICOMMAND\\fR [\\fIarguments\\fR] [\\fB\\-\\-json\\fR]\n.br\n";
  out += "\\fBthrong\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR\n";
  out +=
      ".SH DESCRIPTION\nThrong simulates crowds of walking people: it reads environments and scenarios, builds "
      "navigation\n"
      "meshes, plans routes, runs and records simulations, and reports on them.\n";
  out +=
      ".SH COMMANDS\nEvery command takes \\fB\\-\\-help\\fR, and \\fB\\-\\-json\\fR: the result as JSON on standard "
      "output.\n";
  for (const auto& [name, command] : commands()) out += section(command);
  out += ".SH \"EXIT STATUS\"\n0 done, 1 refused input (it says what and where), 2 wrong use, 3 internal fault.\n";
  return out;
}

}  // namespace throng::cli
