# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Flags of our own code: warnings are errors; sanitizers on demand.

# Another compiler knows other warnings: who only wants to run Podium should not be stopped by one that CI never saw.
set(podium_tried_compiler OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(podium_tried_compiler ON)
endif()
option(PODIUM_WARNINGS_ARE_ERRORS "Warnings in our own code stop the build" ${podium_tried_compiler})

add_library(podium_options INTERFACE)
target_compile_options(podium_options INTERFACE -Wall -Wextra -Wpedantic -Wno-missing-field-initializers)
if(PODIUM_WARNINGS_ARE_ERRORS)
  target_compile_options(podium_options INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(podium_options INTERFACE -Wno-restrict) # false alarms on std::string (GCC bug 105651)
endif()
target_include_directories(podium_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/sdk)
if(PODIUM_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(podium_options INTERFACE -Wno-maybe-uninitialized) # false alarms on instrumented std::regex
  endif()
endif()
if(PODIUM_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "libFuzzer comes with clang: run scripts/setup --fuzz, then cmake --preset fuzz.")
  endif()
  add_compile_options(
    -fsanitize=fuzzer-no-link,address,undefined
    -fno-omit-frame-pointer
    -fno-sanitize-recover=undefined
    -D_GLIBCXX_ASSERTIONS
  )
  add_link_options(-fsanitize=address,undefined)
endif()
find_program(PODIUM_CCACHE ccache)
if(PODIUM_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PODIUM_CCACHE})
endif()

# An installed program keeps finding the vendor's libraries it was linked with.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
