# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# cmake --install: bin/ and share/podium/, a tree that runs wherever it is moved. podium finds what it needs relative
# to itself. Also podium_programs, the target that scripts/podium builds.

set(programs podium podium-nvrtc)
foreach(backend IN ITEMS host cuda hip)
  list(APPEND programs podium-judge-${backend} podium-worker-${backend})
endforeach()

add_custom_target(podium_programs)
foreach(program IN LISTS programs)
  if(TARGET ${program})
    add_dependencies(podium_programs ${program})
    install(TARGETS ${program} RUNTIME DESTINATION bin COMPONENT podium)
  endif()
endforeach()

install(DIRECTORY sdk/ DESTINATION share/podium/sdk COMPONENT podium FILES_MATCHING PATTERN "*.hpp" PATTERN "*.py")
install(
  DIRECTORY suite/problem/program/
  DESTINATION share/podium/program
  COMPONENT podium
  FILES_MATCHING
  PATTERN "*.hpp"
)
install(DIRECTORY kernels/ DESTINATION share/podium/kernels COMPONENT podium)

install(FILES ${PROJECT_BINARY_DIR}/install/toolchain.yaml DESTINATION share/podium COMPONENT podium)
