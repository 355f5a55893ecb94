#include "server/pair_view.hpp"

namespace throng::server {

PairView::PairView(StaticFiles client, std::unique_ptr<Application> a, std::unique_ptr<Application> b)
    : client_(std::move(client)), a_(std::move(a)), b_(std::move(b)) {}

Response PairView::answer(const Request& request) {
  if (request.path == "/") return client_.answer("/compare.html");
  if (!request.path.starts_with("/a/") && !request.path.starts_with("/b/")) return client_.answer(request.path);
  Request inner = request;
  inner.path = request.path.substr(2);
  return (request.path[1] == 'a' ? a_ : b_)->answer(inner);
}

Application* PairView::at_socket(const std::string& path) {
  return path == "/a/socket" ? a_.get() : path == "/b/socket" ? b_.get() : nullptr;
}

}  // namespace throng::server
