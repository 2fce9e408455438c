// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Every seed of a run derives from one secret, drawn when the judge starts and revealed when the run has
// ended.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

namespace podium::judge {

using Secret = std::array<std::uint64_t, 2>;

Secret draw_secret();  // from the kernel's generator; throws podium::Error

struct SampleName {
  std::string_view problem, types, workload;
  std::int64_t round = 0, index = 0;
  // Whose inputs: 1 for the first contestant of the board by name, and so on; the baseline's twin comes last.
  // 0: nobody's, as of a round's structure, which is common to all.
  std::uint64_t owner = 0;
};

// The first 8 bytes, little-endian, of SHA-256 over
// "secret|purpose|problem|types|workload|round|index|owner", the secret as 32 hexadecimal digits: anyone can
// check the seeds of a run whose secret has been revealed.
std::uint64_t seed_of(const Secret& secret, std::string_view purpose, const SampleName& name);
// What a call needs is made of one seed of its own, seed_of(secret, "call", name): that alone repeats it. The
// first 8 bytes, little-endian, of SHA-256 over "call|purpose", the call's seed as 16 hexadecimal digits. No
// way leads back: who knows the inputs' seed does not know what is verified.
std::uint64_t seed_of(std::uint64_t call, std::string_view purpose);

// The seeds of one call.
struct Draw {
  std::uint64_t inputs = 0, placement = 0;
  std::uint64_t verification = 0;  // of samples and probes: tells nothing that the inputs could give away
  std::uint64_t call = 0;          // of which the others are made
};

}  // namespace podium::judge
