# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# What enable_language(HIP) looks for: the runtime that every HIP target links with.
get_filename_component(_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET hip-lang::amdhip64)
  add_library(hip-lang::amdhip64 SHARED IMPORTED)
  set_target_properties(
    hip-lang::amdhip64
    PROPERTIES IMPORTED_LOCATION "${_root}/lib/libamdhip64.so.7" IMPORTED_SONAME libamdhip64.so.7
  )
  add_library(hip-lang::device INTERFACE IMPORTED)
  # CMake leaves out the run path of a folder that the compiler searches by itself, as this one's wrapper does.
  set_target_properties(
    hip-lang::device
    PROPERTIES
      INTERFACE_COMPILE_DEFINITIONS "$<$<COMPILE_LANGUAGE:HIP>:__HIP_PLATFORM_AMD__=1>"
      INTERFACE_LINK_OPTIONS "$<$<LINK_LANGUAGE:HIP>:--hip-link;LINKER:--enable-new-dtags,-rpath,${_root}/lib>"
      INTERFACE_LINK_LIBRARIES hip-lang::amdhip64
  )
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET "hip-lang::device")
unset(_root)
