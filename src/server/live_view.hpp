// A scenario that runs while it is looked at: paused, stepped, sped up and changed from the browser.
//
// Beside what view.hpp lists: /api/agents?after, /api/series, /api/ways (routes ahead), /api/marks?key (what a level draws over the
// ground: insights.hpp), /api/frames?first&count (what was recorded so far, frame_pack.hpp), /download/scenario.json, /download/recording.throng. Over the socket: frames (binary, Pack: {"type": "frame", "time", "step", "people", "arrived", "paused",
// "finished", "rate", "last_serial", "goal_count"} with arrays `serial`, `x`, `y`, `layer`, `heading`, `goal`, `activity`, and `figure KEY` for those
// asked for), and JSON
//   to the server    {"do": "play" | "pause" | "step"}, {"do": "speed", "value"} (0: as fast as it can), {"do": "inspect", "serial"},
//                    {"do": "figure", "key"}: frames bring this number of everybody from now on (insights.hpp),
//                    {"do": "add_obstacle", "x", "y", "layer", "size"}, {"do": "remove_obstacle", "id" | "x", "y", "layer"},
//                    {"do": "add_people", "x", "y", "layer", "count", "population"}, {"do": "move_goal", "id", "x", "y", "layer"},
//                    {"do": "add_sign", "x", "y", "layer", "facing", "range", "pass", "about_x"?, "about_y"?}: about the obstacle that is
//                    nearest to it, or to that point; {"do": "remove_sign", "x", "y", "layer"},
//                    {"do": "undo"}: the last change of the world taken back
//   to the browser   {"type": "world", "version", "stepped_aside", "changes"}, {"type": "speed", "value"}, {"type": "person", ...},
//                    {"type": "done", "what"}, {"type": "refused", "what"}
// Who joins gets the greeting, which says whether it is paused or finished, and then the last frame.
//
// Laws
// 1. The simulation runs on a thread of its own, and only that thread touches it. Requests that need it wait until it is between two
//    steps; a change that is refused changes nothing.
// 2. Looking costs it little: a frame is made for all who look at once, at most `frames_a_second` of them, and nobody is waited for.
// 3. Without changes the run is that of `throng run`, bit for bit.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "analysis/metrics.hpp"
#include "scenario/simulation.hpp"
#include "server/http_server.hpp"
#include "server/view.hpp"

namespace throng::server {

/// Who writes down what happens; called on the simulation's thread, but for recording() and path().
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void frame(const scenario::Simulation& simulation, const analysis::Metrics& metrics) = 0;
  virtual void event(double time, std::string_view kind, std::string_view json) = 0;
  /// The recording so far, as a file's bytes. From any thread: the run goes on meanwhile. Who asks while others still have theirs gets the
  /// same.
  [[nodiscard]] virtual Result<Bytes> recording() = 0;
  /// The file it is written to, which may be read while it grows; empty: none.
  [[nodiscard]] virtual std::string path() const { return {}; }
};

struct LiveOptions {
  double speed = 1;  ///< simulated seconds a second; 0: as fast as it can
  bool paused = false;
  double frames_a_second = 20;
  bool wait_for_page = false;  ///< begins once somebody looks: nothing is missed
};

class LiveView : public WorldView {
 public:
  /// `observer` may be none.
  LiveView(StaticFiles client, std::string name, scenario::Simulation simulation, analysis::Metrics metrics,
           std::unique_ptr<RunObserver> observer, LiveOptions options = {});
  ~LiveView() override;
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  /// Begins to run; frames go out through this server, which has to be stopped before the view ends.
  void begin(Server& server);
  void end();

  [[nodiscard]] Response answer(const Request& request) override;
  void answer_later(const Request& request, Reply reply) override;
  void greeted(ClientId client) override;
  void said(ClientId client, std::string_view text) override;

 protected:
  Json session() override;
  std::optional<Response> answer_own(const Request& request) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace throng::server
