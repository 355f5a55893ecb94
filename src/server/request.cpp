// Targets and hosts: what comes from outside as text.
#include <sys/random.h>
#include <unistd.h>

#include <boost/asio/ip/address.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "server/http_server.hpp"

namespace throng::server {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\0') return std::nullopt;
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex(text[i + 1]), low = hex(text[i + 2]);
    if (high < 0 || low < 0 || (high == 0 && low == 0)) return std::nullopt;
    out += char(16 * high + low);
    i += 2;
  }
  return out;
}

/// "host:port" and "[::1]:port" without the port.
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t close = host.find(']');
    return close == std::string_view::npos ? std::string_view() : host.substr(1, close - 1);
  }
  return host.substr(0, host.find(':'));
}

std::string own_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? std::string(name) : std::string();
}

}  // namespace

bool is_own_host(std::string_view host, bool loopback_only) {
  const std::string name(without_port(host));
  if (name == "localhost") return true;
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(name, error);
  // A name can be made to point here by anybody who owns it (DNS rebinding); an address cannot.
  if (!error) return address.is_loopback() || !loopback_only;
  return !loopback_only && !name.empty() && name == own_name();
}

bool is_loopback(const std::string& address) {
  boost::system::error_code error;
  const auto parsed = boost::asio::ip::make_address(address, error);
  return !error && parsed.is_loopback();
}

std::string make_token() {
  unsigned char bytes[16] = {};
  if (::getrandom(bytes, sizeof bytes, 0) != ssize_t(sizeof bytes)) return {};
  std::string token;
  for (const unsigned char byte : bytes) token += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
  return token;
}

bool is_token(std::string_view given, std::string_view token) {
  unsigned difference = given.size() != token.size() ? 1 : 0;
  for (std::size_t i = 0; i < token.size(); ++i)
    difference |= static_cast<unsigned char>(token[i]) ^ static_cast<unsigned char>(i < given.size() ? given[i] : '\0');
  return difference == 0;
}

std::string_view cookie_in(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    std::string_view pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(header.size(), pair.size() + 1));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) return pair.substr(name.size() + 1);
  }
  return {};
}

std::unique_ptr<Request> parse_target(std::string_view target) {
  if (!target.starts_with('/')) return nullptr;
  target = target.substr(0, target.find('#'));
  const std::size_t mark = target.find('?');
  std::optional<std::string> path = decoded(target.substr(0, mark));
  if (!path) return nullptr;
  auto request = std::make_unique<Request>();
  request->path = std::move(*path);
  std::string_view rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const std::optional<std::string> name = decoded(pair.substr(0, equals));
    const std::optional<std::string> value =
        decoded(equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1));
    if (!name || !value) return nullptr;
    request->query[*name] = *value;
  }
  return request;
}

Response json_response(std::string json) { return {200, "application/json", bytes_of(std::move(json))}; }
Response binary_response(std::string bytes) { return {200, "application/octet-stream", bytes_of(std::move(bytes))}; }

Response refusal(unsigned status, std::string_view what) {
  const nlohmann::json object{{"error", what}};
  return {status, "application/json", bytes_of(object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))};
}

}  // namespace throng::server
