// What comes from outside as text before anybody answers it: addresses, hosts, cookies.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "server/http_server.hpp"

using namespace throng::server;

namespace {

void require(bool law) {
  if (!law) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const std::unique_ptr<Request> request = parse_target(text)) {
    require(request->path.starts_with('/'));
    require(request->path.find('\0') == std::string::npos);
  }
  // Who may ask on loopback may ask where others may, too.
  if (is_own_host(text, true)) require(is_own_host(text, false));
  const std::string_view cookie = cookie_in(text, "throng-80");
  require(cookie.size() <= text.size() && cookie.find(';') == std::string_view::npos);
  require(is_token(text, text));
  return 0;
}
