# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Which CUDA and which ROCm the GPU presets build with: scripts/compiler chooses, so that setup and CMake agree.
# Sets PODIUM_NVCC and CUDAToolkit_ROOT, or PODIUM_ROCM and CMAKE_PREFIX_PATH, or PODIUM_HIP_NVIDIA; a choice made by hand is kept.

# podium_compiler(VENDOR VARIABLE): what `scripts/compiler VENDOR` prints; its sentence if there is none.
function(podium_compiler vendor variable)
  if(${variable} AND EXISTS ${${variable}})
    return()
  endif()
  execute_process(
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/compiler ${vendor}
    OUTPUT_VARIABLE found
    ERROR_VARIABLE sentence
    RESULT_VARIABLE status
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_STRIP_TRAILING_WHITESPACE
  )
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "The preset ${vendor} cannot be built: ${sentence}.")
  endif()
  set(${variable} "${found}" CACHE PATH "Chosen by scripts/compiler ${vendor}" FORCE)
endfunction()

if(PODIUM_HIP_ON_NVIDIA)
  set(PODIUM_HIP ON)
  set(PODIUM_CUDA ON) # beside it, to be compared with
  podium_compiler(hip-nvidia PODIUM_HIP_NVIDIA)
endif()

if(PODIUM_CUDA)
  podium_compiler(cuda PODIUM_NVCC)
  if(NOT CUDAToolkit_ROOT)
    cmake_path(GET PODIUM_NVCC PARENT_PATH CUDAToolkit_ROOT)
    cmake_path(GET CUDAToolkit_ROOT PARENT_PATH CUDAToolkit_ROOT)
  endif()
endif()

if(PODIUM_HIP AND NOT PODIUM_HIP_ON_NVIDIA)
  if(CMAKE_PREFIX_PATH)
    list(JOIN CMAKE_PREFIX_PATH ":" prefixes)
    set(ENV{CMAKE_PREFIX_PATH} "${prefixes}")
  endif()
  podium_compiler(hip PODIUM_ROCM)
  list(PREPEND CMAKE_PREFIX_PATH ${PODIUM_ROCM})
endif()
