#include "support/data.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <system_error>

#include "support/random.hpp"

namespace throng::test {
namespace {

TEST_CASE("a program's exit code and both outputs come back, and its input reaches it") {
  const ProgramResult result = run_program({"sh", "-c", "cat; echo oops >&2; exit 3"}, "hello");
  CHECK(result.exit_code == 3);
  CHECK(result.out == "hello");
  CHECK(result.err == "oops\n");
  CHECK(!result.timed_out);
}

TEST_CASE("more input and output than a pipe holds passes through, and unread input does no harm") {
  const std::string much(3 << 20, 'x');
  CHECK(run_program({"cat"}, much).out == much);
  CHECK(run_program({"true"}, much).exit_code == 0);
}

TEST_CASE("a signal is told apart from an exit code, a hanging program is ended") {
  CHECK(run_program({"sh", "-c", "kill -TERM $$"}).exit_code == -SIGTERM);
  const ProgramResult hung = run_program({"sleep", "60"}, {}, std::chrono::seconds(1));
  CHECK(hung.timed_out);
  CHECK(hung.exit_code == -SIGKILL);
}

TEST_CASE("a program that is not there is an error of the test") {
  CHECK_THROWS_AS((void)run_program({"/nowhere/at-all"}), std::system_error);
}

TEST_CASE("a temporary folder is there, is its own, and goes") {
  std::filesystem::path kept;
  {
    const TempDir one, two;
    CHECK(one.path() != two.path());
    write_file(one / "a.txt", "text");
    CHECK(read_file(one / "a.txt") == "text");
    kept = one.path();
  }
  CHECK(!std::filesystem::exists(kept));
}

TEST_CASE("test random numbers are the published sequence and stay in range") {
  // SplitMix64 from seed 1234567, as in the reference implementation's test.
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform(-2, 3);
    CHECK((x >= -2 && x < 3));
    const std::int64_t n = random.whole(-1, 1);
    CHECK((n >= -1 && n <= 1));
  }
}

}  // namespace
}  // namespace throng::test
