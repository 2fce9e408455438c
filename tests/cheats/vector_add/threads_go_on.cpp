// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Returns while its threads go on

// class: side stream, late work
// expect: not written | wrong | clock
// Nine tenths of a large output are computed behind the call's back, by a thread on every other processor. Of
// outputs that are copied front to back while the worker runs they have written each piece before it is
// copied.
#include "late_helpers.hpp"

namespace {
using Contestant = LeavesWork<false, 10>;
}  // namespace
