# `make package`: Debian packages (throng: the program, its viewer and manual; libthrong-dev: library, headers, what find_package and
# pkg-config need) and one archive of everything. tests/install takes them apart and uses them.
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_NAME throng)
set(CPACK_PACKAGE_VENDOR "The Throng developers")
set(CPACK_PACKAGE_CONTACT "The Throng developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/packages)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME throng)
# The program's libraries, from its own headers.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS librsvg2-bin)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libthrong-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# A static library: whoever links it links these, as cmake/throng-config.cmake.in says.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libtbb-dev, libfmt-dev, libsimdjson-dev, libsqlite3-dev, libzstd-dev, libpng-dev, libexpat1-dev, zlib1g-dev, libbz2-dev")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "A simulator of walking crowds: environments from plans and maps, navigation
 meshes, routes, simulation, recordings, reports, and a viewer in the browser.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "The library of Throng, for programs of one's own.")
include(CPack)
