# Everything comes from Debian 12's packages (scripts/setup names them); nothing is downloaded.
# What the library links is repeated in cmake/throng-config.cmake.in and cmake/throng.pc.in: an installed static library
# needs it again. Header-only libraries are not.
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(zstd REQUIRED)
find_package(PNG REQUIRED)
# A peer of the benchmarks only, and optional: librecast-dev.
if(THRONG_BENCHMARKS)
  find_path(THRONG_RECAST_INCLUDE_DIR Recast.h PATH_SUFFIXES recastnavigation)
  find_library(THRONG_RECAST_LIBRARY Recast)
  find_library(THRONG_DETOUR_LIBRARY Detour)
endif()
