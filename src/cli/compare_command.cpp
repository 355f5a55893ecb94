// `throng compare A B`: where two recordings part, and how far apart their people are from then on.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/report.hpp"
#include "recording/recording.hpp"

namespace throng::cli {
namespace {

using recording::Frame;
using recording::Recording;

/// How two frames differ: people of one serial are the same person.
struct Apart {
  double time = 0;
  std::size_t common = 0, only_a = 0, only_b = 0, other_layer = 0;
  double mean = 0, largest = 0;  ///< metres between the two places of those in both
  std::uint64_t farthest = 0;    ///< serial

  [[nodiscard]] bool any() const { return only_a + only_b + other_layer > 0 || largest > 0; }
};

/// The number that the other recording has for each layer: two plans may list the same floors in another order.
std::vector<std::size_t> matched(const std::vector<std::string>& layers, const std::vector<std::string>& others) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (std::size_t i = 0; i < others.size(); ++i) numbers.emplace(others[i], i);
  std::vector<std::size_t> match;
  for (const std::string& name : layers) {
    const auto found = numbers.find(name);
    match.push_back(found == numbers.end() ? others.size() : found->second);
  }
  return match;
}

/// `in_a`: what a calls the layers of b.
Apart compare(const Frame& a, const Frame& b, const std::vector<std::size_t>& in_a) {
  Apart apart;
  apart.time = a.time;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.serial.size() || j < b.serial.size()) {
    if (j == b.serial.size() || (i < a.serial.size() && a.serial[i] < b.serial[j])) {
      ++apart.only_a, ++i;
    } else if (i == a.serial.size() || b.serial[j] < a.serial[i]) {
      ++apart.only_b, ++j;
    } else {
      ++apart.common;
      apart.other_layer += a.layer[i] != in_a[b.layer[j]];
      const double distance = std::sqrt(squared_length(a.position[i] - b.position[j]));
      apart.mean += distance;
      if (distance > apart.largest) apart.largest = distance, apart.farthest = a.serial[i];
      ++i, ++j;
    }
  }
  if (apart.common > 0) apart.mean /= double(apart.common);
  return apart;
}

Json to_json(const Apart& apart) {
  return {{"time", apart.time},
          {"common", apart.common},
          {"only_a", apart.only_a},
          {"only_b", apart.only_b},
          {"other_layer", apart.other_layer},
          {"mean_distance", apart.mean},
          {"max_distance", apart.largest},
          {"farthest", apart.farthest}};
}

/// Lines of the table: frames about this many, evenly over the run.
constexpr std::uint64_t table_lines = 20;

ExitCode run(const Parsed& parsed) {
  Result<Recording> a = Recording::open(parsed.text("A"));
  Result<Recording> b = Recording::open(parsed.text("B"));
  if (!a || !b) {
    Problems problems = a.problems();
    problems.insert(problems.end(), b.problems().begin(), b.problems().end());
    return refused(problems);
  }
  if (a->meta().frame_time() != b->meta().frame_time())
    return refused({{Severity::error, ProblemCode::value, parsed.text("B"),
                     fmt::format("has a frame every {} s, the other one every {} s", b->meta().frame_time(),
                                 a->meta().frame_time())}});
  const std::vector<std::size_t> layers = matched(b->meta().layers, a->meta().layers);
  const std::uint64_t frames = std::min(a->frame_count(), b->frame_count());
  std::optional<Apart> first;
  std::vector<Apart> over_time;
  for (std::uint64_t n = 0; n < frames; ++n) {
    const Result<Frame> in_a = a->frame(n);
    const Result<Frame> in_b = b->frame(n);
    if (!in_a) return refused(in_a.problems());
    if (!in_b) return refused(in_b.problems());
    const Apart apart = compare(*in_a, *in_b, layers);
    if (!first && apart.any()) first = apart;
    if (n % std::max<std::uint64_t>(1, frames / table_lines) == 0 || n + 1 == frames) over_time.push_back(apart);
  }
  const bool same = !first && a->frame_count() == b->frame_count();
  if (parsed.json()) {
    Json times = Json::array();
    for (const Apart& apart : over_time) times.push_back(to_json(apart));
    print_json({{"same", same},
                {"frames_a", a->frame_count()},
                {"frames_b", b->frame_count()},
                {"first_difference", first ? to_json(*first) : Json(nullptr)},
                {"over_time", times}});
    return ExitCode::done;
  }
  if (same) return fmt::print("the same, in all {} frames\n", frames), ExitCode::done;
  if (a->frame_count() != b->frame_count())
    fmt::print("{} frames against {}; compared as far as both go\n", a->frame_count(), b->frame_count());
  if (!first) return fmt::print("the same, as far as both go\n"), ExitCode::done;
  fmt::print(
      "first difference after {:.2f} s: {} people only in the first, {} only in the second, {} elsewhere (person {} by "
      "{:.3f} m)\n\n",
      first->time, first->only_a, first->only_b, first->common > 0 && first->largest > 0 ? "some" : "none",
      first->farthest, first->largest);
  std::vector<std::vector<std::string>> rows{{"after", "in both", "only first", "only second", "mean m", "largest m"}};
  for (const Apart& apart : over_time)
    rows.push_back({fmt::format("{:.1f} s", apart.time), grouped(apart.common), grouped(apart.only_a),
                    grouped(apart.only_b), fmt::format("{:.3f}", apart.mean), fmt::format("{:.3f}", apart.largest)});
  fmt::print("{}", table(rows));
  return ExitCode::done;
}

const Registration registration({
    .name = "compare",
    .summary = "where two recordings part, and how far",
    .use = Use::recordings,
    .arguments = Arguments().positional("A", "a .throng file").positional("B", "another one"),
    .run = run,
    .details =
        "People of one number are taken for the same person, layers of one name for the same layer. Positions are "
        "whole millimetres, as recorded; for "
        "bit-exact\n"
        "comparison the hash of `throng run` is the tool. JSON: same, frames_a, frames_b, first_difference, over_time.",
});

}  // namespace
}  // namespace throng::cli
