// Figures for the browser in one block of bytes: a JSON object and arrays of numbers that need no parsing.
//
//   4 bytes  n, the size of the JSON text (little-endian), padded with blanks so that 4 + n is a multiple of 8
//   n bytes  the object; its member `arrays` is {"name": ["f32", offset, count], ...}, offsets from behind the text
//   the arrays, each beginning at a multiple of 8
// Types: f32, f64, u32, u16, u8. The reader is viewer/src/pack.ts.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace throng::server {

using Json = nlohmann::ordered_json;

template <class Number>
constexpr const char* type_name();
template <>
constexpr const char* type_name<float>() {
  return "f32";
}
template <>
constexpr const char* type_name<double>() {
  return "f64";
}
template <>
constexpr const char* type_name<std::uint32_t>() {
  return "u32";
}
template <>
constexpr const char* type_name<std::uint16_t>() {
  return "u16";
}
template <>
constexpr const char* type_name<std::uint8_t>() {
  return "u8";
}

/// JSON that is UTF-8 whatever names are in it.
[[nodiscard]] inline std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class Pack {
 public:
  template <class Number>
  void array(const std::string& name, const std::vector<Number>& values) {
    data_.resize((data_.size() + 7) / 8 * 8);
    arrays_[name] = {type_name<Number>(), data_.size(), values.size()};
    data_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
  }

  [[nodiscard]] std::string finish(Json object) {
    object["arrays"] = std::move(arrays_);
    std::string text = dump(object);
    text.resize((text.size() + 4 + 7) / 8 * 8 - 4, ' ');
    const auto size = std::uint32_t(text.size());
    std::string bytes;
    bytes.reserve(sizeof size + text.size() + data_.size());
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    return std::move(bytes.append(text).append(data_));
  }

 private:
  Json arrays_ = Json::object();
  std::string data_;
};

}  // namespace throng::server
