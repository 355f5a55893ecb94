#include "scenario/changes_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "scenario/json_checker.hpp"

namespace throng::scenario {
namespace {

using environment::Change;
using environment::Feature;

class ChangesReader {
 public:
  ChangesReader(const std::string& source, const std::vector<environment::Layer>& layers)
      : source_(source), layers_(layers), checker_(source, problems_) {}

  Result<std::vector<Change>> read(std::string_view text) {
    std::vector<Change> changes;
    const std::optional<Json> tree = checker_.parse(text, "a list of changes", Json::value_t::array);
    if (tree) {
      const Node root{&*tree, ""};
      for (std::size_t i = 0; i < tree->size(); ++i) read_change(root.at(i), changes);
    }
    return std::move(problems_).result(std::move(changes), source_);
  }

 private:
  void read_change(const Node& node, std::vector<Change>& changes) {
    static constexpr std::array<Member, 3> members{{{"insert"}, {"remove"}, {"replace"}}};
    if (!checker_.object(node, "a change", members)) return;
    const std::string_view kind = checker_.exactly_one(node, "a change", {"insert", "remove", "replace"});
    if (kind.empty()) return;
    Change change;
    change.kind = kind == "insert"   ? Change::Kind::insert
                  : kind == "remove" ? Change::Kind::remove
                                     : Change::Kind::replace;
    const Node list = node.at(kind);
    if (!checker_.array(list, "what changes")) return;
    for (std::size_t i = 0; i < list.value->size(); ++i) {
      if (change.kind == Change::Kind::remove) {
        if (auto id = checker_.text(list.at(i), "an id")) change.ids.push_back(*std::move(id));
      } else {
        read_obstacle(list.at(i), change);
      }
    }
    changes.push_back(std::move(change));
  }

  void read_obstacle(const Node& node, Change& change) {
    static constexpr std::array<Member, 4> members{{{"id"}, {"polygon"}, {"wall"}, {"layer"}}};
    if (!checker_.object(node, "an obstacle", members)) return;
    Feature obstacle;
    obstacle.kind = environment::Kind::obstacle;
    if (!node.has("id"))
      checker_.error(ProblemCode::schema, node.pointer, "an obstacle that comes wants an \"id\"");
    else if (auto id = checker_.text(node.at("id"), "an id"))
      obstacle.id = *std::move(id);
    obstacle.layer = layer_of(node);
    const std::string_view shape = checker_.exactly_one(node, "an obstacle", {"polygon", "wall"});
    if (shape == "wall") {
      if (auto line = checker_.points(node.at(shape), 2)) obstacle.lines.push_back(*std::move(line));
    } else if (shape == "polygon") {
      read_polygon(node.at(shape), obstacle);
    }
    change.obstacles.push_back(std::move(obstacle));
  }

  void read_polygon(const Node& node, Feature& obstacle) {
    if (!checker_.array(node, "a polygon")) return;
    const bool has_rings = !node.value->empty() && node.value->front().is_array() && !node.value->front().empty() &&
                           node.value->front().front().is_array();
    environment::Polygon polygon;
    for (std::size_t i = 0; i < (has_rings ? node.value->size() : 1); ++i) {
      auto ring = checker_.points(has_rings ? node.at(i) : node, 3);
      if (!ring) return;
      if (ring->size() > 3 && ring->front() == ring->back()) ring->pop_back();
      if (i == 0)
        polygon.outer = *std::move(ring);
      else
        polygon.holes.push_back(*std::move(ring));
    }
    obstacle.polygons.push_back(std::move(polygon));
  }

  std::size_t layer_of(const Node& node) {
    if (!node.has("layer")) {
      if (layers_.size() > 1)
        checker_.error(ProblemCode::schema, node.pointer, "there are several layers: say which with \"layer\"");
      return 0;
    }
    const auto id = checker_.text(node.at("layer"), "a layer");
    for (std::size_t i = 0; id && i < layers_.size(); ++i)
      if (layers_[i].id == *id) return i;
    if (id) checker_.error(ProblemCode::value, node.pointer + "/layer", fmt::format("there is no layer '{}'", *id));
    return 0;
  }

  const std::string& source_;
  const std::vector<environment::Layer>& layers_;
  environment::ProblemList problems_;
  JsonChecker checker_;
};

}  // namespace

Result<std::vector<Change>> read_changes(std::string_view text, const std::string& source,
                                         const std::vector<environment::Layer>& layers) {
  return ChangesReader(source, layers).read(text);
}

}  // namespace throng::scenario
