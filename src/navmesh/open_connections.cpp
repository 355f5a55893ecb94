#include "navmesh/open_connections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "navmesh/axis_editor.hpp"
#include "navmesh/layer_walk.hpp"
#include "navmesh/repair.hpp"

namespace throng::navmesh {
namespace {

using environment::CleanConnection;
using geometry::GridPoint;

class Opener {
 public:
  Opener(AxisDraft& draft, const environment::CleanEnvironment& environment)
      : draft_(draft), environment_(environment), editor_(draft), walk_(environment) {}

  std::string open_all() {
    find_sides();
    find_previous();
    for (Index i = 0; i < environment_.connections.size(); ++i)
      if (std::string fault = open(i); !fault.empty()) return fmt::format("connection {}: {}", i, fault);
    return {};
  }

 private:
  void find_sides() {
    sides_.assign(environment_.connections.size(), {none, none});
    for (Index i = 0; i < draft_.sites.size(); ++i) {
      const DraftSite& site = draft_.sites[i];
      if (site.connection == none) continue;
      const CleanConnection& c = environment_.connections[site.connection];
      sides_[site.connection][site.a == c.a && site.layer == c.left_layer ? 0 : 1] = i;
    }
  }

  void find_previous() {
    previous_.assign(draft_.sites.size(), none);
    for (Index i = 0; i < draft_.sites.size(); ++i)
      if (draft_.sites[i].next != none) previous_[draft_.sites[i].next] = i;
  }

  std::string open(Index index) {
    const CleanConnection& c = environment_.connections[index];
    const auto [left, right] = sides_[index];
    if (left == none || right == none) return "is not part of the boundary of both layers";
    RepairTask task;
    task.removed = {left, right};
    // Around an end, one side is left and the other entered: free space of both layers lies to the left.
    const std::array<Fuse, 2> fuses{fuse(left, right), fuse(right, left)};
    for (const Fuse& f : fuses) apply(f, task);
    const Vec2 a = to_vec(c.a), d = to_vec(c.b) - a;
    task.layer_at = [&, this](Vec2 p) {
      const double along = std::clamp(dot(p - a, d) / squared_length(d), 0.0, 1.0);
      const Index start = Index(cross(d, p - a) >= 0 ? c.left_layer : c.right_layer);
      return walk_.layer_after(a + d * along, start, p);
    };
    std::string fault = repair(editor_, task);
    if (fault.empty())
      for (const Fuse& f : fuses) relink(f);
    return fault;
  }

  /// An end of a connection: the boundary arrives there along `before` in one layer and goes on along `after` in the
  /// other.
  struct Fuse {
    Index leaving;        ///< the side that ends here
    Index entering;       ///< the side that starts here
    Index before, after;  ///< none where the end vanishes
    Index corner = none;  ///< of the joined wedge
    bool convex = false;
  };

  Fuse fuse(Index leaving, Index entering) {
    Fuse f{leaving, entering, previous_[entering], draft_.sites[leaving].next};
    if (f.after == entering) {
      f.before = f.after = none;
      f.corner = draft_.sites[leaving].corner;
      return f;
    }
    const GridPoint at = draft_.sites[leaving].b;
    // Wedges run counterclockwise from the segment that leaves: `after`, the connection, `before`.
    const Turn first = turn(at, draft_.sites[f.after].b, draft_.sites[leaving].a);
    const Turn second = turn(at, draft_.sites[leaving].a, draft_.sites[f.before].a);
    const Turn whole = turn(at, draft_.sites[f.after].b, draft_.sites[f.before].a);
    const bool beyond_half = first != Turn::convex || second != Turn::convex || whole == Turn::reflex;
    const Index in_first = draft_.sites[leaving].corner;
    const Index in_second = draft_.sites[f.before].corner;
    if (!beyond_half) {
      f.convex = whole == Turn::convex;
      return f;
    }
    f.corner = in_first != none ? in_first : in_second;
    if (in_first != none && in_second != none) editor_.merge_sites(in_second, in_first);
    if (f.corner == none) f.corner = editor_.add_site(corner_site(at, draft_.sites[leaving].layer));
    // Of the layers that meet here the lowest, so that it does not matter which connection was opened first.
    Index& layer = editor_.site(f.corner).layer;
    layer = std::min({layer, draft_.sites[f.before].layer, draft_.sites[f.after].layer});
    return f;
  }

  enum class Turn { convex, straight, reflex };
  /// Of the angle from u to v, counterclockwise around a point; the full turn counts as reflex.
  static Turn turn(GridPoint at, GridPoint u, GridPoint v) {
    const int side = geometry::side(at, u, v);
    if (side == 0) return geometry::dot(at, u, v) < 0 ? Turn::straight : Turn::reflex;
    return side > 0 ? Turn::convex : Turn::reflex;
  }

  DraftSite corner_site(GridPoint at, Index layer) {
    DraftSite site;
    site.a = site.b = at;
    site.layer = layer;
    previous_.push_back(none);
    return site;
  }

  void apply(const Fuse& f, RepairTask& task) {
    if (f.before == none) {
      if (f.corner != none) task.removed.push_back(f.corner);
    } else if (f.corner != none) {
      task.corners.push_back(f.corner);
    } else if (f.convex) {
      task.starts.push_back({to_vec(draft_.sites[f.leaving].b), f.before, f.after});
    }
  }

  void relink(const Fuse& f) {
    if (f.before == none) return;
    editor_.site(f.before).next = f.after;
    editor_.site(f.before).corner = f.corner;
    previous_[f.after] = f.before;
  }

  AxisDraft& draft_;
  const environment::CleanEnvironment& environment_;
  AxisEditor editor_;
  LayerWalk walk_;
  std::vector<std::array<Index, 2>> sides_;  ///< of each connection: the closed sites left and right of it
  std::vector<Index> previous_;              ///< of each segment site: the one before it along the boundary
};

}  // namespace

std::string open_connections(AxisDraft& draft, const environment::CleanEnvironment& environment) {
  return Opener(draft, environment).open_all();
}

}  // namespace throng::navmesh
