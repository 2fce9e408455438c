// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether a problem excuses more of an output's elements than near-ties explain.
#pragma once
#include <cstdint>

namespace podium::judge {

// The probability of at least `least` successes in `trials` independent ones of probability `p`.
double binomial_tail(std::int64_t trials, std::int64_t least, double p);

// Of `checked` elements `excused` were: more than 5 %? The numbers of `drawn` places decided, all that there
// are or a sample of them, and they follow inputs that were drawn: the share must be beyond what chance makes
// of an honest 5 % once in a million.
bool too_many_excused(std::int64_t excused, std::int64_t checked, std::int64_t drawn);

}  // namespace podium::judge
