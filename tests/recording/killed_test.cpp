// Writers that end badly: killed, or on a disk that is full.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "recording/crowd.hpp"
#include "recording/recording.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::recording;
using namespace throng::test;
namespace fs = std::filesystem;

namespace {

/// Enough that the write-ahead log is folded into the file several times.
std::vector<OwnedFrame> long_run() { return random_crowd(11, 400, 300); }

/// The body of a child: tells the pipe that the file is there, and writes.
[[noreturn]] void write_in_child(const fs::path& path, const std::vector<OwnedFrame>& frames, int pipe) {
  const Result<std::unique_ptr<Recorder>> recorder = create_native(path.string(), sample_meta());
  if (!recorder || ::write(pipe, "x", 1) != 1) ::_exit(2);
  feed(**recorder, frames);
  ::_exit((*recorder)->finish().ok() ? 0 : 1);
}

struct Child {
  pid_t id = -1;
  int exit_status = 0;
};

/// A child that writes, killed `delay` after its file was there; or left alone.
Child run_child(const fs::path& path, const std::vector<OwnedFrame>& frames,
                std::optional<std::chrono::microseconds> delay) {
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  Child child{::fork()};
  REQUIRE(child.id >= 0);
  if (child.id == 0) write_in_child(path, frames, pipe[1]);
  char byte = 0;
  REQUIRE(::read(pipe[0], &byte, 1) == 1);
  if (delay) {
    std::this_thread::sleep_for(*delay);
    ::kill(child.id, SIGKILL);
  }
  REQUIRE(::waitpid(child.id, &child.exit_status, 0) == child.id);
  ::close(pipe[0]);
  ::close(pipe[1]);
  return child;
}

/// Frames that can be read, every one of which must be as in a full run.
std::size_t check_prefix(const fs::path& path, const std::vector<OwnedFrame>& expected) {
  Result<Recording> recording = Recording::open(path.string());
  REQUIRE_MESSAGE(recording, said(recording));
  const std::vector<OwnedFrame> read = all_frames(*recording);
  REQUIRE(read.size() <= expected.size());
  for (std::size_t i = 0; i < read.size(); ++i) REQUIRE(read[i] == expected[i]);
  const Result<std::vector<AgentRow>> agents = recording->agents();
  REQUIRE_MESSAGE(agents, said(agents));
  std::set<std::uint64_t> serials;
  for (const AgentRow& row : *agents) serials.insert(row.serial);
  for (const OwnedFrame& frame : read)
    for (const std::uint64_t serial : frame.serial) REQUIRE(serials.contains(serial));
  return read.size();
}

void kill_at_random_moments(int times) {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const TempDir folder;
  const fs::path path = folder / "run.throng";
  const std::vector<OwnedFrame> frames = long_run();
  std::vector<OwnedFrame> expected;
  for (const OwnedFrame& frame : frames) expected.push_back(rounded(frame));

  const auto start = std::chrono::steady_clock::now();
  REQUIRE(run_child(path, frames, std::nullopt).exit_status == 0);
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  REQUIRE(check_prefix(path, expected) == frames.size());

  std::set<std::size_t> lengths;
  // How long a run takes changes with what else the machine does: more tries, with shorter delays, where all came out alike.
  constexpr int most_more = 100;
  for (int i = 0; i < times || (lengths.size() <= 2 && i < times + most_more); ++i) {
    // A tenth beyond the whole run, so that closing is met too.
    const double share = 1.1 / (i < times ? 1 : 1 + i % 8);
    const std::chrono::microseconds delay(random.below(std::uint64_t(double(whole.count()) * share) + 1));
    INFO("killed after " << delay.count() << " us of " << whole.count());
    run_child(path, frames, delay);
    lengths.insert(check_prefix(path, expected));
    // Again: what the first reader did to the file must not harm the second.
    check_prefix(path, expected);
  }
  CHECK(lengths.size() > 2);
}

}  // namespace

TEST_CASE("a recording whose writer is killed at a random moment can be read to its last chunk") {
  kill_at_random_moments(12);
}

TEST_CASE("long: a recording whose writer is killed at 100 random moments can be read 100 times") {
  kill_at_random_moments(100);
}

TEST_CASE("a writer killed while it replaces a file leaves the old one or the new one") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const TempDir folder;
  const fs::path path = folder / "run.throng";
  const std::vector<OwnedFrame> frames = random_crowd(5, 5, 20);
  std::vector<OwnedFrame> expected;
  for (const OwnedFrame& frame : frames) expected.push_back(rounded(frame));
  int ignored[2];
  REQUIRE(::pipe(ignored) == 0);
  {
    const Result<std::unique_ptr<Recorder>> recorder = create_native(path.string(), sample_meta());
    REQUIRE(recorder);
    feed(**recorder, frames);
  }
  for (int i = 0; i < 20; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) write_in_child(path, frames, ignored[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(5000)));
    ::kill(child, SIGKILL);
    REQUIRE(::waitpid(child, nullptr, 0) == child);
    check_prefix(path, expected);
  }
  ::close(ignored[0]);
  ::close(ignored[1]);
}

TEST_CASE("on a full disk the writer says so, never hangs, and leaves what fitted") {
  const TempDir folder;
  const fs::path path = folder / "run.throng";
  const std::vector<OwnedFrame> frames = long_run();
  std::vector<OwnedFrame> expected;
  for (const OwnedFrame& frame : frames) expected.push_back(rounded(frame));
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // A limit on the size of files meets the writer as a full disk does, but for the name of the error.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Result<std::unique_ptr<Recorder>> recorder = create_native(path.string(), sample_meta());
    if (!recorder) ::_exit(2);
    feed(**recorder, frames);
    const Result<Written> written = (*recorder)->finish();
    const bool told = !written && written.problems().front().code == ProblemCode::io && (*recorder)->failed();
    ::_exit(told ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  const std::size_t read = check_prefix(path, expected);
  CHECK(read > 0);
  CHECK(read < frames.size());
}
