#include "cli/edit_jobs.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include "cli/child_process.hpp"
#include "cli/scratch_folder.hpp"
#include "cli/serve.hpp"
#include "recording/recording.hpp"
#include "text/files.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using server::Json;

struct Job {
  std::uint64_t id = 0;
  std::string name, state = "waiting", what;
  std::uint64_t seeds = 1, done = 0, first_seed = 1;
  double duration = 0;
  Json runs = Json::array();
  Clock::time_point began, ended;
  pid_t child = -1;
  bool stop = false;
};

class ProgramJobs : public server::Jobs {
 public:
  ProgramJobs() {
    std::error_code error;
    program_ = fs::read_symlink("/proc/self/exe", error).string();
    thread_ = std::thread([this] { work(); });
  }
  ~ProgramJobs() override {
    {
      const std::lock_guard lock(mutex_);
      end_ = true;
      for (Job& job : jobs_) stop_now(job);
    }
    wake_.notify_all();
    thread_.join();
  }
  ProgramJobs(const ProgramJobs&) = delete;
  ProgramJobs& operator=(const ProgramJobs&) = delete;

  Result<std::uint64_t> start(const std::string& name, const server::SavedDocument& files,
                              const std::map<std::string, std::string>& beside, std::uint64_t seeds) override {
    if (folder_.path().empty())
      return Problem{Severity::error, ProblemCode::io, "temporary folder", "cannot be made: nothing can be run"};
    Job job;
    {
      const std::lock_guard lock(mutex_);
      job.id = jobs_.size() + 1;
    }
    job.name = name;
    job.seeds = seeds;
    const Json scenario = Json::parse(files.scenario, nullptr, false);
    job.duration = scenario.value("duration", 120.0);
    job.first_seed =
        scenario.contains("seed") && scenario["seed"].is_number_unsigned() ? scenario["seed"].get<std::uint64_t>() : 1;
    std::error_code error;
    const fs::path folder = folder_of(job.id);
    fs::create_directory(folder, error);
    std::map<std::string, std::string> all = beside;
    all[name + ".json"] = files.scenario;
    all[name + ".geojson"] = files.environment;
    for (const auto& [file, bytes] : all) {
      if (fs::path(file).has_parent_path()) continue;  // `throng run` will say that it is missing
      if (Problems wrong = environment::replace_file((folder / file).string(), bytes); !wrong.empty()) return wrong;
    }
    const std::lock_guard lock(mutex_);
    job.id = jobs_.size() + 1;
    jobs_.push_back(job);
    wake_.notify_all();
    return job.id;
  }

  Json state() override {
    const std::lock_guard lock(mutex_);
    Json list = Json::array();
    for (const Job& job : jobs_) list.push_back(describe(job));
    return list;
  }

  bool stop(std::uint64_t id) override {
    const std::lock_guard lock(mutex_);
    if (id < 1 || id > jobs_.size()) return false;
    stop_now(jobs_[id - 1]);
    return true;
  }

  void stop_all() override {
    const std::lock_guard lock(mutex_);
    end_ = true;
    for (Job& job : jobs_) stop_now(job);
  }

  std::string file(std::uint64_t id, const std::string& name) override {
    {
      const std::lock_guard lock(mutex_);
      if (id < 1 || id > jobs_.size()) return {};
      const std::string& state = jobs_[id - 1].state;
      if (state != "done" && state != "stopped") return {};
    }
    if (name != "report.html" && !(name.ends_with(".throng") && name.find('/') == std::string::npos)) return {};
    const std::string path = (folder_of(id) / name).string();
    std::error_code error;
    return fs::is_regular_file(path, error) ? path : std::string();
  }

 private:
  [[nodiscard]] fs::path folder_of(std::uint64_t id) const { return fs::path(folder_.path()) / std::to_string(id); }

  static void stop_now(Job& job) {
    job.stop = true;
    if (job.child > 0) ::kill(job.child, SIGINT);
  }

  [[nodiscard]] Json describe(const Job& job) const {
    const bool over = job.state == "done" || job.state == "stopped" || job.state == "failed";
    const double now_part = job.state == "running" ? part_of_run(job) : 0;
    const double part = over || job.state == "reporting" ? 1.0 : (double(job.done) + now_part) / double(job.seeds);
    const double passed = std::chrono::duration<double>((over ? job.ended : Clock::now()) - job.began).count();
    Json json{{"id", job.id},     {"name", job.name}, {"state", job.state}, {"seeds", job.seeds},
              {"done", job.done}, {"part", part},     {"what", job.what},   {"runs", job.runs}};
    json["seconds_left"] = job.state == "running" && part > 0.01 ? Json(passed * (1 - part) / part) : Json(nullptr);
    return json;
  }

  /// How far the run is that is being made, by what it has recorded.
  [[nodiscard]] double part_of_run(const Job& job) const {
    const auto recording = recording::Recording::open(recording_of(job, job.done + 1));
    if (!recording || job.duration <= 0) return 0;
    return std::min(1.0, double(recording->frame_count()) * recording->meta().frame_time() / job.duration);
  }

  [[nodiscard]] std::string recording_of(const Job& job, std::uint64_t number) const {
    return (folder_of(job.id) / fmt::format("{}.throng", number)).string();
  }

  void work() {
    while (true) {
      std::size_t next = 0;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return end_ || next_ < jobs_.size(); });
        if (end_) return;
        next = next_++;
        jobs_[next].state = jobs_[next].stop ? "stopped" : "running";
        jobs_[next].began = Clock::now();
        if (jobs_[next].stop) continue;
      }
      run(next);
      const std::lock_guard lock(mutex_);
      jobs_[next].ended = Clock::now();
    }
  }

  Job copy(std::size_t i) {
    const std::lock_guard lock(mutex_);
    return jobs_[i];
  }

  void run(std::size_t i) {
    const Job job = copy(i);
    const std::string scenario = (folder_of(job.id) / (job.name + ".json")).string();
    for (std::uint64_t k = 1; k <= job.seeds && !copy(i).stop; ++k) {
      const std::string out = (folder_of(job.id) / fmt::format("{}.json.out", k)).string();
      const int code = run_program(i,
                                   {program_, "run", scenario, "-o", recording_of(job, k), "--seed",
                                    std::to_string(job.first_seed + k - 1), "--json"},
                                   out);
      const Result<std::string> printed = environment::read_file(out);
      const Json figures = printed ? Json::parse(*printed, nullptr, false) : Json(nullptr);
      const std::lock_guard lock(mutex_);
      // One that was stopped is looked at as far as it came; the report says so, and leaves it out of its means.
      const bool stopped = code == int(ExitCode::interrupted) || code == int(ExitCode::terminated);
      if (code != 0 && !stopped) return fail(jobs_[i], out + ".log");
      ++jobs_[i].done;
      if (figures.is_object()) jobs_[i].runs.push_back(figures);
    }
    report(i);
  }

  void report(std::size_t i) {
    {
      const std::lock_guard lock(mutex_);
      if (end_) return;
      jobs_[i].state = "reporting";
    }
    const Job job = copy(i);
    std::vector<std::string> words{program_, "report"};
    for (std::uint64_t k = 1; k <= job.done; ++k) words.push_back(recording_of(job, k));
    const std::string out = (folder_of(job.id) / "report.out").string();
    for (const std::string& word :
         {std::string("-o"), (folder_of(job.id) / "report.html").string(), std::string("--title"), job.name})
      words.push_back(word);
    const int code = job.done > 0 ? run_program(i, words, out, true) : 0;
    const std::lock_guard lock(mutex_);
    if (code != 0) return fail(jobs_[i], out + ".log");
    jobs_[i].state = jobs_[i].stop ? "stopped" : "done";
  }

  /// Called with the lock.
  static void fail(Job& job, const std::string& log) {
    const Result<std::string> said = environment::read_file(log);
    job.what = said ? said->substr(0, 2000) : std::string("it could not be started");
    job.state = job.stop ? "stopped" : "failed";
  }

  int run_program(std::size_t i, std::vector<std::string> words, const std::string& output,
                  bool even_if_stopped = false) {
    pid_t child = -1;
    {
      const std::lock_guard lock(mutex_);
      if (jobs_[i].stop && !even_if_stopped) return 0;
      child = start_program(std::move(words), {output, output + ".log"});
      jobs_[i].child = child;
    }
    if (child < 0) return -1;
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
      if (errno != EINTR) break;
    const std::lock_guard lock(mutex_);
    jobs_[i].child = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }

  const ScratchFolder folder_{"throng-edit"};
  std::string program_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  std::size_t next_ = 0;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<server::Jobs> make_jobs() { return std::make_unique<ProgramJobs>(); }

Result<std::unique_ptr<server::LiveView>> make_studio_run(server::StaticFiles client, const std::string& name,
                                                          scenario::Scenario scenario) {
  server::LiveOptions live;
  live.wait_for_page = true;
  return make_live(std::move(client), name, std::move(scenario), {}, live);
}

Arguments with_save_argument(Arguments arguments) {
  return arguments.option("--save", "FOLDER", "where the editor may save; without it only downloads");
}

std::string save_misuse(const Parsed& parsed) {
  std::error_code error;
  const std::string folder = parsed.text("save");
  return !parsed.given("save") || fs::is_directory(folder, error)
             ? std::string()
             : fmt::format("--save: there is no folder '{}'", folder);
}

ExitCode serve_editor(const Parsed& parsed, const EndRequest& end, server::StaticFiles client,
                      server::PlanDocument document) {
  const std::unique_ptr<server::Jobs> jobs = make_jobs();
  server::Studio studio(std::move(client), std::move(document), nullptr,
                        {parsed.text("save"), make_studio_run, jobs.get()});
  return serve(
      parsed, end, studio,
      {"/edit/", [&](server::Server& server) { studio.begin(server); }, [&] { jobs->stop_all(), studio.end(); }});
}

}  // namespace throng::cli
