# `cmake --install build/release --prefix DIR` (`make install`): the program, the static library, the public headers, and
# what find_package(throng) and pkg-config need, the manual page, completion. tests/install checks it; cmake/uninstall.cmake takes
# it away again; cmake/package.cmake makes packages of it, by component.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(cmake/manual.cmake)

# Which folders were not there before, so that `make uninstall` can tell its own from the user's.
set(bash_dir ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
set(fish_dir ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# Debian's zsh looks into the first below /usr/local and into the second below /usr.
set(zsh_dirs ${CMAKE_INSTALL_DATADIR}/zsh/site-functions ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
set(all_dirs ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_LIBDIR}/cmake/throng ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    ${CMAKE_INSTALL_INCLUDEDIR}/throng ${CMAKE_INSTALL_DATADIR}/throng ${CMAKE_INSTALL_DOCDIR} ${CMAKE_INSTALL_DATADIR}/doc/libthrong-dev ${CMAKE_INSTALL_MANDIR}/man1
    ${bash_dir} ${fish_dir} ${zsh_dirs})
# Not for what CPack gathers.
set(is_package "\"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" MATCHES \"_CPack_Packages\"")
install(CODE "
  # Again into the same place: what was made the first time is still ours.
  set(noted \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
  if(EXISTS \"${PROJECT_BINARY_DIR}/installed_folders.txt\")
    file(STRINGS \"${PROJECT_BINARY_DIR}/installed_folders.txt\" before)
    list(GET before 0 place)
    if(place STREQUAL noted)
      set(noted \"\${before}\")
    endif()
  endif()
  foreach(folder IN ITEMS ${all_dirs})
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${folder}\")
    while(NOT EXISTS \"\${folder}\")
      list(APPEND noted \"\${folder}\")
      get_filename_component(folder \"\${folder}\" DIRECTORY)
    endwhile()
  endforeach()
  list(JOIN noted \"\\n\" noted)
  if(NOT ${is_package})
    file(WRITE \"${PROJECT_BINARY_DIR}/installed_folders.txt\" \"\${noted}\\n\")
  endif()
" ALL_COMPONENTS)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/throng)

install(TARGETS throng_core EXPORT throng-core-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS throng EXPORT throng-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS throng_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN *.hpp)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/throng COMPONENT program)
# The viewer's client, where it was built (scripts/build-client); `throng view` finds it beside the program.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/viewer DESTINATION ${CMAKE_INSTALL_DATADIR}/throng COMPONENT program OPTIONAL)
# Each package brings the licence.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libthrong-dev COMPONENT development)
install(FILES ${manual_dir}/throng.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${manual_dir}/throng.bash DESTINATION ${bash_dir} RENAME throng COMPONENT program)
install(FILES ${manual_dir}/throng.fish DESTINATION ${fish_dir} COMPONENT program)
foreach(zsh_dir IN LISTS zsh_dirs)
  install(FILES ${manual_dir}/_throng DESTINATION ${zsh_dir} COMPONENT program)
endforeach()
install(EXPORT throng-core-targets NAMESPACE throng:: DESTINATION ${package_dir} COMPONENT development)
install(EXPORT throng-targets NAMESPACE throng:: DESTINATION ${package_dir} COMPONENT development)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/throng-config.cmake.in
                              ${PROJECT_BINARY_DIR}/cmake/throng-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/throng-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/throng-config.cmake ${PROJECT_BINARY_DIR}/cmake/throng-config-version.cmake
        DESTINATION ${package_dir} COMPONENT development)

# Relative, so that the installed tree may be moved.
file(RELATIVE_PATH prefix_from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(pc throng throng-core)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${pc}.pc.in ${PROJECT_BINARY_DIR}/cmake/${pc}.pc @ONLY)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/cmake/throng.pc ${PROJECT_BINARY_DIR}/cmake/throng-core.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# The last rule: all files of the rules above, for `make uninstall`. (CMake's own list is overwritten by CPack.)
install(CODE "
  list(TRANSFORM CMAKE_INSTALL_MANIFEST_FILES PREPEND \"\$ENV{DESTDIR}\" OUTPUT_VARIABLE files)
  list(JOIN files \"\\n\" files)
  if(NOT ${is_package})
    file(WRITE \"${PROJECT_BINARY_DIR}/installed_files.txt\" \"\${files}\\n\")
  endif()
" ALL_COMPONENTS)
