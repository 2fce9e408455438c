# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# What Podium is built with: an installed package first (scripts/setup installs them all), a pinned download second,
# a clear message third.
include(FetchContent)

# podium_dependency(NAME DEBIAN_PACKAGE REPOSITORY COMMIT): find_package(NAME), else the sources of that commit.
# The commits are the releases that Debian 12 has, so both ways build the same.
function(podium_dependency name package repository commit)
  find_package(${name} QUIET)
  if(${name}_FOUND)
    return()
  endif()
  find_package(Git QUIET)
  if(NOT GIT_FOUND)
    message(
      FATAL_ERROR
      "${name} is not installed, nor is git to download it with: run scripts/setup, or install ${package}."
    )
  endif()
  message(STATUS "${name} is not installed (package ${package}; scripts/setup installs it): downloading ${repository}")
  FetchContent_Declare(${name} GIT_REPOSITORY https://github.com/${repository} GIT_TAG ${commit})
  FetchContent_MakeAvailable(${name})
endfunction()

# Downloads bring neither tests nor shared libraries, and may have been written for a CMake older than this one.
block()
  set(BUILD_SHARED_LIBS OFF)
  set(BUILD_TESTING OFF)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  set(INSTALL_GTEST OFF)
  set(YAML_CPP_BUILD_TOOLS OFF)
  set(CLI11_BUILD_EXAMPLES OFF)
  set(CLI11_BUILD_TESTS OFF)
  set(ENABLE_SAMPLES OFF)
  set(ENABLE_OPENMP OFF)
  # gersemi: off
  podium_dependency(fmt           libfmt-dev         fmtlib/fmt            a33701196adfad74917046096bf5a2aa0ab0bb50) # 9.1.0
  podium_dependency(yaml-cpp      libyaml-cpp-dev    jbeder/yaml-cpp       0579ae3d976091d7d664aa9d2527e0d0cff25763) # 0.7.0
  podium_dependency(nlohmann_json nlohmann-json3-dev nlohmann/json         bc889afb4c5bf1c0d8ee29ef35eaaf4c8bef8a5d) # 3.11.2
  podium_dependency(CLI11         libcli11-dev       CLIUtils/CLI11        70f8072f9dd2292fd0b9f9e5f58e279f60483ed3) # 2.1.2
  podium_dependency(benchmark     libbenchmark-dev   google/benchmark      d572f4777349d43653b21d6c2fc63020ab326db2) # 1.7.1
  # gersemi: on
  if(PODIUM_TESTS)
    podium_dependency(GTest "libgtest-dev and libgmock-dev" google/googletest 58d77fa8070e8cec2dc1ed015d66b454c8d78850) # 1.12.1
  endif()
endblock()

# Too large, or too close to the system, to download.
find_package(Threads REQUIRED)
find_package(OpenSSL QUIET COMPONENTS Crypto)
if(NOT OPENSSL_FOUND)
  message(FATAL_ERROR "OpenSSL's headers are not installed: run scripts/setup, or install libssl-dev.")
endif()
find_path(SECCOMP_INCLUDE_DIR seccomp.h)
find_library(SECCOMP_LIBRARY seccomp)
if(NOT SECCOMP_INCLUDE_DIR OR NOT SECCOMP_LIBRARY)
  message(FATAL_ERROR "libseccomp's headers are not installed: run scripts/setup, or install libseccomp-dev.")
endif()
find_package(Boost QUIET COMPONENTS context)
if(NOT Boost_FOUND OR NOT EXISTS ${Boost_INCLUDE_DIRS}/boost/math/distributions/students_t.hpp)
  message(
    FATAL_ERROR
    "Boost's Context or Math is not installed: run scripts/setup, or install libboost-context-dev and libboost-math-dev."
  )
endif()
find_path(LZ4_INCLUDE_DIR lz4.h)
find_library(LZ4_LIBRARY lz4)
find_path(ZSTD_INCLUDE_DIR zstd.h)
find_library(ZSTD_LIBRARY zstd)
if(NOT LZ4_INCLUDE_DIR OR NOT LZ4_LIBRARY OR NOT ZSTD_INCLUDE_DIR OR NOT ZSTD_LIBRARY)
  message(
    FATAL_ERROR
    "LZ4's or Zstandard's headers are not installed: run scripts/setup, or install liblz4-dev and libzstd-dev."
  )
endif()
