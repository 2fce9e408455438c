# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The CPU's compilers and libraries: the compiler that Podium itself is built with.
function(podium_host_needs)
  set(podium_root)
  set(podium_fallback)
  podium_openmp(host)
  podium_library(host tbb tbb/parallel_for.h tbb "install libtbb-dev")
  podium_library(host openblas cblas.h openblas "install libopenblas-dev")
  podium_kokkos(host "${Kokkos_ROOT};$ENV{Kokkos_ROOT}"
                "install libtrilinos-kokkos-dev, or set Kokkos_ROOT to the prefix of a shared Kokkos"
  )
  podium_interpreter(host)
endfunction()

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
  podium_rpath(rpath ${folder})
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
