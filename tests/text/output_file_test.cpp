// Outputs: whole or not there, and nobody else's file touched.
#include "text/output_file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "support/data.hpp"
#include "text/csv.hpp"
#include "text/files.hpp"
#include "text/nearest_name.hpp"

namespace throng::test {
namespace {

namespace fs = std::filesystem;
using environment::OutputFile;

std::size_t files_in(const TempDir& folder) {
  return std::size_t(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
}

std::string said(const Problems& problems) { return problems.empty() ? "" : to_string(problems.front()); }

TEST_CASE("output: what is there stays until the new file is whole, and a writer that gives up leaves nothing") {
  const TempDir folder;
  write_file(folder / "a.csv", "old");
  {
    Result<OutputFile> file = OutputFile::open(folder / "a.csv");
    REQUIRE(file.ok());
    CHECK(file->write("half"));
    CHECK(read_file(folder / "a.csv") == "old");
  }
  CHECK(read_file(folder / "a.csv") == "old");
  CHECK(files_in(folder) == 1);
  Result<OutputFile> file = OutputFile::open(folder / "a.csv");
  REQUIRE(file.ok());
  CHECK(file->write(std::string(200'000, 'x')));
  CHECK(file->write("end"));
  CHECK(file->finish().empty());
  CHECK(read_file(folder / "a.csv") == std::string(200'000, 'x') + "end");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("output: a name beside it that somebody has, and where a link of that name leads, are left alone") {
  const TempDir folder;
  write_file(folder / "victim", "mine");
  const std::string first = (folder / "a.csv.tmp-").string() + std::to_string(::getpid());
  fs::create_symlink(folder / "victim", first + "-0");
  write_file(first + "-1", "mine too");
  CHECK(environment::replace_file(folder / "a.csv", "new").empty());
  CHECK(read_file(folder / "a.csv") == "new");
  CHECK(read_file(folder / "victim") == "mine");
  CHECK(fs::is_symlink(first + "-0"));
  CHECK(read_file(first + "-1") == "mine too");
}

TEST_CASE("output: a link stays a link and its target is replaced; one that leads nowhere is refused") {
  const TempDir folder;
  write_file(folder / "target", "old");
  fs::create_symlink(folder / "target", folder / "link");
  CHECK(environment::replace_file(folder / "link", "new").empty());
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_file(folder / "target") == "new");
  fs::create_symlink(folder / "nowhere", folder / "lost");
  CHECK(said(environment::replace_file(folder / "lost", "new")).find("leads nowhere") != std::string::npos);
  CHECK(fs::is_symlink(folder / "lost"));
  CHECK(!fs::exists(folder / "nowhere"));
}

TEST_CASE("output: pipes and devices are written to, and a full one is told") {
  CHECK(environment::replace_file("/dev/null", "text").empty());
  CHECK(said(environment::replace_file("/dev/full", "text")).find("disk is full") != std::string::npos);
}

TEST_CASE("output: a missing folder, a folder in its place and an empty name are told beforehand") {
  const TempDir folder;
  CHECK(environment::check_output(folder / "new.csv").empty());
  CHECK(said(environment::check_output(folder / "none" / "a.csv")).find("no folder") != std::string::npos);
  CHECK(said(environment::check_output(folder.path().string())).find("directory") != std::string::npos);
  CHECK(!environment::check_output("").empty());
  CHECK(environment::check_output("-").empty());
}

TEST_CASE("output: one file under several names is known, also before it is there") {
  const TempDir folder;
  write_file(folder / "a", "");
  fs::create_symlink(folder / "a", folder / "link");
  fs::create_hard_link(folder / "a", folder / "hard");
  fs::create_directory(folder / "sub");
  CHECK(environment::same_file(folder / "a", folder / "link"));
  CHECK(environment::same_file(folder / "a", folder / "hard"));
  CHECK(environment::same_file(folder / "a", (folder / "sub" / ".." / "a").string()));
  CHECK(environment::same_file(folder / "new", (folder / "sub" / ".." / "new").string()));
  CHECK(!environment::same_file(folder / "a", folder / "new"));
  CHECK(!environment::same_file("-", "-"));
  CHECK(!environment::same_file("/dev/null", "/dev/null"));
}

Result<environment::HeldFile> held(const std::string& path, const std::string& content) {
  Result<OutputFile> file = OutputFile::open(path);
  REQUIRE(file.ok());
  file->write(content);
  return file->finish_and_hold([](const std::string&) {});
}

TEST_CASE("output: a file that is held is refused to the next writer, and free afterwards") {
  const TempDir folder;
  {
    const Result<environment::HeldFile> first = held(folder / "a", "first");
    REQUIRE(first.ok());
    CHECK(first->is_at_its_place());
    const Result<environment::HeldFile> second = held(folder / "a", "second");
    CHECK(said(second.problems()).find("another program is writing it") != std::string::npos);
    CHECK(read_file(folder / "a") == "first");
    CHECK(files_in(folder) == 1);
  }
  const Result<environment::HeldFile> third = held(folder / "a", "third");
  REQUIRE(third.ok());
  CHECK(read_file(folder / "a") == "third");
  fs::remove(folder / "a");
  CHECK(!third->is_at_its_place());
}

/// Four processes that want one file at the same moment: how many held it.
int holders_of(const std::string& path) {
  int gate[2];
  REQUIRE(::pipe(gate) == 0);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::close(gate[1]);
      char byte = 0;
      (void)!::read(gate[0], &byte, 1);  // until all are there
      Result<environment::HeldFile> file = held(path, "mine");
      if (!file) ::_exit(1);
      ::usleep(50'000);
      ::_exit(file->is_at_its_place() ? 0 : 3);
    }
    children.push_back(child);
  }
  ::close(gate[0]);
  ::close(gate[1]);
  int winners = 0;
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) <= 1);
    winners += WEXITSTATUS(status) == 0;
  }
  return winners;
}

TEST_CASE("output: of four writers that start at the same moment one holds the file, 25 times") {
  const TempDir folder;
  for (int i = 0; i < 25; ++i) {
    if (i % 2 == 0) fs::remove(folder / "a");
    CHECK(holders_of(folder / "a") == 1);
    CHECK(read_file(folder / "a") == "mine");
    CHECK(files_in(folder) == 1);
  }
}

TEST_CASE("files that files name are regular ones: a device is not read until memory ends") {
  CHECK(said(environment::read_named_file("/dev/zero").problems()).find("no regular file") != std::string::npos);
  const TempDir folder;
  write_file(folder / "a", "text");
  CHECK(environment::read_named_file(folder / "a").value() == "text");
}

TEST_CASE("a name in a table of commas stays one field and one line, and is no formula") {
  CHECK(environment::csv_field("plain name") == "plain name");
  CHECK(environment::csv_field("a,b") == "\"a,b\"");
  CHECK(environment::csv_field("a\"b") == "\"a\"\"b\"");
  CHECK(environment::csv_field("a\r\nb") == "a  b");
  CHECK(environment::csv_field("=1+1") == "\"=1+1\"");
  CHECK(environment::csv_field(" a") == "\" a\"");
  environment::ProblemList problems;
  const environment::CsvTable table =
      environment::parse_csv("a,b\n" + environment::csv_field("x,\"y\r\n") + ",2\n", "t", problems);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].fields[0] == "x,\"y  ");
}

TEST_CASE("escape sequences and broken UTF-8 of a file do not reach a terminal") {
  CHECK(environment::printable("plain \u00e4\u20ac") == "plain \u00e4\u20ac");
  CHECK(environment::printable("\x1b[31mred\x07") == "?[31mred?");
  CHECK(environment::printable("a\xc2\x9b"
                               "31m") == "a?31m");
  CHECK(environment::printable("a\xff\xfe"
                               "b") == "a??b");
  CHECK(environment::in_quotes("\xff\x01") == std::string("'?") + "?'");
}

}  // namespace
}  // namespace throng::test
