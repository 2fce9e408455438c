# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# The backends that can be built: folders of backends/ that have a toolchain.cmake, which finds their compilers. An option
# PODIUM_NAME builds each; the CPU's always is. Sets podium_backends.
file(GLOB podium_backends RELATIVE ${PROJECT_SOURCE_DIR}/backends CONFIGURE_DEPENDS backends/*/toolchain.cmake)
list(TRANSFORM podium_backends REPLACE "/toolchain.cmake" "")
list(REMOVE_ITEM podium_backends host)
foreach(backend IN LISTS podium_backends)
  string(TOUPPER ${backend} name)
  option(PODIUM_${name} "Build the ${name} judge and worker" OFF)
endforeach()
list(PREPEND podium_backends host)
set(PODIUM_HOST ON)

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

foreach(backend IN LISTS podium_backends)
  string(TOUPPER ${backend} name)
  if(PODIUM_${name})
    include(backends/${backend}/toolchain.cmake)
  endif()
endforeach()
