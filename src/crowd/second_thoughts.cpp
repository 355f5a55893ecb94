#include "crowd/second_thoughts.hpp"

#include <algorithm>
#include <cmath>

namespace throng::crowd {

using routes::ChainWord;
using namespace second_thoughts;

namespace {

/// A way there, back from its end by the one taken, and on by one that ends there.
ChainWord from_goal_of(const ChainWord& taken, const ChainWord& left) {
  return routes::joined(routes::reversed(taken), left);
}

bool is_word(const ChainWord& word, const routes::RouteGraph& graph) {
  return std::ranges::all_of(word, [&](Index directed) { return directed / 2 < graph.chains().size(); });
}

}  // namespace

const SecondThoughts::Rest* SecondThoughts::rest_for(Reason why) const {
  const auto found = std::ranges::find(rests_, why, &Rest::why);
  return found == rests_.end() ? nullptr : &*found;
}

bool SecondThoughts::rests(Reason why, double now, const Progress& at) const {
  const Rest* rest = rest_for(why);
  if (rest == nullptr || now >= rest->until) return false;
  return at.chain == rest->chain || at.metres_left > rest->metres_left - got_on;
}

void SecondThoughts::was_fruitless(Reason why, double now, const Progress& at) {
  ++searches_;
  const auto found = std::ranges::find(rests_, why, &Rest::why);
  Rest& rest = found != rests_.end() ? *found : rests_.emplace_back(Rest{.why = why});
  // Long after the last one, or somewhere else, it begins anew.
  const bool begins_anew =
      now > rest.until + longest_rest || (at.chain != rest.chain && at.metres_left <= rest.metres_left - got_on);
  rest.times = begins_anew ? std::uint8_t{1} : std::uint8_t(std::min(rest.times + 1, 5));
  rest.until = now + std::min(longest_rest, first_rest * double(1 << (rest.times - 1)));
  rest.chain = at.chain, rest.metres_left = at.metres_left;
}

bool SecondThoughts::may_take(const ChainWord& present, const ChainWord& other, Index area, double now,
                              bool is_stuck) const {
  if (now - taken_at_.front() < minute) return false;
  if (is_stuck) return true;
  return std::ranges::none_of(left_, [&](const Left& left) {
    return now - left.at < no_return && left.area == area && routes::joined(present, left.from_goal) == other;
  });
}

void SecondThoughts::has_taken(Reason why, double now) {
  ++searches_;
  ++changes_;
  last_ = {why, now};
  std::ranges::rotate(taken_at_, taken_at_.begin() + 1);
  taken_at_.back() = now;
  const auto in_last_minute = std::ranges::count_if(taken_at_, [&](double at) { return now - at < minute; });
  most_a_minute_ = std::max(most_a_minute_, std::uint32_t(in_last_minute));
  std::erase_if(rests_, [&](const Rest& rest) { return rest.why == why; });
}

void SecondThoughts::has_taken(Reason why, double now, const ChainWord& present, Index present_area,
                               const ChainWord& other, Index area) {
  has_taken(why, now);
  if (present_area != area) ++exit_changes_;
  std::erase_if(left_, [&](const Left& left) { return now - left.at >= no_return; });
  for (Left& left : left_) left.from_goal = from_goal_of(other, routes::joined(present, left.from_goal));
  if (present_area != area || present != other) left_.push_back({from_goal_of(other, present), present_area, now});
}

void SecondThoughts::close(const Closed& place, double now) {
  // Who stood at a place before knows better than to believe that it is free soon: every time it is closed for twice as long.
  constexpr double remembered = 600;
  std::erase_if(closed_, [&](const Closed& old) { return old.until + remembered <= now; });
  const auto before = std::ranges::count(closed_, place.edge, &Closed::edge);
  constexpr std::size_t most = 8;
  if (closed_.size() == most) closed_.erase(closed_.begin());
  closed_.push_back(place);
  closed_.back().until = now + (place.until - now) * double(1 << std::min<std::ptrdiff_t>(before, 4));
}

std::size_t SecondThoughts::bytes() const {
  std::size_t sum = sizeof *this + rests_.capacity() * sizeof(Rest) + left_.capacity() * sizeof(Left) +
                    closed_.capacity() * sizeof(Closed);
  for (const Left& left : left_) sum += left.from_goal.capacity() * sizeof(Index);
  return sum;
}

void SecondThoughts::save(geometry::ArchiveWriter& out) const {
  out.put_list(rests_, [&](const Rest& rest) {
    out.put(rest.why), out.put(rest.times), out.put(rest.chain), out.put(rest.metres_left), out.put(rest.until);
  });
  out.put_list(left_, [&](const Left& left) {
    out.put_list(left.from_goal);
    out.put(left.area), out.put(left.at);
  });
  out.put_list(closed_, [&](const Closed& place) { out.put(place.edge), out.put(place.along), out.put(place.until); });
  out.put(last_.why), out.put(last_.at);
  for (const double at : taken_at_) out.put(at);
  out.put(pending_), out.put(changes_), out.put(exit_changes_), out.put(most_a_minute_), out.put(searches_);
}

void SecondThoughts::load(geometry::ArchiveReader& in, const routes::RouteGraph& graph, std::size_t areas) {
  bool sound = true;
  in.get_list(rests_, 22, [&] {
    Rest rest;
    in.get(rest.why), in.get(rest.times), in.get(rest.chain), in.get(rest.metres_left), in.get(rest.until);
    sound =
        sound && std::size_t(rest.why) < reason_count && rest.times > 0 && rest.times <= 5 && std::isfinite(rest.until);
    return rest;
  });
  in.get_list(left_, 20, [&] {
    Left left;
    in.get_list(left.from_goal);
    in.get(left.area), in.get(left.at);
    sound = sound && is_word(left.from_goal, graph) && (left.area == none || left.area < areas);
    return left;
  });
  in.get_list(closed_, 20, [&] {
    Closed place;
    in.get(place.edge), in.get(place.along), in.get(place.until);
    sound = sound && place.edge < graph.mesh().edge_count() && std::isfinite(place.along);
    return place;
  });
  in.get(last_.why), in.get(last_.at);
  for (double& at : taken_at_) in.get(at);
  in.get(pending_), in.get(changes_), in.get(exit_changes_), in.get(most_a_minute_), in.get(searches_);
  if (!sound || std::size_t(last_.why) >= reason_count) in.fail();
}

}  // namespace throng::crowd
