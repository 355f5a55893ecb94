// Files that were damaged on the way, or on purpose: every copy is refused or read, each within two seconds of processor time and a gigabyte.
// The fast part tries some copies of each kind, the long part ten thousand of each.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <span>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "navmesh/mesh_io.hpp"
#include "recording/recording.hpp"
#include "recording/tracks.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "support/data.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"
#include "text/archive.hpp"
#include "text/fnv1a.hpp"

namespace throng::test {
namespace {

namespace fs = std::filesystem;

constexpr rlim_t most_memory = rlim_t(1) << 30;
constexpr double most_seconds = THRONG_UNDER_SANITIZER ? 20 : 2;

/// A good file and what reads it.
struct Kind {
  std::string name, bytes;
  std::function<bool(const std::string& bytes)> read;  ///< whether it was read, and all of it
};

bool read_environment_text(const std::string& format, const std::string& bytes) {
  const Result<environment::Environment> read = environment::parse_environment(format, bytes, "damaged." + format);
  return read && environment::clean(*read).ok();
}

bool read_recording(const std::string& path) {
  Result<recording::Recording> recording = recording::Recording::open(path);
  if (!recording) return false;
  bool all = recording->environment().ok();
  all &= recording->agents().ok();
  all &= recording->events().ok();
  all &= recording->metrics().ok();
  all &= recording->each_frame([](const recording::Frame&) { return true; }).empty();
  return all;
}

constexpr std::string_view snapshot_line = "throng snapshot 5\n";

/// What stands after the checksum of a snapshot.
bool resume(const std::string& inside, const std::string& scenario) {
  Result<scenario::Scenario> read = scenario::read_scenario(scenario, scenario::installed_methods());
  if (!read) return false;
  geometry::ArchiveReader archive(inside);
  return scenario::Simulation::resume(std::move(read).value(), {.seed = {}, .threads = 1, .duration = {}}, archive)
      .ok();
}

/// As `throng run --resume` does: the line, the checksum, the rest.
bool read_snapshot(const std::string& bytes, const std::string& scenario) {
  if (bytes.size() < snapshot_line.size() + 8 || !bytes.starts_with(snapshot_line)) return false;
  const std::string inside = bytes.substr(snapshot_line.size() + 8);
  geometry::ArchiveReader head(std::string_view(bytes).substr(snapshot_line.size()));
  if (head.get<std::uint64_t>() != geometry::Fnv1a().add(std::string_view(inside)).value()) return false;
  return resume(inside, scenario);
}

constexpr std::size_t tmesh_header = 40;

/// A mesh of this content, with the size and the checksum that it should have: what somebody sends who means harm.
std::string sealed_tmesh(std::string header, const std::string& payload) {
  const auto put = [&](std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) header[at + i] = char(value >> (8 * i) & 0xff);
  };
  put(24, payload.size());
  put(32, geometry::Fnv1a().add_bytes(std::as_bytes(std::span(payload))).value());
  return header + payload;
}

/// Each made once, in this folder.
std::vector<Kind> kinds(const TempDir& folder) {
  const std::string corpus = std::string(THRONG_SOURCE_DIR) + "/fuzz/corpus/",
                    examples = THRONG_SOURCE_DIR "/examples/";
  std::vector<Kind> all;
  for (const auto& [format, file] : std::map<std::string, std::string>{{"geojson", "geojson_reader/station"},
                                                                       {"wkt", "wkt_reader/multi"},
                                                                       {"map", "map_reader/hole"},
                                                                       {"poly", "poly_reader/nested"},
                                                                       {"dxf", "dxf_reader/rooms"},
                                                                       {"obj", "obj_reader/ramp"},
                                                                       {"gltf", "gltf_reader/embedded"},
                                                                       {"osm", "osm_reader/building"}})
    all.push_back({format, read_file(corpus + file),
                   [format = format](const std::string& bytes) { return read_environment_text(format, bytes); }});
  all.push_back({"glb", read_file(corpus + "gltf_reader/binary"),
                 [](const std::string& bytes) { return read_environment_text("gltf", bytes); }});
  for (const char* packing : {"pbf", "pbf_packed", "gz", "bz2"})
    all.push_back({std::string("osm ") + packing, read_file(corpus + "osm_reader/" + packing),
                   [](const std::string& bytes) { return read_environment_text("osm", bytes); }});
  const std::string scenario = examples + "bottleneck.json", recording = folder / "r.throng";
  REQUIRE(
      run_throng({"run", scenario, "--until", "3", "-o", recording, "--snapshot", "2", folder / "r.snap"}).exit_code ==
      0);
  REQUIRE(run_throng({"export", recording, folder / "r.csv"}).exit_code == 0);
  REQUIRE(run_throng({"export", recording, folder / "r.txt"}).exit_code == 0);
  REQUIRE(run_throng({"export", recording, folder / "r.sqlite"}).exit_code == 0);
  REQUIRE(run_throng({"mesh", examples + "bottleneck.geojson", "-o", folder / "m.tmesh"}).exit_code == 0);
  REQUIRE(run_throng({"mesh", examples + "bottleneck.geojson", "-o", folder / "m.json"}).exit_code == 0);
  const std::string copy = folder / "copy";
  all.push_back({"recording", read_file(recording), [copy](const std::string& bytes) {
                   write_file(copy, bytes);
                   return read_recording(copy);
                 }});
  all.push_back({"jupedsim", read_file(folder / "r.sqlite"), [copy](const std::string& bytes) {
                   write_file(copy, bytes);
                   return recording::read_jupedsim(copy).ok();
                 }});
  all.push_back({"csv", read_file(folder / "r.csv").substr(0, 20'000),
                 [](const std::string& bytes) { return recording::parse_track_csv(bytes, "damaged.csv").ok(); }});
  all.push_back({"petrack", read_file(folder / "r.txt").substr(0, 20'000),
                 [](const std::string& bytes) { return recording::parse_petrack(bytes, "damaged.txt").ok(); }});
  const std::string snapshot = read_file(folder / "r.snap"), tmesh = read_file(folder / "m.tmesh");
  all.push_back(
      {"snapshot", snapshot, [scenario](const std::string& bytes) { return read_snapshot(bytes, scenario); }});
  all.push_back({"snapshot behind its checksum", snapshot.substr(snapshot_line.size() + 8),
                 [scenario](const std::string& inside) { return resume(inside, scenario); }});
  all.push_back(
      {"tmesh", tmesh, [](const std::string& bytes) { return navmesh::read_tmesh(bytes, "damaged.tmesh").ok(); }});
  all.push_back({"tmesh behind its checksum", tmesh.substr(tmesh_header),
                 [header = tmesh.substr(0, tmesh_header)](const std::string& payload) {
                   return navmesh::read_tmesh(sealed_tmesh(header, payload), "damaged.tmesh").ok();
                 }});
  all.push_back({"mesh json", read_file(folder / "m.json"),
                 [](const std::string& bytes) { return navmesh::read_mesh_json(bytes, "damaged.json").ok(); }});
  const std::string environment = read_file(examples + "bottleneck.geojson");
  all.push_back({"scenario", read_file(scenario), [environment](const std::string& bytes) {
                   scenario::ReadOptions options;
                   options.read_file = [&](const std::string&) -> Result<std::string> { return environment; };
                   return scenario::parse_scenario(bytes, "damaged.json", scenario::installed_methods(), options).ok();
                 }});
  return all;
}

/// Bytes flipped, cut, and pieces of it put elsewhere.
std::string damaged(std::string bytes, Random& random) {
  const std::uint64_t how = random.below(10);
  if (how < 3) bytes.resize(random.below(bytes.size()) + 1);
  if (how >= 2 && how < 8)
    for (std::uint64_t k = 0; k <= random.below(8); ++k) {
      // Heads of files are where counts and sizes are.
      const std::size_t reach = random.chance(0.3) ? std::min<std::size_t>(bytes.size(), 300) : bytes.size();
      bytes[random.below(reach)] = random.chance(0.2) ? char(0xff) : char(random.below(256));
    }
  if (how >= 7) {
    const std::size_t from = random.below(bytes.size()), to = random.below(bytes.size());
    const std::string piece = bytes.substr(from, 1 + random.below(200));
    random.chance(0.5) ? bytes.insert(to, piece) : bytes.replace(to, piece.size(), piece);
  }
  return bytes;
}

rlim_t in_use() {
  std::ifstream status("/proc/self/statm");
  rlim_t pages = 0;
  status >> pages;
  return pages * rlim_t(::sysconf(_SC_PAGESIZE));
}

/// In a child of its own, so that what kills it is told here. Nothing is read before it is forked: osmium and oneTBB keep
/// threads from their first use on, which the child would wait for in vain.
[[noreturn]] void try_copies(const Kind& kind, int copies, std::uint64_t seed, const std::string& last) {
  if (!THRONG_UNDER_SANITIZER) {
    const rlimit limit{in_use() + most_memory, in_use() + most_memory};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  Random random(seed);
  write_file(last, kind.bytes);
  if (!kind.read(kind.bytes)) ::_exit(5);  // or nothing behind its first lines would be tried
  for (int i = 0; i < copies; ++i) {
    const std::string copy = damaged(kind.bytes, random);
    write_file(last, copy);  // what it was at, whatever happens
    ::alarm(60);             // a reader that waits for ever uses no processor
    const std::clock_t start = std::clock();
    try {
      (void)kind.read(copy);
    } catch (...) {
      ::_exit(3);
    }
    if (double(std::clock() - start) / CLOCKS_PER_SEC > most_seconds) ::_exit(4);
  }
  ::_exit(0);
}

void try_all(int copies) {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  const TempDir folder;
  for (const Kind& kind : kinds(folder)) {
    INFO(kind.name);
    const std::string last = folder / "last";
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) try_copies(kind, copies, seed, last);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const fs::path kept = fs::temp_directory_path() / ("throng-damaged-" + kind.name);
    if (!fine) fs::copy_file(last, kept, fs::copy_options::overwrite_existing);
    CHECK_MESSAGE(fine, kind.name << ": "
                                  << (WIFSIGNALED(status)        ? "killed"
                                      : WEXITSTATUS(status) == 3 ? "it threw"
                                      : WEXITSTATUS(status) == 4 ? "it took too long"
                                      : WEXITSTATUS(status) == 5 ? "the undamaged one was refused"
                                                                 : "it failed")
                                  << "; the copy is kept in " << kept);
  }
}

TEST_CASE("damaged copies of every kind of file are refused or read, within bounds") { try_all(60); }
TEST_CASE("long: ten thousand damaged copies of every kind of file are refused or read, within bounds") {
  try_all(10'000);
}

}  // namespace
}  // namespace throng::test
