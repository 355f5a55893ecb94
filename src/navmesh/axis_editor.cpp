#include "navmesh/axis_editor.hpp"

#include <algorithm>

namespace throng::navmesh {

AxisEditor::AxisEditor(AxisDraft& draft) : draft_(draft), arcs_at_(draft.nodes.size()), arcs_of_(draft.sites.size()) {
  for (Index i = 0; i < draft.arcs.size(); ++i) {
    if (!draft.arcs[i].alive()) continue;
    for (const Index node : draft.arcs[i].node) arcs_at_[node].push_back(i);
    for (const Index site : draft.arcs[i].site) arcs_of_[site].push_back(i);
  }
}

Index AxisEditor::add_site(const DraftSite& site) {
  draft_.sites.push_back(site);
  arcs_of_.emplace_back();
  return Index(draft_.sites.size() - 1);
}

Index AxisEditor::add_node(const DraftNode& node) {
  draft_.nodes.push_back(node);
  arcs_at_.emplace_back();
  return Index(draft_.nodes.size() - 1);
}

Index AxisEditor::add_arc(const DraftArc& arc) {
  const Index index = Index(draft_.arcs.size());
  draft_.arcs.push_back(arc);
  for (const Index node : arc.node) arcs_at_[node].push_back(index);
  for (const Index site : arc.site) arcs_of_[site].push_back(index);
  return index;
}

void AxisEditor::remove_arc(Index index) {
  DraftArc& arc = draft_.arcs[index];
  for (const Index node : arc.node) std::erase(arcs_at_[node], index);
  for (const Index site : arc.site) std::erase(arcs_of_[site], index);
  arc = {};
}

void AxisEditor::merge_sites(Index from, Index into) {
  for (const Index i : arcs_of_[from])
    for (Index& site : draft_.arcs[i].site)
      if (site == from) site = into;
  arcs_of_[into].insert(arcs_of_[into].end(), arcs_of_[from].begin(), arcs_of_[from].end());
  arcs_of_[from].clear();
  draft_.sites[from].removed = true;
}

void AxisEditor::dissolve(Index node) {
  if (arcs_at_[node].size() != 2) return;
  const Index one = arcs_at_[node][0], two = arcs_at_[node][1];
  if (one == two) return;
  const DraftArc a = draft_.arcs[one], b = draft_.arcs[two];
  const int end_a = a.node[1] == node ? 1 : 0;  // where it meets the other
  const int end_b = b.node[1] == node ? 1 : 0;
  const bool same_way = end_a != end_b;
  if (a.site[0] != b.site[same_way ? 0 : 1] || a.site[1] != b.site[same_way ? 1 : 0]) return;
  DraftArc joined = a;
  joined.node[end_a] = b.node[1 - end_b];
  remove_arc(one);
  remove_arc(two);
  add_arc(joined);
}

}  // namespace throng::navmesh
