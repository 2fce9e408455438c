# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# cmake --install: bin/, lib/ and share/podium/, a tree that runs wherever it is moved, on any machine whose C library
# and compiler are as new. podium finds what it needs relative to itself. Also podium_programs, the target that
# scripts/podium builds.

get_property(programs GLOBAL PROPERTY PODIUM_BACKEND_PROGRAMS)
list(PREPEND programs podium podium-nvrtc)

add_custom_target(podium_programs)
foreach(program IN LISTS programs)
  if(TARGET ${program})
    add_dependencies(podium_programs ${program})
    set_property(TARGET ${program} PROPERTY INSTALL_RPATH "$ORIGIN/../lib")
    install(TARGETS ${program} RUNTIME_DEPENDENCY_SET podium_libraries RUNTIME DESTINATION bin COMPONENT podium)
  endif()
endforeach()

# The libraries that they were linked with, for machines that do not have them; without those of compilers and
# vendors, of which every machine has its own to compile contestants with.
set(of_compilers "^ld-linux" "^lib(c|m|dl|rt|pthread|stdc\\+\\+|gcc_s|gomp|omp)\\.so")
set(of_vendors "^lib(cu|nv|amd|hip|hsa|roc|MIOpen|rccl)")
set(own "^libpodium")
install(
  RUNTIME_DEPENDENCY_SET podium_libraries
  PRE_EXCLUDE_REGEXES ${of_compilers} ${of_vendors} ${own}
  LIBRARY DESTINATION lib COMPONENT libraries
)

if(PODIUM_HIP_ON_NVIDIA)
  install(PROGRAMS ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/podium-hipcc-nvidia DESTINATION bin COMPONENT podium)
endif()
if(TARGET podium_amdhip64)
  add_dependencies(podium_programs podium_amdhip64) # installed from its own folder
endif()

# Sources of the SDK's library, too: products are named by what lies there.
install(
  DIRECTORY sdk/
  DESTINATION share/podium/sdk
  COMPONENT podium
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "*.cpp"
  PATTERN "*.py"
)
get_property(worker_libraries GLOBAL PROPERTY PODIUM_WORKER_LIBRARIES)
if(worker_libraries)
  install(
    TARGETS ${worker_libraries}
    RUNTIME_DEPENDENCY_SET podium_libraries
    LIBRARY DESTINATION lib/podium COMPONENT podium
  )
endif()
add_dependencies(podium_programs podium_sdk_emulation)
install(TARGETS podium_sdk_emulation ARCHIVE DESTINATION lib/podium COMPONENT podium)
install(
  DIRECTORY suite/problem/program/
  DESTINATION share/podium/program
  COMPONENT podium
  FILES_MATCHING
  PATTERN "*.hpp"
)
install(DIRECTORY site/ DESTINATION share/podium/site COMPONENT podium PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY importers/ DESTINATION share/podium/importers COMPONENT podium FILES_MATCHING PATTERN "*.py")
install(DIRECTORY suite/compile/python/ DESTINATION share/podium/python COMPONENT podium FILES_MATCHING PATTERN "*.py")
install(
  DIRECTORY emulators/common emulators/nvidia
  DESTINATION share/podium/emulators
  COMPONENT podium
  USE_SOURCE_PERMISSIONS
  FILES_MATCHING
  PATTERN "*.py"
  PATTERN "*.hpp"
  PATTERN "compile"
)
if(TARGET podium_cuda_emulated)
  add_dependencies(podium_programs podium_cuda_emulated)
  set_property(TARGET podium_cuda_emulated PROPERTY INSTALL_RPATH "$ORIGIN/../../..")
  install(
    TARGETS podium_cuda_emulated
    RUNTIME_DEPENDENCY_SET podium_libraries
    LIBRARY DESTINATION lib/podium/emulated/cuda COMPONENT podium
  )
endif()
install(DIRECTORY site/ DESTINATION share/podium/site COMPONENT podium PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY kernels/ DESTINATION share/podium/kernels COMPONENT podium)

install(FILES ${PROJECT_BINARY_DIR}/install/toolchain.yaml DESTINATION share/podium COMPONENT podium)
