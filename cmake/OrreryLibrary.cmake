# orrery_library(NAME [ENGINE] PUBLIC header... DEPENDS library... LINK target... SOURCES file...)
#
# A folder is one static library, orrery_NAME, made of all its .c files and of its rooms. Other libraries see only its
# public headers, as "NAME/header.h", and only if they depend on it. The include path of a library holds links to its
# public headers and nothing else, so an include that goes upwards or past a public header does not compile. The
# library's own files (and its unit tests, through orrery_NAME_private) see the whole folder under the same names.
# ENGINE: see orrery_engine().
function(orrery_library NAME)
  cmake_parse_arguments(ARG "ENGINE" "" "PUBLIC;DEPENDS;LINK;SOURCES" ${ARGN})
  orrery_offers(orrery_${NAME}_offers "${NAME}" "${CMAKE_CURRENT_SOURCE_DIR}" "${ARG_PUBLIC}")
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(orrery_${NAME}_offers INTERFACE orrery_${dependency}_offers)
  endforeach()
  target_link_libraries(orrery_${NAME}_offers INTERFACE PkgConfig::GLIB ${ARG_LINK})

  orrery_own_files(own "${NAME}" "${CMAKE_CURRENT_SOURCE_DIR}")
  add_library(orrery_${NAME}_private INTERFACE)
  target_include_directories(orrery_${NAME}_private INTERFACE "${own}")

  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.c")
  list(APPEND sources ${ARG_SOURCES})
  if(NOT sources) # all of it is in rooms
    file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/empty.c" "typedef int orrery_empty;\n")
    set(sources "${CMAKE_CURRENT_BINARY_DIR}/empty.c")
  endif()
  add_library(orrery_${NAME} STATIC ${sources})
  target_include_directories(orrery_${NAME} PRIVATE "${own}")
  target_link_libraries(orrery_${NAME} PUBLIC orrery_${NAME}_offers)
  foreach(dependency ${ARG_DEPENDS})
    target_link_libraries(orrery_${NAME} PUBLIC orrery_${dependency})
  endforeach()
  orrery_flags(orrery_${NAME})
  set_target_properties(orrery_${NAME} PROPERTIES ORRERY_ENGINE "${ARG_ENGINE}")
  if(ARG_ENGINE)
    orrery_engine(orrery_${NAME})
  endif()
endfunction()

# orrery_room(LIBRARY ROOM PUBLIC header... DEPENDS room... LINK target... SOURCES file... VARIANTS word...)
#
# A room is a sub-folder of a library, with the same kind of include path. Its files see the public headers of the library
# and of the libraries below. They see the public headers of the rooms that the room depends on, directly or through
# others ("LIBRARY/ROOM/header.h"), and their own folder. They do not see the rooms above. The CMake file of a library
# lists its rooms from the ground up, and the test `house` checks that symbols follow the same order. VARIANTS: files whose
# names end in _WORD.c are not part of the library. They become orrery_LIBRARY_ROOM_WORD, and an executable links the
# objects of one WORD.
function(orrery_room LIBRARY ROOM)
  cmake_parse_arguments(ARG "" "" "PUBLIC;DEPENDS;LINK;SOURCES;VARIANTS" ${ARGN})
  set(target "orrery_${LIBRARY}_${ROOM}")
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}/${ROOM}")
  orrery_offers(${target}_offers "${LIBRARY}/${ROOM}" "${folder}" "${ARG_PUBLIC}")
  foreach(room ${ARG_DEPENDS})
    target_link_libraries(${target}_offers INTERFACE orrery_${LIBRARY}_${room}_offers)
  endforeach()
  target_link_libraries(${target}_offers INTERFACE orrery_${LIBRARY}_offers ${ARG_LINK})

  orrery_own_files(own "${LIBRARY}/${ROOM}" "${folder}")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.c")
  list(APPEND sources ${ARG_SOURCES})
  foreach(variant ${ARG_VARIANTS})
    set(own_sources ${sources})
    list(FILTER own_sources INCLUDE REGEX "_${variant}[.]c$")
    list(FILTER sources EXCLUDE REGEX "_${variant}[.]c$")
    orrery_room_objects(${target}_${variant} ${LIBRARY} ${target}_offers "${own}" ${own_sources})
  endforeach()
  orrery_room_objects(${target} ${LIBRARY} ${target}_offers "${own}" ${sources})
  target_sources(orrery_${LIBRARY} PRIVATE "$<TARGET_OBJECTS:${target}>")
endfunction()

# Makes TARGET, the objects of a room of LIBRARY. They see what OFFERS offers, and the files in OWN.
function(orrery_room_objects TARGET LIBRARY OFFERS OWN)
  add_library(${TARGET} OBJECT ${ARGN})
  target_include_directories(${TARGET} PRIVATE "${OWN}")
  target_link_libraries(${TARGET} PRIVATE ${OFFERS})
  orrery_flags(${TARGET})
  get_target_property(engine orrery_${LIBRARY} ORRERY_ENGINE)
  if(engine)
    orrery_engine(${TARGET})
  endif()
endfunction()

# Gives OUT a folder of include paths in which the files of FOLDER are "PATH/file".
function(orrery_own_files OUT PATH FOLDER)
  string(REPLACE "/" "." name "${PATH}")
  set(private "${CMAKE_BINARY_DIR}/private/${name}")
  get_filename_component(parent "${private}/${PATH}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  file(CREATE_LINK "${FOLDER}" "${private}/${PATH}" SYMBOLIC)
  set(${OUT} "${private}" PARENT_SCOPE)
endfunction()

# Makes TARGET. Whatever links it sees the listed HEADERS of FOLDER as "PATH/header", and no others.
function(orrery_offers TARGET PATH FOLDER HEADERS)
  string(REPLACE "/" "." name "${PATH}")
  set(public "${CMAKE_BINARY_DIR}/public/${name}")
  file(REMOVE_RECURSE "${public}") # what it no longer shows
  file(MAKE_DIRECTORY "${public}/${PATH}")
  foreach(header ${HEADERS})
    get_filename_component(room "${public}/${PATH}/${header}" DIRECTORY)
    file(MAKE_DIRECTORY "${room}")
    file(CREATE_LINK "${FOLDER}/${header}" "${public}/${PATH}/${header}" SYMBOLIC)
  endforeach()
  add_library(${TARGET} INTERFACE)
  target_include_directories(${TARGET} INTERFACE "${public}")
endfunction()

# orrery_engine(TARGET): a library that every message passes through. Its path crosses many files by short functions. So
# in a release build the objects also hold what link-time optimisation needs: `orrery` then moves a quarter more
# messages. Tests and other executables do without it, because each would take seconds to link.
if(ORRERY_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_C_COMPILER_ID STREQUAL "GNU"
    AND NOT ORRERY_SANITIZE AND NOT ORRERY_THREAD_SANITIZE AND NOT ORRERY_FUZZ)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT ORRERY_LTO_WORKS LANGUAGES C)
endif()
if(ORRERY_LTO_WORKS)
  add_link_options(-fno-lto) # overridden by orrery_link_engine()
endif()
# In these libraries, one instruction must not add or copy two neighbouring words. A processor that reads with one
# instruction what two have just written waits until both have left its store buffer, and times and keys are passed on
# like that. And structs are cleared by plain stores: `rep stos` takes thirty cycles to begin.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(ORRERY_ENGINE_OPTIONS -fno-tree-slp-vectorize -fno-store-merging)
  include(CheckCCompilerFlag)
  set(memset "-mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign")
  check_c_compiler_flag("${memset}" ORRERY_MEMSET_WORKS)
  if(ORRERY_MEMSET_WORKS)
    list(APPEND ORRERY_ENGINE_OPTIONS "${memset}")
  endif()
endif()
function(orrery_engine TARGET)
  target_compile_options(${TARGET} PRIVATE ${ORRERY_ENGINE_OPTIONS})
  if(ORRERY_LTO_WORKS)
    target_compile_options(${TARGET} PRIVATE -flto -ffat-lto-objects)
  endif()
endfunction()
# orrery_engine_files(FILE...): like orrery_engine(), for some files of a library.
function(orrery_engine_files)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS ${ORRERY_ENGINE_OPTIONS})
  if(ORRERY_LTO_WORKS)
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -flto -ffat-lto-objects)
  endif()
endfunction()
# orrery_link_engine(TARGET): links an executable with the optimisation of orrery_engine().
function(orrery_link_engine TARGET)
  if(ORRERY_LTO_WORKS)
    target_link_options(${TARGET} PRIVATE -flto -flto=2)
  endif()
endfunction()

# Warnings are errors with the compilers that are known to compile everything without any. A warning of another compiler
# is no reason not to build.
set(ORRERY_KNOWN_COMPILER OFF)
if((CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 12
    AND CMAKE_C_COMPILER_VERSION VERSION_LESS 15) OR CMAKE_C_COMPILER_ID STREQUAL "Clang"
    AND CMAKE_C_COMPILER_VERSION VERSION_LESS 15)
  set(ORRERY_KNOWN_COMPILER ON)
endif()
option(ORRERY_WERROR "Treat warnings as errors" ${ORRERY_KNOWN_COMPILER})

# The simulator's own floating point follows IEEE without contraction. It uses only what the oldest supported release of
# GLib has. Names that newer releases have deprecated cause no warnings.
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
  if(ORRERY_COVERAGE) # counts in threads, too; a process that is killed writes no counts
    target_compile_options(${TARGET} PRIVATE --coverage -fprofile-abs-path -fprofile-update=prefer-atomic)
    target_link_options(${TARGET} PUBLIC --coverage)
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
