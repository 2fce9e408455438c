// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes only where a call stands alone

// class: superbatch
// expect: not written | wrong
// Calls that follow one another at once are those that are timed together, of which all are checked, too.
#include "first_of_many.hpp"
