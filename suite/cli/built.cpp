// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/built.hpp"

namespace podium::cli {

std::string version() { return PODIUM_VERSION; }
std::string built_commit() { return PODIUM_COMMIT; }
std::string built_checkout() { return PODIUM_SOURCE_DIR; }

}  // namespace podium::cli
