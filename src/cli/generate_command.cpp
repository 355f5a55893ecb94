// throng generate: worlds to try things on, by seed: a city of any size, or one of the small scenes the tests use.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/load_environment.hpp"
#include "cli/outputs.hpp"
#include "cli/report.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "environment/generate/random_scenes.hpp"
#include "text/nearest_name.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

constexpr long long most_vertices = 5'000'000;
constexpr double least_side = 60, largest_side = 60'000;

ExitCode misuse(const std::string& message) {
  fmt::print(stderr, "throng generate: {}\n", message);
  return ExitCode::misuse;
}

std::vector<std::string> kinds() {
  std::vector<std::string> names{"city"};
  for (const environment::SceneKind kind : environment::all_scene_kinds) names.emplace_back(name_of(kind));
  return names;
}

/// What is wrong with the sizes asked for; empty where nothing is.
std::string misuse_of(const Parsed& parsed) {
  const std::vector<std::string> names = kinds();
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (std::find(known.begin(), known.end(), parsed.text("KIND")) == known.end())
    return fmt::format("there is no kind {}", environment::suggest(parsed.text("KIND"), known));
  const bool sized = parsed.given("width") || parsed.given("height");
  const bool city = parsed.text("KIND") == "city";
  if (!city && (sized || parsed.given("vertices"))) return "--vertices, --width and --height are for cities";
  if (sized && parsed.given("vertices")) return "give --vertices, or --width and --height";
  const long long vertices = parsed.whole_number("vertices").value_or(1000);
  if (vertices < 500 || vertices > most_vertices) return fmt::format("--vertices must be 500 to {}", most_vertices);
  for (const char* side : {"width", "height"})
    if (const double metres = parsed.number(side).value_or(least_side);
        !(metres >= least_side && metres <= largest_side))
      return fmt::format("--{} must be {} to {} m", side, least_side, largest_side);
  if (parsed.whole_number("seed").value_or(0) < 0) return "--seed must not be negative";
  return {};
}

environment::Environment generate(const Parsed& parsed) {
  const auto seed = std::uint64_t(parsed.whole_number("seed").value_or(1));
  for (const environment::SceneKind kind : environment::all_scene_kinds)
    if (name_of(kind) == parsed.text("KIND")) return random_scene(seed, kind);
  if (const auto vertices = parsed.whole_number("vertices"))
    return generate_city(environment::city_of_vertices(std::size_t(*vertices), seed));
  environment::CityOptions options;
  options.seed = seed;
  options.width = parsed.number("width").value_or(options.width);
  options.height = parsed.number("height").value_or(options.height);
  return generate_city(options);
}

ExitCode refused(const Problems& problems, bool json) {
  print_problems(problems);
  if (json) print_json({{"generated", false}, {"problems", to_json(problems)}});
  return ExitCode::refused;
}

ExitCode run(const Parsed& parsed) {
  if (const std::string wrong = misuse_of(parsed); !wrong.empty()) return misuse(wrong);
  const bool to_stdout = parsed.text("OUT") == "-";
  if (to_stdout && parsed.json()) return misuse("--json and an output of - both want standard output");
  const auto tell = [&](const Problems& wrong) { return refused(wrong, parsed.json()); };
  if (const auto code = Outputs("generate").writes(parsed.text("OUT")).refused(tell)) return *code;
  const environment::Environment world = generate(parsed);
  const Result<std::string> text = environment::write_environment("geojson", world);
  if (!text) return refused(text.problems(), parsed.json());
  if (to_stdout)
    return std::fwrite(text->data(), 1, text->size(), stdout) == text->size() ? ExitCode::done : ExitCode::refused;
  if (const Problems failures = environment::replace_file(parsed.text("OUT"), *text); !failures.empty())
    return refused(failures, parsed.json());
  if (parsed.json())
    print_json({{"generated", true},
                {"layers", world.layers.size()},
                {"features", world.features.size()},
                {"vertices", vertex_count(world)},
                {"bytes", text->size()}});
  else
    fmt::print(stderr, "{}: {} features, {} vertices, {} bytes\n", parsed.text("OUT"), grouped(world.features.size()),
               grouped(vertex_count(world)), grouped(text->size()));
  return ExitCode::done;
}

std::string details() {
  std::string text = "KIND is city, or a small scene:";
  for (const std::string& kind : kinds())
    if (kind != "city") text += " " + kind;
  return text + ".\nThe same seed and size give the same file on every machine.";
}

const Registration registration({
    .name = "generate",
    .summary = "makes up environments by seed: a city, or a small scene",
    .use = Use::worlds,
    .arguments = Arguments()
                     .positional("KIND", "city, or a scene named below")
                     .positional("OUT", ".geojson; - is standard output")
                     .option("--seed", "N", "1 where not given", Type::whole_number)
                     .option("--width", "METRES", "of a city, west to east; 600 where not given", Type::number)
                     .option("--height", "METRES", "of a city, south to north; 600 where not given", Type::number)
                     .option("--vertices", "N", "a square city of about so many boundary vertices", Type::whole_number),
    .run = run,
    .details = details(),
});

}  // namespace
}  // namespace throng::cli
