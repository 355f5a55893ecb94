// The editor's side of the server: a plan that is drawn in the page, checked while it is drawn, run and reported. Beside it, a view may be
// served as always (`throng view FILE` with its Edit button); without one the editor is all there is.
//
//   /edit/                     the editor's page; also / where there is no view beside it
//   GET  /edit/api/document    JSON: name, version, document (a scenario, its environment in it), can_save, picture, plan
//   GET  /edit/api/schema      the schema of scenarios: forms are made of it
//   GET  /edit/api/picture     what is traced
//   POST /edit/api/page?opened how the page looks at it (JSON, 64 KB): `page` of the document, until another is opened
//   POST /edit/api/check?version[&part=1]   a document, which is kept: what is wrong with it. JSON: version, problems, people, area, stale.
//                              `part`: only some of its features, not kept, and no mesh is built
//   POST /edit/api/open?name[&units&gap&outside&thickness&rooms&layer=role...]   a file's bytes: becomes the document.
//                              `beside:NAME=OFFSET-SIZE`: files after it in the body, which a scenario may name
//   POST /edit/api/again?...   the CAD plan that was opened, with other layers
//   POST /edit/api/save?name[&replace=1]    a document, into the folder that the command line named. 409: is there already
//   POST /edit/api/run         a document: a live run, whose page is /edit/runs/N/
//   POST /edit/api/job?seeds   a document: runs in the background. GET /edit/api/jobs; POST /edit/api/stop?id
//   /edit/runs/N/...           a run, by the pages and addresses of view.hpp; report.html, K.throng: a job's files
//   /edit/preview/...          the plan as it was last checked, as an environment is viewed
//
// Laws
// 1. The page names no paths: a name to save as is letters, digits, blank, - _ and dots inside. Nothing is written outside `save_folder` and
//    the jobs' own temporary folder, and nothing that is there is replaced unless `replace` says so.
// 2. The last document that was checked is kept: a page that is opened again goes on with it.
// 3. Of checks that wait for each other only the newest is made; the others are told that they are stale.
// Thread-safety: answer() from any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "server/http_server.hpp"
#include "server/live_view.hpp"
#include "server/plan_document.hpp"
#include "server/static_files.hpp"

namespace throng::server {

/// Runs in the background, each in a folder of its own; the program's (cli/edit_jobs.hpp).
class Jobs {
 public:
  virtual ~Jobs() = default;
  /// The number of a job that runs a document with the seeds from the scenario's own on.
  [[nodiscard]] virtual Result<std::uint64_t> start(const std::string& name, const SavedDocument& files,
                                                    const std::map<std::string, std::string>& beside,
                                                    std::uint64_t seeds) = 0;
  /// A list: id, name, state ("running", "reporting", "done", "stopped", "failed"), seeds, done, part, seconds_left, what, runs
  [[nodiscard]] virtual Json state() = 0;
  virtual bool stop(std::uint64_t id) = 0;
  /// All of them, without waiting until they have.
  virtual void stop_all() = 0;
  /// The path of one of a finished job's files ("report.html", "1.throng"); empty where there is none.
  [[nodiscard]] virtual std::string file(std::uint64_t id, const std::string& name) = 0;
};

using MakeLive = std::function<Result<std::unique_ptr<LiveView>>(StaticFiles client, const std::string& name,
                                                                 scenario::Scenario scenario)>;

struct StudioOptions {
  std::string save_folder;  ///< empty: only downloads
  MakeLive make_live;
  Jobs* jobs = nullptr;  ///< outlives the studio
};

class Studio : public Application {
 public:
  /// `beside` may be none.
  Studio(StaticFiles client, PlanDocument document, std::unique_ptr<Application> beside, StudioOptions options);
  ~Studio() override;

  /// Live runs send through it; it has to be stopped before the studio ends.
  void begin(Server& server);
  /// Ends live runs.
  void end();

  [[nodiscard]] Response answer(const Request& request) override;
  void answer_later(const Request& request, Reply reply) override;
  [[nodiscard]] std::size_t most_body(const Request& request) const override;
  [[nodiscard]] Application* at_socket(const std::string& path) override;
  [[nodiscard]] std::string greeting() override;
  void said(ClientId /*client*/, std::string_view /*text*/) override {}
  void left(ClientId /*client*/) override {}

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace throng::server
