# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Writes toolchain.yaml: the compilers, flags and libraries with which `podium build` compiles contestants and judge's
# programs (suite/compile/toolchain.hpp reads it). One file for the build tree, one for the install tree.
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

function(podium_host_tools)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=native PODIUM_MARCH_NATIVE)
  if(PODIUM_MARCH_NATIVE)
    set(native -march=native)
  else()
    set(native -mcpu=native)
  endif()
  podium_identity(${CMAKE_CXX_COMPILER} version stamp)
  get_target_property(context Boost::context LOCATION)
  cmake_path(GET context PARENT_PATH folder)
  podium_rpath(rpath host ${folder})
  podium_backend_tools(host compiler ${CMAKE_CXX_COMPILER})
  podium_backend_tools(host version "${version}")
  podium_backend_tools(host stamp ${stamp})
  # Unknown to a CPU's compiler is `#pragma unroll`.
  podium_backend_tools(host flags -std=c++20 -O2 -DPODIUM_EMULATE -pthread ${podium_shared} ${podium_warnings}
                       -Wno-unknown-pragmas ${podium_sanitizers}
  )
  podium_backend_tools(host link_flags "\${bin}/../lib/podium/libpodium_sdk_emulation.a" ${context} ${rpath} ${podium_defined})
  podium_backend_tools(host native_flags -std=c++20 -O3 ${native} -pthread ${podium_shared} ${podium_warnings} ${podium_sanitizers})
  podium_backend_tools(host native_link_flags ${podium_defined})
  podium_backend_tools(host program_compiler ${CMAKE_CXX_COMPILER})
  podium_backend_tools(host program_version "${version}")
  podium_backend_tools(host program_flags -std=c++20 -O3 ${native} -ffp-contract=off ${podium_shared} ${podium_sanitizers})
  podium_backend_tools(host default_arch "")
  podium_host_needs()
endfunction()

function(podium_cuda_tools)
  set(
    PODIUM_CUDA_ARCH
    ""
    CACHE STRING
    "Architecture for `podium build` without a device; empty: this machine's, or sm_90"
  )
  set(arch ${PODIUM_CUDA_ARCH})
  if(NOT arch)
    execute_process(
      COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE capability
      RESULT_VARIABLE status
      ERROR_QUIET
    )
    set(arch sm_90)
    if(status EQUAL 0 AND capability MATCHES "^([0-9]+)\\.([0-9])")
      set(arch sm_${CMAKE_MATCH_1}${CMAKE_MATCH_2})
    endif()
  endif()
  set(host_compiler ${CMAKE_CXX_COMPILER})
  if(CMAKE_CUDA_HOST_COMPILER)
    set(host_compiler ${CMAKE_CUDA_HOST_COMPILER})
  endif()
  podium_identity(${PODIUM_NVCC} version stamp)
  podium_identity(${host_compiler} host_version host_stamp)
  # Contraction and language are podium-nvrtc's own choice, so its source identifies it.
  set(nvrtc ${PROJECT_SOURCE_DIR}/backends/cuda/nvrtc_main.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${nvrtc})
  file(SHA256 ${nvrtc} nvrtc_source)
  string(SUBSTRING ${nvrtc_source} 0 16 nvrtc_source)

  podium_backend_tools(cuda compiler ${PODIUM_NVCC})
  podium_backend_tools(cuda host_compiler ${host_compiler})
  podium_backend_tools(cuda version "${version}; ${host_version}")
  podium_backend_tools(cuda stamp "${stamp} ${host_stamp}")
  podium_backend_tools(cuda flags -std=c++20 -O3 -shared --expt-relaxed-constexpr
                       -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra
  )
  podium_backend_tools(cuda link_flags -Xlinker -z,defs)
  podium_backend_tools(cuda program_compiler "@bin@/podium-nvrtc")
  podium_backend_tools(cuda program_version "${version}; podium-nvrtc ${nvrtc_source}")
  podium_backend_tools(cuda program_flags)
  podium_backend_tools(cuda default_arch ${arch})
  podium_cuda_needs()
endfunction()

# HIP's compiler, or what is called as it is, and the architecture to compile for without a device; the name that
# toolchain.yaml has for the compiler, if it is another one.
function(podium_hipcc_tools hipcc arch)
  set(called ${hipcc} ${ARGN})
  list(GET called -1 called)
  podium_identity(${hipcc} version stamp)
  podium_backend_tools(hip compiler ${called})
  podium_backend_tools(hip version "${version}")
  podium_backend_tools(hip stamp ${stamp})
  podium_backend_tools(hip flags -std=c++20 -O3 ${podium_shared} ${podium_warnings})
  podium_backend_tools(hip link_flags ${podium_defined})
  podium_backend_tools(hip program_compiler ${called})
  podium_backend_tools(hip program_version "${version}")
  podium_backend_tools(hip program_flags --genco -std=c++20 -O3 -ffp-contract=off)
  podium_backend_tools(hip default_arch ${arch})
endfunction()

# HIP's NVIDIA platform: nvcc, called as hipcc is, by a script that is installed with the programs.
function(podium_hip_on_nvidia_tools)
  set(hipcc ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/podium-hipcc-nvidia)
  configure_file(
    ${PROJECT_SOURCE_DIR}/cmake/hipcc-nvidia.in
    ${hipcc}
    @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  )
  set(arch ${PODIUM_CUDA_ARCH})
  if(NOT arch)
    set(arch sm_90)
  endif()
  podium_hipcc_tools(${hipcc} ${arch} "@bin@/podium-hipcc-nvidia")
  podium_hip_on_nvidia_needs()
endfunction()

# For devices that are not there, in place of nvcc and podium-nvrtc: emulators/nvidia/compile. Whatever its output
# depends on is part of its version.
function(podium_cuda_emulated_tools)
  file(
    GLOB_RECURSE sources
    CONFIGURE_DEPENDS
    emulators/common/*.py
    emulators/nvidia/translator/*.py
    emulators/nvidia/device/*.hpp
  )
  list(APPEND sources ${PROJECT_SOURCE_DIR}/emulators/nvidia/compile ${PROJECT_SOURCE_DIR}/backends/cuda/nvrtc_main.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  set(digests)
  foreach(source IN LISTS sources)
    file(SHA256 ${source} digest)
    string(APPEND digests ${digest})
  endforeach()
  string(SHA256 digest "${digests}")
  string(SUBSTRING ${digest} 0 16 digest)
  set(host_compiler ${CMAKE_CXX_COMPILER})
  if(CMAKE_CUDA_HOST_COMPILER)
    set(host_compiler ${CMAKE_CUDA_HOST_COMPILER})
  endif()
  podium_identity(${PODIUM_NVCC} version stamp)
  podium_identity(${host_compiler} host_version host_stamp)
  podium_identity(${PROJECT_SOURCE_DIR}/emulators/nvidia/compile own_version own_stamp)
  set(version "${version}; ${host_version}; ${own_version} ${digest}")
  get_property(needs GLOBAL PROPERTY PODIUM_NEEDS_cuda)
  set_property(GLOBAL PROPERTY PODIUM_NEEDS_cuda_emulated "${needs}")

  podium_backend_tools(cuda_emulated compiler "@emulators@/nvidia/compile")
  podium_backend_tools(cuda_emulated host_compiler ${host_compiler})
  podium_backend_tools(cuda_emulated version "${version}")
  podium_backend_tools(cuda_emulated stamp "${own_stamp} ${host_stamp}")
  podium_backend_tools(cuda_emulated flags --nvcc ${PODIUM_NVCC} --cxx "\${host_compiler}" -std=c++20 -O1 -shared
                       --expt-relaxed-constexpr -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra
  )
  podium_backend_tools(cuda_emulated link_flags)
  podium_backend_tools(cuda_emulated program_compiler "@emulators@/nvidia/compile")
  podium_backend_tools(cuda_emulated program_version "${version}")
  podium_backend_tools(cuda_emulated program_flags --nvrtc "\${bin}/podium-nvrtc" --cxx ${host_compiler})
  podium_backend_tools(cuda_emulated default_arch sm_90)
endfunction()

function(podium_hip_tools)
  set(PODIUM_HIP_ARCH gfx942 CACHE STRING "Architecture for `podium build` without a device")
  set(hipcc ${PODIUM_ROCM}/bin/hipcc)
  podium_hipcc_tools(${hipcc} ${PODIUM_HIP_ARCH})
  podium_hip_needs()
endfunction()

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
  foreach(backend host cuda hip)
    get_property(tools GLOBAL PROPERTY PODIUM_TOOLS_${backend})
    if(tools)
      get_property(needs GLOBAL PROPERTY PODIUM_NEEDS_${backend})
      string(APPEND text "  ${backend}:\n${tools}    needs:\n${needs}")
    endif()
  endforeach()
  get_property(tools GLOBAL PROPERTY PODIUM_TOOLS_cuda_emulated)
  if(tools)
    get_property(needs GLOBAL PROPERTY PODIUM_NEEDS_cuda_emulated)
    string(APPEND text "emulated:\n  cuda:\n${tools}    needs:\n${needs}")
  endif()
  string(REPLACE "@bin@" "${bin}" text "${text}")
  string(REPLACE "@emulators@" "${emulators}" text "${text}")
  if(ARGC GREATER 6)
    string(REGEX REPLACE "\"-O[0-9]\"" "\"${ARGV6}\"" text "${text}")
  endif()
  file(GENERATE OUTPUT ${output} CONTENT "${text}")
endfunction()

podium_host_tools()
if(PODIUM_CUDA)
  podium_cuda_tools()
  podium_cuda_emulated_tools()
endif()
if(PODIUM_HIP_ON_NVIDIA)
  podium_hip_on_nvidia_tools()
elseif(PODIUM_HIP)
  podium_hip_tools()
endif()

cmake_path(RELATIVE_PATH PROJECT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_BINARY_DIR} OUTPUT_VARIABLE source)
podium_write_toolchain(${PROJECT_BINARY_DIR}/toolchain.yaml ${source}/sdk ${source}/suite/problem/program ${source}/suite/compile/python bin ${source}/emulators)
# Of tests that hold neither times nor last bits against expectations, and compile a lot.
podium_write_toolchain(${PROJECT_BINARY_DIR}/toolchain_o1.yaml ${source}/sdk ${source}/suite/problem/program ${source}/suite/compile/python bin ${source}/emulators -O1)
# <prefix>/share/podium/{toolchain.yaml,sdk,program,python} and <prefix>/bin
podium_write_toolchain(${PROJECT_BINARY_DIR}/install/toolchain.yaml sdk program python ../../bin emulators)
