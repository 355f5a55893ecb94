// Work shared out over threads, by oneTBB.
//
// ThreadSanitizer does not see how oneTBB hands work from thread to thread, because the installed library is not built for it. So where it
// watches (`cmake --preset tsan`) work is shared out over plain threads instead, which it follows; and who uses more of oneTBB than that says
// here when things change hands.
#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THRONG_WATCHES_THREADS
extern "C" {
void __tsan_acquire(void* address);  // NOLINT(bugprone-reserved-identifier)
void __tsan_release(void* address);  // NOLINT(bugprone-reserved-identifier)
}
#endif
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
#ifdef THRONG_WATCHES_THREADS
  std::atomic<std::size_t> next{0};
  const auto take_turns = [&] {
    for (std::size_t i = next.fetch_add(1, std::memory_order_relaxed); i < count;
         i = next.fetch_add(1, std::memory_order_relaxed))
      work(i);
  };
  std::vector<std::thread> others;
  for (int i = 1; i < tbb::this_task_arena::max_concurrency() && std::size_t(i) < count; ++i)
    others.emplace_back(take_turns);
  take_turns();
  for (std::thread& other : others) other.join();
#else
  tbb::parallel_for(std::size_t{0}, count, work);
#endif
}

}  // namespace throng::geometry
