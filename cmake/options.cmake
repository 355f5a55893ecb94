# What every target of ours is compiled with. `throng_options` is linked privately, so that none of it leaks to users of
# the installed library.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(throng_options INTERFACE)
target_compile_options(throng_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual $<$<BOOL:${THRONG_WERROR}>:-Werror>
  -Wno-missing-field-initializers  # members left out of a designated initialiser keep their declared defaults
  # g++ 12 warns of an overlapping copy in "x" + std::string that is not there (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # clang sees into g++ 12's <algorithm>, whose stable_sort uses what C++17 deprecated.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  # One seed, one result, on every processor and from both compilers: no fused multiply-add, no re-association.
  -ffp-contract=off
  # These two change no result; they let loops with sqrt and comparisons vectorise.
  -fno-math-errno -fno-trapping-math)

# Boost 1.74 includes deprecated headers of its own and says so on every use.
target_compile_definitions(throng_options INTERFACE BOOST_ALLOW_DEPRECATED_HEADERS)

set(THRONG_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined or thread")
set(THRONG_SANITIZE_FLAGS "")
if(THRONG_SANITIZE)
  set(THRONG_SANITIZE_FLAGS -fsanitize=${THRONG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${THRONG_SANITIZE_FLAGS})
  # g++ with sanitizers takes moves inside std::regex for reads of nothing, and warns that fences inside Boost.Asio are not followed.
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-Wno-maybe-uninitialized -Wno-tsan)
  endif()
  # oneTBB's library is not built for ThreadSanitizer, so its templates must not be watched either; see geometry/parallel.hpp.
  if(THRONG_SANITIZE MATCHES thread)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
      message(FATAL_ERROR "THRONG_SANITIZE=thread needs clang, which can leave out headers: use `cmake --preset tsan`")
    endif()
    add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/unwatched_headers.txt)
  endif()
  add_link_options(-fsanitize=${THRONG_SANITIZE})
endif()
if(THRONG_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "THRONG_FUZZ needs clang's libFuzzer: use `cmake --preset fuzz`")
  endif()
  # Coverage of the library steers the fuzzers; only they bring the driver (fuzz/CMakeLists.txt).
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

option(THRONG_COVERAGE "Count executed lines" OFF)
if(THRONG_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

# Headers of others that most files include, compiled once a target. CMake has the compiler say where one is not used (-Winvalid-pch),
# which -Werror makes an error: PIC, macros and -O0 against -O1 must be the same all over a target. The clang preset builds without,
# so that missing includes are found.
set(THRONG_STANDARD_HEADERS <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional> <span>
    <string> <string_view> <unordered_map> <utility> <variant> <vector>)
function(throng_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
endfunction()

find_program(THRONG_CCACHE ccache)
if(THRONG_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # What ccache must overlook to keep objects that were compiled with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${THRONG_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(-fpch-preprocess)
  endif()
endif()
