// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Of a compiler's whole output, the one line that says what is wrong and where; and each error with a place,
// as g++, clang, nvcc and NVRTC write them into their logs.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace podium::compile {

// How paths of the log are shown.
struct Places {
  std::filesystem::path source;   // absolute, normal: the contestant's file, or the problem's
  std::filesystem::path shown;    // the same as the user knows it
  std::filesystem::path scratch;  // the compiler's working folder, which holds what was generated
};

// "file:line: what", shortened, from the first error of g++, clang, nvcc, NVRTC, ptxas or a linker; if that
// is in a header, the line of `source` that led there is put first. "the compiler failed without a message"
// for an empty log.
std::string diagnose(const std::string& log, const Places& places);

struct LocatedError {
  std::string file, line, what;
  bool trail_behind = false;  // what led there follows the error (nvcc, NVRTC), rather than precedes it
};

// The lines of a log, each cut to a few thousand bytes.
std::vector<std::string> lines_of(const std::string& log);

// The error that a line tells; nothing if it is none, or has no place.
std::optional<LocatedError> located_error(const std::string& line);

}  // namespace podium::compile
