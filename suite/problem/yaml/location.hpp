// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where something stands in a file, and text with its place.
#pragma once
#include <string>

namespace podium::problem {

struct Location {
  std::string file;
  int line = 0;  // from 1
};

// An expression of the formula language (shapes, costs, growth, conditions) or a C++ term, and where it
// stands.
struct Text {
  std::string text;
  Location at;
  std::string key = {};  // "reference.y.value"; "" of what the file does not spell out
};

}  // namespace podium::problem
