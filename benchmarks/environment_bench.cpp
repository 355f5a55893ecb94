// throng bench environment: reading and cleaning, against the size of the input.
//
// Kaiserslautern, where there is data, is the map with a bar on it (60 ms read and cleaned). The cities show how the cost grows: ms per
// n log n should stay level. `bytes a vertex` is the peak that cleaning needed beyond what was resident before, over the vertices of
// its result.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "benchmarks/bench.hpp"
#include "environment/clean/clean.hpp"
#include "environment/clean/verify_clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"

namespace throng::bench {
namespace {

using namespace environment;

struct Input {
  std::string name;
  std::string text;  ///< GeoJSON: cities too are read, as a user's file would be
};

void add_real_map(const Options& options, std::vector<Input>& inputs) {
  const std::filesystem::path file = options.data / "kaiserslautern.geojson";
  std::FILE* in = options.data.empty() ? nullptr : std::fopen(file.c_str(), "rb");
  if (in == nullptr) {
    fmt::print(stderr, "kaiserslautern.geojson: THRONG_DATA does not lead to it; generated cities only\n");
    return;
  }
  std::string text;
  char block[1 << 16];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, in)) > 0;) text.append(block, n);
  std::fclose(in);
  inputs.push_back({"kaiserslautern", std::move(text)});
}

std::vector<Input> inputs_for(const Options& options) {
  std::vector<Input> inputs;
  add_real_map(options, inputs);
  const std::vector<std::size_t> sizes =
      options.quick ? std::vector<std::size_t>{1000, 2000} : std::vector<std::size_t>{10000, 50000, 150000};
  for (const std::size_t size : sizes)
    if (Result<std::string> text = write_environment("geojson", generate_city(city_of_vertices(size))); text.ok())
      inputs.push_back({fmt::format("city of {}k", size / 1000), std::move(*text)});
  return inputs;
}

/// Beyond what was resident before, while cleaning once.
double peak_bytes(const Environment& source) {
#ifdef __GLIBC__
  malloc_trim(0);  // what earlier inputs left in the allocator would hide what this one needs
#endif
  const std::size_t before = resident_bytes();
  reset_peak_resident();
  const Result<CleanEnvironment> c = clean(source);
  keep(c);
  const std::size_t peak = peak_resident_bytes();
  return peak > before ? double(peak - before) : 0;
}

bool measure_input(const Options& options, const Input& input, Table& table) {
  const Result<Environment> source = parse_environment("geojson", input.text, input.name);
  const double bytes = source.ok() ? peak_bytes(*source) : 0;
  const Result<CleanEnvironment> cleaned = source.ok() ? clean(*source) : Result<CleanEnvironment>(source.problems());
  if (!cleaned.ok()) {
    for (const Problem& problem : cleaned.problems()) fmt::print(stderr, "{}\n", to_string(problem));
    return false;
  }
  const Timing read = measure(options.repetitions, [&] { keep(parse_environment("geojson", input.text, input.name)); });
  const Timing cleaning = measure(options.repetitions, [&] { keep(clean(*source)); });
  const Timing verifying = measure(options.repetitions, [&] { keep(verify_clean(*cleaned)); });
  const double n = double(cleaned->vertex_count());
  table.add({input.name, (long long)(source->features.size()), (long long)(cleaned->vertex_count()),
             Number{cleaned->grid.unit(), 3}, Number{read.min_ms, 1}, Number{cleaning.min_ms, 1},
             Number{read.min_ms + cleaning.min_ms, 1}, Number{verifying.min_ms, 1},
             Number{cleaning.min_ms * 1e6 / (n * std::log2(n)), 1}, Number{bytes / n, 0}});
  return true;
}

int run(const Options& options) {
  Table table({"input", "features", "vertices", "unit", "read ms", "clean ms", "read + clean ms", "verify ms",
               "clean ns / n log2 n", "bytes a vertex"});
  bool all_good = true;
  for (const Input& input : inputs_for(options)) all_good &= measure_input(options, input, table);
  table.print(options);
  return all_good ? 0 : 1;
}

const Registration registration({"environment", "reading and cleaning, against the size of the input", run});

}  // namespace
}  // namespace throng::bench
