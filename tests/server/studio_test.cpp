// The editor's side of the server, asked by somebody who means it badly: nothing outside the folder is written, everything else is refused.
#include "server/studio.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "server/film_view.hpp"
#include "server/view.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

namespace throng::server {
namespace {

namespace fs = std::filesystem;

StaticFiles client(const test::TempDir& folder) {
  fs::create_directory(folder / "client");
  test::write_file(folder / "client" / "index.html", "<!doctype html>");
  test::write_file(folder / "client" / "edit.html", "<!doctype html>editor");
  Result<StaticFiles> files = StaticFiles::read((folder / "client").string());
  REQUIRE(files.ok());
  return std::move(files).value();
}

/// Jobs that only count how often they are asked for.
class NoJobs : public Jobs {
 public:
  Result<std::uint64_t> start(const std::string& /*name*/, const SavedDocument& /*files*/,
                              const std::map<std::string, std::string>& /*beside*/, std::uint64_t /*seeds*/) override {
    return ++started;
  }
  Json state() override { return Json::array(); }
  bool stop(std::uint64_t /*id*/) override { return false; }
  void stop_all() override {}
  std::string file(std::uint64_t /*id*/, const std::string& /*name*/) override { return {}; }

  std::uint64_t started = 0;
};

struct Desk {
  Desk() {
    fs::create_directory(folder / "save");
    StudioOptions options;
    options.save_folder = (folder / "save").string();
    options.make_live = [](StaticFiles, const std::string&, scenario::Scenario) -> Result<std::unique_ptr<LiveView>> {
      return Problem{Severity::error, ProblemCode::unsupported, "", "no live runs here"};
    };
    options.jobs = &jobs;
    studio = std::make_unique<Studio>(client(folder), empty_document("plan"), nullptr, std::move(options));
  }
  Response post(const std::string& target, std::string body) const {
    const auto request = parse_target(fmt::format("/edit/api/{}", target));
    REQUIRE(request);
    request->post = true;
    request->body = std::move(body);
    return studio->answer(*request);
  }
  Response get(const std::string& target) const {
    const auto request = parse_target(target);
    REQUIRE(request);
    return studio->answer(*request);
  }
  /// Every file below the folder but the client's.
  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
      if (entry.is_regular_file() && entry.path().parent_path().filename() != "client")
        names.insert(fs::relative(entry.path(), folder.path()).string());
    return names;
  }

  test::TempDir folder;
  NoJobs jobs;
  std::unique_ptr<Studio> studio;
};

const std::string hall = R"({"throng":1,"environment":{"type":"FeatureCollection","features":[
 {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
 {"type":"Feature","properties":{"kind":"area","name":"a"},"geometry":{"type":"Polygon","coordinates":[[[1,1],[4,1],[4,9],[1,9],[1,1]]]}},
 {"type":"Feature","properties":{"kind":"area","name":"b"},"geometry":{"type":"Polygon","coordinates":[[[17,3],[19,3],[19,7],[17,7],[17,3]]]}}]},
 "populations":[{"count":5,"start":{"area":"a"},"goals":[{"area":"b"}]}]})";

}  // namespace

TEST_CASE("a document is checked, kept, saved, and replaced only when asked") {
  Desk desk;
  const Json checked = Json::parse(*desk.post("check?version=1", hall).body);
  CHECK(checked["runs"] == true);
  CHECK(checked["people"] == 5);
  CHECK(checked["area"] == doctest::Approx(200));
  CHECK(Json::parse(*desk.get("/edit/api/document").body)["document"] == Json::parse(hall));
  CHECK(desk.post("save?name=hall", hall).status == 200);
  CHECK(desk.files() == std::set<std::string>{"save/hall.geojson", "save/hall.json"});
  const std::string before = test::read_file(desk.folder / "save" / "hall.json");
  CHECK(desk.post("save?name=hall", "{\"throng\":1,\"environment\":{\"features\":[]}}").status == 409);
  CHECK(test::read_file(desk.folder / "save" / "hall.json") == before);
  CHECK(desk.post("save?name=hall&replace=1", hall).status == 200);
  CHECK(desk.post("job?seeds=3&name=hall", hall).status == 200);
  CHECK(desk.jobs.started == 1);
}

TEST_CASE("what is drawn while a check is awaited is kept, and nothing older takes its place") {
  const Desk desk;
  const auto kept = [&] { return Json::parse(*desk.get("/edit/api/document").body); };
  CHECK(desk.post("check?version=1", hall).status == 200);
  std::string later = hall;
  later.replace(later.find("\"count\":5"), 9, "\"count\":6");
  CHECK(desk.post("keep?version=3", later).status == 200);
  CHECK(kept()["document"] == Json::parse(later));
  CHECK(kept()["version"] == 3);
  CHECK(desk.post("keep?version=2", hall).status == 200);
  CHECK(desk.post("check?version=2", hall).status == 200);
  CHECK(kept()["document"] == Json::parse(later));
  CHECK(desk.post("keep?version=4", "{").status == 400);
  CHECK(kept()["version"] == 3);
}

TEST_CASE("a scenario is opened with the files that it names, and cut-outs that lie about the body are refused") {
  Desk desk;
  const std::string scenario =
      R"({"throng":1,"environment":"plans/hall.geojson","populations":[{"positions":"people.csv","goals":[{"point":[3,3]}]}]})";
  const std::string plan =
      R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}}]})";
  const std::string people = "1,1\n2,2\n";
  const auto open = [&](const std::string& beside) {
    return desk.post("open?name=s.json" + beside, scenario + plan + people);
  };
  const std::size_t a = scenario.size(), b = a + plan.size();
  const std::string both =
      fmt::format("&beside:hall.geojson={}-{}&beside:people.csv={}-{}", a, plan.size(), b, people.size());
  const Response opened = open(both);
  REQUIRE(opened.status == 200);
  const Json document = Json::parse(*opened.body)["document"];
  CHECK(document["environment"] == Json::parse(plan));
  const Json checked = Json::parse(*desk.post("check?version=1", document.dump()).body);
  CHECK(checked["people"] == 2);
  CHECK(checked["runs"] == true);
  // What was not chosen with it is said by its name; nothing of the machine is read for it.
  const Response alone = desk.post("open?name=s.json", scenario);
  CHECK(alone.status == 422);
  CHECK(alone.body->find("'plans/hall.geojson'") != std::string::npos);
  for (const char* wrong : {"0", "-", "1-", "-1-2", "0-99999999", "99999999-1", "1-18446744073709551615",
                            "18446744073709551615-2", "1-2x", "x-2", "1-2-3", ""}) {
    CAPTURE(wrong);
    CHECK(open(fmt::format("&beside:hall.geojson={}", wrong)).status == 400);
  }
  CHECK(desk.files().empty());
}

TEST_CASE("how a page looks at its document is kept with that, and forgotten with another") {
  const Desk desk;
  const auto page = [&] { return Json::parse(*desk.get("/edit/api/document").body)["page"]; };
  const auto opened = [&] { return Json::parse(*desk.get("/edit/api/document").body)["opened"].get<int>(); };
  CHECK(page().is_null());
  CHECK(desk.post(fmt::format("page?opened={}", opened()), R"({"scale":3})").status == 200);
  CHECK(page()["scale"] == 3);
  CHECK(desk.post(fmt::format("page?opened={}", opened() + 1), R"({"scale":4})").status == 200);
  CHECK(page()["scale"] == 3);  // of another document
  CHECK(desk.post(fmt::format("page?opened={}", opened()), "{").status == 400);
  CHECK(desk.post("open?name=h.json", hall).status == 200);
  CHECK(page().is_null());
  CHECK(desk.studio->most_body(*parse_target("/edit/api/page")) <= 1u << 16);
}

TEST_CASE("names that are paths, links and empty names are refused, and nothing is written") {
  Desk desk;
  for (const std::string name : {"..%2Fx", "a%2Fb", "%2Fetc%2Fx", ".hidden", "", "x%0A", "con%5C..%5Cx", "..", "."}) {
    CAPTURE(name);
    CHECK(desk.post(fmt::format("save?name={}", name), hall).status == 400);
  }
  CHECK(desk.post(fmt::format("save?name={}", std::string(300, 'x')), hall).status == 400);
  CHECK(desk.files().empty());
  test::write_file(desk.folder / "outside", "mine");
  fs::create_symlink(desk.folder / "outside", desk.folder / "save" / "link.json");
  CHECK(desk.post("save?name=link&replace=1", hall).status == 409);
  CHECK(test::read_file(desk.folder / "outside") == "mine");
  CHECK(fs::is_symlink(desk.folder / "save" / "link.json"));
  CHECK(!fs::exists(desk.folder / "save" / "link.geojson"));
}

TEST_CASE("what is no document, no file and no number is refused with a reason") {
  Desk desk;
  for (const char* what : {"check", "save?name=x", "run", "job"})
    for (const char* body : {"", "{", "[]", "null", "\"x\"", "{}", "{\"environment\":[]}", "{\"environment\":{}}",
                             "{\"throng\":1,\"environment\":\"/etc/passwd\",\"populations\":[]}"}) {
      CAPTURE(what);
      CAPTURE(body);
      const Response response = desk.post(what, body);
      const bool told = response.status == 200 && std::string_view(what) == "check";  // what is wrong is the answer
      CHECK((response.status >= 400 || told));
      CHECK(response.body->find("root:") == std::string::npos);
      if (told) CHECK(Json::parse(*response.body)["runs"] == false);
    }
  for (const char* seeds : {"0", "1001", "-1", "x", "1e9"}) {
    CAPTURE(seeds);
    const unsigned status = desk.post(fmt::format("job?seeds={}", seeds), hall).status;
    CHECK((status == 400 || status == 200));  // what is no number is one run
  }
  CHECK(desk.post("open?name=x.dwg", "junk").status == 422);
  CHECK(desk.post("open?name=x.dxf", "junk").status == 422);
  CHECK(desk.post("open?name=x.geojson", "{").status == 422);
  CHECK(desk.post("open?name=..%2F..%2Fetc%2Fpasswd", "").status == 422);
  CHECK(desk.post("again?layer:x=walls", "").status == 409);
  CHECK(desk.post("nothing", "").status == 404);
  CHECK(desk.get("/edit/api/check").status == 404);
  CHECK(desk.get("/edit/runs/live7/").status == 404);
  CHECK(desk.get("/edit/runs/1/report.html").status == 404);
  CHECK(desk.get("/edit/runs/..%2F..%2F").status == 404);
  CHECK(desk.files().empty());
}

TEST_CASE("addresses take bodies up to a limit, and most take none") {
  Desk desk;
  const auto most = [&](const std::string& target) { return desk.studio->most_body(*parse_target(target)); };
  CHECK(most("/edit/api/save") == most("/edit/api/check"));
  CHECK(most("/edit/api/save") > 1'000'000);
  CHECK(most("/edit/api/open") > 1'000'000);
  CHECK(most("/edit/api/open") <= (std::size_t(1) << 30));
  for (const char* none : {"/edit/api/document", "/edit/api/schema", "/edit/api/jobs", "/edit/", "/", "/api/session",
                           "/edit/runs/1/api/session", "/edit/preview/api/world", "/edit/api/x"})
    CHECK(most(none) == 0);
}

TEST_CASE(
    "documents with a byte changed, cut or doubled anywhere: an answer each time, and only good names are written") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  Desk desk;
  for (int round = 0; round < 300; ++round) {
    std::string body = hall;
    for (std::uint64_t k = random.below(4); k <= 3; ++k) {
      const auto at = std::size_t(random.below(body.size()));
      switch (random.below(4)) {
        case 0: body[at] = char(random.below(256)); break;
        case 1: body.erase(at, std::size_t(random.below(30))); break;
        case 2: body.insert(at, body.substr(std::size_t(random.below(body.size())), 40)); break;
        default: body.insert(at, random.chance(0.5) ? "1e308" : "-0.0000001"); break;
      }
      if (body.empty()) body.push_back('{');
    }
    CAPTURE(body);
    const Response checked =
        desk.post(fmt::format("check?version={}{}", round, random.chance(0.3) ? "&part=1" : ""), body);
    CHECK((checked.status == 200 || checked.status == 400));
    CHECK(Json::accept(*checked.body));
    CHECK(desk.post("open?name=x.geojson", body).status != 500);
    const Response saved = desk.post("save?name=kept&replace=1", body);
    CHECK((saved.status == 200 || saved.status == 400));
  }
  for (const std::string& file : desk.files()) CHECK((file == "save/kept.json" || file == "save/kept.geojson"));
}

TEST_CASE("a clip's page hands over one file, its progress never goes back, and the rest is the view's") {
  Desk desk;
  StudioOptions none;
  FilmView film(std::make_unique<Studio>(client(desk.folder), empty_document("plan"), nullptr, std::move(none)));
  const auto post = [&](const std::string& what, std::string body) {
    const auto request = parse_target(fmt::format("/api/{}", what));
    request->post = true;
    request->body = std::move(body);
    return film.answer(*request).status;
  };
  CHECK(!film.wait(std::chrono::milliseconds(0)));
  CHECK(post("film-progress", "0.5") == 200);
  CHECK(post("film-progress", "0.25") == 200);
  CHECK(film.progress() == 0.5);
  for (const char* nonsense : {"7", "nan", "-3", "", "x"}) CHECK(post("film-progress", nonsense) == 200);
  CHECK(film.progress() <= 1);
  CHECK(post("save", "x") == 404);
  CHECK(film.answer(*parse_target("/edit/")).status == 200);
  CHECK(film.most_body(*parse_target("/api/session")) == 0);
  CHECK(film.most_body(*parse_target("/api/film-failed")) < 10'000);
  CHECK(post("film", "bytes") == 200);
  CHECK(post("film", "others") == 200);
  REQUIRE(film.wait(std::chrono::milliseconds(0)));
  CHECK(film.wait(std::chrono::milliseconds(0))->bytes == "bytes");
}

}  // namespace throng::server
