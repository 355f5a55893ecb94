// Work shared out over threads, by oneTBB.
//
// ThreadSanitizer does not see how oneTBB hands work from thread to thread, because the installed library is not built for it. So whoever
// gives work to other threads says so here, and everything else that they share is still watched (`cmake --preset tsan`).
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THRONG_WATCHES_THREADS
#define THRONG_UNWATCHED __attribute__((no_sanitize("thread")))
extern "C" {
void __tsan_acquire(void* address);  // NOLINT(bugprone-reserved-identifier)
void __tsan_release(void* address);  // NOLINT(bugprone-reserved-identifier)
}
#endif
#endif
/// What runs before it can say that it takes over: it looks at what was handed over to do so.
#ifndef THRONG_UNWATCHED
#define THRONG_UNWATCHED
#endif

namespace throng::geometry {

/// Whoever takes over the same thing after this sees all that was done before.
inline void hand_over([[maybe_unused]] const void* thing) {
#ifdef THRONG_WATCHES_THREADS
  __tsan_release(const_cast<void*>(thing));
#endif
}
inline void take_over([[maybe_unused]] const void* thing) {
#ifdef THRONG_WATCHES_THREADS
  __tsan_acquire(const_cast<void*>(thing));
#endif
}

/// Calls work(i) for every i below `count`, on the threads of the task arena it is called in. Returns when all is done.
template <class Work>
void for_each_number(std::size_t count, const Work& work) {
  const char begun = 0, done = 0;
  hand_over(&begun);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) THRONG_UNWATCHED {
    take_over(&begun);
    work(i);
    hand_over(&done);
  });
  take_over(&done);
}

}  // namespace throng::geometry
