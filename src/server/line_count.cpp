#include "server/line_count.hpp"

#include "recording/recording.hpp"

namespace throng::server {
namespace {

double side(Vec2 from, Vec2 to, Vec2 p) { return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x); }

/// Somebody where they were in the last frame.
struct Was {
  std::uint64_t serial = 0;
  Vec2 at;
  std::uint32_t layer = 0;
};

}  // namespace

int crosses(const CountedLine& line, Vec2 a, Vec2 b) {
  // Who stands on the line is on its right: each way over it counts once.
  const bool was_left = side(line.from, line.to, a) > 0, is_left = side(line.from, line.to, b) > 0;
  if (was_left == is_left) return 0;
  const double first = side(a, b, line.from), second = side(a, b, line.to);
  if ((first > 0) == (second > 0)) return 0;
  return was_left ? 1 : -1;
}

Result<std::vector<LineCrossing>> count_crossings(const std::string& recording, const CountedLine& line,
                                                  const std::atomic<bool>& stop) {
  Result<recording::Recording> opened = recording::Recording::open(recording);
  if (!opened) return opened.problems();
  std::vector<LineCrossing> crossings;
  std::vector<Was> before, now;
  const Problems wrong = opened->each_frame([&](const recording::Frame& frame) {
    now.clear();
    std::size_t k = 0;
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      now.push_back({frame.serial[i], frame.position[i], frame.layer[i]});
      while (k < before.size() && before[k].serial < frame.serial[i]) ++k;
      if (k == before.size() || before[k].serial != frame.serial[i]) continue;
      if (before[k].layer != line.layer && now.back().layer != line.layer) continue;
      if (const int direction = crosses(line, before[k].at, now.back().at); direction != 0)
        crossings.push_back({frame.time, frame.serial[i], direction});
    }
    std::swap(before, now);
    return !stop && crossings.size() <= most_crossings;
  });
  if (has_errors(wrong)) return wrong;
  if (crossings.size() > most_crossings)
    return Problem{Severity::error, ProblemCode::limit, "", "more people cross this line than can be told"};
  return crossings;
}

}  // namespace throng::server
