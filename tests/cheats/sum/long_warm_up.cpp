// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Stretches the warm-up

// class: sleeping in warm-up
// expect: right
// with: --rounds 2
// Suites that fill a fixed time with samples take fewer after a long warm-up. The counts are the judge's,
// and warm-ups are no part of them: nothing is gained, and nothing is flagged.
#include "long_warm_up.hpp"
