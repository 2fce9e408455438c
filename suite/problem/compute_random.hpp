// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Random numbers of structure: Philox, keyed by the round's seed, counted by draws.
#pragma once
#include <cstdint>

namespace podium::problem {

class ComputeRandom {
 public:
  // `stream`: which structure; streams of one seed never meet.
  ComputeRandom(std::uint64_t seed, std::uint32_t stream);

  std::uint64_t word();
  std::int64_t below(std::int64_t count);  // uniform in [0, count), count > 0
  double uniform();                        // uniform in [0, 1), a multiple of 2^-53
  double normal();                         // mean 0, standard deviation 1
  // k in [1, count] with probability proportional to k^-exponent; count > 0, exponent >= 0 and finite.
  std::int64_t zipf(double exponent, std::int64_t count);

 private:
  std::uint64_t key_, high_, counter_ = 0;
};

}  // namespace podium::problem
