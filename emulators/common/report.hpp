// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A mistake that an emulator saw in a kernel, as one sentence: which kernel, which block and thread, which
// line or instruction, what was found, what to look at.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace podium::emulation {

struct Place {
  std::string kernel;                                    // demangled where possible
  std::optional<std::array<std::uint32_t, 3>> block{};   // x, y, z
  std::optional<std::array<std::uint32_t, 3>> thread{};  // or the first lane of a wave
  std::string source{};                                  // "file.cu:12", if the compiler told
  std::string code{};  // "PTX line 87", "s_waitcnt at 0x1f4": where in what was emulated
};

// "kernel add<float>, block (0,0,0), thread (5,0,0), add.cu:12 (PTX line 87): WHAT". The order is that of the
// question a reader has: whose mistake, where, what.
std::string sentence(const Place& place, const std::string& what);

// Ends the launch; what() is the sentence.
struct Fault : std::runtime_error {
  Fault(const Place& place, const std::string& what) : std::runtime_error(sentence(place, what)) {}
};

// The C++ name of a kernel without its parameters; what is no mangled name stays as it is.
std::string demangled(const std::string& symbol);

// Writes one line to standard error, where podium finds a worker's last words. Every line begins alike, so
// that logs can be searched.
void say(const std::string& sentence);

}  // namespace podium::emulation
