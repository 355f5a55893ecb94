#include "benchmarks/crowd_walkers.hpp"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <numeric>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/generate/generate_city.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"

namespace throng::bench {

using crowd::Activity;
using crowd::Crowd;

namespace {

goals::ItineraryPtr to(const navmesh::Place& goal) {
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->goals.push_back({goal, 1.0, {}, 0});
  itinerary->at_last = goals::AtLastGoal::stay;
  return itinerary;
}

/// Without what the crowd before this one left with the allocator.
std::size_t resident() {
  malloc_trim(0);
  return resident_bytes();
}

}  // namespace

Places::Places(const navmesh::Mesh& mesh, std::uint64_t seed, double square) : mesh_(mesh), random_(seed) {
  low_ = Vec2{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  high_ = -low_;
  for (const navmesh::Node& node : mesh.all_nodes()) {
    low_ = {std::min(low_.x, node.point.x), std::min(low_.y, node.point.y)};
    high_ = {std::max(high_.x, node.point.x), std::max(high_.y, node.point.y)};
  }
  if (square <= 0) return;
  const Vec2 middle = (low_ + high_) / 2;
  low_ = middle - Vec2{square, square} / 2;
  high_ = middle + Vec2{square, square} / 2;
}

navmesh::Place Places::next() {
  for (;;) {
    const double u = random_.unit(), v = random_.unit();
    const auto place = navmesh::random_point(mesh_, 0, u, v, random_.unit());
    if (!place || place->point.x < low_.x || place->point.x > high_.x || place->point.y < low_.y ||
        place->point.y > high_.y)
      continue;
    if (navmesh::locate(mesh_, *place).clearance >= body_radius + 0.05) return *place;
  }
}

navmesh::Place Places::far_from(Vec2 p, double distance) {
  navmesh::Place best = next();
  for (int i = 0; i < 50 && squared_length(best.point - p) < distance * distance; ++i) {
    const navmesh::Place other = next();
    if (squared_length(other.point - p) > squared_length(best.point - p)) best = other;
  }
  return best;
}

Walkers::Walkers(const Walk& walk)
    : walk_(walk),
      before_(resident()),
      crowd_(walk.world, {.threads = walk.threads, .contact = walk.contact}),
      places_(*walk.world->mesh, 5, walk.square) {
  for (std::size_t i = 0; i < walk.shared_goals; ++i) {
    goal_places_.push_back(places_.next());
    shared_.push_back(to(goal_places_.back()));
  }
  fill();
  while (crowd_.time() < walk.warm_up) {
    step();
    send_on();
  }
}

void Walkers::fill() {
  geometry::RandomStream speeds(11);
  for (std::size_t i = 0; i < walk_.people; ++i) {
    crowd::AgentSpec spec;
    spec.place = places_.next();
    spec.radius = body_radius;
    spec.speed = std::clamp(speeds.normal(1.34, 0.26), 0.5, 2.2);
    spec.methods[agents::Level::follow].name = walk_.follow;
    spec.methods[agents::Level::avoid].name = walk_.avoid;
    spec.methods[agents::Level::coordinate].name = walk_.stream;
    if (!walk_.strategy.empty()) spec.methods[agents::Level::decide] = {"topological", walk_.strategy};
    spec.methods[agents::Level::congestion].name = walk_.congestion;
    spec.number = std::uint32_t(i);
    spec.itinerary = goal_for(spec.place.point);
    keep(crowd_.add(spec).ok());
  }
}

goals::ItineraryPtr Walkers::goal_for(Vec2 p) {
  const navmesh::Place goal = places_.far_from(p, walk_.least_distance);
  if (shared_.empty()) return to(goal);
  // Of the shared ones that are far enough the one nearest to where the person would have gone.
  std::size_t best = 0;
  double best2 = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < shared_.size(); ++i) {
    if (squared_length(goal_places_[i].point - p) < walk_.least_distance * walk_.least_distance) continue;
    const double away2 = squared_length(goal_places_[i].point - goal.point);
    if (away2 < best2) best = i, best2 = away2;
  }
  return shared_[best];
}

void Walkers::send_on() {
  for (const crowd::Slot slot : crowd_.in_serial_order()) {
    const Activity activity = crowd_.activity(slot);
    if (activity != Activity::arrived && activity != Activity::lost) continue;
    keep(crowd_.set_goals(crowd_.id_of(slot), goal_for(crowd_.people().position[slot])).ok());
  }
}

double Walkers::resident_an_agent() const { return (double(resident()) - double(before_)) / double(crowd_.size()); }

double StepTimes::mean() const { return std::accumulate(wall_.begin(), wall_.end(), 0.0) / double(wall_.size()); }

double StepTimes::part(double of) const {
  std::vector<double> sorted = wall_;
  std::sort(sorted.begin(), sorted.end());
  return sorted[std::min(sorted.size() - 1, std::size_t(double(sorted.size()) * of))];
}

void measure_step(Walkers& walkers, StepCost& cost) {
  cost.times.add([&] { walkers.step(); });
  walkers.send_on();
  for (std::size_t s = 0; s < cost.stage_ms.size(); ++s)
    cost.stage_ms[s] += 1000 * walkers.crowd().seconds_of(crowd::Stage(s));
}

Result<crowd::WorldPtr> world_of(const environment::Environment& source) {
  Result<environment::CleanEnvironment> clean = environment::clean(source);
  if (!clean) return clean.problems();
  return crowd::make_world(std::move(clean).value());
}

Result<crowd::WorldPtr> town(const Options& options, std::string& name) {
  const Result<environment::Environment> source = [&]() -> Result<environment::Environment> {
    name = "kaiserslautern";
    if (!options.data.empty() && !options.quick)
      return environment::read_environment((options.data / "kaiserslautern.geojson").string());
    name = "generated city";
    return environment::generate_city(environment::city_of_vertices(options.quick ? 500 : 5000));
  }();
  if (options.data.empty()) fmt::print(stderr, "THRONG_DATA is not set: a generated city\n");
  if (!source) return source.problems();
  return world_of(*source);
}

}  // namespace throng::bench
