#include "cli/command.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace throng::cli {
namespace {

std::map<std::string, Command>& registry() {
  static std::map<std::string, Command> all;
  return all;
}

template <class Number>
std::optional<Number> parse(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

constexpr int any_number = -1;

}  // namespace

std::string Argument::key() const {
  const std::string last = names.substr(names.find_last_of(',') + 1);
  return last.substr(last.find_first_not_of('-'));
}

void Arguments::add(Argument argument) {
  if (!argument.positional) argument.group = group_;
  list_.push_back(std::move(argument));
}

/// An optional one is called "CASE..." where there may be any number of it, as usage lines write that.
Arguments& Arguments::positional(std::string name, std::string help, Count count) {
  const bool is_any = name.ends_with("...");
  if (is_any) name.resize(name.size() - 3);
  add({.names = std::move(name),
       .value = {},
       .help = std::move(help),
       .count = count,
       .positional = true,
       .values = is_any ? any_number : 1,
       .choices = {}});
  return *this;
}

Arguments& Arguments::option(std::string names, std::string value, std::string help, Type type) {
  add({.names = std::move(names), .value = std::move(value), .help = std::move(help), .type = type, .choices = {}});
  return *this;
}

Arguments& Arguments::choice(std::string names, std::string value, std::string help, std::vector<std::string> choices) {
  add({.names = std::move(names), .value = std::move(value), .help = std::move(help), .choices = std::move(choices)});
  return *this;
}

Arguments& Arguments::pair(std::string names, std::string values, std::string help) {
  option(std::move(names), std::move(values), std::move(help));
  list_.back().values = 2;
  return *this;
}

Arguments& Arguments::repeated(std::string names, std::string value, std::string help) {
  option(std::move(names), std::move(value), std::move(help));
  list_.back().count = Count::one_or_more;
  return *this;
}

Arguments& Arguments::flag(std::string names, std::string help) {
  add({.names = std::move(names), .value = {}, .help = std::move(help), .choices = {}});
  return *this;
}

Arguments& Arguments::group(std::string heading) {
  group_ = std::move(heading);
  return *this;
}

Arguments& Arguments::renamed(std::string before, std::string now) {
  renamed_.insert_or_assign(std::move(before), std::move(now));
  return *this;
}

std::string Arguments::new_name_of(const std::string& name) const {
  const auto found = renamed_.find(name);
  return found == renamed_.end() ? std::string() : found->second;
}

std::optional<double> Parsed::number(const std::string& key) const {
  return given(key) ? parse<double>(list(key).front()) : std::nullopt;
}

std::optional<long long> Parsed::whole_number(const std::string& key) const {
  return given(key) ? parse<long long>(list(key).front()) : std::nullopt;
}

Registration::Registration(Command command) {
  std::string name = command.name;
  registry().insert_or_assign(std::move(name), std::move(command));
}

const std::map<std::string, Command>& commands() { return registry(); }

bool is_number(const std::string& text, Type type) {
  if (type == Type::whole_number) return parse<long long>(text).has_value();
  const std::optional<double> number = parse<double>(text);
  return number && std::isfinite(*number);
}

}  // namespace throng::cli
