// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How small an error of an output a verification notices.
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
};

// Fills kind, all and one from comparisons alone; to a thousandth.
Sensitivity sensitivity(const WrongZeros& wrong);

}  // namespace podium::judge
