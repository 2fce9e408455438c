// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What this program was built from. Functions in a file of their own: what changes with each commit and
// checkout is no reason to compile anything else anew.
#pragma once
#include <string>

namespace podium::cli {

std::string version();         // Podium's, as 0.1.0
std::string built_commit();    // as git described it when CMake ran; empty outside of a checkout
std::string built_checkout();  // absolute

}  // namespace podium::cli
