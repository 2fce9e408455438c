// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The source of this program. These functions have a file of their own, since their values change with each
// commit and checkout: nothing else has to be compiled again.
#pragma once
#include <string>

namespace podium::cli {

std::string version();         // Podium's, as 0.1.0
std::string built_commit();    // as git described it when CMake ran; empty outside of a checkout
std::string built_checkout();  // absolute

}  // namespace podium::cli
