#include "routes/tangent_table.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "geometry/elementary.hpp"
#include "geometry/tolerances.hpp"

namespace throng::routes {

namespace {

constexpr double least_beside = 1e-6, most_beside = 0.2;

/// The way around a corner at a side of an arc's tile, at one of its gates.
Vec2 direction_at(const TileGate& gate, Index number, Index side, bool counterclockwise) {
  const GatePost& post = side == number ? gate.left : gate.right;
  return perpendicular(post.inward) * (counterclockwise ? 1 : -1);
}

double angle_of(Vec2 direction) { return geometry::arc_tangent(direction.y, direction.x); }

}  // namespace

TangentTable::TangentTable(std::shared_ptr<const CorridorTiles> tiles, std::shared_ptr<const CornerDistances> labels,
                           double radius)
    : radius_(radius),
      labels_(std::move(labels)),
      disc_tiles_(std::move(tiles), radius),
      measures_(disc_tiles_),
      geometry_(disc_tiles_),
      gates_(disc_tiles_),
      lists_(2 * std::size_t(measures_.stretch_count())) {
  const navmesh::Mesh& mesh = disc_tiles_.mesh();
  struct Part {
    Index stretch, rank, cell;
  };
  std::vector<Part> parts;
  for (Index cell = 0; cell < mesh.cell_count(); ++cell)
    for (const Index gate : {0u, 1u}) {
      const Index stretch = measures_.stretch(cell / 2, cell % 2, gate);
      if (stretch != none) parts.push_back({stretch, measures_.rank(cell / 2, cell % 2, gate), cell});
    }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return std::tie(a.stretch, a.rank, a.cell) < std::tie(b.stretch, b.rank, b.cell);
  });
  first_cell_.assign(std::size_t(measures_.stretch_count()) + 1, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && parts[i].stretch == parts[i - 1].stretch && parts[i].cell == parts[i - 1].cell) continue;
    cells_.push_back(parts[i].cell);
    ++first_cell_[parts[i].stretch + 1];
  }
  std::partial_sum(first_cell_.begin(), first_cell_.end(), first_cell_.begin());
}

TangentTable::~TangentTable() {
  for (const auto& list : lists_) List::destroy(list.load());
}

Bend TangentTable::bend_of(Index node) const {
  return {disc_tiles_.mesh().site(corner_of(node)).a, node % 2 == 1 ? disc_tiles_.disc() : -disc_tiles_.disc()};
}

TangentTable::Spot TangentTable::spot_at(Index corner, Vec2 direction) const {
  const CorridorTiles& tiles = disc_tiles_.tiles();
  const navmesh::Mesh& mesh = disc_tiles_.mesh();
  const navmesh::Site& site = mesh.site(corner);
  Index best = none;
  double deepest = -std::clamp(tolerance::route_clearance / disc_tiles_.disc(), least_beside, most_beside);
  for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c) {
    // No cell has more than half of the circle. Where a limit is not known it is none.
    const Vec2 begin = outward(tiles, mesh.site_cell(c), true), end = outward(tiles, mesh.site_cell(c), false);
    const double after_begin = begin == Vec2{} ? 1 : cross(begin, direction);
    const double before_end = end == Vec2{} ? 1 : cross(direction, end);
    const double deep = std::min(after_begin, before_end);
    if (deep > deepest) deepest = deep, best = mesh.site_cell(c);
  }
  if (best == none) return {};
  const Index gate = disc_tiles_.side_of(best / 2, site.a + direction * disc_tiles_.disc());
  return {best, measures_.stretch(best / 2, best % 2, gate), measures_.rank(best / 2, best % 2, gate)};
}

Index TangentTable::node_of(const SeenCircle& seen, Index window_side) const {
  return 2 * measures_.stretch(seen.tile, seen.side, window_side) + (seen.bend.radius > 0 ? 1 : 0);
}

const TangentTable::List* TangentTable::List::make(std::span<const Tangent> tangents) {
  static_assert(std::is_trivially_copyable_v<Tangent> && sizeof(Tangent) == 64 && sizeof(List) == sizeof(Tangent));
  static_assert(alignof(KnownWalk) <= alignof(Tangent));
  void* memory = ::operator new (sizeof(List) + tangents.size() * (sizeof(Tangent) + sizeof(KnownWalk)),
                                 std::align_val_t{alignof(List)});
  List* list = new (memory) List{tangents.size()};
  std::uninitialized_copy(tangents.begin(), tangents.end(), reinterpret_cast<Tangent*>(list + 1));
  std::uninitialized_value_construct_n(list->walks(), tangents.size());
  return list;
}

void TangentTable::List::destroy(const List* list) {
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->count; ++i) delete list->walks()[i].load();
  ::operator delete (const_cast<List*>(list), std::align_val_t{alignof(List)});
}

std::span<const Tangent> TangentTable::made_from(Index node) const {
  const List* made = List::make(look_around(node));
  // Two threads may make the same list at once: the first one's is kept.
  const List* kept = nullptr;
  if (lists_[node].compare_exchange_strong(kept, made, std::memory_order_acq_rel)) return made->tangents();
  List::destroy(made);
  return kept->tangents();
}

TangentTable::Walk TangentTable::walk(Index node, const Tangent& along) const {
  if (along.from_tile == along.to_tile) return {true, {}};
  const List* list = lists_[node].load(std::memory_order_acquire);
  KnownWalk& known = list->walks()[&along - list->tangents().data()];
  const Walked* walked = known.load(std::memory_order_acquire);
  if (walked == nullptr) {
    auto made = std::make_unique<Walked>();
    const Bend from = bend_of(node), to = bend_of(along.to);
    const Vec2 direction = tangent(from, to);
    made->leads_there = walk_line(disc_tiles_, gates_, touch(from, direction), touch(to, direction), along.from_tile,
                                  along.to_tile, made->tiles);
    made->tiles.shrink_to_fit();
    // Two threads may walk at once: the first one's walk is kept.
    if (known.compare_exchange_strong(walked, made.get(), std::memory_order_acq_rel)) walked = made.release();
  }
  return {walked->leads_there, walked->tiles};
}

std::vector<Tangent> TangentTable::look_around(Index node) const {
  std::vector<Tangent> list;
  const Index stretch = node / 2;
  for (Index c = first_cell_[stretch]; c < first_cell_[stretch + 1]; ++c) look_from(node, cells_[c], list);
  // A tangent that begins or ends between two tiles comes up in both.
  std::stable_sort(list.begin(), list.end(), [](const Tangent& a, const Tangent& b) { return a.to < b.to; });
  list.erase(std::unique(list.begin(), list.end(), [](const Tangent& a, const Tangent& b) { return a.to == b.to; }),
             list.end());
  return list;
}

/// The tangents that leave the circle in one of its cells.
void TangentTable::look_from(Index node, Index cell, std::vector<Tangent>& list) const {
  const Index tile = cell / 2;
  const Index side = cell % 2;
  const bool left = node % 2 == 1;
  // Counterclockwise around its left site one walks along an arc, to gate 0; clockwise, or around the right one, to gate 1.
  const Index towards = left ? side : 1 - side;
  const bool narrow = disc_tiles_.is_narrow(tile);
  // In the part of a narrow tile that is left behind the way ends.
  if (narrow && measures_.stretch(tile, side, towards) != node / 2) return;
  const std::span<const TileGate> gates = disc_tiles_.tiles().gates(tile);
  const Vec2 in = direction_at(gates[1 - towards], 1 - towards, side, left);
  const Vec2 out = direction_at(gates[towards], towards, side, left);
  const TangentRoot root{.bend = bend_of(node), .corner = corner_of(node)};
  const bool in_open = narrow || in == Vec2{};
  TangentWindow window{.right = left ? in : out, .left = left ? out : in, .root = 0};
  (left ? window.right_open : window.left_open) = in_open;
  (left ? window.left_open : window.right_open) = out == Vec2{};
  window.side = std::uint8_t(narrow ? towards : 1 - towards);
  const Index from_rank = measures_.rank(tile, side, towards);
  std::vector<WindowEntry> open{{tile, 1 - towards, window, 0, root.bend.centre, root.bend.centre}};
  while (!open.empty()) {
    const WindowEntry entry = open.back();
    open.pop_back();
    SeenCircle seen;
    if (disc_tiles_.tiles().is_arc(entry.tile))
      for (const Index to : {0u, 1u})
        for (const Index at : {0u, 1u})
          if (to != entry.gate && geometry_.reaches(root, entry, at, to, seen)) {
            const Index target = node_of(seen, entry.window.side);
            const double length =
                dot(seen.direction, touch(seen.bend, seen.direction) - touch(root.bend, seen.direction));
            const double angle = angle_of(seen.direction);
            const auto [turn, share] = labels_->passing(corner_of(target), target % 2 == 1, angle);
            list.push_back({angle, std::max(0.0, length), seen.bend.centre, share, turn, target, from_rank,
                            measures_.rank(entry.tile, at, entry.window.side), tile, entry.tile});
          }
    for (Index g = 0; g < disc_tiles_.tiles().gates(entry.tile).size(); ++g)
      if (g != entry.gate) geometry_.pass(root, entry, g, open);
  }
}

std::size_t TangentTable::bytes() const {
  std::size_t sum = sizeof *this + gates_.bytes() + (cells_.capacity() + first_cell_.capacity()) * sizeof(Index);
  for (const auto& list : lists_) {
    sum += sizeof list;
    const List* made = list.load();
    if (made == nullptr) continue;
    sum += sizeof(List) + made->tangents().size_bytes() + made->count * sizeof(KnownWalk);
    for (std::size_t i = 0; i < made->count; ++i)
      if (const Walked* walked = made->walks()[i].load())
        sum += sizeof(Walked) + walked->tiles.capacity() * sizeof(EnteredTile);
  }
  return sum;
}

}  // namespace throng::routes
