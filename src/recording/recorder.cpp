#include "recording/recorder.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <variant>

#include "recording/sink.hpp"

namespace throng::recording {
namespace {

struct OwnFrame {
  std::uint64_t number = 0;
  double time = 0;
  std::vector<std::uint64_t> serial;
  std::vector<Vec2> position;
  std::vector<std::uint32_t> layer;

  void copy(const Frame& frame) {
    number = frame.number;
    time = frame.time;
    serial.assign(frame.serial.begin(), frame.serial.end());
    position.assign(frame.position.begin(), frame.position.end());
    layer.assign(frame.layer.begin(), frame.layer.end());
  }
  [[nodiscard]] Frame view() const { return {number, time, serial, position, layer}; }
};

struct Event {
  double time = 0;
  std::string kind, json;
};

struct Metric {
  std::string name, json;
};

using Item = std::variant<AgentRow, OwnFrame, Event, Metric>;

std::size_t bytes_of(const Frame& frame) {
  return sizeof(Item) + frame.serial.size_bytes() + frame.position.size_bytes() + frame.layer.size_bytes();
}

std::size_t bytes_of(const Item& item) {
  if (const auto* frame = std::get_if<OwnFrame>(&item)) return bytes_of(frame->view());
  if (const auto* event = std::get_if<Event>(&item)) return sizeof(Item) + event->kind.size() + event->json.size();
  if (const auto* metric = std::get_if<Metric>(&item)) return sizeof(Item) + metric->name.size() + metric->json.size();
  return sizeof(Item);
}

class QueuedRecorder final : public Recorder {
 public:
  QueuedRecorder(std::unique_ptr<Sink> sink, const RecorderOptions& options)
      : sink_(std::move(sink)), limit_(options.queue_bytes), writer_([this] { write_all(); }) {}
  ~QueuedRecorder() override { (void)finish(); }
  QueuedRecorder(const QueuedRecorder&) = delete;
  QueuedRecorder& operator=(const QueuedRecorder&) = delete;

  void agent(const AgentRow& row) override { push(row); }
  void event(double time, std::string_view kind, std::string_view json) override {
    push(Event{time, std::string(kind), std::string(json)});
  }
  void metric(std::string_view name, std::string_view json) override {
    push(Metric{std::string(name), std::string(json)});
  }

  void frame(const Frame& frame) override {
    OwnFrame own;
    if (!wait_for_room(bytes_of(frame), &own)) return;
    own.copy(frame);
    append(std::move(own), bytes_of(frame));
  }

  [[nodiscard]] bool failed() const override { return failed_; }

  Result<Written> finish() override {
    {
      const std::lock_guard lock(mutex_);
      finishing_ = true;
    }
    more_.notify_one();
    if (writer_.joinable()) writer_.join();
    return *outcome_;
  }

 private:
  void push(Item item) {
    const std::size_t bytes = bytes_of(item);
    if (wait_for_room(bytes, nullptr)) append(std::move(item), bytes);
  }

  /// Whether anything is still taken. Gives a used frame back, so that its memory is touched already.
  bool wait_for_room(std::size_t bytes, OwnFrame* used) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return failed_ || queued_bytes_ == 0 || queued_bytes_ + bytes <= limit_; });
    if (used != nullptr && !spare_.empty()) {
      *used = std::move(spare_.back());
      spare_.pop_back();
    }
    return !failed_ && !finishing_;
  }

  void append(Item item, std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(item));
      queued_bytes_ += bytes;
    }
    more_.notify_one();
  }

  // Below: on the writer's thread.

  void write_all() {
    Problems wrong;
    while (std::optional<Item> item = next()) {
      wrong = guarded([&] { return write(*item); });
      done_with(std::move(*item));
      if (!wrong.empty()) break;
    }
    if (!wrong.empty()) give_up();
    std::optional<Result<Written>> closed;
    const Problems wrong_at_end = guarded([&] {
      closed = sink_->close();
      sink_.reset();
      return closed->ok() ? Problems{} : closed->problems();
    });
    if (wrong.empty()) wrong = wrong_at_end;
    if (!wrong.empty()) give_up();
    outcome_ = wrong.empty() ? std::move(closed) : std::optional<Result<Written>>(wrong);
  }

  /// Law 1 of result.hpp: an exception (there is no more memory) becomes a problem.
  template <class Work>
  static Problems guarded(const Work& work) {
    try {
      return work();
    } catch (const std::exception& e) {
      return {{Severity::error, ProblemCode::internal, "recording", e.what()}};
    }
  }

  std::optional<Item> next() {
    std::unique_lock lock(mutex_);
    more_.wait(lock, [&] { return finishing_ || !queue_.empty(); });
    if (queue_.empty()) return std::nullopt;
    std::optional<Item> item(std::move(queue_.front()));
    queue_.pop_front();
    return item;
  }

  Problems write(const Item& item) {
    if (const auto* frame = std::get_if<OwnFrame>(&item)) return sink_->frame(frame->view());
    if (const auto* row = std::get_if<AgentRow>(&item)) return sink_->agent(*row);
    if (const auto* event = std::get_if<Event>(&item)) return sink_->event(event->time, event->kind, event->json);
    const auto& metric = std::get<Metric>(item);
    return sink_->metric(metric.name, metric.json);
  }

  /// Only now: what is being written is part of what waits.
  void done_with(Item item) {
    const std::size_t bytes = bytes_of(item);
    {
      const std::lock_guard lock(mutex_);
      queued_bytes_ -= bytes;
      if (auto* frame = std::get_if<OwnFrame>(&item); frame != nullptr && spare_.size() < 2)
        spare_.push_back(std::move(*frame));
    }
    room_.notify_one();
  }

  void give_up() {
    {
      const std::lock_guard lock(mutex_);
      failed_ = true;
      queue_.clear();
    }
    room_.notify_one();
  }

  std::unique_ptr<Sink> sink_;
  const std::size_t limit_;
  std::mutex mutex_;
  std::condition_variable more_, room_;
  std::deque<Item> queue_;
  std::size_t queued_bytes_ = 0;
  std::vector<OwnFrame> spare_;
  bool finishing_ = false;
  std::atomic<bool> failed_ = false;
  std::optional<Result<Written>> outcome_;  ///< the writer's, until it is joined
  std::thread writer_;                      ///< last: it starts when all else is there
};

bool is_place(Vec2 p) { return std::abs(p.x) <= max_coordinate && std::abs(p.y) <= max_coordinate; }

std::string wrong_with(const Frame& frame, std::uint64_t expected_number, std::size_t layers) {
  const std::size_t count = frame.serial.size();
  if (frame.number != expected_number) return fmt::format("frame {} was expected", expected_number);
  if (frame.number >= max_frames)
    return fmt::format("a recording has at most {} frames; record less often (docs/recordings.md)", max_frames);
  if (!std::isfinite(frame.time)) return "its time is no number";
  if (frame.position.size() != count || frame.layer.size() != count)
    return fmt::format("{} serials, {} positions and {} layers", count, frame.position.size(), frame.layer.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t serial = frame.serial[i];
    if (i > 0 && serial <= frame.serial[i - 1])
      return fmt::format("serial {} comes after serial {}", serial, frame.serial[i - 1]);
    if (frame.layer[i] >= layers) return fmt::format("agent {} is in layer {} of {}", serial, frame.layer[i], layers);
    if (!is_place(frame.position[i]))
      return fmt::format("agent {} is at ({}, {}); coordinates are within {:g} m of zero", serial, frame.position[i].x,
                         frame.position[i].y, max_coordinate);
  }
  if (count > 0 && frame.serial.back() > max_serial) return fmt::format("serial {} is too large", frame.serial.back());
  return {};
}

}  // namespace

Result<std::unique_ptr<Recorder>> start_recorder(std::unique_ptr<Sink> sink, const RecorderOptions& options) {
  try {
    return std::unique_ptr<Recorder>(std::make_unique<QueuedRecorder>(std::move(sink), options));
  } catch (const std::system_error& e) {
    return Problem{Severity::error, ProblemCode::internal, "recording",
                   fmt::format("no thread can be started: {}", e.what())};
  }
}

Problems check_meta(const std::string& path, const Meta& meta) {
  Problems problems;
  const auto refuse = [&](std::string message) {
    problems.push_back({Severity::error, ProblemCode::value, path, std::move(message)});
  };
  if (!(meta.time_step >= least_time_step && meta.time_step <= largest_time_step))
    refuse(fmt::format("a time step of {} s cannot be recorded, only {} to {:.0f} s", meta.time_step, least_time_step,
                       largest_time_step));
  if (meta.every < 1) refuse(fmt::format("a frame every {} steps cannot be recorded", meta.every));
  if (meta.frame_time() > largest_time_step)
    refuse(fmt::format("a frame every {} s cannot be recorded", meta.frame_time()));
  if (!std::isfinite(meta.unit) || meta.unit < 0) refuse(fmt::format("{} is no unit of length", meta.unit));
  if (meta.layers.empty()) refuse("there is no layer");
  for (const std::vector<std::string>* names : {&meta.layers, &meta.populations, &meta.profiles})
    if (names->size() > max_names)
      refuse(fmt::format("{} layers, populations or profiles, where at most {} can be recorded", names->size(),
                         max_names));
  if (std::set<std::string>(meta.layers.begin(), meta.layers.end()).size() != meta.layers.size())
    refuse("two layers have the same name");
  return problems;
}

Problems check_frame(const std::string& path, const Frame& frame, std::uint64_t expected_number, std::size_t layers) {
  const std::string wrong = wrong_with(frame, expected_number, layers);
  if (wrong.empty()) return {};
  return {{Severity::error, ProblemCode::value, fmt::format("{}: frame {}", path, frame.number), wrong}};
}

}  // namespace throng::recording
