// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, tiles of keys, stretches of them side by side
//   author: Podium
#include <podium/attention_ragged.hpp>

#include "../attention_prefill/host_flash.hpp"

using attention::host::Contestant;
