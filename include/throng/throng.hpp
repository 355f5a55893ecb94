// All of Throng's public interface.
#pragma once

#include "throng/crowd.hpp"        // IWYU pragma: export
#include "throng/environment.hpp"  // IWYU pragma: export
#include "throng/result.hpp"       // IWYU pragma: export
#include "throng/vec2.hpp"         // IWYU pragma: export
#include "throng/world.hpp"        // IWYU pragma: export
