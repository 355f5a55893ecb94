// Small OpenStreetMap files, drawn in metres about 50 N 9 E.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace throng::test {

using Tags = std::vector<std::pair<std::string, std::string>>;

class OsmSample {
 public:
  static constexpr double longitude = 9, latitude = 50;

  /// A node at these metres; numbers count from 1.
  std::int64_t node(double x, double y, const Tags& tags = {}) {
    const double lon = longitude + x / 71695.7, lat = latitude + y / 111229.0;
    nodes_ +=
        fmt::format("<node id=\"{}\" lat=\"{:.7f}\" lon=\"{:.7f}\">{}</node>\n", ++last_node_, lat, lon, text(tags));
    return last_node_;
  }

  /// A way over these nodes; numbers count from 101.
  std::int64_t way(const std::vector<std::int64_t>& nodes, const Tags& tags) {
    ways_ += fmt::format("<way id=\"{}\">", ++last_way_);
    for (const std::int64_t id : nodes) ways_ += fmt::format("<nd ref=\"{}\"/>", id);
    ways_ += text(tags) + "</way>\n";
    return last_way_;
  }

  std::int64_t line(const std::vector<std::pair<double, double>>& points, const Tags& tags) {
    std::vector<std::int64_t> nodes;
    for (const auto& [x, y] : points) nodes.push_back(node(x, y));
    return way(nodes, tags);
  }

  std::int64_t box(double x0, double y0, double x1, double y1, const Tags& tags) {
    std::vector<std::int64_t> nodes = {node(x0, y0), node(x1, y0), node(x1, y1), node(x0, y1)};
    nodes.push_back(nodes.front());
    return way(nodes, tags);
  }

  /// A multipolygon of these ways; numbers count from 1001.
  std::int64_t multipolygon(const std::vector<std::pair<std::int64_t, std::string>>& members, Tags tags) {
    relations_ += fmt::format("<relation id=\"{}\">", ++last_relation_);
    for (const auto& [id, role] : members)
      relations_ += fmt::format("<member type=\"way\" ref=\"{}\" role=\"{}\"/>", id, role);
    tags.emplace_back("type", "multipolygon");
    relations_ += text(tags) + "</relation>\n";
    return last_relation_;
  }

  /// The file says that it covers these metres.
  void bounds(double x0, double y0, double x1, double y1) {
    bounds_ = fmt::format("<bounds minlon=\"{:.7f}\" minlat=\"{:.7f}\" maxlon=\"{:.7f}\" maxlat=\"{:.7f}\"/>\n",
                          longitude + x0 / 71695.7, latitude + y0 / 111229.0, longitude + x1 / 71695.7,
                          latitude + y1 / 111229.0);
  }

  [[nodiscard]] std::string xml() const {
    return "<?xml version='1.0' encoding='UTF-8'?>\n<osm version=\"0.6\">\n" + bounds_ + nodes_ + ways_ + relations_ +
           "</osm>\n";
  }

 private:
  static std::string text(const Tags& tags) {
    std::string out;
    for (const auto& [key, value] : tags) out += fmt::format("<tag k=\"{}\" v=\"{}\"/>", key, value);
    return out;
  }

  std::string bounds_, nodes_, ways_, relations_;
  std::int64_t last_node_ = 0, last_way_ = 100, last_relation_ = 1000;
};

}  // namespace throng::test
