#include <doctest/doctest.h>

#include "server/http_server.hpp"

namespace throng::server {
namespace {

TEST_CASE("targets are taken apart and decoded") {
  const auto request = parse_target("/api/see?x=1.5&name=a%20b&flag#rest");
  REQUIRE(request);
  CHECK(request->path == "/api/see");
  CHECK(request->query.at("x") == "1.5");
  CHECK(request->query.at("name") == "a b");
  CHECK(request->query.at("flag").empty());
}

TEST_CASE("malformed targets are refused") {
  for (const char* target : {"", "api", "*", "http://elsewhere/", "/a%", "/a%2", "/a%zz", "/a%00b", "/?x=%0g"})
    CHECK_MESSAGE(parse_target(target) == nullptr, target);
}

TEST_CASE("a zero byte in a target is refused, written out or as it is") {
  CHECK(parse_target(std::string_view("/a\0b", 4)) == nullptr);
  CHECK(parse_target(std::string_view("/a?x=\0", 7)) == nullptr);
  CHECK(parse_target("/a?x=%00") == nullptr);
}

TEST_CASE("hosts of this machine are told from names that anybody may own") {
  for (const char* host : {"localhost", "localhost:8080", "127.0.0.1:1", "127.0.0.1", "[::1]:80", "127.8.8.8"})
    CHECK_MESSAGE(is_own_host(host, true), host);
  for (const char* host :
       {"", "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "192.168.1.2", "[::1", "localhost.evil"})
    CHECK_MESSAGE(!is_own_host(host, true), host);
  CHECK(is_own_host("192.168.1.2:80", false));
  CHECK(!is_own_host("evil.example", false));
}

}  // namespace
}  // namespace throng::server
