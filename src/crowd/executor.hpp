// Work on people, in chunks of fixed size over a fixed number of threads.
//
// Law: which chunk a person is in depends on their number only, so whatever is computed chunk by chunk is the same for any number
// of threads.
// Thread-safety: one caller at a time.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "geometry/parallel.hpp"

namespace throng::crowd {

class Executor {
 public:
  /// More than this many threads are taken for this many: the result is the same.
  static constexpr unsigned most_threads = 1024;

  /// 0: as many threads as the machine has.
  explicit Executor(unsigned threads)
      : arena_(threads == 0 ? tbb::task_arena::automatic : int(std::min(threads, most_threads))) {
    // More threads than cores are for those who want to see that nothing depends on it; oneTBB would print a warning. Its limit is the
    // process's, so it is left alone where the machine has enough.
    if (threads != 0 && arena_.max_concurrency() > tbb::this_task_arena::max_concurrency())
      limit_.emplace(tbb::global_control::max_allowed_parallelism, std::size_t(arena_.max_concurrency()));
  }

  [[nodiscard]] unsigned threads() { return unsigned(arena_.max_concurrency()); }

  /// Calls work(begin, end) for chunks that together make up [0, count).
  template <class Work>
  void for_chunks(std::size_t count, std::size_t chunk, const Work& work) {
    const std::size_t chunks = (count + chunk - 1) / chunk;
    if (chunks <= 1) {
      if (count > 0) work(std::size_t{0}, count);
      return;
    }
    run([&] {
      geometry::for_each_number(chunks, [&](std::size_t i) { work(i * chunk, std::min(count, (i + 1) * chunk)); });
    });
  }

  /// Calls work(), which may use all threads.
  template <class Work>
  void run(const Work& work) {
    geometry::hand_over(this);
    arena_.execute([&] {
      geometry::take_over(this);
      work();
      geometry::hand_over(this);
    });
    geometry::take_over(this);
  }

 private:
  std::optional<tbb::global_control> limit_;
  tbb::task_arena arena_;
};

}  // namespace throng::crowd
