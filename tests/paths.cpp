// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/paths.hpp"

namespace podium::test {

std::string binary_dir() { return PODIUM_BINARY_DIR; }

}  // namespace podium::test
