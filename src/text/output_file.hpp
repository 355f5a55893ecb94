// The one place where outputs are opened: written beside their place, and put there when they are whole.
//
// Laws
// 1. What is at the path stays as it is until finish() or finish_and_hold() has succeeded. A writer that fails, or is never finished, leaves
//    nothing; one that is killed leaves a file "PATH.tmp-PROCESS-NUMBER" beside it.
// 2. Nothing else is touched: the name beside the path is one that nobody had, and leads through no link.
// 3. A link is followed, and stays a link; one that leads nowhere is refused. Pipes and devices are written to as they are. "-" is standard
//    output.
// 4. The bytes are on the disk before they get the name.
// 5. A file that is held is not replaced by anybody else's finish_and_hold(), in this process or another: they are refused. (Where a file
//    system knows no locks, nobody is.)
//
// Thread-safety: one thread at a time for one output.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "throng/result.hpp"

namespace throng::environment {

/// What stands in the way of writing to `path`, as far as can be told without trying: a missing folder, one that nobody may write to, a link
/// to nowhere. Empty where nothing does.
[[nodiscard]] Problems check_output(const std::string& path);

/// Whether two names lead to the same regular file, or would, if it were made. Standard input and output, pipes and devices never do.
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);

/// The file a link leads to; the path itself where it is no link, or there is no file yet.
[[nodiscard]] std::string target_of(const std::string& path);

/// A file at its place that nobody else may replace as long as this lives.
class HeldFile {
 public:
  HeldFile() = default;
  HeldFile(HeldFile&& other) noexcept;
  HeldFile& operator=(HeldFile&& other) noexcept;
  ~HeldFile();

  /// Where it is; links are followed.
  [[nodiscard]] const std::string& target() const { return target_; }
  /// Whether it is still there: others than this program may have removed or replaced it.
  [[nodiscard]] bool is_at_its_place() const;
  /// Gives it another name, replacing what has it; its place is there from then on.
  [[nodiscard]] bool move_to(const std::string& target);

 private:
  friend class OutputFile;
  int descriptor_ = -1;
  std::string target_;
};

class OutputFile {
 public:
  [[nodiscard]] static Result<OutputFile> open(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();

  /// False once something failed; finish() says what.
  bool write(std::string_view content);
  [[nodiscard]] Problems finish();
  /// Puts it there and holds it. Refused where somebody holds what is there. `make_room` is called when nobody else can come in between any
  /// more, and before anybody can see the new file in the place of an old one.
  [[nodiscard]] Result<HeldFile> finish_and_hold(const std::function<void(const std::string& target)>& make_room);

 private:
  OutputFile() = default;
  bool flush();
  bool flush_to_disk();
  void drop();
  [[nodiscard]] Problem failure() const;
  [[nodiscard]] Result<bool> take_place(const std::function<void(const std::string& target)>& make_room);

  std::string path_, target_;  ///< as given; with links followed
  std::string beside_;         ///< where the bytes are until the end; empty: they go to the target itself
  std::string buffer_;
  int descriptor_ = -1;
  int error_ = 0;  ///< of the first failure
};

/// Puts `content` at `path`: open, write and finish.
[[nodiscard]] Problems replace_file(const std::string& path, std::string_view content);

}  // namespace throng::environment
