// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Never returns from its warm-up on what is timed

// class: sleeping in warm-up
// expect: hung
// A warm-up has a time limit like every answer.
#include "endless_warm_up.hpp"
