#include "cli/live_recorder.hpp"

#include <stdlib.h>  // NOLINT: mkdtemp is POSIX's

#include <filesystem>

#include "cli/run_output.hpp"
#include "recording/sqlite.hpp"
#include "text/files.hpp"

namespace throng::cli {
namespace {

namespace fs = std::filesystem;

Problem io_problem(const std::string& place, std::string what) {
  return {Severity::error, ProblemCode::io, place, std::move(what)};
}

/// A folder that is removed with everything in it.
class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const char* name) const { return (fs::path(path_) / name).string(); }

 private:
  std::string path_;
};

class LiveRecorder : public server::RunObserver {
 public:
  LiveRecorder(std::unique_ptr<Folder> folder, std::unique_ptr<RunRecorder> recorder)
      : folder_(std::move(folder)), recorder_(std::move(recorder)) {}

  void frame(const scenario::Simulation& simulation, const analysis::Metrics& metrics) override {
    recorder_->frame(simulation, metrics);
  }
  void event(double time, std::string_view kind, std::string_view json) override { recorder_->event(time, kind, json); }

  /// A copy in one file, up to the last complete chunk: about a second behind.
  Result<std::string> recording() override {
    const std::string copy = folder_->file("copy.throng");
    std::error_code ignored;
    fs::remove(copy, ignored);
    {
      Result<recording::Database> database = recording::Database::open(folder_->file("run.throng"));
      if (!database) return database.problems();
      recording::Statement vacuum = database->prepare("VACUUM INTO ?");
      vacuum.bind(1, std::string_view(copy));
      if (!vacuum.run()) return io_problem(copy, "the recording could not be copied");
    }
    return environment::read_file(copy);
  }

  [[nodiscard]] std::string path() const override { return folder_->file("run.throng"); }

 private:
  std::unique_ptr<Folder> folder_;  ///< outlives the recorder
  std::unique_ptr<RunRecorder> recorder_;
};

}  // namespace

Result<std::unique_ptr<server::RunObserver>> make_live_recorder(const scenario::Simulation& simulation) {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "throng-view-XXXXXX").string();
  if (error || mkdtemp(name.data()) == nullptr)
    return io_problem(name, "no temporary folder can be made for the recording");
  auto folder = std::make_unique<Folder>(name);
  Result<std::unique_ptr<RunRecorder>> recorder = RunRecorder::create(folder->file("run.throng"), "native", simulation);
  if (!recorder) return recorder.problems();
  return std::unique_ptr<server::RunObserver>(
      std::make_unique<LiveRecorder>(std::move(folder), std::move(recorder).value()));
}

}  // namespace throng::cli
