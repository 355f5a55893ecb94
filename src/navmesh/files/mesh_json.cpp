// The JSON form of meshes, for people; see mesh_io.hpp.
#include <cmath>
#include <nlohmann/json.hpp>

#include "environment/formats/write_text.hpp"
#include "navmesh/mesh_io.hpp"

namespace throng::navmesh {
namespace {

using Json = nlohmann::json;
using environment::append_json;
using environment::append_number;

/// Writes one value a line, so that a difference of two meshes can be read.
class JsonText {
 public:
  JsonText& raw(std::string_view text) { return text_ += text, *this; }
  JsonText& number(double value) { return append_number(text_, value), *this; }
  JsonText& number(Index value) { return text_ += std::to_string(value), *this; }
  JsonText& point(Vec2 p) { return raw("[").number(p.x).raw(", ").number(p.y).raw("]"); }
  JsonText& string(std::string_view text) { return append_json(text_, text), *this; }

  template <class Items, class Write>
  void list(std::string_view name, const Items& items, const Write& write) {
    raw(",\n\"").raw(name).raw("\": [");
    bool first = true;
    for (const auto& item : items) {
      raw(first ? "\n  " : ",\n  ");
      write(item);
      first = false;
    }
    raw("]");
  }
  template <class Items, class Write>
  JsonText& inline_list(const Items& items, const Write& write) {
    raw("[");
    bool first = true;
    for (const auto& item : items) {
      if (!first) raw(", ");
      write(item);
      first = false;
    }
    return raw("]");
  }
  [[nodiscard]] std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

void write_elevation(JsonText& out, const environment::Elevation& e) {
  if (!e.ramp) return void(out.number(e.z));
  out.raw("{\"ramp\": [[").number(e.from.x).raw(", ").number(e.from.y).raw(", ").number(e.z_from).raw("], [");
  out.number(e.to.x).raw(", ").number(e.to.y).raw(", ").number(e.z_to).raw("]], \"stairs\": ");
  out.raw(e.stairs ? "true" : "false").raw(", \"z\": ").number(e.z).raw("}");
}

void write_graph(JsonText& out, const Mesh& mesh) {
  out.list("sites", mesh.sites, [&](const Site& site) {
    out.raw("{\"a\": ")
        .point(site.a)
        .raw(", \"b\": ")
        .point(site.b)
        .raw(", \"layer\": ")
        .number(site.layer)
        .raw(", \"cells\": ");
    const std::span cells(mesh.site_cells.data() + site.first_cell, site.cell_count);
    out.inline_list(cells, [&](Index cell) { out.number(cell); }).raw("}");
  });
  out.list("nodes", mesh.nodes, [&](const Node& node) {
    out.raw("{\"point\": ").point(node.point).raw(", \"clearance\": ").number(node.clearance);
    out.raw(", \"layer\": ").number(node.layer).raw(", \"edges\": ");
    const std::span ends(mesh.edge_ends.data() + node.first_edge_end, node.degree);
    out.inline_list(
        ends, [&](const EdgeEnd& end) { out.raw("[").number(end.edge).raw(end.at_to ? ", \"to\"]" : ", \"from\"]"); });
    out.raw("}");
  });
  out.list("arcs", mesh.arcs, [&](const Arc& arc) {
    out.raw("{\"from\": ").number(arc.from).raw(", \"to\": ").number(arc.to).raw(", \"left\": ").number(arc.site[0]);
    out.raw(", \"right\": ").number(arc.site[1]).raw(", \"edge\": ").number(arc.edge).raw("}");
  });
  out.list("edges", mesh.edges, [&](const Edge& edge) {
    out.raw("{\"from\": ")
        .number(edge.from)
        .raw(", \"to\": ")
        .number(edge.to)
        .raw(", \"first_arc\": ")
        .number(edge.first_arc);
    out.raw(", \"arc_count\": ").number(edge.arc_count).raw(", \"length\": ").number(edge.length);
    out.raw(", \"min_clearance\": ").number(edge.min_clearance).raw("}");
  });
}

void write_rest(JsonText& out, const Mesh& mesh) {
  out.list("passages", mesh.passages, [&](const Passage& p) {
    out.raw("{\"point\": ")
        .point(p.point)
        .raw(", \"clearance\": ")
        .number(p.clearance)
        .raw(", \"arc\": ")
        .number(p.arc);
    out.raw(", \"left\": ").point(p.left).raw(", \"right\": ").point(p.right);
    out.raw(", \"regions\": [").number(p.region[0]).raw(", ").number(p.region[1]).raw("]}");
  });
  out.list("connections", mesh.connections, [&](const Connection& c) {
    out.raw("{\"a\": ").point(c.a).raw(", \"b\": ").point(c.b);
    out.raw(", \"layers\": [").number(c.left_layer).raw(", ").number(c.right_layer).raw("]}");
  });
  out.list("straddles", mesh.straddles,
           [&](const Straddle& s) { out.raw("[").number(s.cell).raw(", ").number(s.connection).raw("]"); });
}

/// Reads members; remembers the first thing that is not what it should be, and where.
class JsonReader {
 public:
  explicit JsonReader(const Json& root) : root_(root) {}

  [[nodiscard]] const std::string& wrong() const { return wrong_; }
  void fail(const std::string& path, std::string_view what) {
    if (wrong_.empty()) wrong_ = path + ": " + std::string(what);
  }

  const Json* member(const Json& object, const char* name, const std::string& path) {
    if (const auto found = object.is_object() ? object.find(name) : object.end(); found != object.end()) return &*found;
    fail(path, std::string("member \"") + name + "\" is missing");
    return nullptr;
  }
  void get(const Json& value, const std::string& path, double& out) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) return fail(path, "a finite number is expected");
    out = value.get<double>();
  }
  void get(const Json& value, const std::string& path, Index& out) {
    if (!value.is_number_integer() || value < 0 || value > 0xffffffff)
      return fail(path, "an index from 0 on is expected");
    out = value.get<Index>();
  }
  void get(const Json& value, const std::string& path, Vec2& out) {
    if (!value.is_array() || value.size() != 2) return fail(path, "[x, y] is expected");
    get(value[0], path, out.x);
    get(value[1], path, out.y);
  }
  void get(const Json& value, const std::string& path, bool& out) {
    if (!value.is_boolean()) return fail(path, "true or false is expected");
    out = value.get<bool>();
  }
  template <class T>
  void get(const Json& object, const std::string& path, const char* name, T& out) {
    if (const Json* value = member(object, name, path)) get(*value, path + "." + name, out);
  }
  template <class Read>
  void list(const Json& object, const std::string& path, const char* name, const Read& read) {
    const Json* array = member(object, name, path);
    if (!array) return;
    if (!array->is_array()) return fail(path + "." + name, "a list is expected");
    for (std::size_t i = 0; i < array->size() && wrong_.empty(); ++i)
      read((*array)[i], path + "." + name + "[" + std::to_string(i) + "]");
  }
  [[nodiscard]] const Json& root() const { return root_; }

 private:
  const Json& root_;
  std::string wrong_;
};

void read_elevation(JsonReader& in, const Json& value, const std::string& path, environment::Elevation& e) {
  if (value.is_number()) return in.get(value, path, e.z);
  e.ramp = true;
  in.get(value, path, "stairs", e.stairs);
  in.get(value, path, "z", e.z);
  const Json* ramp = in.member(value, "ramp", path);
  if (!ramp) return;
  const auto is_point = [](const Json& p) { return p.is_array() && p.size() == 3; };
  if (!ramp->is_array() || ramp->size() != 2 || !is_point((*ramp)[0]) || !is_point((*ramp)[1]))
    return in.fail(path + ".ramp", "[[x, y, z], [x, y, z]] is expected");
  const Json &from = (*ramp)[0], &to = (*ramp)[1];
  in.get(from[0], path, e.from.x), in.get(from[1], path, e.from.y), in.get(from[2], path, e.z_from);
  in.get(to[0], path, e.to.x), in.get(to[1], path, e.to.y), in.get(to[2], path, e.z_to);
}

void read_sites(JsonReader& in, Mesh& mesh) {
  in.list(in.root(), "", "sites", [&](const Json& item, const std::string& path) {
    Site site;
    in.get(item, path, "a", site.a), in.get(item, path, "b", site.b), in.get(item, path, "layer", site.layer);
    site.first_cell = Index(mesh.site_cells.size());
    in.list(item, path, "cells",
            [&](const Json& cell, const std::string& at) { in.get(cell, at, mesh.site_cells.emplace_back()); });
    site.cell_count = Index(mesh.site_cells.size()) - site.first_cell;
    mesh.sites.push_back(site);
  });
}

void read_nodes(JsonReader& in, Mesh& mesh) {
  in.list(in.root(), "", "nodes", [&](const Json& item, const std::string& path) {
    Node node;
    in.get(item, path, "point", node.point), in.get(item, path, "clearance", node.clearance);
    in.get(item, path, "layer", node.layer);
    node.first_edge_end = Index(mesh.edge_ends.size());
    in.list(item, path, "edges", [&](const Json& end, const std::string& at) {
      const bool good = end.is_array() && end.size() == 2 && (end[1] == "to" || end[1] == "from");
      if (!good) return in.fail(at, "[edge, \"from\"] or [edge, \"to\"] is expected");
      EdgeEnd& read = mesh.edge_ends.emplace_back();
      in.get(end[0], at, read.edge);
      read.at_to = end[1] == "to";
    });
    node.degree = Index(mesh.edge_ends.size()) - node.first_edge_end;
    mesh.nodes.push_back(node);
  });
}

void read_arcs_and_edges(JsonReader& in, Mesh& mesh) {
  in.list(in.root(), "", "arcs", [&](const Json& item, const std::string& path) {
    Arc& arc = mesh.arcs.emplace_back();
    in.get(item, path, "from", arc.from), in.get(item, path, "to", arc.to);
    in.get(item, path, "left", arc.site[0]), in.get(item, path, "right", arc.site[1]),
        in.get(item, path, "edge", arc.edge);
  });
  in.list(in.root(), "", "edges", [&](const Json& item, const std::string& path) {
    Edge& edge = mesh.edges.emplace_back();
    in.get(item, path, "from", edge.from), in.get(item, path, "to", edge.to);
    in.get(item, path, "first_arc", edge.first_arc), in.get(item, path, "arc_count", edge.arc_count);
    in.get(item, path, "length", edge.length), in.get(item, path, "min_clearance", edge.min_clearance);
  });
}

void read_rest(JsonReader& in, Mesh& mesh) {
  const auto pair = [&](const Json& value, const std::string& path, Index& a, Index& b) {
    if (!value.is_array() || value.size() != 2) return in.fail(path, "two indices are expected");
    in.get(value[0], path, a), in.get(value[1], path, b);
  };
  in.list(in.root(), "", "passages", [&](const Json& item, const std::string& path) {
    Passage& p = mesh.passages.emplace_back();
    in.get(item, path, "point", p.point), in.get(item, path, "clearance", p.clearance),
        in.get(item, path, "arc", p.arc);
    in.get(item, path, "left", p.left), in.get(item, path, "right", p.right);
    if (const Json* regions = in.member(item, "regions", path))
      pair(*regions, path + ".regions", p.region[0], p.region[1]);
  });
  in.get(in.root(), "", "region_count", mesh.region_count);
  in.list(in.root(), "", "connections", [&](const Json& item, const std::string& path) {
    Connection& c = mesh.connections.emplace_back();
    in.get(item, path, "a", c.a), in.get(item, path, "b", c.b);
    if (const Json* layers = in.member(item, "layers", path))
      pair(*layers, path + ".layers", c.left_layer, c.right_layer);
  });
  in.list(in.root(), "", "straddles", [&](const Json& item, const std::string& path) {
    Straddle& s = mesh.straddles.emplace_back();
    pair(item, path, s.cell, s.connection);
  });
}

void read_head(JsonReader& in, Mesh& mesh) {
  const Json* hash = in.member(in.root(), "environment_hash", "");
  const bool is_hash = hash && hash->is_string() && hash->get<std::string>().size() == 16 &&
                       hash->get<std::string>().find_first_not_of("0123456789abcdef") == std::string::npos;
  if (is_hash)
    mesh.environment_hash = std::stoull(hash->get<std::string>(), nullptr, 16);
  else
    in.fail("environment_hash", "16 hexadecimal digits are expected");
  if (const Json* grid = in.member(in.root(), "grid", "")) {
    double unit = 0;
    in.get(*grid, "grid", "unit", unit);
    const Json* origin = in.member(*grid, "origin", "grid");
    const bool good = origin && origin->is_array() && origin->size() == 2 && (*origin)[0].is_number_integer() &&
                      (*origin)[1].is_number_integer() && unit > 0;
    if (good)
      mesh.grid = geometry::SnapGrid(unit, (*origin)[0].get<std::int64_t>(), (*origin)[1].get<std::int64_t>());
    else
      in.fail("grid", "a unit above 0 and an origin of two whole numbers are expected");
  }
  in.list(in.root(), "", "layers", [&](const Json& item, const std::string& path) {
    environment::Layer& layer = mesh.layers.emplace_back();
    if (const Json* id = in.member(item, "id", path)) {
      if (id->is_string())
        layer.id = id->get<std::string>();
      else
        in.fail(path + ".id", "a text is expected");
    }
    if (const Json* elevation = in.member(item, "elevation", path))
      read_elevation(in, *elevation, path + ".elevation", layer.elevation);
  });
}

}  // namespace

bool is_mesh_json(std::string_view content) {
  // A mesh says so in its first member; environments have others.
  return content.substr(0, 256).find("\"throng_mesh\"") != std::string_view::npos;
}

std::string write_mesh_json(const Mesh& mesh) {
  JsonText out;
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(mesh.environment_hash));
  out.raw("{\"throng_mesh\": 1,\n\"environment_hash\": \"")
      .raw(hash)
      .raw("\",\n\"grid\": {\"unit\": ")
      .number(mesh.grid.unit());
  out.raw(", \"origin\": [")
      .raw(std::to_string(mesh.grid.origin_x()))
      .raw(", ")
      .raw(std::to_string(mesh.grid.origin_y()));
  out.raw("]},\n\"region_count\": ").number(mesh.region_count);
  out.list("layers", mesh.layers, [&](const environment::Layer& layer) {
    out.raw("{\"id\": ").string(layer.id).raw(", \"elevation\": ");
    write_elevation(out, layer.elevation);
    out.raw("}");
  });
  write_graph(out, mesh);
  write_rest(out, mesh);
  out.raw("}\n");
  return std::move(out).take();
}

Result<MeshPtr> read_mesh_json(std::string_view text, const std::string& source) {
  const auto refuse = [&](ProblemCode code, std::string message) {
    return Problem{Severity::error, code, source, std::move(message)};
  };
  const Json root = Json::parse(text, nullptr, false);
  if (root.is_discarded()) return refuse(ProblemCode::syntax, "not well-formed JSON");
  if (!root.is_object() || !root.contains("throng_mesh"))
    return refuse(ProblemCode::schema, "not a mesh: \"throng_mesh\" is missing");
  if (root["throng_mesh"] != 1)
    return refuse(ProblemCode::unsupported, "\"throng_mesh\": this program reads version 1");
  JsonReader in(root);
  Mesh mesh;
  read_head(in, mesh);
  read_sites(in, mesh);
  read_nodes(in, mesh);
  read_arcs_and_edges(in, mesh);
  read_rest(in, mesh);
  if (!in.wrong().empty()) return refuse(ProblemCode::schema, in.wrong());
  return accept_mesh(std::move(mesh), source);
}

}  // namespace throng::navmesh
