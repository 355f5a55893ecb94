// The file formats of environments: a registry of readers and writers, by file ending and by name. A format is a pair of files
// of its own (`wkt_reader.cpp`, `wkt_writer.cpp`) and one line in the table of formats.cpp.
//
// Laws
// 1. A reader gives an environment that keeps the laws of environment.hpp (check.hpp), or every problem of the file, each with
//    its place: the source's name, line:column where there are lines, the feature's number, kind, name and coordinates.
// 2. A reader never crashes, hangs or asks for memory out of proportion to its input, whatever the input.
// 3. What a format cannot say is refused where it changes where people can walk, and left out with a warning where not.
// 4. Numbers are written in the fewest digits that read back as the same number.
//
// name     endings          in  out  notes
// geojson  .geojson .json   yes yes  everything; the contract is docs/formats.md, the schema schemas/environment.schema.json
// wkt      .wkt             yes yes  polygons are walkable, lines are thin walls; one layer
// map      .map             yes no   MovingAI grids: '.', 'G' and 'S' are walkable; x is the column, y the row, not flipped
// poly     .poly            yes yes  polyanya: walkable is the exclusive-or of all rings; one layer, no walls
// dxf      .dxf             yes yes  CAD plans (dxf_reader.hpp); written exactly, all layers (dxf_throng_layers.hpp)
// obj      .obj             yes no   3D models: the floor of each storey is a layer (surface_reader.hpp)
// gltf     .gltf .glb       yes no   the same
// osm      .osm .pbf        yes no   OpenStreetMap, also .osm.gz and .osm.bz2; a table says what is what (osm_reader.hpp)
// svg      .svg             no  yes  a picture of the cleaned environment
// ipe      .ipe             no  yes  the same, for the drawing editor Ipe
//
// Thread-safety: all functions may run on any number of threads.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "environment/clean/clean.hpp"
#include "environment/environment.hpp"
#include "environment/formats/import_options.hpp"
#include "throng/result.hpp"

namespace throng::environment {

struct WriteOptions {
  std::optional<std::string> layer;   ///< only this layer; what joins it to others is left out
  std::string title = "environment";  ///< what a picture calls itself
};

/// What an importer reads: a file, or a text in memory.
struct ImportSource {
  std::string name;                      ///< the file's path, or what problems call the text
  std::optional<std::string> text = {};  ///< in place of the file
};

struct Format {
  using Reader = Result<Environment> (*)(std::string text, const std::string& source);
  /// Formats that were not made for crowds: what is a wall in them is the user's to say (import_options.hpp).
  using Importer = Result<Environment> (*)(const ImportSource& source, const ImportOptions& options);
  using SourceWriter = Result<std::string> (*)(const Environment&, const WriteOptions&);
  using CleanWriter = Result<std::string> (*)(const CleanEnvironment&, const WriteOptions&);

  std::string_view name;
  std::string_view summary;
  std::string_view endings[4] = {};  ///< with the dot, lower case
  Reader read = nullptr;             ///< neither this nor `import`: the format is written only
  Importer import = nullptr;         ///< instead of `read`
  /// Reads a large file in parts, so that memory is that of what is kept. Nothing: `read` has to look at it as a whole, since
  /// something is wrong with it, or unusual.
  std::optional<Environment> (*read_large)(const std::string& path) = nullptr;
  SourceWriter write_source = nullptr;  ///< none: only cleaned environments can be written
  CleanWriter write_clean = nullptr;    ///< none: the format is read only
};

/// Every format, in the order of the table above.
[[nodiscard]] std::span<const Format> formats();
/// The format of that name ("wkt"), or nothing.
[[nodiscard]] const Format* find_format(std::string_view name);
/// The format of a path, by its ending in any case; fails with all known endings.
[[nodiscard]] Result<const Format*> format_of_path(const std::string& path);

struct ReadOptions {
  std::string format;  ///< a format's name, where the ending does not say it
  ImportOptions import = {};
};

/// Reads a file. "-" is standard input and needs a format.
[[nodiscard]] Result<Environment> read_environment(const std::string& path, const ReadOptions& options = {});
/// The same of a text in memory; `source` is what problems call it.
[[nodiscard]] Result<Environment> parse_environment(std::string_view format, std::string text,
                                                    const std::string& source, const ImportOptions& import = {});

/// The source features as they are; fails for formats that hold cleaned environments only.
[[nodiscard]] Result<std::string> write_environment(std::string_view format, const Environment& environment,
                                                    const WriteOptions& options = {});
/// The cleaned environment.
[[nodiscard]] Result<std::string> write_environment(std::string_view format, const CleanEnvironment& environment,
                                                    const WriteOptions& options = {});

}  // namespace throng::environment
