#include "validation/observation.hpp"

#include <map>

namespace throng::validation {

Frame frame_of(const scenario::Simulation& simulation) {
  const crowd::Crowd& crowd = simulation.crowd();
  const agents::People people = crowd.people();
  Frame frame;
  frame.time = crowd.time();
  frame.people.reserve(crowd.size());
  for (const crowd::Slot slot : crowd.in_serial_order()) {
    const crowd::Activity activity = crowd.activity(slot);
    frame.people.push_back({people.serial[slot], crowd.population_of(slot), people.layer[slot], people.position[slot],
                            people.velocity[slot], people.radius[slot], true, activity == crowd::Activity::arrived,
                            activity == crowd::Activity::before});
  }
  return frame;
}

std::vector<Frame> frames_of(const recording::Tracks& tracks, std::size_t k) {
  std::map<std::uint64_t, std::vector<Vec2>> ways;
  std::map<std::uint64_t, std::uint64_t> firsts;
  std::uint64_t first = 0, last = 0;
  for (const recording::TrackRow& row : tracks.rows) {
    if (firsts.empty()) first = row.frame;
    firsts.try_emplace(row.id, row.frame);
    // Frames that a file leaves out are walked evenly.
    std::vector<Vec2>& way = ways[row.id];
    const std::uint64_t at = row.frame - firsts[row.id];
    while (!way.empty() && way.size() < at) {
      const double part = 1 / double(at - way.size() + 1);
      way.push_back(way.back() + (row.position - way.back()) * part);
    }
    way.push_back(row.position);
    last = std::max(last, row.frame);
  }
  std::vector<Frame> frames(tracks.rows.empty() ? 0 : last - first + 1);
  for (std::size_t i = 0; i < frames.size(); ++i) frames[i].time = double(i) * tracks.frame_time;
  for (const auto& [id, way] : ways)
    for (std::size_t i = 0; i < way.size(); ++i) {
      Walker walker;
      walker.serial = id;
      walker.position = way[i];
      walker.has_speed = i >= k && i + k < way.size();
      if (walker.has_speed) walker.velocity = (way[i + k] - way[i - k]) / (2 * double(k) * tracks.frame_time);
      frames[firsts[id] - first + i].people.push_back(walker);
    }
  return frames;
}

}  // namespace throng::validation
