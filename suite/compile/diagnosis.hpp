// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Of a compiler's whole output, the one line that says what is wrong and where.
#pragma once
#include <filesystem>
#include <string>

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

}  // namespace podium::compile
