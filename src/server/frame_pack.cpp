#include "server/frame_pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "server/pack.hpp"
#include "server/view.hpp"

namespace throng::server {
namespace {

constexpr std::uint64_t most_frames_at_once = 200;
constexpr std::size_t most_positions_at_once = std::size_t(1) << 22;

}  // namespace

Response pack_frames(recording::Recording& recording, Vec2 origin, const Request& request) {
  const auto first = count_in(request, "first"), count = count_in(request, "count");
  const std::uint64_t frames = recording.frame_count();
  if (!first || !count || *first >= frames || *count == 0 || *count > most_frames_at_once)
    return refusal(400, fmt::format("first is below {}, count 1 to {}", frames, most_frames_at_once));
  std::vector<double> time;
  std::vector<std::uint32_t> begin{0}, serial;
  std::vector<float> x, y;
  std::vector<std::uint16_t> layer;
  for (std::uint64_t number = *first; number < std::min(frames, *first + *count); ++number) {
    const Result<recording::Frame> frame = recording.frame(number);
    if (!frame) return refusal(500, to_string(frame.problems().front()));
    if (!time.empty() && serial.size() + frame->serial.size() > most_positions_at_once) break;
    time.push_back(frame->time);
    for (std::size_t i = 0; i < frame->serial.size(); ++i) {
      serial.push_back(std::uint32_t(frame->serial[i]));
      x.push_back(float(frame->position[i].x - origin.x));
      y.push_back(float(frame->position[i].y - origin.y));
      layer.push_back(std::uint16_t(frame->layer[i]));
    }
    begin.push_back(std::uint32_t(serial.size()));
  }
  Pack pack;
  pack.array("time", time);
  pack.array("begin", begin);
  pack.array("serial", serial);
  pack.array("x", x);
  pack.array("y", y);
  pack.array("layer", layer);
  return binary_response(pack.finish({{"first", *first}, {"count", time.size()}, {"frames", frames}}));
}

}  // namespace throng::server
