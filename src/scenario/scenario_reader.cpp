#include "scenario/scenario_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "environment/formats/formats.hpp"
#include "ground/kinds.hpp"
#include "scenario/guidance_reader.hpp"
#include "scenario/limits.hpp"
#include "scenario/population_reader.hpp"
#include "scenario/profile_reader.hpp"
#include "scenario/shipped_profiles.hpp"
#include "text/files.hpp"
#include "text/fnv1a.hpp"
#include "text/nearest_name.hpp"

namespace throng::scenario {
namespace {

using environment::in_quotes;

constexpr Member scenario_members[] = {{"throng"}, {"environment"}, {"duration"}, {"time_step"},
                                       {"seed"},   {"contact"},     {"profiles"}, {"populations"},
                                       {"events"}, {"measure"},     {"record"},   {"guidance"}};
constexpr Member line_members[] = {{"line"}, {"name"}, {"layer"}};
constexpr Member area_members[] = {{"area"}, {"polygon"}, {"name"}, {"layer"}, {"every"}};
constexpr Member record_members[] = {{"every"}};
constexpr Member event_members[] = {{"at"}, {"weights"}, {"insert", false}, {"remove", false}};

/// A problem of an environment that stands in the scenario: its own text has no lines a user could look up.
Problem without_line(Problem problem, const std::string& source) {
  std::size_t end = source.size();
  if (!problem.place.starts_with(source)) return problem;
  for (int i = 0; i < 2 && end < problem.place.size() && problem.place[end] == ':'; ++i) {
    const std::size_t digits = problem.place.find_first_not_of("0123456789", end + 1);
    const std::size_t behind = std::min(digits, problem.place.size());
    if (behind == end + 1) break;
    end = behind;
  }
  problem.place.erase(source.size(), end - source.size());
  return problem;
}

/// What people give first: a plan alone.
Problem is_environment(const std::string& source) {
  return {Severity::error, ProblemCode::unsupported, source,
          "this is an environment; a scenario names one (\"environment\": \"FILE\") and says who walks in it. `throng "
          "edit FILE` "
          "sets people in a plan"};
}

class ScenarioReader {
 public:
  ScenarioReader(const std::string& source, const MethodCatalogue& catalogue, const ReadOptions& options)
      : options_(options), catalogue_(catalogue), checker_(source, problems_) {
    scenario_.source = source;
    if (!options_.read_file)
      options_.read_file = [](const std::string& path) { return environment::read_named_file(path); };
  }

  Result<Scenario> read(const std::string& text) && {
    scenario_.text = text;
    const std::string source = scenario_.source;
    const auto tree = checker_.parse(text);
    if (tree && tree->contains("features") && !tree->contains("populations")) return is_environment(source);
    if (tree) read_root({&*tree, ""});
    return std::move(problems_).result(std::move(scenario_), source);
  }

 private:
  void read_root(const Node& root) {
    checker_.object(root, "a scenario", scenario_members);
    if (!root.has("throng"))
      checker_.error(ProblemCode::schema, "", "a scenario wants \"throng\": 1, the version of its format");
    else
      read_version(root.at("throng"));
    read_environment(root);
    read_number(root, "duration", limits::duration, scenario_.duration);
    read_number(root, "time_step", limits::time_step, scenario_.time_step);
    if (root.has("seed"))
      scenario_.seed = checker_.whole_number(root.at("seed"), 0, ~std::uint64_t{0}).value_or(scenario_.seed);
    if (root.has("contact")) scenario_.contact = checker_.truth(root.at("contact")).value_or(scenario_.contact);
    read_profiles(root);
    read_populations(root);
    read_events(root);
    read_measures(root);
    read_record(root);
    if (root.has("guidance")) read_guidance(checker_, root.at("guidance"), names_ ? &*names_ : nullptr, scenario_);
  }

  void read_number(const Node& parent, std::string_view member, Bounds bounds, double& out) {
    if (parent.has(member)) out = checker_.number(parent.at(member), bounds).value_or(out);
  }

  void read_version(const Node& node) {
    if (node.value->is_number() && node.value->get<double>() == 1) return;
    checker_.error(ProblemCode::unsupported, node.pointer,
                   fmt::format("version {} is not available; this program reads version 1",
                               in_quotes(node.value->is_number() ? node.value->dump() : type_name(*node.value))));
  }

  [[nodiscard]] std::string resolve(const std::string& path) const {
    const std::filesystem::path given(path);
    if (given.is_absolute() || options_.folder.empty()) return path;
    return (std::filesystem::path(options_.folder) / given).string();
  }

  void read_environment(const Node& root) {
    if (!root.has("environment"))
      return checker_.error(ProblemCode::schema, "",
                            "a scenario wants an \"environment\": a file, or a FeatureCollection");
    const Node node = root.at("environment");
    if (node.value->is_object()) {
      scenario_.environment_source = checker_.place(node.pointer);
      return keep_environment(
          environment::parse_environment("geojson", node.value->dump(), scenario_.environment_source), true);
    }
    if (!node.value->is_string())
      return checker_.error(
          ProblemCode::schema, node.pointer,
          fmt::format("the environment is a file's name or a FeatureCollection, not {}", type_name(*node.value)));
    const auto path = checker_.text(node, "the environment's file");
    if (!path) return;
    scenario_.environment_source = resolve(*path);
    const Result<const environment::Format*> format = environment::format_of_path(*path);
    const Result<std::string> text = options_.read_file(scenario_.environment_source);
    for (const Problems& found : {format.problems(), text.problems()})
      for (const Problem& problem : found) checker_.error(problem.code, node.pointer, to_string(problem));
    if (format && text)
      keep_environment(environment::parse_environment((*format)->name, *text, scenario_.environment_source), false);
  }

  void keep_environment(Result<environment::Environment> environment, bool is_inline) {
    for (const Problem& problem : environment.problems())
      problems_.add(is_inline ? without_line(problem, scenario_.environment_source) : problem);
    if (!environment) return;
    scenario_.environment = std::move(environment).value();
    names_.emplace(scenario_.environment);
  }

  void read_profiles(const Node& root) {
    if (root.has("profiles")) {
      const Node list = root.at("profiles");
      if (!list.value->is_object())
        checker_.error(ProblemCode::schema, list.pointer,
                       fmt::format("\"profiles\" is an object, not {}", type_name(*list.value)));
      else
        for (const auto& [name, value] : list.value->items()) {
          if (name.empty()) checker_.error(ProblemCode::value, list.pointer, "a profile's name may not be empty");
          scenario_.profiles.push_back(read_profile(checker_, list.at(name), name, catalogue_));
          warn_of_weights(list.at(name));
        }
    }
    add_shipped_profiles(root);
    const bool has_default = std::any_of(scenario_.profiles.begin(), scenario_.profiles.end(),
                                         [](const ProfileSpec& profile) { return profile.name == "default"; });
    own_default_ = !has_default;
    // Populations without a profile use it; where there are none it goes again.
    if (own_default_) scenario_.profiles.push_back(default_profile(catalogue_));
  }

  /// Those that populations name and the file does not define.
  void add_shipped_profiles(const Node& root) {
    if (!root.has("populations") || !root.value->at("populations").is_array()) return;
    std::vector<std::string> names;
    for (const Json& population : root.value->at("populations")) {
      if (!population.is_object()) continue;
      if (population.contains("profile") && population["profile"].is_string())
        names.push_back(population["profile"].get<std::string>());
      if (!population.contains("groups") || !population["groups"].is_object()) continue;
      const Json members = population["groups"].value("members", Json::array());
      if (members.is_array())
        for (const Json& name : members)
          if (name.is_string()) names.push_back(name.get<std::string>());
    }
    for (const std::string& name : names) {
      const std::string_view text = shipped_profile(name);
      if (text.empty() || std::ranges::find(scenario_.profiles, name, &ProfileSpec::name) != scenario_.profiles.end())
        continue;
      const Json profile = Json::parse(text);
      scenario_.profiles.push_back(read_profile(checker_, {&profile, "/profiles/" + name}, name, catalogue_));
    }
  }

  void warn_of_weights(const Node& profile) {
    if (!names_ || names_->region_types().empty() || !profile.has("weights")) return;
    const Node weights = profile.at("weights");
    if (!weights.value->is_object()) return;
    const std::vector<std::string_view> types(names_->region_types().begin(), names_->region_types().end());
    constexpr std::string_view always_there[] = {ground::plain_type, ground::ramp_type, ground::stairs_type};
    for (const auto& [type, value] : weights.value->items())
      if (!names_->region_types().contains(type) && std::ranges::find(always_there, type) == std::end(always_there))
        checker_.warning(ProblemCode::value, weights.at(type).pointer,
                         "the environment has no region of type " + environment::suggest(type, types));
  }

  void read_populations(const Node& root) {
    if (!root.has("populations")) return checker_.error(ProblemCode::schema, "", "a scenario wants \"populations\"");
    const Node list = root.at("populations");
    if (!checker_.array(list, "\"populations\"")) return;
    if (list.value->size() > limits::populations)
      return checker_.error(ProblemCode::limit, list.pointer,
                            fmt::format("at most {} populations are possible", limits::populations));
    if (list.value->empty()) checker_.warning(ProblemCode::schema, list.pointer, "there is nobody in this scenario");
    const PopulationContext context{names_ ? &*names_ : nullptr, options_.read_file,
                                    [this](const std::string& path) { return resolve(path); },
                                    &installed_group_methods()};
    for (std::size_t i = 0; i < list.value->size(); ++i)
      scenario_.populations.push_back(read_population(checker_, list.at(i), context, scenario_));
    check_sum(list);
    give_draw_keys();
    close_profiles();
  }

  /// Many populations within the limit of one are no smaller than one beyond it.
  void check_sum(const Node& list) {
    std::uint64_t people = 0;
    for (const PopulationSpec& population : scenario_.populations) {
      if (const auto* count = std::get_if<Count>(&population.who)) people += count->people;
      if (const auto* positions = std::get_if<Positions>(&population.who)) people += positions->rows.size();
    }
    if (people > limits::people)
      checker_.error(ProblemCode::limit, list.pointer,
                     fmt::format("{} people over all populations; at most {} are possible", people, limits::people));
  }

  /// Named populations by their name, others by their place in the file: populate.hpp says why.
  void give_draw_keys() {
    std::set<std::uint32_t> taken;
    for (std::size_t i = 0; i < scenario_.populations.size(); ++i) {
      PopulationSpec& population = scenario_.populations[i];
      constexpr std::uint32_t first_named = 1u << 19;
      std::uint32_t key = std::uint32_t(i);
      if (population.named) {
        const std::uint64_t hash = geometry::Fnv1a().add(std::string_view(population.name)).value();
        key = first_named + std::uint32_t((hash ^ (hash >> 32)) % first_named);
        while (taken.contains(key)) key = first_named + (key + 1) % first_named;
      }
      taken.insert(key);
      population.draw_key = key;
    }
  }

  /// Lets the default profile go where nobody uses it, and warns of others that nobody uses.
  void close_profiles() {
    std::set<std::size_t> used;
    for (const PopulationSpec& population : scenario_.populations) {
      used.insert(population.profile);
      if (population.groups) used.insert(population.groups->members.begin(), population.groups->members.end());
    }
    const std::size_t last = scenario_.profiles.size() - 1;
    for (std::size_t i = 0; i < scenario_.profiles.size(); ++i)
      if (!used.contains(i) && !(own_default_ && i == last))
        checker_.warning(ProblemCode::schema, "/profiles/" + scenario_.profiles[i].name, "nobody uses this profile");
    if (own_default_ && !used.contains(last)) scenario_.profiles.pop_back();
  }

  void read_events(const Node& root) {
    if (!root.has("events")) return;
    const Node list = root.at("events");
    if (!checker_.array(list, "\"events\"")) return;
    for (std::size_t i = 0; i < list.value->size(); ++i) {
      const Node event = list.at(i);
      if (!checker_.object(event, "an event", event_members) || event.has("insert") || event.has("remove")) continue;
      if (!event.has("at")) {
        checker_.error(ProblemCode::schema, event.pointer, "an event wants \"at\": the seconds until it happens");
        continue;
      }
      const std::optional<double> at = checker_.number(event.at("at"), {0, limits::duration.most});
      if (!event.has("weights"))
        checker_.error(ProblemCode::schema, event.pointer, "an event wants \"weights\": what changes");
      else if (at)
        read_weight_event(event.at("weights"), *at);
    }
    std::stable_sort(scenario_.weight_events.begin(), scenario_.weight_events.end(),
                     [](const WeightEvent& a, const WeightEvent& b) { return a.at < b.at; });
  }

  /// {"adult": {"road": 20}}
  void read_weight_event(const Node& node, double at) {
    if (!node.value->is_object())
      return checker_.error(
          ProblemCode::schema, node.pointer,
          fmt::format("\"weights\" of an event names profiles, it is not {}", type_name(*node.value)));
    for (const auto& [name, table] : node.value->items()) {
      const Node of_profile = node.at(name);
      const auto profile = std::ranges::find(scenario_.profiles, name, &ProfileSpec::name);
      if (profile == scenario_.profiles.end()) {
        std::vector<std::string_view> names;
        for (const ProfileSpec& known : scenario_.profiles) names.push_back(known.name);
        checker_.error(ProblemCode::value, of_profile.pointer, "unknown profile: " + environment::suggest(name, names));
        continue;
      }
      auto weights = read_weight_table(checker_, of_profile);
      if (!weights) continue;
      for (const auto& [type, weight] : *weights)
        if (!weight.across.is_constant())
          checker_.error(ProblemCode::value, of_profile.at(type).pointer,
                         "weights of events are the same for everybody: a number, \"never\", or up, across and down");
      scenario_.weight_events.push_back({at, std::size_t(profile - scenario_.profiles.begin()), std::move(*weights)});
    }
  }

  void read_measures(const Node& root) {
    if (!root.has("measure")) return;
    const Node list = root.at("measure");
    if (!checker_.array(list, "\"measure\"")) return;
    for (std::size_t i = 0; i < list.value->size(); ++i) {
      const Node node = list.at(i);
      if (!node.value->is_object()) {
        checker_.error(ProblemCode::schema, node.pointer,
                       fmt::format("a measure is an object, not {}", type_name(*node.value)));
        continue;
      }
      const std::string_view kind = checker_.exactly_one(node, "a measure", {"line", "area", "polygon"});
      if (kind == "line") read_line(node);
      if (kind == "area" || kind == "polygon") read_area_measure(node, kind);
    }
  }

  std::string measure_name(const Node& node, std::string otherwise) {
    std::string name = std::move(otherwise);
    if (node.has("name")) name = checker_.text(node.at("name"), "a measure's \"name\"").value_or(name);
    if (!measure_names_.insert(name).second)
      checker_.error(ProblemCode::value, node.pointer, fmt::format("duplicate measure {}", in_quotes(name)));
    return name;
  }

  void read_line(const Node& node) {
    checker_.object(node, "a measure with a line", line_members);
    LineMeasure line;
    line.pointer = node.pointer;
    line.name = measure_name(node, fmt::format("line-{}", scenario_.lines.size()));
    if (names_) line.layer = names_->layer(checker_, node);
    const Node ends = node.at("line");
    const auto points = checker_.points(ends, 2);
    if (points && points->size() != 2)
      checker_.error(ProblemCode::schema, ends.pointer, "a line is two points: [[x, y], [x, y]]");
    if (points && (*points)[0] == (*points)[1])
      checker_.error(ProblemCode::geometry, ends.pointer, "the line has no length: its two points are the same");
    if (points) line.from = (*points)[0], line.to = (*points)[1];
    scenario_.lines.push_back(std::move(line));
  }

  void read_area_measure(const Node& node, std::string_view kind) {
    checker_.object(node, "a measure with an area", area_members);
    AreaMeasure measure;
    measure.area = read_area(checker_, node, kind, names_ ? &*names_ : nullptr);
    measure.name =
        measure_name(node, kind == "area" ? measure.area.name : fmt::format("polygon-{}", scenario_.areas.size()));
    read_number(node, "every", limits::every, measure.every);
    scenario_.areas.push_back(std::move(measure));
  }

  void read_record(const Node& root) {
    if (!root.has("record")) return;
    const Node node = root.at("record");
    if (!checker_.object(node, "\"record\"", record_members) || !node.has("every")) return;
    if (const auto every = checker_.whole_number(node.at("every"), 1, limits::record_every))
      scenario_.record_every = std::size_t(*every);
  }

  ReadOptions options_;
  const MethodCatalogue& catalogue_;
  environment::ProblemList problems_;
  JsonChecker checker_;
  Scenario scenario_;
  std::optional<EnvironmentNames> names_;  ///< none: the environment could not be read
  std::set<std::string> measure_names_;
  bool own_default_ = false;
};

}  // namespace

Result<Scenario> parse_scenario(const std::string& text, const std::string& source, const MethodCatalogue& catalogue,
                                const ReadOptions& options) {
  return ScenarioReader(source, catalogue, options).read(text);
}

Result<Scenario> read_scenario(const std::string& path, const MethodCatalogue& catalogue) {
  const Result<std::string> text = environment::read_file(path);
  if (!text) return text.problems();
  if (text->starts_with("SQLite format 3"))
    return Problem{Severity::error, ProblemCode::unsupported, path,
                   "this is a database, such as a recording; a scenario is expected"};
  if (const auto format = environment::format_of_path(path); format && (*format)->name != "geojson")
    return is_environment(path);
  ReadOptions options;
  options.folder = std::filesystem::path(path).parent_path().string();
  return parse_scenario(*text, path == "-" ? "standard input" : path, catalogue, options);
}

bool looks_like_scenario(const std::string& text) {
  environment::ProblemList problems;
  const auto tree = JsonChecker("", problems).parse(text);
  if (!tree) return text.find("\"populations\"") != std::string::npos;  // broken, but what was meant is clear
  if (tree->contains("features")) return false;
  return tree->contains("populations") || tree->contains("environment");
}

}  // namespace throng::scenario
