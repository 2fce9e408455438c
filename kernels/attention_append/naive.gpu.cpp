// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One warp a query and head
//   author: Podium
#include <podium/attention_append.hpp>

#include "../attention_prefill/naive.hpp"

using attention::naive::Contestant;
