// scripts/setup on machines that this one is not: made of a folder of commands that stand in for dpkg-query, apt-get and sudo.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/data.hpp"

namespace throng::test {
namespace {

namespace fs = std::filesystem;

class Machine {
 public:
  Machine() {
    for (const char* tool : {"bash", "env", "awk", "grep", "sed", "cat"}) {
      const std::string found = run_program({"sh", "-c", std::string("command -v ") + tool}).out;
      fs::create_symlink(found.substr(0, found.find('\n')), folder_ / tool);
    }
    command("id", "echo 0");
    // Every package is there but those in the file `missing`; what apt-get is told goes to the file `log`.
    command("dpkg-query",
            "for p in \"$@\"; do case $p in -*) continue;; \\$*) continue;; esac\n"
            "grep -qxF -- \"$p\" \"$(dirname_of)/missing\" || echo \"$p installed\"; done");
    command("apt-get", "echo \"$DEBIAN_FRONTEND $*\" >> \"$(dirname_of)/log\"");
    missing("");
    write_file(folder_ / "log", "");
  }

  void command(const std::string& name, const std::string& body) const {
    const fs::path file = folder_ / name;
    fs::remove(file);
    write_file(file, "#!" + (folder_ / "bash").string() + "\ndirname_of() { echo \"${0%/*}\"; }\n" + body + "\n");
    fs::permissions(file, fs::perms::owner_all);
  }
  void without(const std::string& name) const { fs::remove(folder_ / name); }
  void missing(const std::string& packages) const { write_file(folder_ / "missing", packages); }
  [[nodiscard]] std::string log() const { return read_file(folder_ / "log"); }

  [[nodiscard]] ProgramResult set_up(const std::string& argument = "") const {
    std::vector<std::string> words = {(folder_ / "env").string(), "-i", "PATH=" + folder_.path().string(), "bash",
                                      THRONG_SOURCE_DIR "/scripts/setup"};
    if (!argument.empty()) words.push_back(argument);
    return run_program(words);
  }
  /// With somebody at a terminal, who types that.
  [[nodiscard]] ProgramResult set_up_at_terminal(const std::string& typed) const {
    const std::string setup = "'" + (folder_ / "env").string() + "' -i PATH='" + folder_.path().string() + "' bash '" +
                              fs::absolute(THRONG_SOURCE_DIR "/scripts/setup").string() + "'";
    return run_program({"sh", "-c", "printf '" + typed + "\\n' | script -qec \"$1\" /dev/null", "sh", setup});
  }

 private:
  TempDir folder_;
};

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("where all is installed, setup does nothing and says nothing") {
  const Machine machine;
  const ProgramResult result = machine.set_up();
  CHECK(result.exit_code == 0);
  CHECK(result.out + result.err == "");
  CHECK(machine.log() == "");
}

TEST_CASE("setup names what is missing and installs that only") {
  const Machine machine;
  machine.missing("libfmt-dev\nninja-build\nclang-19\n");
  const ProgramResult result = machine.set_up();
  CHECK(result.exit_code == 0);
  CHECK(result.out.starts_with("setup: installing ninja-build libfmt-dev\n"));
  CHECK(
      mentions(machine.log(), "noninteractive --quiet --yes install --no-install-recommends ninja-build libfmt-dev\n"));
  CHECK(!mentions(machine.log(), "clang-19"));
}

TEST_CASE("setup asks who is at a terminal, and installs nothing against their will") {
  const Machine machine;
  machine.missing("libfmt-dev\n");
  const ProgramResult no = machine.set_up_at_terminal("n");
  CHECK_MESSAGE(mentions(no.out, "libfmt-dev are missing. Install them? [Y/n]"), no.out << no.err);
  CHECK(no.exit_code != 0);
  CHECK(machine.log() == "");
  const ProgramResult yes = machine.set_up_at_terminal("y");
  CHECK_MESSAGE(yes.exit_code == 0, yes.out << yes.err);
  CHECK(mentions(machine.log(), "install --no-install-recommends libfmt-dev"));
}

TEST_CASE("make clean leaves what runs wrote to out/ alone") {
  const TempDir folder;
  fs::copy_file(THRONG_SOURCE_DIR "/Makefile", folder / "Makefile");
  fs::create_directories(folder / "out");
  fs::create_directories(folder / "build/release");
  write_file(folder / "out/mine.throng", "mine");
  const ProgramResult result = run_program({"make", "-C", folder.path().string(), "clean"});
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  CHECK(read_file(folder / "out/mine.throng") == "mine");
  CHECK(!fs::exists(folder / "build"));
}

TEST_CASE("setup installs for the tests only what the tests need") {
  const Machine machine;
  machine.missing("doctest-dev\nlibrecast-dev\n");
  CHECK(machine.set_up().exit_code == 0);
  CHECK(machine.log() == "");
  CHECK(machine.set_up("test").exit_code == 0);
  CHECK(mentions(machine.log(), "doctest-dev"));
  CHECK(!mentions(machine.log(), "librecast-dev"));
  CHECK(machine.set_up("bench").exit_code == 0);
  CHECK(mentions(machine.log(), "librecast-dev"));
}

TEST_CASE("setup long also installs the tools of the long tests") {
  const Machine machine;
  machine.missing("clang-19\n");
  CHECK(machine.set_up("long").exit_code == 0);
  CHECK(mentions(machine.log(), "install --no-install-recommends clang-19\n"));
}

TEST_CASE("setup uses sudo where the user is not root") {
  const Machine machine;
  machine.command("id", "echo 1000");
  machine.command("sudo", "echo sudo >> \"$(dirname_of)/log\"; \"$@\"");
  machine.missing("libfmt-dev\n");
  const ProgramResult result = machine.set_up();
  CHECK(result.exit_code == 0);
  CHECK(mentions(result.out, "installing libfmt-dev (with sudo)"));
  CHECK(mentions(machine.log(), "sudo\nnoninteractive --quiet --yes install"));
}

TEST_CASE("where nothing can be installed, setup says what is missing and fails") {
  const Machine machine;
  machine.missing("libfmt-dev\n");
  std::string reason;
  SUBCASE("neither root nor sudo") {
    machine.command("id", "echo 1000");
    reason = "neither are you root nor is there sudo";
  }
  SUBCASE("apt-get fails") {
    machine.command("apt-get", "exit 100");
    reason = "apt-get could not install";
  }
  SUBCASE("no apt-get") {
    machine.without("apt-get");
    reason = "there is no apt-get here";
  }
  SUBCASE("no Debian") {
    machine.without("dpkg-query");
    reason = "this is no Debian system";
  }
  const ProgramResult result = machine.set_up();
  CHECK(result.exit_code == 1);
  CHECK(mentions(result.err, reason));
  CHECK(mentions(result.err, "libfmt-dev"));
}

TEST_CASE("a stale package list is no reason to give up") {
  const Machine machine;
  machine.missing("libfmt-dev\n");
  machine.command("apt-get", "case \" $* \" in *' update '*) exit 100;; esac");
  CHECK(machine.set_up().exit_code == 0);
}

TEST_CASE("an unknown argument of setup is wrong use") { CHECK(Machine().set_up("everything").exit_code == 2); }

}  // namespace
}  // namespace throng::test
