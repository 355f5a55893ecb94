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
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror
  -Wno-missing-field-initializers  # members left out of a designated initialiser keep their declared defaults
  # One seed, one result, on every processor and from both compilers: no fused multiply-add, no re-association.
  -ffp-contract=off
  # These two change no result; they let loops with sqrt and comparisons vectorise.
  -fno-math-errno -fno-trapping-math)

set(THRONG_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined or thread")
if(THRONG_SANITIZE)
  add_compile_options(-fsanitize=${THRONG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${THRONG_SANITIZE})
endif()

option(THRONG_COVERAGE "Count executed lines" OFF)
if(THRONG_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

find_program(THRONG_CCACHE ccache)
if(THRONG_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${THRONG_CCACHE})
endif()
