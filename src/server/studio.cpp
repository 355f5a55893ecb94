#include "server/studio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <filesystem>
#include <future>
#include <mutex>

#include "environment/dxf/dxf_reader.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/schema.hpp"
#include "text/files.hpp"
#include "text/output_file.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_document = std::size_t(64) << 20, most_file = std::size_t(256) << 20,
                      most_page = std::size_t(64) << 10;
constexpr std::size_t most_live_runs = 20;
constexpr std::string_view api = "/edit/api/", runs_prefix = "/edit/runs/", preview_prefix = "/edit/preview/";

Json to_json(const Problems& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems)
    list.push_back({{"severity", problem.severity == Severity::error ? "error" : "warning"},
                    {"code", std::string(name_of(problem.code))},
                    {"place", problem.place},
                    {"message", problem.message}});
  return list;
}

Response refused(unsigned status, const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "; ") + to_string(problem);
  Response response = refusal(status, text);
  response.body = bytes_of(dump({{"error", text}, {"problems", to_json(problems)}}));
  return response;
}

/// A name that can be a file's in any folder, and nothing but a file's.
bool is_file_name(const std::string& name) {
  return !name.empty() && name.size() <= 100 && name.front() != '.' && name.front() != ' ' && name.back() != ' ' &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == ' ' || c == '-' || c == '_' || c == '.' || c >= 0x80;
         });
}

std::string text_in(const Request& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? std::string() : found->second;
}

/// What the page says of a CAD plan: `layer:NAME` = role, `units`, `gap`, `outside`, `thickness`, `rooms`.
environment::ImportOptions import_options(const Request& request) {
  environment::ImportOptions options;
  for (const auto& [key, value] : request.query)
    if (key.starts_with("layer:"))
      for (std::size_t i = 0; i < std::size(environment::dxf_role_names); ++i)
        if (environment::dxf_role_names[i] == value)
          options.dxf.rules.push_back({key.substr(6), environment::DxfRole(i)});
  if (const auto unit = number_in(request, "units"); unit && *unit > 0) options.dxf.unit = *unit;
  if (const auto gap = number_in(request, "gap"); gap && *gap >= 0) options.dxf.gap = *gap;
  if (const auto outside = number_in(request, "outside"); outside && *outside >= 0) options.dxf.outside = *outside;
  if (const auto thick = number_in(request, "thickness"); thick && *thick >= 0) options.dxf.wall_thickness = *thick;
  options.dxf.rooms = text_in(request, "rooms") != "0";
  return options;
}

/// Files that came with the one that is opened, `beside:NAME` = offset-size in the body; they are cut off it.
std::optional<std::map<std::string, std::string>> take_beside(const Request& request, std::string& body) {
  std::map<std::string, std::string> files;
  std::size_t own = body.size();
  for (const auto& [key, value] : request.query) {
    if (!key.starts_with("beside:")) continue;
    std::size_t at = 0, size = 0;
    const char* const end = value.data() + value.size();
    const auto first = std::from_chars(value.data(), end, at);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, size);
    if (second.ec != std::errc() || second.ptr != end || at > body.size() || size > body.size() - at)
      return std::nullopt;
    files[key.substr(7)] = body.substr(at, size);
    own = std::min(own, at);
  }
  body.resize(own);
  return files;
}

/// Each layer of a CAD plan and what it is taken for.
Json layers_of(const PlanDocument& document, const environment::ImportOptions& options) {
  Json list = Json::array();
  const auto layers = environment::read_dxf_layers({document.name, document.plan}, options);
  if (layers)
    for (const environment::DxfLayerUse& layer : *layers)
      list.push_back({{"name", layer.name},
                      {"role", std::string(environment::name_of(layer.role))},
                      {"shapes", layer.shapes},
                      {"hidden", layer.hidden}});
  return list;
}

/// The plan as a view of its own, which changes with it.
class Preview : public WorldView {
 public:
  using WorldView::WorldView;
  void update(crowd::WorldPtr world) { set_world(std::move(world)); }
};

std::string_view type_of(const std::string& path) {
  return path.ends_with(".html") ? "text/html; charset=utf-8" : "application/octet-stream";
}

}  // namespace

struct Studio::Impl {
  Impl(StaticFiles c, PlanDocument d, std::unique_ptr<Application> b, StudioOptions o)
      : client(std::move(c)), document(std::move(d)), beside(std::move(b)), options(std::move(o)) {}

  // --- the document

  Response describe() {
    const std::lock_guard lock(mutex);
    Json plan = document.plan.empty() ? Json(nullptr) : layers_of(document, import);
    // The document is a text already: written into the answer as it is.
    std::string head = dump({{"name", document.name},
                             {"version", version},
                             {"can_save", !options.save_folder.empty()},
                             {"picture", !document.picture.empty()},
                             {"opened", opened},
                             {"plan", std::move(plan)},
                             {"problems", to_json(warnings)}});
    head.pop_back();
    return json_response(head + ",\"page\":" + page + ",\"document\":" + document.text + "}");
  }

  Response open(const Request& request, bool again) {
    const environment::ImportOptions chosen = import_options(request);
    std::string name = text_in(request, "name"), bytes = request.body;
    const auto beside_it = take_beside(request, bytes);
    if (!beside_it) return refusal(400, "what lies beside it is said as offset-size");
    if (again) {
      const std::lock_guard lock(mutex);
      name = document.name + ".dxf";
      bytes = document.plan;
      if (bytes.empty()) return refusal(409, "no CAD plan was opened");
    }
    Result<PlanDocument> read = open_document(name, std::move(bytes), chosen, *beside_it);
    if (!read) return refused(422, read.problems());
    {
      const std::lock_guard lock(mutex);
      document = std::move(read).value();
      warnings = read.problems();
      import = chosen;
      ++opened;
      version = 0;
      page = "null";
    }
    return describe();
  }

  /// With the mutex held: what is drawn, unless something newer is here.
  void take(const std::string& text, std::uint64_t of) {
    if (of < version) return;
    document.text = text;
    version = of;
  }

  /// For a page that waits for a check meanwhile: it may crash before that is answered.
  Response keep(const Request& request) {
    if (!Json::accept(request.body)) return refusal(400, "a document is JSON");
    const std::lock_guard lock(mutex);
    take(request.body, count_in(request, "version").value_or(0));
    return json_response("{}");
  }

  /// How the page looks at it: where a picture lies and how large it is, the storey, the window. Kept as the page says it.
  Response remember(const Request& request) {
    if (!Json::accept(request.body)) return refusal(400, "what a page remembers is JSON");
    const std::lock_guard lock(mutex);
    // A page that still shows what was open before speaks of that.
    if (count_in(request, "opened").value_or(0) == opened) page = request.body;
    return json_response("{}");
  }

  Response check(const Request& request) {
    const std::uint64_t wanted = count_in(request, "version").value_or(0);
    const bool part = text_in(request, "part") == "1";
    if (!Json::accept(request.body)) return refusal(400, "a document is JSON");
    std::map<std::string, std::string> files;
    {
      const std::lock_guard lock(mutex);
      files = document.beside;
      if (!part) take(request.body, wanted);
    }
    if (part) return json_response(dump(answer_of(check_document(request.body, files, false), wanted)));
    newest = std::max(newest.load(), wanted);
    const std::lock_guard one_at_a_time(check_mutex);
    if (wanted < newest) return json_response(dump({{"version", wanted}, {"stale", true}}));
    const DocumentCheck checked = check_document(request.body, files, true);
    if (checked.world) show(checked.world);
    return json_response(dump(answer_of(checked, wanted)));
  }

  static Json answer_of(const DocumentCheck& checked, std::uint64_t version) {
    return {{"version", version},       {"stale", false},       {"problems", to_json(checked.problems)},
            {"people", checked.people}, {"area", checked.area}, {"runs", !has_errors(checked.problems)}};
  }

  void show(const crowd::WorldPtr& world) {
    const std::lock_guard lock(mutex);
    if (preview)
      preview->update(world);
    else
      preview = std::make_unique<Preview>(client, document.name, world);
  }

  Response save(const Request& request) {
    const std::string name = text_in(request, "name");
    if (options.save_folder.empty())
      return refusal(403, "there is no folder to save into: start with --save FOLDER, or download");
    if (!is_file_name(name)) return refusal(400, "a name is letters, digits, blanks, - and _");
    const Result<SavedDocument> files = files_of(request.body, name);
    if (!files) return refused(400, files.problems());
    std::map<std::string, std::string> wanted{{name + ".json", files->scenario},
                                              {name + ".geojson", files->environment}};
    {
      const std::lock_guard lock(mutex);
      for (const auto& [file, bytes] : document.beside)
        if (is_file_name(file)) wanted.emplace(file, bytes);
    }
    const fs::path folder(options.save_folder);
    std::error_code error;
    const bool replace = text_in(request, "replace") == "1";
    // All is looked at before anything is written.
    for (const auto& [file, bytes] : wanted) {
      if (fs::is_symlink(folder / file, error)) return refusal(409, fmt::format("'{}' is a link", file));
      // Files beside the scenario are only added: they are not the page's to change.
      if (!document_file(file, name) || replace) continue;
      if (fs::exists(folder / file, error)) return refusal(409, fmt::format("'{}' is there already", file));
    }
    Json written = Json::array();
    for (const auto& [file, bytes] : wanted) {
      if (!document_file(file, name) && fs::exists(folder / file, error)) continue;
      if (const Problems wrong = environment::replace_file((folder / file).string(), bytes); !wrong.empty())
        return refused(500, wrong);
      written.push_back(file);
    }
    return json_response(dump({{"written", std::move(written)}}));
  }

  static bool document_file(const std::string& file, const std::string& name) {
    return file == name + ".json" || file == name + ".geojson";
  }

  // --- runs

  Response run(const Request& request) {
    Result<scenario::Scenario> read = read_now(request.body);
    if (!read) return refused(422, read.problems());
    std::string name;
    {
      const std::lock_guard lock(mutex);
      if (live.size() >= most_live_runs) return refusal(409, "many runs were begun already; start the program again");
      name = document.name;
    }
    Result<std::unique_ptr<LiveView>> made = options.make_live(client, name, std::move(read).value());
    if (!made) return refused(422, made.problems());
    const std::lock_guard lock(mutex);
    live.push_back(std::move(made).value());
    if (server != nullptr) live.back()->begin(*server);
    return json_response(dump({{"run", fmt::format("live{}", live.size())}}));
  }

  Result<scenario::Scenario> read_now(const std::string& text) {
    std::map<std::string, std::string> files;
    {
      const std::lock_guard lock(mutex);
      files = document.beside;
    }
    return read_document(text, files);
  }

  Response job(const Request& request) {
    if (options.jobs == nullptr) return refusal(404, "there are no jobs here");
    const std::uint64_t seeds = count_in(request, "seeds").value_or(1);
    if (seeds < 1 || seeds > 1000) return refusal(400, "seeds are 1 to 1000");
    std::string name = text_in(request, "name");
    std::map<std::string, std::string> files;
    {
      const std::lock_guard lock(mutex);
      files = document.beside;
      if (!is_file_name(name)) name = is_file_name(document.name) ? document.name : "plan";
    }
    if (const Result<scenario::Scenario> read = read_document(request.body, files); !read)
      return refused(422, read.problems());
    const Result<SavedDocument> saved = files_of(request.body, name);
    if (!saved) return refused(400, saved.problems());
    const Result<std::uint64_t> id = options.jobs->start(name, *saved, files, seeds);
    if (!id) return refused(500, id.problems());
    return json_response(dump({{"id", *id}}));
  }

  /// "live3" or a job's number, and the rest of the path; finished jobs are opened when they are first looked at.
  void answer_run(const Request& request, const Reply& reply) {
    const std::string rest = request.path.substr(runs_prefix.size());
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos) return reply(refusal(404, "a run's page ends in /"));
    const std::string which = rest.substr(0, slash);
    Request inner = request;
    inner.path = rest.substr(slash);
    if (Application* const application = run_of(which)) {
      if (inner.path == "/report.html" || inner.path.ends_with(".throng"))
        if (!inner.path.starts_with("/download")) return reply(job_file(which, inner.path.substr(1)));
      return application->answer_later(inner, reply);
    }
    if (inner.path == "/report.html" || inner.path.ends_with(".throng"))
      return reply(job_file(which, inner.path.substr(1)));
    reply(refusal(404, "there is no such run"));
  }

  Response job_file(const std::string& which, const std::string& name) {
    const auto id = number_of(which);
    const std::string path = id && options.jobs != nullptr ? options.jobs->file(*id, name) : std::string();
    if (path.empty()) return refusal(404, "there is no such file");
    Result<std::string> bytes = environment::read_named_file(path);
    if (!bytes) return refused(500, bytes.problems());
    return {200, std::string(type_of(path)), bytes_of(std::move(bytes).value()),
            path.ends_with(".throng") ? fs::path(path).filename().string() : std::string()};
  }

  static std::optional<std::uint64_t> number_of(const std::string& text) {
    if (text.empty() || text.size() > 9 ||
        !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
      return std::nullopt;
    return std::stoull(text);
  }

  Application* run_of(const std::string& which) {
    const std::lock_guard lock(mutex);
    if (which.starts_with("live")) {
      const auto number = number_of(which.substr(4));
      return number && *number >= 1 && *number <= live.size() ? live[*number - 1].get() : nullptr;
    }
    const auto id = number_of(which);
    if (!id || options.jobs == nullptr) return nullptr;
    if (const auto found = recorded.find(*id); found != recorded.end()) return found->second.get();
    const std::string path = options.jobs->file(*id, "1.throng");
    if (path.empty()) return nullptr;
    Result<std::unique_ptr<Application>> view = view_recording(client, path);
    return view ? (recorded[*id] = std::move(view).value()).get() : nullptr;
  }

  // --- addresses

  Response answer_api(const Request& request) {
    const std::string what = request.path.substr(api.size());
    if (what == "document") return describe();
    if (what == "schema") return json_response(scenario::scenario_schema(scenario::installed_methods()));
    if (what == "jobs")
      return json_response(dump({{"jobs", options.jobs != nullptr ? options.jobs->state() : Json::array()}}));
    if (what == "picture") return picture();
    if (!request.post) return refusal(404, "there is no " + request.path);
    if (what == "check") return check(request);
    if (what == "keep") return keep(request);
    if (what == "page") return remember(request);
    if (what == "open") return open(request, false);
    if (what == "again") return open(request, true);
    if (what == "save") return save(request);
    if (what == "run") return run(request);
    if (what == "job") return job(request);
    if (what == "stop")
      return options.jobs != nullptr && options.jobs->stop(count_in(request, "id").value_or(0))
                 ? json_response("{}")
                 : refusal(404, "there is no such job");
    return refusal(404, "there is no " + request.path);
  }

  Response picture() {
    const std::lock_guard lock(mutex);
    if (document.picture.empty()) return refusal(404, "there is no picture");
    return {200, document.picture.front() == '\xff' ? "image/jpeg" : "image/png", bytes_of(document.picture)};
  }

  void answer(const Request& request, const Reply& reply) {
    const std::string& path = request.path;
    if (path.starts_with(api)) return reply(answer_api(request));
    if (path.starts_with(runs_prefix)) return answer_run(request, reply);
    if (path.starts_with(preview_prefix)) return reply(answer_preview(request));
    if (path == "/edit/" || (path == "/" && !beside)) return reply(client.answer("/edit.html"));
    if (path.starts_with("/edit/")) return reply(client.answer(path.substr(5)));
    if (!beside) return reply(client.answer(path));
    if (path != "/api/session") return beside->answer_later(request, reply);
    // The page beside it has an Edit button.
    beside->answer_later(request, [reply](Response response) {
      if (response.status == 200) response.body = bytes_of("{\"can_edit\":true," + response.body->substr(1));
      reply(std::move(response));
    });
  }

  Response answer_preview(const Request& request) {
    Request inner = request;
    inner.path = request.path.substr(preview_prefix.size() - 1);
    Preview* shown = nullptr;
    {
      const std::lock_guard lock(mutex);
      shown = preview.get();
    }
    return shown != nullptr ? shown->answer(inner) : refusal(404, "nothing was drawn yet that could be walked on");
  }

  StaticFiles client;
  std::mutex mutex;  ///< of what follows, up to the runs
  PlanDocument document;
  Problems warnings;
  environment::ImportOptions import;
  std::uint64_t version = 0, opened = 1;
  std::string page = "null";
  std::unique_ptr<Preview> preview;
  std::vector<std::unique_ptr<LiveView>> live;
  std::map<std::uint64_t, std::unique_ptr<Application>> recorded;
  std::mutex check_mutex;
  std::atomic<std::uint64_t> newest{0};
  std::unique_ptr<Application> beside;
  StudioOptions options;
  Server* server = nullptr;
};

Studio::Studio(StaticFiles client, PlanDocument document, std::unique_ptr<Application> beside, StudioOptions options)
    : impl_(std::make_unique<Impl>(std::move(client), std::move(document), std::move(beside), std::move(options))) {}
Studio::~Studio() = default;

void Studio::begin(Server& server) {
  const std::lock_guard lock(impl_->mutex);
  impl_->server = &server;
}

void Studio::end() {
  std::vector<LiveView*> all;
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->server = nullptr;
    for (const auto& run : impl_->live) all.push_back(run.get());
  }
  for (LiveView* const run : all) run->end();
}

void Studio::answer_later(const Request& request, Reply reply) { impl_->answer(request, reply); }

Response Studio::answer(const Request& request) {
  // Shared: what comes after the wait is heard by nobody.
  const auto promise = std::make_shared<std::promise<Response>>();
  std::future<Response> answer = promise->get_future();
  impl_->answer(request, [promise](Response response) { promise->set_value(std::move(response)); });
  return answer.get();
}

std::size_t Studio::most_body(const Request& request) const {
  if (!request.path.starts_with(api)) return 0;
  const std::string what = request.path.substr(api.size());
  if (what == "open") return most_file;
  if (what == "page") return most_page;
  for (const char* known : {"check", "keep", "again", "save", "run", "job", "stop"})
    if (what == known) return most_document;
  return 0;
}

Application* Studio::at_socket(const std::string& path) {
  if (path.starts_with(runs_prefix) && path.ends_with("/socket")) {
    const std::string rest = path.substr(runs_prefix.size());
    return impl_->run_of(rest.substr(0, rest.find('/')));
  }
  if (path == "/edit/preview/socket") {
    const std::lock_guard lock(impl_->mutex);
    return impl_->preview.get();
  }
  return path == "/socket" && impl_->beside ? impl_->beside->at_socket(path) : nullptr;
}

std::string Studio::greeting() { return "{}"; }

}  // namespace throng::server
