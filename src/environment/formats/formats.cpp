#include "environment/formats/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "environment/dxf/dxf_reader.hpp"
#include "environment/dxf/dxf_writer.hpp"
#include "environment/formats/picture.hpp"
#include "environment/geojson/geojson_reader.hpp"
#include "environment/geojson/geojson_writer.hpp"
#include "environment/geojson/large_geojson.hpp"
#include "environment/model/surface_reader.hpp"
#include "environment/osm/osm_reader.hpp"
#include "environment/plain/map_reader.hpp"
#include "environment/plain/poly_reader.hpp"
#include "environment/plain/poly_writer.hpp"
#include "environment/plain/wkt_reader.hpp"
#include "environment/plain/wkt_writer.hpp"
#include "text/files.hpp"
#include "text/nearest_name.hpp"

namespace throng::environment {
namespace {

constexpr Format all_formats[] = {
    {.name = "geojson",
     .summary = "planar GeoJSON, in metres: everything",
     .endings = {".geojson", ".json"},
     .read = read_geojson,
     .read_large = read_large_geojson,
     .write_source = write_geojson,
     .write_clean = write_clean_geojson},
    {.name = "wkt",
     .summary = "well-known text: walkable polygons, lines as walls",
     .endings = {".wkt"},
     .read = read_wkt,
     .write_source = write_wkt,
     .write_clean = write_clean_wkt},
    {.name = "map", .summary = "MovingAI grid map", .endings = {".map"}, .read = read_map},
    {.name = "poly",
     .summary = "polyanya: exclusive-or of rings",
     .endings = {".poly"},
     .read = read_poly,
     .write_clean = write_clean_poly},
    {.name = "dxf",
     .summary = "CAD plans, ASCII DXF",
     .endings = {".dxf"},
     .import = import_dxf,
     .write_clean = write_clean_dxf},
    {.name = "obj", .summary = "3D models, Wavefront OBJ: floors by height", .endings = {".obj"}, .import = import_obj},
    {.name = "gltf",
     .summary = "3D models, glTF: floors by height",
     .endings = {".gltf", ".glb"},
     .import = import_gltf},
    {.name = "osm",
     .summary = "OpenStreetMap, XML or PBF: buildings, barriers, water, paths, by a table of tags",
     .endings = {".osm", ".pbf", ".osm.bz2", ".osm.gz"},
     .import = import_osm},
    {.name = "svg", .summary = "a picture", .endings = {".svg"}, .write_clean = write_clean_svg},
    {.name = "ipe",
     .summary = "a picture for the drawing editor Ipe",
     .endings = {".ipe"},
     .write_clean = write_clean_ipe},
};

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return out;
}

Problem refused(std::string place, std::string message) {
  return {Severity::error, ProblemCode::unsupported, std::move(place), std::move(message)};
}

Result<const Format*> named_format(std::string_view name) {
  if (const Format* format = find_format(name)) return format;
  std::vector<std::string_view> known;
  known.reserve(formats().size());
  for (const Format& format : formats()) known.push_back(format.name);
  return refused("", "unknown format " + suggest(name, known));
}

/// Bytes; below, a file is held as a whole.
constexpr std::size_t large_file = 64 << 20;

bool readable(const Format& format) { return format.read != nullptr || format.import != nullptr; }

}  // namespace

std::span<const Format> formats() { return all_formats; }

const Format* find_format(std::string_view name) {
  const auto found = std::find_if(std::begin(all_formats), std::end(all_formats),
                                  [&](const Format& format) { return format.name == name; });
  return found == std::end(all_formats) ? nullptr : found;
}

Result<const Format*> format_of_path(const std::string& path) {
  const std::string name = lower_case(path);
  std::string endings;
  for (const Format& format : formats()) {
    for (const std::string_view ending : format.endings) {
      if (!ending.empty() && name.ends_with(ending)) return &format;
      if (!ending.empty()) endings += fmt::format("{}{}", endings.empty() ? "" : ", ", ending);
    }
  }
  return refused(path, "the ending names no known format. Known are " + endings);
}

Result<Environment> read_environment(const std::string& path, const ReadOptions& options) {
  const Result<const Format*> format = options.format.empty() ? format_of_path(path) : named_format(options.format);
  if (!format) return format.problems();
  if (!readable(**format)) return refused(path, fmt::format("{} can be written, not read", (*format)->name));
  if ((*format)->import != nullptr) return (*format)->import({.name = path}, options.import);
  if ((*format)->read_large != nullptr && file_size(path) >= large_file)
    if (std::optional<Environment> whole = (*format)->read_large(path)) return std::move(*whole);
  Result<std::string> text = read_file(path);
  if (!text) return text.problems();
  return (*format)->read(std::move(text).value(), path);
}

Result<Environment> parse_environment(std::string_view format, std::string text, const std::string& source,
                                      const ImportOptions& import) {
  const Result<const Format*> found = named_format(format);
  if (!found) return found.problems();
  if (!readable(**found)) return refused(source, fmt::format("{} can be written, not read", format));
  if ((*found)->import != nullptr) return (*found)->import({source, std::move(text)}, import);
  return (*found)->read(std::move(text), source);
}

Result<std::string> write_environment(std::string_view format, const Environment& environment,
                                      const WriteOptions& options) {
  const Result<const Format*> found = named_format(format);
  if (!found) return found.problems();
  if ((*found)->write_source == nullptr)
    return refused(environment.source, fmt::format("source features cannot be written as {}", format));
  return (*found)->write_source(environment, options);
}

Result<std::string> write_environment(std::string_view format, const CleanEnvironment& environment,
                                      const WriteOptions& options) {
  const Result<const Format*> found = named_format(format);
  if (!found) return found.problems();
  if ((*found)->write_clean == nullptr) return refused("", fmt::format("{} can be read, not written", format));
  return (*found)->write_clean(environment, options);
}

}  // namespace throng::environment
