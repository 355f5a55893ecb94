// The inside of a live view: the run and its thread, what browsers order of it and what they are told. Only files of LiveView include this.
//
//   live_view.cpp     the thread: orders of others between two steps, the pace, what HTTP asks
//   live_orders.cpp   what a browser orders: play, obstacles, people, goals, undo, who is looked at
//   live_answers.cpp  what goes out: frames, descriptions, curves, ways, the past
//
// Thread-safety: order(), ask() and history() from any thread, all else on the run's own.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "recording/recording.hpp"
#include "server/goal_labels.hpp"
#include "server/insights.hpp"
#include "server/live_view.hpp"
#include "server/scenario_edits.hpp"
#include "server/series.hpp"

namespace throng::server {

/// What is wrong, in one line.
[[nodiscard]] std::string reasons(const Problems& problems);

struct LiveView::Impl {
  using Clock = std::chrono::steady_clock;
  using Slot = crowd::Slot;
  using Simulation = scenario::Simulation;

  Impl(LiveView& v, Simulation s, analysis::Metrics m, std::unique_ptr<RunObserver> o, LiveOptions l);

  // --- orders: what other threads want done between two steps

  static constexpr ClientId nobody = 0;

  struct Order {
    ClientId client = nobody;
    std::function<void()> what;
  };

  bool order(ClientId client, std::function<void()> what);

  /// Something only the simulation's thread knows, for a request that waits for it without holding up a thread.
  void ask(const Reply& reply, std::function<Response()> what);

  static Response guarded(const std::function<Response()>& what);

  // --- the run

  void run();

  /// Whether to go on.
  bool obey_next();

  void guarded_step();

  [[nodiscard]] bool is_running() const { return !waiting && (!paused || single_steps > 0) && !simulation.finished(); }

  [[nodiscard]] Clock::time_point next_step() const;

  void step();

  void count_rate(double dt);

  void restart_clock();

  void take_series();

  /// Counted as people leave: going through everybody who ever was would cost more with every hour.
  [[nodiscard]] std::uint64_t arrived_now();

  // --- what goes out

  void say(const Json& json) const;
  void say(ClientId client, const Json& json) const;

  void publish();

  /// Who comes sees what there is, also where nothing moves; the first sets the run going.
  void welcome(ClientId client);

  std::string frame();

  /// In order of serials; who has none, not a number.
  [[nodiscard]] std::vector<float> values_of(const PersonFigure& figure) const;

  /// The label of where somebody walks to now; looked up by what it hangs on, since texts are slow.
  std::uint16_t goal_of(Slot slot);

  std::uint16_t number_label(const crowd::Destination& to);

  [[nodiscard]] std::string label_of(const crowd::Destination& to) const;

  /// What sessions say of the run, for threads that may not look at it.
  void describe();

  // --- orders from the browser, on the simulation's thread

  void obey(ClientId client, const Json& order);

  void refuse(ClientId client, const std::string& what) const { say(client, {{"type", "refused"}, {"what", what}}); }

  void set_paused(bool value);

  void set_speed(ClientId client, const Json& order);

  /// From now on frames bring this number of everybody, too: for whoever colours people by it.
  void show_figure(ClientId client, const Json& order);

  /// The place an order names; nothing, with the reason told, where it names none.
  std::optional<navmesh::Place> place_of(ClientId client, const Json& order) const;

  void add_obstacle(ClientId client, const Json& order);

  void remove_obstacle(ClientId client, const Json& order);

  void add_sign(ClientId client, const Json& order);

  void remove_sign(ClientId client, const Json& order);

  void move_goal(ClientId client, const Json& order);

  /// What a type of ground costs a profile from now on.
  void set_weight(ClientId client, const Json& order);
  void weigh_again(const scenario::Scenario& before);

  /// Goes on with a changed scenario, or says why not.
  void apply(ClientId client, ScenarioEdits changed, std::string_view kind, const Json& what, bool undoes = false);

  /// People who were put in stay; what was changed of the world goes back.
  void undo(ClientId client);

  void add_people(ClientId client, const Json& order);

  /// A change that is told: in the recording, and in the list of changes.
  void note(std::string_view kind, const Json& what);

  void note_added(std::size_t population, const std::vector<crowd::AgentId>& came, navmesh::Index layer);

  void inspect(ClientId client, const Json& order);

  [[nodiscard]] Json describe_person(Slot slot) const;

  // --- what browsers ask for

  [[nodiscard]] std::string agents_after(std::uint64_t after) const;

  [[nodiscard]] std::string ways() const;

  /// What a level draws over the ground now.
  [[nodiscard]] Response marks(const std::string& key) const;

  /// The past, as far as complete chunks were written of it; opened again when more is asked for.
  Response history(const Request& request);

  LiveView& view;
  Simulation simulation;
  analysis::Metrics metrics;
  std::unique_ptr<RunObserver> observer;
  LiveOptions options;
  ScenarioEdits edits;
  std::vector<ScenarioEdits> past;  ///< before each change that can be taken back
  Json events = Json::array();      ///< what was changed so far, as in recordings
  GoalLabels labels;
  std::vector<std::optional<std::uint16_t>> area_numbers;  ///< of labels, by area
  std::map<std::pair<goals::ItineraryPtr, crowd::Index>, std::uint16_t>
      goal_numbers;  ///< of those not decided, or points
  Series series;
  std::vector<std::pair<double, double>> arrivals;  ///< time, arrived
  std::set<std::string> shown_figures;              ///< keys of those that frames bring
  double next_row = 0;
  std::size_t counted_to = 0;
  bool paused = false;
  bool waiting = false;  ///< for the first page
  std::mutex history_mutex;
  std::optional<recording::Recording> recorded;
  std::size_t single_steps = 0;
  double speed = 1, rate = 0, simulated = 0;
  Clock::time_point due = Clock::now(), rate_since = Clock::now(), last_frame;
  std::atomic<Server*> server{nullptr};  ///< set once; clients may speak before
  std::mutex description_mutex;
  Json description;
  std::mutex mutex;  ///< of the four below
  std::condition_variable wake;
  std::deque<Order> orders;
  std::map<ClientId, std::size_t> waiting_of;  ///< orders of each socket
  std::atomic<bool> stop{false};               ///< set under the mutex
  std::thread thread;
};

}  // namespace throng::server
