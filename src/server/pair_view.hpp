// Two views beside each other: /a/ and /b/, and the page that shows both with one clock and one camera (viewer/src/compare.ts).
#pragma once

#include <memory>

#include "server/http_server.hpp"
#include "server/static_files.hpp"

namespace throng::server {

class PairView : public Application {
 public:
  PairView(StaticFiles client, std::unique_ptr<Application> a, std::unique_ptr<Application> b);
  [[nodiscard]] Response answer(const Request& request) override;
  [[nodiscard]] Application* at_socket(const std::string& path) override;
  [[nodiscard]] std::string greeting() override { return "{}"; }
  void said(ClientId /*client*/, std::string_view /*text*/) override {}
  void left(ClientId /*client*/) override {}

 private:
  StaticFiles client_;
  std::unique_ptr<Application> a_, b_;
};

}  // namespace throng::server
