// A CAD drawing as ASCII DXF says it: entities on layers, blocks that are inserted any number of times; and its model space drawn out
// as polylines in the plane.
//
// Laws
// 1. LINE, LWPOLYLINE, POLYLINE, ARC, CIRCLE, ELLIPSE, SPLINE, SOLID, TRACE, 3DFACE, POINT, TEXT, MTEXT, ATTRIB and INSERT are read;
//    other types are counted. Paper space, invisible entities and dimensions are left out.
// 2. Entities with an extrusion direction lie in the coordinate system that the direction gives ("arbitrary axis algorithm" of the
//    DXF reference), so that mirrored ones come out mirrored. Heights are dropped.
// 3. Entities on layer 0 of a block take the layer of its insertion. A block that contains itself is refused.
// 4. Drawing out asks for at most `free_pieces` + 16 points and insertions a byte of the file: a few nested arrays cannot ask for all
//    memory.
// Thread-safety: a plain value that refers to the text it was read from only while it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "environment/dxf/dxf_curves.hpp"
#include "geometry/vec3.hpp"
#include "text/problem_list.hpp"

namespace throng::environment {

inline constexpr std::size_t free_pieces = 1'000'000;

struct DxfLayer {
  std::string name;
  bool hidden = false;  ///< switched off or frozen
};

/// One entity, in the coordinates of its block.
struct DxfEntity {
  enum class Type : std::uint8_t { polyline, arc, ellipse, spline, insert, text, point };
  Type type = Type::polyline;
  bool closed = false;
  bool in_plane = false;  ///< coordinates are those of the extrusion's system
  std::uint32_t layer = 0;
  std::uint32_t line = 0;  ///< of the file, counted from 1
  std::uint32_t spline = 0;
  Vec3 normal{0, 0, 1};
  /// polyline: x, y, z, bulge a vertex; arc: centre, radius, start and sweep in turns; ellipse: centre, major axis, ratio, start,
  /// sweep; insert: place, scales, turns, columns, rows, distances; text: place, height; point: place
  std::vector<double> numbers;
  std::string text;  ///< the inserted block, or what is written
};

struct DxfBlock {
  Vec3 base;
  std::vector<DxfEntity> entities;
};

/// What became of an entity, in metres.
struct DrawnLine {
  std::uint32_t layer = 0;
  std::uint32_t line = 0;  ///< of the file
  bool closed = false;     ///< the first point is not repeated
  std::vector<Vec2> points;
  double first_z = 0, last_z = 0;
};

struct DrawnText {
  std::uint32_t layer = 0;
  Vec2 at;
  double height = 0;
  std::string text;
};

struct DrawnOut {
  std::vector<DrawnLine> lines;
  std::vector<DrawnLine> points;  ///< POINT entities, of one point each
  std::vector<DrawnText> texts;
};

class DxfDrawing {
 public:
  /// Reads a whole file; what is wrong goes to `problems`, with the file's line.
  static DxfDrawing read(std::string_view text, const std::string& source, ProblemList& problems);

  [[nodiscard]] const std::vector<DxfLayer>& layers() const { return layers_; }
  /// How many shapes there are on each layer, blocks counted once, those on their layer 0 not.
  [[nodiscard]] std::vector<std::size_t> entities_by_layer() const;
  /// Of each type that was not read, how many.
  [[nodiscard]] const std::map<std::string, std::size_t>& unread() const { return unread_; }
  /// $INSUNITS; 0: none.
  [[nodiscard]] int unit_code() const { return unit_code_; }
  /// Comments (code 999), in order.
  [[nodiscard]] const std::vector<std::string>& comments() const { return comments_; }

  /// The model space, scaled by `unit`, curves flattened within `flatness` metres. Layers that `wanted` denies are left out, but for
  /// their texts.
  [[nodiscard]] DrawnOut draw_out(double unit, double flatness, const std::function<bool(std::uint32_t)>& wanted,
                                  ProblemList& problems) const;

 private:
  friend class DxfParser;
  friend class DxfExpander;

  std::string source_;
  std::size_t bytes_ = 0;
  std::vector<DxfLayer> layers_;
  std::map<std::string, std::uint32_t, std::less<>> layer_ids_;
  std::vector<DxfBlock> blocks_;  ///< [0] the model space
  std::map<std::string, std::uint32_t, std::less<>> block_ids_;
  std::vector<Spline> splines_;
  std::map<std::string, std::size_t> unread_;
  std::vector<std::string> comments_;
  int unit_code_ = 0;
};

/// The text as DXF means it: \U+00FC is a letter, and bytes that are no UTF-8 are Latin-1.
[[nodiscard]] std::string dxf_text(std::string_view text);

}  // namespace throng::environment
