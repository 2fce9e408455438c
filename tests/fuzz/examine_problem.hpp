// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that Podium does with a problem file before a device takes part.
#pragma once
#include <string>

namespace podium::fuzz {

// Reads `source` and, if it is accepted, makes of it every text and every number that a run needs. Whether
// it was accepted. Throws std::logic_error: what Podium promises of sentences, texts or numbers did not hold.
bool examine_problem(const std::string& source);

}  // namespace podium::fuzz
