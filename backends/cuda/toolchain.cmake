# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# NVIDIA's compilers and libraries: scripts/compiler chooses, so that setup and CMake agree. Sets PODIUM_NVCC and
# CUDAToolkit_ROOT; a choice made by hand is kept.
podium_compiler(cuda PODIUM_NVCC)
if(NOT CUDAToolkit_ROOT)
  cmake_path(GET PODIUM_NVCC PARENT_PATH CUDAToolkit_ROOT)
  cmake_path(GET CUDAToolkit_ROOT PARENT_PATH CUDAToolkit_ROOT)
endif()

# Kernels that launch kernels: relocatable device code, and the library of its runtime.
function(podium_cudadevrt hint)
  find_library(PODIUM_cuda_cudadevrt_LIBRARY cudadevrt HINTS ${podium_root} PATH_SUFFIXES lib64 lib)
  mark_as_advanced(PODIUM_cuda_cudadevrt_LIBRARY)
  if(NOT PODIUM_cuda_cudadevrt_LIBRARY)
    podium_need(cuda cudadevrt OFF "${hint}")
    return()
  endif()
  cmake_path(GET PODIUM_cuda_cudadevrt_LIBRARY PARENT_PATH folder)
  podium_need(cuda cudadevrt ON "" COMPILE -rdc=true LINK -rdc=true -L${folder} -lcudadevrt)
endfunction()

# Of the wheel that a stamp of `scripts/setup` names.
function(podium_version_of stamp variable)
  file(STRINGS ${stamp} version)
  string(REGEX REPLACE ".*==" "" version "${version}")
  set(${variable} "${version}" PARENT_SCOPE)
endfunction()

# The folder that `scripts/setup --PART` has laid out, or PODIUM_PART names; empty: none.
function(podium_laid_out part variable)
  string(TOUPPER PODIUM_${part} chosen)
  set(root ${${chosen}})
  if(NOT EXISTS ${root}/stamp)
    execute_process(
      COMMAND ${PROJECT_SOURCE_DIR}/scripts/compiler ${part}
      OUTPUT_VARIABLE root
      ERROR_QUIET
      OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    set(${chosen} "${root}" CACHE PATH "Chosen by scripts/compiler ${part}" FORCE)
  endif()
  set(${variable} "${root}" PARENT_SCOPE)
endfunction()

# FlashInfer's headers, and CUTLASS, which is in the same package: a folder as `scripts/setup --flashinfer` lays it out.
function(podium_flashinfer)
  set(PODIUM_CUTLASS "" CACHE PATH "Folder of CUTLASS: holds include/cutlass; empty: FlashInfer's")
  podium_laid_out(flashinfer root)
  set(hint "run scripts/setup --flashinfer, then cmake again")
  set(podium_root ${PODIUM_CUTLASS} $ENV{CUTLASS_PATH} ${root}/cutlass)
  podium_headers(cuda cutlass cutlass/cutlass.h "${hint}, or set PODIUM_CUTLASS to a checkout of NVIDIA's CUTLASS 4")
  if(NOT root)
    podium_need(cuda flashinfer OFF "${hint}")
    return()
  endif()
  podium_version_of(${root}/stamp version)
  set(include)
  # Before nvcc's own CCCL, which lacks what FlashInfer uses.
  foreach(folder IN ITEMS libcudacxx/include cub thrust)
    list(APPEND include -I${root}/cccl/${folder})
  endforeach()
  foreach(folder IN ITEMS include cutlass/include cutlass/tools/util/include spdlog/include)
    list(APPEND include -isystem ${root}/${folder})
  endforeach()
  podium_need(cuda flashinfer ON "" VERSION "${version}" COMPILE ${include})
endfunction()

# Headers of cuDNN's frontend, and cuDNN itself where the toolkit lacks it: a folder as `scripts/setup --cudnn` lays it out.
function(podium_cudnn)
  podium_laid_out(cudnn root)
  set(hint "run scripts/setup --cudnn, then cmake again")
  set(podium_root ${CUDAToolkit_ROOT} ${root})
  podium_library(cuda cudnn cudnn.h cudnn "${hint}, or install NVIDIA's package cudnn")
  if(NOT root)
    podium_need(cuda cudnn_frontend OFF "${hint}")
    return()
  endif()
  podium_version_of(${root}/stamp version)
  podium_need(cuda cudnn_frontend ON "" VERSION "${version}" COMPILE -isystem ${root}/include)
endfunction()

# NCCL, where the toolkit lacks it a folder as `scripts/setup --nccl` lays it out.
function(podium_nccl)
  podium_laid_out(nccl root)
  set(podium_root ${CUDAToolkit_ROOT} ${root})
  podium_library(cuda nccl nccl.h nccl "run scripts/setup --nccl, then cmake again, or install NVIDIA's package libnccl-dev")
endfunction()

function(podium_cuda_needs)
  set(podium_xlinker ON)
  set(PODIUM_KOKKOS_CUDA "" CACHE PATH "Prefix of a Kokkos that was built with CUDA")
  set(podium_root ${CUDAToolkit_ROOT})
  set(podium_toolkit_includes ${podium_root}/include ${podium_root}/include/cccl) # nvcc's own
  set(podium_fallback /usr/local/cuda/lib64)
  set(wheels "run scripts/setup --cuda, or install NVIDIA's package")
  podium_library(cuda cublas cublas_v2.h cublas "${wheels} libcublas-dev")
  podium_library(cuda cublaslt cublasLt.h cublasLt "${wheels} libcublas-dev")
  podium_library(cuda blaslt cublasLt.h cublasLt "${wheels} libcublas-dev")
  podium_library(cuda cusparse cusparse.h cusparse "${wheels} libcusparse-dev")
  podium_library(cuda cusolver cusolverDn.h cusolver "${wheels} libcusolver-dev")
  podium_cudadevrt("${wheels} cuda-cudart-dev")
  podium_headers(cuda cub cub/cub.cuh "${wheels} cuda-cccl" include/cccl)
  podium_cudnn()
  podium_nccl()
  podium_flashinfer()
  podium_openmp(cuda -Xcompiler)
  podium_kokkos(cuda "${PODIUM_KOKKOS_CUDA}" "set PODIUM_KOKKOS_CUDA to the prefix of a shared Kokkos with its CUDA backend"
                --extended-lambda
  )
  podium_python(cuda triton triton)
  podium_python(cuda cutile cuda.tile)
endfunction()

# nvcc and its compiler of host code: host_compiler, version, stamp, host_version and host_stamp in the caller's scope.
macro(podium_identify_nvcc)
  set(host_compiler ${CMAKE_CXX_COMPILER})
  if(CMAKE_CUDA_HOST_COMPILER)
    set(host_compiler ${CMAKE_CUDA_HOST_COMPILER})
  endif()
  podium_identity(${PODIUM_NVCC} version stamp)
  podium_identity(${host_compiler} host_version host_stamp)
endmacro()

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
  podium_identify_nvcc()
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
  podium_cuda_emulated_tools()
  podium_interpreter(cuda)
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
  podium_identify_nvcc()
  podium_identity(${PROJECT_SOURCE_DIR}/emulators/nvidia/compile own_version own_stamp)
  set(version "${version}; ${host_version}; ${own_version} ${digest}")
  get_property(needs GLOBAL PROPERTY PODIUM_NEEDS_cuda)
  set_property(GLOBAL PROPERTY PODIUM_NEEDS_cuda_emulated "${needs}")
  podium_need(cuda_emulated python OFF "packages of Python bring machine code and call the driver; run it on a GPU")

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
