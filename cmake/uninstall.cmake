# Takes away what the last `cmake --install` put there: cmake -D BUILD=build/release -P cmake/uninstall.cmake (`make uninstall`). The
# work is done by scripts/uninstall: CMake's lists and globs break at brackets and semicolons, which names of folders may have.
execute_process(COMMAND sh "${CMAKE_CURRENT_LIST_DIR}/../scripts/uninstall" "${BUILD}" RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "what was installed from ${BUILD} could not be taken away (${code})")
endif()
