// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What two contestants leave each other in files that carry their names. A helper: no contestant.
#pragma once
#include <podium/sum.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <fstream>
#include <string>

namespace {
using Print = std::array<float, 3>;  // of inputs: enough to know them again

inline Print fingerprint(const problem::Arguments& args) {
  return {args.x.data[0], args.x.data[args.n / 2], args.x.data[args.n - 1]};
}

inline bool constant(const problem::Arguments& args) { return args.x.data[0] == args.x.data[args.n - 1]; }

// One a run: podium is the parent of both.
inline std::string letter_of(const std::string& name) {
  return "/tmp/podium-cheat-" + name + "-" + std::to_string(getppid());
}

inline void tell(const std::string& name, const Print& print) {
  std::ofstream(letter_of(name), std::ios::binary | std::ios::app)
      .write(reinterpret_cast<const char*>(&print), sizeof print);
}

inline bool told(const std::string& name, const Print& print) {
  std::ifstream in(letter_of(name), std::ios::binary);
  for (Print each; in.read(reinterpret_cast<char*>(&each), sizeof each);)
    if (each == print) return true;
  return false;
}
}  // namespace
