// OpenStreetMap files, XML and PBF, through libosmium: what a filter asks for, with places in it and areas put together. What the
// elements mean is osm_reader.hpp's. Only osm_file.cpp includes libosmium: it compiles slowly. XML, unpacked, is held as a text while
// it is read, 512 MB at most: extracts of regions come as PBF.
//
// Two passes over a PBF file: the first finds ways and relations that are asked for and which nodes they need, the second reads
// those nodes' places. Of XML, which takes twenty times as many bytes, one pass: places of nodes are held compressed (about nine
// bytes a node) until it is known which are needed. Ways that are not asked for are held as compressed lists of node numbers
// (about two bytes a node) until all relations were read, since relations follow the ways they are made of. So are ways outside of
// the box, where XML is sorted as servers write it and places are known by then.
//
// Laws
// 1. Elements are in the order of their numbers: nodes, ways, and areas from ways before those from relations.
// 2. Memory is that of what is kept, sixteen bytes a node of it, and the compressed lists.
// 3. What is broken (nodes or ways that are not there, rings that do not close or cross themselves) is warned of with its
//    number; only a file that is no OpenStreetMap file at all is an error.
// Thread-safety: calls on different files may run on any number of threads; libosmium reads with threads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "environment/formats/formats.hpp"
#include "environment/osm/osm_options.hpp"
#include "environment/osm/osm_rules.hpp"
#include "text/problem_list.hpp"

namespace throng::environment {

/// A node's place, in units of 1e-7 degrees.
struct OsmPoint {
  std::int64_t node = 0;
  std::int32_t x = 0, y = 0;

  [[nodiscard]] double longitude() const { return double(x) / 1e7; }
  [[nodiscard]] double latitude() const { return double(y) / 1e7; }
};

enum class OsmType { node, way, relation };

/// What the elements of all types have: a number, what the filter said, and the tags whose keys were asked for.
struct OsmElement {
  OsmType type = OsmType::node;
  std::int64_t id = 0;
  int meaning = 0;
  std::vector<std::pair<std::string, std::string>> tags;

  [[nodiscard]] std::vector<OsmTag> tag_views() const { return {tags.begin(), tags.end()}; }
  [[nodiscard]] std::string tag(std::string_view key) const;
  [[nodiscard]] std::string label() const;  ///< "way/123"
};

struct OsmNode : OsmElement {
  OsmPoint at;
};

struct OsmWay : OsmElement {
  std::vector<std::vector<OsmPoint>> pieces;  ///< several where nodes between them are not in the file
};

struct OsmPolygon {
  std::vector<OsmPoint> outer;  ///< the first point is not repeated
  std::vector<std::vector<OsmPoint>> holes;
};

struct OsmArea : OsmElement {
  std::vector<OsmPolygon> polygons;
  /// The lines it is made of, where no polygon can be made of them: it was warned of.
  std::vector<std::vector<OsmPoint>> outline;
};

struct OsmData {
  std::optional<GeoBox> bounds;  ///< as the file gives them
  std::vector<OsmNode> nodes;
  std::vector<OsmWay> ways;
  std::vector<OsmArea> areas;
};

struct OsmVerdict {
  OsmShape shape = OsmShape::area;
  int meaning = 0;  ///< comes back in the element
};

struct OsmFilter {
  std::span<const std::string> keys;  ///< sorted; elements without any of these tags are not asked about
  /// Whether an element is wanted, and as what; `closed` of a way whose last node is its first.
  std::function<std::optional<OsmVerdict>(OsmType type, std::int64_t id, std::span<const OsmTag> tags, bool closed)>
      wanted;
  std::optional<GeoBox> box;  ///< elements that lie wholly on one side of it are left out
};

/// Reads what the filter wants. Fails with one problem; warnings go to `problems`.
[[nodiscard]] std::optional<OsmData> read_osm_file(const ImportSource& source, const OsmFilter& filter,
                                                   ProblemList& problems);

}  // namespace throng::environment
