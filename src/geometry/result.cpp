#include "throng/result.hpp"

namespace throng {

std::string_view name_of(ProblemCode code) {
  switch (code) {
    case ProblemCode::io: return "io";
    case ProblemCode::syntax: return "syntax";
    case ProblemCode::schema: return "schema";
    case ProblemCode::value: return "value";
    case ProblemCode::geometry: return "geometry";
    case ProblemCode::limit: return "limit";
    case ProblemCode::unsupported: return "unsupported";
    case ProblemCode::internal: return "internal";
  }
  return "internal";
}

std::string to_string(const Problem& problem) {
  return problem.place.empty() ? problem.message : problem.place + ": " + problem.message;
}

}  // namespace throng
