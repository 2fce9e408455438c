// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes only where a call stands alone

// class: superbatch
// expect: not written | wrong
// On a GPU.
#include "first_of_many.hpp"
