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
# libosmium, which reads OpenStreetMap, is headers only; these three it needs linked.
find_path(THRONG_OSMIUM_INCLUDE_DIR osmium/version.hpp REQUIRED)
find_path(THRONG_PROTOZERO_INCLUDE_DIR protozero/version.hpp REQUIRED)
find_package(EXPAT REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
