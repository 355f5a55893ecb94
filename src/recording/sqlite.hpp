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
  /// half done that has to be rolled back first.
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
  /// The file that this database would be.
  [[nodiscard]] std::string serialized();

  [[nodiscard]] const std::optional<Problem>& problem() const;
  /// The problem, as a list; empty where there is none.
  [[nodiscard]] Problems problems() const;

 private:
  static Result<Database> open_with(const std::string& path, int flags);
  std::unique_ptr<Statement::Connection> connection_;
};

/// A file at `path` that is being written: in SQLite's write-ahead mode until close(), so that a commit needs no waiting for the
/// disk and a killed writer leaves every commit that was made.
class RecordingFile {
 public:
  /// Replaces what is at `path` by a database as `fill` makes it.
  [[nodiscard]] static Result<RecordingFile> create(const std::string& path,
                                                    const std::function<bool(Database&)>& fill);

  [[nodiscard]] Database& database() { return database_; }
  /// Makes one file of it and closes it; statements must be gone. Gives its size.
  [[nodiscard]] Result<std::uint64_t> close();

 private:
  std::string path_;
  std::uint64_t device_ = 0, inode_ = 0;  ///< that tell whether it is still ours
  Database database_;
};

}  // namespace throng::recording
