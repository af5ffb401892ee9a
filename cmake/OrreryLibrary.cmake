# orrery_library(NAME PUBLIC header... DEPENDS library... LINK target...)
#
# A folder is one static library, orrery_NAME, made of all its .c files. Others see only its public headers, as
# "NAME/header.h", and only if they depend on it: each library's include path holds links to its public headers and
# nothing else, so an include that goes upwards or past a public header does not compile. The library's own files (and
# its unit tests, through orrery_NAME_private) see the whole folder under the same spelling.
function(orrery_library NAME)
  cmake_parse_arguments(ARG "" "" "PUBLIC;DEPENDS;LINK;SOURCES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.c")
  list(APPEND sources ${ARG_SOURCES})
  if(NOT sources)
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/empty.c" "typedef int orrery_empty;\n")
    set(sources "${CMAKE_CURRENT_BINARY_DIR}/empty.c")
  endif()
  set(public "${CMAKE_BINARY_DIR}/public/${NAME}")
  set(private "${CMAKE_BINARY_DIR}/private/${NAME}")
  file(MAKE_DIRECTORY "${public}/${NAME}" "${private}")
  foreach(header ${ARG_PUBLIC})
    file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/${header}" "${public}/${NAME}/${header}" SYMBOLIC)
  endforeach()
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${private}/${NAME}" SYMBOLIC)

  add_library(orrery_${NAME} STATIC ${sources})
  add_library(orrery_${NAME}_private INTERFACE)
  target_include_directories(orrery_${NAME}_private INTERFACE "${private}")
  target_include_directories(orrery_${NAME} PUBLIC "${public}" PRIVATE "${private}")
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(orrery_${NAME} PUBLIC orrery_${dependency})
  endforeach()
  target_link_libraries(orrery_${NAME} PUBLIC PkgConfig::GLIB ${ARG_LINK})
  orrery_flags(orrery_${NAME})
endfunction()

# Warnings are errors; the simulator's own floating point follows IEEE without contraction.
function(orrery_flags TARGET)
  target_compile_definitions(${TARGET} PRIVATE _GNU_SOURCE)
  target_compile_options(${TARGET} PRIVATE -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wpointer-arith -Wvla -ffp-contract=off -fno-strict-aliasing -fwrapv)
  if(ORRERY_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(${TARGET} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# orrery_unit_test(LIBRARY LINK target...): tests/unit/LIBRARY/*.c become test_LIBRARY.
function(orrery_unit_test LIBRARY)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/unit/${LIBRARY}/*.c")
  if(NOT sources)
    return()
  endif()
  add_executable(test_${LIBRARY} ${sources})
  target_link_libraries(test_${LIBRARY} PRIVATE orrery_${LIBRARY} orrery_${LIBRARY}_private ${ARG_LINK} PkgConfig::CRITERION)
  target_compile_definitions(test_${LIBRARY} PRIVATE ORRERY_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ORRERY_BINARY_DIR="${CMAKE_BINARY_DIR}")
  orrery_flags(test_${LIBRARY})
  add_test(NAME unit.${LIBRARY} COMMAND test_${LIBRARY})
  set_tests_properties(unit.${LIBRARY} PROPERTIES LABELS "unit;fast" TIMEOUT 300)
endfunction()
