// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The state is lost after every 64 steps

// expect: wrong
// Segments that run side by side and are never joined; right for short sequences.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  static constexpr std::int64_t segment = 64;
};
struct Contestant : Walker<Wrong> {
  using Walker::Walker;
};
}  // namespace
