#include "navmesh/files/mesh_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "environment/formats/write_text.hpp"
#include "navmesh/arc.hpp"
#include "navmesh/locate.hpp"

namespace throng::navmesh {
namespace {

using environment::Canvas;
using environment::Colour;
using environment::Layout;
using environment::Panel;
using environment::PathPiece;
using environment::Style;

constexpr Colour ink = {40, 40, 40};
constexpr Colour obstacle_colour = {92, 86, 78};
constexpr Colour annotation_colour = {170, 170, 170};
constexpr Colour event_colour = {120, 120, 120};
constexpr Colour passage_colour = {204, 0, 102};
constexpr double axis_width = 1.1, annotation_width = 0.35, passage_width = 1.3;
constexpr double vertex_dot = 1.7, event_dot = 0.9;

/// A stretch of the axis that lies in one layer.
struct Stretch {
  Index arc;
  Index layer;
  ArcCurve curve;
};

/// An arc, cut where it crosses a connection.
void cut_at_connections(const Mesh& mesh, Index arc, std::vector<Stretch>& out) {
  const ArcCurve curve(mesh, arc);
  std::vector<double> cuts{0};
  for (const Index cell : {2 * arc, 2 * arc + 1})
    for (const Straddle& straddle : straddles_of(mesh, cell)) {
      const Connection& c = mesh.connections[straddle.connection];
      const ArcCurve::Crossings found = curve.crossings(c.a, c.b);
      cuts.insert(cuts.end(), found.t.begin(), found.t.begin() + found.count);
    }
  cuts.push_back(1);
  std::sort(cuts.begin(), cuts.end());
  for (std::size_t i = 1; i < cuts.size(); ++i) {
    if (cuts[i] - cuts[i - 1] < 1e-12) continue;
    const Index layer = layer_at(mesh, 2 * arc, curve.point((cuts[i - 1] + cuts[i]) / 2));
    out.push_back({arc, layer, curve.section(cuts[i - 1], cuts[i])});
  }
}

std::vector<Stretch> stretches_of(const Mesh& mesh) {
  std::vector<Stretch> stretches;
  for (Index arc = 0; arc < mesh.arcs.size(); ++arc) cut_at_connections(mesh, arc, stretches);
  return stretches;
}

/// A straight line inside a cell and the layer it lies in.
struct Line {
  Vec2 a, b;
  Index layer;
};

/// The line from a place of a cell to its nearest obstacle point, cut where connections cross it.
void add_annotation(const Mesh& mesh, Index cell, Vec2 node, Vec2 foot, std::vector<Line>& out) {
  if (node == foot) return;
  std::vector<double> cuts{0};
  for (const Straddle& straddle : straddles_of(mesh, cell)) {
    const Connection& c = mesh.connections[straddle.connection];
    const double a = cross(c.b - c.a, node - c.a), b = cross(c.b - c.a, foot - c.a);
    if ((a < 0) != (b < 0)) cuts.push_back(a / (a - b));
  }
  cuts.push_back(1);
  std::sort(cuts.begin(), cuts.end());
  const auto at = [&](double t) { return node + (foot - node) * t; };
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (cuts[i] - cuts[i - 1] > 1e-12)
      out.push_back({at(cuts[i - 1]), at(cuts[i]), layer_at(mesh, cell, at((cuts[i - 1] + cuts[i]) / 2))});
}

/// Every line from a node to a nearest obstacle point, once: those on the left side of each cell.
std::vector<Line> annotations_of(const Mesh& mesh) {
  std::vector<Line> lines;
  for (Index cell = 0; cell < mesh.cell_count(); ++cell) {
    const Piece& piece = mesh.locator->piece(cell);
    add_annotation(mesh, cell, piece.node_left, piece.foot_left, lines);
  }
  return lines;
}

std::vector<Line> passage_lines(const Mesh& mesh, const Passage& passage) {
  std::vector<Line> lines;
  add_annotation(mesh, 2 * passage.arc, passage.point, passage.left, lines);
  add_annotation(mesh, 2 * passage.arc + 1, passage.point, passage.right, lines);
  return lines;
}

class MeshArtist {
 public:
  MeshArtist(Canvas& canvas, const Mesh& mesh, const Layout& layout)
      : canvas_(canvas),
        mesh_(mesh),
        layout_(layout),
        stretches_(stretches_of(mesh)),
        annotations_(annotations_of(mesh)) {
    for (const Passage& passage : mesh.passages)
      for (const Line& line : passage_lines(mesh, passage)) passages_.push_back(line);
  }

  void draw() {
    for (const Panel& panel : layout_.panels) draw_panel(panel);
    draw_legend();
  }

 private:
  [[nodiscard]] static Colour axis_colour(Index layer) { return environment::palette(layer); }

  void begin(const char* name, const Panel& panel) {
    canvas_.begin_group(layout_.panels.size() > 1 ? std::string(name) + " " + mesh_.layers[panel.layer].id
                                                  : std::string(name));
  }

  void draw_lines(const std::vector<Line>& lines, const Panel& panel, const Style& style) {
    for (const Line& line : lines)
      if (line.layer == panel.layer) canvas_.segment(line.a, line.b, style);
  }

  void draw_panel(const Panel& panel) {
    canvas_.set_view(panel.view);
    begin("annotations", panel);
    draw_lines(annotations_, panel, Style::line(annotation_colour, annotation_width));
    begin("axis", panel);
    const Style axis = Style::line(axis_colour(Index(panel.layer)), axis_width);
    for (const Stretch& s : stretches_) {
      if (s.layer != panel.layer) continue;
      const PathPiece pieces[] = {PathPiece::move_to(s.curve.from()),
                                  s.curve.is_parabola() ? PathPiece::quadratic_to(s.curve.control(), s.curve.to())
                                                        : PathPiece::line_to(s.curve.to())};
      canvas_.path(pieces, axis);
    }
    begin("passages", panel);
    draw_lines(passages_, panel, Style::line(passage_colour, passage_width, 3));
    begin("event points", panel);
    draw_nodes(panel, false);
    begin("vertices", panel);
    draw_nodes(panel, true);
    canvas_.end_group();
  }

  void draw_nodes(const Panel& panel, bool vertices) {
    const Style style = Style::area(vertices ? axis_colour(Index(panel.layer)) : event_colour);
    for (const Node& node : mesh_.nodes)
      if (node.layer == panel.layer && (node.degree > 0) == vertices)
        canvas_.dot(node.point, vertices ? vertex_dot : event_dot, style);
  }

  /// In the title's line, from the right, so that it stays clear of the environment's legend below; smaller on narrow pages.
  void draw_legend() {
    struct Entry {
      std::string_view text;
      Style style;
      double dot;  ///< its size; 0 for a line
    };
    const Entry entries[] = {{"passage", Style::line(passage_colour, passage_width, 3), 0},
                             {"nearest obstacle", Style::line(annotation_colour, 2 * annotation_width), 0},
                             {"event point", Style::area(event_colour), 1.5 * event_dot},
                             {"vertex", Style::area(axis_colour(0)), 1.2 * vertex_dot},
                             {"medial axis", Style::line(axis_colour(0), axis_width), 0}};
    const auto width_of = [](const Entry& entry) { return 24 + 5.4 * double(entry.text.size()); };
    double total = 0;
    for (const Entry& entry : entries) total += width_of(entry);
    const double size = std::min(1.0, (0.7 * layout_.width - 24) / total);
    const double y = layout_.height - 20;
    double x = layout_.width - 24;
    canvas_.begin_group("mesh legend");
    for (const Entry& entry : entries) {
      x -= size * width_of(entry);
      if (entry.dot > 0)
        canvas_.dot(world_of({x + 8 * size, y + 4 * size}), size * entry.dot, entry.style);
      else
        canvas_.page_segment({x, y + 4 * size}, {x + 14 * size, y + 4 * size}, entry.style);
      canvas_.page_text({x + 18 * size, y}, entry.text, {.size = 9 * size, .colour = ink});
    }
    canvas_.end_group();
  }

  /// Dots are given in metres of the current view.
  [[nodiscard]] Vec2 world_of(Vec2 page) const {
    const environment::View& view = canvas_.view();
    return (page - view.page_origin) / view.scale + view.world_origin;
  }

  Canvas& canvas_;
  const Mesh& mesh_;
  const Layout& layout_;
  std::vector<Stretch> stretches_;
  std::vector<Line> annotations_, passages_;
};

std::string picture(std::unique_ptr<Canvas> (*make)(double, double, std::string_view), const Mesh& mesh,
                    const environment::CleanEnvironment* environment, const std::string& title) {
  const Layout layout = environment ? environment::lay_out(*environment) : lay_out(mesh);
  const std::unique_ptr<Canvas> canvas = make(layout.width, layout.height, title);
  if (environment)
    environment::draw_environment(*canvas, *environment, layout, title);
  else
    draw_obstacles(*canvas, mesh, layout, title);
  draw_mesh(*canvas, mesh, layout);
  return canvas->finish();
}

/// Writes features one a line.
class FeatureText {
 public:
  explicit FeatureText(const Mesh& mesh) : mesh_(mesh) {}

  void begin(const char* kind, Index layer) {
    text_ += first_ ? "\n" : ",\n";
    first_ = false;
    text_ += R"({"type": "Feature", "properties": {"kind": ")";
    text_ += kind;
    text_ += R"(", "layer": )";
    environment::append_json(text_, mesh_.layers[layer].id);
  }
  FeatureText& property(const char* name, double value) {
    text_ += std::string(", \"") + name + "\": ";
    environment::append_number(text_, value);
    return *this;
  }
  void point(Vec2 p) {
    text_ += R"(}, "geometry": {"type": "Point", "coordinates": )";
    append(p);
    text_ += "}}";
  }
  void line(const std::vector<Vec2>& points) {
    text_ += R"(}, "geometry": {"type": "LineString", "coordinates": [)";
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i > 0) text_ += ", ";
      append(points[i]);
    }
    text_ += "]}}";
  }
  [[nodiscard]] std::string take() && { return "{\"type\": \"FeatureCollection\", \"features\": [" + text_ + "\n]}\n"; }

 private:
  void append(Vec2 p) {
    text_ += "[";
    environment::append_number(text_, p.x);
    text_ += ", ";
    environment::append_number(text_, p.y);
    text_ += "]";
  }

  const Mesh& mesh_;
  std::string text_;
  bool first_ = true;
};

}  // namespace

void draw_mesh(Canvas& canvas, const Mesh& mesh, const Layout& layout) { MeshArtist(canvas, mesh, layout).draw(); }

Layout lay_out(const Mesh& mesh) {
  // A page is laid out around the boxes of its layers; a wall around each says what they are.
  environment::CleanEnvironment boxes;
  boxes.grid = mesh.grid;
  for (const environment::Layer& layer : mesh.layers) boxes.layers.push_back({.layer = layer});
  for (const Site& site : mesh.sites) {
    if (!mesh.grid.contains(site.a) || !mesh.grid.contains(site.b)) continue;
    boxes.layers[site.layer].walls.push_back({{mesh.grid.snap(site.a), mesh.grid.snap(site.b)}});
  }
  return environment::lay_out(boxes);
}

void draw_obstacles(Canvas& canvas, const Mesh& mesh, const Layout& layout, const std::string& title) {
  canvas.begin_group("paper");
  canvas.page_rectangle({0, 0}, {layout.width, layout.height}, Style::area({255, 255, 255}));
  canvas.page_text({24, layout.height - 20}, title, {.size = 13, .colour = ink});
  for (const Panel& panel : layout.panels) {
    canvas.set_view(panel.view);
    canvas.begin_group(layout.panels.size() > 1 ? "obstacles " + mesh.layers[panel.layer].id : "obstacles");
    for (const Site& site : mesh.sites)
      if (site.layer == panel.layer && !site.is_corner())
        canvas.segment(site.a, site.b, Style::line(obstacle_colour, 0.8));
    for (const Connection& c : mesh.connections)
      if (c.left_layer == panel.layer || c.right_layer == panel.layer)
        canvas.segment(c.a, c.b, Style::line({213, 94, 0}, 3));
    if (layout.panels.size() > 1)
      canvas.page_text({panel.page_low.x, panel.page_high.y + 5}, mesh.layers[panel.layer].id,
                       {.size = 11, .colour = environment::palette(panel.layer)});
  }
  canvas.end_group();
}

std::string write_mesh_svg(const Mesh& mesh, const environment::CleanEnvironment* environment,
                           const std::string& title) {
  return picture(environment::make_svg_canvas, mesh, environment, title);
}

std::string write_mesh_ipe(const Mesh& mesh, const environment::CleanEnvironment* environment,
                           const std::string& title) {
  return picture(environment::make_ipe_canvas, mesh, environment, title);
}

std::string write_mesh_geojson(const Mesh& mesh) {
  FeatureText out(mesh);
  for (const Site& site : mesh.sites)
    if (!site.is_corner()) out.begin("obstacle_segment", site.layer), out.line({site.a, site.b});
  for (const Connection& c : mesh.connections) out.begin("mesh_connection", c.left_layer), out.line({c.a, c.b});
  for (const Stretch& s : stretches_of(mesh)) {
    std::vector<Vec2> points{s.curve.from()};
    s.curve.flatten(flattening, points);
    const Index edge = mesh.arcs[s.arc].edge;
    out.begin("axis", s.layer);
    out.property("arc", s.arc).property("edge", edge).property("edge_length", mesh.edges[edge].length);
    out.property("edge_min_clearance", mesh.edges[edge].min_clearance).line(points);
  }
  for (Index i = 0; i < mesh.nodes.size(); ++i) {
    const Node& node = mesh.nodes[i];
    out.begin(node.degree > 0 ? "vertex" : "event", node.layer);
    out.property("node", i).property("clearance", node.clearance).property("degree", node.degree).point(node.point);
  }
  for (const Line& line : annotations_of(mesh)) out.begin("annotation", line.layer), out.line({line.a, line.b});
  for (const Passage& passage : mesh.passages) {
    out.begin("passage", layer_at(mesh, 2 * passage.arc, passage.point));
    out.property("clearance", passage.clearance)
        .property("behind", passage.region[0])
        .property("ahead", passage.region[1]);
    out.line({passage.left, passage.point, passage.right});
  }
  return std::move(out).take();
}

}  // namespace throng::navmesh
