// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Errors with a place, as g++, clang, nvcc and NVRTC write them into their logs.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace podium::compile {

struct LocatedError {
  std::string file, line, what;
  bool trail_behind = false;  // what led there follows the error (nvcc, NVRTC), rather than precedes it
};

// The lines of a log, each cut to a few thousand bytes.
std::vector<std::string> lines_of(const std::string& log);

// The error that a line tells; nothing if it is none, or has no place.
std::optional<LocatedError> located_error(const std::string& line);

}  // namespace podium::compile
