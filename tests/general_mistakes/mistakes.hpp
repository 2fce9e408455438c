// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The mistakes that any contestant can make, by name; and how the test tells a compiled plugin which one it
// is to make. For both of them: includes neither the suite nor the SDK.
#pragma once
#include <cstdint>

namespace podium::mistakes {

enum class Mistake : std::int32_t {
  none,          // the control
  nothing,       // the output is left as it was found
  first_off,     // one element is off by a step that no tolerance should admit: spoil.hpp says which
  largest_off,   // likewise, the element of largest magnitude
  last_off,      // likewise
  not_a_number,  // one element is NaN
  zeros,
  stale,       // the result of the call before, which had other inputs
  transposed,  // rows and columns of the last two axes are exchanged
  short_tile,  // the elements behind the last full tile are left as they were found
  shifted,     // those elements hold what belongs one place before
  first_row,   // every row is the first
  swapped,     // another tensor of the same type and size
  rounded,     // half of the digits
};

struct Name {
  Mistake mistake;
  const char* name;
};
inline constexpr Name names[] = {
    {Mistake::nothing, "nothing"},
    {Mistake::first_off, "first element off"},
    {Mistake::zeros, "zeros"},
    {Mistake::largest_off, "largest element off"},
    {Mistake::stale, "stale"},
    {Mistake::last_off, "last element off"},
    {Mistake::swapped, "swapped"},
    {Mistake::not_a_number, "one NaN"},
    {Mistake::transposed, "transposed"},
    {Mistake::short_tile, "last tile left out"},
    {Mistake::first_row, "first row only"},
    {Mistake::shifted, "last tile shifted"},
    {Mistake::rounded, "half the digits"},
};

// A plugin holds one of these, which the test overwrites in a copy of its file: all mistakes of a problem
// cost one compilation.
inline constexpr char mark[] = "podium: the mistake that follows";
struct Selection {
  char mark[sizeof podium::mistakes::mark];
  Mistake mistake;
  std::int32_t output;  // which of the problem's outputs, in the order of the file
};
#define PODIUM_SELECTION(mistake, output) {"podium: the mistake that follows", mistake, output}

}  // namespace podium::mistakes
