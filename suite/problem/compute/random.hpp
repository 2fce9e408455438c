// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Random numbers of structure: Philox, keyed by the round's seed, counted by draws.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace podium::problem {

class ComputeRandom {
 public:
  // `stream`: which structure; streams of one seed never meet.
  ComputeRandom(std::uint64_t seed, std::uint32_t stream);

  // Goes on with the first number of another sequence, below 2^24; it begins in sequence 0. No two of them
  // meet before 2^40 draws, more than the steps of any text make.
  void sequence(std::int64_t number);

  std::uint64_t word() {
    if (at_ == ahead) draw_ahead();
    return words_[at_++];
  }
  std::int64_t below(std::int64_t count);  // uniform in [0, count), count > 0
  double uniform();                        // uniform in [0, 1), a multiple of 2^-53
  double normal();                         // mean 0, standard deviation 1
  // k in [1, count] with probability proportional to k^-exponent; count > 0, exponent >= 0 and finite.
  std::int64_t zipf(double exponent, std::int64_t count);

 private:
  static constexpr std::size_t ahead = 32;  // words, of as many counters as philox_sequence() takes together
  void draw_ahead();

  std::uint64_t key_, high_, counter_ = 0;
  std::array<std::uint64_t, ahead> words_;
  std::size_t at_ = ahead;
};

}  // namespace podium::problem
