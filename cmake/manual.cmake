# The manual page and the completion of shells, written by the program itself at build time (src/cli/manual_page.cpp, completion.cpp).
set(manual_dir ${PROJECT_BINARY_DIR}/manual)
set(manual_files "")
foreach(topic_and_file man=throng.1 bash=throng.bash zsh=_throng fish=throng.fish)
  string(REPLACE "=" ";" pair ${topic_and_file})
  list(GET pair 0 topic)
  list(GET pair 1 file)
  # Coverage of a build step would be counted with that of the tests.
  add_custom_command(OUTPUT ${manual_dir}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual_dir}
    COMMAND ${CMAKE_COMMAND} -E env GCOV_PREFIX=${manual_dir}/gcov $<TARGET_FILE:throng_cli> help ${topic} > ${manual_dir}/${file}
    DEPENDS throng_cli COMMENT "Writing ${file}")
  list(APPEND manual_files ${manual_dir}/${file})
endforeach()
add_custom_target(throng_manual ALL DEPENDS ${manual_files})
