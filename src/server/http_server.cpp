#include "server/http_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <mutex>
#include <new>
#include <thread>
#include <tuple>
#include <vector>

namespace throng::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Error = boost::system::error_code;

/// Scripts, styles and pictures come from here only; no other site may frame the page.
constexpr const char* content_policy =
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self' blob:; media-src 'self' blob:; frame-ancestors 'self'; base-uri "
    "'none'; "
    "form-action 'none'";

/// At most so many droppable messages wait for one client: older pictures of the crowd are of no use to anybody.
constexpr std::size_t most_droppable_waiting = 2;

/// Threads that make answers: those that read and write never wait for one.
constexpr std::size_t answering_threads = 4;

/// Of a socket's message that goes out at once: in smaller pieces a picture of the crowd costs several times as much.
constexpr std::size_t socket_piece = std::size_t(256) << 10;

/// Bytes of a connection that wait in the system.
constexpr int kept_by_system = 256 << 10;

/// While no descriptor or no memory is left for another connection.
constexpr std::chrono::milliseconds pause_after_failure{100};

class Socket;
class Connection;

/// What connections share.
struct Shared {
  Shared(ServerOptions o, Application& a) : options(std::move(o)), application(a) {}

  ServerOptions options;
  Application& application;
  asio::thread_pool* answering = nullptr;  ///< the server's
  bool loopback_only = true;
  std::atomic<std::size_t> connections{0};
  std::atomic<std::size_t> bodies{0};
  std::atomic<bool> stopping{false};
  std::atomic<std::size_t> waiting_bytes{0};  ///< for all sockets
  std::string cookie;                         ///< the name of the token's
  std::mutex mutex;
  std::map<ClientId, std::weak_ptr<Socket>> sockets;
  using Clock = std::chrono::steady_clock;
  std::multimap<Clock::time_point, std::weak_ptr<Connection>> silent;  ///< since when they owe a request
  ClientId last_client = 0;
};

/// Counts a connection for as long as it lives.
class Counted {
 public:
  explicit Counted(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) { ++shared_->connections; }
  ~Counted() { --shared_->connections; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  std::shared_ptr<Shared> shared_;
};

using HttpRequest = http::request<http::string_body>;

/// A WebSocket. Everything happens on its strand.
class Socket : public std::enable_shared_from_this<Socket> {
 public:
  Socket(tcp::socket&& socket, std::shared_ptr<Shared> shared, std::shared_ptr<Counted> counted, Application& speaks)
      : stream_(std::move(socket)),
        timer_(stream_.get_executor()),
        shared_(std::move(shared)),
        counted_(std::move(counted)),
        speaks_(speaks) {}

  ~Socket() { shared_->waiting_bytes -= waiting_bytes_; }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  [[nodiscard]] bool is_of(const Application* application) const {
    return application == nullptr || application == &speaks_;
  }

  void accept(const HttpRequest& request) {
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    // Also for closing: who breaks the protocol need not take part in it.
    timeout.handshake_timeout = std::chrono::ceil<std::chrono::seconds>(shared_->options.patience);
    timeout.idle_timeout = 2 * timeout.handshake_timeout;
    timeout.keep_alive_pings = true;
    stream_.set_option(timeout);
    stream_.read_message_max(shared_->options.most_message);
    stream_.auto_fragment(false);  // write() does it, in larger pieces than Beast's
    stream_.async_accept(request, [self = shared_from_this()](Error error) {
      if (!error) self->begin();
    });
  }

  void send(Message message) {
    asio::post(stream_.get_executor(),
               [self = shared_from_this(), message = std::move(message)] { self->queue(message); });
  }

  void close() {
    asio::post(stream_.get_executor(), [self = shared_from_this()] { self->drop(); });
  }

 private:
  void begin() {
    {
      const std::lock_guard lock(shared_->mutex);
      id_ = ++shared_->last_client;
      shared_->sockets[id_] = weak_from_this();
    }
    guarded([&] {
      queue({bytes_of(speaks_.greeting())});
      speaks_.greeted(id_);
    });
    read();
  }

  void read() {
    stream_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
      if (error) return self->end();
      if (self->stream_.got_text() && !self->shared_->stopping)
        self->guarded([&] { self->speaks_.said(self->id_, beast::buffers_to_string(self->buffer_.data())); });
      if (self->ended_) return;
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  /// What the application throws ends this socket and nothing else.
  template <class Work>
  void guarded(const Work& work) {
    try {
      work();
    } catch (...) {
      drop();
    }
  }

  void queue(const Message& message) {
    if (ended_) return;
    if (message.droppable && droppable_waiting_ >= most_droppable_waiting) return;
    waiting_.push_back(message);
    waiting_bytes_ += message.bytes->size();
    shared_->waiting_bytes += message.bytes->size();
    droppable_waiting_ += message.droppable ? 1 : 0;
    const ServerOptions& options = shared_->options;
    if (waiting_bytes_ > options.most_waiting || shared_->waiting_bytes > options.most_waiting_in_all) return drop();
    if (waiting_.size() == 1) write();
  }

  /// The next piece of the first message that waits.
  void write() {
    const Message& message = waiting_.front();
    const std::size_t size = std::min(socket_piece, message.bytes->size() - written_);
    const bool last = written_ + size == message.bytes->size();
    if (written_ == 0) stream_.binary(message.binary);
    timer_.expires_after(shared_->options.patience);
    timer_.async_wait([self = shared_from_this()](Error error) {
      if (!error) self->drop();
    });
    stream_.async_write_some(last, asio::buffer(message.bytes->data() + written_, size),
                             [self = shared_from_this(), size, last](Error error, std::size_t) {
                               self->timer_.cancel();
                               if (error) return self->end();
                               if (self->waiting_.empty()) return;
                               self->written_ += size;
                               if (last) self->forget_first();
                               if (!self->waiting_.empty()) self->write();
                             });
  }

  void forget_first() {
    const std::size_t size = waiting_.front().bytes->size();
    written_ = 0;
    waiting_bytes_ -= size;
    shared_->waiting_bytes -= size;
    droppable_waiting_ -= waiting_.front().droppable ? 1 : 0;
    waiting_.pop_front();
  }

  /// At once: who does not read does not take part in closing either.
  void drop() {
    Error ignored;
    std::ignore = beast::get_lowest_layer(stream_).socket().close(ignored);
    end();
  }

  void end() {
    if (ended_) return;
    ended_ = true;
    timer_.cancel();
    {
      const std::lock_guard lock(shared_->mutex);
      shared_->sockets.erase(id_);
    }
    if (id_ != 0 && !shared_->stopping) speaks_.left(id_);
  }

  websocket::stream<beast::tcp_stream> stream_;
  asio::steady_timer timer_;
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Counted> counted_;
  Application& speaks_;
  beast::flat_buffer buffer_;
  std::deque<Message> waiting_;
  std::size_t waiting_bytes_ = 0, droppable_waiting_ = 0;
  std::size_t written_ = 0;  ///< of the first that waits
  ClientId id_ = 0;
  bool ended_ = false;
};

/// One connection, request after request.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket&& socket, std::shared_ptr<Shared> shared)
      : stream_(std::move(socket)), shared_(std::move(shared)), counted_(std::make_shared<Counted>(shared_)) {}
  ~Connection() { owe_nothing(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->header_limit(shared_->options.most_header);
    // The application says how much it takes, once the address is known; Boost 1.74 takes "none" for nothing.
    parser_->body_limit(std::uint64_t(1) << 40);
    stream_.expires_after(shared_->options.patience);
    owe_request();
    http::async_read_header(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
      self->owe_nothing();
      if (!error) return self->take_guarded();
      if (error == http::error::end_of_stream || error == beast::error::timeout) return self->close();
      if (error.category() == http::make_error_code(http::error::bad_method).category())
        return self->write(refusal(400, "this is no request: " + error.message()), false);
      self->close();
    });
  }

  /// Closes it to make room for others; false where it is being closed already.
  bool give_way() {
    if (gives_way_.exchange(true)) return false;
    asio::post(stream_.get_executor(), [self = shared_from_this()] {
      Error ignored;
      std::ignore = self->stream_.socket().close(ignored);
    });
    return true;
  }

 private:
  using Silent = decltype(Shared::silent);

  void owe_request() {
    const std::lock_guard lock(shared_->mutex);
    silent_ = shared_->silent.emplace(Shared::Clock::now(), weak_from_this());
  }

  void owe_nothing() {
    const std::lock_guard lock(shared_->mutex);
    if (silent_) shared_->silent.erase(*std::exchange(silent_, std::nullopt));
  }

  [[nodiscard]] std::string wrong_with(const HttpRequest& request) const {
    for (const http::field field : {http::field::host, http::field::origin})
      if (request.count(field) > 1) return fmt::format("there is more than one {}", std::string(to_string(field)));
    const std::string host(request[http::field::host]);
    if (!is_own_host(host, shared_->loopback_only)) return fmt::format("host '{}' is not this machine", host);
    const std::string origin(request[http::field::origin]);
    if (!origin.empty() && origin != "http://" + host) return fmt::format("origin '{}' may not ask here", origin);
    if (is_from_another_site(request)) return "other sites may not ask here";
    return {};
  }

  /// As browsers tell it; links to pages may be followed from anywhere (a terminal in a browser shows the address).
  [[nodiscard]] static bool is_from_another_site(const HttpRequest& request) {
    const auto site = request["Sec-Fetch-Site"];
    if (site.empty() || site == "same-origin" || site == "none") return false;
    const auto target = request.target();
    const bool page = !target.starts_with("/api/") && !target.starts_with("/download/") &&
                      !target.starts_with("/edit/api/") && !target.starts_with("/edit/runs/");
    return !(page && request.method() == http::verb::get && request["Sec-Fetch-Mode"] == "navigate" &&
             request["Sec-Fetch-Dest"] == "document");
  }

  /// Whether the request brings the token, where one is asked for; in the address it is kept as a cookie, so that what the page asks for
  /// brings it too.
  [[nodiscard]] bool brings_token(const HttpRequest& request) {
    const std::string& token = shared_->options.token;
    if (token.empty()) return true;
    const std::unique_ptr<Request> parsed =
        parse_target(std::string_view(request.target().data(), request.target().size()));
    const auto given = parsed ? parsed->query.find("token") : std::map<std::string, std::string>::iterator();
    if (parsed && given != parsed->query.end() && is_token(given->second, token)) return gives_cookie_ = true;
    const auto cookies = request[http::field::cookie];
    return is_token(cookie_in({cookies.data(), cookies.size()}, shared_->cookie), token);
  }

  void take_guarded() {
    try {
      take();
    } catch (...) {
      close();
    }
  }

  void take() {
    const HttpRequest& request = parser_->get();
    gives_cookie_ = false;
    if (const std::string wrong = wrong_with(request); !wrong.empty()) return write(refusal(403, wrong), false);
    if (!brings_token(request))
      return write(refusal(403, "the address that the program printed has a token, which is needed here"), false);
    const std::string target(request.target());
    if (websocket::is_upgrade(request)) return upgrade(target);
    std::shared_ptr<Request> parsed = parse_target(target);
    if (request.method() == http::verb::post) return take_body(std::move(parsed));
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return write(refusal(405, "only GET and POST are answered here"), false);
    if (parser_->content_length().value_or(0) > 0 || parser_->chunked())
      return write(refusal(413, "requests have no body here"), false);
    if (!parsed) return write(refusal(400, "the address is malformed"), request.keep_alive());
    answer(std::move(parsed), request.keep_alive());
  }

  /// A POST: nothing of it is read before it is known that somebody wants it.
  void take_body(std::shared_ptr<Request> parsed) {
    if (!parsed) return write(refusal(400, "the address is malformed"), false);
    const std::size_t most = shared_->application.most_body(*parsed);
    if (most == 0) return write(refusal(405, "only GET is answered here"), false);
    if (parser_->get()[http::field::origin].empty())
      return write(refusal(403, "only pages of this program may send"), false);
    const auto length = parser_->content_length();
    if (!length || parser_->chunked()) return write(refusal(411, "how long the body is has to be said"), false);
    if (*length > most) return write(refusal(413, fmt::format("at most {} bytes are taken here", most)), false);
    if (++shared_->bodies > shared_->options.most_bodies) {
      --shared_->bodies;
      return write(refusal(503, "too many are sending"), false);
    }
    stream_.expires_after(shared_->options.patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this(), parsed = std::move(parsed)](Error error, std::size_t) {
                       --self->shared_->bodies;
                       if (error) return self->close();
                       parsed->post = true;
                       parsed->body = std::move(self->parser_->get().body());
                       self->answer(parsed, self->parser_->get().keep_alive());
                     });
  }

  void answer(std::shared_ptr<const Request> parsed, bool keep_alive) {
    asio::post(*shared_->answering, [self = shared_from_this(), parsed = std::move(parsed), keep_alive] {
      if (self->shared_->stopping) return;
      const Reply reply = [self, keep_alive](Response response) {
        asio::post(self->stream_.get_executor(), [self, keep_alive, response = std::move(response)]() mutable {
          self->write_guarded(std::move(response), keep_alive);
        });
      };
      self->answer_guarded(*parsed, reply);
    });
  }

  /// What the application throws, for lack of memory above all, is told this one; where there is no memory to tell it either, the connection
  /// ends.
  void answer_guarded(const Request& request, const Reply& reply) noexcept {
    static const Response failed = refusal(500, "the answer could not be made");
    static const Response no_memory = refusal(500, "there is not enough memory for the answer");
    try {
      try {
        shared_->application.answer_later(request, reply);
      } catch (const std::bad_alloc&) {
        reply(no_memory);
      } catch (const std::exception&) {
        reply(failed);
      }
    } catch (...) {  // NOLINT: nothing can be done any more; the last owner of the connection closes it
    }
  }

  void write_guarded(Response response, bool keep_alive) {
    try {
      write(std::move(response), keep_alive);
    } catch (...) {
      close();
    }
  }

  void upgrade(const std::string& target) {
    Application* const speaks = shared_->application.at_socket(target);
    if (speaks == nullptr) return write(refusal(404, "the socket is at /socket"), false);
    stream_.expires_never();
    std::make_shared<Socket>(stream_.release_socket(), shared_, std::move(counted_), *speaks)
        ->accept(parser_->release());
  }

  void write(Response response, bool keep_alive) {
    const bool head = parser_->get().method() == http::verb::head;
    body_ = response.body ? std::move(response.body) : bytes_of({});
    answer_.emplace();
    answer_->version(11);
    answer_->result(response.status);
    answer_->keep_alive(keep_alive);
    answer_->set(http::field::server, "throng");
    answer_->set(http::field::content_type, response.type);
    answer_->set(http::field::cache_control, "no-store");
    answer_->set("X-Content-Type-Options", "nosniff");
    answer_->set("Cross-Origin-Resource-Policy", "same-origin");
    answer_->set("Referrer-Policy", "no-referrer");
    answer_->set("Content-Security-Policy", content_policy);
    if (gives_cookie_)
      answer_->set(http::field::set_cookie,
                   fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", shared_->cookie, shared_->options.token));
    if (!response.download.empty())
      answer_->set(http::field::content_disposition, fmt::format("attachment; filename=\"{}\"", response.download));
    if (!head) answer_->body() = {body_->data(), body_->size()};
    answer_->content_length(body_->size());
    serializer_.emplace(*answer_);
    serializer_->split(head);
    serializer_->limit(shared_->options.piece);
    stream_.expires_after(shared_->options.patience);
    since_renewed_ = 0;
    if (!head) return write_piece(keep_alive);
    http::async_write_header(stream_, *serializer_, [self = shared_from_this(), keep_alive](Error error, std::size_t) {
      self->written(error, keep_alive);
    });
  }

  /// A reader has `patience` for each piece, not for the whole: slow ones take as long as they need, silent ones are cut off.
  void write_piece(bool keep_alive) {
    http::async_write_some(stream_, *serializer_,
                           [self = shared_from_this(), keep_alive](Error error, std::size_t bytes) {
                             if (error || self->serializer_->is_done()) return self->written(error, keep_alive);
                             self->since_renewed_ += bytes;
                             if (self->since_renewed_ >= self->shared_->options.piece) {
                               self->since_renewed_ = 0;
                               self->stream_.expires_after(self->shared_->options.patience);
                             }
                             self->write_piece(keep_alive);
                           });
  }

  void written(Error error, bool keep_alive) {
    body_ = nullptr;
    if (error || !keep_alive) return close();
    read();
  }

  void close() {
    Error ignored;
    std::ignore = stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  beast::tcp_stream stream_;
  std::shared_ptr<Shared> shared_;
  std::shared_ptr<Counted> counted_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  using Body = http::span_body<const char>;
  std::optional<http::response<Body>> answer_;
  std::optional<http::response_serializer<Body>> serializer_;
  Bytes body_;
  std::size_t since_renewed_ = 0;  ///< bytes of the answer since its reader got new time
  bool gives_cookie_ = false;
  std::atomic<bool> gives_way_{false};
  std::optional<Silent::iterator> silent_;
};

/// Says that there are too many, without waiting for anything.
void turn_away(tcp::socket socket) {
  static constexpr std::string_view body = R"({"error":"too many connections"})";
  static const std::string text = fmt::format(
      "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\n\r\n{}",
      body.size(), body);
  Error ignored;
  std::ignore = socket.non_blocking(true, ignored);
  socket.send(asio::buffer(text), 0, ignored);
}

}  // namespace

struct Server::Impl {
  Impl(const ServerOptions& options, Application& application)
      : shared(std::make_shared<Shared>(options, application)),
        acceptor(asio::make_strand(context)),
        after_failure(acceptor.get_executor()) {
    shared->answering = &answering;
  }

  /// What is wrong with the address, or nothing.
  std::string listen() {
    Error error;
    const auto address = asio::ip::make_address(shared->options.address, error);
    if (error) return fmt::format("'{}' is no address", shared->options.address);
    shared->loopback_only = address.is_loopback();
    const tcp::endpoint endpoint(address, shared->options.port);
    std::ignore = acceptor.open(endpoint.protocol(), error);
    if (!error) std::ignore = acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) std::ignore = acceptor.bind(endpoint, error);
    if (!error) std::ignore = acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (!error) port = acceptor.local_endpoint(error).port();
    // Cookies do not know ports: two programs at once have one each.
    shared->cookie = fmt::format("throng-{}", port);
    return error ? error.message() : std::string();
  }

  void accept() {
    acceptor.async_accept(asio::make_strand(context), [this](Error error, tcp::socket socket) {
      if (error == asio::error::operation_aborted || shared->stopping) return;
      // Without descriptors the next attempt would fail at once, and so on: that is a processor's whole time for nothing.
      if (error || !take_in(std::move(socket))) return accept_later();
      accept();
    });
  }

  void accept_later() {
    after_failure.expires_after(pause_after_failure);
    after_failure.async_wait([this](Error error) {
      if (!error && !shared->stopping) accept();
    });
  }

  /// False where there is no memory for it.
  bool take_in(tcp::socket socket) {
    try {
      const bool full = shared->connections >= shared->options.most_connections;
      if (full && !has_room_made())
        turn_away(std::move(socket));
      else
        welcome(std::move(socket));
    } catch (...) {
      return false;
    }
    return true;
  }

  /// Closes who has owed a request for longest, if that is long: those who open connections and say nothing lock nobody out.
  bool has_room_made() {
    std::vector<std::shared_ptr<Connection>> silent;
    {
      const std::lock_guard lock(shared->mutex);
      for (const auto& [since, connection] : shared->silent) {
        if (Shared::Clock::now() - since < shared->options.silence) break;
        if (auto alive = connection.lock()) silent.push_back(std::move(alive));
      }
    }
    return std::any_of(silent.begin(), silent.end(), [](const auto& connection) { return connection->give_way(); });
  }

  void welcome(tcp::socket socket) {
    Error ignored;
    std::ignore = socket.set_option(tcp::no_delay(true), ignored);
    // A reader is known by what it takes: of what the system took for it nobody knows whether it was read.
    std::ignore = socket.set_option(asio::socket_base::send_buffer_size(kept_by_system), ignored);
    const auto executor = socket.get_executor();
    asio::dispatch(executor,
                   [connection = std::make_shared<Connection>(std::move(socket), shared)] { connection->read(); });
  }

  asio::io_context context;
  asio::thread_pool answering{answering_threads};  ///< what waits in it holds connections of the context
  std::shared_ptr<Shared> shared;
  tcp::acceptor acceptor;
  asio::steady_timer after_failure;
  std::uint16_t port = 0;
  std::vector<std::thread> threads;
};

namespace {

/// What a handler throws has ended its connection already: nobody else owns it.
void run(asio::io_context& context) {
  while (true) {
    try {
      context.run();
      return;
    } catch (...) {  // NOLINT: the others go on
    }
  }
}

}  // namespace

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { stop(); }

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options, Application& application) {
  auto impl = std::make_unique<Impl>(options, application);
  if (const std::string wrong = impl->listen(); !wrong.empty())
    return Problem{Severity::error, ProblemCode::io, fmt::format("{}:{}", options.address, options.port),
                   "cannot listen here: " + wrong};
  impl->accept();
  for (unsigned i = 0; i < std::max(1u, options.threads); ++i)
    impl->threads.emplace_back([context = &impl->context] { run(*context); });
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::port() const { return impl_->port; }

void Server::send(ClientId client, Message message) {
  std::shared_ptr<Socket> socket;
  {
    const std::lock_guard lock(impl_->shared->mutex);
    const auto found = impl_->shared->sockets.find(client);
    if (found != impl_->shared->sockets.end()) socket = found->second.lock();
  }
  if (socket) socket->send(std::move(message));
}

void Server::broadcast(const Message& message, const Application* of) {
  std::vector<std::shared_ptr<Socket>> all;
  {
    const std::lock_guard lock(impl_->shared->mutex);
    for (const auto& [id, socket] : impl_->shared->sockets)
      if (auto alive = socket.lock(); alive && alive->is_of(of)) all.push_back(std::move(alive));
  }
  for (const auto& socket : all) socket->send(message);
}

std::size_t Server::sockets(const Application* of) const {
  const std::lock_guard lock(impl_->shared->mutex);
  return std::size_t(
      std::count_if(impl_->shared->sockets.begin(), impl_->shared->sockets.end(), [&](const auto& entry) {
        const std::shared_ptr<Socket> alive = entry.second.lock();
        return alive && alive->is_of(of);
      }));
}

void Server::stop() {
  if (impl_->threads.empty()) return;
  impl_->shared->stopping = true;
  impl_->answering.stop();
  impl_->answering.join();
  impl_->context.stop();
  for (std::thread& thread : impl_->threads) thread.join();
  impl_->threads.clear();
}

}  // namespace throng::server
