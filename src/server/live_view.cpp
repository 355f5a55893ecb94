#include "server/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "server/live_run.hpp"

namespace throng::server {
namespace {

/// Of one socket, and of all: who sends faster than can be carried out is told so.
constexpr std::size_t most_orders_of_client = 16, most_waiting_orders = 1000;
/// Of those who wait with a thread of their own.
constexpr std::chrono::seconds longest_answer{30};

double seconds(std::chrono::steady_clock::duration d) { return std::chrono::duration<double>(d).count(); }

}  // namespace

std::string reasons(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems)
    if (problem.severity == Severity::error) text += (text.empty() ? "" : "; ") + problem.message;
  return text;
}

bool LiveView::Impl::order(ClientId client, std::function<void()> what) {
  {
    const std::lock_guard lock(mutex);
    if (stop || orders.size() >= most_waiting_orders) return false;
    if (client != nobody && waiting_of[client] >= most_orders_of_client) return false;
    orders.push_back({client, std::move(what)});
    if (client != nobody) ++waiting_of[client];
  }
  wake.notify_one();
  return true;
}

void LiveView::Impl::ask(const Reply& reply, std::function<Response()> what) {
  const auto answer = [reply, what = std::move(what)] { reply(guarded(what)); };
  if (!order(nobody, answer)) reply(refusal(503, "the simulation does not answer"));
}

Response LiveView::Impl::guarded(const std::function<Response()>& what) {
  try {
    return what();
  } catch (const std::exception&) {
    return refusal(500, "the answer could not be made");
  }
}

void LiveView::Impl::run() {
  while (true) {
    std::size_t due_orders = 0;
    {
      std::unique_lock lock(mutex);
      wake.wait_until(lock, next_step(), [&] { return stop || !orders.empty(); });
      if (stop) return;
      due_orders = orders.size();
    }
    // One at a time, and no more than were there: neither an end nor the next step waits for all that comes.
    for (; due_orders > 0; --due_orders)
      if (!obey_next()) return;
    if (Clock::now() < next_step()) continue;
    if (!is_running()) continue;
    guarded_step();
  }
}

bool LiveView::Impl::obey_next() {
  Order next;
  {
    const std::lock_guard lock(mutex);
    if (stop) return false;
    if (orders.empty()) return true;
    next = std::move(orders.front());
    orders.pop_front();
    if (const auto count = waiting_of.find(next.client); count != waiting_of.end() && --count->second == 0)
      waiting_of.erase(count);
  }
  try {
    next.what();
  } catch (const std::exception& fault) {
    if (next.client != nobody) refuse(next.client, fmt::format("not possible: {}", fault.what()));
  }
  return true;
}

void LiveView::Impl::guarded_step() {
  try {
    step();
  } catch (const std::exception& fault) {
    paused = true;
    say({{"type", "refused"}, {"what", fmt::format("the run cannot go on: {}", fault.what())}});
  }
}

std::chrono::steady_clock::time_point LiveView::Impl::next_step() const {
  if (!is_running()) return Clock::now() + std::chrono::milliseconds(200);
  if (speed <= 0 || single_steps > 0) return Clock::now();
  return due;
}

void LiveView::Impl::step() {
  const double dt = simulation.scenario().time_step;
  const Clock::time_point before = Clock::now();
  const Result<std::size_t> moved = simulation.step();
  if (!moved) {
    paused = true;
    say({{"type", "refused"}, {"what", "the run cannot go on: " + reasons(moved.problems())}});
    return;
  }
  metrics.observe(simulation.crowd(), dt);
  if (observer) observer->frame(simulation, metrics);
  if (simulation.crowd().time() + 1e-9 >= next_row) take_series();
  const bool single = single_steps > 0;
  if (single) --single_steps;
  // What is late is not made up for: a run that cannot keep up goes on as fast as it can.
  if (speed > 0)
    due =
        std::max(due + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(dt / speed)), before);
  count_rate(dt);
  const bool over = simulation.finished();
  if (over) describe();
  if (simulation.crowd().step_count() >= simulation.total_steps()) series.complete();
  if (single || over || seconds(Clock::now() - last_frame) >= 1 / options.frames_a_second) publish();
}

void LiveView::Impl::count_rate(double dt) {
  simulated += dt;
  const double passed = seconds(Clock::now() - rate_since);
  if (passed < 0.5) return;
  rate = simulated / passed;
  simulated = 0;
  rate_since = Clock::now();
}

void LiveView::Impl::restart_clock() {
  due = rate_since = Clock::now();
  simulated = 0;
}

LiveView::LiveView(StaticFiles client, std::string name, scenario::Simulation simulation, analysis::Metrics metrics,
                   std::unique_ptr<RunObserver> observer, LiveOptions options)
    : WorldView(std::move(client), std::move(name), simulation.world()),
      impl_(std::make_unique<Impl>(*this, std::move(simulation), std::move(metrics), std::move(observer), options)) {}

LiveView::~LiveView() { end(); }

void LiveView::begin(Server& server) {
  impl_->server = &server;
  impl_->restart_clock();
  impl_->thread = std::thread([this] { impl_->run(); });
}

void LiveView::end() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stop = true;
    // Whoever waits for an answer gets none.
    impl_->orders.clear();
    impl_->waiting_of.clear();
  }
  impl_->wake.notify_one();
  if (impl_->thread.joinable()) impl_->thread.join();
}

void LiveView::greeted(ClientId client) {
  impl_->order(Impl::nobody, [this, client] { impl_->welcome(client); });
}

void LiveView::said(ClientId client, std::string_view text) {
  Json order = Json::parse(text, nullptr, false);
  if (!order.is_object()) return impl_->refuse(client, "orders are JSON objects");
  if (!impl_->order(client, [this, client, order = std::move(order)] { impl_->obey(client, order); }))
    impl_->refuse(client, "too many orders at once");
}

Json LiveView::session() {
  Json json = WorldView::session();
  const std::lock_guard lock(impl_->description_mutex);
  json.update(impl_->description);
  return json;
}

Response LiveView::answer(const Request& request) {
  const auto promise = std::make_shared<std::promise<Response>>();
  std::future<Response> answer = promise->get_future();
  answer_later(request, [promise](Response response) { promise->set_value(std::move(response)); });
  if (answer.wait_for(longest_answer) != std::future_status::ready)
    return refusal(503, "the simulation does not answer");
  return answer.get();
}

void LiveView::answer_later(const Request& request, Reply reply) {
  Impl& impl = *impl_;
  const std::string& path = request.path;
  if (path == "/api/agents")
    return impl.ask(reply, [&impl, after = count_in(request, "after").value_or(0)] {
      return binary_response(impl.agents_after(after));
    });
  if (path == "/api/ways") return impl.ask(reply, [&impl] { return json_response(impl.ways()); });
  if (path == "/api/marks") {
    const auto key = request.query.find("key");
    return impl.ask(
        reply, [&impl, key = key == request.query.end() ? std::string() : key->second] { return impl.marks(key); });
  }
  // The last frame as JSON would say it: what tests compare the picture with.
  if (path == "/api/state") return impl.ask(reply, [&impl] { return binary_response(impl.frame()); });
  if (path == "/download/scenario.json")
    return impl.ask(reply, [&impl] {
      const Result<std::string> text = impl.edits.text();
      return text ? Response{200, "application/json", bytes_of(*text), "scenario.json"}
                  : refusal(500, reasons(text.problems()));
    });
  reply(WorldView::answer(request));
}

std::optional<Response> LiveView::answer_own(const Request& request) {
  if (request.path == "/api/series") return binary_response(impl_->series.pack(count_in(request, "first").value_or(0)));
  if (request.path == "/api/frames") return impl_->history(request);
  if (request.path == "/api/count") {
    const std::string path = impl_->observer ? impl_->observer->path() : std::string();
    if (path.empty()) return refusal(404, "this run is not recorded");
    return answer_count(request, path, origin(), world()->environment.layers.size(), impl_->stop);
  }
  if (request.path == "/download/recording.throng") {
    if (!impl_->observer) return refusal(404, "this run is not recorded");
    const Result<Bytes> bytes = impl_->observer->recording();
    if (!bytes) return refusal(500, reasons(bytes.problems()));
    return Response{200, "application/octet-stream", *bytes, "recording.throng"};
  }
  return std::nullopt;
}

}  // namespace throng::server
