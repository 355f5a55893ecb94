// An axis draft that can be changed in place: who meets at a node, and which arcs belong to a site, kept up to date.
// O(1) a change, but for the degree of the nodes concerned.
#pragma once

#include <vector>

#include "navmesh/axis_draft.hpp"

namespace throng::navmesh {

class AxisEditor {
 public:
  /// O(n). The draft must outlive the editor and is changed through it only.
  explicit AxisEditor(AxisDraft& draft);

  [[nodiscard]] const AxisDraft& draft() const { return draft_; }
  [[nodiscard]] DraftSite& site(Index i) { return draft_.sites[i]; }
  [[nodiscard]] const std::vector<Index>& arcs_at(Index node) const { return arcs_at_[node]; }
  [[nodiscard]] const std::vector<Index>& arcs_of(Index site) const { return arcs_of_[site]; }

  Index add_site(const DraftSite& site);
  Index add_node(const DraftNode& node);
  Index add_arc(const DraftArc& arc);
  void remove_arc(Index arc);
  /// Gives the arcs of one site to another; both must be the same corner.
  void merge_sites(Index from, Index into);
  /// Makes one arc of two that meet in a node of degree 2 and have the same sites left and right; otherwise does
  /// nothing.
  void dissolve(Index node);

 private:
  AxisDraft& draft_;
  std::vector<std::vector<Index>> arcs_at_, arcs_of_;
};

}  // namespace throng::navmesh
