// Places as users write them: X,Y[,LAYER] on the command line, and CSV files of them.
//
// Laws
// 1. A layer is named by its id; a place without one is in the first layer where it is walkable.
// 2. CSV: fields separated by commas, blanks around them and empty lines do not count, quotes around a field are allowed. The first
//    line is a heading if its first field is no number; it then names the columns: x,y[,layer] or x0,y0[,layer0],x1,y1[,layer1],
//    in any order.
// 3. Everything wrong is told at once, with file and line.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "navmesh/mesh.hpp"
#include "throng/result.hpp"

namespace throng::cli {

/// A place as it was written, before anybody knows which layers there are.
struct WrittenPlace {
  Vec2 point;
  std::optional<std::string> layer;
};

/// One line of a CSV file: one place, or two.
struct PlaceRow {
  std::vector<WrittenPlace> places;
  std::size_t line = 0;  ///< counted from 1
};

[[nodiscard]] Result<WrittenPlace> parse_place(const std::string& text);

/// What the options hold, of those that were given; which of them is no place, and why, else.
[[nodiscard]] Result<std::vector<WrittenPlace>> places_of(const Parsed& parsed,
                                                          std::initializer_list<const char*> options);

/// Rows of `places_a_row` places, 1 or 2. `source` is what problems call the file.
[[nodiscard]] Result<std::vector<PlaceRow>> parse_place_csv(const std::string& text, const std::string& source,
                                                            std::size_t places_a_row);
/// The same from a file; "-" is standard input.
[[nodiscard]] Result<std::vector<PlaceRow>> read_place_csv(const std::string& path, std::size_t places_a_row);

/// The place on a mesh. A layer that does not exist is a problem; a place that is not walkable is not: without a layer it
/// then gets the first one. `origin` is what problems call the place's source: "--from", "points.csv:3".
[[nodiscard]] Result<navmesh::Place> resolve(const WrittenPlace& written, const navmesh::Mesh& mesh,
                                             const std::string& origin);
/// resolve(), and a problem where the place is not walkable.
[[nodiscard]] Result<navmesh::Place> resolve_walkable(const WrittenPlace& written, const navmesh::Mesh& mesh,
                                                      const std::string& origin);

}  // namespace throng::cli
