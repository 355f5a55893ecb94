#include "text/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace throng::environment {
namespace {

constexpr std::size_t padding = 64;

Problem failure(const std::string& path, std::string_view what) {
  return {Severity::error, ProblemCode::io, path, fmt::format("{}: {}", what, std::strerror(errno))};
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

Result<std::string> read_all(std::FILE* file, const std::string& path, std::size_t expected) {
  std::string text;
  text.reserve(expected + 1 + padding);
  while (true) {
    // One byte more than expected is asked for, so that the end of a regular file is met without another round.
    const std::size_t used = text.size();
    text.resize(std::max(expected + 1, used + used / 2 + 65536 * std::size_t(used > 0)));
    const std::size_t got = std::fread(text.data() + used, 1, text.size() - used, file);
    const bool done = used + got < text.size();
    text.resize(used + got);
    if (done) break;
  }
  if (std::ferror(file)) return failure(path, "cannot be read");
  return text;
}

/// Opens a file for reading and tells its size.
Result<File> open_file(const std::string& path, std::size_t& size) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return failure(path, "cannot be read");
  if (S_ISDIR(status.st_mode))
    return Problem{Severity::error, ProblemCode::io, path, "cannot be read: it is a directory"};
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) return failure(path, "cannot be read");
  size = std::size_t(status.st_size);
  return file;
}

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written == 0 || (written < 0 && errno != EINTR)) return false;
    if (written > 0) content.remove_prefix(std::size_t(written));
  }
  return true;
}

/// The file a link leads to, so that the link stays one; the path itself where there is no file yet.
std::string target_of(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  return resolved ? std::string(resolved.get()) : path;
}

/// A descriptor of a new file beside `path`, and its name; -1 where none can be made.
int open_beside(const std::string& path, std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = fmt::format("{}.tmp-{}-{}", path, ::getpid(), attempt);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  if (path == "-") return read_all(stdin, "standard input", 0);
  std::size_t size = 0;
  const Result<File> file = open_file(path, size);
  if (!file) return file.problems();
  return read_all(file->get(), path, size);
}

std::size_t file_size(const std::string& path) {
  struct stat status {};
  const bool regular = ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
  return regular ? std::size_t(status.st_size) : 0;
}

Result<std::string> read_start(const std::string& path, std::size_t size) {
  std::size_t all = 0;
  const Result<File> file = open_file(path, all);
  if (!file) return file.problems();
  std::string text(size, '\0');
  text.resize(std::fread(text.data(), 1, size, file->get()));
  if (std::ferror(file->get())) return failure(path, "cannot be read");
  return text;
}

Problems replace_file(const std::string& path, std::string_view content) {
  const std::string target = target_of(path);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  // Pipes and devices (/dev/stdout) are written to, not replaced.
  const bool special = exists && !S_ISREG(status.st_mode);
  std::string name = target;
  const int descriptor = special ? ::open(target.c_str(), O_WRONLY | O_CLOEXEC) : open_beside(target, name);
  if (descriptor < 0) return {failure(path, "cannot be written")};
  if (exists && !special) (void)::fchmod(descriptor, status.st_mode & 07777);
  bool fine = write_all(descriptor, content);
  fine = ::close(descriptor) == 0 && fine;
  if (!special) fine = fine && ::rename(name.c_str(), target.c_str()) == 0;
  if (fine) return {};
  const Problem problem = failure(path, "cannot be written");
  if (!special) ::unlink(name.c_str());
  return {problem};
}

}  // namespace throng::environment
