#include "support/data.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

extern char** environ;

namespace throng::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Both ends of a pipe, closed at the end of their life.
struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  }
  ~Pipe() { close_end(0), close_end(1); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
  std::array<int, 2> ends = {-1, -1};
};

class Child {
 public:
  explicit Child(const std::vector<std::string>& words) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.ends[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const int failure = posix_spawnp(&id_, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) throw std::system_error(failure, std::generic_category(), words.front());
    in.close_end(0), out.close_end(1), err.close_end(1);
    fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
  }

  /// Moves bytes both ways until the child has closed its outputs; false when the time is up.
  bool exchange(std::string_view input, ProgramResult& result, Clock::time_point deadline) {
    while (out.ends[0] >= 0 || err.ends[0] >= 0) {
      if (input.empty()) in.close_end(1);
      std::array<pollfd, 3> wait = {{{in.ends[1], POLLOUT, 0}, {out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return false;
      if (poll(wait.data(), wait.size(), int(left)) < 0 && errno != EINTR) fail("poll");
      if (wait[0].revents != 0) feed(input);
      if (wait[1].revents != 0) drain(out, result.out);
      if (wait[2].revents != 0) drain(err, result.err);
    }
    return true;
  }

  int wait_for_end() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0)
      if (errno != EINTR) fail("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  void end_it() const { kill(id_, SIGKILL); }

 private:
  void feed(std::string_view& input) {
    const ssize_t written = write(in.ends[1], input.data(), input.size());
    if (written >= 0)
      input.remove_prefix(std::size_t(written));
    else if (errno != EAGAIN && errno != EINTR)
      input = {};  // the child does not want the rest
  }

  static void drain(Pipe& pipe, std::string& into) {
    std::array<char, 65536> buffer;
    const ssize_t count = read(pipe.ends[0], buffer.data(), buffer.size());
    if (count > 0)
      into.append(buffer.data(), std::size_t(count));
    else if (count == 0 || errno != EINTR)
      pipe.close_end(0);
  }

  Pipe in, out, err;
  pid_t id_ = 0;
};

}  // namespace

std::optional<fs::path> data_file(const std::string& name) {
  const char* folder = std::getenv("THRONG_DATA");
  if (folder == nullptr || *folder == '\0') {
    MESSAGE("skipped: THRONG_DATA is not set");
    return std::nullopt;
  }
  fs::path file = fs::path(folder) / name;
  if (fs::exists(file)) return file;
  MESSAGE("skipped: THRONG_DATA has no " << name);
  return std::nullopt;
}

TempDir::TempDir() {
  std::string name = (fs::temp_directory_path() / "throng-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) fail("mkdtemp");
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const fs::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), std::streamsize(bytes.size()));
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

ProgramResult run_program(const std::vector<std::string>& words, const std::string& input, std::chrono::seconds limit) {
  // A child that ends before it has read everything must not end us.
  std::signal(SIGPIPE, SIG_IGN);
  ProgramResult result;
  Child child(words);
  result.timed_out = !child.exchange(input, result, Clock::now() + limit);
  if (result.timed_out) child.end_it();
  result.exit_code = child.wait_for_end();
  return result;
}

ProgramResult run_throng(std::vector<std::string> arguments, const std::string& input, std::chrono::seconds limit) {
  arguments.insert(arguments.begin(), THRONG_PROGRAM);
  return run_program(arguments, input, limit);
}

}  // namespace throng::test
