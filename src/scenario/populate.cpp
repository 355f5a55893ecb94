#include "scenario/populate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "routes/planner.hpp"
#include "scenario/placement.hpp"
#include "text/nearest_name.hpp"
#include "text/problem_list.hpp"

namespace throng::scenario {
namespace {

using environment::in_quotes;
using geometry::RandomStream;

/// Whether everybody's itinerary is the same.
bool is_shared(const PopulationSpec& population) {
  if (const auto* positions = std::get_if<Positions>(&population.who))
    if (!positions->rows.empty() && positions->rows.front().goal) return false;
  return std::all_of(population.goals.begin(), population.goals.end(), [](const GoalSpec& goal) {
    return goal.kind != GoalSpec::Kind::choose && goal.wait.is_constant();
  });
}

std::size_t chosen(const std::vector<double>& weights, RandomStream stream) {
  std::vector<Number::Choice> choices;
  for (std::size_t i = 0; i < weights.size(); ++i) choices.push_back({double(i), weights[i]});
  return std::size_t(Number::choose(std::move(choices)).draw(stream));
}

}  // namespace

RandomStream stream_for(std::uint64_t seed, const PopulationSpec& population, Purpose purpose, std::uint32_t number,
                        std::uint32_t step) {
  return agents::stream_for(seed, population.draw_key, number, purpose, step);
}

double typical_radius(const ProfileSpec& profile) {
  return std::clamp(profile.radius.mean(), profile.radius.least(), profile.radius.most());
}

People::People(const Setup& setup, std::uint64_t seed) : setup_(setup), seed_(seed) {
  const std::vector<PopulationSpec>& populations = setup.scenario->populations;
  shared_.resize(populations.size());
  shared_routes_.resize(populations.size());
  for (std::size_t i = 0; i < populations.size(); ++i) {
    if (is_shared(populations[i])) shared_[i] = itinerary(i, 0);
    const Number& radius = setup.scenario->profiles[populations[i].profile].radius;
    if (radius.is_constant()) shared_routes_[i] = given_route(i, radius.mean());
  }
}

crowd::AgentSpec People::draw(std::size_t p, std::uint32_t number) const {
  const PopulationSpec& population = setup_.scenario->populations[p];
  const ProfileSpec& profile = setup_.scenario->profiles[population.profile];
  const auto value = [&](const Number& what, Purpose purpose, std::uint32_t step = 0) {
    if (what.is_constant()) return what.mean();
    RandomStream stream = stream_for(seed_, population, purpose, number, step);
    return what.draw(stream);
  };
  const auto method = [&](agents::Level level) {
    const MethodSpec& spec = profile.methods[level];
    crowd::MethodChoice choice{spec.name, {}};
    for (std::size_t i = 0; i < spec.parameters.size(); ++i)
      choice.parameters.push_back(
          value(spec.parameters[i], Purpose::method_number, agents::step_of(level, spec.name, spec.names[i])));
    return choice;
  };
  crowd::AgentSpec person;
  person.radius = value(profile.radius, Purpose::radius);
  person.speed = value(profile.speed, Purpose::speed);
  for (const agents::LevelInfo& level : agents::levels) person.methods[level.level] = method(level.level);
  person.premovement = value(profile.premovement, Purpose::premovement);
  person.stairs_up = value(profile.stairs_up, Purpose::stairs_up);
  person.stairs_down = value(profile.stairs_down, Purpose::stairs_down);
  if (setup_.world->regions && !setup_.world->regions->empty()) {
    for (const std::string& type : setup_.world->regions->types()) {
      const auto weight = profile.weights.find(type);
      person.weights.push_back(
          weight == profile.weights.end() ? 1 : value(weight->second, Purpose::weight, agents::step_of(type)));
    }
  }
  person.itinerary = shared_[p] ? shared_[p] : itinerary(p, number);
  person.population = Index(p);
  person.draws = population.draw_key;
  person.profile = Index(population.profile);
  person.number = number;
  return person;
}

goals::ItineraryPtr People::itinerary(std::size_t p, std::uint32_t number) const {
  const PopulationSpec& population = setup_.scenario->populations[p];
  const SetPopulation& set = setup_.populations[p];
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->at_last = population.at_last;
  for (std::size_t i = 0; i < population.goals.size(); ++i) {
    const GoalSpec& spec = population.goals[i];
    goals::Goal goal;
    goal.radius = spec.radius;
    goal.quickest = spec.quickest;
    RandomStream wait = stream_for(seed_, population, Purpose::wait, number, std::uint32_t(i));
    goal.wait = spec.wait.draw(wait);
    if (spec.kind == GoalSpec::Kind::point)
      goal.point = set.goals[i].point;
    else if (spec.kind == GoalSpec::Kind::areas)
      goal.areas = set.goals[i].areas;
    else
      goal.areas = {set.goals[i].areas[chosen(
          spec.weights, stream_for(seed_, population, Purpose::choice, number, std::uint32_t(i)))]};
    itinerary->goals.push_back(std::move(goal));
  }
  if (const auto* positions = std::get_if<Positions>(&population.who))
    if (number < positions->rows.size() && positions->rows[number].goal)
      itinerary->goals.push_back({.point = set.positions[number].goal, .areas = {}});
  return itinerary;
}

routes::RoutePtr People::given_route(std::size_t p, double radius) const {
  const std::vector<navmesh::Place>& points = setup_.populations[p].route_points;
  if (points.empty()) return nullptr;
  Result<routes::Route> route = routes::given_route(*setup_.world->mesh, points, radius);
  return route ? std::make_shared<const routes::Route>(std::move(route).value()) : nullptr;
}

void People::put(crowd::AgentSpec& person, const navmesh::Place& place) const {
  person.place = place;
  person.given_route = shared_routes_[person.population] ? shared_routes_[person.population]
                                                         : given_route(person.population, person.radius);
  person.heading = heading(person);
}

Vec2 People::heading(const crowd::AgentSpec& person) const {
  const Vec2 unknown{1, 0};
  Vec2 towards = person.place.point;
  if (person.given_route && !person.given_route->pieces.empty()) {
    const routes::Piece& first = person.given_route->pieces.front();
    towards = person.place.point + (first.to - first.from);
  } else if (!person.itinerary->goals.empty()) {
    const goals::Goal& goal = person.itinerary->goals.front();
    towards = goal.areas.empty() ? goal.point.point : setup_.areas[goal.areas.front()].sample(0.5, 0.25, 0.25).point;
  }
  const Vec2 d = towards - person.place.point;
  const double length = std::sqrt(squared_length(d));
  return length > 1e-9 ? d / length : unknown;
}

navmesh::Place People::candidate(std::size_t p, std::uint32_t number, std::uint32_t step, std::uint32_t attempt) const {
  const PopulationSpec& population = setup_.scenario->populations[p];
  RandomStream stream = stream_for(seed_, population, Purpose::place, number, step);
  // Three numbers an attempt, two words each; streams are short, so that walking there costs less than a key of its own.
  for (std::uint32_t i = 0; i < 6 * attempt; ++i) stream.word();
  const double u = stream.unit(), v = stream.unit(), w = stream.unit();
  return setup_.areas[setup_.populations[p].start].sample(u, v, w);
}

namespace {

/// Places one population after the other.
class Placer {
 public:
  explicit Placer(const People& people)
      : people_(people), setup_(people.setup()), occupancy_(*people.setup().world->mesh) {}

  Result<std::vector<crowd::AgentSpec>> run() && {
    const std::vector<PopulationSpec>& populations = setup_.scenario->populations;
    std::vector<std::vector<crowd::AgentSpec>> placed(populations.size());
    for (std::size_t p = 0; p < populations.size(); ++p)
      if (std::holds_alternative<Positions>(populations[p].who)) placed[p] = place_rows(p);
    for (const std::size_t p : widest_first()) placed[p] = place_count(p);
    std::vector<crowd::AgentSpec> all;
    for (std::vector<crowd::AgentSpec>& part : placed)
      all.insert(all.end(), std::move_iterator(part.begin()), std::move_iterator(part.end()));
    return std::move(problems_).result(std::move(all), setup_.scenario->source);
  }

 private:
  /// Populations with a count: wide bodies find no place between narrow ones, but narrow ones do between wide ones.
  [[nodiscard]] std::vector<std::size_t> widest_first() const {
    const Scenario& scenario = *setup_.scenario;
    std::vector<std::size_t> order;
    for (std::size_t p = 0; p < scenario.populations.size(); ++p)
      if (std::holds_alternative<Count>(scenario.populations[p].who)) order.push_back(p);
    const auto radius = [&](std::size_t p) {
      return typical_radius(scenario.profiles[scenario.populations[p].profile]);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return radius(a) > radius(b); });
    return order;
  }

  static constexpr std::uint32_t attempts = 60;  ///< at a place of one's own before the ground counts as dense

  std::vector<crowd::AgentSpec> place_rows(std::size_t p) {
    const auto& rows = std::get<Positions>(setup_.scenario->populations[p].who).rows;
    std::vector<crowd::AgentSpec> people;
    std::size_t overlapping = 0, first = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      crowd::AgentSpec person = people_.draw(p, std::uint32_t(i));
      const navmesh::Place& place = setup_.populations[p].positions[i].place;
      if (!occupancy_.clear_of_walls(place, person.radius))
        problems_.error(ProblemCode::value, rows[i].place.pointer,
                        fmt::format("a body of radius {:g} at ({:g}, {:g}) would stand in a wall", person.radius,
                                    place.point.x, place.point.y));
      if (occupancy_.overlaps_anybody(place, person.radius, 0) && overlapping++ == 0) first = i;
      occupancy_.add(place, person.radius);
      people_.put(person, place);
      people.push_back(std::move(person));
    }
    if (overlapping > 0)
      problems_.warning(ProblemCode::value, rows[first].place.pointer,
                        fmt::format("{} of {} people overlap others, this one first", overlapping, rows.size()));
    return people;
  }

  std::vector<crowd::AgentSpec> place_count(std::size_t p) {
    const std::size_t count = std::get<Count>(setup_.scenario->populations[p].who).people;
    std::vector<crowd::AgentSpec> people;
    people.reserve(count);
    for (std::size_t i = 0; i < count; ++i) people.push_back(people_.draw(p, std::uint32_t(i)));
    std::vector<navmesh::Place> places = draw_places(p, people);
    if (places.size() < count) {
      const std::size_t drawn = places.size();
      occupancy_.remove_last(drawn);
      places = pack(p, people);
      if (places.size() < count) complain(p, people, std::max(drawn, places.size()));
    }
    for (std::size_t i = 0; i < places.size(); ++i) people_.put(people[i], places[i]);
    people.resize(places.size());
    return people;
  }

  static constexpr int most_tight_turns = 16;

  /// One after the other; ends with the first who finds no place.
  std::vector<navmesh::Place> draw_places(std::size_t p, const std::vector<crowd::AgentSpec>& people) {
    std::vector<navmesh::Place> places;
    for (const crowd::AgentSpec& person : people) {
      const std::size_t before = places.size();
      for (std::uint32_t attempt = 0; attempt < attempts && places.size() == before; ++attempt) {
        const navmesh::Place place = people_.candidate(p, person.number, 0, attempt);
        if (!occupancy_.fits(place, person.radius, placing_gap)) continue;
        occupancy_.add(place, person.radius);
        places.push_back(place);
      }
      if (places.size() == before) break;
    }
    return places;
  }

  /// On a lattice as wide as the number allows, filled up with the small ones where it is full.
  std::vector<navmesh::Place> pack(std::size_t p, const std::vector<crowd::AgentSpec>& people) {
    double largest = 0;
    for (const crowd::AgentSpec& person : people) largest = std::max(largest, person.radius);
    const goals::Area& area = setup_.areas[setup_.populations[p].start];
    const double tightest = 2 * largest + placing_gap;
    // The spacing at which that many cells of the lattice have the area's size; borders take some of it.
    double spacing = std::sqrt(area.square_metres() * 2 / (std::sqrt(3.0) * double(people.size())));
    std::vector<navmesh::Place> best;
    int tight_turns = 0;  // lattices of the tightest spacing differ in where they begin
    for (std::uint32_t turn = 0; best.size() < people.size() && tight_turns < most_tight_turns; ++turn) {
      if (spacing <= tightest) ++tight_turns;
      std::vector<navmesh::Place> slots = lattice(p, std::max(spacing, tightest), largest, turn);
      if (slots.size() > best.size()) best = std::move(slots);
      spacing *= 0.97;
    }
    return assigned(p, people, std::move(best));
  }

  /// Free slots of a jittered hexagonal lattice over the area's box, in order of their rows.
  std::vector<navmesh::Place> lattice(std::size_t p, double spacing, double radius, std::uint32_t turn) {
    const goals::Area& area = setup_.areas[setup_.populations[p].start];
    RandomStream stream = stream_for(people_.seed(), setup_.scenario->populations[p], Purpose::lattice, turn);
    const Vec2 shift{stream.uniform(0, spacing), stream.uniform(0, spacing)};
    // Neighbours come nearer by at most twice this, in each coordinate: sqrt(2) covers the diagonal.
    const double free = std::max(0.0, spacing - 2 * radius - placing_gap) / (2 * std::sqrt(2.0));
    const double row_height = spacing * std::sqrt(3.0) / 2;
    std::vector<navmesh::Place> slots;
    for (const goals::Area::Extent& extent : area.extents()) {
      const auto first = std::int64_t(std::floor((extent.low.y - shift.y) / row_height));
      for (std::int64_t row = first; double(row) * row_height + shift.y <= extent.high.y; ++row) {
        const double offset = shift.x + (row % 2 != 0 ? spacing / 2 : 0);
        const auto left = std::int64_t(std::floor((extent.low.x - offset) / spacing));
        for (std::int64_t i = left; double(i) * spacing + offset <= extent.high.x; ++i) {
          const Vec2 jitter{stream.uniform(-free, free), stream.uniform(-free, free)};
          const Vec2 at{double(i) * spacing + offset, double(row) * row_height + shift.y};
          const navmesh::Place place{at + jitter, extent.layer};
          if (area.contains(place) && occupancy_.fits(place, radius, placing_gap)) slots.push_back(place);
        }
      }
    }
    return slots;
  }

  /// A random choice of the slots, one for each; then whoever is left looks for gaps.
  std::vector<navmesh::Place> assigned(std::size_t p, const std::vector<crowd::AgentSpec>& people,
                                       std::vector<navmesh::Place> slots) {
    RandomStream stream = stream_for(people_.seed(), setup_.scenario->populations[p], Purpose::lattice, 0, 1);
    for (std::size_t i = slots.size(); i > 1; --i) std::swap(slots[i - 1], slots[stream.below(std::uint32_t(i))]);
    slots.resize(std::min(slots.size(), people.size()));
    for (std::size_t i = 0; i < slots.size(); ++i) occupancy_.add(slots[i], people[i].radius);
    while (slots.size() < people.size()) {
      const crowd::AgentSpec& person = people[slots.size()];
      const std::size_t before = slots.size();
      for (std::uint32_t attempt = 0; attempt < attempts && slots.size() == before; ++attempt) {
        const navmesh::Place place = people_.candidate(p, person.number, 1, attempt);
        if (!occupancy_.fits(place, person.radius, placing_gap)) continue;
        occupancy_.add(place, person.radius);
        slots.push_back(place);
      }
      if (slots.size() == before) break;
    }
    return slots;
  }

  void complain(std::size_t p, const std::vector<crowd::AgentSpec>& people, std::size_t fit) {
    const PopulationSpec& population = setup_.scenario->populations[p];
    const double area = setup_.areas[setup_.populations[p].start].square_metres();
    double covered = 0;
    for (const crowd::AgentSpec& person : people) covered += person.radius * person.radius * 3.14159265358979;
    problems_.error(
        ProblemCode::value, fmt::format("{}: {}", setup_.scenario->source, population.start->pointer),
        fmt::format(
            "population {} does not fit: {} of {} people found a place on {:.1f} square metres ({:.2f} persons a "
            "square metre asked for, bodies on {:.0f} % of the ground; others may stand there too)",
            in_quotes(population.name), fit, people.size(), area, double(people.size()) / area, 100 * covered / area));
  }

  const People& people_;
  const Setup& setup_;
  Occupancy occupancy_;
  environment::ProblemList problems_;
};

}  // namespace

Result<std::vector<crowd::AgentSpec>> populate(const People& people) { return Placer(people).run(); }

}  // namespace throng::scenario
