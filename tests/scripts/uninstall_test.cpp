// scripts/uninstall: removes what was installed and nothing else, whatever folders are called.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "support/data.hpp"

namespace throng::test {
namespace {

namespace fs = std::filesystem;

TEST_CASE("uninstall: a user's file stays where the prefix has brackets, blanks or semicolons") {
  for (const char* name : {"opt[1]", "my programs", "a;b", "plain", "*"}) {
    const TempDir folder;
    INFO(name);
    const fs::path prefix = folder / name;
    fs::create_directories(prefix / "bin");
    fs::create_directories(prefix / "share/throng");
    for (const char* file : {"bin/throng", "bin/mine", "share/throng/schema"}) write_file(prefix / file, "");
    fs::create_directories(folder / "build");
    write_file(folder / "build/installed_files.txt",
               (prefix / "bin/throng").string() + "\n" + (prefix / "share/throng/schema").string() + "\n");
    write_file(folder / "build/installed_folders.txt", prefix.string() + "\n" + (prefix / "bin").string() + "\n" +
                                                           (prefix / "share").string() + "\n" + prefix.string() + "\n");
    const ProgramResult result = run_program({"cmake", "-D", "BUILD=" + (folder / "build").string(), "-P",
                                              std::string(THRONG_SOURCE_DIR) + "/cmake/uninstall.cmake"});
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    CHECK(fs::exists(prefix / "bin/mine"));
    CHECK(!fs::exists(prefix / "bin/throng"));
    CHECK(!fs::exists(prefix / "share"));
    CHECK(!fs::exists(folder / "build/installed_files.txt"));
  }
}

}  // namespace
}  // namespace throng::test
