#include "recording/sqlite.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstring>
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

namespace {

/// Beside a value of the file's own: what SQLite keeps of a row while it reads it.
constexpr std::size_t room_for_a_row = std::size_t(1) << 20;
constexpr std::size_t largest_value = std::size_t(1) << 30;

/// No value that the file stores is larger than the file; no statement of ours needs more than these.
void set_limits(sqlite3* handle, const std::string& path) {
  const std::size_t stored = environment::file_size(path) + environment::file_size(path + "-wal");
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, int(std::min(largest_value, stored + room_for_a_row)));
  sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 100'000);
  sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, 100);
  sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 20);
  sqlite3_limit(handle, SQLITE_LIMIT_COMPOUND_SELECT, 3);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
}

/// What SQLite calls "unable to open database file" where a killed writer's log lies beside it and the folder cannot be written.
Problem explained(Problem problem, const std::string& path) {
  if (problem.code == ProblemCode::io && environment::file_size(path) > 0 && environment::file_size(path + "-wal") > 0)
    problem.message += fmt::format(
        "; its writer was killed, and what it left in '{}-wal' can only be read where the folder can be written: copy "
        "both files to such a folder",
        path);
  return problem;
}

}  // namespace

Result<Database> Database::open_to_read(const std::string& path) {
  // Nothing in the file's schema is to be run (https://www.sqlite.org/security.html).
  const std::string careful = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0";
  std::optional<Problem> first_problem;
  // What SQLite calls "unable to open database file", for every reason.
  if (const Result<std::string> start = environment::read_start(path, 1); !start) return start.problems();
  for (const int flags : {SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE}) {
    Result<Database> database = open_with(path, flags);
    if (!database) return database.problems();
    sqlite3_db_config(database->connection_->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    set_limits(database->connection_->handle, path);
    // The first query is the one that meets a hot journal, which only a connection that may write can roll back.
    if (database->execute(careful) && database->number("SELECT count(*) FROM sqlite_schema")) return database;
    if (!first_problem) first_problem = database->problem();
    if (first_problem->code != ProblemCode::io) break;
  }
  return explained(*first_problem, path);
}

bool Database::has_table(const std::string& name, const std::vector<std::string>& columns, Columns which) {
  Statement tables = prepare("SELECT count(*) FROM sqlite_schema WHERE name = ? AND type = 'table' AND rootpage > 0");
  tables.bind(1, std::string_view(name));
  if (!tables.next() || tables.whole(0) != 1) return false;
  Statement rows = prepare("SELECT name, hidden FROM pragma_table_xinfo(?)");
  rows.bind(1, std::string_view(name));
  std::vector<std::string> stored;
  bool computed = false;
  while (rows.next()) {
    if (rows.whole(1) == 0)
      stored.emplace_back(rows.text(0));
    else
      computed = true;
  }
  if (which == Columns::exactly) return !computed && stored == columns;
  return std::all_of(columns.begin(), columns.end(), [&](const std::string& column) {
    return std::find(stored.begin(), stored.end(), column) != stored.end();
  });
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
void remove_companions(const std::string& target) {
  std::error_code ignored;
  for (const char* ending : {"-wal", "-shm", "-journal"}) fs::remove(target + ending, ignored);
}

/// What marks a file that has not got its name yet, so that what a killed writer left is known from somebody's own file: SQLite's field for
/// such marks, at byte 68.
constexpr std::uint32_t unfinished_id = 0x54687250;  // "ThrP"

/// Whether a writer of ours left this, or nothing is there.
bool is_ours_or_free(const std::string& part) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(part, error);
  if (!fs::exists(status)) return true;
  if (!fs::is_regular_file(status)) return false;
  const Result<std::string> start = environment::read_start(part, 100);
  if (!start || start->size() < 72 || !start->starts_with("SQLite format 3")) return false;
  const char mark[] = {0x54, 0x68, 0x72, 0x50};
  return std::memcmp(start->data() + 68, mark, sizeof mark) == 0;
}

/// Where the bytes go first, and what is wrong with that.
Result<std::string> first_name(const std::string& path, Named named) {
  if (named == Named::at_once) return path;
  if (Problems wrong = environment::check_output(path); !wrong.empty()) return wrong;
  std::string part = environment::target_of(path) + ".part";
  if (!is_ours_or_free(part))
    return io_problem(part, "is in the way, and not what an earlier run left: move it, or choose another name");
  return part;
}

}  // namespace

Result<RecordingFile> RecordingFile::create(const std::string& path, const std::function<bool(Database&)>& fill,
                                            Named named) {
  if (fs::exists(path) && !fs::is_regular_file(path))
    return io_problem(path, "cannot be written: it is not a regular file");
  const Result<std::string> name = first_name(path, named);
  if (!name) return name.problems();
  Result<Database> content = Database::in_memory(path);
  if (!content) return content.problems();
  fill(*content);
  if (named == Named::when_whole) content->execute(fmt::format("PRAGMA application_id = {}", unfinished_id));
  const std::string bytes = content->serialized();
  if (content->problem()) return *content->problem();
  Result<environment::OutputFile> output = environment::OutputFile::open(*name);
  if (!output) return output.problems();
  output->write(bytes);
  Result<environment::HeldFile> held = output->finish_and_hold(remove_companions);
  if (!held) return held.problems();
  RecordingFile file;
  file.path_ = path;
  file.held_ = std::move(*held);
  if (named == Named::when_whole) file.final_name_ = environment::target_of(path);
  Result<Database> database = Database::open(file.held_.target());
  if (!database) return database.problems();
  // Where write-ahead mode cannot be had (some network file systems), the rollback journal stays, which is as safe and slower.
  database->execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  // The log is opened, by its name, by the first query: now, before somebody else puts another file and its log there.
  (void)database->number("SELECT count(*) FROM sqlite_schema");
  if (database->problem()) return *database->problem();
  file.database_ = std::move(*database);
  if (!file.held_.is_at_its_place()) return io_problem(path, "was removed or replaced while it was being made");
  return file;
}

Result<std::uint64_t> RecordingFile::close() {
  if (!held_.is_at_its_place()) {
    // Its companions belong to another file by now: SQLite notices and leaves them alone, a change of mode would not.
    database_ = {};
    return io_problem(path_, "was removed or replaced while it was being written");
  }
  if (!final_name_.empty()) database_.execute("PRAGMA application_id = 0");
  database_.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  // Whoever has it open now keeps the mode from being changed; the file is complete all the same, but for an empty companion.
  database_.try_execute("PRAGMA busy_timeout = 100; PRAGMA journal_mode = DELETE");
  std::optional<Problem> problem = database_.problem();
  database_ = {};
  if (!problem && !final_name_.empty() && !held_.move_to(final_name_))
    problem = io_problem(path_, "cannot be replaced");
  if (problem && !final_name_.empty())
    problem->message += fmt::format(" (what was written until then is in '{}')", held_.target());
  const std::uint64_t bytes = environment::file_size(held_.target());
  held_ = {};
  if (problem) return *problem;
  return bytes;
}

}  // namespace throng::recording
