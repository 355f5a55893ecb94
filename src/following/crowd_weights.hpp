// What straight lines through a crowd cost somebody who minds how dense it is (Zwerver 2018, 3.3.2): asked by followers that weigh candidates.
// Thread-safety: reading; any number of readers between two writings of the fields behind it.
#pragma once

#include "agents/people.hpp"
#include "navmesh/mesh.hpp"

namespace throng::following {

class CrowdWeights {
 public:
  virtual ~CrowdWeights() = default;
  /// Whether the person weighs lines by the crowd at all.
  [[nodiscard]] virtual bool minds(agents::Slot slot) const = 0;
  /// Whether nobody's stamp but its own lies on the line: then it costs nothing more.
  [[nodiscard]] virtual bool is_free(agents::Slot slot, const navmesh::Place& from, const navmesh::Place& to) const = 0;
  /// What the line costs more than an empty one, in metres; infinite where a jam lies on it.
  [[nodiscard]] virtual double along(agents::Slot slot, const navmesh::Place& from, const navmesh::Place& to) const = 0;
  /// More than this part of all looks ahead that end behind jams makes one look for a detour.
  [[nodiscard]] virtual double most_rejected(agents::Slot slot) const = 0;
};

}  // namespace throng::following
