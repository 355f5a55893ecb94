// The server against requests that nobody should send: refused or shed, never hung.
#include "server/http_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <new>
#include <stdexcept>
#include <thread>

namespace throng::server {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

/// Says what it is asked; counts its clients.
class Parrot : public Application {
 public:
  Response answer(const Request& request) override {
    if (request.path == "/large") return binary_response(std::string(std::size_t(8) << 20, 'x'));
    if (request.path == "/") return {200, "text/plain", bytes_of("hello")};
    if (request.path == "/takes") {
      ++taken;
      return {200, "text/plain", bytes_of(fmt::format("{} bytes", request.body.size()))};
    }
    if (request.path == "/no-memory") throw std::bad_alloc();
    if (request.path == "/fault") throw std::runtime_error("a fault");
    if (request.path == "/slow") {
      ++slow;
      while (!released) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      return {200, "text/plain", bytes_of("at last")};
    }
    return refusal(404, "there is no " + request.path);
  }
  [[nodiscard]] std::size_t most_body(const Request& request) const override {
    return request.path == "/takes" ? 1000 : 0;
  }
  std::string greeting() override {
    ++joined;
    return R"({"type":"hello"})";
  }
  void said(ClientId client, std::string_view text) override {
    if (text == "throw") throw std::bad_alloc();
    last = std::string(text).size();
    if (server != nullptr) server->send(client, {bytes_of(std::string(text))});
  }
  void left(ClientId /*client*/) override { ++gone; }

  std::atomic<int> joined{0}, gone{0}, slow{0}, taken{0};
  std::atomic<bool> released{false};
  std::atomic<std::size_t> last{0};
  Server* server = nullptr;
};

struct Running {
  explicit Running(ServerOptions options = {}) {
    auto started = Server::start(options, parrot);
    REQUIRE(started);
    server = std::move(started).value();
    parrot.server = server.get();
  }
  ~Running() { server->stop(); }
  Parrot parrot;
  std::unique_ptr<Server> server;
};

/// A connection that says what it likes. Reading ends when the server closes, or after a while.
class Caller {
 public:
  explicit Caller(std::uint16_t port) : socket_(context_) {
    socket_.connect({asio::ip::make_address("127.0.0.1"), port});
    const timeval patience{10, 0};
    setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  void say(const std::string& text) {
    Error ignored;
    asio::write(socket_, asio::buffer(text), ignored);
  }
  /// Everything until the server closes; nothing of it hangs.
  std::string all() {
    std::string text;
    char buffer[4096];
    while (true) {
      const auto size = ::recv(socket_.native_handle(), buffer, sizeof buffer, 0);
      if (size <= 0) break;
      text.append(buffer, std::size_t(size));
    }
    return text;
  }
  bool is_closed() {
    char byte = 0;
    return ::recv(socket_.native_handle(), &byte, 1, 0) == 0;
  }

 private:
  asio::io_context context_;
  tcp::socket socket_;
};

std::string ask(std::uint16_t port, const std::string& request) {
  Caller caller(port);
  caller.say(request);
  return caller.all();
}

std::string get(const std::string& target, const std::string& headers = "Host: localhost\r\n") {
  return fmt::format("GET {} HTTP/1.1\r\n{}Connection: close\r\n\r\n", target, headers);
}

std::string status(const std::string& answer) { return answer.substr(0, answer.find("\r\n")); }

bool eventually(const std::function<bool()>& holds) {
  for (int i = 0; i < 500 && !holds(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return holds();
}

using WebSocket = beast::websocket::stream<tcp::socket>;

/// A WebSocket that got its greeting.
std::unique_ptr<WebSocket> joined(asio::io_context& context, std::uint16_t port) {
  auto socket = std::make_unique<WebSocket>(context);
  socket->next_layer().connect({asio::ip::make_address("127.0.0.1"), port});
  socket->handshake("localhost", "/socket");
  beast::flat_buffer buffer;
  socket->read(buffer);
  return socket;
}

TEST_CASE("a page is served, with headers that keep other sites out") {
  const Running running;
  const std::string answer = ask(running.server->port(), get("/"));
  CHECK(status(answer) == "HTTP/1.1 200 OK");
  CHECK(answer.ends_with("hello"));
  CHECK(answer.find("X-Content-Type-Options: nosniff") != std::string::npos);
  CHECK(answer.find("Cross-Origin-Resource-Policy: same-origin") != std::string::npos);
  const std::size_t policy = answer.find("Content-Security-Policy: ");
  REQUIRE(policy != std::string::npos);
  const std::string sources = answer.substr(policy, answer.find("\r\n", policy) - policy);
  // Nor may a page talk to sockets elsewhere.
  CHECK(sources.find("default-src 'self';") != std::string::npos);
  CHECK(sources.find("connect-src 'self';") != std::string::npos);
  CHECK(sources.find("script-src") == std::string::npos);
  const std::string head =
      ask(running.server->port(), "HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  CHECK(status(head) == "HTTP/1.1 200 OK");
  CHECK(head.ends_with("\r\n\r\n"));
}

TEST_CASE("foreign hosts and origins are refused") {
  const Running running;
  const std::uint16_t port = running.server->port();
  for (const char* headers :
       {"Host: evil.example\r\n", "", "Host: localhost\r\nOrigin: http://evil.example\r\n",
        "Host: localhost\r\nOrigin: null\r\n", "Host: localhost\r\nOrigin: https://localhost\r\n"})
    CHECK_MESSAGE(status(ask(port, get("/", headers))) == "HTTP/1.1 403 Forbidden", headers);
  CHECK(status(ask(port, get("/", "Host: localhost:1\r\nOrigin: http://localhost:1\r\n"))) == "HTTP/1.1 200 OK");
  const std::string upgrade =
      "Host: localhost\r\nOrigin: http://evil.example\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  CHECK(status(ask(port, fmt::format("GET /socket HTTP/1.1\r\n{}Connection: Upgrade\r\n\r\n", upgrade))) ==
        "HTTP/1.1 403 Forbidden");
  CHECK(running.parrot.joined == 0);
}

TEST_CASE("malformed requests end the connection, and the server goes on") {
  const Running running;
  const std::uint16_t port = running.server->port();
  CHECK(status(ask(port, "rubbish\r\n\r\n")) == "HTTP/1.1 400 Bad Request");
  CHECK(status(ask(port, std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + "\r\n\r\n")) ==
        "HTTP/1.1 400 Bad Request");
  CHECK(status(ask(port, get("/a%zz"))) == "HTTP/1.1 400 Bad Request");
  CHECK(status(ask(port, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc")) ==
        "HTTP/1.1 405 Method Not Allowed");
  CHECK(status(ask(port, "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc")) ==
        "HTTP/1.1 413 Payload Too Large");
  CHECK(status(ask(port, get("/../../etc/passwd"))) == "HTTP/1.1 404 Not Found");
  CHECK(status(ask(port, get("/%2e%2e/%2e%2e/etc/passwd"))) == "HTTP/1.1 404 Not Found");
  CHECK(status(ask(port, get("/"))) == "HTTP/1.1 200 OK");
}

std::string post(const std::string& target, const std::string& headers, const std::string& body) {
  return fmt::format("POST {} HTTP/1.1\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n{}", target, headers,
                     body.size(), body);
}

TEST_CASE("bodies are taken from own pages only, up to their limit, and nothing of the others reaches the program") {
  const Running running;
  const std::uint16_t port = running.server->port();
  const std::string own = fmt::format("Host: localhost:{0}\r\nOrigin: http://localhost:{0}\r\n", port);
  const std::string good = ask(port, post("/takes", own, std::string(1000, 'x')));
  CHECK(status(good) == "HTTP/1.1 200 OK");
  CHECK(good.ends_with("1000 bytes"));
  CHECK(running.parrot.taken == 1);
  CHECK(status(ask(port, post("/takes", own, std::string(1001, 'x')))) == "HTTP/1.1 413 Payload Too Large");
  CHECK(status(ask(port, post("/", own, "x"))) == "HTTP/1.1 405 Method Not Allowed");
  CHECK(status(ask(port, post("/takes%zz", own, "x"))) == "HTTP/1.1 400 Bad Request");
  const std::string host = fmt::format("Host: localhost:{}\r\n", port);
  for (const std::string origin :
       {"", "Origin: http://evil.example\r\n", "Origin: null\r\n", "Origin: https://localhost\r\n"})
    CHECK_MESSAGE(status(ask(port, post("/takes", host + origin, "x"))) == "HTTP/1.1 403 Forbidden", origin);
  CHECK(status(ask(port, post("/takes", own + "Sec-Fetch-Site: cross-site\r\n", "x"))) == "HTTP/1.1 403 Forbidden");
  // How long it is has to be said before it comes.
  CHECK(status(ask(port, fmt::format("POST /takes HTTP/1.1\r\n{}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
                                     own))) == "HTTP/1.1 411 Length Required");
  for (const char* length : {"-1", "1e3", "18446744073709551616", "9999999999999"}) {
    CAPTURE(length);
    const std::string answer =
        ask(port, fmt::format("POST /takes HTTP/1.1\r\n{}Content-Length: {}\r\n\r\nx", own, length));
    CHECK((status(answer) == "HTTP/1.1 400 Bad Request" || status(answer) == "HTTP/1.1 413 Payload Too Large"));
  }
  CHECK(running.parrot.taken == 1);
}

TEST_CASE("of those who send at the same time only some are let in; who stops in the middle makes room") {
  const Running running({.most_bodies = 2, .patience = std::chrono::milliseconds(400)});
  const std::uint16_t port = running.server->port();
  const std::string own = fmt::format("Host: localhost:{0}\r\nOrigin: http://localhost:{0}\r\n", port);
  const std::string half = fmt::format("POST /takes HTTP/1.1\r\n{}Content-Length: 900\r\n\r\nabc", own);
  Caller first(port), second(port);
  first.say(half);
  second.say(half);
  const auto now = [&] { return status(ask(port, post("/takes", own, "x"))); };
  CHECK(eventually([&] { return now() == "HTTP/1.1 503 Service Unavailable"; }));
  CHECK(first.all().empty());
  CHECK(second.all().empty());
  CHECK(eventually([&] { return now() == "HTTP/1.1 200 OK"; }));
}

TEST_CASE("a header without end is cut off") {
  const Running running;
  const std::string answer =
      ask(running.server->port(), "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(1 << 20, 'x'));
  CHECK((answer.empty() || status(answer) == "HTTP/1.1 400 Bad Request"));
  CHECK(status(ask(running.server->port(), get("/"))) == "HTTP/1.1 200 OK");
}

TEST_CASE("who says half a request and then nothing is cut off") {
  const Running running({.patience = std::chrono::milliseconds(300)});
  Caller caller(running.server->port());
  caller.say("GET / HTT");
  CHECK(caller.all().empty());
}

TEST_CASE("more connections than are allowed are turned away, and let in once others go") {
  const Running running({.most_connections = 3});
  const std::uint16_t port = running.server->port();
  {
    std::vector<std::unique_ptr<Caller>> held;
    for (int i = 0; i < 3; ++i) {
      held.push_back(std::make_unique<Caller>(port));
      held.back()->say("GET ");
    }
    CHECK(eventually([&] { return status(ask(port, get("/"))) == "HTTP/1.1 503 Service Unavailable"; }));
  }
  CHECK(eventually([&] { return status(ask(port, get("/"))) == "HTTP/1.1 200 OK"; }));
}

TEST_CASE("messages go both ways; one that is too large ends the socket") {
  const Running running({.most_message = 1000});
  asio::io_context context;
  const auto socket = joined(context, running.server->port());
  socket->write(asio::buffer(std::string(900, 'a')));
  beast::flat_buffer buffer;
  socket->read(buffer);
  CHECK(buffer.size() == 900);
  Error error;
  socket->write(asio::buffer(std::string(100'000, 'b')), error);
  buffer.clear();
  while (!error) socket->read(buffer, error);
  CHECK(error);
  CHECK(running.parrot.last == 900);
  CHECK(eventually([&] { return running.parrot.gone == 1; }));
}

TEST_CASE("a socket that does not read loses frames, and is shed; others go on") {
  const Running running({.patience = std::chrono::milliseconds(400)});
  asio::io_context context;
  const auto sleeper = joined(context, running.server->port());
  const auto reader = joined(context, running.server->port());
  REQUIRE(eventually([&] { return running.server->sockets() == 2; }));
  const Bytes frame = bytes_of(std::string(std::size_t(4) << 20, 'f'));
  std::size_t read = 0;
  for (int i = 0; i < 40; ++i) {
    running.server->broadcast({frame, true, true});
    beast::flat_buffer buffer;
    read += reader->read(buffer);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  CHECK(read == 40 * frame->size());
  CHECK(eventually([&] { return running.server->sockets() == 1; }));
  CHECK(running.parrot.gone == 1);
}

TEST_CASE("messages that may not be dropped are bounded too") {
  const Running running({.most_waiting = std::size_t(8) << 20});
  asio::io_context context;
  const auto sleeper = joined(context, running.server->port());
  const Bytes message = bytes_of(std::string(std::size_t(4) << 20, 'm'));
  for (int i = 0; i < 10; ++i) running.server->broadcast({message});
  CHECK(eventually([&] { return running.server->sockets() == 0; }));
}

TEST_CASE("who asks for much and does not take it is cut off") {
  const Running running({.patience = std::chrono::milliseconds(300)});
  std::vector<std::unique_ptr<Caller>> callers;
  for (int i = 0; i < 4; ++i) {
    callers.push_back(std::make_unique<Caller>(running.server->port()));
    callers.back()->say(get("/large"));
  }
  CHECK(status(ask(running.server->port(), get("/"))) == "HTTP/1.1 200 OK");
  std::this_thread::sleep_for(std::chrono::milliseconds(900));
  CHECK(callers.front()->all().size() < std::size_t(8) << 20);
}

TEST_CASE("who waits for a slow answer holds nobody up") {
  Running running;
  const std::uint16_t port = running.server->port();
  std::vector<std::unique_ptr<Caller>> waiting;
  for (int i = 0; i < 3; ++i) {
    waiting.push_back(std::make_unique<Caller>(port));
    waiting.back()->say(get("/slow"));
  }
  REQUIRE(eventually([&] { return running.parrot.slow == 3; }));
  asio::io_context context;
  const auto socket = joined(context, port);
  running.server->broadcast({bytes_of("a frame"), true, true});
  beast::flat_buffer buffer;
  socket->read(buffer);
  CHECK(beast::buffers_to_string(buffer.data()) == "a frame");
  CHECK(status(ask(port, get("/"))) == "HTTP/1.1 200 OK");
  running.parrot.released = true;
  for (const auto& caller : waiting) CHECK(caller->all().ends_with("at last"));
}

TEST_CASE("frames that break the protocol end the socket, and the server goes on") {
  const Running running({.patience = std::chrono::milliseconds(1000)});
  const std::uint16_t port = running.server->port();
  const std::string upgrade =
      "GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  const std::string unmasked("\x81\x05hello"), reserved("\x83\x85\0\0\0\0hello", 11),
      no_utf8("\x81\x82\0\0\0\0\xff\xfe", 8), continues_nothing("\x80\x81\0\0\0\0x", 7),
      endless("\x82\xff\x3f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 14);
  int gone = 0;
  for (const std::string& frame : {unmasked, reserved, no_utf8, continues_nothing, endless}) {
    Caller caller(port);
    caller.say(upgrade);
    REQUIRE(eventually([&] { return running.parrot.joined == gone + 1; }));
    caller.say(frame);
    const std::string heard = caller.all();  // returns since the server closes; the caller never does
    CHECK(status(heard) == "HTTP/1.1 101 Switching Protocols");
    CHECK(eventually([&] { return running.parrot.gone == gone + 1; }));
    ++gone;
  }
  CHECK(running.parrot.last == 0);
  CHECK(status(ask(port, get("/"))) == "HTTP/1.1 200 OK");
}

TEST_CASE("a message in many small parts is too large as a whole") {
  const Running running({.most_message = 1000});
  asio::io_context context;
  const auto socket = joined(context, running.server->port());
  Error error;
  for (int i = 0; i < 50 && !error; ++i) socket->write_some(false, asio::buffer(std::string(100, 'p')), error);
  beast::flat_buffer buffer;
  error = {};
  while (!error) socket->read(buffer, error);
  CHECK(running.parrot.last == 0);
  CHECK(eventually([&] { return running.parrot.gone == 1; }));
}

TEST_CASE("as many sockets as are allowed all hear what is said, and one more is turned away") {
  const Running running;
  const std::size_t most = ServerOptions().most_connections;
  asio::io_context context;
  std::vector<std::unique_ptr<WebSocket>> sockets;
  for (std::size_t i = 0; i < most; ++i) sockets.push_back(joined(context, running.server->port()));
  CHECK(status(ask(running.server->port(), get("/"))) == "HTTP/1.1 503 Service Unavailable");
  const Bytes frame = bytes_of(std::string(200'000, 'f'));
  running.server->broadcast({frame, true, true});
  for (const auto& socket : sockets) {
    beast::flat_buffer buffer;
    CHECK(socket->read(buffer) == frame->size());
  }
}

TEST_CASE("what an answer throws is a 500, and the server goes on") {
  const Running running;
  const std::uint16_t port = running.server->port();
  for (int i = 0; i < 20; ++i) {
    CHECK(status(ask(port, get("/no-memory"))) == "HTTP/1.1 500 Internal Server Error");
    CHECK(status(ask(port, get("/fault"))) == "HTTP/1.1 500 Internal Server Error");
  }
  CHECK(status(ask(port, get("/"))) == "HTTP/1.1 200 OK");
}

TEST_CASE("what a message's receiver throws ends that socket and no other") {
  const Running running;
  asio::io_context context;
  const auto victim = joined(context, running.server->port());
  const auto other = joined(context, running.server->port());
  victim->write(asio::buffer(std::string("throw")));
  CHECK(eventually([&] { return running.server->sockets() == 1; }));
  other->write(asio::buffer(std::string("hello")));
  beast::flat_buffer buffer;
  other->read(buffer);
  CHECK(buffer.size() == 5);
}

TEST_CASE("who reads slowly but steadily gets all of a large answer") {
  const Running running({.patience = std::chrono::milliseconds(400)});
  asio::io_context context;
  tcp::socket socket(context);
  socket.open(tcp::v4());
  socket.set_option(asio::socket_base::receive_buffer_size(65536));
  socket.connect({asio::ip::make_address("127.0.0.1"), running.server->port()});
  asio::write(socket, asio::buffer(get("/large")));
  std::size_t got = 0;
  std::vector<char> part(1 << 20);
  const auto begin = std::chrono::steady_clock::now();
  Error error;
  while (!error) {
    got += socket.read_some(asio::buffer(part), error);
    // Eight megabytes in more than two seconds: several times the patience.
    while (std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(double(got) / 3.5e6))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  CHECK(got > std::size_t(8) << 20);
  CHECK(std::chrono::steady_clock::now() - begin > std::chrono::seconds(2));
}

TEST_CASE("a large message reaches a slow socket in pieces, whole") {
  const Running running({.patience = std::chrono::milliseconds(500)});
  asio::io_context context;
  const auto socket = joined(context, running.server->port());
  std::string text;
  for (int i = 0; i < 700'000; ++i) text += std::to_string(i % 10);
  running.server->broadcast({bytes_of(text)});
  running.server->broadcast({bytes_of("next")});
  beast::flat_buffer buffer;
  socket->read(buffer);
  CHECK(beast::buffers_to_string(buffer.data()) == text);
  buffer.clear();
  socket->read(buffer);
  CHECK(beast::buffers_to_string(buffer.data()) == "next");
}

TEST_CASE("what waits for all sockets together is bounded") {
  const Running running({.most_waiting_in_all = std::size_t(16) << 20});
  asio::io_context context;
  std::vector<std::unique_ptr<WebSocket>> sleepers;
  for (int i = 0; i < 10; ++i) sleepers.push_back(joined(context, running.server->port()));
  const Bytes message = bytes_of(std::string(std::size_t(4) << 20, 'm'));
  for (int i = 0; i < 8; ++i) running.server->broadcast({message});
  CHECK(eventually([&] { return running.server->sockets() <= 4; }));
}

TEST_CASE("those who open connections and say nothing lock nobody out") {
  const Running running({.most_connections = 3, .silence = std::chrono::milliseconds(100)});
  const std::uint16_t port = running.server->port();
  std::vector<std::unique_ptr<Caller>> silent;
  for (int i = 0; i < 3; ++i) silent.push_back(std::make_unique<Caller>(port));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  for (int i = 0; i < 3; ++i) CHECK(eventually([&] { return status(ask(port, get("/"))) == "HTTP/1.1 200 OK"; }));
}

TEST_CASE("without descriptors the server waits, and does not spin") {
  const Running running;
  const std::uint16_t port = running.server->port();
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int next = ::dup(0);
  ::close(next);
  // Callers have a descriptor each, and the server's end of each connection would be another one.
  const rlimit few{rlim_t(next) + 20, before.rlim_max};
  std::vector<int> held;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &few) == 0);
  for (int i = 0; i < 40; ++i) {
    const int caller = ::socket(AF_INET, SOCK_STREAM, 0);
    if (caller < 0) break;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    (void)::connect(caller, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    held.push_back(caller);
  }
  const auto busy = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
  };
  const double start = busy();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  const double spent = busy() - start;
  for (const int caller : held) ::close(caller);
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(spent < 0.3);
  CHECK(eventually([&] { return status(ask(port, get("/"))) == "HTTP/1.1 200 OK"; }));
}

TEST_CASE("requests that a browser says another site made are refused, but for links to pages") {
  const Running running;
  const std::uint16_t port = running.server->port();
  const auto from = [&](const std::string& target, const std::string& more) {
    return status(ask(port, get(target, "Host: localhost\r\n" + more))).substr(9, 3);
  };
  CHECK(from("/", "Sec-Fetch-Site: same-origin\r\n") == "200");
  CHECK(from("/", "Sec-Fetch-Site: none\r\n") == "200");
  for (const char* site : {"cross-site", "same-site"}) {
    const std::string header = std::string("Sec-Fetch-Site: ") + site + "\r\n";
    CHECK(from("/", header + "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n") == "403");
    CHECK(from("/", header + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n") == "403");
    CHECK(from("/", header + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n") == "200");
    CHECK(from("/download/recording.throng", header + "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n") ==
          "403");
  }
  CHECK(from("/", "Host: evil.example\r\n") == "403");
  CHECK(from("/", "Origin: http://localhost\r\nOrigin: http://evil.example\r\n") == "403");
}

TEST_CASE("where a token is asked for, nothing is answered without it, and a page keeps it") {
  const std::string token = make_token();
  REQUIRE(token.size() == 32);
  CHECK(token != make_token());
  const Running running({.token = token});
  const std::uint16_t port = running.server->port();
  CHECK(status(ask(port, get("/"))).find("403") != std::string::npos);
  CHECK(status(ask(port, get("/?token=" + std::string(32, '0')))).find("403") != std::string::npos);
  CHECK(status(ask(port, get("/?token=" + token.substr(0, 31)))).find("403") != std::string::npos);
  const std::string answer = ask(port, get("/?token=" + token));
  CHECK(status(answer) == "HTTP/1.1 200 OK");
  const std::string cookie = fmt::format("throng-{}={}", port, token);
  CHECK(answer.find("Set-Cookie: " + cookie + "; Path=/; HttpOnly; SameSite=Strict") != std::string::npos);
  CHECK(status(ask(port, get("/", "Host: localhost\r\nCookie: a=b; " + cookie + "\r\n"))) == "HTTP/1.1 200 OK");
  CHECK(status(ask(port, get("/", "Host: localhost\r\nCookie: x" + cookie + "\r\n"))).find("403") != std::string::npos);
  // A socket without it.
  asio::io_context context;
  WebSocket socket(context);
  socket.next_layer().connect({asio::ip::make_address("127.0.0.1"), port});
  Error error;
  socket.handshake("127.0.0.1", "/socket", error);
  CHECK(error);
}

TEST_CASE("stopping ends every connection and returns") {
  auto running = std::make_unique<Running>();
  asio::io_context context;
  const auto socket = joined(context, running->server->port());
  Caller half(running->server->port());
  half.say("GET ");
  running->server->stop();
  running.reset();
  beast::flat_buffer buffer;
  Error error;
  socket->read(buffer, error);
  CHECK(error);
}

TEST_CASE("an address that is not this machine's, and a port that is taken, are refused") {
  const Running running;
  Parrot parrot;
  CHECK(!Server::start({.port = running.server->port()}, parrot));
  CHECK(!Server::start({.address = "no address"}, parrot));
  CHECK(!Server::start({.address = "203.0.113.7"}, parrot));
}

}  // namespace
}  // namespace throng::server
