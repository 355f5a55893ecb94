#include "environment/formats/write_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "text/nearest_name.hpp"

namespace throng::environment {

void append_number(std::string& out, double number) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number);
  if (error == std::errc()) out.append(buffer, end);
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
        else
          out += c;
    }
  }
  out += '"';
}

Result<Environment> only_layer(Environment environment, const WriteOptions& options) {
  if (!options.layer) return environment;
  std::vector<std::string_view> known;
  known.reserve(environment.layers.size());
  for (const Layer& layer : environment.layers) known.push_back(layer.id);
  const auto found = std::find(known.begin(), known.end(), *options.layer);
  if (found == known.end())
    return Problem{Severity::error, ProblemCode::value, environment.source,
                   "unknown layer " + suggest(*options.layer, known)};
  const std::size_t wanted = std::size_t(found - known.begin());
  std::erase_if(environment.features,
                [&](const Feature& f) { return f.kind == Kind::connection || f.layer != wanted; });
  for (Feature& feature : environment.features) feature.layer = 0;
  environment.layers = {environment.layers[wanted]};
  return environment;
}

Problems refuse_layers(const Environment& environment, std::string_view format) {
  if (environment.layers.size() == 1) return {};
  return {
      {Severity::error, ProblemCode::unsupported, environment.source,
       fmt::format("{} has no layers, and there are {}: choose one with --layer", format, environment.layers.size())}};
}

Problems warn_left_out(const Environment& environment, std::string_view format) {
  const auto count = [&](Kind kind) {
    return std::count_if(environment.features.begin(), environment.features.end(),
                         [&](const Feature& f) { return f.kind == kind; });
  };
  Problems warnings;
  for (const Kind kind : {Kind::region, Kind::area})
    if (const auto n = count(kind))
      warnings.push_back(
          {Severity::warning, ProblemCode::unsupported, environment.source,
           fmt::format("{} has no place for features of kind {}: {} left out", format, name_of(kind), n)});
  return warnings;
}

}  // namespace throng::environment
