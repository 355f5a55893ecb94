// SQLite, as far as recordings need it: connections and statements that close themselves, and errors as problems.
//
// Laws
// 1. The first failure of a connection stays its `problem()`; every later call on it, and on its statements, does nothing and
//    returns false.
// 2. A statement dies before its connection.
//
// Thread-safety: one thread at a time for a connection and its statements.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/output_file.hpp"
#include "throng/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace throng::recording {

class Database;

class Statement {
 public:
  Statement() = default;

  ///@{ The value of parameter `index`, from 1. Text and bytes must live until the next reset() or run().
  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  void bind(int index, std::string_view text);
  void bind_bytes(int index, std::string_view bytes);
  void bind_null(int index);
  ///@}

  /// Runs to the end and makes ready for the next time.
  bool run();
  /// The next row; false at the end and on failure (Database::problem() tells which).
  bool next();

  ///@{ A column of the row, from 0. Views live until the next call of next().
  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string_view text(int column) const;
  [[nodiscard]] std::string_view bytes(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] bool is_whole(int column) const;
  [[nodiscard]] bool is_text(int column) const;
  [[nodiscard]] bool is_bytes(int column) const;
  [[nodiscard]] bool is_number(int column) const;
  ///@}

 private:
  friend class Database;
  struct Connection;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  [[nodiscard]] bool check(int code);

  Connection* connection_ = nullptr;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  /// A new one that is never a file.
  [[nodiscard]] static Result<Database> in_memory(const std::string& called);
  /// An existing file, to be written to.
  [[nodiscard]] static Result<Database> open(const std::string& path);
  /// An existing file that may come from anywhere, to be read. Nothing is written, unless a killed writer left a transaction
  /// half done that has to be rolled back first. No value of it is larger than the file: what SQL would compute is refused.
  [[nodiscard]] static Result<Database> open_to_read(const std::string& path);
  Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// Several statements, for what they do.
  bool execute(const std::string& statements);
  /// The same where failing is no harm: leaves no problem.
  bool try_execute(const std::string& statements);
  [[nodiscard]] Statement prepare(std::string_view statement);
  /// The whole number that a query gives first, or nothing.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view query);
  /// Whether there is a table of this name, stored as one, that has exactly these columns, all of them stored; with `among`, that has
  /// these among others. Views, virtual tables and generated columns of these names could run for ever, or run what a stranger wrote.
  enum class Columns { exactly, among };
  [[nodiscard]] bool has_table(const std::string& name, const std::vector<std::string>& columns,
                               Columns which = Columns::exactly);
  /// The file that this database would be.
  [[nodiscard]] std::string serialized();

  [[nodiscard]] const std::optional<Problem>& problem() const;
  /// The problem, as a list; empty where there is none.
  [[nodiscard]] Problems problems() const;

 private:
  static Result<Database> open_with(const std::string& path, int flags);
  std::unique_ptr<Statement::Connection> connection_;
};

/// When a file gets its name: at once, so that it can be looked at while it grows; or when it is whole, for readers that could not tell.
enum class Named { at_once, when_whole };

/// A file at `path` that is being written: in SQLite's write-ahead mode until close(), so that a commit needs no waiting for the
/// disk and a killed writer leaves every commit that was made. Held (output_file.hpp): a second writer of the same file is refused.
class RecordingFile {
 public:
  /// Replaces what is at `path` by a database as `fill` makes it. What is named when it is whole is called PATH.part until then; a file of
  /// that name that no writer of ours left there is refused.
  [[nodiscard]] static Result<RecordingFile> create(const std::string& path, const std::function<bool(Database&)>& fill,
                                                    Named named = Named::at_once);

  [[nodiscard]] Database& database() { return database_; }
  /// Makes one file of it and closes it; statements must be gone. Gives its size.
  [[nodiscard]] Result<std::uint64_t> close();

 private:
  std::string path_;
  std::string final_name_;      ///< where it goes when it is whole; empty: it is there
  environment::HeldFile held_;  ///< let go after the database: closing a file earlier would undo SQLite's own locks
  Database database_;
};

}  // namespace throng::recording
