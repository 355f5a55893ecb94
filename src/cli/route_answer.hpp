// What `throng route` says: a route as JSON, in words, and as a picture.
#pragma once

#include <string>
#include <vector>

#include "cli/report.hpp"
#include "cli/route_desk.hpp"

namespace throng::cli {

[[nodiscard]] Json points_of(const navmesh::Mesh& mesh, const routes::Route& route);
[[nodiscard]] Json segments_of(const navmesh::Mesh& mesh, const routes::Route& route);
/// Null where the class is not known, as of no planned route.
[[nodiscard]] Json class_of(const RouteDesk& desk, const routes::Route& route);
[[nodiscard]] Json answer_of(const navmesh::Mesh& mesh, const RouteDesk& desk, const TimedRoute& timed, bool curve);

/// Routes over the plan, the first on top, into the file that --output names.
[[nodiscard]] Problems write_picture(const Parsed& parsed, const LoadedMesh& loaded, const RouteDesk& desk,
                                     const std::vector<const routes::Route*>& routes, const std::string& what);

void print_search(const RouteDesk& desk, const routes::SearchAnswer& search);
/// What it costs, and over which ground it leads.
void print_ground(const RouteDesk& desk, const TimedRoute& timed);

}  // namespace throng::cli
