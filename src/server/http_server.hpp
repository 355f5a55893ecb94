// What speaks HTTP and WebSocket to browsers on this machine; what is said is an Application's.
//
// Laws
// 1. GET and HEAD are answered, POST where the application takes a body there, and upgrades to WebSocket where it speaks. A request whose
//    Host is not this machine, or whose Origin is another site, is refused (403): a page of another site can neither read what is served
//    nor steer it. Who sends a body has to name their Origin.
// 2. Requests longer than `most_header`, bodies longer than the application takes or of no told length, messages longer than
//    `most_message` end the connection. At most `most_connections` are open at a time, `most_bodies` of them sending; more are turned
//    away with 503.
// 3. Nobody holds anybody up: sockets and new connections go on while answers are made. A connection that is silent in the middle of a request, or does not take what is sent for `patience`, is
//    closed. A socket whose messages pile up loses the droppable ones first, and is closed once `most_waiting` bytes wait.
// 4. stop() closes everything and returns; no call of the application is made afterwards.
//
// Thread-safety: send(), broadcast() and stop() from any thread. Calls of the application come from the server's threads: answer() several
// at once, those about one client one after the other.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "throng/result.hpp"

namespace throng::server {

using Bytes = std::shared_ptr<const std::string>;

[[nodiscard]] inline Bytes bytes_of(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

/// A GET, or a POST with its body: `path` decoded, starting with '/', `query` by name.
struct Request {
  std::string path;
  std::map<std::string, std::string> query;
  bool post = false;
  std::string body = {};
};

struct Response {
  unsigned status = 200;
  std::string type = "application/json";
  Bytes body;
  std::string download = {};  ///< a file name: the browser saves it instead of showing it
};

[[nodiscard]] Response json_response(std::string json);
[[nodiscard]] Response binary_response(std::string bytes);
/// {"error": what}
[[nodiscard]] Response refusal(unsigned status, std::string_view what);

/// A connected WebSocket; numbers are not used again.
using ClientId = std::uint64_t;

struct Message {
  Bytes bytes;
  bool binary = false;
  bool droppable = false;  ///< may be left out where the client has not taken the last one yet
};

class Application {
 public:
  virtual ~Application() = default;
  [[nodiscard]] virtual Response answer(const Request& request) = 0;
  /// Bytes that a POST to this address may send; 0: none is taken.
  [[nodiscard]] virtual std::size_t most_body(const Request& /*request*/) const { return 0; }
  /// Who speaks at a socket of that path, while the server runs; nobody: it is refused.
  [[nodiscard]] virtual Application* at_socket(const std::string& path) { return path == "/socket" ? this : nullptr; }
  /// A socket was opened; what to say to it first.
  [[nodiscard]] virtual std::string greeting() = 0;
  /// The greeting is on its way; more may be sent.
  virtual void greeted(ClientId /*client*/) {}
  virtual void said(ClientId client, std::string_view text) = 0;
  virtual void left(ClientId client) = 0;
};

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any that is free
  std::size_t most_connections = 64;
  std::size_t most_bodies = 4;
  std::uint32_t most_header = 16 * 1024;
  std::size_t most_message = 256 * 1024;
  std::size_t most_waiting = std::size_t(64) << 20;
  std::chrono::milliseconds patience{20'000};
  unsigned threads = 2;
};

class Server {
 public:
  /// Refused where the address is none of this machine's, or the port is taken.
  [[nodiscard]] static Result<std::unique_ptr<Server>> start(const ServerOptions& options, Application& application);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const;
  void send(ClientId client, Message message);
  /// To all sockets, or those at which `of` speaks.
  void broadcast(const Message& message, const Application* of = nullptr);
  [[nodiscard]] std::size_t sockets(const Application* of = nullptr) const;
  void stop();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Whether a Host header names this machine: an address, "localhost" or the machine's own name; on loopback only loopback's.
[[nodiscard]] bool is_own_host(std::string_view host, bool loopback_only);

/// "/a%20b?x=1" taken apart; nothing where it is malformed.
[[nodiscard]] std::unique_ptr<Request> parse_target(std::string_view target);

}  // namespace throng::server
