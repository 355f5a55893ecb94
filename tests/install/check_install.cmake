# Run by the test `install` (CMakeLists.txt here); any failing step ends it with an error.
set(prefix ${WORK}/prefix)
set(build ${WORK}/consumer)
file(REMOVE_RECURSE ${prefix} ${prefix}-moved ${build})
list(JOIN FLAGS " " flags)
if(COVERAGE)
  string(APPEND flags " --coverage")
endif()

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY COMMAND_ECHO STDOUT)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

# What is installed into a tree that holds other things can be taken away without a trace.
set(tree ${WORK}/tree)
file(REMOVE_RECURSE ${tree})
file(MAKE_DIRECTORY ${tree}/bin ${tree}/share/man/man1 ${tree}/share/empty)
file(WRITE ${tree}/bin/other "not ours\n")
function(list_tree result)
  file(GLOB_RECURSE all LIST_DIRECTORIES true RELATIVE ${tree} ${tree}/*)
  list(SORT all)
  set(${result} "${all}" PARENT_SCOPE)
endfunction()
list_tree(before)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${tree})
foreach(file bin/throng share/man/man1/throng.1 share/bash-completion/completions/throng share/zsh/site-functions/_throng
             share/fish/vendor_completions.d/throng.fish)
  if(NOT EXISTS ${tree}/${file})
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
run(${CMAKE_COMMAND} -D BUILD=${BUILD} -P ${SOURCE}/cmake/uninstall.cmake)
list_tree(after)
if(NOT before STREQUAL after)
  message(FATAL_ERROR "uninstalling does not leave what was there before: '${before}' became '${after}'")
endif()
file(REMOVE_RECURSE ${tree})

# Moved before use: nothing installed may remember where it was put.
file(RENAME ${prefix} ${prefix}-moved)
set(prefix ${prefix}-moved)

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${build} -G Ninja -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_CXX_FLAGS=${flags} -D THRONG_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${build})
run(${build}/consumer)
run(${build}/consumer_of_everything)
run(${build}/consumer_of_core)
# Core needs oneTBB and what every C++ program needs.
if(NOT FLAGS AND NOT COVERAGE)
  execute_process(COMMAND ldd ${build}/consumer_of_core OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^ \t\n]+\\.so[^ \n]*" libraries "${needed}")
  foreach(library IN LISTS libraries)
    get_filename_component(name ${library} NAME)
    if(NOT name MATCHES "^(linux-vdso|ld-linux.*|libtbb|libstdc\\+\\+|libm|libgcc_s|libc|libpthread|libdl|librt)\\.so")
      message(FATAL_ERROR "a program that links throng::core needs ${name}:\n${needed}")
    endif()
  endforeach()
endif()
execute_process(COMMAND ldd ${BUILD}/throng OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
if(needed MATCHES "Recast|Detour")
  message(FATAL_ERROR "the program links a peer of the benchmarks:\n${needed}")
endif()

# The sample of examples/embed: built as its first lines say, and run on a world of its own.
run(${CMAKE_COMMAND} -S ${EMBED} -B ${build}/embed -G Ninja -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${build}/embed)
execute_process(COMMAND ${build}/embed/embed ${EMBED}/../hall.geojson RESULT_VARIABLE result OUTPUT_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output MATCHES "person 0 at \\(" OR NOT output MATCHES "[1-9][0-9]* people after 10.0 s")
  message(FATAL_ERROR "the sample of examples/embed does not move people: ${result} '${output}'")
endif()
execute_process(COMMAND ${build}/embed/embed ${WORK}/no_such.geojson RESULT_VARIABLE result ERROR_VARIABLE output)
if(NOT result EQUAL 1 OR NOT output MATCHES "no_such.geojson")
  message(FATAL_ERROR "the sample of examples/embed does not say what is wrong: ${result} '${output}'")
endif()

# Methods of a user's own, against core alone: both people get past each other to where the other came from.
run(${CMAKE_COMMAND} -S ${EMBED}/../own_method -B ${build}/own_method -G Ninja -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${build}/own_method)
execute_process(COMMAND ${build}/own_method/own_method RESULT_VARIABLE result OUTPUT_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output MATCHES "^3[78]\\.[0-9]+ [^\n]*\n[12]\\.")
  message(FATAL_ERROR "the methods of examples/own_method do not walk: ${result} '${output}'")
endif()

set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
execute_process(COMMAND pkg-config --static --cflags --libs throng OUTPUT_VARIABLE words COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(words UNIX_COMMAND "${flags} ${words}")
run(${CXX} -std=c++20 ${CONSUMER}/main.cpp -o ${build}/consumer_by_pkg_config ${words})
run(${build}/consumer_by_pkg_config)

# The program answers from where it was installed.
execute_process(COMMAND ${prefix}/bin/throng --version RESULT_VARIABLE result OUTPUT_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output MATCHES "${VERSION}")
  message(FATAL_ERROR "the installed program does not tell its version: ${result} '${output}'")
endif()
# The viewer's client comes along where it was built, and the program finds it from there.
if(EXISTS ${CLIENT}/index.html)
  execute_process(COMMAND ${prefix}/bin/throng view ${WORK}/no_such.geojson RESULT_VARIABLE result ERROR_VARIABLE output)
  if(NOT result EQUAL 1 OR NOT output MATCHES "no_such.geojson" OR output MATCHES "client")
    message(FATAL_ERROR "the installed program does not find the viewer's client: ${result} '${output}'")
  endif()
endif()
file(REMOVE_RECURSE ${prefix} ${prefix}-moved ${build})
