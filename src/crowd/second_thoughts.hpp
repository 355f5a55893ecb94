// Second thoughts: the rules by which people who are on their way think again, whoever makes them: jams, strategies, signs.
//
// A request has a reason. Its plan is made later, and taken later still; what was true when it was asked for need not be true then, so its rule
// is tested again (Crowd::State::is_worth_taking). What is here is what one person remembers of its second thoughts.
//
// Laws
// 1. After a fruitless search for a reason one rests 2, 4, 8, ... 30 s before the next for that reason. A plan taken ends it, and so does getting
//    on: another chain of the axis, and 2 m nearer to the goal.
// 2. No class of ways left less than 10 s ago is taken again, unless one is stuck: classes are compared exactly, from where one is, to the same
//    goal.
// 3. At most 3 changes in a minute, whatever the reasons; a host that asks for one itself is not held back by any of this.
// 4. Every change has a reason that can be read.
// 5. It depends on nobody else. Who never had a fruitless search or a change has no memory of any.
// Units: seconds, metres. Thread-safety: a person's memory is one thread's.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "agents/people.hpp"
#include "routes/axis_trace.hpp"
#include "text/archive.hpp"

namespace throng::crowd {

using agents::Index;
using agents::none;

/// Why somebody thinks again. Saved by number: new ones go to the end.
enum class Reason : std::uint8_t {
  nothing,
  asked,     ///< a host asked for it: taken if shorter
  density,   ///< expected time, by how dense the ground is now
  queues,    ///< expected time, by queues foreseen
  detour,    ///< round a jam seen
  stuck,     ///< does not get on
  strategy,  ///< passes obstacles on another side than it meant to
  guidance,  ///< a sign
  back,      ///< the jam that it went round is gone
};
inline constexpr std::string_view reason_names[] = {"nothing", "asked",    "density",  "queues", "detour",
                                                    "stuck",   "strategy", "guidance", "back"};
inline constexpr std::size_t reason_count = std::size(reason_names);

/// How somebody goes round a jam that it saw.
enum class DetourKind : std::uint8_t {
  nothing,
  local,   ///< in the class of ways that one was on
  global,  ///< round obstacles on another side
  back,    ///< back to the way that was left
};
inline constexpr std::string_view detour_kind_names[] = {"nothing", "local", "global", "back"};
inline constexpr std::size_t detour_kind_count = std::size(detour_kind_names);

namespace second_thoughts {
/// Seconds.
inline constexpr double first_rest = 2, longest_rest = 30, no_return = 10, minute = 60;
/// Metres of progress and another chain end a rest.
inline constexpr double got_on = 2;
inline constexpr std::size_t changes_a_minute = 3;
/// A saving that is worth a change: so many seconds, and this part of the time.
inline constexpr double least_saving = 3, least_part_saved = 0.1;
[[nodiscard]] inline bool is_saving(double own, double other) {
  return own - other >= least_saving && own - other >= least_part_saved * own;
}
}  // namespace second_thoughts

/// A change of route, or of exit: for those who look on.
struct Change {
  Reason why = Reason::nothing;
  double at = 0;
};

/// Where somebody is among the chains, and how far it has to go: what a rest ends by.
struct Progress {
  Index chain = none;
  double metres_left = 0;
};

class SecondThoughts {
 public:
  // --- asking
  [[nodiscard]] bool rests(Reason why, double now, const Progress& at) const;
  void was_fruitless(Reason why, double now, const Progress& at);

  // --- taking; classes lead from where the person is to where its way ends
  /// Whether law 2 and 3 let it take a way of this class, to this area, instead of its present one.
  [[nodiscard]] bool may_take(const routes::ChainWord& present, const routes::ChainWord& other, Index area, double now,
                              bool is_stuck) const;
  /// It took it. `same_class`: the other leads to the same area in the same class: nothing was left.
  void has_taken(Reason why, double now, const routes::ChainWord& present, Index present_area,
                 const routes::ChainWord& other, Index area);
  /// Where classes are not known.
  void has_taken(Reason why, double now);
  /// Other goals, or another world: classes left say nothing any more.
  void forget_ways() { left_.clear(); }

  // --- ways that are closed for the person for a while, since it stood before what stands there
  struct Closed {
    Index edge = none;
    double along = 0;  ///< metres from the edge's `from`
    double until = 0;
  };
  void close(const Closed& place, double now);
  [[nodiscard]] const std::vector<Closed>& closed() const { return closed_; }
  /// Another world.
  void forget_places() { left_.clear(), closed_.clear(), rests_.clear(), pending_ = 0; }

  // --- one at a time
  [[nodiscard]] bool has_asked(std::uint32_t asked) const { return pending_ == asked && asked != 0; }
  void ask(std::uint32_t asked) { pending_ = asked; }
  void answered() { pending_ = 0; }

  // --- for those who look on
  [[nodiscard]] const Change& last() const { return last_; }
  [[nodiscard]] std::uint32_t changes() const { return changes_; }
  [[nodiscard]] std::uint32_t exit_changes() const { return exit_changes_; }
  [[nodiscard]] std::uint32_t most_a_minute() const { return most_a_minute_; }
  [[nodiscard]] std::uint32_t searches() const { return searches_; }
  [[nodiscard]] std::size_t bytes() const;

  void save(geometry::ArchiveWriter& out) const;
  /// What is out of its range fails the archive.
  void load(geometry::ArchiveReader& in, const routes::RouteGraph& graph, std::size_t areas);

 private:
  struct Rest {
    Reason why = Reason::nothing;
    std::uint8_t times = 0;
    Index chain = none;
    double metres_left = 0;
    double until = 0;
  };
  /// A way that was left: how it goes on from where the present one ends, so that it can be told wherever one is on that by then.
  struct Left {
    routes::ChainWord from_goal;
    Index area = none;
    double at = 0;
  };
  [[nodiscard]] const Rest* rest_for(Reason why) const;

  std::vector<Rest> rests_;
  std::vector<Left> left_;
  std::vector<Closed> closed_;
  Change last_;
  std::array<double, second_thoughts::changes_a_minute> taken_at_ = {
      -std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
      -std::numeric_limits<double>::infinity()};  ///< oldest first
  std::uint32_t pending_ = 0;                     ///< what `asked` was when the open request was made; 0: none
  std::uint32_t changes_ = 0, exit_changes_ = 0, most_a_minute_ = 0, searches_ = 0;
};

}  // namespace throng::crowd
