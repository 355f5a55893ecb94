// Work on the parts of a long text, on all processors at once, used in the order of the text: same result for any number of threads.
#pragma once

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

#include "geometry/parallel.hpp"

namespace throng::environment {

/// `next()` gives the parts one after the other (std::optional; nothing: that was the last), `work(part)` makes something of one on any
/// thread, and `use(result)` takes the results in order, one at a time. Where `use` returns false, no more parts are asked for, and
/// this returns false. Few parts are held at once. What any of the three throws comes out here.
template <class Next, class Work, class Use>
bool work_in_order(Next&& next, Work&& work, Use&& use) {
  using Part = typename decltype(next())::value_type;
  using Made = decltype(work(std::declval<Part>()));
  std::atomic<bool> stopped = false;
  const auto held_at_once = 2 * std::size_t(tbb::info::default_concurrency()) + 1;
  // The first and the last are called by one thread at a time, though not by the same.
  const auto cut = [&](tbb::flow_control& control) -> std::shared_ptr<Part> {
    geometry::take_over(&next);
    std::shared_ptr<Part> cut_off;
    if (!stopped)
      if (auto part = next()) cut_off = std::make_shared<Part>(std::move(*part));
    if (!cut_off) control.stop();
    geometry::hand_over(&next);
    return cut_off;
  };
  const auto make = [&](const std::shared_ptr<Part>& part) {
    geometry::take_over(&next);
    auto made = stopped ? std::shared_ptr<Made>() : std::make_shared<Made>(work(std::move(*part)));
    geometry::hand_over(&work);
    return made;
  };
  const auto take = [&](const std::shared_ptr<Made>& made) {
    geometry::take_over(&work);
    geometry::take_over(&use);
    if (!stopped && made && !use(std::move(*made))) stopped = true;
    geometry::hand_over(&use);
  };
  using tbb::filter_mode;
  geometry::hand_over(&next);
  tbb::parallel_pipeline(
      held_at_once, tbb::make_filter<void, std::shared_ptr<Part>>(filter_mode::serial_in_order, cut) &
                        tbb::make_filter<std::shared_ptr<Part>, std::shared_ptr<Made>>(filter_mode::parallel, make) &
                        tbb::make_filter<std::shared_ptr<Made>, void>(filter_mode::serial_in_order, take));
  geometry::take_over(&use);
  return !stopped;
}

}  // namespace throng::environment
