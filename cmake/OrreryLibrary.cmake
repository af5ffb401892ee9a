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

# orrery_engine(TARGET): a library on the way of every message. That way crosses many files by short functions, so in
# a release build they hold, besides their code, what link-time optimisation needs of them: `orrery` moves a quarter
# more messages by it. Other executables, tests and the like, do without: each would take its seconds to link.
if(ORRERY_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_C_COMPILER_ID STREQUAL "GNU"
    AND NOT ORRERY_SANITIZE AND NOT ORRERY_THREAD_SANITIZE AND NOT ORRERY_FUZZ)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT ORRERY_LTO_WORKS LANGUAGES C)
endif()
if(ORRERY_LTO_WORKS)
  add_link_options(-fno-lto) # overridden by orrery_link_engine()
endif()
# Two words that stand side by side are not added or copied by one instruction there: a processor that reads by one
# what has just been written by two waits until both have left its store buffer, and times and keys are handed on like that.
function(orrery_engine TARGET)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${TARGET} PRIVATE -fno-tree-slp-vectorize -fno-store-merging)
  endif()
  if(ORRERY_LTO_WORKS)
    target_compile_options(${TARGET} PRIVATE -flto -ffat-lto-objects)
  endif()
endfunction()
# orrery_engine_files(FILE...): the same for some files of a library.
function(orrery_engine_files)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fno-tree-slp-vectorize -fno-store-merging)
  endif()
  if(ORRERY_LTO_WORKS)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -flto -ffat-lto-objects)
  endif()
endfunction()
# orrery_link_engine(TARGET): an executable made of engine libraries that is to be fast.
function(orrery_link_engine TARGET)
  if(ORRERY_LTO_WORKS)
    target_link_options(${TARGET} PRIVATE -flto -flto=2)
  endif()
endfunction()

# Warnings are errors with the compilers that all of it has been compiled with. What another one warns of is no reason
# not to build.
set(ORRERY_KNOWN_COMPILER OFF)
if((CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12
    AND CMAKE_C_COMPILER_VERSION VERSION_LESS 15) OR CMAKE_C_COMPILER_ID STREQUAL "Clang"
    AND CMAKE_C_COMPILER_VERSION VERSION_LESS 15)
  set(ORRERY_KNOWN_COMPILER ON)
endif()
option(ORRERY_WERROR "Treat warnings as errors" ${ORRERY_KNOWN_COMPILER})

# The simulator's own floating point follows IEEE without contraction. Of GLib it needs, and uses, what the oldest
# supported release has; that newer ones have renamed some of it is no news for whoever builds.
function(orrery_flags TARGET)
  target_compile_definitions(${TARGET} PRIVATE _GNU_SOURCE GLIB_VERSION_MIN_REQUIRED=GLIB_VERSION_2_70
    GLIB_VERSION_MAX_ALLOWED=GLIB_VERSION_2_70)
  target_compile_options(${TARGET} PRIVATE -Wall -Wextra $<$<BOOL:${ORRERY_WERROR}>:-Werror> -Wshadow
    -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -ffp-contract=off -fno-strict-aliasing -fwrapv)
  if(ORRERY_FUZZ)
    target_compile_options(${TARGET} PRIVATE -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -g)
    target_compile_definitions(${TARGET} PRIVATE ORRERY_FUZZ)
    target_link_options(${TARGET} PUBLIC -fsanitize=address,undefined)
  endif()
  if(ORRERY_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(${TARGET} PUBLIC -fsanitize=address,undefined)
  endif()
  if(ORRERY_THREAD_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(${TARGET} PUBLIC -fsanitize=thread)
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
