// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/paths.hpp"

#include <cstdlib>

namespace podium::test {

namespace {

std::string or_else(const char* variable, const std::string& otherwise) {
  const char* named = std::getenv(variable);
  return named ? named : otherwise;
}

}  // namespace

std::string source_dir() { return or_else("PODIUM_TEST_SOURCE", PODIUM_SOURCE_DIR); }
std::string binary_dir() { return PODIUM_BINARY_DIR; }
std::string cache_dir() { return or_else("PODIUM_TEST_CACHE", PODIUM_TEST_CACHE); }
std::string toolchain() { return or_else("PODIUM_TOOLCHAIN", binary_dir() + "/toolchain.yaml"); }
std::string programs_dir() { return or_else("PODIUM_TEST_PROGRAMS", binary_dir() + "/bin"); }

}  // namespace podium::test
