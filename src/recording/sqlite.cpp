#include "recording/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "text/files.hpp"

namespace throng::recording {
namespace fs = std::filesystem;

struct Statement::Connection {
  sqlite3* handle = nullptr;
  std::string path;
  std::optional<Problem> problem;

  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { sqlite3_close_v2(handle); }

  /// Whether `code` tells of success; otherwise the connection has failed.
  bool check(int code) {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return true;
    if (!problem) problem = describe(code);
    return false;
  }

  [[nodiscard]] Problem describe(int code) const {
    const std::string reason = handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code);
    switch (code & 0xff) {
      case SQLITE_NOTADB: return {Severity::error, ProblemCode::syntax, path, "not an SQLite file"};
      case SQLITE_CORRUPT: return {Severity::error, ProblemCode::syntax, path, "the file is damaged: " + reason};
      default: return {Severity::error, ProblemCode::io, path, reason};
    }
  }
};

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

bool Statement::check(int code) { return connection_->check(code); }

void Statement::bind(int index, std::int64_t value) {
  if (statement_) (void)check(sqlite3_bind_int64(statement_.get(), index, value));
}
void Statement::bind(int index, double value) {
  if (statement_) (void)check(sqlite3_bind_double(statement_.get(), index, value));
}
void Statement::bind(int index, std::string_view text) {
  if (statement_)
    (void)check(sqlite3_bind_text64(statement_.get(), index, text.data() == nullptr ? "" : text.data(), text.size(),
                                    SQLITE_STATIC, SQLITE_UTF8));
}
void Statement::bind_bytes(int index, std::string_view bytes) {
  if (statement_) (void)check(sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(), SQLITE_STATIC));
}
void Statement::bind_null(int index) {
  if (statement_) (void)check(sqlite3_bind_null(statement_.get(), index));
}

bool Statement::run() {
  if (!statement_ || connection_->problem) return false;
  while (next()) {
  }
  sqlite3_reset(statement_.get());
  return !connection_->problem;
}

bool Statement::next() {
  if (!statement_ || connection_->problem) return false;
  const int code = sqlite3_step(statement_.get());
  return check(code) && code == SQLITE_ROW;
}

std::int64_t Statement::whole(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
std::string_view Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return {text == nullptr ? "" : text, std::size_t(sqlite3_column_bytes(statement_.get(), column))};
}
std::string_view Statement::bytes(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  return {bytes == nullptr ? "" : bytes, std::size_t(sqlite3_column_bytes(statement_.get(), column))};
}
bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }
bool Statement::is_whole(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_INTEGER; }
bool Statement::is_text(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_TEXT; }
bool Statement::is_bytes(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_BLOB; }
bool Statement::is_number(int column) const {
  return is_whole(column) || sqlite3_column_type(statement_.get(), column) == SQLITE_FLOAT;
}

Database::Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open_with(const std::string& path, int flags) {
  Database database;
  database.connection_ = std::make_unique<Statement::Connection>();
  Statement::Connection& connection = *database.connection_;
  connection.path = path;
  // An empty name or ":memory:" would mean something else than a file of that name.
  const bool memory = (flags & SQLITE_OPEN_MEMORY) != 0;
  const std::string name = memory ? ":memory:" : fs::path("." / fs::path(path)).string();
  connection.check(sqlite3_open_v2(name.c_str(), &connection.handle, flags | SQLITE_OPEN_NOMUTEX, nullptr));
  if (connection.problem) return *connection.problem;
  sqlite3_extended_result_codes(connection.handle, 1);
  sqlite3_busy_timeout(connection.handle, 5000);
  return database;
}

Result<Database> Database::in_memory(const std::string& called) {
  return open_with(called, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY);
}

Result<Database> Database::open(const std::string& path) { return open_with(path, SQLITE_OPEN_READWRITE); }

Result<Database> Database::open_to_read(const std::string& path) {
  // Nothing in the file's schema is to be run (https://www.sqlite.org/security.html).
  const std::string careful = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0";
  std::optional<Problem> first_problem;
  for (const int flags : {SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE}) {
    Result<Database> database = open_with(path, flags);
    if (!database) return database.problems();
    sqlite3_db_config(database->connection_->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    // The first query is the one that meets a hot journal, which only a connection that may write can roll back.
    if (database->execute(careful) && database->number("SELECT count(*) FROM sqlite_schema")) return database;
    if (!first_problem) first_problem = database->problem();
    if (first_problem->code != ProblemCode::io) break;
  }
  return *first_problem;
}

bool Database::execute(const std::string& statements) {
  return !problem() &&
         connection_->check(sqlite3_exec(connection_->handle, statements.c_str(), nullptr, nullptr, nullptr));
}

bool Database::try_execute(const std::string& statements) {
  return !problem() && sqlite3_exec(connection_->handle, statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
}

Statement Database::prepare(std::string_view statement) {
  Statement result;
  result.connection_ = connection_.get();
  if (problem()) return result;
  sqlite3_stmt* raw = nullptr;
  connection_->check(sqlite3_prepare_v2(connection_->handle, statement.data(), int(statement.size()), &raw, nullptr));
  result.statement_.reset(raw);
  return result;
}

std::optional<std::int64_t> Database::number(std::string_view query) {
  Statement statement = prepare(query);
  if (!statement.next() || !statement.is_whole(0)) return std::nullopt;
  return statement.whole(0);
}

std::string Database::serialized() {
  sqlite3_int64 size = 0;
  if (problem()) return {};
  const std::unique_ptr<unsigned char, decltype(&sqlite3_free)> bytes(
      sqlite3_serialize(connection_->handle, "main", &size, 0), &sqlite3_free);
  if (!bytes) connection_->check(SQLITE_NOMEM);
  return bytes ? std::string(reinterpret_cast<const char*>(bytes.get()), std::size_t(size)) : std::string();
}

const std::optional<Problem>& Database::problem() const { return connection_->problem; }

Problems Database::problems() const { return problem() ? Problems{*problem()} : Problems{}; }

namespace {

Problem io_problem(const std::string& path, std::string message) {
  return {Severity::error, ProblemCode::io, path, std::move(message)};
}

/// What SQLite keeps beside a file; what an earlier, killed writer left there must not be taken for the new file's.
void remove_companions(const std::string& path) {
  std::error_code ignored;
  const fs::path resolved = fs::canonical(path, ignored);
  const std::string target = resolved.empty() ? path : resolved.string();
  for (const char* ending : {"-wal", "-shm", "-journal"}) fs::remove(target + ending, ignored);
}

}  // namespace

Result<RecordingFile> RecordingFile::create(const std::string& path, const std::function<bool(Database&)>& fill) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    return io_problem(path, "cannot be written: it is not a regular file");
  Result<Database> content = Database::in_memory(path);
  if (!content) return content.problems();
  fill(*content);
  const std::string bytes = content->serialized();
  if (content->problem()) return *content->problem();
  remove_companions(path);
  if (Problems problems = environment::replace_file(path, bytes); !problems.empty()) return problems;
  Result<Database> database = Database::open(path);
  if (!database) return database.problems();
  // Where write-ahead mode cannot be had (some network file systems), the rollback journal stays, which is as safe and slower.
  database->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  // The log is opened, by its name, by the first query: now, before somebody else puts another file and its log there.
  (void)database->number("SELECT count(*) FROM sqlite_schema");
  if (database->problem()) return *database->problem();
  RecordingFile file;
  file.path_ = path;
  file.database_ = std::move(*database);
  if (::stat(path.c_str(), &status) != 0) return io_problem(path, "was removed while it was being made");
  file.device_ = status.st_dev;
  file.inode_ = status.st_ino;
  return file;
}

Result<std::uint64_t> RecordingFile::close() {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0 || status.st_dev != device_ || status.st_ino != inode_) {
    // Its companions belong to another file by now: SQLite notices and leaves them alone, a change of mode would not.
    database_ = {};
    return io_problem(path_, "was removed or replaced while it was being written");
  }
  database_.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  // Whoever has it open now keeps the mode from being changed; the file is complete all the same, but for an empty companion.
  database_.try_execute("PRAGMA busy_timeout = 100; PRAGMA journal_mode = DELETE");
  const std::optional<Problem> problem = database_.problem();
  database_ = {};
  if (problem) return *problem;
  if (::stat(path_.c_str(), &status) != 0) return io_problem(path_, "was removed while it was being closed");
  return std::uint64_t(status.st_size);
}

}  // namespace throng::recording
