// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The last block of columns not updated

// expect: wrong
// Off by one in a loop over panels of 16 columns: the last panel is not taken away from what is right of it.
#include "columns.hpp"

namespace {
struct Short : Right {
  __device__ static std::int64_t reach(std::int64_t, std::int64_t j) { return j < 16 ? j : j - j % 16; }
};
struct Contestant : Factorised<Short> {};
}  // namespace
