// The edge of the library: whatever is thrown inside (no memory, no thread) becomes a problem.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "throng/result.hpp"

namespace throng {

/// What `work` returns, which is a Result; lack of memory and of threads is ProblemCode::limit, anything else a fault of ours.
template <class Work>
auto guarded(const char* place, Work&& work) -> decltype(work()) {
  const auto refused = [&](ProblemCode code, std::string what) {
    return Problem{Severity::error, code, place, std::move(what)};
  };
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return refused(ProblemCode::limit, "there is not enough memory");
  } catch (const std::length_error&) {
    return refused(ProblemCode::limit, "there is not enough memory");
  } catch (const std::system_error& fault) {
    return refused(ProblemCode::limit, fault.what());
  } catch (const std::exception& fault) {
    return refused(ProblemCode::internal, fault.what());
  }
}

}  // namespace throng
