# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Contestants include the SDK's headers; of GPU kernels on the CPU they are linked with the rest, which is compiled once. This
# file does not lie with it: a product is named by all that does, in a checkout as where Podium is installed.

# podium_sdk_emulation_library(NAME LANES): for warps of so many lanes
function(podium_sdk_emulation_library name lanes)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sdk/podium/emulation/library/*.cpp)
  add_library(${name} STATIC ${sources})
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  target_link_libraries(${name} PRIVATE podium_options PUBLIC Boost::context Threads::Threads)
  target_compile_definitions(${name} PUBLIC PODIUM_EMULATE PODIUM_WARP=${lanes})
endfunction()

podium_sdk_emulation_library(podium_sdk_emulation 32)
set_target_properties(podium_sdk_emulation PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/podium)
