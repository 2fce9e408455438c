// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The format as a JSON Schema, with which editors complete and check problem files.
#pragma once
#include <string>

namespace podium::problem {

// JSON Schema, draft 7, made of the parser's own tables; ends with a line break. It accepts every file that
// the parser accepts; what needs arithmetic or C++ to be found wrong is left to the parser.
std::string schema();

}  // namespace podium::problem
