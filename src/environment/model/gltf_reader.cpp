#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "environment/environment.hpp"
#include "environment/model/triangle_model.hpp"
#include "text/files.hpp"
#include "text/nearest_name.hpp"
#include "text/problem_list.hpp"

namespace throng::environment {
namespace {

using geometry::Affine;
using geometry::Vec3;
using Json = nlohmann::json;

constexpr std::string_view glb_mark = "glTF";
constexpr std::size_t most_nodes_deep = 200;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value |= std::uint32_t(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (c == '=') break;
    const std::size_t value = letters.find(c);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | std::uint32_t(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += char((bits >> count) & 0xFF);
  }
  return out;
}

/// What is wrong, thrown within this file only.
struct GltfFault {
  ProblemCode code;
  std::string message;
};

/// A number that counts or names something. Others than small whole ones would be undefined as such.
std::size_t whole(const Json& value) {
  constexpr double most = 1e15;
  const double number = value.get<double>();
  if (!(number >= 0 && number <= most && number == std::floor(number)))
    throw GltfFault{ProblemCode::schema,
                    fmt::format("{} stands where a count or an index is wanted", in_quotes(value.dump()))};
  return std::size_t(number);
}
std::size_t whole(const Json& object, const char* name, std::size_t otherwise) {
  const auto found = object.find(name);
  return found == object.end() ? otherwise : whole(*found);
}

/// A name in which %20 and its like stand for other characters.
std::string from_uri(std::string_view uri) {
  std::string name;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned value = 0;
    const char* digits = uri.data() + i + 1;
    const bool coded =
        uri[i] == '%' && i + 2 < uri.size() && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2;
    name += coded && value != 0 ? char(value) : uri[i];
    if (coded) i += 2;
  }
  return name;
}

class GltfReader {
 public:
  GltfReader(const std::string& text, const std::string& source) : text_(text), source_(source) {}

  Result<TriangleModel> run() {
    try {
      open();
      read_scene();
      if (model_.triangles.empty()) throw GltfFault{ProblemCode::geometry, "there are no triangles in the scene"};
      return std::move(model_);
    } catch (const GltfFault& fault) {
      return Problem{Severity::error, fault.code, source_, fault.message};
    } catch (const Json::exception& error) {
      return Problem{Severity::error, ProblemCode::schema, source_, fmt::format("not glTF: {}", error.what())};
    }
  }

 private:
  void open() {
    std::string_view json = text_;
    if (json.starts_with(glb_mark)) json = open_glb();
    root_ = Json::parse(json);
    if (!root_.is_object() || !root_.contains("asset"))
      throw GltfFault{ProblemCode::schema, "not glTF: the member \"asset\" is missing"};
    if (root_.contains("extensionsRequired") && !root_["extensionsRequired"].empty())
      throw GltfFault{ProblemCode::unsupported,
                      "the extension " + root_["extensionsRequired"][0].dump() + " is wanted, which is not read"};
    buffers_.resize(list("buffers").size());
  }

  std::string_view open_glb() {
    const std::string_view bytes = text_;
    if (bytes.size() < 20) throw GltfFault{ProblemCode::syntax, "the file is cut short"};
    if (little_endian(bytes, 4) != 2) throw GltfFault{ProblemCode::unsupported, "only version 2 of GLB is read"};
    const std::size_t json_size = little_endian(bytes, 12);
    if (json_size > bytes.size() - 20) throw GltfFault{ProblemCode::syntax, "the file is cut short"};
    const std::size_t rest = 20 + json_size;
    if (bytes.size() >= rest + 8) {
      const std::size_t size = little_endian(bytes, rest);
      if (size > bytes.size() - rest - 8) throw GltfFault{ProblemCode::syntax, "the file is cut short"};
      binary_ = bytes.substr(rest + 8, size);
    }
    return bytes.substr(20, json_size);
  }

  const Json& list(const char* name) const {
    static const Json none = Json::array();
    const auto found = root_.find(name);
    return found == root_.end() ? none : *found;
  }
  const Json& item(const char* name, std::size_t index) const {
    const Json& all = list(name);
    if (!all.is_array() || index >= all.size())
      throw GltfFault{ProblemCode::schema, fmt::format("{}[{}] is named, and there are {}", name, index, all.size())};
    return all[index];
  }

  const std::string& buffer(std::size_t index) {
    const Json& description = item("buffers", index);
    std::optional<std::string>& bytes = buffers_[index];
    if (bytes) return *bytes;
    if (!description.contains("uri")) return bytes.emplace(binary_);
    const std::string uri = description["uri"].get<std::string>();
    if (uri.starts_with("data:")) {
      const std::size_t comma = uri.find(";base64,");
      bytes = comma == std::string::npos ? std::nullopt : from_base64(std::string_view(uri).substr(comma + 8));
      if (!bytes) throw GltfFault{ProblemCode::syntax, fmt::format("buffers[{}] is no base64", index)};
      return *bytes;
    }
    // As it is after decoding: "%2e%2e/" is ".." too.
    const std::filesystem::path file = from_uri(uri);
    const bool leaves = std::find(file.begin(), file.end(), "..") != file.end();
    if (file.empty() || file.is_absolute() || leaves || uri.find("://") != std::string::npos)
      throw GltfFault{ProblemCode::unsupported,
                      fmt::format("the buffer {} does not lie beside the file", in_quotes(uri))};
    const std::filesystem::path folder = std::filesystem::path(source_).parent_path();
    Result<std::string> read = read_named_file(((folder.empty() ? "." : folder) / file).string());
    if (!read) throw GltfFault{ProblemCode::io, to_string(read.problems().front())};
    bytes_read_ += read->size();
    return bytes.emplace(std::move(read).value());
  }

  /// Where the elements of an accessor lie.
  struct Elements {
    std::string_view bytes;
    std::size_t count = 0, stride = 0;
  };
  Elements elements(const Json& accessor, std::size_t size) {
    if (accessor.contains("sparse") || !accessor.contains("bufferView"))
      throw GltfFault{ProblemCode::unsupported, "sparse accessors are not read"};
    const Json& view = item("bufferViews", whole(accessor["bufferView"]));
    const std::string_view all = buffer(whole(view.at("buffer")));
    const std::size_t begin = whole(view, "byteOffset", 0), length = whole(view.at("byteLength"));
    const std::size_t offset = whole(accessor, "byteOffset", 0);
    Elements found{{}, whole(accessor.at("count")), whole(view, "byteStride", size)};
    const bool fits =
        begin <= all.size() && length <= all.size() - begin && offset <= length && found.stride >= size &&
        (found.count == 0 || (length - offset >= size && (length - offset - size) / found.stride >= found.count - 1));
    if (!fits) throw GltfFault{ProblemCode::value, "an accessor reaches beyond its buffer"};
    found.bytes = all.substr(begin + offset, length - offset);
    return found;
  }

  /// Meshes that are placed again and again are kept each time: a small file must not fill the memory.
  void spend(std::size_t elements) {
    constexpr std::size_t free_elements = 10'000'000, elements_a_byte = 4;
    const std::size_t most = free_elements + elements_a_byte * bytes_read_;
    spent_ += elements;
    if (spent_ > most)
      throw GltfFault{ProblemCode::limit,
                      fmt::format("its nodes place the same meshes so often that they make more than {} points", most)};
  }

  std::vector<Vec3> positions(std::size_t index, const Affine& map) {
    const Json& accessor = item("accessors", index);
    constexpr int float_type = 5126;
    if (accessor.at("componentType") != float_type || accessor.at("type") != "VEC3")
      throw GltfFault{ProblemCode::schema, "positions are wanted as vectors of three floats"};
    const Elements all = elements(accessor, 12);
    spend(all.count);
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < all.count; ++i) {
      float xyz[3];
      std::memcpy(xyz, all.bytes.data() + i * all.stride, sizeof xyz);
      const Vec3 p = map({xyz[0], xyz[1], xyz[2]});
      if (!(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= max_metres))
        throw GltfFault{ProblemCode::value, fmt::format("accessors[{}]: the position {} is no place", index, i)};
      points.push_back(p);
    }
    return points;
  }

  std::vector<std::uint32_t> indices(std::size_t index) {
    const Json& accessor = item("accessors", index);
    const std::size_t type = whole(accessor.at("componentType"));
    const std::size_t size = type == 5121 ? 1 : type == 5123 ? 2 : type == 5125 ? 4 : 0;
    if (size == 0) throw GltfFault{ProblemCode::schema, "indices are wanted as unsigned whole numbers"};
    const Elements all = elements(accessor, size);
    spend(all.count);
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < all.count; ++i) {
      std::uint32_t value = 0;
      for (std::size_t b = 0; b < size; ++b)
        value |= std::uint32_t(static_cast<unsigned char>(all.bytes[i * all.stride + b])) << (8 * b);
      out.push_back(value);
    }
    return out;
  }

  void read_scene() {
    const Json& scenes = list("scenes");
    if (scenes.empty()) {
      for (std::size_t i = 0; i < list("nodes").size(); ++i) read_node(i, {}, 0);
      return;
    }
    const Json& scene = item("scenes", whole(root_, "scene", 0));
    if (!scene.contains("nodes")) return;
    for (const Json& node : scene["nodes"]) read_node(whole(node), {}, 0);
  }

  static Affine placing(const Json& node) {
    const auto numbers = [&](const char* name, std::size_t count) {
      std::vector<double> out;
      if (!node.contains(name)) return out;
      out = node[name].get<std::vector<double>>();
      if (out.size() != count) throw GltfFault{ProblemCode::schema, fmt::format("{} wants {} numbers", name, count)};
      return out;
    };
    if (const auto m = numbers("matrix", 16); !m.empty())
      return {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
    Affine map;
    if (const auto q = numbers("rotation", 4); !q.empty()) {
      const double x = q[0], y = q[1], z = q[2], w = q[3];
      map.x = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)};
      map.y = {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)};
      map.z = {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)};
    }
    if (const auto s = numbers("scale", 3); !s.empty())
      map.x = s[0] * map.x, map.y = s[1] * map.y, map.z = s[2] * map.z;
    if (const auto t = numbers("translation", 3); !t.empty()) map.origin = {t[0], t[1], t[2]};
    return map;
  }

  void read_node(std::size_t index, const Affine& outer, std::size_t depth) {
    if (!visited_.insert(index).second || depth > most_nodes_deep)
      throw GltfFault{ProblemCode::schema, fmt::format("nodes[{}] is reached twice, or nested too deep", index)};
    const Json& node = item("nodes", index);
    const Affine map = outer * placing(node);
    if (node.contains("mesh"))
      for (const Json& primitive : item("meshes", whole(node["mesh"])).at("primitives")) read_primitive(primitive, map);
    if (!node.contains("children")) return;
    for (const Json& child : node["children"]) read_node(whole(child), map, depth + 1);
  }

  void read_primitive(const Json& primitive, const Affine& map) {
    const std::size_t mode = whole(primitive, "mode", 4);
    if (mode < 4 || mode > 6 || !primitive.at("attributes").contains("POSITION")) return;
    const std::vector<Vec3> points = positions(whole(primitive["attributes"]["POSITION"]), map);
    std::vector<std::uint32_t> order;
    if (primitive.contains("indices"))
      order = indices(whole(primitive["indices"]));
    else
      for (std::uint32_t i = 0; i < points.size(); ++i) order.push_back(i);
    const std::size_t base = model_.vertices.size();
    if (std::any_of(order.begin(), order.end(), [&](std::uint32_t i) { return i >= points.size(); }))
      throw GltfFault{ProblemCode::value, "an index names no position"};
    // A mirrored node turns its triangles over.
    const bool mirrored = dot(cross(map.x, map.y), map.z) < 0;
    const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
      if (mirrored) std::swap(b, c);
      model_.triangles.push_back(
          {std::uint32_t(base + order[a]), std::uint32_t(base + order[b]), std::uint32_t(base + order[c])});
    };
    model_.vertices.insert(model_.vertices.end(), points.begin(), points.end());
    for (std::size_t i = 2; i < order.size(); mode == 4 ? i += 3 : ++i) {
      if (mode == 4) add(i - 2, i - 1, i);
      if (mode == 5) i % 2 == 0 ? add(i - 2, i - 1, i) : add(i - 1, i - 2, i);
      if (mode == 6) add(0, i - 1, i);
    }
  }

  const std::string& text_;
  const std::string& source_;
  std::string_view binary_;
  Json root_;
  std::vector<std::optional<std::string>> buffers_;
  std::set<std::size_t> visited_;
  std::size_t bytes_read_ = text_.size(), spent_ = 0;
  TriangleModel model_;
};

}  // namespace

Result<TriangleModel> read_gltf(const std::string& text, const std::string& source) {
  return GltfReader(text, source).run();
}

}  // namespace throng::environment
