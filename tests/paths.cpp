// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/paths.hpp"

#include <cstdlib>

namespace podium::test {

std::string source_dir() { return PODIUM_SOURCE_DIR; }
std::string binary_dir() { return PODIUM_BINARY_DIR; }
std::string cache_dir() { return PODIUM_TEST_CACHE; }
std::string toolchain() {
  const char* named = std::getenv("PODIUM_TOOLCHAIN");
  return named ? named : binary_dir() + "/toolchain.yaml";
}
std::string programs_dir() {
  const char* named = std::getenv("PODIUM_TEST_PROGRAMS");
  return named ? named : binary_dir() + "/bin";
}

}  // namespace podium::test
