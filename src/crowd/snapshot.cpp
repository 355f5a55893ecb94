// The whole state of a crowd as bytes, and back: the columns of everybody in order of serials, methods by name and numbers by value, and
// what people share once. Where people are in memory is not stored: nothing depends on it.
#include <fmt/format.h>

#include <map>

#include "crowd/state.hpp"

namespace throng::crowd {

namespace {

using geometry::ArchiveReader;
using geometry::ArchiveWriter;

/// Of these bytes. Others are refused.
constexpr std::uint32_t snapshot_version = 1;

Problem damaged(std::string what) { return {Severity::error, ProblemCode::value, "snapshot", std::move(what)}; }

/// Lists members once for both directions.
struct Put {
  ArchiveWriter& out;
  template <class... T>
  void operator()(const T&... values) const {
    (out.put(values), ...);
  }
};
struct Get {
  ArchiveReader& in;
  template <class... T>
  void operator()(T&... values) const {
    (in.get(values), ...);
  }
};

template <class Archive, class Place>
void archive_place(const Archive& archive, Place& place) {
  archive(place.point, place.layer);
}

template <class Archive, class Of>
void archive_traits(const Archive& archive, Of& t) {
  archive(t.speed, t.stairs_up, t.stairs_down, t.population, t.profile, t.draws, t.number);
}

template <class Archive, class Goal>
void archive_goal(const Archive& archive, Goal& goal) {
  archive_place(archive, goal.point);
  archive(goal.radius, goal.wait);
}

void put_itinerary(ArchiveWriter& out, const goals::Itinerary& itinerary) {
  out.put(itinerary.at_last);
  out.put_list(itinerary.goals, [&](const goals::Goal& goal) {
    archive_goal(Put{out}, goal);
    out.put_list(goal.areas);
  });
}

goals::ItineraryPtr get_itinerary(ArchiveReader& in) {
  auto itinerary = std::make_shared<goals::Itinerary>();
  in.get(itinerary->at_last);
  in.get_list(itinerary->goals, 44, [&] {
    goals::Goal goal;
    archive_goal(Get{in}, goal);
    in.get_list(goal.areas);
    return goal;
  });
  return itinerary;
}

}  // namespace

/// What many people share is stored once, and people have its number, from 1 on.
class Crowd::State::Shared {
 public:
  std::uint32_t number_of(const goals::ItineraryPtr& itinerary) {
    if (!itinerary) return 0;
    const auto [entry, is_new] = numbers_.try_emplace(itinerary.get(), std::uint32_t(itineraries.size() + 1));
    if (is_new) itineraries.push_back(itinerary);
    return entry->second;
  }
  std::uint32_t number_of_row(Index row) {
    const auto [entry, is_new] = rows_.try_emplace(row, std::uint32_t(rows.size()));
    if (is_new) rows.push_back(row);
    return entry->second;
  }

  std::vector<goals::ItineraryPtr> itineraries;
  std::vector<Index> rows;  ///< of the weight table

 private:
  std::map<const goals::Itinerary*, std::uint32_t> numbers_;
  std::map<Index, std::uint32_t> rows_;
};

/// How columns are written whose values mean something only here.
void Crowd::State::set_codecs() {
  traits.set_codec({[](ArchiveWriter& out, const Traits& t, Slot) { archive_traits(Put{out}, t); },
                    [](ArchiveReader& in, Traits& t, Slot) { archive_traits(Get{in}, t); }});
  target.set_codec({[](ArchiveWriter& out, const navmesh::Place& place, Slot) { archive_place(Put{out}, place); },
                    [](ArchiveReader& in, navmesh::Place& place, Slot) { archive_place(Get{in}, place); }});
  memory.set_codec(
      {[](ArchiveWriter& out, const following::FollowMemory& m, Slot) { Put{out}(m.reference, m.attraction); },
       [](ArchiveReader& in, following::FollowMemory& m, Slot) { Get{in}(m.reference, m.attraction); }});
  errand.set_codec({[this](ArchiveWriter& out, const Errand& e, Slot) {
                      Put{out}(sharing->number_of(e.itinerary), e.goal, e.area, e.until);
                    },
                    [this](ArchiveReader& in, Errand& e, Slot) {
                      std::uint32_t itinerary = 0;
                      Get{in}(itinerary, e.goal, e.area, e.until);
                      if (itinerary > sharing->itineraries.size()) return in.fail();
                      if (itinerary > 0) e.itinerary = sharing->itineraries[itinerary - 1];
                    }});
  weights_row.set_codec({[this](ArchiveWriter& out, Index row, Slot) { out.put(sharing->number_of_row(row)); },
                         [this](ArchiveReader& in, Index& row, Slot) {
                           const auto number = in.get<std::uint32_t>();
                           if (number >= sharing->rows.size()) return in.fail();
                           row = sharing->rows[number];
                         }});
  route.set_codec({[](ArchiveWriter& out, const routes::PackedRoute& r, Slot) { r.save(out); },
                   [this](ArchiveReader& in, routes::PackedRoute& r, Slot) {
                     if (!r.load(in, Index(world->mesh->layers.size()))) in.fail();
                   }});
  // Fields are made anew: goal and radius tell which.
  field.set_codec({[this](ArchiveWriter& out, const FlowFieldPtr& f, Slot slot) {
                     out.put(f && activity[slot] == Activity::walking ? f->radius() : 0.0);
                   },
                   [this](ArchiveReader& in, FlowFieldPtr& f, Slot slot) {
                     const auto field_radius = in.get<double>();
                     if (field_radius == 0) return;
                     const Errand& e = errand[slot];
                     const bool fits =
                         field_radius == radius[slot] || field_radius == FlowFields::class_of(radius[slot]);
                     if (!e.itinerary || e.goal >= e.itinerary->goals.size() || !fits) return in.fail();
                     const FlowFields::Wish wish{&e.itinerary->goals[e.goal], field_radius};
                     fields.make(*world, areas, {&wish, 1}, executor);
                     f = fields.find(wish);
                   }});
}

void Crowd::save(ArchiveWriter& out) const {
  State& s = *state_;
  State::Shared shared;
  for (const Slot slot : s.order) shared.number_of(s.errand[slot].itinerary), shared.number_of_row(s.weights_row[slot]);
  out.put(snapshot_version);
  out.put(s.world->environment.hash());
  out.put(std::uint64_t(s.areas.size()));
  out.put(s.options.seed), out.put(s.time), out.put(s.steps), out.put(s.last_serial);
  out.put_list(s.handles.generations());
  out.put_list(s.handles.free());
  out.put_list(shared.itineraries, [&](const goals::ItineraryPtr& itinerary) { put_itinerary(out, *itinerary); });
  out.put_list(shared.rows, [&](Index row) {
    const double* weights = s.weight_table.row(row);
    out.put_list(std::vector<double>(weights, weights + s.weight_table.types));
  });
  out.put(std::uint64_t(s.order.size()));
  for (LevelUse& use : s.levels) use.save(out, s.order);
  s.sharing = &shared;
  s.store.save(out, s.order);
  s.sharing = nullptr;
  out.put_list(s.requests, [&](const Request& request) {
    out.put(request.handle), out.put(request.serial), out.put(request.asked);
  });
}

/// Empty, or what is wrong with a person whose columns came from elsewhere.
std::string Crowd::State::unsound(Slot slot) const {
  const Errand& e = errand[slot];
  const bool in_range = activity[slot] <= Activity::steered && cell[slot] < world->mesh->cell_count() &&
                        layer[slot] < world->mesh->layers.size() && (e.area == none || e.area < areas.size()) &&
                        (target[slot].layer == none || target[slot].layer < world->mesh->layers.size());
  if (!in_range) return "a number is out of its range";
  AgentSpec spec;
  spec.heading = heading[slot], spec.radius = radius[slot], spec.speed = traits[slot].speed;
  spec.stairs_up = double(traits[slot].stairs_up), spec.stairs_down = double(traits[slot].stairs_down);
  spec.draws = traits[slot].draws;
  if (std::string why = misfit_of(spec, weight_table.types, *methods); !why.empty()) return why;
  const bool has_goal = e.itinerary && e.goal < e.itinerary->goals.size();
  const bool needs_goal = activity[slot] == Activity::walking || activity[slot] == Activity::waiting ||
                          activity[slot] == Activity::planning || activity[slot] == Activity::lost;
  if (needs_goal && !has_goal) return "somebody walks without a goal";
  if (has_goal && activity[slot] == Activity::walking && !e.itinerary->goals[e.goal].areas.empty() && e.area == none)
    return "somebody walks to no area";
  return {};
}

/// Everybody's columns are there: takes them in, or says what is wrong with them.
std::string Crowd::State::check_loaded() {
  for (Slot slot = 0; slot < present.size(); ++slot) {
    if (handle[slot] >= handles.size() || handles.slot(handle[slot]) != none) return "a person is twice in it";
    if (std::string why = unsound(slot); !why.empty()) return why;
    handles.move(handle[slot], slot);
    present[slot] = 1;
    speed[slot] = traits[slot].speed;
    since_index.push_back(slot);
    order.push_back(slot);
  }
  return {};
}

Result<std::size_t> Crowd::load(ArchiveReader& in) {
  State& s = *state_;
  if (s.present.size() > 0) return damaged("only an empty crowd can take one");
  if (const auto version = in.get<std::uint32_t>(); version != snapshot_version && !in.failed())
    return damaged(fmt::format("it is of version {}, this program reads version {}", version, snapshot_version));
  if (in.get<std::uint64_t>() != s.world->environment.hash() && !in.failed())
    return damaged("it was made in another environment");
  if (in.get<std::uint64_t>() != s.areas.size() && !in.failed()) return damaged("it was made with other areas");
  in.get(s.options.seed), in.get(s.time), in.get(s.steps), in.get(s.last_serial);
  std::vector<std::uint32_t> generation;
  in.get_list(generation);
  std::vector<Index> free_handles;
  in.get_list(free_handles);
  State::Shared shared;
  in.get_list(shared.itineraries, 9, [&] { return get_itinerary(in); });
  for (const goals::ItineraryPtr& itinerary : shared.itineraries)
    if (std::string why = misfit_of(itinerary, s.areas.size()); !why.empty()) return damaged(why);
  std::string wrong;
  in.get_list(shared.rows, 8, [&] {
    std::vector<double> weights;
    in.get_list(weights);
    if (weights.size() != s.weight_table.types || std::ranges::any_of(weights, [](double w) { return !(w > 0); }))
      wrong = "region weights are damaged";
    return wrong.empty() ? s.weights_row_of(weights) : 0;
  });
  if (!wrong.empty()) return damaged(wrong);
  const std::size_t handles = generation.size();
  for (const Index handle : free_handles)
    if (handle >= handles) return damaged("a free place is out of its range");
  const auto people = in.get<std::uint64_t>();
  if (in.failed()) return damaged("it ends early");
  if (free_handles.size() + people != handles) return damaged("places are missing");
  s.handles.restore(std::move(generation), free_handles);
  s.store.grow_to(people);
  std::vector<Slot> slots(people);
  std::iota(slots.begin(), slots.end(), Slot{0});
  for (LevelUse& use : s.levels)
    if (std::string why = use.load(in, slots); !why.empty()) return damaged(why);
  s.sharing = &shared;
  wrong = s.store.load(in, slots);
  s.sharing = nullptr;
  if (wrong.empty()) wrong = s.check_loaded();
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
  if (const Problems problems = validate(); !problems.empty()) return damaged(to_string(problems.front()));
  return s.order.size();
}

}  // namespace throng::crowd
