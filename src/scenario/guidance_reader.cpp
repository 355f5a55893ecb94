#include "scenario/guidance_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/limits.hpp"
#include "text/nearest_name.hpp"

namespace throng::scenario {
namespace {

constexpr Member guidance_members[] = {{"obstacles"}, {"pass"}, {"populations"}, {"sign"}};
constexpr Member near_members[] = {{"near"}, {"layer"}};
constexpr Member sign_members[] = {{"at"}, {"layer"}, {"facing"}, {"range"}};
constexpr std::string_view sides[] = {"left", "right"};

class GuidanceReader {
 public:
  GuidanceReader(JsonChecker& checker, const EnvironmentNames* names, Scenario& scenario)
      : checker_(checker), names_(names), scenario_(scenario) {}

  void read(const Node& node) {
    if (!checker_.object(node, "guidance", guidance_members)) return;
    GuidanceSpec& spec = scenario_.guidance.emplace_back();
    for (const char* member : {"obstacles", "pass"})
      if (!node.has(member)) wants(node, fmt::format("guidance wants \"{}\"", member));
    if (node.has("obstacles")) read_obstacles(node.at("obstacles"), spec);
    if (node.has("pass"))
      spec.pass = routes::Side(checker_.choice(node.at("pass"), "the side to pass on", sides).value_or(1));
    if (node.has("populations")) read_populations(node.at("populations"), spec);
    if (node.has("sign")) read_sign(node.at("sign"), spec);
  }

 private:
  void wants(const Node& node, std::string what) { checker_.error(ProblemCode::schema, node.pointer, std::move(what)); }
  [[nodiscard]] Index layer(const Node& node) const { return names_ != nullptr ? names_->layer(checker_, node) : none; }

  void read_obstacles(const Node& list, GuidanceSpec& spec) {
    if (!checker_.array(list, "\"obstacles\"")) return;
    if (list.value->empty()) wants(list, "guidance wants at least one obstacle");
    for (std::size_t i = 0; i < list.value->size(); ++i) {
      const Node node = list.at(i);
      ObstacleSpec obstacle;
      obstacle.pointer = node.pointer;
      if (node.value->is_object()) {
        if (!checker_.object(node, "an obstacle", near_members)) continue;
        if (!node.has("near")) {
          wants(node, "an obstacle is a name, or {\"near\": [x, y]}");
          continue;
        }
        const auto point = checker_.point(node.at("near"));
        if (!point) continue;
        obstacle.near = PointSpec{*point, layer(node), node.pointer};
      } else {
        const auto name = checker_.text(node, "an obstacle's name");
        if (!name) continue;
        obstacle.name = *name;
      }
      spec.obstacles.push_back(std::move(obstacle));
    }
  }

  void read_populations(const Node& list, GuidanceSpec& spec) {
    if (!checker_.array(list, "\"populations\"")) return;
    if (list.value->empty()) wants(list, "\"populations\" names at least one; everybody is meant without it");
    std::vector<std::string_view> known;
    for (const PopulationSpec& population : scenario_.populations) known.push_back(population.name);
    for (std::size_t i = 0; i < list.value->size(); ++i) {
      const auto name = checker_.text(list.at(i), "a population's name");
      if (!name) continue;
      const auto at = std::ranges::find(known, std::string_view(*name));
      if (at != known.end())
        spec.populations.push_back(Index(at - known.begin()));
      else
        checker_.error(ProblemCode::value, list.at(i).pointer,
                       "there is no population " + environment::suggest(*name, known));
    }
  }

  void read_sign(const Node& node, GuidanceSpec& spec) {
    if (!checker_.object(node, "a sign", sign_members)) return;
    for (const char* member : {"at", "facing", "range"})
      if (!node.has(member)) return wants(node, fmt::format("a sign wants \"{}\"", member));
    SignSpec sign;
    const auto at = checker_.point(node.at("at"));
    const auto facing = checker_.number(node.at("facing"), limits::degrees);
    const auto range = checker_.number(node.at("range"), limits::sign_range);
    if (!at || !facing || !range) return;
    sign.at = {*at, layer(node), node.at("at").pointer};
    sign.facing = *facing, sign.range = *range;
    spec.sign = sign;
  }

  JsonChecker& checker_;
  const EnvironmentNames* names_;
  Scenario& scenario_;
};

}  // namespace

void read_guidance(JsonChecker& checker, const Node& list, const EnvironmentNames* names, Scenario& scenario) {
  scenario.guidance_text = list.value->dump();
  if (!checker.array(list, "\"guidance\"")) return;
  if (list.value->size() > limits::guidance)
    return checker.error(ProblemCode::limit, list.pointer, fmt::format("at most {} are possible", limits::guidance));
  GuidanceReader reader(checker, names, scenario);
  for (std::size_t i = 0; i < list.value->size(); ++i) reader.read(list.at(i));
}

}  // namespace throng::scenario
