// A goal of a field.
#pragma once

#include "navmesh/mesh.hpp"

namespace throng::routes {

struct FlowGoal {
  navmesh::Place place;
  navmesh::Index tag = 0;  ///< whatever tells the asker which goal it is
};

}  // namespace throng::routes
