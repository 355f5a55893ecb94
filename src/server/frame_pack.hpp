// Frames of a recording as a block for the browser: arrays `time` (f64), `begin` (where each frame's people start, and one more), `serial`, `x`,
// `y` (from the origin), `layer`. Also of one that is still being written: a live run's past is read like a recording's.
//
// Thread-safety: one thread at a time for a Recording.
#pragma once

#include <cstdint>

#include "recording/recording.hpp"
#include "server/http_server.hpp"
#include "throng/vec2.hpp"

namespace throng::server {

/// `count` frames from `first` on, fewer where they are very many people's; refused where there is no such frame.
[[nodiscard]] Response pack_frames(recording::Recording& recording, Vec2 origin, const Request& request);

}  // namespace throng::server
