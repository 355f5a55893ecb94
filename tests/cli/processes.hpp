// The program in the background: told to end, waited for, limited in what it may write.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace throng::test {

class Process {
 public:
  /// `largest_file`: bytes that a file may grow to; then writing fails as on a full disk. `most_memory`: bytes of addresses.
  Process(std::vector<std::string> arguments, const std::string& out, const std::string& err,
          std::optional<rlim_t> largest_file = std::nullopt, std::optional<rlim_t> most_memory = std::nullopt) {
    arguments.insert(arguments.begin(), THRONG_PROGRAM);
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    id_ = ::fork();
    REQUIRE(id_ >= 0);
    if (id_ > 0) return;
    ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    if (largest_file) {
      const rlimit limit{*largest_file, *largest_file};
      ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    if (most_memory) {
      const rlimit limit{*most_memory, *most_memory};
      ::setrlimit(RLIMIT_AS, &limit);
    }
    // Where tests run in the background of a script, these are ignored, and children inherit it.
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  ~Process() {
    if (id_ > 0) end(SIGKILL);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void tell(int signal) const { ::kill(id_, signal); }
  /// The exit code, or -signal.
  int wait() {
    int status = 0;
    REQUIRE(::waitpid(id_, &status, 0) == id_);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int end(int signal) {
    tell(signal);
    return wait();
  }
  [[nodiscard]] pid_t id() const { return id_; }

 private:
  pid_t id_ = -1;
};

}  // namespace throng::test
