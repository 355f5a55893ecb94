// `throng bench congestion`: what foreseeing jams costs, as ratios to the same crowd without, step by step by turns in one run. Walkers of
// kaiserslautern to random goals; the same with 20 streets closed by 60 standing people each. "fields": a density field beside the crowd, of which
// everybody's stamp is renewed every 2 s at a turn of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "benchmarks/crowd_walkers.hpp"
#include "fields/density_field.hpp"

namespace throng::bench {
namespace {

using crowd::Slot;

/// Stamps of a whole crowd by serials.
class Stamps {
 public:
  explicit Stamps(navmesh::MeshPtr mesh) : field_(std::move(mesh)) {}
  void renew(const crowd::Crowd& crowd) {
    const agents::People people = crowd.people();
    stamps_.resize(std::size_t(crowd.last_serial()) + 1);
    for (const Slot slot : crowd.in_serial_order()) {
      const std::uint64_t serial = people.serial[slot];
      if ((crowd.step_count() + serial) % std::uint64_t(2 / time_step) != 0) continue;
      field_.renew(stamps_[serial], field_.stamp_of(people.place(slot), people.velocity[slot]));
    }
  }
  [[nodiscard]] std::size_t bytes() const { return field_.bytes() + stamps_.capacity() * sizeof(fields::Stamp); }

 private:
  fields::DensityField field_;
  std::vector<fields::Stamp> stamps_;
};

/// Rows of standing people across the passages that are between 3 and 8 m wide, one in so many of them.
void close_streets(crowd::Crowd& crowd, std::size_t streets, std::size_t people) {
  const navmesh::Mesh& mesh = *crowd.world().mesh;
  std::vector<const navmesh::Passage*> wide;
  for (const navmesh::Passage& passage : mesh.all_passages())
    if (const double across = length(passage.right - passage.left); across >= 3 && across <= 8)
      wide.push_back(&passage);
  for (std::size_t street = 0; street < streets && !wide.empty(); ++street) {
    const navmesh::Passage& passage = *wide[street * wide.size() / streets];
    const Vec2 across = (passage.right - passage.left) / length(passage.right - passage.left);
    const Vec2 along{-across.y, across.x};
    std::size_t added = 0;
    for (int row = 0; row < 40 && added < people; ++row)
      for (double at = 0.25; at < length(passage.right - passage.left) && added < people; at += 0.5) {
        crowd::AgentSpec spec;
        const double ahead = 0.5 * (row % 2 == 0 ? row / 2 : -(row + 1) / 2);
        spec.place = {passage.left + across * at + along * ahead, 0};
        spec.radius = body_radius;
        if (!crowd.is_free(spec.place, spec.radius)) continue;
        const auto id = crowd.add(spec);
        if (!id) continue;
        keep(crowd.steer(*id, {}).ok());
        ++added;
      }
  }
}

int run(const Options& options) {
  std::string name;
  const Result<crowd::WorldPtr> world = town(options, name);
  if (!world) return fmt::print(stderr, "{}\n", to_string(world.problems().front())), 1;
  Table table(
      {"world", "people", "streets closed", "method", "ms/step", "ratio", "p99/mean", "B/agent more", "searches"});
  struct Row {
    std::size_t people, closed;
    const char* method;
  };
  const std::size_t few = options.people != 0 ? options.people : options.quick ? 300 : 10'000;
  const std::size_t many = options.people != 0 ? options.people : options.quick ? 600 : 100'000;
  const int steps = options.steps > 0 ? options.steps : options.quick ? 20 : 200;
  const std::vector<std::vector<Row>> groups = {
      {{few, 0, ""},
       {few, 0, "fields"},
       {few, 0, "none"},
       {few, 0, "density"},
       {few, 0, "quickest"},
       {few, 0, "id3"},
       {few, 0, "miranda"}},
      {{few, 20, ""}, {few, 20, "quickest"}, {few, 20, "id3"}, {few, 20, "miranda"}},
      {{many, 0, ""}, {many, 0, "quickest"}}};
  int number = 0;
  for (const std::vector<Row>& group : groups) {
    if (++number; options.row != 0 && options.row != number) continue;
    std::vector<std::unique_ptr<Walkers>> crowds;
    std::vector<std::unique_ptr<Stamps>> stamps(group.size());
    std::vector<StepTimes> times(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      const bool fields = std::string(group[i].method) == "fields";
      fmt::print(stderr, "{} people, {} streets closed, {} ...\n", group[i].people, group[i].closed, group[i].method);
      Walk walk{.world = *world, .name = name, .people = group[i].people, .warm_up = 0};
      walk.congestion = fields ? "" : group[i].method;
      crowds.push_back(std::make_unique<Walkers>(walk));
      if (fields) stamps[i] = std::make_unique<Stamps>((*world)->mesh);
      close_streets(crowds[i]->crowd(), group[i].closed, 60);
    }
    const double warm_up = options.warm_up > 0 ? options.warm_up : options.quick ? 5 : 30;
    const auto step = [&](std::size_t i) {
      crowds[i]->step();
      if (stamps[i]) stamps[i]->renew(crowds[i]->crowd());
    };
    for (std::size_t i = 0; i < crowds.size(); ++i)
      while (crowds[i]->crowd().time() < warm_up) step(i), crowds[i]->send_on();
    for (int k = 0; k < steps; ++k)
      for (std::size_t i = 0; i < crowds.size(); ++i) times[i].add([&] { step(i); }), crowds[i]->send_on();
    for (std::size_t i = 0; i < crowds.size(); ++i) {
      const crowd::Crowd& crowd = crowds[i]->crowd();
      const auto bytes = [&](std::size_t k) {
        return double(crowds[k]->crowd().bytes() + (stamps[k] ? stamps[k]->bytes() : 0));
      };
      long long searches = 0;
      for (const Slot slot : crowd.in_serial_order())
        if (const auto thoughts = crowd.thoughts_of(slot)) searches += thoughts->searches;
      table.add({name, (long long)group[i].people, (long long)group[i].closed,
                 std::string(group[i].method[0] == '\0' ? "off" : group[i].method), Number{times[i].cpu()},
                 Number{times[i].cpu() / times[0].cpu(), 3}, Number{times[i].p99() / times[i].mean()},
                 Number{(bytes(i) - bytes(0)) / double(crowd.size()), 0}, searches});
    }
  }
  table.print(options);
  return 0;
}

const Registration registration({"congestion", "jams foreseen: the ratio of a step to one without", run});

}  // namespace
}  // namespace throng::bench
