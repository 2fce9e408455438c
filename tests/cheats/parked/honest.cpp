// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Doubles, and is measured beside those that are parked

// expect: right
// needs: hold
// with: --rounds 3
// Nothing that another does between its turns may cost it a row.
#include "twice.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) { twice(args); }
};
}  // namespace
