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

# Moved before use: nothing installed may remember where it was put.
file(RENAME ${prefix} ${prefix}-moved)
set(prefix ${prefix}-moved)

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${build} -G Ninja -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${CXX}
    -D CMAKE_CXX_FLAGS=${flags} -D THRONG_VERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${build})
run(${build}/consumer)
run(${build}/consumer_of_everything)

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
file(REMOVE_RECURSE ${prefix} ${prefix}-moved ${build})
