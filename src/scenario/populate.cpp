#include "scenario/populate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "geometry/elementary.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"
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
  changed_weights_.resize(setup.scenario->profiles.size());
  shared_.resize(populations.size());
  shared_routes_.resize(populations.size());
  for (std::size_t i = 0; i < populations.size(); ++i) {
    companies_.emplace_back(populations[i], seed);
    if (is_shared(populations[i])) shared_[i] = itinerary(i, 0);
    const Number& radius = setup.scenario->profiles[populations[i].profile].radius;
    if (radius.is_constant()) shared_routes_[i] = given_route(i, radius.mean());
  }
}

void People::set_weights(std::size_t profile, const std::map<std::string, WeightSpec>& weights) {
  for (const auto& [type, weight] : weights) changed_weights_[profile].insert_or_assign(type, weight);
}

crowd::AgentSpec People::draw(std::size_t p, std::uint32_t number) const {
  return draw_member(p, number, companies_[p].of(number));
}

std::size_t People::profile_of(std::size_t p, const Company::Place& company) const {
  const PopulationSpec& population = setup_.scenario->populations[p];
  const bool has_members = population.groups && !population.groups->members.empty();
  return has_members ? population.groups->members[company.place % population.groups->members.size()]
                     : population.profile;
}

Drawn People::drawn(std::size_t p, std::uint32_t number) const {
  return drawn_of(p, number, setup_.scenario->profiles[profile_of(p, companies_[p].of(number))]);
}

Drawn People::drawn_of(std::size_t p, std::uint32_t number, const ProfileSpec& profile) const {
  Drawn all;
  for (const auto& [name, what] : profile.drawn) {
    RandomStream stream =
        stream_for(seed_, setup_.scenario->populations[p], Purpose::drawn, number, agents::step_of(name));
    all[name] = what.draw(stream);
  }
  return all;
}

crowd::AgentSpec People::draw_member(std::size_t p, std::uint32_t number, const Company::Place& company) const {
  const PopulationSpec& population = setup_.scenario->populations[p];
  const std::size_t profile_number = profile_of(p, company);
  const ProfileSpec& profile = setup_.scenario->profiles[profile_number];
  const Drawn drawn = drawn_of(p, number, profile);
  const auto value = [&](const Number& what, Purpose purpose, std::uint32_t step = 0) {
    if (what.is_constant()) return what.mean();
    RandomStream stream = stream_for(seed_, population, purpose, number, step);
    return what.draw(stream, drawn);
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
  if (profile.premovement.is_constant()) {
    person.premovement = profile.premovement.mean();
  } else {
    RandomStream stream = stream_for(seed_, population, Purpose::premovement, company.first);
    person.premovement = profile.premovement.draw(stream, drawn);
  }
  person.stairs_up = value(profile.stairs_up, Purpose::stairs_up);
  person.stairs_down = value(profile.stairs_down, Purpose::stairs_down);
  if (setup_.world->regions && !setup_.world->regions->empty()) {
    const ground::GroundKinds& kinds = setup_.world->regions->kinds();
    std::map<std::string, GroundWeight> weights;
    for (const auto& [type, weight] : profile.weights)
      weights[type] = weight.at(value(weight.across, Purpose::weight, agents::step_of(type)));
    for (const auto& [type, weight] : changed_weights_[population.profile])
      weights[type] = weight.at(weight.across.mean());
    person.weights = ground::row_of(kinds, weights);
  }
  person.itinerary = shared_[p] ? shared_[p] : itinerary(p, company.first);
  person.population = Index(p);
  person.draws = population.draw_key;
  person.profile = Index(profile_number);
  person.number = number;
  return person;
}

crowd::GroupSpec People::group(std::size_t p, std::uint32_t number) const {
  const PopulationSpec& population = setup_.scenario->populations[p];
  const MethodSpec& method = population.groups->method;
  crowd::GroupSpec spec{{method.name, {}}};
  for (std::size_t i = 0; i < method.parameters.size(); ++i) {
    RandomStream stream = stream_for(seed_, population, Purpose::group_number, number,
                                     agents::step_of(method.name + "/" + method.names[i]));
    spec.method.parameters.push_back(method.parameters[i].draw(stream));
  }
  return spec;
}

double People::personal_distance(std::size_t p, std::uint32_t number) const {
  const crowd::GroupSpec spec = group(p, number);
  const steering::GroupMethod* method = steering::find_group_method(spec.method.name);
  return method->rules(spec.method.parameters.data(), 2).personal_space;
}

navmesh::Place People::beside(std::size_t p, std::uint32_t number, std::uint32_t step, std::uint32_t attempt,
                              const navmesh::Place& other, double least, double most) const {
  RandomStream stream = stream_for(seed_, setup_.scenario->populations[p], Purpose::member_place, number, step);
  for (std::uint32_t i = 0; i < 4 * attempt; ++i) stream.word();
  // Even over the ring.
  const double turn = stream.unit(), part = stream.unit();
  const double far = std::sqrt(least * least + part * (most * most - least * least));
  return {other.point + geometry::unit_direction(turn) * far, other.layer};
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
    check_rows(p, people);
    if (overlapping > 0)
      problems_.warning(ProblemCode::value, rows[first].place.pointer,
                        fmt::format("{} of {} people overlap others, this one first", overlapping, rows.size()));
    return people;
  }

  /// Rows of one group have one goal, and ways between their places.
  void check_rows(std::size_t p, const std::vector<crowd::AgentSpec>& people) {
    if (!people_.company(p).any()) return;
    const auto& rows = std::get<Positions>(setup_.scenario->populations[p].who).rows;
    const std::vector<SetPosition>& set = setup_.populations[p].positions;
    const crowd::World& world = *setup_.world;
    const auto component = [&](std::size_t i) {
      const auto on_axis = navmesh::retract(*world.mesh, set[i].place);
      return on_axis && world.graph ? world.graph->component_of(on_axis->edge) : none;
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Company::Place company = people_.company(p).of(std::uint32_t(i));
      const std::size_t first = company.first;
      const std::string group = rows[i].group.empty() ? std::to_string(company.group) : rows[i].group;
      const auto complain_of = [&](std::string_view what) {
        problems_.error(ProblemCode::value, rows[i].place.pointer, fmt::format("group {}: {}", in_quotes(group), what));
      };
      if (company.place == steering::most_members)
        complain_of(fmt::format("{} members; at most {} are possible", company.size, steering::most_members));
      if (company.place == 0) continue;
      if (rows[i].goal && (set[i].goal.point != set[first].goal.point || set[i].goal.layer != set[first].goal.layer))
        complain_of("its members have different goals");
      if (component(i) != component(first)) complain_of("there is no way from this member to the first one");
    }
    for (std::size_t i = 0; i < people.size(); ++i) {
      const Company::Place company = people_.company(p).of(std::uint32_t(i));
      const crowd::GroupSpec spec = people_.group(p, company.group);
      const steering::GroupMethod* method = steering::find_group_method(spec.method.name);
      if (company.size > steering::most_members) continue;
      if (const std::string_view why =
              steering::misfit_of_group(*method, spec.method.parameters.data(), company.size, people[i].radius);
          !why.empty())
        problems_.error(ProblemCode::value, rows[i].place.pointer, std::string(why));
    }
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
      const Company::Place company = people_.company(p).of(person.number);
      if (company.place > 0) {
        if (!draw_beside(p, people, company, places)) break;
        continue;
      }
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

  /// A member beside the first of its group, or beside one that is placed already where that one is surrounded.
  bool draw_beside(std::size_t p, const std::vector<crowd::AgentSpec>& people, const Company::Place& company,
                   std::vector<navmesh::Place>& places) {
    const std::size_t i = places.size();
    const double personal = people_.personal_distance(p, company.group);
    for (std::size_t other = i - company.place; other < i; ++other)
      for (std::uint32_t attempt = 0; attempt < attempts; ++attempt) {
        const double touching = people[i].radius + people[other].radius + placing_gap;
        const navmesh::Place place = people_.beside(p, people[i].number, std::uint32_t(other), attempt, places[other],
                                                    touching, std::max(touching, personal + people[other].radius));
        if (!area_of(p).contains(place) || !occupancy_.fits(place, people[i].radius, placing_gap)) continue;
        if (!navmesh::visible(*setup_.world->mesh, places[other], place, 0)) continue;
        occupancy_.add(place, people[i].radius);
        places.push_back(place);
        return true;
      }
    return false;
  }
  [[nodiscard]] const goals::Area& area_of(std::size_t p) const { return setup_.areas[setup_.populations[p].start]; }

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
    if (people_.company(p).any()) together(p, people, slots);
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

  /// Neighbours of a lattice to members of one group: beside where a group's first stands, the nearest that are left.
  void together(std::size_t p, const std::vector<crowd::AgentSpec>& people, std::vector<navmesh::Place>& slots) {
    const std::size_t count = std::min(slots.size(), people.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Company::Place company = people_.company(p).of(people[i].number);
      if (company.place == 0) continue;
      const navmesh::Place first = slots[i - company.place];
      std::size_t best = i;
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t k = i; k < slots.size(); ++k) {
        const double apart = squared_length(slots[k].point - first.point);
        if (slots[k].layer != first.layer || apart >= nearest) continue;
        if (!navmesh::visible(*setup_.world->mesh, first, slots[k], 0)) continue;
        best = k, nearest = apart;
      }
      std::swap(slots[i], slots[best]);
    }
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
