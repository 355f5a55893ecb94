# Run by the test `packages` (CMakeLists.txt here); any failing step ends it with an error.
find_program(DPKG_DEB dpkg-deb)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(NOT DPKG_DEB OR NOT DPKG_SHLIBDEPS)
  message(STATUS "dpkg-dev is not installed: packages are not tested")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY COMMAND_ECHO STDOUT)
endfunction()

function(want text pattern what)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: no '${pattern}' in\n${text}")
  endif()
endfunction()

get_filename_component(cmake_bin ${CMAKE_COMMAND} DIRECTORY)
run(${cmake_bin}/cpack --config ${BUILD}/CPackConfig.cmake -B ${WORK})
file(GLOB program_deb ${WORK}/throng_${VERSION}_*.deb)
file(GLOB library_deb ${WORK}/libthrong-dev_${VERSION}_*.deb)
file(GLOB archive ${WORK}/throng-${VERSION}-*.tar.gz)
foreach(file program_deb library_deb archive)
  if(NOT ${file})
    message(FATAL_ERROR "there is no ${file}")
  endif()
endforeach()

# What is in them, and what they ask for.
execute_process(COMMAND ${DPKG_DEB} -c ${program_deb} OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
foreach(file bin/throng share/man/man1/throng.1 share/bash-completion/completions/throng
             share/zsh/vendor-completions/_throng share/fish/vendor_completions.d/throng.fish
             share/throng/schemas/scenario.schema.json share/doc/throng/LICENSE)
  want("${contents}" "\\./usr/${file}" "the program's package")
endforeach()
if(EXISTS ${CLIENT}/index.html)
  want("${contents}" "\\./usr/share/throng/viewer/index.html" "the program's package")
endif()
if(contents MATCHES "libthrong\\.a|/include/")
  message(FATAL_ERROR "the program's package holds the library")
endif()
execute_process(COMMAND ${DPKG_DEB} -f ${program_deb} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
foreach(library libc6 libfmt libsqlite3-0 libtbb libexpat1 zlib1g)
  want("${depends}" "${library}" "the program's dependencies")
endforeach()
execute_process(COMMAND ${DPKG_DEB} -c ${library_deb} OUTPUT_VARIABLE contents COMMAND_ERROR_IS_FATAL ANY)
foreach(file "${LIBDIR}/libthrong.a" include/throng/result.hpp "${LIBDIR}/cmake/throng/throng-config.cmake"
             "${LIBDIR}/pkgconfig/throng.pc")
  want("${contents}" "\\./usr/${file}" "the library's package")
endforeach()
execute_process(COMMAND ${DPKG_DEB} -f ${library_deb} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
want("${depends}" "libexpat1-dev" "the library's dependencies")

# Unpacked side by side, as dpkg would, they work: the program runs, and a program is built against the library.
set(root ${WORK}/root)
run(${DPKG_DEB} -x ${program_deb} ${root})
run(${DPKG_DEB} -x ${library_deb} ${root})
execute_process(COMMAND ${root}/usr/bin/throng --version OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
want("${output}" "${VERSION}" "the packaged program")
run(${root}/usr/bin/throng check ${EXAMPLE})
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/consumer -G Ninja -D CMAKE_PREFIX_PATH=${root}/usr -D CMAKE_CXX_COMPILER=${CXX}
    -D THRONG_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
run(${WORK}/consumer/consumer)

# And the archive.
run(${CMAKE_COMMAND} -E make_directory ${WORK}/archive)
execute_process(COMMAND ${CMAKE_COMMAND} -E tar xzf ${archive} WORKING_DIRECTORY ${WORK}/archive COMMAND_ERROR_IS_FATAL ANY)
file(GLOB unpacked ${WORK}/archive/*/bin/throng ${WORK}/archive/*/usr/bin/throng)
run(${unpacked} --version)
file(REMOVE_RECURSE ${WORK})
