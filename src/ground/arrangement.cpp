#include "ground/arrangement.hpp"

#include <algorithm>
#include <tuple>

namespace throng::ground {

void Arrangement::add_ring(std::span<const GridPoint> ring, Id channel) {
  for (std::size_t i = 0; i < ring.size(); ++i) add_edge(ring[i], ring[(i + 1) % ring.size()], channel);
}

/// Sums up pieces of equal ends and channel, all from the smaller to the larger
/// end; drops what comes to nothing.
void Arrangement::cancel(std::vector<Piece>& pieces) {
  std::erase_if(pieces, [](const Piece& p) { return p.a == p.b; });
  for (Piece& p : pieces)
    if (p.b < p.a) {
      std::swap(p.a, p.b);
      p.winding = -p.winding;
    }
  const auto key = [](const Piece& p) { return std::tuple(p.a, p.b, p.channel); };
  std::sort(pieces.begin(), pieces.end(), [&](const Piece& p, const Piece& q) { return key(p) < key(q); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pieces.size();) {
    Piece sum = pieces[i];
    for (++i; i < pieces.size() && key(pieces[i]) == key(sum); ++i) sum.winding += pieces[i].winding;
    if (sum.winding != 0) pieces[kept++] = sum;
  }
  pieces.resize(kept);
}

Arrangement::Id Arrangement::edge_of(GridPoint a, GridPoint b) const {
  const auto before = [](const GridSegment& s, const GridSegment& t) {
    return std::tie(s.a, s.b) < std::tie(t.a, t.b);
  };
  return Id(std::lower_bound(edges_.begin(), edges_.end(), GridSegment{a, b}, before) - edges_.begin());
}

void Arrangement::arrange() {
  cancel(pieces_);
  std::vector<GridSegment> segments;
  segments.reserve(pieces_.size() + lines_.size());
  for (const Piece& p : pieces_) segments.push_back({p.a, p.b});
  for (const Line& line : lines_) segments.push_back(line.segment);

  std::vector<Piece> parts;
  std::vector<std::pair<GridSegment, Id>> marked;
  for (const geometry::Link& link : geometry::snap_round(segments)) {
    if (link.source < pieces_.size())
      parts.push_back({link.a, link.b, pieces_[link.source].channel, pieces_[link.source].winding});
    else
      marked.push_back(
          {{std::min(link.a, link.b), std::max(link.a, link.b)}, lines_[link.source - pieces_.size()].mark});
  }
  cancel(parts);
  for (const Piece& p : parts) edges_.push_back({p.a, p.b});
  for (const auto& [segment, mark] : marked) edges_.push_back(segment);
  const auto before = [](const GridSegment& s, const GridSegment& t) {
    return std::tie(s.a, s.b) < std::tie(t.a, t.b);
  };
  std::sort(edges_.begin(), edges_.end(), before);
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  first_use_.assign(edges_.size() + 1, 0);
  for (const Piece& p : parts) {  // parts are in the order of edges
    ++first_use_[edge_of(p.a, p.b) + 1];
    uses_.push_back({p.channel, p.winding});
  }
  for (std::size_t e = 0; e < edges_.size(); ++e) first_use_[e + 1] += first_use_[e];
  for (const auto& [segment, mark] : marked) marked_.push_back({mark, edge_of(segment.a, segment.b)});
  std::sort(marked_.begin(), marked_.end());
  marked_.erase(std::unique(marked_.begin(), marked_.end()), marked_.end());
  graph_.emplace(edges_);
}

}  // namespace throng::ground
