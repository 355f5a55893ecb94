#include "cli/live_recorder.hpp"

#include <filesystem>
#include <mutex>

#include "analysis/run_recorder.hpp"
#include "cli/scratch_folder.hpp"
#include "recording/sqlite.hpp"
#include "text/files.hpp"

namespace throng::cli {
namespace {

namespace fs = std::filesystem;

Problem io_problem(const std::string& place, std::string what) {
  return {Severity::error, ProblemCode::io, place, std::move(what)};
}

class LiveRecorder : public server::RunObserver {
 public:
  LiveRecorder(std::unique_ptr<ScratchFolder> folder, std::unique_ptr<analysis::RunRecorder> recorder)
      : folder_(std::move(folder)), recorder_(std::move(recorder)) {}

  void frame(const scenario::Simulation& simulation, const analysis::Metrics& metrics) override {
    recorder_->frame(simulation, metrics);
  }
  void event(double time, std::string_view kind, std::string_view json) override { recorder_->event(time, kind, json); }

  /// A copy in one file, up to the last complete chunk: about a second behind.
  Result<server::Bytes> recording() override {
    const std::lock_guard lock(copy_mutex_);
    if (server::Bytes others = copy_.lock()) return others;
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
    Result<std::string> bytes = environment::read_file(copy);
    fs::remove(copy, ignored);
    if (!bytes) return bytes.problems();
    server::Bytes shared = server::bytes_of(std::move(bytes).value());
    copy_ = shared;
    return shared;
  }

  [[nodiscard]] std::string path() const override { return folder_->file("run.throng"); }

 private:
  std::unique_ptr<ScratchFolder> folder_;  ///< outlives the recorder
  std::unique_ptr<analysis::RunRecorder> recorder_;
  std::mutex copy_mutex_;
  std::weak_ptr<const std::string> copy_;  ///< as long as somebody is being sent it
};

}  // namespace

Result<std::unique_ptr<server::RunObserver>> make_live_recorder(const scenario::Simulation& simulation) {
  auto folder = std::make_unique<ScratchFolder>("throng-view");
  if (folder->path().empty()) return io_problem("temporary folder", "cannot be made for the recording");
  Result<std::unique_ptr<analysis::RunRecorder>> recorder =
      analysis::RunRecorder::create(folder->file("run.throng"), "native", simulation, "throng " THRONG_VERSION);
  if (!recorder) return recorder.problems();
  return std::unique_ptr<server::RunObserver>(
      std::make_unique<LiveRecorder>(std::move(folder), std::move(recorder).value()));
}

}  // namespace throng::cli
