# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Writes toolchain.yaml: the compilers, flags and libraries with which `podium build` compiles contestants and judge's
# programs (suite/compile/toolchain.hpp reads it); backends/NAME/toolchain.cmake fills in a backend's section, by
# podium_NAME_tools(). One file for the build tree, one for the install tree.
include(PodiumNeeds)

# What `COMPILER --version` says of itself, less the name by which GCC was called; and size and time of its file, by
# which Podium notices later that it was replaced.
function(podium_identity compiler version stamp)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${compiler} --version
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said
    RESULT_VARIABLE status
  )
  string(REGEX MATCH "[^\n]*[0-9]+\\.[0-9]+[^\n]*" line "${said}")
  if(NOT status EQUAL 0 OR line STREQUAL "")
    message(FATAL_ERROR "${compiler} --version failed: is it a compiler? It said: ${said}")
  endif()
  cmake_path(GET compiler FILENAME name)
  string(FIND "${line}" "${name} " at)
  if(at EQUAL 0)
    string(LENGTH "${name} " length)
    string(SUBSTRING "${line}" ${length} -1 line)
  endif()
  file(SIZE ${compiler} bytes)
  file(TIMESTAMP ${compiler} seconds "%s" UTC)
  string(REGEX REPLACE "^\\(" "GCC (" line "${line}")
  set(${version} "${line}" PARENT_SCOPE)
  set(${stamp} "${bytes}.${seconds}" PARENT_SCOPE)
endfunction()

# podium_backend_tools(BACKEND KEY VALUES...): one line of a backend's section; a list if the key is one of flags.
function(podium_backend_tools backend key)
  if(key MATCHES "flags$")
    podium_yaml_list(value ${ARGN})
  else()
    podium_yaml_text(value "${ARGN}")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY PODIUM_TOOLS_${backend} "    ${key}: ${value}\n")
endfunction()

set(podium_shared -shared -fPIC -fvisibility=hidden)
set(podium_warnings -Wall -Wextra)
set(podium_defined -Wl,-z,defs) # a symbol that nobody defines is found now, not in the worker
set(podium_sanitizers)
if(PODIUM_SANITIZE)
  set(podium_sanitizers -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    set(podium_defined) # its sanitizers are defined by the executable
  endif()
endif()

# podium_write_toolchain(OUTPUT SDK PROGRAM PYTHON BIN EMULATORS [-On]): folders relative to OUTPUT's, so that the tree can
# be moved; with -On in place of the optimisation that contestants and judge's programs have otherwise.
function(
  podium_write_toolchain
  output
  sdk
  program
  python
  bin
  emulators
)
  set(text "# Written by CMake; suite/compile/toolchain.hpp says what it means.\npodium: 1\n")
  podium_yaml_text(sdk ${sdk})
  podium_yaml_text(program ${program})
  podium_yaml_text(python ${python})
  podium_yaml_text(bin_folder ${bin})
  string(APPEND text "sdk: ${sdk}\nprogram: ${program}\npython: ${python}\nbin: ${bin_folder}\nbackends:\n")
  foreach(backend IN LISTS podium_backends)
    get_property(tools GLOBAL PROPERTY PODIUM_TOOLS_${backend})
    if(tools)
      get_property(needs GLOBAL PROPERTY PODIUM_NEEDS_${backend})
      string(APPEND text "  ${backend}:\n${tools}    needs:\n${needs}")
    endif()
  endforeach()
  set(emulated)
  foreach(backend IN LISTS podium_backends)
    get_property(tools GLOBAL PROPERTY PODIUM_TOOLS_${backend}_emulated)
    if(tools)
      get_property(needs GLOBAL PROPERTY PODIUM_NEEDS_${backend}_emulated)
      string(APPEND emulated "  ${backend}:\n${tools}    needs:\n${needs}")
    endif()
  endforeach()
  if(emulated)
    string(APPEND text "emulated:\n${emulated}")
  endif()
  string(REPLACE "@bin@" "${bin}" text "${text}")
  string(REPLACE "@emulators@" "${emulators}" text "${text}")
  if(ARGC GREATER 6)
    string(REGEX REPLACE "\"-O[0-9]\"" "\"${ARGV6}\"" text "${text}")
  endif()
  file(GENERATE OUTPUT ${output} CONTENT "${text}")
endfunction()

foreach(backend IN LISTS podium_backends)
  string(TOUPPER ${backend} name)
  if(PODIUM_${name})
    cmake_language(CALL podium_${backend}_tools)
  endif()
endforeach()

cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE source)
podium_write_toolchain(${PROJECT_BINARY_DIR}/toolchain.yaml ${source}/sdk ${source}/suite/problem/program ${source}/suite/compile/python bin ${source}/emulators)
# Of tests that hold neither times nor last bits against expectations, and compile a lot.
podium_write_toolchain(${PROJECT_BINARY_DIR}/toolchain_o1.yaml ${source}/sdk ${source}/suite/problem/program ${source}/suite/compile/python bin ${source}/emulators -O1)
# <prefix>/share/podium/{toolchain.yaml,sdk,program,python} and <prefix>/bin
podium_write_toolchain(${PROJECT_BINARY_DIR}/install/toolchain.yaml sdk program python ../../bin emulators)
