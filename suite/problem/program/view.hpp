// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// An output or inout tensor in a term: called, it is `Values`; .initial(…) and .reference(…) are the others.
#pragma once
#include "access.hpp"

namespace podium::program {

struct Absent {  // what a term does not read
  PODIUM_DEVICE Absent(Words, int) {}
};

template <class Values, class Initial, class Reference>
struct Views : Values {
  Initial initial;
  Reference reference;
  PODIUM_DEVICE Views(Words words, int site)
      : Values{words, site}, initial{words, site}, reference{words, site} {}
  PODIUM_DEVICE Views(const Values& values, Words words, int site)
      : Values(values), initial{words, site}, reference{words, site} {}
};

}  // namespace podium::program
