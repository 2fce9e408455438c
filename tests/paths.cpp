// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/paths.hpp"

namespace podium::test {

std::string source_dir() { return PODIUM_SOURCE_DIR; }
std::string binary_dir() { return PODIUM_BINARY_DIR; }
std::string cache_dir() { return PODIUM_TEST_CACHE; }

}  // namespace podium::test
