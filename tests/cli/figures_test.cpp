// What a run counts, against what can be worked out by hand: a scenario goes in, figures come out. By the program alone, so that nothing
// of the inside is taken for granted.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "cli/small_runs.hpp"

namespace throng::test {
namespace {

/// Two floors joined by 10 m of stair or ramp that climbs 5 m.
std::string stair(bool is_stairs) {
  const auto walkable = [](const std::string& layer, double x0, double x1) {
    return polygon(R"("kind":"walkable","layer":")" + layer + '"', rectangle(x0, 0, x1, 4));
  };
  const auto connection = [](const std::string& layers, double x) {
    return feature(R"("kind":"connection","layers":)" + layers, "LineString", fmt::format("[[{0},0],[{0},4]]", x));
  };
  return fmt::format(R"({{"type":"FeatureCollection","throng":{{"version":1,"layers":[{{"id":"low","elevation":0}},
      {{"id":"climb","elevation":{{"ramp":[[6,2,0],[16,2,5]]{}}}}},{{"id":"high","elevation":5}}]}},"features":[)",
                     is_stairs ? R"(,"stairs":true)" : "") +
         walkable("low", 0, 6) + "," + walkable("climb", 6, 16) + "," + walkable("high", 16, 22) + "," +
         connection(R"(["low","climb"])", 6) + "," + connection(R"(["climb","high"])", 16) + "]}";
}

/// Seconds from one end to the other of the 8 m in the middle of the climb, at 1 m/s on the level.
double climbing_time(bool is_stairs, bool up) {
  const std::string way = up ? walker({2, 2}, {20, 2}, "low high") : walker({20, 2}, {2, 2}, "high low");
  const Run done = run(
      stair(is_stairs),
      profile(R"("speed":1,"radius":0.2,"avoid":{"method":"none"},"stairs":{"up":0.4,"down":0.8})") +
          R"(,"duration":80,"time_step":0.05,"populations":[)" + way +
          R"(],"measure":[{"line":[[7,0],[7,4]],"name":"a","layer":"climb"},{"line":[[15,0],[15,4]],"name":"b","layer":"climb"}])");
  CHECK(done.figures["arrived"] == 1);
  REQUIRE(done.measures.size() == 2);
  return std::abs(number(done.measures[0], "time") - number(done.measures[1], "time"));
}

}  // namespace

TEST_CASE("figures: a ramp is walked at the speed of the level along its slope, either way") {
  const double slope = 0.5;
  const double expected = 8 * std::sqrt(1 + slope * slope);
  CHECK(climbing_time(false, true) == doctest::Approx(expected).epsilon(0.02));
  CHECK(climbing_time(false, false) == doctest::Approx(expected).epsilon(0.02));
}

TEST_CASE("figures: stairs are climbed at `up` and descended at `down` times the speed along the slope") {
  const double slope = 0.5;
  const double along = 8 * std::sqrt(1 + slope * slope);
  CHECK(climbing_time(true, true) == doctest::Approx(along / 0.4).epsilon(0.02));
  CHECK(climbing_time(true, false) == doctest::Approx(along / 0.8).epsilon(0.02));
}

TEST_CASE("figures: who is kept from getting on for ten seconds is stuck, not before") {
  // A corridor for one: two who come towards each other cannot pass, whatever they do.
  const std::string members = profile(R"("speed":1,"radius":0.25)") + R"(,"duration":60,"populations":[)" +
                              walker({4, 0.3}, {19, 0.3}) + "," + walker({8, 0.3}, {1, 0.3}) + "]";
  const Run early = run(room(20, 0.6), members, {"--until", "8"});
  CHECK(early.figures["stuck"] == 0);
  const Run late = run(room(20, 0.6), members, {"--until", "40"});
  CHECK(late.figures["arrived"] == 0);
  CHECK(late.figures["stuck"] == 2);
  for (const Row& person : late.people) CHECK(person.at("stuck") == "1");
  // Alone, either of them arrives, and is never stuck.
  const Run alone = run(room(20, 0.6), profile(R"("speed":1,"radius":0.25)") + R"(,"duration":60,"populations":[)" +
                                           walker({4, 0.3}, {19, 0.3}) + "]");
  CHECK(alone.figures["arrived"] == 1);
  CHECK(alone.figures["stuck"] == 0);
}

TEST_CASE("figures: who waits at a goal is not stuck, however long") {
  const Run done =
      run(room(20, 6, "," + polygon(R"("kind":"area","name":"bench")", rectangle(8, 1, 12, 5))),
          profile(R"("speed":1)") + R"(,"duration":50,"populations":[{"profile":"p","count":2,"start":{"polygon":)" +
              rectangle(1, 1, 4, 5) + R"(},"goals":[{"area":"bench","wait":1000}]}])");
  CHECK(done.figures["arrived"] == 0);
  CHECK(done.figures["stuck"] == 0);
  for (const Row& person : done.people) CHECK(number(person, "distance") > 3);
}

TEST_CASE("figures: who has no way to the goal is lost, and keeps the run going to its duration") {
  // A gap of 0.5 m: one of radius 0.2 fits through, one of 0.3 does not.
  const std::string walls = "," + feature(R"("kind":"obstacle")", "LineString", "[[10,0],[10,2.75]]") + "," +
                            feature(R"("kind":"obstacle")", "LineString", "[[10,3.25],[10,6]]");
  for (const auto& [radius, lost] : {std::pair{0.2, 0}, std::pair{0.3, 1}}) {
    const Run done = run(room(20, 6, walls), profile(fmt::format(R"("speed":1,"radius":{})", radius)) +
                                                 R"(,"duration":40,"populations":[)" + walker({2, 3}, {18, 3}) + "]");
    CAPTURE(radius);
    CHECK(done.figures["lost"] == lost);
    CHECK(done.figures["arrived"] == 1 - lost);
    CHECK(done.figures["stuck"] == 0);
    if (lost == 1) CHECK(done.figures["sim_time"].get<double>() == doctest::Approx(40));
    if (lost == 0) CHECK(done.figures["sim_time"].get<double>() < 30);
  }
}

TEST_CASE("figures: the energy of a walk is that of getting up to speed once: half the mass times speed squared") {
  // The mass is 320 kg a metre of radius; the sum over all steps is the mean times their number.
  for (const auto& [speed, radius] : {std::pair{1.0, 0.25}, std::pair{2.0, 0.25}, std::pair{1.0, 0.5}}) {
    const Run done = run(room(60, 6), profile(fmt::format(R"("speed":{},"radius":{})", speed, radius)) +
                                          R"(,"duration":100,"populations":[)" + walker({2, 3}, {58, 3}) + "]");
    CAPTURE(speed);
    CAPTURE(radius);
    REQUIRE(done.figures["arrived"] == 1);
    const double steps = std::round(done.figures["mean_travel_time"].get<double>() / 0.1);
    CHECK(done.figures["mean_energy"].get<double>() * steps ==
          doctest::Approx(320 * radius * speed * speed / 2).epsilon(0.05));
  }
}

TEST_CASE("figures: people take half a second to get up to speed with moussaid, none with orca") {
  const auto time_to = [](const std::string& method) {
    const Run done = run(room(20, 6), profile(R"("speed":1,"avoid":{"method":")" + method + "\"}") +
                                          R"(,"duration":30,"populations":[)" + walker({2, 3}, {18, 3}) +
                                          R"(],"measure":[{"line":[[6,0],[6,6]],"name":"after 4 m"}])");
    REQUIRE(done.measures.size() == 1);
    return number(done.measures[0], "time");
  };
  // A speed that follows its wish as dv/dt = (wish - v) / 0.5 s, in steps of 0.1 s, lags by 0.4 s.
  CHECK(time_to("moussaid") == doctest::Approx(4.45).epsilon(0.04));
  CHECK(time_to("orca") == doctest::Approx(4.05).epsilon(0.03));
}

TEST_CASE(
    "figures: who comes up from behind where there is no room to pass stays behind, and pushes no deeper than "
    "half a body") {
  const std::string two = R"("profiles":{"slow":{"speed":0.5,"avoid":{"method":"none"}},
      "fast":{"speed":1.8,"avoid":{"method":"none"}}},"duration":60,"populations":[)";
  const std::string ahead = walker({6, 0.3}, {19, 0.3}), behind = walker({2, 0.3}, {19, 0.3});
  const auto of = [](std::string text, const std::string& name) {
    return text.replace(text.find("\"p\""), 3, '"' + name + '"');
  };
  const Run done = run(room(20, 0.6), two + of(ahead, "slow") + "," + of(behind, "fast") + "]");
  CHECK(done.figures["arrived"] == 2);
  CHECK(done.figures["max_overlap"].get<double>() < 0.24);
  REQUIRE(done.people.size() == 2);
  CHECK(number(done.people[0], "arrived") < number(done.people[1], "arrived"));
}

TEST_CASE("figures: arrivals of a source are a Poisson process of its rate, between its times") {
  // People go a few metres within a large room: nobody waits to get in, so that who appears when is the source's alone.
  const std::string members =
      profile(R"("avoid":{"method":"none"})") +
      R"(,"contact":false,"duration":700,"populations":[{"profile":"p","rate":2,"from":50,"until":550,"start":{"polygon":)" +
      rectangle(1, 1, 20, 20) + R"(},"goals":[{"polygon":)" + rectangle(21, 1, 24, 24) + "}]}]";
  const Run done = run(room(25, 25), members);
  std::vector<double> times;
  for (const Row& person : done.people) times.push_back(number(person, "appeared"));
  CHECK(std::abs(double(times.size()) - 1000) < 100);  // three deviations
  CHECK(times.front() >= 50);
  CHECK(times.front() < 55);
  CHECK(times.back() <= 550.11);
  CHECK(times.back() > 540);
  double sum = 0, squares = 0;
  std::size_t longer_than_a_second = 0;
  std::vector<double> in_ten_seconds(50);
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double gap = times[i] - times[i - 1];
    CHECK(gap >= 0);
    sum += gap, squares += gap * gap;
    longer_than_a_second += gap > 1.05;
  }
  for (const double time : times)
    if (time > 50 && time < 550) ++in_ten_seconds[std::size_t((time - 50) / 10)];
  const double gaps = double(times.size() - 1), mean = sum / gaps;
  CHECK(mean == doctest::Approx(0.5).epsilon(0.1));
  CHECK(std::sqrt(squares / gaps - mean * mean) == doctest::Approx(0.5).epsilon(0.1));
  CHECK(std::abs(double(longer_than_a_second) / gaps - std::exp(-2.1)) < 0.035);
  double spread = 0;
  for (const double count : in_ten_seconds) spread += (count - 20) * (count - 20) / 50;
  CHECK(spread / 20 > 0.5);  // 1 for a Poisson process, 0 for people who come by the clock
  CHECK(spread / 20 < 1.6);
  // Another seed, other times.
  const Run other = run(room(25, 25), members, {"--seed", "2", "--until", "100"});
  REQUIRE(other.people.size() > 50);
  bool differs = false;
  for (std::size_t i = 0; i < 50; ++i) differs |= other.people[i].at("appeared") != done.people[i].at("appeared");
  CHECK(differs);
}

TEST_CASE("figures: the same bits for any number of threads, with people for several chunks of work") {
  // 400 people are seven chunks of 64; they meet in the middle.
  const std::string members =
      profile("") + R"(,"duration":8,"populations":[{"name":"a","profile":"p","count":200,"start":{"polygon":)" +
      rectangle(0, 0, 14, 20) +
      R"(},"goals":[{"point":[39,10]}]},{"name":"b","profile":"p","count":200,"start":{"polygon":)" +
      rectangle(26, 0, 40, 20) + R"(},"goals":[{"point":[1,10]}]}])";
  const Run one = run(room(40, 20), members, {"--threads", "1"});
  CHECK(one.figures["agents"] == 400);
  double walked = 0;
  for (const Row& person : one.people) walked += number(person, "distance") / 400;
  CHECK(walked > 5);
  for (const char* threads : {"2", "3", "8"})
    CHECK(run(room(40, 20), members, {"--threads", threads}).figures["hash"] == one.figures["hash"]);
}

TEST_CASE("figures: every few steps are recorded where the scenario says so, for JuPedSim too") {
  const TempDir folder;
  write_file(folder / "s.json", R"({"throng":1,"environment":)" + room(20, 6) + "," + profile(R"("speed":1)") +
                                    R"(,"duration":10,"record":{"every":5},"populations":[)" + walker({2, 3}, {18, 3}) +
                                    "]}");
  for (const std::string name : {"o.throng", "o.sqlite"}) {
    REQUIRE(run_throng({"run", folder / "s.json", "-o", folder / name}).exit_code == 0);
    const ProgramResult exported = run_throng({"export", folder / name, folder / "o.csv", "--json"});
    REQUIRE_MESSAGE(exported.exit_code == 0, exported.err);
    CAPTURE(name);
    CHECK(Json::parse(exported.out)["frames"] == 21);  // 100 steps, and the start
  }
}

}  // namespace throng::test
