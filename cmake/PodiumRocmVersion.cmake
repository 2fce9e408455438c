# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium_rocm_major(ROOT RESULT): the number that a ROCm root's libraries have in their names, libamdhip64.so.NUMBER: of the
# library itself, or, where there is none, the first of HIP's version.
function(podium_rocm_major root result)
  set(numbers "")
  set(line "")
  foreach(folder IN ITEMS lib lib64)
    file(GLOB found "${root}/${folder}/libamdhip64.so.[0-9]*")
    foreach(library IN LISTS found)
      if(library MATCHES "\\.so\\.([0-9]+)[^/]*$")
        list(APPEND numbers ${CMAKE_MATCH_1})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES numbers)
  list(LENGTH numbers count)
  if(count EQUAL 0)
    set(header ${root}/include/hip/hip_version.h)
    if(EXISTS ${header})
      file(STRINGS ${header} line REGEX "define HIP_VERSION_MAJOR +[0-9]+")
    endif()
    if(NOT "${line}" MATCHES "([0-9]+)$")
      message(
        FATAL_ERROR
        "${root} has neither a libamdhip64.so with a number nor HIP_VERSION_MAJOR in include/hip/hip_version.h: it is no ROCm root; set PODIUM_ROCM to one."
      )
    endif()
    set(numbers ${CMAKE_MATCH_1})
  elseif(count GREATER 1)
    list(JOIN numbers ", " all)
    message(
      FATAL_ERROR
      "${root}/lib has libamdhip64.so by several numbers (${all}): of which ROCm is it? Remove what is left over of another."
    )
  endif()
  set(${result} ${numbers} PARENT_SCOPE)
endfunction()
