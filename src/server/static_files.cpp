#include "server/static_files.hpp"

#include <filesystem>

#include "text/files.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 1000;

std::string type_of(const fs::path& file) {
  static const std::map<std::string, std::string> types{{".html", "text/html; charset=utf-8"},
                                                        {".js", "text/javascript"},
                                                        {".css", "text/css"},
                                                        {".svg", "image/svg+xml"},
                                                        {".png", "image/png"},
                                                        {".ico", "image/x-icon"},
                                                        {".woff2", "font/woff2"},
                                                        {".json", "application/json"},
                                                        {".txt", "text/plain; charset=utf-8"}};
  const auto found = types.find(file.extension().string());
  return found == types.end() ? "application/octet-stream" : found->second;
}

Problem missing(const std::string& folder, std::string what) {
  return {Severity::error, ProblemCode::io, folder, std::move(what)};
}

}  // namespace

Result<StaticFiles> StaticFiles::read(const std::string& folder) {
  StaticFiles files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->is_regular_file(error)) continue;
    const Result<std::string> bytes = environment::read_file(entry->path().string());
    if (!bytes) return bytes.problems();
    if (files.files_.size() >= most_files) return missing(folder, "holds too many files for a client");
    const std::string name = "/" + fs::relative(entry->path(), folder, error).generic_string();
    files.files_[name] = {type_of(entry->path()), bytes_of(*bytes)};
  }
  if (!files.files_.contains("/index.html")) return missing(folder, "holds no index.html");
  return files;
}

Response StaticFiles::answer(const std::string& path) const {
  const auto found = files_.find(path == "/" ? "/index.html" : path);
  if (found == files_.end()) return refusal(404, "there is no " + path);
  return {200, found->second.type, found->second.bytes};
}

}  // namespace throng::server
