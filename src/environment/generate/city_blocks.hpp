// What stands on a block of a generated city (generate_city.hpp). Each function draws one kind of block into the sketch, from the
// random numbers of that block alone.
#pragma once

#include "environment/sketch.hpp"
#include "geometry/random.hpp"

namespace throng::environment {

/// Town houses wall to wall along the edges, a courtyard with sheds, trees and garden walls within, ways in between them.
void draw_perimeter(Sketch& sketch, const Ring& block, geometry::RandomStream& random);
/// One large building with one or more courts, reached by passages.
void draw_court_building(Sketch& sketch, const Ring& block, geometry::RandomStream& random);
/// Detached houses behind hedges with gates.
void draw_villas(Sketch& sketch, const Ring& block, geometry::RandomStream& random);
/// Long buildings in rows on a lawn.
void draw_slabs(Sketch& sketch, const Ring& block, geometry::RandomStream& random);
/// Lawn, paths, a pond, trees and a fence with gates.
void draw_park(Sketch& sketch, const Ring& block, geometry::RandomStream& random);
/// A paved square: fountain, kiosks, trees, a terrace, and a named area over all of it.
void draw_square(Sketch& sketch, const Ring& block, const std::string& name, geometry::RandomStream& random);
/// What fits where nothing else does.
void draw_single_building(Sketch& sketch, const Ring& block, geometry::RandomStream& random);

}  // namespace throng::environment
