#include "architecture/include_order.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/data.hpp"

namespace throng::test {
namespace {

namespace fs = std::filesystem;

/// A small tree in order, into which a test puts one wrong thing.
class Tree {
 public:
  Tree() {
    put("include/throng/vec2.hpp", "#pragma once\n#include <cmath>\n");
    put("src/geometry/grid.hpp", "#pragma once\n#include <vector>\n#include \"throng/vec2.hpp\"\n");
    put("src/environment/clean/clean.hpp", "#pragma once\n#include \"geometry/grid.hpp\"\n");
    put("src/cli/main.cpp", "#include \"environment/clean/clean.hpp\"\nint main() { printf(\"hello\"); }\n");
  }
  void put(const fs::path& name, const std::string& text) const {
    fs::create_directories((root() / name).parent_path());
    std::ofstream(root() / name) << text;
  }
  [[nodiscard]] const fs::path& root() const { return folder_.path(); }
  [[nodiscard]] std::vector<std::string> complaints() const { return check_tree(root()); }

 private:
  TempDir folder_;
};

TEST_CASE("the sources keep the order of layers") {
  for (const std::string& complaint : check_tree(THRONG_SOURCE_DIR)) FAIL_CHECK(complaint);
}

TEST_CASE("throng::core includes nothing of the rest") {
  std::vector<std::string> folders;
  std::istringstream list(THRONG_CORE_FOLDERS);
  for (std::string folder; std::getline(list, folder, ',');) folders.push_back(folder);
  CHECK(folders.size() >= 10);
  for (const std::string& complaint : check_core(THRONG_SOURCE_DIR, folders)) FAIL_CHECK(complaint);
}

TEST_CASE("core that includes the rest, or a library that wants linking, is found") {
  const Tree tree;
  tree.put("src/environment/a.hpp",
           "#include \"environment/clean/clean.hpp\"\n#include <vector>\n#include <fmt/format.h>\n");
  CHECK(check_core(tree.root(), {"geometry", "environment", "environment/clean"}).empty());
  CHECK(check_core(tree.root(), {"geometry", "environment"}) ==
        std::vector<std::string>{"src/environment/a.hpp:1: core includes 'environment/clean/clean.hpp'"});
  tree.put("src/geometry/a.hpp", "#include <nlohmann/json.hpp>\n");
  CHECK(check_core(tree.root(), {"geometry"}).size() == 1);
  tree.put("src/geometry/a.hpp", "#include <sqlite3.h>\n");
  CHECK(check_core(tree.root(), {"geometry"}).size() == 1);
}

TEST_CASE("every header of the sources is compiled alone") {
  // CMakeLists.txt here writes one file a header; a glob gone wrong would leave headers out in silence.
  const std::vector<std::string> headers = headers_of(THRONG_SOURCE_DIR);
  CHECK(headers.size() >= 6);
  for (const std::string& header : headers) {
    INFO(header);
    CHECK(fs::exists(fs::path(THRONG_ALONE_DIR) / (header + ".cpp")));
  }
}

TEST_CASE("a tree in order has no complaints") { CHECK(Tree().complaints().empty()); }

TEST_CASE("a lower layer that includes a higher one is found") {
  const Tree tree;
  tree.put("src/geometry/grid.cpp", "#include \"geometry/grid.hpp\"\n\n#include \"environment/clean/clean.hpp\"\n");
  REQUIRE(tree.complaints().size() == 1);
  CHECK(tree.complaints()[0] ==
        "src/geometry/grid.cpp:3: layer 'geometry' includes 'environment/clean/clean.hpp' of a layer above it");
}

TEST_CASE("a public header that includes a private one is found") {
  const Tree tree;
  SUBCASE("of the sources") { tree.put("include/throng/mesh.hpp", "#include \"geometry/grid.hpp\"\n"); }
  SUBCASE("of a library") { tree.put("include/throng/mesh.hpp", "#include <fmt/format.h>\n"); }
  CHECK(tree.complaints().size() == 1);
}

TEST_CASE("an include by a relative or unknown name is found") {
  const Tree tree;
  SUBCASE("relative") { tree.put("src/environment/a.hpp", "#include \"clean.hpp\"\n"); }
  SUBCASE("upwards") { tree.put("src/environment/a.hpp", "#include \"../geometry/grid.hpp\"\n"); }
  SUBCASE("unknown") { tree.put("src/environment/a.hpp", "#include \"geometry/nothing.hpp\"\n"); }
  SUBCASE("benchmarks from a layer") {
    tree.put("benchmarks/bench.hpp", "");
    tree.put("src/environment/a.hpp", "#include \"benchmarks/bench.hpp\"\n");
  }
  CHECK(tree.complaints().size() == 1);
}

TEST_CASE("a library that prints or ends the program is found") {
  const Tree tree;
  SUBCASE("stream") { tree.put("src/geometry/a.cpp", "void f() { std::cerr << 1; }\n"); }
  SUBCASE("printf") { tree.put("src/geometry/a.cpp", "void f() { printf(\"1\"); }\n"); }
  SUBCASE("fmt") { tree.put("src/geometry/a.cpp", "void f() { fmt::print(\"1\"); }\n"); }
  SUBCASE("exit") { tree.put("src/geometry/a.cpp", "void f() { std::exit(1); }\n"); }
  SUBCASE("abort") { tree.put("src/geometry/a.cpp", "void f() { abort(); }\n"); }
  CHECK(tree.complaints().size() == 1);
}

TEST_CASE("what only looks like an offence is none") {
  const Tree tree;
  tree.put("src/geometry/a.cpp",
           "// std::cout, exit(1)\n/* abort();\n#include \"cli/x.hpp\" */\nint n = 1'000'000;  // 'abort()'\n"
           "const char* text = \"std::cerr \\\" exit(1)\";\nconst char* raw = R\"(printf(\"1\"))\";\n"
           "void f(char* b) { snprintf(b, 1, \"x\"); on_exit_of(b); }\n");
  for (const std::string& complaint : tree.complaints()) FAIL_CHECK(complaint);
}

TEST_CASE("a folder that is no layer is found") {
  const Tree tree;
  tree.put("src/utils/a.cpp", "int a;\n");
  CHECK(tree.complaints().size() == 1);
}

}  // namespace
}  // namespace throng::test
