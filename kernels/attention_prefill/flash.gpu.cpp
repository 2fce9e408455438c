// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Flash attention, matrix cores
//   author: Podium
//   arch: [sm_80+, gfx942, gfx950, gfx1200, gfx1201]
#include <podium/attention_prefill.hpp>

#include "flash.hpp"

using attention::flash::Contestant;
