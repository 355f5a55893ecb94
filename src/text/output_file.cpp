#include "text/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace throng::environment {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = std::size_t(1) << 16;

Problem unwritable(const std::string& path, const std::string& why) {
  return {Severity::error, ProblemCode::io, path, "cannot be written: " + why};
}

std::string reason(int error) { return error == EDQUOT || error == ENOSPC ? "the disk is full" : std::strerror(error); }

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

bool is_link_to_nowhere(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode) && !status_of(path);
}

/// What a file is known by: its own numbers, or its folder's and its name where it is not there yet.
struct Identity {
  dev_t device = 0;
  ino_t inode = 0;
  std::string name;
  friend bool operator==(const Identity&, const Identity&) = default;
};

std::optional<Identity> identity_of(const std::string& path) {
  if (path.empty() || path == "-") return std::nullopt;
  if (const auto status = status_of(path))
    return S_ISREG(status->st_mode) ? std::optional(Identity{status->st_dev, status->st_ino, {}}) : std::nullopt;
  const auto folder = status_of(folder_of(path));
  if (!folder) return std::nullopt;
  return Identity{folder->st_dev, folder->st_ino, fs::path(path).filename().string()};
}

/// A descriptor of a new file beside `path`, and its name; -1 where none can be made.
int open_beside(const std::string& path, std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = fmt::format("{}.tmp-{}-{}", path, ::getpid(), attempt);
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

enum class Lock { ours, somebody_elses };

/// Takes the lock of an open file. Its byte lies far behind those that SQLite locks, and behind what anybody reads; the lock belongs to the
/// descriptor, so that SQLite's in the same process do not undo it.
Lock lock(int descriptor) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = off_t(1) << 62;
  lock.l_len = 1;
  const bool taken = ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0;
  return taken || (errno != EAGAIN && errno != EACCES) ? Lock::ours : Lock::somebody_elses;
}

bool is_same(int descriptor, const std::string& path) {
  struct stat open {};
  const auto there = status_of(path);
  return there && ::fstat(descriptor, &open) == 0 && open.st_dev == there->st_dev && open.st_ino == there->st_ino;
}

/// Renames where nothing has the name yet; errno is EEXIST where something has.
bool rename_to_free_name(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  // NFS, for one, knows only this way.
  if (::link(from.c_str(), to.c_str()) != 0) return false;
  ::unlink(from.c_str());
  return true;
}

/// Closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

Problems check_output(const std::string& path) {
  if (path == "-") return {};
  if (path.empty()) return {unwritable(path, "the name is empty")};
  if (is_link_to_nowhere(path)) return {unwritable(path, "it is a link that leads nowhere")};
  const auto status = status_of(path);
  if (status && S_ISDIR(status->st_mode)) return {unwritable(path, "it is a directory")};
  if (status && ::access(path.c_str(), W_OK) != 0) return {unwritable(path, reason(errno))};
  if (status && !S_ISREG(status->st_mode)) return {};
  const std::string folder = folder_of(target_of(path));
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return {};
  return {unwritable(path, errno == ENOENT ? fmt::format("there is no folder '{}'", folder) : reason(errno))};
}

bool same_file(const std::string& a, const std::string& b) {
  const std::optional<Identity> first = identity_of(a);
  return first && first == identity_of(b);
}

std::string target_of(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
  return resolved ? std::string(resolved.get()) : path;
}

HeldFile::HeldFile(HeldFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), target_(std::move(other.target_)) {}

HeldFile& HeldFile::operator=(HeldFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(target_, other.target_);
  return *this;
}

HeldFile::~HeldFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool HeldFile::is_at_its_place() const { return descriptor_ >= 0 && is_same(descriptor_, target_); }

bool HeldFile::move_to(const std::string& target) {
  if (const auto old = status_of(target)) (void)::fchmod(descriptor_, old->st_mode & 07777);
  if (::rename(target_.c_str(), target.c_str()) != 0) return false;
  target_ = target;
  return true;
}

Result<OutputFile> OutputFile::open(const std::string& path) {
  OutputFile file;
  file.path_ = path;
  if (path == "-") {
    file.descriptor_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file.descriptor_ < 0) return unwritable("standard output", reason(errno));
    file.path_ = "standard output";
    std::fflush(stdout);
    return file;
  }
  if (Problems wrong = check_output(path); !wrong.empty()) return wrong;
  file.target_ = target_of(path);
  const auto status = status_of(file.target_);
  if (status && !S_ISREG(status->st_mode))
    file.descriptor_ = ::open(file.target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  else
    file.descriptor_ = open_beside(file.target_, file.beside_);
  if (file.descriptor_ < 0) {
    file.beside_.clear();
    return unwritable(path, reason(errno));
  }
  if (status && !file.beside_.empty()) (void)::fchmod(file.descriptor_, status->st_mode & 07777);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  path_.swap(other.path_);
  target_.swap(other.target_);
  beside_.swap(other.beside_);
  buffer_.swap(other.buffer_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(error_, other.error_);
  return *this;
}

OutputFile::~OutputFile() { drop(); }

void OutputFile::drop() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!beside_.empty()) ::unlink(beside_.c_str());
  descriptor_ = -1;
  beside_.clear();
}

Problem OutputFile::failure() const { return unwritable(path_, reason(error_)); }

bool OutputFile::write(std::string_view content) {
  if (buffer_.size() + content.size() < buffer_size) return buffer_.append(content), error_ == 0;
  if (!flush()) return false;
  buffer_.assign(content);
  return flush();
}

bool OutputFile::flush() {
  std::string_view rest = buffer_;
  while (error_ == 0 && !rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written > 0) rest.remove_prefix(std::size_t(written));
    if (written == 0) error_ = ENOSPC;
    if (written < 0 && errno != EINTR) error_ = errno;
  }
  buffer_.clear();
  return error_ == 0;
}

/// Also what the file system finds out late: quotas, and disks over a network.
bool OutputFile::flush_to_disk() {
  if (flush() && !beside_.empty() && ::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) error_ = errno;
  return error_ == 0;
}

Problems OutputFile::finish() {
  flush_to_disk();
  if (::close(std::exchange(descriptor_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && !beside_.empty()) {
    if (::rename(beside_.c_str(), target_.c_str()) == 0)
      beside_.clear();
    else
      error_ = errno;
  }
  drop();
  return error_ == 0 ? Problems{} : Problems{failure()};
}

/// Once: whether it is there now; false where another came in between, and it is to be tried again.
Result<bool> OutputFile::take_place(const std::function<void(const std::string& target)>& make_room) {
  const Descriptor old(::open(target_.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  if (old.number() < 0) {
    if (errno != ENOENT) return unwritable(path_, reason(errno));
    if (rename_to_free_name(beside_, target_)) return make_room(target_), true;
    if (errno == EEXIST) return false;
    return unwritable(path_, reason(errno));
  }
  if (lock(old.number()) == Lock::somebody_elses) return unwritable(path_, "another program is writing it");
  if (!is_same(old.number(), target_)) return false;
  make_room(target_);
  if (::rename(beside_.c_str(), target_.c_str()) != 0) return unwritable(path_, reason(errno));
  return true;
}

Result<HeldFile> OutputFile::finish_and_hold(const std::function<void(const std::string& target)>& make_room) {
  if (beside_.empty()) return unwritable(path_, "it is not a regular file");
  if (!flush_to_disk()) return failure();
  (void)lock(descriptor_);  // nobody else knows the name
  // Each round that is lost was won by somebody: more than a few are a quarrel, not an accident.
  for (int attempt = 0; attempt < 100; ++attempt) {
    const Result<bool> there = take_place(make_room);
    if (!there) return there.problems();
    if (!*there) continue;
    beside_.clear();
    HeldFile held;
    held.descriptor_ = std::exchange(descriptor_, -1);
    held.target_ = target_;
    return held;
  }
  return unwritable(path_, "others replace it all the time");
}

Problems replace_file(const std::string& path, std::string_view content) {
  Result<OutputFile> file = OutputFile::open(path);
  if (!file) return file.problems();
  file->write(content);
  return file->finish();
}

}  // namespace throng::environment
