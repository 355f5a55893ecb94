// What the viewer shows, and how it is asked for. Three kinds: a world with its mesh, a recording, a run that goes on (live_view.hpp).
//
//   /                      the client (static_files.hpp)
//   /api/session           JSON: mode, name, counts, names of layers, populations, profiles, goals
//   /api/world             pack_world(), /api/mesh: pack_mesh()
//   /api/see?x&y&layer     JSON: the visibility polygon, as [x, y, layer] from the origin
//   /api/at?x&y&layer      JSON: walkable, clearance
//   /api/way?x0&y0&layer0&x1&y1&layer1&radius   JSON: found, reason, length, clearance (the least on the way), points
//   recordings:
//   /api/agents            who: arrays `serial`, `population`, `profile`, `goal`, `radius`, `appears`, `leaves` (NaN: has not)
//   /api/frames?first&count   positions (frame_pack.hpp)
//   /api/person?serial     JSON: population, profile, goals, the way walked
//   /api/route?serial&time    JSON: the route planned from where they were then (recorded_plans.hpp): goal, points
//   /api/series?first      Series::pack(), /api/ways: where a sample of people walked
//   /api/tight             JSON: complete, places: where it was tight (analysis/tight_places.hpp)
//   /api/count?x0&y0&x1&y1&layer   JSON: length, crossings [time, direction] of a line (line_count.hpp); of live runs, up to now
// What is wrong with a request is answered by 400 or 404 and {"error"}.
//
// Thread-safety: answer() from any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "crowd/world.hpp"
#include "server/http_server.hpp"
#include "server/pack.hpp"
#include "server/static_files.hpp"

namespace throng::server {

/// Numbers of a request; a member is nothing where it is missing, not a number, or out of range.
[[nodiscard]] std::optional<double> number_in(const Request& request, const std::string& name);
[[nodiscard]] std::optional<std::uint64_t> count_in(const Request& request, const std::string& name);

/// Who crosses the line that a request names, over a recording; one request at a time.
[[nodiscard]] Response answer_count(const Request& request, const std::string& recording, Vec2 origin,
                                    std::size_t layers, const std::atomic<bool>& stop);

/// The part that all kinds have. On its own: a world and its mesh.
class WorldView : public Application {
 public:
  WorldView(StaticFiles client, std::string name, crowd::WorldPtr world);

  [[nodiscard]] Response answer(const Request& request) override;
  [[nodiscard]] std::string greeting() override;
  void said(ClientId /*client*/, std::string_view /*text*/) override {}
  void left(ClientId /*client*/) override {}

 protected:
  /// What /api/session says.
  [[nodiscard]] virtual Json session();
  /// Addresses below /api/ that only this kind has; nothing where it has none of that name.
  [[nodiscard]] virtual std::optional<Response> answer_own(const Request& /*request*/) { return std::nullopt; }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Vec2 origin() const { return origin_; }
  [[nodiscard]] crowd::WorldPtr world() const;
  /// From now on; the origin stays.
  void set_world(crowd::WorldPtr world);
  [[nodiscard]] std::uint64_t world_version() const;

 private:
  [[nodiscard]] Response see(const Request& request) const;
  [[nodiscard]] Response at(const Request& request) const;
  [[nodiscard]] Response way(const Request& request) const;
  [[nodiscard]] Bytes packed_world();
  [[nodiscard]] Bytes packed_mesh();

  StaticFiles client_;
  std::string name_;
  Vec2 origin_;
  mutable std::mutex mutex_;
  crowd::WorldPtr world_;
  std::uint64_t version_ = 1;
  Bytes world_pack_, mesh_pack_;  ///< made when first asked for
};

/// A recording, played.
[[nodiscard]] Result<std::unique_ptr<Application>> view_recording(StaticFiles client, const std::string& path);

}  // namespace throng::server
