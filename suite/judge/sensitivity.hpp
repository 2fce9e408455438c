// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How much a problem's own verification lets pass: how small an error of an output it notices, and whether it
// excuses more of an output's elements than near-ties explain.
#pragma once
#include <cstdint>
#include <functional>

namespace podium::judge {

// What comparing zeros with a reference finds, with every limit multiplied by `factor`: how many elements are
// wrong. Where `factor` is 0 those are all but zeros.
using WrongZeros = std::function<std::int64_t(double factor)>;

struct Sensitivity {
  enum class Kind : std::int32_t {
    nothing,   // no element, or no reference that is verified on this workload
    unlike,    // no reference: checks alone
    all_zero,  // the reference is zero wherever it asks for anything
    exact,     // any error is wrong
    measured
  };
  Kind kind = Kind::nothing;
  bool zeros_pass = false;  // nothing is wrong with zeros as far as this output is concerned
  // The smallest relative error that is wrong: of all elements, of one element (the median over elements).
  double all = 0, one = 0;
  // The same without ulp and with growth 1, or with its own growth where that depends on indices.
  double scale_of_all = 0, scale_of_one = 0;
  // Of `elements` that were to be compared `any` may hold anything, `excused` need only be finite, and
  // `telling` others are expected to be other finite numbers than 0. `excuses_drawn`: how many numbers of the
  // reference that excuses decided.
  std::int64_t elements = 0, any = 0, excused = 0, excuses_drawn = 0, telling = 0;
};

// Of powers of two from -60 to 60.
inline constexpr int to_a_thousandth = 17, to_a_tenth = 10;
// Fills kind, all and one from comparisons alone.
Sensitivity sensitivity(const WrongZeros& zeros, int halvings = to_a_thousandth);

// The probability of at least `least` successes in `trials` independent ones of probability `p`.
double binomial_tail(std::int64_t trials, std::int64_t least, double p);

// Of `checked` elements `excused` were: more than 5 %? The numbers of `drawn` places decided, all that there
// are or a sample of them, and they follow inputs that were drawn: the share must be beyond what chance makes
// of an honest 5 % once in a million.
bool too_many_excused(std::int64_t excused, std::int64_t checked, std::int64_t drawn);

}  // namespace podium::judge
