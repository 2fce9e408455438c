// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The process's mappings, as the kernel lists them. A helper: no contestant.
#pragma once
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {
struct Mapping {
  std::uintptr_t begin, end;
  std::string access, file;  // access: "rw-s"
};

inline std::vector<Mapping> mappings() {
  std::vector<Mapping> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    char access[8] = "", file[512] = "";
    std::sscanf(line.c_str(), "%lx-%lx %7s %*s %*s %*s %511[^\n]", &begin, &end, access, file);
    found.push_back({begin, end, access, file});
  }
  return found;
}
}  // namespace
