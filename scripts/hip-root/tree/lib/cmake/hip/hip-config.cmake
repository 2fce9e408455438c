# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# find_package(hip): hip::host for C++ sources that call the runtime.
get_filename_component(_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET hip::host)
  add_library(hip::amdhip64 SHARED IMPORTED)
  set_target_properties(
    hip::amdhip64
    PROPERTIES
      IMPORTED_LOCATION "${_root}/lib/libamdhip64.so.7"
      IMPORTED_SONAME libamdhip64.so.7
      INTERFACE_INCLUDE_DIRECTORIES "${_root}/include"
      INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1"
  )
  add_library(hip::host INTERFACE IMPORTED)
  set_target_properties(hip::host PROPERTIES INTERFACE_LINK_LIBRARIES hip::amdhip64)
endif()
set(hip_VERSION ${PACKAGE_VERSION})
unset(_root)
