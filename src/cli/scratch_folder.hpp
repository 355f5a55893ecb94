// A temporary folder that is gone with everything in it at the end; one that is killed leaves it.
#pragma once

#include <string>

namespace throng::cli {

class ScratchFolder {
 public:
  /// `name` is what it is called, but for six signs behind it.
  explicit ScratchFolder(const std::string& name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// Empty where it could not be made.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  /// All there are in this program, where it ends without their destructors.
  static void remove_all();

 private:
  std::string path_;
};

}  // namespace throng::cli
