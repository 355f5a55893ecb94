// The tools on what a laboratory recorded, and what is read off its points (docs/validation-cases.md, references).
#include <doctest/doctest.h>

#include <algorithm>

#include "environment/clean/clean.hpp"
#include "environment/sketch.hpp"
#include "support/data.hpp"
#include "text/csv.hpp"
#include "text/files.hpp"
#include "validation/against.hpp"
#include "validation/measures.hpp"
#include "validation/statistics.hpp"

using namespace throng;
using namespace throng::validation;

namespace {

environment::CleanEnvironment bottleneck() {
  environment::Sketch sketch("bottleneck");
  sketch.walkable({environment::rectangle({-3.5, -2}, {3.5, 8}), {}});
  const std::vector<Vec2> right{{0.25, -1.1}, {0.7, -1.1}, {0.7, -0.3}, {3.05, -0.3}, {3.05, 6.7},
                                {2.8, 6.7},   {2.8, 0},    {0.4, 0},    {0.25, -0.15}};
  std::vector<Vec2> left;
  for (const Vec2 p : right) left.push_back({-p.x, p.y});
  std::reverse(left.begin(), left.end());
  sketch.obstacle({right, {}});
  sketch.obstacle({left, {}});
  sketch.area("before", environment::rectangle({-0.4, 0.5}, {0.4, 1.3}));
  return *environment::clean(std::move(sketch).take());
}

double column(const environment::CsvRow& row, std::size_t i) { return std::stod(row.fields[i]); }

environment::CsvTable table(const std::string& file) {
  environment::ProblemList problems;
  environment::CsvTable read = environment::parse_csv(*environment::read_file(file), file, problems);
  REQUIRE(!problems.has_errors());
  return read;
}

}  // namespace

TEST_CASE("of the recorded bottleneck our tools give the crossings, flow, density and speed that are known") {
  const auto found = test::data_file("lab_bottleneck_050.txt");
  if (!found) return;
  const std::string file = found->string();
  const Result<recording::Tracks> tracks = read_petrack(*environment::read_file(file), file, 0, 0);
  REQUIRE(tracks.ok());
  const environment::CleanEnvironment world = bottleneck();
  const Json line = Json::parse("[[-0.25, 0], [0.25, 0]]");  // who walks down crosses it from its left to its right
  Result<GaugePtr> crossings = gauge_of({"", "crossings", {{"line", line}}});
  Result<GaugePtr> flow = gauge_of({"", "flow", {{"line", line}}});
  Result<GaugePtr> back = gauge_of({"", "crossings", {{"line", Json::array({line[1], line[0]})}}});
  const Json area = {{"area", "before"}, {"every", 0.04}, {"from", 113 / 25.0}, {"until", 1425 / 25.0}};
  Json density = area;
  density["value"] = "density";
  Result<GaugePtr> densities = gauge_of({"", "classical", density});
  Result<GaugePtr> speeds = gauge_of({"", "classical", area});
  for (Result<GaugePtr>* gauge : {&crossings, &flow, &back, &densities, &speeds}) {
    REQUIRE(gauge->ok());
    REQUIRE((**gauge)->begin({&world, nullptr, 0.04}).empty());
    for (const Frame& frame : frames_of(*tracks)) (**gauge)->see(frame);
    (**gauge)->end();
  }
  CHECK((*crossings)->value() == 75);
  CHECK((*back)->value() == 0);
  REQUIRE((*flow)->value() == doctest::Approx(1.148).epsilon(0.0005));
  const std::vector<Vec2> counts = (*flow)->curve();
  CHECK(counts.front().x == doctest::Approx(13 / 25.0));
  CHECK(counts.back().x == doctest::Approx(1625 / 25.0));
  for (const auto& [number, time] :
       {std::pair{10, 7.32}, {20, 14.92}, {30, 23.72}, {40, 31.80}, {50, 41.28}, {60, 50.52}, {70, 59.84}})
    CHECK(counts[std::size_t(number - 1)].x == doctest::Approx(time).epsilon(1e-6));
  CHECK((*densities)->value() == doctest::Approx(7.50).epsilon(0.001));
  CHECK((*speeds)->value() == doctest::Approx(0.131).epsilon(0.005));
}

TEST_CASE("tracks walked again start moved apart, and everything is compared") {
  const auto found = test::data_file("lab_bottleneck_050.txt");
  if (!found) return;
  const std::string file = found->string();
  recording::Tracks tracks = *read_petrack(*environment::read_file(file), file, 0, 0);
  // A quick form: the twenty who are through first, and only their tracks.
  std::erase_if(tracks.rows, [](const recording::TrackRow& row) { return row.id > 20; });
  const Result<crowd::WorldPtr> world = crowd::make_world(bottleneck());
  REQUIRE(world.ok());
  AgainstOptions options;
  options.radius = 0.2;
  options.lines.push_back({"door", {-0.25, 0}, {0.25, 0}});
  const Result<Comparison> result = walk_again(tracks, *world, options);
  REQUIRE_MESSAGE(result.ok(), to_string(result.problems().front()));
  CHECK(result->people == 20);
  CHECK(result->never_started == 0);
  CHECK(result->arrived == 20);
  CHECK(result->most_moved < 0.6);
  REQUIRE(result->lines.size() == 1);
  CHECK(result->lines[0].recorded.size() == 20);
  CHECK(result->lines[0].walked.size() == 20);
  REQUIRE(result->areas.size() == 1);
  CHECK(result->areas[0].recorded_density > 0);
  CHECK(result->areas[0].walked_speed > 0);
}

TEST_CASE("what a file of tracks does not say can be given") {
  const std::string bare = "1 0 100 200\n1 1 110 200\n";
  CHECK(!read_petrack(bare, "bare.txt", 0, 0).ok());
  const Result<recording::Tracks> given = read_petrack(bare, "bare.txt", 25, 0.01);
  REQUIRE(given.ok());
  CHECK(given->frame_time == doctest::Approx(0.04));
  CHECK(given->rows[1].position.x == doctest::Approx(1.1));
  // What is given holds, whatever the file says.
  const Result<recording::Tracks> other = read_petrack("# framerate: 10\n# x/cm\n" + bare, "bare.txt", 0, 1);
  REQUIRE(other.ok());
  CHECK(other->frame_time == doctest::Approx(0.1));
  CHECK(other->rows[1].position.x == doctest::Approx(110));
}

TEST_CASE("what is read off the laboratories' points is what the cases are judged by") {
  const auto corridors = test::data_file("lab_corridor_3m.csv"), files = test::data_file("lab_single_file.csv");
  if (!corridors || !files) return;
  std::vector<Vec2> corridor, file;
  for (const environment::CsvRow& row : table(corridors->string()).rows)
    corridor.push_back({column(row, 2), column(row, 3)});
  const std::vector<Bin> bins = bins_of(corridor, 0.5, 1);
  REQUIRE(bins.size() == 8);
  const double means[][2] = {{0.37, 1.49}, {0.65, 1.42}, {1.28, 1.20}, {1.69, 1.04},
                             {2.33, 0.53}, {2.68, 0.39}, {3.24, 0.22}, {3.68, 0.16}};
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(bins[i].x == doctest::Approx(means[i][0]).epsilon(0.02));
    CHECK(bins[i].mean == doctest::Approx(means[i][1]).epsilon(0.02));
  }
  for (const auto& [density, part] : {std::pair{1.0, 0.84}, {1.5, 0.72}, {2.0, 0.51}, {2.5, 0.30}, {3.0, 0.19}})
    CHECK(*read_off(bins, density) / 1.55 == doctest::Approx(part).epsilon(0.03));
  for (const environment::CsvRow& row : table(files->string()).rows) {
    const double gap = 1 / column(row, 1);
    if (gap >= 0.35 && gap <= 1.0) file.push_back({column(row, 2), gap});
  }
  CHECK(file.size() == 1869);
  // Least squares of the distance on the speed.
  Vec2 mean;
  for (const Vec2 p : file) mean = mean + p / double(file.size());
  double xx = 0, xy = 0;
  for (const Vec2 p : file) xx += (p.x - mean.x) * (p.x - mean.x), xy += (p.x - mean.x) * (p.y - mean.y);
  CHECK(xy / xx == doctest::Approx(0.83).epsilon(0.01));
  CHECK(mean.y - xy / xx * mean.x == doctest::Approx(0.40).epsilon(0.02));
}
