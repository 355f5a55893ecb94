// A view of which a page makes a clip by itself (viewer/src/film.ts) and hands it back: what `throng export RECORDING clip.webm` serves.
//
//   POST /api/film            the file; /api/film-failed: why there is none; /api/film-progress: the part that is done
//
// Thread-safety: all from any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "server/http_server.hpp"

namespace throng::server {

class FilmView : public Application {
 public:
  struct Film {
    std::string bytes;   ///< empty: there is none
    std::string reason;  ///< why
  };

  explicit FilmView(std::unique_ptr<Application> view) : view_(std::move(view)) {}

  [[nodiscard]] Response answer(const Request& request) override;
  [[nodiscard]] std::size_t most_body(const Request& request) const override;
  [[nodiscard]] Application* at_socket(const std::string& path) override { return view_->at_socket(path); }
  [[nodiscard]] std::string greeting() override { return "{}"; }
  void said(ClientId /*client*/, std::string_view /*text*/) override {}
  void left(ClientId /*client*/) override {}

  /// The film, or nothing where it has not come within that time.
  [[nodiscard]] std::optional<Film> wait(std::chrono::milliseconds patience);
  /// From 0 to 1; goes up as long as the page is at work.
  [[nodiscard]] double progress() const;

 private:
  void take(Film film);

  std::unique_ptr<Application> view_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::optional<Film> film_;
  double progress_ = 0;
};

}  // namespace throng::server
