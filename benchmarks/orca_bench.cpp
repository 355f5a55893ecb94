// `throng bench crowd-orca`: looking around and ORCA, on one thread, beside the textbook (orca_reference.hpp) in the same run. People mixed
// at one a square metre, each on the way to a place of their own on the other side of the field, so that all ways cross; and 1,024 who all
// want to the middle and jam. No walls, no contact, no relaxation: places are velocities added up, so that both must end in the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "benchmarks/bench.hpp"
#include "benchmarks/crowd_walkers.hpp"
#include "benchmarks/orca_reference.hpp"
#include "crowd/executor.hpp"
#include "environment/formats/formats.hpp"
#include "steering/avoider.hpp"
#include "steering/perception.hpp"

namespace throng::bench {
namespace {

using steering::Slot;

constexpr double walking_speed = 1.34;
/// Metres around the field: so far from walls nobody has to be looked for behind one.
constexpr double margin = 200;

/// Where people want to go from where they are.
struct Field {
  std::string name;
  std::vector<OrcaReference::Person> people;
  std::vector<Vec2> goals;

  [[nodiscard]] static Vec2 preferred(Vec2 place, Vec2 goal) {
    const Vec2 way = goal - place;
    const double distance = std::sqrt(squared_length(way));
    return distance > walking_speed ? way * (walking_speed / distance) : way;
  }
};

OrcaReference::Person person_at(Vec2 place) { return {place, {}, {}, body_radius, 1.3 * walking_speed}; }

/// One a square metre.
Field mixed(std::size_t count) {
  Field field{fmt::format("{} mixed", count), {}, {}};
  geometry::RandomStream random(3, {});
  const auto side = std::size_t(std::ceil(std::sqrt(double(count))));
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 jitter{random.uniform(-0.25, 0.25), random.uniform(-0.25, 0.25)};
    field.people.push_back(person_at(Vec2{double(i % side), double(i / side)} + jitter));
    const double middle = double(side) / 2;
    const Vec2 opposite = Vec2{middle, middle} * 2 - field.people.back().position;
    field.goals.push_back(opposite + Vec2{random.uniform(-middle, middle), random.uniform(-middle, middle)});
  }
  return field;
}

/// All want to the middle of a block of 1.6 a square metre.
Field jammed(std::size_t count) {
  Field field{fmt::format("{} jammed", count), {}, {}};
  geometry::RandomStream random(4, {});
  const auto side = std::size_t(std::ceil(std::sqrt(double(count))));
  const double spacing = 0.8;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2 jitter{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)};
    field.people.push_back(person_at(Vec2{double(i % side), double(i / side)} * spacing + jitter));
    field.goals.push_back(Vec2{double(side), double(side)} * (spacing / 2));
  }
  return field;
}

/// The same people, with the library's perception and avoidance.
class Ours {
 public:
  Ours(const Field& field, navmesh::MeshPtr mesh, double size) : field_(field), mesh_(std::move(mesh)), size_(size) {
    const std::size_t n = field.people.size();
    present_.assign(n, 1), layer_.assign(n, 0), cell_.assign(n, 0), first_.assign(n, 0);
    serial_.resize(n), who_.resize(n);
    std::iota(serial_.begin(), serial_.end(), std::uint64_t{1});
    for (const OrcaReference::Person& person : field.people) {
      position_.push_back(person.position);
      radius_.push_back(person.radius);
    }
    velocity_.resize(n), heading_.assign(n, {1, 0}), preferred_.resize(n), chosen_.resize(n);
    speed_.assign(n, walking_speed), clearance_.resize(n);
    numbers_ = agents::default_block(method_.info());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const std::string_view name = method_.info().parameters[i].name;
      if (name == "keep_right" || name == "sidestep" || name == "margin" || name == "wall_range") numbers_[i] = 0;
    }
  }
  void step() {
    for (std::size_t i = 0; i < position_.size(); ++i) {
      preferred_[i] = Field::preferred(position_[i], field_.goals[i]);
      const Vec2 p = position_[i];
      clearance_[i] = std::min({p.x + margin, p.y + margin, size_ + margin - p.x, size_ + margin - p.y});
    }
    const agents::People people{.mesh = mesh_.get(),
                                .time_step = time_step,
                                .present = present_,
                                .serial = serial_,
                                .position = position_,
                                .velocity = velocity_,
                                .walking = velocity_,
                                .heading = heading_,
                                .layer = layer_,
                                .cell = cell_,
                                .clearance = clearance_,
                                .radius = radius_,
                                .speed = speed_};
    thread_.run([&] { perception_.index(people); });
    who_.assign(perception_.in_grid_order().begin(), perception_.in_grid_order().end());
    needs_.assign(who_.size(), method_.needs(numbers_.data()));
    const steering::AvoidView view{people, preferred_, &perception_, {numbers_.data(), first_}, {}};
    constexpr std::size_t at_once = 64;
    for (std::size_t i = 0; i < who_.size(); i += at_once) {
      const auto some = std::span<const Slot>(who_).subspan(i, std::min(at_once, who_.size() - i));
      perception_.perceive(people, some, std::span(needs_).first(some.size()));
      method_.run(view, some, chosen_);
    }
    for (std::size_t i = 0; i < position_.size(); ++i) {
      velocity_[i] = chosen_[i];
      position_[i] += chosen_[i] * time_step;
    }
  }
  [[nodiscard]] const std::vector<Vec2>& positions() const { return position_; }

 private:
  const Field& field_;
  navmesh::MeshPtr mesh_;
  double size_;
  const steering::Avoider& method_ = *steering::find_avoider("orca");
  steering::Perception perception_;
  crowd::Executor thread_{1};
  std::vector<std::uint8_t> present_;
  std::vector<std::uint64_t> serial_;
  std::vector<Vec2> position_, velocity_, heading_, preferred_, chosen_;
  std::vector<navmesh::Index> layer_, cell_, first_;
  std::vector<double> radius_, speed_, clearance_, numbers_;
  std::vector<Slot> who_;
  std::vector<steering::Needs> needs_;
};

bool measure_field(const Field& field, int steps, Table& table) {
  double size = 0;
  for (const OrcaReference::Person& person : field.people)
    size = std::max({size, person.position.x, person.position.y});
  const Result<environment::Environment> square = environment::parse_environment(
      "wkt", fmt::format("POLYGON(({0} {0}, {1} {0}, {1} {1}, {0} {1}, {0} {0}))", -margin, size + margin), "field");
  if (!square) return false;
  const Result<crowd::WorldPtr> world = world_of(*square);
  if (!world) return false;
  Ours ours(field, (*world)->mesh, size);
  OrcaReference reference(field.people, {});
  StepTimes our_times, reference_times;
  for (int i = 0; i < steps; ++i) {
    our_times.add([&] { ours.step(); });
    reference_times.add([&] {
      for (std::size_t k = 0; k < field.goals.size(); ++k)
        reference.people()[k].preferred = Field::preferred(reference.people()[k].position, field.goals[k]);
      reference.step(time_step);
    });
  }
  double apart = 0;
  for (std::size_t i = 0; i < field.people.size(); ++i)
    apart = std::max(apart, std::sqrt(squared_length(ours.positions()[i] - reference.people()[i].position)));
  const auto n = double(field.people.size());
  table.add({field.name, (long long)steps, Number{our_times.median()}, Number{1e6 * our_times.median() / n, 0},
             Number{reference_times.median()}, Number{1e6 * reference_times.median() / n, 0},
             Number{reference_times.median() / our_times.median()}, Number{apart, 9}});
  return true;
}

int run(const Options& options) {
  Table table({"people", "steps", "ours ms", "ours ns/agent", "textbook ms", "textbook ns/agent", "times as fast",
               "apart at the end m"});
  const int steps = options.steps > 0 ? options.steps : 50;
  std::vector<Field> fields;
  if (options.quick)
    fields = {jammed(64), mixed(100)};
  else
    fields = {jammed(1024), mixed(10000), mixed(100000)};
  int row = 0;
  for (const Field& field : fields) {
    if (++row; options.row != 0 && options.row != row) continue;
    fmt::print(stderr, "{} ...\n", field.name);
    if (!measure_field(field, steps, table)) return 1;
  }
  table.print(options);
  return 0;
}

const Registration registration({"crowd-orca", "ORCA beside the textbook's, on one thread", run});

}  // namespace
}  // namespace throng::bench
