// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Stretches the warm-up

// class: sleeping in warm-up
// expect: right
// with: --rounds 2
// On a GPU.
#include "long_warm_up.hpp"
