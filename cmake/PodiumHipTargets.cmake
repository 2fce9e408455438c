# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium_hip_compiles(VAR TARGET...): whether ROCm's compiler compiles for these GPUs together.
# podium_hip_targets(VAR): of the five that Podium checks those that it knows, of which older ones lack the newest; it is
# asked once.
function(podium_hip_compiles variable)
  list(TRANSFORM ARGN PREPEND --offload-arch= OUTPUT_VARIABLE options)
  execute_process(
    COMMAND ${PODIUM_ROCM}/bin/hipcc ${options} --cuda-device-only -nogpuinc -nogpulib -fsyntax-only -x hip /dev/null
    RESULT_VARIABLE status
    OUTPUT_QUIET
    ERROR_QUIET
  )
  if(status EQUAL 0)
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()

function(podium_hip_targets variable)
  string(MAKE_C_IDENTIFIER "PODIUM_TARGETS_OF_${PODIUM_ROCM}" of_this_compiler)
  if(NOT DEFINED CACHE{${of_this_compiler}})
    set(targets "")
    foreach(
      target
      IN
      ITEMS gfx90a gfx942 gfx950 gfx1100 gfx1201
    )
      podium_hip_compiles(known ${target})
      if(known)
        list(APPEND targets ${target})
      else()
        message(STATUS "${PODIUM_ROCM}'s compiler does not know ${target}: nothing is tested for it")
      endif()
    endforeach()
    set(${of_this_compiler} "${targets}" CACHE INTERNAL "The GPUs that tests compile for")
  endif()
  set(${variable} ${${of_this_compiler}} PARENT_SCOPE)
endfunction()
