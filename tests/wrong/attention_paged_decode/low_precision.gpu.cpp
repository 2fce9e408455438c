// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums kept in the dtype

// expect: wrong
// Weights and weighted values are added up in the dtype of the cache.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  using Sum = real;
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
