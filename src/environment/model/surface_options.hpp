// What the readers of 3D models (surface_reader.hpp) are told: which of their triangles people can stand on, and how they hang together.
//
// Thread-safety: values.
#pragma once

namespace throng::environment {

enum class UpAxis { y, z };

struct SurfaceOptions {
  UpAxis up = UpAxis::y;  ///< OBJ files, Recast's and glTF have y up
  double scale = 1;       ///< metres a unit of the model
  double slope = 45;      ///< degrees: triangles that face up and are less steep are floor
  double climb = 0.3;     ///< edges of floor that differ by no more in height are joined: the rise of a step
  double head_room = 2;   ///< what hangs or stands lower over the floor blocks it, from `climb` on
  double weld = 0.01;     ///< gaps between triangles up to this are closed
};

}  // namespace throng::environment
