// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The metadata of a contestant's file, as it is read without compiling.
#pragma once
#include <string>

namespace podium::fuzz {

// Whether the file has a block that is accepted. Throws std::logic_error: what Podium promises of sentences
// did not hold.
bool examine_contestant(const std::string& source);

}  // namespace podium::fuzz
