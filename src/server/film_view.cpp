#include "server/film_view.hpp"

#include <algorithm>
#include <charconv>

namespace throng::server {
namespace {

constexpr std::size_t most_film = std::size_t(1) << 30, most_reason = 4096, most_progress = 32;

}  // namespace

Response FilmView::answer(const Request& request) {
  if (!request.post) return view_->answer(request);
  if (request.path == "/api/film") {
    take({request.body, request.body.empty() ? "the clip is empty" : ""});
  } else if (request.path == "/api/film-failed") {
    take({{}, request.body});
  } else if (request.path == "/api/film-progress") {
    double part = 0;
    std::from_chars(request.body.data(), request.body.data() + request.body.size(), part);
    const std::lock_guard lock(mutex_);
    progress_ = std::clamp(part, progress_, 1.0);
  } else {
    return refusal(404, "there is no " + request.path);
  }
  return json_response("{}");
}

std::size_t FilmView::most_body(const Request& request) const {
  if (request.path == "/api/film") return most_film;
  if (request.path == "/api/film-failed") return most_reason;
  return request.path == "/api/film-progress" ? most_progress : 0;
}

void FilmView::take(Film film) {
  const std::lock_guard lock(mutex_);
  if (!film_) film_ = std::move(film);
  came_.notify_all();
}

std::optional<FilmView::Film> FilmView::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  came_.wait_for(lock, patience, [&] { return film_.has_value(); });
  return film_;
}

double FilmView::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

}  // namespace throng::server
