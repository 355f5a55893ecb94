# `cmake --install build/release --prefix DIR` (`make install`): the program, the static library, the public headers, and
# what find_package(throng) and pkg-config need. tests/install checks it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/throng)

install(TARGETS throng EXPORT throng-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS throng_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.hpp)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/throng OPTIONAL)
# The viewer's client, where it was built (scripts/build-client); `throng view` finds it beside the program.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/viewer DESTINATION ${CMAKE_INSTALL_DATADIR}/throng OPTIONAL)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT throng-targets NAMESPACE throng:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/throng-config.cmake.in
                              ${PROJECT_BINARY_DIR}/cmake/throng-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/throng-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/throng-config.cmake ${PROJECT_BINARY_DIR}/cmake/throng-config-version.cmake
        DESTINATION ${package_dir})

# Relative, so that the installed tree may be moved.
file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(${PROJECT_SOURCE_DIR}/cmake/throng.pc.in ${PROJECT_BINARY_DIR}/cmake/throng.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/throng.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
