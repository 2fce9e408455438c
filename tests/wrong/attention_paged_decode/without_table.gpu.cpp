// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Pages in the order of requests

// expect: wrong
// Right if the table of pages were 0, 1, 2 and so on.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t page(const problem::Arguments&, int place) { return place; }
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
