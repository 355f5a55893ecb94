#include "cli/scratch_folder.hpp"

#include <stdlib.h>  // NOLINT: mkdtemp is POSIX's

#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>

namespace throng::cli {
namespace {

/// Those that are there.
struct Folders {
  std::mutex mutex;
  std::set<std::string> paths;
};

/// Never destroyed: whoever ends the program in a hurry may ask for them at its very end.
Folders& folders() {
  static auto* const all = new Folders;
  return *all;
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& name) {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / (name + "-XXXXXX")).string();
  if (error || mkdtemp(path.data()) == nullptr) return;
  path_ = path;
  const std::lock_guard lock(folders().mutex);
  folders().paths.insert(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (path_.empty()) return;
  std::filesystem::remove_all(path_, ignored);
  const std::lock_guard lock(folders().mutex);
  folders().paths.erase(path_);
}

void ScratchFolder::remove_all() {
  const std::lock_guard lock(folders().mutex);
  std::error_code ignored;
  for (const std::string& path : folders().paths) std::filesystem::remove_all(path, ignored);
}

}  // namespace throng::cli
