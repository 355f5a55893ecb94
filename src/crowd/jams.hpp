// What a crowd knows of its own jams: there while anybody goes by it.
#pragma once

namespace throng::crowd {

struct Jams final {};

}  // namespace throng::crowd
