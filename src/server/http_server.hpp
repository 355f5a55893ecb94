// What speaks HTTP and WebSocket to browsers on this machine; what is said is an Application's.
//
// Laws
// 1. GET and HEAD are answered, POST where the application takes a body there, and upgrades to WebSocket where it speaks. A request whose
//    Host is not this machine, whose Origin is another site, or that a browser says comes from another site (Sec-Fetch-Site; following a
//    link to a page aside) is refused (403): a page of another site can neither read what is served nor steer it nor make it work. Who sends
//    a body has to name their Origin. Where there is a `token`, a request has to bring it, in its address (?token=) or in the cookie that it
//    got for it.
// 2. Requests longer than `most_header`, bodies longer than the application takes or of no told length, messages longer than
//    `most_message` end the connection. At most `most_connections` are open at a time, `most_bodies` of them sending; more are turned
//    away with 503, unless one of those that are open has been silent for `silence`: that one is closed instead.
// 3. Nobody holds anybody up: sockets and new connections go on while answers are made. A connection that is silent in the middle of a
//    request, or takes less than `piece` bytes in `patience` of what is sent, is closed. A socket whose messages pile up loses the droppable
//    ones first, and is closed once `most_waiting` bytes wait for it, or `most_waiting_in_all` for all of them.
// 4. stop() closes everything and returns; no call of the application is made afterwards.
// 5. Whatever the application throws (no memory) ends one request with 500, or one socket; the server goes on. Without descriptors it waits
//    until some are free.
//
// Thread-safety: send(), broadcast() and stop() from any thread. Calls of the application come from the server's threads: answer() several
// at once, those about one client one after the other.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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
/// Called once, from any thread; not at all where there will be no answer any more, which closes the connection.
using Reply = std::function<void(Response)>;

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
  /// The same without a thread that waits: where the answer is another thread's to make, that one replies.
  virtual void answer_later(const Request& request, Reply reply) { reply(answer(request)); }
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
  std::size_t most_waiting_in_all = std::size_t(256) << 20;
  std::size_t piece = std::size_t(64) << 10;
  std::chrono::milliseconds patience{20'000};
  std::chrono::milliseconds silence{1'000};
  std::string token;  ///< empty: none is asked for
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

/// Whether only this machine can reach this address.
[[nodiscard]] bool is_loopback(const std::string& address);

/// A token that nobody guesses: 32 hexadecimal digits from the system's random numbers; empty where it has none.
[[nodiscard]] std::string make_token();

/// Whether both are the same, in a time that tells nothing about where they differ.
[[nodiscard]] bool is_token(std::string_view given, std::string_view token);

/// The value of a cookie in a Cookie header; empty where it is not there.
[[nodiscard]] std::string_view cookie_in(std::string_view header, std::string_view name);

/// "/a%20b?x=1" taken apart; nothing where it is malformed.
[[nodiscard]] std::unique_ptr<Request> parse_target(std::string_view target);

}  // namespace throng::server
