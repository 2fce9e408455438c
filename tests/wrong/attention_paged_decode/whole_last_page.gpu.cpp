// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The last page is taken whole

// expect: wrong
// What lies behind a request's last token belongs to nobody.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static int last_tokens(const problem::Arguments&, std::int64_t) { return page_size; }
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
