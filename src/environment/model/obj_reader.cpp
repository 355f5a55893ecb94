#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "environment/environment.hpp"
#include "environment/model/triangle_model.hpp"
#include "text/csv.hpp"
#include "text/nearest_name.hpp"
#include "text/problem_list.hpp"

namespace throng::environment {
namespace {

class ObjReader {
 public:
  explicit ObjReader(const std::string& source) : source_(source) {}

  Result<TriangleModel> run(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      read_line(trimmed(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!problems_.has_errors() && model_.triangles.empty())
      problems_.error(ProblemCode::geometry, source_, "there are no faces (lines that begin with f)");
    return std::move(problems_).result(std::move(model_), source_);
  }

 private:
  static std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
  }

  void refuse(std::string message, ProblemCode code = ProblemCode::value) {
    problems_.error(code, fmt::format("{}:{}", source_, line_), std::move(message));
  }

  void read_line(std::string_view line) {
    const std::string_view what = take_word(line);
    if (what == "v") read_vertex(line);
    if (what == "f") read_face(line);
  }

  void read_vertex(std::string_view line) {
    double value[3] = {};
    for (double& v : value) {
      const std::string_view word = take_word(line);
      const std::optional<double> number = to_number(word);
      if (!number || std::abs(*number) > max_metres)
        refuse(fmt::format("a vertex wants three numbers of at most {:g}, not {}", max_metres, in_quotes(word)));
      else
        v = *number;
    }
    model_.vertices.push_back({value[0], value[1], value[2]});
  }

  void read_face(std::string_view line) {
    std::vector<std::uint32_t> corners;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      const std::optional<std::uint32_t> corner = vertex_of(word.substr(0, word.find('/')));
      if (!corner)
        return refuse(fmt::format("a face names the vertex {}; there are {}", in_quotes(word), model_.vertices.size()));
      corners.push_back(*corner);
    }
    if (corners.size() < 3) return refuse("a face wants three vertices or more", ProblemCode::geometry);
    for (std::size_t i = 2; i < corners.size(); ++i)
      model_.triangles.push_back({corners[0], corners[i - 1], corners[i]});
  }

  [[nodiscard]] std::optional<std::uint32_t> vertex_of(std::string_view word) const {
    long long index = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (error != std::errc() || rest != word.data() + word.size()) return std::nullopt;
    const long long count = static_cast<long long>(model_.vertices.size());
    index = index < 0 ? count + index : index - 1;
    if (index < 0 || index >= count) return std::nullopt;
    return std::uint32_t(index);
  }

  const std::string& source_;
  std::size_t line_ = 0;
  ProblemList problems_;
  TriangleModel model_;
};

}  // namespace

Result<TriangleModel> read_obj(const std::string& text, const std::string& source) {
  return ObjReader(source).run(text);
}

}  // namespace throng::environment
