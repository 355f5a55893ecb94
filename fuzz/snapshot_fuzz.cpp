// Snapshots that were changed: refused, or a run that goes on without leaving its bounds. The input is a list of changes to a snapshot that
// is made here, so that seeds stay good when the format changes; its checksum is not looked at, so that the fuzzer is behind it.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "analysis/metrics.hpp"
#include "bytes.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "text/archive.hpp"

using namespace throng;

namespace {

scenario::Scenario hall() {
  static const std::string text =
      R"({"throng": 1, "duration": 30, "environment": {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"kind": "walkable"},
       "geometry": {"type": "Polygon", "coordinates": [[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
      {"type": "Feature", "properties": {"kind": "obstacle"},
       "geometry": {"type": "Polygon", "coordinates": [[[11,4],[12,4],[12,6],[11,6],[11,4]]]}},
      {"type": "Feature", "properties": {"kind": "area", "name": "east"},
       "geometry": {"type": "Polygon", "coordinates": [[[18,8],[20,8],[20,10],[18,10],[18,8]]]}}]},
    "populations": [{"name": "a", "count": 4, "start": {"polygon": [[1, 1], [9, 1], [9, 9], [1, 9]]},
      "goals": [{"point": [15, 5], "wait": 1}, {"area": "east"}]},
      {"name": "b", "rate": 2, "start": {"polygon": [[1, 1], [3, 1], [3, 3], [1, 3]]}, "goals": [{"area": "east"}]}],
    "measure": [{"line": [[10, 0], [10, 10]], "name": "middle"}]})";
  Result<scenario::Scenario> read = scenario::parse_scenario(text, "hall", scenario::installed_methods());
  if (!read) std::abort();
  return std::move(read).value();
}

analysis::Metrics metrics() { return {{{"middle", {10, 0}, {10, 10}, 0}}, {}}; }

const scenario::SimulationOptions one_thread{.seed = {}, .threads = 1, .duration = {}};

/// After three seconds.
std::string saved() {
  Result<scenario::Simulation> simulation = scenario::Simulation::make(hall(), one_thread);
  if (!simulation) std::abort();
  analysis::Metrics figures = metrics();
  figures.begin(simulation->crowd());
  for (int i = 0; i < 30; ++i) {
    if (!simulation->step()) std::abort();
    figures.observe(simulation->crowd(), 0.1);
  }
  geometry::ArchiveWriter archive;
  simulation->save(archive);
  figures.save(archive);
  return archive.bytes();
}

/// A change: where, how many bytes, what; or a cut.
void change(std::string& bytes, fuzz::Bytes& input) {
  const std::size_t at = input.take<std::uint32_t>() % bytes.size();
  const auto what = input.take<std::uint8_t>();
  const auto value = input.take<std::uint64_t>();
  if (what % 16 == 15) return bytes.resize(std::max<std::size_t>(1, at));
  const std::size_t width = std::size_t(1) << (what % 4);
  for (std::size_t i = 0; i < width && at + i < bytes.size(); ++i) bytes[at + i] = char(value >> (8 * i) & 0xff);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string whole = saved();
  std::string bytes = whole;
  fuzz::Bytes input(data, std::min<std::size_t>(size, 13 * 16));
  while (!input.empty()) change(bytes, input);
  geometry::ArchiveReader archive(bytes);
  Result<scenario::Simulation> simulation = scenario::Simulation::resume(hall(), one_thread, archive);
  if (!simulation) return 0;
  analysis::Metrics figures = metrics();
  figures.load(archive, simulation->crowd(), simulation->scenario().populations.size(),
               simulation->scenario().profiles.size());
  if (archive.failed()) return 0;
  for (int i = 0; i < 3; ++i) {
    if (!simulation->step()) return 0;
    figures.observe(simulation->crowd(), 0.1);
  }
  (void)figures.summary();
  return 0;
}
