// `throng bench routes`: `short` routes against Recast and Detour on the same maps, pairs and radius, in one run; many at once
// over threads; flow fields.
//
// Pairs are random walkable points with room for the body, all of them counted, whether there is a way between them or not. One
// thread, nothing cached, one pass: each query counts once, with the processor time it took, so that others on the machine do
// not count. Detour is timed for its path and straight path; finding the polygons of the end points, which ours includes, is shown
// beside it. Speeds are compared over the pairs that both answer. Detour's routes count as valid where they keep the radius less the
// size of a cell; lengths are compared on those.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>
#include <span>

#include "benchmarks/bench.hpp"
#include "benchmarks/detour_peer.hpp"
#include "crowd/executor.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "geometry/random.hpp"
#include "navmesh/build.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility.hpp"
#include "routes/corner_distances.hpp"
#include "routes/flow_field.hpp"
#include "routes/grid_surface.hpp"

namespace throng::bench {
namespace {

using navmesh::Mesh;
using navmesh::MeshPtr;
using navmesh::Place;
using routes::NoRoute;

constexpr double radius = 0.25;
/// What a configuration of Detour must answer, of the pairs between which there is a way, to be compared with.
constexpr double enough_answers = 0.99;
/// The same for information.
constexpr double almost_enough_answers = 0.98;
/// Pairs planned before the clock runs: buffers have grown then.
constexpr std::size_t warm_up = 200;

struct World {
  std::string name;
  MeshPtr mesh;
  std::shared_ptr<const routes::RouteGraph> graph;
};

struct Pair {
  Place from, to;
};

double processor_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * double(now.tv_sec) + 1e-3 * double(now.tv_nsec);
}

/// Processor times of queries, in microseconds.
struct Times {
  std::vector<double> us;

  template <class Work>
  void add(Work&& work) {
    const double begin = processor_us();
    work();
    us.push_back(processor_us() - begin);
  }
  /// Of each query the less of two times: what a busy machine adds is in one of them, mostly.
  void keep_least(const Times& again) {
    if (us.empty()) us = again.us;
    for (std::size_t i = 0; i < us.size(); ++i) us[i] = std::min(us[i], again.us[i]);
  }
  [[nodiscard]] double mean() const { return std::accumulate(us.begin(), us.end(), 0.0) / double(us.size()); }
  [[nodiscard]] double p99() const {
    std::vector<double> sorted = us;
    std::sort(sorted.begin(), sorted.end());
    return sorted[std::min(sorted.size() - 1, sorted.size() * 99 / 100)];
  }
};

struct Ours {
  Times times;
  std::vector<NoRoute> reason;
  std::vector<double> length;
  std::size_t found = 0;
  std::size_t windows = 0;  ///< spread for `shortest`, all together
};

bool add_world(std::vector<World>& worlds, const std::string& name, const environment::Environment& source) {
  const Result<environment::CleanEnvironment> clean = environment::clean(source);
  if (!clean) return fmt::print(stderr, "{}: {}\n", name, to_string(clean.problems().front())), false;
  const Result<MeshPtr> mesh = navmesh::build_mesh(*clean);
  if (!mesh) return fmt::print(stderr, "{}: {}\n", name, to_string(mesh.problems().front())), false;
  worlds.push_back({name, *mesh, std::make_shared<const routes::RouteGraph>(*mesh)});
  return true;
}

bool gather(const Options& options, std::vector<World>& worlds,
            const std::vector<const char*>& files = {"kaiserslautern.geojson", "Milan_1_512.poly"}) {
  if (options.data.empty() || options.quick) {
    if (options.data.empty()) fmt::print(stderr, "THRONG_DATA is not set: a generated city only\n");
    const std::size_t size = options.quick ? 1000 : 5000;
    return add_world(worlds, fmt::format("city {}k", size / 1000),
                     environment::generate_city(environment::city_of_vertices(size)));
  }
  for (const char* name : files) {
    const Result<environment::Environment> source = environment::read_environment((options.data / name).string());
    if (!source) return fmt::print(stderr, "{}: {}\n", name, to_string(source.problems().front())), false;
    if (!add_world(worlds, std::filesystem::path(name).stem().string(), *source)) return false;
  }
  return true;
}

/// Pairs of random places of the first layer where the body can stand.
std::vector<Pair> random_pairs(const World& world, std::size_t count, std::uint32_t purpose) {
  geometry::RandomStream random(1, {.purpose = purpose});
  const auto place = [&] {
    for (;;) {
      const double u = random.unit(), v = random.unit(), w = random.unit();
      const auto found = navmesh::random_point(*world.mesh, 0, u, v, w);
      if (found && navmesh::locate(*world.mesh, *found).clearance >= radius) return *found;
    }
  };
  std::vector<Pair> pairs;
  while (pairs.size() < count) {
    const Place from = place();
    pairs.push_back({from, place()});
  }
  return pairs;
}

routes::RouteQuery query_of(const Pair& pair, routes::RouteMethod method = routes::RouteMethod::shortest_in_corridor) {
  return {.from = pair.from, .to = pair.to, .radius = radius, .method = method};
}

/// One method of ours, after a warm-up, for pairs as they come.
class OurRun {
 public:
  OurRun(const World& world, routes::RouteMethod method) : planner_(world.graph), method_(method) {
    for (const Pair& pair : random_pairs(world, warm_up, 4)) keep(int(planner_.plan(query_of(pair, method_), route_)));
  }

  void add(std::span<const Pair> pairs) {
    for (const Pair& pair : pairs) {
      NoRoute reason{};
      ours.times.add([&] { reason = planner_.plan(query_of(pair, method_), route_); });
      ours.reason.push_back(reason);
      if (reason == NoRoute::found) ours.windows += planner_.exact_expansions();
      ours.length.push_back(reason == NoRoute::found ? route_.length : 0);
      if (reason == NoRoute::found) ++ours.found;
    }
  }

  Ours ours;

 private:
  routes::Planner planner_;
  routes::Route route_;
  routes::RouteMethod method_;
};

Ours run_ours(const World& world, const std::vector<Pair>& pairs,
              routes::RouteMethod method = routes::RouteMethod::shortest_in_corridor) {
  OurRun run(world, method);
  run.add(pairs);
  return std::move(run.ours);
}

void list_failures(const World& world, const std::vector<Pair>& pairs, const Ours& ours) {
  for (const NoRoute reason : {NoRoute::bad_query, NoRoute::start_blocked, NoRoute::goal_blocked,
                               NoRoute::not_connected, NoRoute::too_narrow}) {
    const auto first = std::find(ours.reason.begin(), ours.reason.end(), reason);
    if (first == ours.reason.end()) continue;
    const Pair& pair = pairs[std::size_t(first - ours.reason.begin())];
    fmt::print(stderr,
               "{}: short: {} of {} pairs have no route: {}; the first from ({:.3f}, {:.3f}) to ({:.3f}, {:.3f})\n",
               world.name, std::count(ours.reason.begin(), ours.reason.end(), reason), pairs.size(),
               routes::reason_of(reason), pair.from.point.x, pair.from.point.y, pair.to.point.x, pair.to.point.y);
  }
}

/// What one configuration of Detour came to.
struct Theirs {
  DetourSettings settings;
  double eroded = 0;
  std::size_t polygons = 0;
  std::size_t found = 0, valid = 0;
  std::size_t found_by_both = 0;
  double mean_us = 0, p99_us = 0, locate_us = 0;  ///< over pairs that both answer
  double ours_us = 0;                             ///< what `short` takes for the same pairs
  double length_ratio = 0;                        ///< ours / theirs, mean over the valid
  /// Pairs that one of the two answers: there is a way, if only through gaps that cells round open.
  std::size_t possible = 0;

  [[nodiscard]] double speed_ratio() const { return mean_us / ours_us; }
  [[nodiscard]] double answers() const { return double(found) / double(possible); }
};

double length_of(const std::vector<Vec2>& points) {
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i) sum += std::sqrt(squared_length(points[i] - points[i - 1]));
  return sum;
}

bool keeps(const Mesh& mesh, const std::vector<Vec2>& points, double clearance) {
  for (std::size_t i = 1; i < points.size(); ++i)
    if (!navmesh::visible(mesh, {points[i - 1], 0}, {points[i], 0}, clearance)) return false;
  return true;
}

Theirs run_theirs(const World& world, const std::vector<Pair>& pairs, const Ours& ours, DetourPeer& peer,
                  const DetourSettings& settings) {
  Theirs theirs{.settings = settings, .eroded = peer.eroded(), .polygons = peer.polygon_count()};
  for (const Pair& pair : random_pairs(world, warm_up, 4))
    keep(peer.locate(pair.from.point, pair.to.point) && peer.find());
  Times all, locating, both;
  double ratios = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    bool located = false, found = false;
    locating.add([&] { located = peer.locate(pairs[i].from.point, pairs[i].to.point); });
    all.add([&] { found = located && peer.find(); });
    const bool by_us = ours.reason[i] == NoRoute::found;
    if (found || by_us) ++theirs.possible;
    if (found) ++theirs.found;
    if (!found || !by_us) continue;
    ++theirs.found_by_both;
    both.us.push_back(all.us.back());
    theirs.ours_us += ours.times.us[i];
    const std::vector<Vec2> points = peer.points();
    if (ours.length[i] == 0 || !keeps(*world.mesh, points, std::max(0.0, radius - settings.cell))) continue;
    ++theirs.valid;
    ratios += ours.length[i] / length_of(points);
  }
  if (theirs.found_by_both == 0) return theirs;
  theirs.mean_us = both.mean(), theirs.p99_us = both.p99(), theirs.locate_us = locating.mean();
  theirs.ours_us /= double(theirs.found_by_both);
  theirs.length_ratio = theirs.valid > 0 ? ratios / double(theirs.valid) : 0;
  return theirs;
}

void print_fastest(const World& world, const std::vector<Theirs>& all, double enough) {
  const Theirs* fastest = nullptr;
  for (const Theirs& theirs : all)
    if (theirs.answers() >= enough && (fastest == nullptr || theirs.mean_us < fastest->mean_us)) fastest = &theirs;
  if (fastest == nullptr) {
    fmt::print(stderr, "{}: no configuration of Detour answers {:.0f} %\n", world.name, 100 * enough);
    return;
  }
  fmt::print(stderr,
             "{}: the fastest of Detour that answers {:.0f} %: {} {:.1f} m, {:.2f} times slower; routes {:.2f} % {}\n",
             world.name, 100 * enough, fastest->settings.tiled ? "tiled" : "solo", fastest->settings.cell,
             fastest->speed_ratio(), 100 * std::abs(fastest->length_ratio - 1),
             fastest->length_ratio > 1 ? "longer than its valid ones" : "shorter than its valid ones");
}

void compare(const World& world, const Options& options, Table& table) {
  const std::vector<Pair> pairs = random_pairs(world, options.quick ? 100 : 5000, 1);
  const Ours ours = run_ours(world, pairs);
  list_failures(world, pairs, ours);
  const auto share = [&](std::size_t count, std::size_t of) {
    return Number{of > 0 ? 100.0 * double(count) / double(of) : 0, 1};
  };
  table.add({world.name, std::string("short"), std::string(""), share(ours.found, pairs.size()), Number{100, 1},
             Number{100, 1}, Number{ours.times.mean(), 1}, Number{ours.times.p99(), 1},
             Number{1e6 / ours.times.mean(), 0}, Number{0, 1}, Number{1, 4}, Number{1, 2}});
  if (!has_detour()) {
    fmt::print(stderr, "librecast-dev was not there when this was built: no comparison with Detour\n");
    return;
  }
  std::vector<Theirs> all;
  for (const double cell : options.quick ? std::vector<double>{0.3} : std::vector<double>{0.1, 0.2, 0.3}) {
    for (const bool tiled : {true, false}) {
      const DetourSettings settings{cell, tiled, radius};
      const std::string name = fmt::format("Detour {} {:.1f} m", tiled ? "tiled" : "solo", cell);
      std::string reason;
      fmt::print(stderr, "{}: {} ...\n", world.name, name);
      const auto peer = DetourPeer::build(*world.mesh, settings, reason);
      if (!peer) {
        fmt::print(stderr, "{}: {}: {}\n", world.name, name, reason);
        continue;
      }
      const Theirs theirs = run_theirs(world, pairs, ours, *peer, settings);
      table.add({world.name, name, fmt::format("{:.1f} m, {} polygons", theirs.eroded, theirs.polygons),
                 share(theirs.found, pairs.size()), share(theirs.found, theirs.possible),
                 share(theirs.valid, theirs.found_by_both), Number{theirs.mean_us, 1}, Number{theirs.p99_us, 1},
                 Number{1e6 / theirs.mean_us, 0}, Number{theirs.locate_us, 1}, Number{theirs.length_ratio, 4},
                 Number{theirs.speed_ratio(), 2}});
      fmt::print(stderr, "{}: {}: {} pairs answered by it alone, {} by short alone\n", world.name, name,
                 theirs.found - theirs.found_by_both, ours.found - theirs.found_by_both);
      all.push_back(theirs);
    }
  }
  for (const double enough : {enough_answers, almost_enough_answers}) print_fastest(world, all, enough);
}

void plan_many(const World& world, const Options& options, Table& table) {
  const std::size_t count = options.quick ? 1000 : 100000;
  std::vector<routes::RouteQuery> queries;
  for (const Pair& pair : random_pairs(world, count, 2)) queries.push_back(query_of(pair));
  for (const unsigned threads : {1u, 2u}) {
    reset_peak_resident();
    const std::size_t before = resident_bytes();
    crowd::Executor executor(threads);
    std::vector<routes::RoutePtr> answers(queries.size());
    const std::clock_t cpu = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    constexpr std::size_t at_once = 64;
    executor.for_chunks(queries.size(), at_once, [&](std::size_t first, std::size_t last) {
      thread_local std::unique_ptr<routes::Planner> planner;
      if (!planner || &planner->graph() != world.graph.get()) planner = std::make_unique<routes::Planner>(world.graph);
      for (std::size_t i = first; i < last; ++i) {
        routes::Route route;
        if (planner->plan(queries[i], route) == routes::NoRoute::found)
          answers[i] = std::make_shared<const routes::Route>(std::move(route));
      }
    });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double cpu_seconds = double(std::clock() - cpu) / CLOCKS_PER_SEC;
    std::size_t found = 0, bytes = 0;
    for (const routes::RoutePtr& answer : answers)
      if (answer) ++found, bytes += answer->bytes();
    table.add({world.name, (long long)threads, (long long)count, (long long)found, Number{seconds, 2},
               Number{cpu_seconds, 2}, Number{double(count) / seconds, 0}, Number{double(bytes) / 1e6, 1},
               Number{double(peak_resident_bytes() - std::min(before, peak_resident_bytes())) / 1e6, 1},
               Number{double(peak_resident_bytes()) / 1e6, 1}});
  }
}

void flow(const World& world, const Options& options, Table& table) {
  const auto tiles = std::make_shared<const routes::CorridorTiles>(world.graph);
  const std::vector<Pair> pairs = random_pairs(world, options.quick ? 100 : 10000, 3);
  const routes::FlowGoal goal{pairs[0].from, 0};
  const Timing making = measure(options.repetitions, [&] {
    keep(routes::FlowField(tiles, {&goal, 1}, radius).window_count());
  });
  const routes::FlowField field(tiles, {&goal, 1}, radius);
  std::vector<navmesh::Index> cells;
  for (const Pair& pair : pairs) cells.push_back(navmesh::locate(*world.mesh, pair.to).cell);
  const Timing asking = measure(options.repetitions, [&] {
    double sum = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) sum += field.ask(pairs[i].to.point, cells[i]).distance;
    keep(sum);
  });
  table.add({world.name, (long long)tiles->size(), Number{making.min_ms, 1},
             Number{double(field.window_count()) / double(tiles->size()), 1}, (long long)field.most_windows_in_a_tile(),
             Number{double(field.bytes()) / 1e6, 1}, Number{asking.min_ms * 1e6 / double(pairs.size()), 0}});
}

int run(const Options& options) {
  std::vector<World> worlds;
  if (!gather(options, worlds)) return 1;
  Table speeds({"world", "planner", "shrunk by", "answers %", "of possible %", "valid %", "mean us", "p99 us",
                "queries/s", "+ finding ends us", "short / its length", "short's speed / its"});
  Table many(
      {"world", "threads", "pairs", "found", "s", "processor s", "queries/s", "routes MB", "peak added MB", "peak MB"});
  Table fields({"world", "tiles", "field ms", "windows a tile", "most", "MB", "ask ns"});
  for (const World& world : worlds) {
    fmt::print(stderr, "{} ...\n", world.name);
    compare(world, options, speeds);
    plan_many(world, options, many);
    flow(world, options, fields);
  }
  for (const Table* table : {&speeds, &many, &fields}) {
    table->print(options);
    if (!options.json) fmt::print("\n");
  }
  return 0;
}

/// What Detour takes for pairs, in its fastest usual configuration.
struct DetourTimes {
  Times locating, finding;
  std::vector<char> found;
};

void run_detour(DetourPeer& peer, std::span<const Pair> pairs, DetourTimes& times) {
  for (const Pair& pair : pairs) {
    bool located = false, found = false;
    times.locating.add([&] { located = peer.locate(pair.from.point, pair.to.point); });
    times.finding.add([&] { found = located && peer.find(); });
    times.found.push_back(found ? 1 : 0);
  }
}

/// `shortest` beside `short` and Detour on the same pairs, some of each by turns, and all of them several times: what else the machine does is in
/// all of them, or in none.
void compare_shortest(const World& world, const Options& options, Table& table) {
  constexpr std::size_t block = 100;
  constexpr int rounds = 5;
  const std::vector<Pair> pairs = random_pairs(world, options.quick ? 100 : 3000, 1);
  const auto begin = std::chrono::steady_clock::now();
  const std::size_t label_bytes = world.graph->corner_distances(radius)->bytes();
  const double label_ms = 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::string reason;
  const auto peer = has_detour() ? DetourPeer::build(*world.mesh, {0.3, false, radius}, reason) : nullptr;
  OurRun by_short(world, routes::RouteMethod::shortest_in_corridor);
  OurRun exact(world, routes::RouteMethod::shortest);
  DetourTimes detour;
  const std::vector<Pair> warming = random_pairs(world, warm_up, 4);
  if (peer) run_detour(*peer, warming, detour);
  // What circles see is found when it is first asked for, and kept.
  exact.add(pairs);
  const double first_us = exact.ours.times.mean();
  Times short_times, times, locating, finding;
  for (int round = 0; round < rounds; ++round) {
    by_short.ours = {}, exact.ours = {}, detour = {};
    for (std::size_t at = 0; at < pairs.size(); at += block) {
      const std::span<const Pair> some = std::span(pairs).subspan(at, std::min(block, pairs.size() - at));
      by_short.add(some);
      exact.add(some);
      if (peer) run_detour(*peer, some, detour);
    }
    short_times.keep_least(by_short.ours.times), times.keep_least(exact.ours.times);
    locating.keep_least(detour.locating), finding.keep_least(detour.finding);
  }
  std::vector<double> excess;
  double ours_us = 0, finding_us = 0, locating_us = 0;  // where both answer
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (exact.ours.reason[i] != NoRoute::found || exact.ours.length[i] == 0) continue;
    excess.push_back(100 * (by_short.ours.length[i] / exact.ours.length[i] - 1));
    if (!peer || detour.found[i] == 0) continue;
    ours_us += times.us[i];
    finding_us += finding.us[i], locating_us += locating.us[i];
  }
  std::sort(excess.begin(), excess.end());
  const double mean_excess = std::accumulate(excess.begin(), excess.end(), 0.0) / double(excess.size());
  const auto found = double(std::count(detour.found.begin(), detour.found.end(), 1));
  table.add(
      {world.name, (long long)exact.ours.found, Number{short_times.mean(), 1}, Number{first_us, 1},
       Number{times.mean(), 1}, Number{times.p99(), 0}, Number{*std::max_element(times.us.begin(), times.us.end()), 0},
       Number{times.mean() / short_times.mean(), 2}, Number{double(exact.ours.windows) / double(exact.ours.found), 0},
       Number{peer ? (locating_us + finding_us) / found : 0, 1}, Number{peer ? locating_us / found : 0, 1},
       Number{peer ? ours_us / (locating_us + finding_us) : 0, 2}, Number{peer ? ours_us / finding_us : 0, 2},
       Number{mean_excess, 3}, Number{excess[excess.size() * 99 / 100], 2}, Number{label_ms, 0},
       Number{double(label_bytes) / 1e6, 1}});
}

int run_shortest(const Options& options) {
  std::vector<World> worlds;
  if (!gather(options, worlds,
              {"kaiserslautern.geojson", "Milan_1_512.poly", "Sydney_2_1024.poly", "Berlin_0_256.poly"}))
    return 1;
  if (!options.data.empty() && !options.quick)
    for (const int thousands : {10, 30})
      if (!add_world(worlds, fmt::format("city {}k", thousands),
                     environment::generate_city(environment::city_of_vertices(std::size_t(thousands) * 1000))))
        return 1;
  Table table({"world", "found", "short us", "first time us", "shortest us", "p99 us", "most us", "/ short",
               "expansions", "Detour us", "of that its ends", "/ Detour", "/ without its ends", "short is longer by %",
               "p99 %", "labels ms", "labels MB"});
  int row = 0;
  for (const World& world : worlds) {
    if (++row; options.row != 0 && options.row != row) continue;
    fmt::print(stderr, "{} ...\n", world.name);
    compare_shortest(world, options, table);
  }
  table.print(options);
  return 0;
}

/// What a search came to over all pairs.
struct SearchSums {
  std::size_t found = 0;
  double ratio = 0, bound = 0, expansions = 0;
  double first_ratio = 0, first_expansions = 0;  ///< of an anytime search's first path
  Times times;
};

/// Metres between the centres of cells.
constexpr double grid_cell = 2;

/// Every search on one grid, its routes beside the shortest of all.
void compare_searches(const World& world, const std::vector<Pair>& pairs, const std::vector<double>& shortest,
                      routes::GridShape shape, Table& table) {
  const auto begin = std::chrono::steady_clock::now();
  const Result<routes::GridSurface> grid = routes::GridSurface::make(world.mesh, shape, grid_cell, radius);
  if (!grid) return (void)fmt::print(stderr, "{}: {}\n", world.name, to_string(grid.problems().front()));
  const double making_ms = 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  routes::AnySearch search;
  routes::Route route;
  routes::SearchAnswer answer;
  for (std::size_t kind = 0; kind < std::size(routes::search_kind_names); ++kind) {
    SearchSums sums;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (shortest[i] == 0) continue;
      NoRoute reason{};
      sums.times.add(
          [&] { reason = grid->plan(query_of(pairs[i]), {.kind = routes::SearchKind(kind)}, search, route, answer); });
      if (reason != NoRoute::found) continue;
      ++sums.found;
      sums.ratio += answer.cost / shortest[i];
      sums.bound += answer.bound;
      sums.expansions += double(answer.expansions);
      if (answer.stages.empty()) continue;
      sums.first_ratio += answer.stages.front().cost / shortest[i];
      sums.first_expansions += double(answer.stages.front().expansions);
    }
    const auto mean = [&](double sum, int digits) {
      return Number{sum / double(std::max<std::size_t>(1, sums.found)), digits};
    };
    const auto or_none = [&](bool is_there, double sum, int digits) {
      return is_there ? Cell(mean(sum, digits)) : Cell(std::string("-"));
    };
    const bool anytime = sums.first_ratio > 0;
    table.add({world.name, std::string(routes::grid_shape_names[std::size_t(shape)]), Number{making_ms, 0},
               std::string(routes::search_kind_names[kind]), (long long)sums.found, mean(sums.ratio, 4),
               or_none(sums.bound < routes::unreachable, sums.bound, 3), mean(sums.expansions, 0),
               Number{sums.times.mean(), 0}, or_none(anytime, sums.first_ratio, 4),
               or_none(anytime, sums.first_expansions, 0)});
  }
}

int run_search(const Options& options) {
  std::vector<World> worlds;
  if (!gather(options, worlds, {"kaiserslautern.geojson"})) return 1;
  Table table({"world", "surface", "made in ms", "search", "found", "cost / shortest", "bound", "expansions", "us",
               "first cost / shortest", "first expansions"});
  for (const World& world : worlds) {
    fmt::print(stderr, "{} ...\n", world.name);
    const std::vector<Pair> pairs = random_pairs(world, options.quick ? 20 : 200, 5);
    const Ours exact = run_ours(world, pairs, routes::RouteMethod::shortest);
    for (const auto shape : {routes::GridShape::square4, routes::GridShape::square8, routes::GridShape::hexagonal})
      compare_searches(world, pairs, exact.length, shape, table);
  }
  table.print(options);
  return 0;
}

const Registration search_registration({"search", "the search family on grids, against the exact shortest route",
                                        run_search});
const Registration shortest_registration({"shortest", "exact shortest routes against short ones and Detour",
                                          run_shortest});
const Registration registration({"routes", "short routes against Recast and Detour, many at once, flow fields", run});

}  // namespace
}  // namespace throng::bench
