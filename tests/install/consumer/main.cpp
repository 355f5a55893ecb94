// A program of a user: it knows the installed headers only.
#include <throng/result.hpp>
#include <throng/vec2.hpp>

int main() {
  const throng::Result<throng::Vec2> refused(throng::Problem{.place = "plan.geojson:1", .message = "empty"});
  if (refused.ok() || throng::to_string(refused.problems().front()) != "plan.geojson:1: empty") return 1;
  const throng::Result<throng::Vec2> sum(throng::Vec2{1, 2} + throng::Vec2{2, 2});
  return sum.ok() && squared_length(*sum) == 25 ? 0 : 1;
}
