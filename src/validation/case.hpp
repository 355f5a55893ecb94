// A case of a guideline or a laboratory: a folder with scenarios, environments and a case.json that says what is asked (experiments/standards).
//
//   {"clause": "RiMEA 4.1.1, test 1 (p. 29)", "kind": "required", "about": "...", "criterion": "the way takes 26 to 34 s",
//    "ours": ["what the guideline leaves open and we chose"], "scene": "rimea-6" (another case's folder), "seeds": 1 (at most),
//    "runs": {"walk": {"scenario": "scenario.json", "set": {"/duration": 60}, "repeat": 1, "open": true}},
//    "figures": {"time": {"measure": "last_out", "run": "walk"}}, "checks": [{"figure": "time", "from": 26, "to": 34}],
//    "shown": ["time"], "quick": {"people": 0.1, "set": {}, "repeat": 10}}
//
// Laws
// 1. Everything wrong is told with the file's name; what is not known is refused.
// 2. Every figure that a check or `shown` names is measured.
// 3. A case of kind `not built` says what it `needs`, and has nothing to run.
// Thread-safety: plain values.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.hpp"
#include "throng/result.hpp"
#include "validation/criterion.hpp"

namespace throng::validation {

using Json = nlohmann::ordered_json;

/// Texts by "CASE/FILE".
using CaseFiles = std::map<std::string, std::string_view, std::less<>>;

enum class Kind { required, direction, measured, not_built };
[[nodiscard]] std::string_view name_of(Kind kind);

struct RunSpec {
  std::string name;
  std::string scenario;             ///< file
  std::map<std::string, Json> set;  ///< members of the scenario by JSON pointer
  std::uint32_t repeat = 1;         ///< as often, with seeds of its own; what is measured is of all together
  bool open = false;                ///< nobody has to arrive
};

struct FigureSpec {
  std::string name;
  std::string measure;
  Json arguments;
};

struct Case {
  std::string name, suite;
  std::string clause, about, criterion;
  Kind kind = Kind::measured;
  std::vector<std::string> ours;
  std::string needs;
  std::string folder;  ///< whose files are meant
  std::uint32_t most_seeds = 1u << 30;
  std::vector<RunSpec> runs;
  std::vector<FigureSpec> figures;
  std::vector<Check> checks;
  std::vector<std::string> shown;
  std::vector<std::string> plots;  ///< curves, by the names of their figures
  double quick_people = 1;
  std::map<std::string, Json> quick_set;
  std::uint32_t quick_repeat = 0;  ///< 0: as otherwise
};

/// All of them, by suite and number.
[[nodiscard]] Result<std::vector<Case>> read_cases(const CaseFiles& files);

struct CaseOptions {
  bool quick = false;
  /// Members that replace those of every profile: {"avoid": {"method": "orca"}}.
  Json profile = Json::object();
};

/// The scenario of a run, as a user could write it.
[[nodiscard]] Result<scenario::Scenario> scenario_of(const CaseFiles& files, const Case& one, const RunSpec& run,
                                                     const CaseOptions& options);

}  // namespace throng::validation
