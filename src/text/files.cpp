#include "text/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
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

/// What is no regular file may have no end.
constexpr std::size_t most_of_a_stream = std::size_t(1) << 30;

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
    if (text.size() > std::max(expected, most_of_a_stream))
      return Problem{Severity::error, ProblemCode::limit, path, "gives more than 1 GB and no end; give it as a file"};
  }
  if (std::ferror(file)) return failure(path, "cannot be read");
  return text;
}

enum class Kind { any, regular };

/// Opens a file for reading and tells its size.
Result<File> open_file(const std::string& path, std::size_t& size, Kind kind = Kind::any) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return failure(path, "cannot be read");
  if (S_ISDIR(status.st_mode))
    return Problem{Severity::error, ProblemCode::io, path, "cannot be read: it is a directory"};
  if (kind == Kind::regular && !S_ISREG(status.st_mode))
    return Problem{Severity::error, ProblemCode::io, path, "cannot be read: it is no regular file"};
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) return failure(path, "cannot be read");
  size = S_ISREG(status.st_mode) ? std::size_t(status.st_size) : 0;
  return file;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  if (path == "-") return read_all(stdin, "standard input", 0);
  std::size_t size = 0;
  const Result<File> file = open_file(path, size);
  if (!file) return file.problems();
  return read_all(file->get(), path, size);
}

Result<std::string> read_named_file(const std::string& path) {
  std::size_t size = 0;
  const Result<File> file = open_file(path, size, Kind::regular);
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

}  // namespace throng::environment
