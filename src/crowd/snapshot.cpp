// The whole state of a crowd as bytes, and back: the columns of everybody in order of serials, methods by name and numbers by value, and
// what people share once. Where people are in memory is not stored: nothing depends on it.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <unordered_map>

#include "crowd/state.hpp"
#include "routes/radius_rounding.hpp"

namespace throng::crowd {

namespace {

using geometry::ArchiveReader;
using geometry::ArchiveWriter;

/// Of these bytes. Others are refused.
constexpr std::uint32_t snapshot_version = 5;

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
  archive(goal.radius, goal.wait, goal.person, goal.quickest);
}

template <class Archive, class Of>
void archive_request(const Archive& archive, Of& r) {
  archive(r.handle, r.serial, r.asked, r.why, r.reason, r.work_at, r.answer_at);
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
  in.get_list(itinerary->goals, 53, [&] {
    goals::Goal goal;
    archive_goal(Get{in}, goal);
    in.get_list(goal.areas);
    return goal;
  });
  return itinerary;
}

}  // namespace

namespace {

void put_strategy(ArchiveWriter& out, const routes::Strategy& strategy) {
  const std::vector<routes::Decision> list(strategy.decisions().begin(), strategy.decisions().end());
  out.put_list(list, [&](const routes::Decision& d) { Put{out}(d.about, std::uint8_t(d.side)); });
}

void get_strategy(ArchiveReader& in, routes::Strategy& strategy) {
  std::vector<routes::Decision> list;
  in.get_list(list, 5, [&] {
    routes::Decision d;
    std::uint8_t side = 0;
    Get{in}(d.about, side);
    if (side > 1) in.fail();
    d.side = routes::Side(side & 1);
    return d;
  });
  for (const routes::Decision& d : list) strategy.set(d);
}

void put_about(ArchiveWriter& out, const ToldThought& about) {
  put_strategy(out, about.told), put_strategy(out, about.because);
  Put{out}(about.closed, std::uint8_t(about.at_once));
}

ToldThought get_about(ArchiveReader& in, const navmesh::Obstacles& obstacles) {
  ToldThought about;
  get_strategy(in, about.told), get_strategy(in, about.because);
  std::uint8_t at_once = 0;
  Get{in}(about.closed, at_once);
  if (at_once > 1) in.fail();
  about.at_once = at_once != 0;
  const auto is_beyond = [&](const routes::Decision& d) { return d.about >= obstacles.count(); };
  if (std::ranges::any_of(about.told.decisions(), is_beyond) ||
      std::ranges::any_of(about.because.decisions(), is_beyond) ||
      (about.closed != none && about.closed >= obstacles.passage_count()))
    in.fail();
  return about;
}

}  // namespace

namespace {

void put_block(ArchiveWriter& out, const JamBlock& block) {
  out.put_list(block.squares, [&](const fields::Square& s) { Put{out}(s.column, s.row, s.layer); });
  Put{out}(block.velocity, block.seen);
}

JamBlockPtr get_block(ArchiveReader& in, const navmesh::Mesh& mesh) {
  auto block = std::make_shared<JamBlock>();
  bool sound = true;
  in.get_list(block->squares, 12, [&] {
    fields::Square s;
    Get{in}(s.column, s.row, s.layer);
    sound = sound && s.layer < mesh.layers.size() && (block->squares.empty() || block->squares.back() < s);
    return s;
  });
  Get{in}(block->velocity, block->seen);
  if (!sound || !std::isfinite(squared_length(block->velocity)) || !std::isfinite(block->seen)) in.fail();
  return block;
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
  std::uint32_t number_of(const routes::PlannedRoutePtr& route) {
    if (!route) return 0;
    const auto [entry, is_new] = route_numbers_.try_emplace(route.get(), std::uint32_t(routes.size() + 1));
    if (is_new) routes.push_back(route);
    return entry->second;
  }
  std::uint32_t number_of_row(Index row) {
    const auto [entry, is_new] = rows_.try_emplace(row, std::uint32_t(rows.size()));
    if (is_new) rows.push_back(row);
    return entry->second;
  }

  std::uint32_t number_of_traveller(Index traveller) {
    const auto [entry, is_new] = traveller_numbers_.try_emplace(traveller, std::uint32_t(travellers.size()));
    if (is_new) travellers.push_back(traveller);
    return entry->second;
  }

  std::uint32_t number_of(const JamBlockPtr& block) {
    const auto [entry, is_new] = block_numbers_.try_emplace(block.get(), std::uint32_t(blocks.size() + 1));
    if (is_new) blocks.push_back(block);
    return entry->second;
  }

  std::vector<goals::ItineraryPtr> itineraries;
  std::vector<JamBlockPtr> blocks;
  std::vector<Index> travellers;  ///< by the lowest serial of their members, from 0 on
  std::vector<routes::PlannedRoutePtr> routes;
  std::vector<Index> rows;                   ///< of the weight table, while it is saved
  std::vector<std::vector<double>> weights;  ///< in the rows, while they are loaded

 private:
  std::map<const goals::Itinerary*, std::uint32_t> numbers_;
  std::map<const routes::PlannedRoute*, std::uint32_t> route_numbers_;
  std::map<const JamBlock*, std::uint32_t> block_numbers_;
  std::map<Index, std::uint32_t> rows_;
  std::unordered_map<Index, std::uint32_t> traveller_numbers_;
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
  traveller.set_codec(
      {[this](ArchiveWriter& out, Index number, Slot) { out.put(sharing->number_of_traveller(number)); },
       [this](ArchiveReader& in, Index& number, Slot) {
         number = in.get<std::uint32_t>();
         if (number >= travellers.size()) number = 0, in.fail();
       }});
  weights_row.set_codec({[this](ArchiveWriter& out, Index row, Slot) { out.put(sharing->number_of_row(row)); },
                         [this](ArchiveReader& in, Index& row, Slot) {
                           const auto number = in.get<std::uint32_t>();
                           if (number >= sharing->weights.size()) return in.fail();
                           row = weights.take(sharing->weights[number]);
                         }});
  route.set_codec(
      {[this](ArchiveWriter& out, const routes::PlannedRoutePtr& r, Slot) { out.put(sharing->number_of(r)); },
       [this](ArchiveReader& in, routes::PlannedRoutePtr& r, Slot) {
         const auto number = in.get<std::uint32_t>();
         if (number > sharing->routes.size()) return in.fail();
         if (number > 0) r = sharing->routes[number - 1];
       }});
  // Fields are made anew: goal and radius tell which.
  field.set_codec({[this](ArchiveWriter& out, const FlowFieldPtr& f, Slot slot) {
                     out.put(f && activity[slot] == Activity::walking ? f->radius() : 0.0);
                   },
                   [this](ArchiveReader& in, FlowFieldPtr& f, Slot slot) {
                     const auto field_radius = in.get<double>();
                     if (field_radius == 0) return;
                     const Errand& e = errand_of(slot);
                     const bool fits =
                         field_radius == radius[slot] || field_radius == routes::radius_rounded_up(radius[slot]);
                     if (!e.itinerary || e.goal >= e.itinerary->goals.size() || !fits) return in.fail();
                     make_tables(slot);
                     goals::Goal goal = e.itinerary->goals[e.goal];
                     if (goal.quickest && e.area != none) goal.areas = {e.area};
                     const FlowFields::Wish wish{&goal, field_radius, weights_of_field(slot)};
                     fields.make(*world, areas, {&wish, 1}, executor, tables.ground.get());
                     f = fields.find(wish);
                   }});
}

agents::Codec<std::unique_ptr<DetourMind>> Crowd::State::detour_mind_codec() {
  agents::Codec<std::unique_ptr<DetourMind>> codec;
  codec.save = [this](ArchiveWriter& out, const std::unique_ptr<DetourMind>& own, Slot) {
    out.put(std::uint8_t(own ? 1 : 0));
    if (!own) return;
    out.put_list(own->memories, [&](const DetourMind::Memory& m) {
      Put{out}(sharing->number_of(m.block), m.at);
      archive_place(Put{out}, m.first), archive_place(Put{out}, m.last);
    });
    Put{out}(std::uint8_t(own->is_committed), own->committed_until, own->decision_left, std::uint8_t(own->is_away),
             own->joins_left, own->goal, own->last_search, own->local, own->global, own->back, own->fruitless,
             own->blocks, own->committed_time, own->last);
    archive_place(Put{out}, own->decision), archive_place(Put{out}, own->joins);
    out.put_list(own->way_left);
    out.put_list(own->eyes, [&](const DetourMind::Eye& eye) {
      archive_place(Put{out}, eye.place);
      out.put(eye.at);
    });
  };
  codec.load = [this](ArchiveReader& in, std::unique_ptr<DetourMind>& own, Slot) {
    if (in.get<std::uint8_t>() == 0) return;
    own = std::make_unique<DetourMind>();
    const std::size_t layers = world->mesh->layers.size();
    const auto is_place = [&](const navmesh::Place& p) {
      return (p.layer == none || p.layer < layers) && std::isfinite(squared_length(p.point));
    };
    bool sound = true;
    in.get_list(own->memories, 52, [&] {
      DetourMind::Memory m;
      std::uint32_t number = 0;
      Get{in}(number, m.at);
      archive_place(Get{in}, m.first), archive_place(Get{in}, m.last);
      const bool is_block = number > 0 && number <= sharing->blocks.size();
      sound = sound && is_block && is_place(m.first) && is_place(m.last) && std::isfinite(m.at);
      m.block = is_block ? sharing->blocks[number - 1] : std::make_shared<JamBlock>();
      return m;
    });
    std::uint8_t is_committed = 0, is_away = 0;
    Get{in}(is_committed, own->committed_until, own->decision_left, is_away, own->joins_left, own->goal,
            own->last_search, own->local, own->global, own->back, own->fruitless, own->blocks, own->committed_time,
            own->last);
    own->is_committed = is_committed != 0, own->is_away = is_away != 0;
    archive_place(Get{in}, own->decision), archive_place(Get{in}, own->joins);
    in.get_list(own->way_left);
    in.get_list(own->eyes, 24, [&] {
      DetourMind::Eye eye;
      archive_place(Get{in}, eye.place);
      in.get(eye.at);
      sound = sound && eye.place.layer < layers && is_place(eye.place) && std::isfinite(eye.at);
      return eye;
    });
    const std::size_t chains = world->graph->chains().size();
    sound = sound && is_place(own->decision) && is_place(own->joins) && std::size_t(own->last) < detour_kind_count &&
            !std::isnan(own->committed_until) && std::isfinite(own->decision_left + own->joins_left) &&
            std::isfinite(own->last_search + own->committed_time) &&
            std::ranges::all_of(own->way_left, [&](Index via) { return via / 2 < chains; });
    if (!sound) in.fail();
  };
  return codec;
}

void Crowd::save(ArchiveWriter& out) const {
  State& s = *state_;
  State::Shared shared;
  for (const Slot slot : s.order) {
    shared.number_of(s.errand_of(slot).itinerary);
    shared.number_of_traveller(s.traveller[slot]);
    shared.number_of(s.route[slot]);
    if (const DetourMind* mind = s.detour_mind(slot))
      for (const DetourMind::Memory& memory : mind->memories) shared.number_of(memory.block);
    if (s.groups) shared.number_of(s.groups->columns.way_to_leader[slot]);
    shared.number_of_row(s.weights_row[slot]);
  }
  for (const State::Thought& thought : s.thoughts) shared.number_of(thought.route);
  s.prepare_strategies();
  out.put(snapshot_version);
  out.put(s.world->environment.hash());
  out.put(std::uint64_t(s.areas.size()));
  Put{out}(s.options.seed, s.clock.base, s.clock.step, s.clock.steps, s.steps, s.last_serial);
  out.put_list(s.handles.generations());
  out.put_list(s.handles.free());
  out.put_list(shared.itineraries, [&](const goals::ItineraryPtr& itinerary) { put_itinerary(out, *itinerary); });
  out.put_list(shared.routes, [&](const routes::PlannedRoutePtr& route) { routes::save(*route, out); });
  out.put_list(shared.travellers, [&](Index number) {
    const Errand& e = s.travellers[number].errand;
    Put{out}(shared.number_of(e.itinerary), e.goal, e.area, e.until);
  });
  out.put_list(shared.rows, [&](Index row) { out.put_list(s.weights.row(row)); });
  out.put_list(shared.blocks, [&](const JamBlockPtr& block) { put_block(out, *block); });
  out.put(std::uint64_t(s.order.size()));
  for (LevelUse& use : s.levels) use.save(out, s.order);
  Put{out}(std::uint8_t(s.considered ? 1 : 0), std::uint8_t(s.stuck_clocks ? 1 : 0), std::uint8_t(s.jams ? 1 : 0),
           std::uint8_t(s.jams && s.jams->marks ? 1 : 0), std::uint8_t(s.strategies && s.strategies->kept ? 1 : 0));
  if (s.jams) s.jams->queues.save(out);
  const Detours::Wants wants = s.detours ? s.detours->wants : Detours::Wants{};
  Put{out}(std::uint8_t(s.detours ? 1 : 0), std::uint8_t(wants.kernel), std::uint8_t(wants.at_once),
           std::uint8_t(wants.predicts));
  s.sharing = &shared;
  s.store.save(out, s.order);
  s.save_groups(out);
  s.sharing = nullptr;
  const auto put_request = [&](const Request& r) { archive_request(Put{out}, r); };
  out.put_list(s.requests, put_request);
  out.put_list(s.thoughts, [&](const State::Thought& thought) {
    put_request(thought.request);
    Put{out}(std::uint8_t(thought.is_planned), shared.number_of(thought.route), thought.area);
    archive_place(Put{out}, thought.target);
    Put{out}(thought.closes.edge, thought.closes.along, thought.closes.until, std::uint8_t(thought.about ? 1 : 0));
    archive_place(Put{out}, thought.joins);
    if (thought.about) put_about(out, *thought.about);
  });
  s.strategy_totals.for_each([&](const StrategyTotals::Count& count) { out.put(std::uint64_t(count)); });
}

namespace {

template <class Archive, class Of>
void archive_group(const Archive& archive, Of& g) {
  archive(g.serial, g.mode, g.since, g.leader, g.last, g.at_goal_since, g.shape, g.shape_since, g.looked_at);
}

}  // namespace

void Crowd::State::save_groups(ArchiveWriter& out) {
  out.put(last_group);
  if (!groups) return out.put(std::uint64_t{0});
  GroupColumns& c = groups->columns;
  out.put_list(groups->in_order(), [&](Index number) {
    const Group& group = (*groups)[number];
    out.put(std::string_view(methods->group[group.method].info().name));
    out.put_list(group.numbers);
    archive_group(Put{out}, group);
    Put{out}(std::uint8_t(group.is_new), std::uint8_t(group.has_shape), std::uint64_t(group.in_shape));
    out.put_list(std::span(group.order).first(group.in_shape));
    out.put_list(group.members, [&](Index member) {
      const Slot slot = handles.slot(member);
      Put{out}(member, c.companionship[slot], sharing->number_of(c.way_to_leader[slot]), c.way_memory[slot].reference,
               c.way_memory[slot].attraction);
      archive_place(Put{out}, c.way_planned_to[slot]);
    });
  });
}

std::string Crowd::State::load_groups(ArchiveReader& in) {
  in.get(last_group);
  const auto count = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i)
    if (std::string why = load_group(in); !why.empty()) return why;
  return in.failed() ? "it ends early" : "";
}

std::string Crowd::State::load_group(ArchiveReader& in) {
  GroupSpec spec;
  in.get(spec.method.name);
  in.get_list(spec.method.parameters);
  if (in.failed()) return "it ends early";
  if (std::string why = misfit_of_group(spec, {}); !why.empty()) return why;
  if (spec.method.parameters.empty()) return "numbers of a group are missing";
  const std::uint64_t before = groups ? (*groups)[groups->in_order().back()].serial : 0;
  const std::uint64_t last = last_group;
  const Index number = begin_group(spec);
  last_group = last;
  Group& group = (*groups)[number];
  archive_group(Get{in}, group);
  std::uint8_t is_new = 0, has_shape = 0;
  std::uint64_t in_shape = 0;
  Get{in}(is_new, has_shape, in_shape);
  group.is_new = is_new != 0, group.has_shape = has_shape != 0;
  std::vector<std::uint8_t> order_of_places;
  in.get_list(order_of_places);
  if (in_shape != order_of_places.size() || in_shape > steering::most_members) return "a formation is damaged";
  group.in_shape = in_shape;
  std::vector<bool> taken(in_shape);
  for (std::size_t i = 0; i < in_shape; ++i) {
    if (order_of_places[i] >= in_shape || taken[order_of_places[i]]) return "a formation is damaged";
    taken[order_of_places[i]] = true;
    group.order[i] = order_of_places[i];
  }
  GroupColumns& c = groups->columns;
  std::string wrong;
  std::vector<Index> members;
  in.get_list(members, 44, [&] {
    Index member = none;
    Companionship does{};
    std::uint32_t leads = 0;
    following::FollowMemory progress;
    navmesh::Place planned_to;
    Get{in}(member, does, leads, progress.reference, progress.attraction);
    archive_place(Get{in}, planned_to);
    const Slot slot = member < handles.size() ? handles.slot(member) : none;
    if (slot == none || c.group[slot] != none || does > Companionship::parted || leads > sharing->routes.size() ||
        !(progress.reference >= 0) || !std::isfinite(progress.attraction) ||
        (planned_to.layer >= world->mesh->layers.size())) {
      wrong = "a member of a group is damaged";
      return member;
    }
    c.group[slot] = number;
    c.companionship[slot] = does;
    if (leads > 0) c.way_to_leader[slot] = sharing->routes[leads - 1];
    c.way_memory[slot] = progress;
    c.way_planned_to[slot] = planned_to;
    return member;
  });
  if (in.failed()) return "it ends early";
  const auto is_no_time = [&](double t) { return !(t <= time()); };
  if (group.serial <= before || group.serial > last_group || group.mode > GroupMode::follows ||
      group.shape > steering::Shape::river || is_no_time(group.since) || is_no_time(group.at_goal_since) ||
      is_no_time(group.shape_since) || is_no_time(group.looked_at))
    wrong = "a group is damaged";
  if (!wrong.empty()) return wrong;
  group.members = std::move(members);
  for (const Index member : {group.leader, group.last})
    if (member != none && member >= handles.size()) return "a leader is out of its range";
  if (std::string why = unsound(group); !why.empty()) return "a group " + why;
  take_rules(group);
  return {};
}

/// Empty, or what is wrong with a person whose columns came from elsewhere.
std::string Crowd::State::unsound(Slot slot) const {
  const Errand& e = errand_of(slot);
  const auto finite = [](Vec2 v) { return std::isfinite(v.x) && std::isfinite(v.y); };
  if (serial[slot] == 0 || serial[slot] > last_serial) return "a serial is out of its range";
  if (!finite(position[slot]) || !finite(velocity[slot]) || !finite(walking[slot]) || !finite(preferred[slot]) ||
      !(clearance[slot] >= 0) || std::isnan(e.until) || std::isnan(any_place_from[slot]) ||
      !std::isfinite(memory[slot].attraction))
    return "a number of somebody is no number";
  if (!(memory[slot].reference >= 0) || (route[slot] && memory[slot].reference > route[slot]->way.length() + 1e-6))
    return "somebody is beyond the end of its route";
  const bool in_range = activity[slot] <= Activity::steered && before_steering[slot] <= Activity::steered &&
                        cell[slot] < world->mesh->cell_count() && layer[slot] < world->mesh->layers.size() &&
                        (e.area == none || e.area < areas.size()) &&
                        (target[slot].layer == none || target[slot].layer < world->mesh->layers.size());
  if (!in_range) return "a number is out of its range";
  AgentSpec spec;
  spec.heading = heading[slot], spec.radius = radius[slot], spec.speed = traits[slot].speed;
  spec.stairs_up = double(traits[slot].stairs_up), spec.stairs_down = double(traits[slot].stairs_down);
  spec.draws = traits[slot].draws;
  if (std::string why = misfit_of(spec, weights.types(), *methods); !why.empty()) return why;
  if (std::string why = unsound_strategy(slot); !why.empty()) return why;
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
  std::vector<Slot> first(travellers.size(), none);
  for (Slot slot = 0; slot < present.size(); ++slot) {
    std::unique_ptr<std::vector<Index>>& company = travellers[traveller[slot]].company;
    if (first[traveller[slot]] == none)
      first[traveller[slot]] = slot;
    else if (!company)
      company = std::make_unique<std::vector<Index>>(std::vector<Index>{handle[first[traveller[slot]]], handle[slot]});
    else
      company->push_back(handle[slot]);
  }
  if (std::ranges::count(first, none) > 0) return "somebody is missing";
  for (Slot slot = 0; slot < present.size(); ++slot) {
    if (handle[slot] >= handles.size() || handles.slot(handle[slot]) != none) return "a person is twice in it";
    if (std::string why = unsound(slot); !why.empty()) return why;
    handles.move(handle[slot], slot);
    present[slot] = 1;
    speed[slot] = traits[slot].speed;
    since_index.push_back(slot);
    order.push_back(slot);
    make_tables(slot);
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
  Get{in}(s.options.seed, s.clock.base, s.clock.step, s.clock.steps, s.steps, s.last_serial);
  if (!(s.time() >= 0) || !std::isfinite(s.time()) || !(s.clock.step >= 0)) return damaged("its time is no time");
  std::vector<std::uint32_t> generation;
  in.get_list(generation);
  std::vector<Index> free_handles;
  in.get_list(free_handles);
  State::Shared shared;
  in.get_list(shared.itineraries, 9, [&] { return get_itinerary(in); });
  for (const goals::ItineraryPtr& itinerary : shared.itineraries)
    if (std::string why = misfit_of(itinerary, s.areas.size(), s.world->mesh->layers.size()); !why.empty())
      return damaged(why);
  std::string wrong;
  in.get_list(shared.routes, 9, [&] {
    routes::PlannedRoutePtr route = routes::load_planned_route(in, *s.world->graph);
    if (!route) wrong = "a route is damaged", in.fail();
    return route;
  });
  if (!wrong.empty()) return damaged(wrong);
  std::vector<Index> travellers;  // as many as there are, from 0 on
  in.get_list(travellers, 20, [&] {
    std::uint32_t itinerary = 0;
    Errand e;
    Get{in}(itinerary, e.goal, e.area, e.until);
    if (itinerary > shared.itineraries.size())
      in.fail();
    else if (itinerary > 0)
      e.itinerary = shared.itineraries[itinerary - 1];
    return s.travellers.begin(std::move(e));
  });
  in.get_list(shared.weights, 8, [&] {
    std::vector<double> weights;
    in.get_list(weights);
    if (weights.size() != s.weights.types() || std::ranges::any_of(weights, [](double w) { return !(w > 0); }))
      wrong = "region weights are damaged";
    return weights;
  });
  if (!wrong.empty()) return damaged(wrong);
  in.get_list(shared.blocks, 32, [&] { return get_block(in, *s.world->mesh); });
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
  if (in.get<std::uint8_t>() != 0) s.keep_considered();
  if (in.get<std::uint8_t>() != 0) s.keep_stuck_clocks();
  const bool has_jams = in.get<std::uint8_t>() != 0, has_marks = in.get<std::uint8_t>() != 0;
  const bool has_kept_sides = in.get<std::uint8_t>() != 0;
  if (has_jams) s.keep_jams(), s.jams->queues.load(in);
  if (has_jams && has_marks) s.keep_marks();
  std::uint8_t has_detours = 0, kernel = 0, at_once = 0, predicts = 0;
  Get{in}(has_detours, kernel, at_once, predicts);
  if (kernel > 1) return damaged("a field is of no known kind");
  if (has_detours != 0) s.begin_detours({fields::KernelKind(kernel), at_once != 0, predicts != 0});
  s.prepare_strategies();
  if (has_kept_sides && s.strategies) s.strategies->keep_sides(s.store);
  s.sharing = &shared;
  wrong = s.store.load(in, slots);
  if (wrong.empty()) wrong = s.check_loaded();
  if (wrong.empty()) wrong = s.load_groups(in);
  s.sharing = nullptr;
  if (!wrong.empty()) return damaged(wrong);
  if (in.failed()) return damaged("it ends early, or a journey is out of its range");
  s.announce_loaded();
  if (s.detours)
    for (const Slot slot : s.order) s.detours->add((*s.detours->stamps)[slot]);
  const auto get_request = [&] {
    Request request;
    archive_request(Get{in}, request);
    return request;
  };
  std::vector<Request> requests;
  in.get_list(requests, 34, get_request);
  in.get_list(s.thoughts, 100, [&] {
    State::Thought thought{.request = get_request()};
    std::uint8_t is_planned = 0, is_told = 0;
    std::uint32_t route = 0;
    Get{in}(is_planned, route, thought.area);
    archive_place(Get{in}, thought.target);
    Get{in}(thought.closes.edge, thought.closes.along, thought.closes.until, is_told);
    archive_place(Get{in}, thought.joins);
    if (thought.joins.layer != none && thought.joins.layer >= s.world->mesh->layers.size()) in.fail();
    if (is_told != 0 && !in.failed()) thought.about = get_about(in, s.world->graph->sides()->obstacles());
    if (thought.closes.edge != none && thought.closes.edge >= s.world->mesh->edge_count()) in.fail();
    thought.is_planned = is_planned != 0;
    if (route > shared.routes.size() || (thought.area != none && thought.area >= s.areas.size()) ||
        (thought.target.layer != none && thought.target.layer >= s.world->mesh->layers.size()))
      in.fail();
    else if (route > 0)
      thought.route = shared.routes[route - 1];
    return thought;
  });
  s.strategy_totals.for_each([&](StrategyTotals::Count& count) { count = in.get<std::uint64_t>(); });
  if (in.failed()) return damaged("it ends early, or a second thought is out of its range");
  const auto is_wrong = [&](const Request& r) {
    return r.handle >= handles || r.why > Why::ground || std::size_t(r.reason) >= reason_count;
  };
  if (std::ranges::any_of(requests, is_wrong) || std::ranges::any_of(s.thoughts, [&](const State::Thought& thought) {
        return is_wrong(thought.request) || thought.request.why != Why::thinks_again;
      }))
    return damaged("a request is out of its range");
  s.requests.assign(requests.begin(), requests.end());
  for (const Index handle : free_handles)
    if (s.handles.slot(handle) != none) return damaged("a free place is not free");
  if (const Problems problems = validate(); !problems.empty()) return damaged(to_string(problems.front()));
  return s.order.size();
}

}  // namespace throng::crowd
