// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Returns while its children go on

// class: side stream, late work
// expect: not written | wrong | clock
// As threads_go_on, by processes: what the worker's threads do says nothing about them.
#include "late_helpers.hpp"

namespace {
using Contestant = LeavesWork<true, 10>;
}  // namespace
