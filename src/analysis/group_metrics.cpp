#include "analysis/group_metrics.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/group_measures.hpp"
#include "crowd/groups.hpp"
#include "navmesh/visibility.hpp"

namespace throng::analysis {
namespace {

/// Metres a second: a group that is slower has no way to walk beside each other on.
constexpr double walks = 0.2;
/// Degrees to the way beyond which two are abreast.
constexpr double abreast_degrees = 60;

MemberState state_of(const crowd::Crowd& crowd, crowd::Slot slot) {
  const agents::People people = crowd.people();
  return {people.serial[slot], people.position[slot], people.heading[slot],
          people.radius[slot], people.layer[slot],    crowd.way_left(slot)};
}

}  // namespace

void GroupMetrics::observe(const crowd::Crowd& crowd, double dt) {
  for (const crowd::GroupEvent& event : crowd.group_events()) {
    if (event.group > records_.size()) continue;
    GroupRecord& record = records_[event.group - 1];
    ++(event.kind == crowd::GroupEvent::Kind::parted ? record.parted : record.rejoined);
  }
  for (const crowd::Departure& departure : crowd.departures())
    if (departure.arrived) arrive(departure.serial, departure.time);
  look(crowd, dt);
}

void GroupMetrics::arrive(std::uint64_t person, double time) {
  const std::uint64_t serial = group_of(person);
  if (serial == 0 || has_arrived_[person - 1]) return;
  has_arrived_[person - 1] = true;
  GroupRecord& record = records_[serial - 1];
  if (record.first_arrival < 0) record.first_arrival = time;
  record.last_arrival = time;
  ++record.arrived;
  record.is_measured = false;
}

void GroupMetrics::look(const crowd::Crowd& crowd, double dt) {
  const std::vector<std::uint64_t> serials = crowd.groups();
  if (serials.empty() && records_.empty()) return;
  if (!serials.empty() && serials.back() > records_.size()) records_.resize(serials.back());
  for (const std::uint64_t serial : serials) {
    const crowd::GroupView group = *crowd.group(serial);
    GroupRecord& record = records_[serial - 1];
    if (record.serial == 0) {
      record.serial = serial;
      record.population = crowd.population_of(group.members.front());
      record.method = group.method;
      record.appeared = crowd.time();
      record.members = std::uint32_t(group.members.size());
    }
    for (const crowd::Slot slot : group.members) {
      const std::uint64_t person = crowd.people().serial[slot];
      if (person > first_group_.size()) first_group_.resize(person), has_arrived_.resize(person);
      if (first_group_[person - 1] == 0) first_group_[person - 1] = serial;
      if (crowd.activity(slot) == crowd::Activity::arrived && crowd.destination_of(slot).itinerary)
        arrive(person, crowd.time());
    }
    if (dt > 0 && record.is_measured) measure(crowd, group, record, dt);
  }
}

void GroupMetrics::measure(const crowd::Crowd& crowd, const crowd::GroupView& group, GroupRecord& record, double dt) {
  thread_local std::vector<MemberState> members;
  members.clear();
  bool any_parted = false;
  for (const crowd::Slot slot : group.members) {
    members.push_back(state_of(crowd, slot));
    any_parted = any_parted || crowd.companionship_of(slot) == crowd::Companionship::parted;
  }
  const auto joined = [&](const MemberState& a, const MemberState& b) {
    return navmesh::visible(*crowd.world().mesh, {a.position, a.layer}, {b.position, b.layer}, 0);
  };
  const steering::GroupRules& rules = *group.rules;
  const bool coherent = is_coherent(members, rules.view, joined);
  const Sociality social = sociality(members, rules.view, rules.social_distance, joined);
  record.seconds += dt;
  ++record.steps;
  record.coherent += coherent;
  record.partial += social.partial;
  record.total += social.total;
  record.dispersions += dispersion(members);
  if (!coherent || any_parted) record.apart += dt;
  measure_walk(crowd, group, record);
}

/// Who walks beside whom; members who are parted walk for themselves.
void GroupMetrics::measure_walk(const crowd::Crowd& crowd, const crowd::GroupView& group, GroupRecord& record) {
  const agents::People people = crowd.people();
  thread_local std::vector<crowd::Slot> together;
  together.clear();
  Vec2 way;
  for (const crowd::Slot slot : group.members) {
    if (crowd.activity(slot) != crowd::Activity::walking) continue;
    if (crowd.companionship_of(slot) != crowd::Companionship::walks) continue;
    together.push_back(slot);
    way += people.velocity[slot];
  }
  if (together.size() < 2) return;
  way = way / double(together.size());
  if (length(way) < walks) return;
  Histograms& histograms = by_size_[record.members];
  for (const crowd::Slot slot : together) {
    crowd::Slot nearest = slot;
    for (const crowd::Slot other : together)
      if (other != slot && (nearest == slot || distance(people.position[slot], people.position[other]) <
                                                   distance(people.position[slot], people.position[nearest])))
        nearest = other;
    const Vec2 between = people.position[nearest] - people.position[slot];
    const double angle = degrees_to_way(between, way);
    ++record.member_steps;
    record.nearest += length(between);
    record.speeds += length(people.velocity[slot]);
    record.abreast += angle > abreast_degrees;
    histograms.distances.add(length(between), distance_bin);
    histograms.angles.add(angle, angle_bin);
    if (const std::optional<Vec2> place = crowd.place_in_formation(slot)) {
      ++record.in_formation;
      record.out_of_place += distance(*place, people.position[slot]) > steering::formation::out_of_place;
    }
  }
  if (group.shape) ++record.shapes[std::size_t(*group.shape)];
  if (together.size() != 3) return;
  std::array<crowd::Slot, 3> across{together[0], together[1], together[2]};
  const Vec2 ahead = way / length(way);
  std::ranges::sort(across, {}, [&](crowd::Slot slot) {
    return std::pair(cross(ahead, people.position[slot]), people.serial[slot]);
  });
  const auto along = [&](crowd::Slot slot) { return dot(ahead, people.position[slot]); };
  record.middle_back += (along(across[0]) + along(across[2])) / 2 - along(across[1]);
  ++record.middle_steps;
}

const GroupMetrics::Histograms& GroupMetrics::of(std::size_t size) const {
  static const Histograms none;
  const auto found = by_size_.find(size);
  return found == by_size_.end() ? none : found->second;
}

std::vector<std::size_t> GroupMetrics::sizes() const {
  std::vector<std::size_t> sizes;
  for (const GroupRecord& record : records_)
    if (record.serial != 0) sizes.push_back(record.members);
  std::ranges::sort(sizes);
  sizes.erase(std::ranges::unique(sizes).begin(), sizes.end());
  return sizes;
}

std::vector<GroupSummary> GroupMetrics::summaries() const {
  std::vector<std::size_t> wanted{0};
  for (const std::size_t size : sizes()) wanted.push_back(size);
  std::vector<GroupSummary> all;
  for (const std::size_t size : wanted) {
    GroupSummary sum;
    sum.size = size;
    std::uint64_t member_steps = 0, abreast = 0, in_formation = 0, out_of_place = 0, middle_steps = 0;
    double nearest = 0, speeds = 0, spread = 0, middle = 0;
    std::size_t measured = 0, whole = 0;
    for (const GroupRecord& record : records_) {
      if (record.serial == 0 || (size != 0 && record.members != size)) continue;
      ++sum.groups;
      sum.parted += record.parted, sum.rejoined += record.rejoined;
      sum.apart += record.apart;
      member_steps += record.member_steps, abreast += record.abreast;
      in_formation += record.in_formation, out_of_place += record.out_of_place;
      nearest += record.nearest, speeds += record.speeds;
      middle += record.middle_back, middle_steps += record.middle_steps;
      if (const auto seconds = record.arrival_spread()) spread += *seconds, ++whole;
      if (record.steps == 0) continue;
      ++measured;
      sum.coherence += record.share(record.coherent);
      sum.partial += record.share(record.partial);
      sum.total += record.share(record.total);
      sum.dispersion += record.dispersions / double(record.steps);
    }
    if (measured > 0)
      for (double* mean : {&sum.coherence, &sum.partial, &sum.total, &sum.dispersion}) *mean /= double(measured);
    if (sum.groups > 0) sum.apart /= double(sum.groups);
    if (member_steps > 0) {
      sum.nearest = nearest / double(member_steps);
      sum.speed = speeds / double(member_steps);
      sum.abreast = double(abreast) / double(member_steps);
    }
    if (in_formation > 0) sum.out_of_formation = double(out_of_place) / double(in_formation);
    if (middle_steps > 0) sum.middle_back = middle / double(middle_steps);
    if (whole > 0) sum.arrival_spread = spread / double(whole);
    DistanceHistogram distances;
    for (const auto& [of_size, histograms] : by_size_)
      if (size == 0 || of_size == size)
        for (std::size_t i = 0; i < distances.counts.size(); ++i) distances.counts[i] += histograms.distances.counts[i];
    if (distances.total() > 0) sum.median_nearest = distances.median(distance_bin);
    all.push_back(sum);
  }
  return all;
}

namespace {

/// Lists the numbers of a record once for both directions.
template <class Visit>
void for_numbers(auto& r, const Visit& visit) {
  visit(r.serial), visit(r.population), visit(r.members), visit(r.appeared), visit(r.seconds), visit(r.steps);
  visit(r.coherent), visit(r.partial), visit(r.total), visit(r.dispersions), visit(r.apart), visit(r.member_steps);
  visit(r.nearest), visit(r.speeds), visit(r.abreast), visit(r.in_formation), visit(r.out_of_place);
  for (auto& steps : r.shapes) visit(steps);
  visit(r.middle_back), visit(r.middle_steps), visit(r.parted), visit(r.rejoined), visit(r.arrived);
  visit(r.first_arrival), visit(r.last_arrival);
}

}  // namespace

void GroupMetrics::save(geometry::ArchiveWriter& out) const {
  out.put_list(records_, [&](const GroupRecord& record) {
    out.put(std::string_view(record.method));
    for_numbers(record, [&](const auto& number) { out.put(number); });
    out.put(std::uint8_t(record.is_measured));
  });
  out.put_list(first_group_);
  for (const bool has : has_arrived_) out.put(std::uint8_t(has));
  out.put_list(by_size_, [&](const auto& entry) {
    out.put(std::uint64_t(entry.first));
    for (const std::uint64_t count : entry.second.distances.counts) out.put(count);
    for (const std::uint64_t count : entry.second.angles.counts) out.put(count);
  });
}

void GroupMetrics::load(geometry::ArchiveReader& in) {
  in.get_list(records_, 8, [&] {
    GroupRecord record;
    in.get(record.method);
    for_numbers(record, [&](auto& number) { in.get(number); });
    record.is_measured = in.get<std::uint8_t>() != 0;
    return record;
  });
  in.get_list(first_group_);
  has_arrived_.clear();
  for (std::size_t i = 0; i < first_group_.size(); ++i) {
    has_arrived_.push_back(in.get<std::uint8_t>() != 0);
    if (first_group_[i] > records_.size()) return in.fail();
  }
  for (std::size_t i = 0; i < records_.size(); ++i)
    if (records_[i].serial != 0 && records_[i].serial != i + 1) return in.fail();
  by_size_.clear();
  const auto sizes = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < sizes && !in.failed(); ++i) {
    Histograms& histograms = by_size_[in.get<std::uint64_t>()];
    for (std::uint64_t& count : histograms.distances.counts) in.get(count);
    for (std::uint64_t& count : histograms.angles.counts) in.get(count);
  }
}

}  // namespace throng::analysis
