# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Contestants include the SDK's headers; of GPU kernels on the CPU they are linked with the rest, which is compiled once. This
# file does not lie with it: a product is named by all that does, in a checkout as where Podium is installed.

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/sdk/podium/emulation/library/*.cpp)
add_library(podium_sdk_emulation STATIC ${sources})
set_target_properties(
  podium_sdk_emulation
  PROPERTIES CXX_VISIBILITY_PRESET hidden ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/podium
)
target_link_libraries(podium_sdk_emulation PRIVATE podium_options PUBLIC Boost::context Threads::Threads)
target_compile_definitions(podium_sdk_emulation PUBLIC PODIUM_EMULATE)
