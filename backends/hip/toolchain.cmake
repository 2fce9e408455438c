# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# AMD's compilers and libraries: scripts/compiler chooses, so that setup and CMake agree. Sets PODIUM_ROCM and
# CMAKE_PREFIX_PATH; a choice made by hand is kept.
if(NOT PODIUM_HIP_ON_NVIDIA)
  if(CMAKE_PREFIX_PATH)
    list(JOIN CMAKE_PREFIX_PATH ":" prefixes)
    set(ENV{CMAKE_PREFIX_PATH} "${prefixes}")
  endif()
  podium_compiler(hip PODIUM_ROCM)
  list(PREPEND CMAKE_PREFIX_PATH ${PODIUM_ROCM})
endif()

function(podium_hip_needs)
  set(PODIUM_KOKKOS_HIP "" CACHE PATH "Prefix of a Kokkos that was built with HIP")
  podium_python(hip triton triton)
  set(podium_root ${PODIUM_ROCM})
  set(podium_toolkit_includes ${podium_root}/include) # hipcc's own
  set(podium_fallback /opt/rocm/lib)
  set(packages "install AMD's package")
  podium_library(hip hipblas hipblas/hipblas.h hipblas "${packages} hipblas-dev")
  podium_library(hip hipblaslt hipblaslt/hipblaslt.h hipblaslt "${packages} hipblaslt-dev")
  podium_library(hip blaslt hipblaslt/hipblaslt.h hipblaslt "${packages} hipblaslt-dev")
  podium_library(hip rocblas rocblas/rocblas.h rocblas "${packages} rocblas-dev")
  podium_library(hip miopen miopen/miopen.h MIOpen "${packages} miopen-hip-dev")
  podium_library(hip hipsolver hipsolver/hipsolver.h hipsolver "${packages} hipsolver-dev")
  podium_library(hip hipsparse hipsparse/hipsparse.h hipsparse "${packages} hipsparse-dev")
  podium_library(hip rccl rccl/rccl.h rccl "${packages} rccl-dev")
  podium_library(hip hiprtc hip/hiprtc.h hiprtc "${packages} hip-dev")
  podium_headers(hip rocprim rocprim/rocprim.hpp "${packages} rocprim-dev")
  podium_headers(hip hipcub hipcub/hipcub.hpp "${packages} hipcub-dev")
  podium_openmp(hip)
  podium_kokkos(hip "${PODIUM_KOKKOS_HIP}" "set PODIUM_KOKKOS_HIP to the prefix of a shared Kokkos with its HIP backend")
endfunction()

# Contestants are compiled by nvcc there: of what they may need elsewhere, only OpenMP.
function(podium_hip_on_nvidia_needs)
  foreach(
    name
    IN
    ITEMS triton hipblas hipblaslt blaslt rocblas miopen hipsolver hipsparse rccl hiprtc rocprim hipcub kokkos
  )
    podium_need(hip ${name} OFF "it is not for HIP's NVIDIA platform; take a device of the backend cuda")
  endforeach()
  podium_openmp(hip)
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

function(podium_hip_on_amd_tools)
  set(PODIUM_HIP_ARCH gfx942 CACHE STRING "Architecture for `podium build` without a device")
  set(hipcc ${PODIUM_ROCM}/bin/hipcc)
  podium_hipcc_tools(${hipcc} ${PODIUM_HIP_ARCH})
  podium_hip_needs()
endfunction()

function(podium_hip_tools)
  if(PODIUM_HIP_ON_NVIDIA)
    podium_hip_on_nvidia_tools()
  else()
    podium_hip_on_amd_tools()
  endif()
endfunction()
