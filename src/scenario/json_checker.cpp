#include "scenario/json_checker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "environment/shapes.hpp"
#include "text/csv.hpp"
#include "text/line_index.hpp"
#include "text/nearest_name.hpp"

namespace throng::scenario {
namespace {

using environment::in_quotes;

/// Notes members given twice and the depth while the parser builds the tree.
class Watch {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    deepest_ = std::max(deepest_, depth);
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second)
      twice_.push_back(parsed.get<std::string>());
    return true;
  }
  [[nodiscard]] int deepest() const { return deepest_; }
  [[nodiscard]] const std::vector<std::string>& twice() const { return twice_; }

 private:
  std::vector<std::set<std::string>> keys_;  ///< of the objects that are open
  std::vector<std::string> twice_;
  int deepest_ = 0;
};

/// RFC 6901, section 3.
std::string escaped(std::string_view member) {
  std::string out;
  for (const char c : member) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return out;
}

/// "a comma or a bracket is missing": what the parser says of broken JSON, in the order in which a reader asks.
std::string in_words(std::string text) {
  constexpr std::string_view opening = "syntax error while parsing ", read = "; last read: ", expected = "; expected ";
  if (!text.starts_with(opening)) return text;
  const std::size_t dash = text.find(" - "), last = text.find(read), wanted = text.find(expected);
  if (dash == std::string::npos || last == std::string::npos || last < dash) return text;
  const std::string what = text.substr(opening.size(), dash - opening.size());
  const std::size_t end = wanted == std::string::npos ? text.size() : wanted;
  const std::string seen = text.substr(last + read.size(), end - last - read.size());
  std::string out = "this is no JSON: ";
  out += wanted == std::string::npos ? "what stands"
                                     : text.substr(wanted + expected.size()) + " is expected, not what stands";
  return out + fmt::format(" at the end of {} (in this {})", seen, what);
}

/// What the parser says, without its own name and place in front.
std::string explained(std::string_view what) {
  if (const std::size_t place = what.find(": syntax error"); place != std::string_view::npos)
    what.remove_prefix(place + 2);
  else if (const std::size_t name = what.find("] "); name != std::string_view::npos)
    what.remove_prefix(name + 2);
  std::string out;
  for (const char c : what) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return in_words(std::move(out));
}

std::string range(Bounds bounds) {
  const bool low = std::isfinite(bounds.least), high = std::isfinite(bounds.most);
  if (low && high) return fmt::format("between {:g} and {:g}", bounds.least, bounds.most);
  return low ? fmt::format("at least {:g}", bounds.least) : fmt::format("at most {:g}", bounds.most);
}

constexpr Member distribution_members[] = {{"normal"}, {"uniform"}, {"choose"}, {"lognormal"}, {"gamma"}, {"weibull"},
                                           {"by"},     {"table"},   {"times"},  {"deviation"}, {"min"},   {"max"}};

}  // namespace

std::string_view type_name(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return "an array";
    case Json::value_t::string: return "a text";
    case Json::value_t::boolean: return "a truth value";
    case Json::value_t::null: return "null";
    default: return "a number";
  }
}

Node Node::at(std::string_view member) const { return {&value->at(member), pointer + "/" + escaped(member)}; }

Node Node::at(std::size_t index) const { return {&(*value)[index], fmt::format("{}/{}", pointer, index)}; }

std::optional<Json> JsonChecker::parse(std::string_view text, std::string_view what, Json::value_t type) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  Watch watch;
  try {
    Json tree = Json::parse(text, std::ref(watch), true, true);
    for (const std::string& member : watch.twice())
      error(ProblemCode::schema, "", fmt::format("member {} is given twice in one object", in_quotes(member)));
    if (watch.deepest() > deepest)
      error(ProblemCode::limit, "", fmt::format("nested deeper than {} levels", deepest));
    else if (tree.type() != type)
      error(ProblemCode::schema, "", fmt::format("{} is {}, not {}", what, type_name(Json(type)), type_name(tree)));
    else
      return tree;
  } catch (const Json::parse_error& fault) {
    environment::LineIndex lines(text);
    const std::size_t offset = std::min(fault.byte > 0 ? fault.byte - 1 : 0, text.size());
    problems_.error(ProblemCode::syntax, source_ + ":" + lines.at(offset), explained(fault.what()));
  } catch (const Json::exception& fault) {  // a number too large for a double
    problems_.error(ProblemCode::value, source_, explained(fault.what()));
  }
  return std::nullopt;
}

std::string JsonChecker::place(const std::string& pointer) const {
  return pointer.empty() ? source_ : source_ + ": " + pointer;
}

void JsonChecker::error(ProblemCode code, const std::string& pointer, std::string message) {
  problems_.error(code, place(pointer), std::move(message));
}

void JsonChecker::warning(ProblemCode code, const std::string& pointer, std::string message) {
  problems_.warning(code, place(pointer), std::move(message));
}

bool JsonChecker::object(const Node& node, std::string_view what, std::span<const Member> known) {
  if (!node.value->is_object()) {
    error(ProblemCode::schema, node.pointer, fmt::format("{} is an object, not {}", what, type_name(*node.value)));
    return false;
  }
  std::vector<std::string_view> names;
  for (const Member& member : known)
    if (member.available) names.push_back(member.name);
  for (const auto& [key, value] : node.value->items()) {
    const auto at = std::find_if(known.begin(), known.end(), [&](const Member& member) { return member.name == key; });
    if (at == known.end())
      error(ProblemCode::schema, node.at(key).pointer,
            fmt::format("unknown member of {}: {}", what, environment::suggest(key, names)));
    else if (!at->available)
      error(ProblemCode::unsupported, node.at(key).pointer, fmt::format("{} is not available yet", in_quotes(key)));
  }
  return true;
}

bool JsonChecker::array(const Node& node, std::string_view what) {
  if (node.value->is_array()) return true;
  error(ProblemCode::schema, node.pointer, fmt::format("{} is an array, not {}", what, type_name(*node.value)));
  return false;
}

std::string_view JsonChecker::exactly_one(const Node& node, std::string_view what,
                                          std::initializer_list<std::string_view> members) {
  std::string_view found;
  std::size_t count = 0;
  std::string list;
  for (const std::string_view member : members) {
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", member);
    if (node.has(member)) found = member, ++count;
  }
  if (count == 1) return found;
  error(ProblemCode::schema, node.pointer,
        fmt::format("{} wants exactly one of {}; {}", what, list, count == 0 ? "there is none" : "there are several"));
  return {};
}

bool JsonChecker::in_bounds(double value, const std::string& pointer, Bounds bounds) {
  if (std::isfinite(value) && value >= bounds.least && value <= bounds.most) return true;
  error(ProblemCode::value, pointer, fmt::format("{:g} is out of range: {} is expected", value, range(bounds)));
  return false;
}

std::optional<double> JsonChecker::number(const Node& node, Bounds bounds) {
  if (!node.value->is_number()) {
    error(ProblemCode::schema, node.pointer, fmt::format("a number is expected, not {}", type_name(*node.value)));
    return std::nullopt;
  }
  const double value = node.value->get<double>();
  return in_bounds(value, node.pointer, bounds) ? std::optional(value) : std::nullopt;
}

std::optional<bool> JsonChecker::truth(const Node& node) {
  if (node.value->is_boolean()) return node.value->get<bool>();
  error(ProblemCode::schema, node.pointer, fmt::format("true or false is expected, not {}", type_name(*node.value)));
  return std::nullopt;
}

std::optional<Number> JsonChecker::distribution(const Node& node, Bounds bounds) {
  if (node.value->is_number()) {
    const std::optional<double> value = number(node, bounds);
    return value ? std::optional(Number(*value)) : std::nullopt;
  }
  if (!node.value->is_object()) {
    error(ProblemCode::schema, node.pointer,
          fmt::format("a number or a distribution is expected, not {}", type_name(*node.value)));
    return std::nullopt;
  }
  object(node, "a distribution", distribution_members);
  const std::string_view kind =
      exactly_one(node, "a distribution", {"normal", "uniform", "choose", "lognormal", "gamma", "weibull", "by"});
  for (const std::string_view bound : {"min", "max"})
    if ((kind == "uniform" || kind == "choose") && node.has(bound))
      error(ProblemCode::schema, node.at(bound).pointer, fmt::format("\"{}\" does not belong to \"{}\"", bound, kind));
  for (const std::string_view member : {"table", "times", "deviation"})
    if (!kind.empty() && kind != "by" && node.has(member))
      error(ProblemCode::schema, node.at(member).pointer, fmt::format("\"{}\" belongs to \"by\" only", member));
  if (kind == "normal") return normal(node, bounds);
  if (kind == "uniform") return uniform(node.at(kind), bounds);
  if (kind == "choose") return choose(node.at(kind), bounds);
  if (kind == "by") return table(node, bounds);
  if (!kind.empty()) return skewed(node, kind, bounds);
  return std::nullopt;
}

std::optional<Bounds> JsonChecker::ends(const Node& node, Bounds bounds) {
  std::optional<double> least = bounds.least, most = bounds.most;
  if (node.has("min")) least = number(node.at("min"), bounds);
  if (node.has("max")) most = number(node.at("max"), bounds);
  if (!least || !most) return std::nullopt;
  if (*least <= *most) return Bounds{*least, *most};
  error(ProblemCode::value, node.pointer, fmt::format("\"min\" {:g} is above \"max\" {:g}", *least, *most));
  return std::nullopt;
}

std::optional<Number> JsonChecker::skewed(const Node& node, std::string_view kind, Bounds bounds) {
  const Node shape = node.at(kind);
  const bool is_lognormal = kind == "lognormal";
  if (!shape.value->is_array() || shape.value->size() != 2) {
    error(ProblemCode::schema, shape.pointer,
          is_lognormal ? "\"lognormal\" wants two numbers: [mean, standard deviation], both of the logarithm"
                       : fmt::format("\"{}\" wants two numbers: [shape, scale]", kind));
    return std::nullopt;
  }
  // Beyond these, draws are too large to count with, or too many of them are 0.
  const auto first = number(shape.at(0), is_lognormal ? Bounds{-50, 50} : Bounds{0.05, 1e6});
  const auto second = number(shape.at(1), is_lognormal ? Bounds{0, 10} : Bounds{1e-9, 1e9});
  const std::optional<Bounds> within = ends(node, bounds);
  if (!first || !second || !within) return std::nullopt;
  const auto [least, most] = *within;
  const Number made = is_lognormal      ? Number::lognormal(*first, *second, least, most)
                      : kind == "gamma" ? Number::gamma(*first, *second, least, most)
                                        : Number::weibull(*first, *second, least, most);
  // Who waits for draws that practically never come gets the bound instead of them.
  constexpr int tries = 1000;
  const Number free = is_lognormal      ? Number::lognormal(*first, *second, 0, Number::unbounded)
                      : kind == "gamma" ? Number::gamma(*first, *second, 0, Number::unbounded)
                                        : Number::weibull(*first, *second, 0, Number::unbounded);
  geometry::RandomStream stream(0);
  for (int i = 0; i < tries; ++i)
    if (const double value = free.draw(stream); value >= least && value <= most) return made;
  error(ProblemCode::value, node.pointer,
        fmt::format("values {} practically never come from this distribution", range(*within)));
  return std::nullopt;
}

std::optional<std::string> JsonChecker::by(const Node& node) {
  const auto name = text(node, "\"by\"");
  if (!name) return std::nullopt;
  if (drawn_ == nullptr) {
    error(ProblemCode::schema, node.pointer,
          "numbers that are read off a table belong to a profile, which draws what they go by");
    return std::nullopt;
  }
  if (std::find(drawn_->begin(), drawn_->end(), *name) != drawn_->end()) return name;
  const std::vector<std::string_view> names(drawn_->begin(), drawn_->end());
  error(ProblemCode::value, node.pointer,
        names.empty() ? fmt::format("nothing called {} is \"drawn\" in this profile", in_quotes(*name))
                      : "unknown drawn number: " + environment::suggest(*name, names));
  return std::nullopt;
}

std::optional<std::vector<Vec2>> JsonChecker::rows(const Node& node) {
  if (!node.value->is_array() || node.value->empty() || node.value->size() > 1000) {
    error(ProblemCode::schema, node.pointer, "a table has 1 to 1000 rows: [[drawn, value], ...]");
    return std::nullopt;
  }
  std::vector<Vec2> all;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const Node row = node.at(i);
    if (!row.value->is_array() || row.value->size() != 2) {
      error(ProblemCode::schema, row.pointer, "a row of a table is two numbers: [drawn, value]");
      continue;
    }
    const auto at = number(row.at(0), {-1e9, 1e9}), value = number(row.at(1), {-1e9, 1e9});
    if (!at || !value) continue;
    if (!all.empty() && *at <= all.back().x)
      error(ProblemCode::value, row.pointer,
            fmt::format("rows of a table ascend: {:g} comes after {:g}", *at, all.back().x));
    else
      all.push_back({*at, *value});
  }
  return all.size() == node.value->size() ? std::optional(all) : std::nullopt;
}

std::optional<Number> JsonChecker::table(const Node& node, Bounds bounds) {
  if (!node.has("table")) {
    error(ProblemCode::schema, node.pointer, "\"by\" wants a \"table\" beside it: [[drawn, value], ...]");
    return std::nullopt;
  }
  const auto name = by(node.at("by"));
  const auto values = rows(node.at("table"));
  std::optional<Number> times = Number(1);
  if (node.has("times")) times = distribution(node.at("times"), {0, 1e6});
  std::optional<double> deviation = 0;
  if (node.has("deviation")) deviation = number(node.at("deviation"), {0, 10});
  const std::optional<Bounds> within = ends(node, bounds);
  if (!name || !values || !times || !deviation || !within) return std::nullopt;
  return Number::table(*name, *values, *std::move(times), *deviation, within->least, within->most);
}

std::optional<Number> JsonChecker::normal(const Node& node, Bounds bounds) {
  const Node shape = node.at("normal");
  if (!shape.value->is_array() || shape.value->size() != 2) {
    error(ProblemCode::schema, shape.pointer, "\"normal\" wants two numbers: [mean, standard deviation]");
    return std::nullopt;
  }
  const auto mean = number(shape.at(0)), deviation = number(shape.at(1), {.least = 0});
  const std::optional<Bounds> within = ends(node, bounds);
  if (!mean || !deviation || !within) return std::nullopt;
  constexpr double farthest = 4;  // deviations: beyond, draws within the bounds are too rare to wait for
  if (within->least > *mean + farthest * *deviation || within->most < *mean - farthest * *deviation) {
    error(ProblemCode::value, node.pointer,
          fmt::format("values {} practically never come from a mean of {:g} and a deviation of {:g}", range(*within),
                      *mean, *deviation));
    return std::nullopt;
  }
  return Number::normal(*mean, *deviation, within->least, within->most);
}

std::optional<Number> JsonChecker::uniform(const Node& node, Bounds bounds) {
  if (!node.value->is_array() || node.value->size() != 2) {
    error(ProblemCode::schema, node.pointer, "\"uniform\" wants two numbers: [from, to]");
    return std::nullopt;
  }
  const auto from = number(node.at(0), bounds), to = number(node.at(1), bounds);
  if (!from || !to) return std::nullopt;
  if (*from > *to) {
    error(ProblemCode::value, node.pointer, fmt::format("\"uniform\" goes down: {:g} is above {:g}", *from, *to));
    return std::nullopt;
  }
  return Number::uniform(*from, *to);
}

std::optional<Number> JsonChecker::choose(const Node& node, Bounds bounds) {
  const auto list = weights(node);
  if (!list) return std::nullopt;
  std::vector<Number::Choice> choices;
  for (const auto& [key, weight] : *list) {
    const std::optional<double> value = environment::to_number(key);
    if (!value)
      error(ProblemCode::value, node.at(key).pointer, fmt::format("{} is not a number", in_quotes(key)));
    else if (in_bounds(*value, node.at(key).pointer, bounds))
      choices.push_back({*value, weight});
  }
  if (choices.size() != list->size()) return std::nullopt;
  return Number::choose(std::move(choices));
}

std::optional<std::vector<std::pair<std::string, double>>> JsonChecker::weights(const Node& node) {
  if (!node.value->is_object()) {
    error(ProblemCode::schema, node.pointer,
          fmt::format("an object of names and their weights is expected, not {}", type_name(*node.value)));
    return std::nullopt;
  }
  std::vector<std::pair<std::string, double>> list;
  double sum = 0;
  for (const auto& [key, value] : node.value->items())
    if (const auto weight = number(node.at(key), {0, 1e9})) {
      list.emplace_back(key, *weight);
      sum += *weight;
    }
  if (list.size() != node.value->size()) return std::nullopt;
  if (!(sum > 0)) {
    error(ProblemCode::value, node.pointer, "the weights have to sum to more than 0");
    return std::nullopt;
  }
  return list;
}

std::optional<std::uint64_t> JsonChecker::whole_number(const Node& node, std::uint64_t least, std::uint64_t most) {
  if (!node.value->is_number()) {
    error(ProblemCode::schema, node.pointer, fmt::format("a whole number is expected, not {}", type_name(*node.value)));
    return std::nullopt;
  }
  if (node.value->is_number_unsigned()) {
    const auto value = node.value->get<std::uint64_t>();
    if (value >= least && value <= most) return value;
  }
  error(ProblemCode::value, node.pointer,
        fmt::format("a whole number from {} to {} is expected, not {}", least, most, in_quotes(node.value->dump())));
  return std::nullopt;
}

std::optional<std::string> JsonChecker::text(const Node& node, std::string_view what) {
  if (!node.value->is_string()) {
    error(ProblemCode::schema, node.pointer, fmt::format("{} is a text, not {}", what, type_name(*node.value)));
    return std::nullopt;
  }
  auto value = node.value->get<std::string>();
  if (!value.empty()) return value;
  error(ProblemCode::value, node.pointer, fmt::format("{} may not be empty", what));
  return std::nullopt;
}

std::optional<Vec2> JsonChecker::point(const Node& node) {
  const Json& value = *node.value;
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number()) {
    error(ProblemCode::schema, node.pointer, "a point is two numbers: [x, y]");
    return std::nullopt;
  }
  const Vec2 p{value[0].get<double>(), value[1].get<double>()};
  for (const double coordinate : {p.x, p.y})
    if (const auto complaint = environment::check_coordinate(coordinate)) {
      error(complaint->code, node.pointer, complaint->message);
      return std::nullopt;
    }
  return p;
}

std::optional<std::vector<Vec2>> JsonChecker::points(const Node& node, std::size_t least) {
  if (!node.value->is_array() || node.value->size() < least) {
    error(ProblemCode::schema, node.pointer, fmt::format("at least {} points are expected: [[x, y], ...]", least));
    return std::nullopt;
  }
  std::vector<Vec2> all;
  for (std::size_t i = 0; i < node.value->size(); ++i)
    if (const auto p = point(node.at(i))) all.push_back(*p);
  if (all.size() != node.value->size()) return std::nullopt;
  return all;
}

std::optional<std::size_t> JsonChecker::choice(const Node& node, std::string_view what,
                                               std::span<const std::string_view> names) {
  const std::optional<std::string> word = text(node, what);
  if (!word) return std::nullopt;
  const auto at = std::find(names.begin(), names.end(), *word);
  if (at != names.end()) return std::size_t(at - names.begin());
  error(ProblemCode::value, node.pointer, fmt::format("unknown {}: {}", what, environment::suggest(*word, names)));
  return std::nullopt;
}

}  // namespace throng::scenario
