# orrery_embed(OUT TEMPLATE SYMBOL MARK file... MARK file...)
#
# Puts the text of files into a template, where it has a line of @MARK@, and the result into a C file as
# `const char SYMBOL[]`. OUT becomes the name of that file. A MARK is in capital letters; files are beside the template.
function(orrery_embed OUT TEMPLATE SYMBOL)
  get_filename_component(folder "${TEMPLATE}" DIRECTORY)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${SYMBOL}.c")
  set(depends "${TEMPLATE}")
  foreach(word ${ARGN})
    if(NOT word MATCHES "^[A-Z]+$")
      list(APPEND depends "${folder}/${word}")
    endif()
  endforeach()
  string(REPLACE ";" " " parts "${ARGN}")
  add_custom_command(OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DTEMPLATE=${TEMPLATE}" "-DPARTS=${parts}" "-DSYMBOL=${SYMBOL}" "-DOUT=${source}"
      -P "${CMAKE_SOURCE_DIR}/cmake/EmbedFile.cmake"
    DEPENDS ${depends} "${CMAKE_SOURCE_DIR}/cmake/EmbedFile.cmake" VERBATIM)
  set(${OUT} "${source}" PARENT_SCOPE)
endfunction()
