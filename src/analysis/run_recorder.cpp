#include "analysis/run_recorder.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/recorded_run.hpp"
#include "analysis/run_tables.hpp"
#include "environment/formats/formats.hpp"
#include "recording/jupedsim.hpp"
#include "recording/recording.hpp"

namespace throng::analysis {

namespace {

bool is_native(const std::string& path, const std::string& format) {
  return format.empty() ? path.ends_with(".throng") : format == "native";
}

using Json = nlohmann::ordered_json;

Json to_json(const scenario::Number& number) {
  Json object;
  object["mean"] = number.mean();
  return object["mean"];
}

Json to_json(Vec2 p) { return Json::array({p.x, p.y}); }

/// What is counted where, so that a recording whose run was cut short can still be measured.
Json measures_of(const scenario::Simulation& simulation) {
  const scenario::Scenario& scenario = simulation.scenario();
  Json lines = Json::array(), areas = Json::array();
  for (std::size_t i = 0; i < scenario.lines.size(); ++i) {
    const scenario::LineMeasure& line = scenario.lines[i];
    lines.push_back({{"name", line.name},
                     {"from", to_json(line.from)},
                     {"to", to_json(line.to)},
                     {"layer", simulation.setup().line_layers[i]}});
  }
  for (const scenario::AreaMeasure& measure : scenario.areas) {
    Json area{{"name", measure.name}, {"every", measure.every}};
    if (measure.area.name.empty())
      for (const Vec2 corner : measure.area.ring) area["polygon"].push_back(to_json(corner));
    else
      area["area"] = measure.area.name;
    if (measure.area.layer != scenario::none) area["layer"] = measure.area.layer;
    areas.push_back(std::move(area));
  }
  return {{"lines", lines}, {"areas", areas}};
}

/// What the run was made with, as far as the scenario's text does not say it.
std::string parameters_of(const scenario::Simulation& simulation) {
  const scenario::Scenario& scenario = simulation.scenario();
  Json profiles = Json::object();
  for (const scenario::ProfileSpec& profile : scenario.profiles)
    profiles[profile.name] = {{"radius", to_json(profile.radius)},
                              {"speed", to_json(profile.speed)},
                              {"follow", profile.methods[agents::Level::follow].name},
                              {"avoid", profile.methods[agents::Level::avoid].name}};
  return Json{{"duration", simulation.duration()},
              {"time_step", scenario.time_step},
              {"seed", simulation.seed()},
              {"profiles", profiles},
              {"measures", measures_of(simulation)}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<recording::Meta> meta_of(const scenario::Simulation& simulation, const std::string& program) {
  const scenario::Scenario& scenario = simulation.scenario();
  const Result<std::string> environment = environment::write_environment("geojson", simulation.world()->environment);
  if (!environment) return environment.problems();
  recording::Meta meta;
  meta.program = program;
  meta.environment_json = *environment;
  meta.scenario_json = scenario.text;
  meta.parameters_json = parameters_of(simulation);
  meta.seed = simulation.seed();
  meta.time_step = scenario.time_step;
  meta.every = int(scenario.record_every);
  meta.unit = simulation.world()->environment.grid.unit();
  for (const environment::Layer& layer : simulation.world()->mesh->layers) meta.layers.push_back(layer.id);
  for (const scenario::PopulationSpec& population : scenario.populations) meta.populations.push_back(population.name);
  for (const scenario::ProfileSpec& profile : scenario.profiles) meta.profiles.push_back(profile.name);
  return meta;
}

/// Exits are named where they have a name.
Json to_json(const crowd::ChangeEvent& change, const scenario::Simulation& simulation) {
  Json json{{"person", change.person},
            {"why", crowd::reason_names[std::size_t(change.why)]},
            {"x", change.at.point.x},
            {"y", change.at.point.y},
            {"layer", change.at.layer}};
  const auto add_exit = [&](const char* key, crowd::Index area) {
    const std::vector<goals::Area>& areas = simulation.crowd().areas();
    if (area < areas.size() && !areas[area].name().empty()) json[key] = areas[area].name();
  };
  if (change.detour != crowd::DetourKind::nothing)
    json["detour"] = crowd::detour_kind_names[std::size_t(change.detour)];
  if (change.from == change.to) return json;
  add_exit("from", change.from);
  add_exit("to", change.to);
  return json;
}

recording::AgentRow row_of(const AgentRecord& agent, const GroupMetrics& groups) {
  recording::AgentRow row;
  row.serial = agent.serial;
  row.population = agent.population;
  row.profile = agent.profile;
  row.radius = agent.radius;
  row.appears = agent.appeared;
  if (const std::uint64_t group = groups.group_of(agent.serial); group > 0) row.group = std::int64_t(group);
  if (agent.arrived) row.leaves = agent.left;
  return row;
}

/// Everybody's figures, in full precision: a row a person.
std::string people_json(const Metrics& metrics) {
  Json rows = Json::array();
  for (const AgentRecord& agent : metrics.agents())
    if (agent.serial != 0)
      rows.push_back({agent.serial, agent.arrived ? Json(agent.left) : Json(nullptr), agent.distance, agent.walked_for,
                      agent.slow_time, agent.stuck});
  return Json{{"columns", {"serial", "arrived", "distance", "walked_for", "slow_time", "stuck"}}, {"rows", rows}}
      .dump();
}

/// Every group: its members, and what it came to.
std::string groups_table(const Metrics& metrics) {
  std::vector<std::vector<std::uint64_t>> members(metrics.groups().groups().size());
  for (const AgentRecord& agent : metrics.agents())
    if (const std::uint64_t group = metrics.groups().group_of(agent.serial); group > 0)
      members[group - 1].push_back(agent.serial);
  Json rows = Json::array();
  for (const GroupRecord& g : metrics.groups().groups())
    if (g.serial != 0)
      rows.push_back({g.serial, g.method, members[g.serial - 1], g.appeared, g.share(g.coherent), g.share(g.partial),
                      g.share(g.total), g.apart, g.parted, g.rejoined});
  return Json{{"columns",
               {"group", "method", "members", "appeared", "coherence", "partial_sociality", "total_sociality",
                "time_apart", "parted", "rejoined"}},
              {"rows", rows}}
      .dump();
}

}  // namespace

std::vector<std::string> recording_files(const std::string& path, const std::string& format,
                                         const std::vector<std::string>& layers) {
  if (path.empty()) return {};
  if (is_native(path, format) || layers.size() == 1) return {path};
  std::vector<std::string> files;
  for (const std::string& layer : layers) files.push_back(recording::layer_path(path, layer));
  return files;
}

Result<std::unique_ptr<RunRecorder>> RunRecorder::create(const std::string& path, const std::string& format,
                                                         const scenario::Simulation& simulation,
                                                         const std::string& program) {
  const Result<recording::Meta> meta = meta_of(simulation, program);
  if (!meta) return meta.problems();
  const auto make = [&]() -> Result<std::unique_ptr<recording::Recorder>> {
    if (is_native(path, format)) return recording::create_native(path, *meta);
    const Result<std::vector<std::string>> wkt = recording::layer_wkts(simulation.world()->environment);
    if (!wkt) return wkt.problems();
    return recording::create_jupedsim(path, *meta, *wkt);
  };
  Result<std::unique_ptr<recording::Recorder>> recorder = make();
  if (!recorder) return recorder.problems();
  auto run = std::make_unique<RunRecorder>();
  run->path_ = path;
  run->native_ = is_native(path, format);
  run->recorder_ = std::move(recorder).value();
  run->every_ = simulation.scenario().record_every;
  return run;
}

/// Rows of people who appeared or left since.
void RunRecorder::announce(const Metrics& metrics) {
  const std::vector<AgentRecord>& agents = metrics.agents();
  gone_.resize(agents.size(), false);
  for (; announced_ < agents.size(); ++announced_)
    if (agents[announced_].serial != 0) recorder_->agent(row_of(agents[announced_], metrics.groups()));
}

void RunRecorder::frame(const scenario::Simulation& simulation, const Metrics& metrics) {
  announce(metrics);
  for (const crowd::Departure& departure : simulation.crowd().departures()) {
    if (departure.serial > gone_.size() || gone_[departure.serial - 1]) continue;
    gone_[departure.serial - 1] = true;
    recorder_->agent(row_of(metrics.agents()[departure.serial - 1], metrics.groups()));
  }
  for (const crowd::GroupEvent& event : simulation.crowd().group_events())
    recorder_->event(event.time, event.kind == crowd::GroupEvent::Kind::parted ? "parted" : "rejoined",
                     Json{{"group", event.group}, {"person", event.person}}.dump());
  for (const crowd::ChangeEvent& change : simulation.crowd().changes())
    recorder_->event(change.time, change_kind, to_json(change, simulation).dump());
  if (steps_++ % every_ != 0) return;
  serials_.clear(), positions_.clear(), layers_.clear();
  const agents::People people = simulation.crowd().people();
  for (const crowd::Slot slot : simulation.crowd().in_serial_order()) {
    serials_.push_back(people.serial[slot]);
    positions_.push_back(people.position[slot]);
    layers_.push_back(people.layer[slot]);
  }
  recorder_->frame({frames_++, simulation.crowd().time(), serials_, positions_, layers_});
}

Problems RunRecorder::finish(const Metrics& metrics, const RunEnd& end) {
  recorder_->metric("summary", to_json(end).dump(-1, ' ', false, Json::error_handler_t::replace));
  recorder_->metric("people", people_json(metrics));
  if (metrics.groups().any()) {
    recorder_->metric("groups", to_json(figures_of(metrics.groups())).dump());
    recorder_->metric("table of groups", groups_table(metrics));
  }
  for (const LineResult& line : metrics.lines()) {
    Json crossings = Json::array();
    for (const Crossing& crossing : line.crossings)
      crossings.push_back({crossing.time, crossing.serial, crossing.direction});
    recorder_->metric("line " + line.line.name, Json{{"crossings", crossings}}.dump());
  }
  for (const AreaResult& area : metrics.areas()) {
    Json samples = Json::array();
    for (const DensitySample& sample : area.samples) samples.push_back({sample.time, sample.people, sample.density});
    recorder_->metric("area " + area.name, Json{{"square_metres", area.square_metres}, {"samples", samples}}.dump());
  }
  const Result<recording::Written> written = recorder_->finish();
  return written.problems();
}

std::optional<double> RunRecorder::recorded_until() {
  (void)recorder_->finish();
  if (!native_) return std::nullopt;
  Result<recording::Recording> recording = recording::Recording::open(path_);
  if (!recording || recording->frame_count() == 0) return std::nullopt;
  const Result<recording::Frame> last = recording->frame(recording->frame_count() - 1);
  return last ? std::optional(last->time) : std::nullopt;
}

}  // namespace throng::analysis
