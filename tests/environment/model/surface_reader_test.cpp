#include "environment/model/surface_reader.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "environment/check.hpp"
#include "environment/clean/clean_support.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;
using geometry::Vec3;

namespace {

/// A model in the making, z up.
struct Model {
  TriangleModel model;

  void triangle(Vec3 a, Vec3 b, Vec3 c) {
    const std::uint32_t first = std::uint32_t(model.vertices.size());
    model.vertices.insert(model.vertices.end(), {a, b, c});
    model.triangles.push_back({first, first + 1, first + 2});
  }
  void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) { triangle(a, b, c), triangle(a, c, d); }
  /// A floor over [x0, x1] x [y0, y1] that rises in x.
  void floor(double x0, double x1, double y0, double y1, double z0, double z1) {
    quad({x0, y0, z0}, {x1, y0, z1}, {x1, y1, z1}, {x0, y1, z0});
  }
  void floor(double x0, double x1, double y0, double y1, double z) { floor(x0, x1, y0, y1, z, z); }
  void wall(Vec2 a, Vec2 b, double low, double high) {
    quad({a.x, a.y, low}, {b.x, b.y, low}, {b.x, b.y, high}, {a.x, a.y, high});
  }
};

Environment read(const Model& model, SurfaceOptions options = {}) {
  options.up = UpAxis::z;
  const Result<Environment> e = floors_of(model.model, "model.obj", options);
  INFO(all(e.problems()));
  REQUIRE(e.ok());
  CHECK(all(check_environment(*e)) == "");
  return *e;
}

CleanEnvironment cleaned(const Model& model, const SurfaceOptions& options = {}) { return sound(read(model, options)); }

std::set<std::string> layers_of(const CleanEnvironment& c) {
  std::set<std::string> ids;
  for (const CleanLayer& layer : c.layers) ids.insert(layer.layer.id);
  return ids;
}

const std::string folder = std::string(THRONG_SOURCE_DIR) + "/examples/";

Result<Environment> read_text(const std::string& format, const std::string& text) {
  return parse_environment(format, text, "model." + format);
}
std::string refusal_of(const std::string& format, const std::string& text) {
  const Result<Environment> result = read_text(format, text);
  CHECK(!result.ok());
  return all(result.problems());
}

std::string to_base64(const std::string& bytes) {
  const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = (bits << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : letters[(bits >> (18 - 6 * k)) & 63];
  }
  return out;
}

/// A square floor of 4 x 4 m, y up, as positions and indices.
std::string floor_bytes() {
  const float positions[] = {0, 0, 0, 4, 0, 0, 4, 0, -4, 0, 0, -4};
  const std::uint16_t indices[] = {0, 1, 2, 0, 2, 3};
  std::string bytes(sizeof positions + sizeof indices, '\0');
  std::memcpy(bytes.data(), positions, sizeof positions);
  std::memcpy(bytes.data() + sizeof positions, indices, sizeof indices);
  return bytes;
}

std::string gltf(const std::string& buffer, const std::string& node = R"({"mesh":0})") {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + node +
         R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"buffers":[{"byteLength":60)" +
         buffer +
         R"(}],"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}],)"
         R"("accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)"
         R"({"bufferView":1,"componentType":5123,"count":6,"type":"SCALAR"}]})";
}
std::string embedded() { return R"(,"uri":"data:application/octet-stream;base64,)" + to_base64(floor_bytes()) + "\""; }

}  // namespace

TEST_CASE("surface: a floor is what faces up and is not too steep") {
  Model model;
  model.floor(0, 10, 0, 4, 0);
  model.floor(10, 20, 0, 4, 0, 12);                          // 50 degrees
  model.quad({0, 4, 3}, {10, 4, 3}, {10, 0, 3}, {0, 0, 3});  // a ceiling
  CHECK(free_area(cleaned(model, {.head_room = 1})) == doctest::Approx(40));
  CHECK(free_area(cleaned(model, {.slope = 60})) == doctest::Approx(80));
}

TEST_CASE("surface: what gapes less than the weld is one floor; a drop is a wall") {
  Model model;
  model.floor(0, 5, 0, 4, 0);
  model.floor(5.005, 10, 0, 4, 0);
  CHECK(cleaned(model).layers.size() == 1);
  Model drop;
  drop.floor(0, 5, 0, 4, 0);
  drop.floor(5, 10, 0, 4, 0.2);   // a step up
  drop.floor(10, 15, 0, 4, 1.2);  // too high
  const CleanEnvironment c = cleaned(drop);
  CHECK(c.layers.size() == 2);
  CHECK(c.connections.empty());
  CHECK(free_area(c, 0) == doctest::Approx(40));
}

TEST_CASE("surface: a cliff within one floor parts it where nobody can step, and only there") {
  Model model;  // around a corner one gets up by two steps of 20 cm; straight on is a drop of 40 cm
  model.floor(0, 5, 0, 2, 0);
  model.floor(5, 10, 0, 2, 0.2);
  model.floor(5, 10, 2, 6, 0.4);
  model.floor(0, 5, 2, 6, 0.4);
  const CleanEnvironment c = cleaned(model);
  REQUIRE(c.layers.size() == 1);
  CHECK(free_area(c) == doctest::Approx(60));
  REQUIRE(c.layers[0].walls.size() == 1);
  CHECK(c.grid.to_world(c.layers[0].walls[0].points.front()) == Vec2{0, 2});
  CHECK(c.grid.to_world(c.layers[0].walls[0].points.back()) == Vec2{5, 2});
}

TEST_CASE("surface: what is lower than the head room blocks, steps and ceilings do not") {
  Model model;
  model.floor(0, 10, 0, 10, 0);
  model.quad({2, 4, 1.5}, {4, 4, 1.5}, {4, 2, 1.5}, {2, 2, 1.5});  // a beam's underside
  model.quad({6, 4, 2.5}, {8, 4, 2.5}, {8, 2, 2.5}, {6, 2, 2.5});  // high enough
  model.wall({5, 6}, {5, 9}, 0, 3);
  model.wall({7, 6}, {7, 9}, 0, 0.2);  // a kerb
  const CleanEnvironment c = cleaned(model);
  CHECK(free_area(c) == doctest::Approx(96));
  REQUIRE(c.layers[0].walls.size() == 1);
  CHECK(c.grid.to_world(c.layers[0].walls[0].points[0]) == Vec2{5, 6});
  CHECK(free_area(cleaned(model, {.head_room = 1.4})) == doctest::Approx(100));
}

TEST_CASE("surface: a box on the floor is an obstacle, the tops of walls and tables are left out") {
  Model model;
  model.floor(0, 10, 0, 10, 0);
  model.floor(4, 5, 4, 5, 1);
  for (const auto& [a, b] :
       {std::pair<Vec2, Vec2>{{4, 4}, {5, 4}}, {{5, 4}, {5, 5}}, {{5, 5}, {4, 5}}, {{4, 5}, {4, 4}}})
    model.wall(a, b, 0, 1);
  model.floor(0, 10, 9.8, 10, 2.5);  // on a wall
  const CleanEnvironment c = cleaned(model);
  CHECK(c.layers.size() == 1);
  CHECK(free_area(c) == doctest::Approx(99));
}

TEST_CASE("surface: a ramp to a floor above parts the layers and connects them at its ends") {
  Model model;
  model.floor(0, 20, 0, 10, 0);
  model.floor(2, 14, 4, 6, 0, 3);
  model.floor(14, 20, 0, 10, 3);
  const CleanEnvironment c = cleaned(model);
  CHECK(layers_of(c) == std::set<std::string>{"level-1", "level-2", "ramp-1"});
  CHECK(c.connections.size() == 2);
  const Elevation ramp = c.layers[1].layer.id == "ramp-1" ? c.layers[1].layer.elevation : c.layers[2].layer.elevation;
  CHECK(ramp.at({2, 5}) == doctest::Approx(0));
  CHECK(ramp.at({14, 5}) == doctest::Approx(3));
  CHECK(!ramp.stairs);
  // Under the ramp there is room from 2 m on.
  CHECK(free_area(c, 0) == doctest::Approx(200 - 2 * 8).epsilon(0.001));
}

TEST_CASE("surface: a spiral that passes over itself becomes pieces") {
  Model model;
  const Vec2 corner[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  for (int i = 0; i < 6; ++i) {
    const Vec2 a = corner[i % 4], b = corner[(i + 1) % 4];
    const double low = i, high = i + 1;
    model.quad({2 * a.x, 2 * a.y, low}, {6 * a.x, 6 * a.y, low}, {6 * b.x, 6 * b.y, high}, {2 * b.x, 2 * b.y, high});
  }
  const CleanEnvironment c = cleaned(model);
  CHECK(c.layers.size() == 2);
  CHECK(c.connections.size() == 1);
}

TEST_CASE("surface: the example is what make_two_storeys.py makes; stairs and a ramp join its storeys") {
  const TempDir drawn;
  REQUIRE(run_program({"/usr/bin/python3", "-B", folder + "make_two_storeys.py", drawn.path().string()}).exit_code ==
          0);
  CHECK(read_file(drawn / "two_storeys.obj") == read_file(folder + "two_storeys.obj"));
  const Result<Environment> e = read_environment(folder + "two_storeys.obj");
  REQUIRE(e.ok());
  CHECK(all(e.problems()) == "");
  const CleanEnvironment c = sound(*e);
  CHECK(layers_of(c) == std::set<std::string>{"level-1", "level-2", "ramp-1", "stairs-1"});
  CHECK(c.connections.size() == 4);
  for (const CleanLayer& layer : c.layers) {
    CHECK(layer.free.size() >= 1);
    CHECK(layer.layer.elevation.stairs == (layer.layer.id == "stairs-1"));
    if (layer.layer.elevation.ramp) {
      CHECK(layer.walls.empty());
      CHECK(layer.layer.elevation.from.y == layer.layer.elevation.to.y);  // straight up
      CHECK(layer.layer.elevation.z_from == 0);
      CHECK(layer.layer.elevation.z_to == 3);
    }
    CHECK(layer.layer.elevation.ramp == (layer.layer.id == "stairs-1" || layer.layer.id == "ramp-1"));
  }
}

TEST_CASE("obj: polygons, negative indices, texture indices and comments") {
  const std::string text =
      "# a floor\nv 0 0 0\nv 4 0 0\r\nv 4 0 -4\nv 0 0 -4\nvn 0 1 0\nusemtl x\nf 1/1/1 2//1 -2 -1\n";
  const Result<Environment> e = read_text("obj", text);
  REQUIRE(e.ok());
  CHECK(free_area(sound(*e)) == doctest::Approx(16));
}

TEST_CASE("obj: what is read of a heap of floors can be cleaned, however many of its connections do not fit") {
  const Result<Environment> heap =
      read_text("obj", test::read_file(THRONG_SOURCE_DIR "/fuzz/corpus/obj_reader/unfit_one_by_one"));
  REQUIRE(heap.ok());
  CHECK(check_environment(*heap).empty());
  CHECK(clean(*heap).ok());
}

TEST_CASE("obj: broken files are refused with the line") {
  CHECK(says(refusal_of("obj", ""), "no faces"));
  CHECK(says(refusal_of("obj", "v 0 0 0\nv 1 x 0\n"), "model.obj:2: a vertex wants three numbers"));
  CHECK(says(refusal_of("obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4\n"),
             "model.obj:4: a face names the vertex '4'; there are 3"));
  CHECK(says(refusal_of("obj", "v 0 0 0\nv 1 0 0\nf 1 2\n"), "three vertices"));
  CHECK(says(refusal_of("obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "--up"));
  CHECK(says(refusal_of("obj", "v 0 0 1e99\n"), "a vertex wants"));
}

TEST_CASE("gltf: embedded, beside the file and binary, placed by nodes") {
  const Result<Environment> plain = read_text("gltf", gltf(embedded()));
  INFO(all(plain.problems()));
  REQUIRE(plain.ok());
  CHECK(free_area(sound(*plain)) == doctest::Approx(16));
  const Result<Environment> scaled = read_text(
      "gltf",
      gltf(embedded(), R"({"mesh":0,"scale":[2,1,1],"translation":[10,5,0],"rotation":[0,0.7071068,0,0.7071068]})"));
  REQUIRE(scaled.ok());
  CHECK(free_area(sound(*scaled)) == doctest::Approx(32).epsilon(0.001));
  CHECK(scaled->layers[0].elevation.z == 5);

  const TempDir place;
  write_file(place / "floor.gltf", gltf(R"(,"uri":"floor.bin")"));
  CHECK(says(all(read_environment(place / "floor.gltf").problems()), "floor.bin"));
  write_file(place / "floor.bin", floor_bytes());
  CHECK(read_environment(place / "floor.gltf").ok());

  std::string json = gltf("");
  while (json.size() % 4 != 0) json += ' ';
  const auto word = [](std::size_t n) {
    return std::string{char(n & 255), char((n >> 8) & 255), char((n >> 16) & 255), char(n >> 24)};
  };
  const std::string glb = "glTF" + word(2) + word(28 + json.size() + 60) + word(json.size()) + "JSON" + json +
                          word(60) + std::string("BIN\0", 4) + floor_bytes();
  CHECK(read_text("gltf", glb).ok());
  CHECK(says(refusal_of("gltf", glb.substr(0, glb.size() - 8)), "cut short"));
}

TEST_CASE("gltf: broken files are refused") {
  CHECK(says(refusal_of("gltf", ""), "not glTF"));
  CHECK(says(refusal_of("gltf", "{}"), "asset"));
  CHECK(says(refusal_of("gltf", R"({"asset":{}})"), "no triangles"));
  CHECK(says(refusal_of("gltf", gltf(R"(,"uri":"data:;base64,!!")")), "base64"));
  CHECK(says(refusal_of("gltf", gltf(R"(,"uri":"data:;base64,AAAA")")), "beyond its buffer"));
  CHECK(says(refusal_of("gltf", gltf(R"(,"uri":"../secret.bin")")), "beside the file"));
  CHECK(says(refusal_of("gltf", gltf(embedded(), R"({"mesh":7})")), "meshes[7]"));
  CHECK(says(refusal_of("gltf", gltf(embedded(), R"({"mesh":0,"children":[0]})")), "reached twice"));
  // A small file that would fill the memory: a mesh of many parts, placed often.
  std::string often = gltf(embedded(), R"({"mesh":0})");
  const auto repeat = [&](const std::string& what, int times) {
    std::string more;
    for (int i = 0; i < times; ++i) more += "," + what;
    often.insert(often.find(what) + what.size(), more);
  };
  repeat(R"({"attributes":{"POSITION":0},"indices":1})", 500);
  repeat(R"({"mesh":0})", 3000);
  often.replace(often.find(R"("scene":0,"scenes":[{"nodes":[0]}],)"), 35, "");
  CHECK(says(refusal_of("gltf", often), "so often"));
  std::string draco = gltf(embedded());
  draco.insert(1, R"("extensionsRequired":["KHR_draco_mesh_compression"],)");
  CHECK(says(refusal_of("gltf", draco), "KHR_draco"));
}

TEST_CASE("gltf: an index or a count that is no whole number, or beyond all numbers, is refused") {
  for (const char* number : {"1e76", "-1", "0.5", "1e300", "18446744073709551616", "-9223372036854775808"}) {
    CAPTURE(number);
    CHECK(says(refusal_of("gltf", gltf(embedded(), std::string(R"({"mesh":)") + number + "}")), "index is wanted"));
  }
  CHECK(read_text("gltf", gltf(embedded(), R"({"mesh":0.0})")).ok());
}

TEST_CASE("gltf: buffers outside the file's folder are not read, however they are written, nor devices") {
  const TempDir place;
  std::filesystem::create_directory(place / "inner");
  write_file(place / "outside.bin", std::string(36, '\0'));
  for (const char* uri : {"../outside.bin", "%2e%2e/outside.bin", "%2E./outside.bin", "a/..%2f../outside.bin",
                          "%2fdev%2fzero", "/dev/zero", "file:///dev/zero"}) {
    INFO(uri);
    write_file(place / "inner/x.gltf", gltf(std::string(R"(,"uri":")") + uri + "\""));
    CHECK(says(all(read_environment(place / "inner/x.gltf").problems()), "does not lie beside the file"));
  }
  std::filesystem::create_symlink("/dev/zero", place / "inner/zero.bin");
  write_file(place / "inner/x.gltf", gltf(R"(,"uri":"zero.bin")"));
  CHECK(says(all(read_environment(place / "inner/x.gltf").problems()), "no regular file"));
}

TEST_CASE("a hundred floors within a metre are refused, not laid over each other for a minute") {
  Model model;
  std::uint64_t state = 3;
  const auto shake = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return double(state >> 40) / double(1 << 24) * 2 - 1;
  };
  for (int i = 0; i < 100; ++i)
    model.triangle({shake(), shake(), i * 0.01}, {50 + shake(), shake(), i * 0.01}, {shake(), 50 + shake(), i * 0.01});
  SurfaceOptions options;
  options.up = UpAxis::z;
  const Result<Environment> e = floors_of(model.model, "stack.obj", options);
  REQUIRE(!e.ok());
  CHECK(e.problems().front().code == ProblemCode::limit);
}
