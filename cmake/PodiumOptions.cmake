# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# Flags of our own code: warnings are errors; sanitizers on demand.
add_library(podium_options INTERFACE)
target_compile_options(podium_options INTERFACE -Wall -Wextra -Wpedantic -Werror -Wno-missing-field-initializers)
target_include_directories(podium_options INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/sdk)
if(PODIUM_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()
find_program(PODIUM_CCACHE ccache)
if(PODIUM_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PODIUM_CCACHE})
endif()
