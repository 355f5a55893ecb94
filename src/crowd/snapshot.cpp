// The whole state of a crowd as bytes, and back. Methods are stored by name and numbers by value, so that a snapshot outlives new
// methods and parameters of others. Where people are in memory is not stored: nothing depends on it.
#include <fmt/format.h>

#include <map>

#include "crowd/state.hpp"

namespace throng::crowd {

namespace {

using geometry::ArchiveReader;
using geometry::ArchiveWriter;

Problem damaged(std::string what) { return {Severity::error, ProblemCode::value, "snapshot", std::move(what)}; }

void put_place(ArchiveWriter& out, const navmesh::Place& place) {
  out.put(place.point);
  out.put(place.layer);
}

navmesh::Place get_place(ArchiveReader& in) {
  navmesh::Place place;
  in.get(place.point);
  in.get(place.layer);
  return place;
}

void put_itinerary(ArchiveWriter& out, const goals::Itinerary& itinerary) {
  out.put(itinerary.at_last);
  out.put_list(itinerary.goals, [&](const goals::Goal& goal) {
    put_place(out, goal.point);
    out.put(goal.radius);
    out.put_list(goal.areas);
    out.put(goal.wait);
  });
}

goals::ItineraryPtr get_itinerary(ArchiveReader& in) {
  auto itinerary = std::make_shared<goals::Itinerary>();
  in.get(itinerary->at_last);
  in.get_list(itinerary->goals, 44, [&] {
    goals::Goal goal;
    goal.point = get_place(in);
    in.get(goal.radius);
    in.get_list(goal.areas);
    in.get(goal.wait);
    return goal;
  });
  return itinerary;
}

/// Itineraries are shared by many: each is stored once, and people have its number, from 1 on.
class Itineraries {
 public:
  std::uint32_t number_of(const goals::ItineraryPtr& itinerary) {
    if (!itinerary) return 0;
    const auto [entry, is_new] = numbers_.try_emplace(itinerary.get(), std::uint32_t(list_.size() + 1));
    if (is_new) list_.push_back(itinerary.get());
    return entry->second;
  }
  [[nodiscard]] const std::vector<const goals::Itinerary*>& list() const { return list_; }

 private:
  std::map<const goals::Itinerary*, std::uint32_t> numbers_;
  std::vector<const goals::Itinerary*> list_;
};

}  // namespace

/// What set_traits() and put() are given, as far as it must be kept.
AgentSpec Crowd::State::spec_of(Slot slot) const {
  const Traits& t = traits[slot];
  AgentSpec spec;
  spec.place = {position[slot], layer[slot]};
  spec.heading = heading[slot];
  spec.radius = radius[slot];
  spec.speed = t.speed;
  spec.route = routes::RouteMethod(t.route_method);
  spec.route_clearance = t.route_clearance;
  spec.stairs_up = double(t.stairs_up);
  spec.stairs_down = double(t.stairs_down);
  const agents::MethodInfo& follow = following::followers()[methods[slot].follow]->info();
  const agents::MethodInfo& avoid = steering::avoiders()[methods[slot].avoid]->info();
  spec.follow = {std::string(follow.name), follow_numbers.numbers(follow_block[slot], follow.parameters.size())};
  spec.avoid = {std::string(avoid.name), avoid_numbers.numbers(avoid_block[slot], avoid.parameters.size())};
  const double* weights = weight_table.row(weights_row[slot]);
  spec.weights.assign(weights, weights + weight_table.types);
  spec.population = t.population;
  spec.profile = t.profile;
  spec.draws = t.draws;
  spec.number = t.number;
  return spec;
}

void Crowd::State::save_person(ArchiveWriter& out, Slot slot, std::uint32_t itinerary) const {
  const AgentSpec spec = spec_of(slot);
  out.put(serial[slot]);
  put_place(out, spec.place);
  out.put(heading[slot]), out.put(velocity[slot]), out.put(walking[slot]), out.put(preferred[slot]);
  out.put(cell[slot]), out.put(clearance[slot]);
  out.put(spec.radius), out.put(spec.speed), out.put(spec.route), out.put(spec.route_clearance);
  out.put(spec.stairs_up), out.put(spec.stairs_down);
  out.put(spec.follow.name), out.put_list(spec.follow.parameters);
  out.put(spec.avoid.name), out.put_list(spec.avoid.parameters);
  out.put_list(spec.weights);
  out.put(spec.population), out.put(spec.profile), out.put(spec.draws), out.put(spec.number);
  out.put(activity[slot]);
  const Errand& e = errand[slot];
  out.put(itinerary), out.put(e.goal), out.put(e.area);
  put_place(out, target[slot]);
  out.put(e.until);
  out.put(asked[slot]), out.put(memory[slot].reference), out.put(memory[slot].attraction);
  route[slot].save(out);
  // Fields are made anew: goal and radius tell which.
  out.put(field[slot] && activity[slot] == Activity::walking ? field[slot]->radius() : 0.0);
}

void Crowd::save(ArchiveWriter& out) const {
  const State& s = *state_;
  Itineraries itineraries;
  for (const Slot slot : s.order) itineraries.number_of(s.errand[slot].itinerary);
  out.put(s.world->environment.hash());
  out.put(std::uint64_t(s.areas.size()));
  out.put(s.options.seed), out.put(s.time), out.put(s.steps), out.put(s.last_serial);
  out.put_list(s.handles.generations());
  out.put_list(s.handles.free());
  out.put_list(itineraries.list(), [&](const goals::Itinerary* itinerary) { put_itinerary(out, *itinerary); });
  out.put_list(s.order, [&](Slot slot) {
    out.put(s.handle[slot]);
    s.save_person(out, slot, itineraries.number_of(s.errand[slot].itinerary));
  });
  out.put_list(s.requests, [&](const Request& request) {
    out.put(request.handle), out.put(request.serial), out.put(request.asked);
  });
}

/// Empty, or what is wrong with the person.
std::string Crowd::State::load_person(ArchiveReader& in, Slot slot,
                                      const std::vector<goals::ItineraryPtr>& itineraries) {
  AgentSpec spec;
  in.get(serial[slot]);
  spec.place = get_place(in);
  in.get(spec.heading), in.get(velocity[slot]), in.get(walking[slot]), in.get(preferred[slot]);
  in.get(cell[slot]), in.get(clearance[slot]);
  in.get(spec.radius), in.get(spec.speed), in.get(spec.route), in.get(spec.route_clearance);
  in.get(spec.stairs_up), in.get(spec.stairs_down);
  in.get(spec.follow.name), in.get_list(spec.follow.parameters);
  in.get(spec.avoid.name), in.get_list(spec.avoid.parameters);
  in.get_list(spec.weights);
  in.get(spec.population), in.get(spec.profile), in.get(spec.draws), in.get(spec.number);
  in.get(activity[slot]);
  const auto itinerary = in.get<std::uint32_t>();
  Errand& e = errand[slot];
  in.get(e.goal), in.get(e.area);
  target[slot] = get_place(in);
  in.get(e.until);
  in.get(asked[slot]), in.get(memory[slot].reference), in.get(memory[slot].attraction);
  if (!route[slot].load(in, Index(world->mesh->layers.size()))) return "a route is damaged";
  const auto field_radius = in.get<double>();
  if (in.failed()) return "it ends early";
  if (std::string why = misfit_of(spec, weight_table.types); !why.empty()) return why;
  const bool sound = spec.route <= routes::RouteMethod::voronoi_sites && activity[slot] <= Activity::steered &&
                     itinerary <= itineraries.size() && cell[slot] < world->mesh->cell_count() &&
                     spec.place.layer < world->mesh->layers.size() && (e.area == none || e.area < areas.size()) &&
                     (target[slot].layer == none || target[slot].layer < world->mesh->layers.size());
  if (!sound) return "a number is out of its range";
  if (itinerary > 0) e.itinerary = itineraries[itinerary - 1];
  const bool has_goal = e.itinerary && e.goal < e.itinerary->goals.size();
  const bool needs_goal = activity[slot] == Activity::walking || activity[slot] == Activity::waiting ||
                          activity[slot] == Activity::planning || activity[slot] == Activity::lost;
  if (needs_goal && !has_goal) return "somebody walks without a goal";
  if (has_goal && activity[slot] == Activity::walking && !e.itinerary->goals[e.goal].areas.empty() && e.area == none)
    return "somebody walks to no area";
  if (field_radius != 0) {
    const bool fits = field_radius == spec.radius || field_radius == FlowFields::class_of(spec.radius);
    if (!has_goal || !fits) return "somebody walks along a field that is not theirs";
    const FlowFields::Wish wish{&e.itinerary->goals[e.goal], field_radius};
    fields.make(*world, areas, {&wish, 1}, executor);
    field[slot] = fields.find(wish);
  }
  present[slot] = 1;
  handles.move(handle[slot], slot);
  heading[slot] = spec.heading;
  set_traits(slot, spec);
  position[slot] = spec.place.point;
  layer[slot] = spec.place.layer;
  order.push_back(slot);
  return {};
}

Result<std::size_t> Crowd::load(ArchiveReader& in) {
  State& s = *state_;
  if (!s.present.empty()) return damaged("only an empty crowd can take one");
  if (in.get<std::uint64_t>() != s.world->environment.hash() && !in.failed())
    return damaged("it was made in another environment");
  if (in.get<std::uint64_t>() != s.areas.size()) return damaged("it was made with other areas");
  in.get(s.options.seed), in.get(s.time), in.get(s.steps), in.get(s.last_serial);
  std::vector<std::uint32_t> generation;
  in.get_list(generation);
  std::vector<Index> free_handles;
  in.get_list(free_handles);
  std::vector<goals::ItineraryPtr> itineraries;
  in.get_list(itineraries, 9, [&] { return get_itinerary(in); });
  for (const goals::ItineraryPtr& itinerary : itineraries)
    if (std::string why = misfit_of(itinerary, s.areas.size()); !why.empty()) return damaged(why);
  if (in.failed()) return damaged("it ends early");
  const std::size_t handles = generation.size();
  for (const Index handle : free_handles)
    if (handle >= handles) return damaged("a free place is out of its range");
  s.handles.restore(std::move(generation), free_handles);
  std::string wrong;
  std::vector<Slot> people;
  in.get_list(people, 100, [&] {
    const auto handle = in.get<Index>();
    const auto slot = Slot(s.present.size());
    s.grow_to(slot + 1);
    s.handle[slot] = handle;
    if (handle >= handles || s.handles.slot(handle) != none) {
      wrong = "a person is twice in it";
      in.fail();
    } else if (std::string why = s.load_person(in, slot, itineraries); !why.empty()) {
      wrong = std::move(why);
      in.fail();
    }
    return slot;
  });
  if (!wrong.empty()) return damaged(wrong);
  std::vector<Request> requests;
  in.get_list(requests, 16, [&] {
    Request request;
    in.get(request.handle), in.get(request.serial), in.get(request.asked);
    return request;
  });
  if (in.failed()) return damaged("it ends early");
  for (const Request& request : requests)
    if (request.handle >= handles) return damaged("a request is out of its range");
  s.requests.assign(requests.begin(), requests.end());
  for (const Index handle : free_handles)
    if (s.handles.slot(handle) != none) return damaged("a free place is not free");
  if (free_handles.size() + s.order.size() != handles) return damaged("places are missing");
  if (const Problems problems = validate(); !problems.empty()) return damaged(to_string(problems.front()));
  return s.order.size();
}

}  // namespace throng::crowd
