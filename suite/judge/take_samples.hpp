// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The samples of an entry, one after the other, until podium's rule holds.
#pragma once
#include <functional>

#include "suite/judge/bench.hpp"
#include "suite/protocol/samples.hpp"

namespace podium::judge {

// What outputs are filled with before the sample of this index. Alternating: what is right by accident under
// one is wrong under the other. All ones is a NaN in every float.
inline std::uint8_t poison_of(std::int64_t index) {
  constexpr std::uint8_t poisons[] = {0xFF, 0xA5};
  return poisons[static_cast<std::size_t>(index) % std::size(poisons)];
}

// `draw`: the seeds of the sample of an index. A worker's failure is part of the answer, behind the samples
// before it. Throws podium::Error for a request that makes no sense, and what else Bench throws.
protocol::TakenSamples take_samples(Bench& bench, const protocol::TakeSamples& request,
                                    const std::function<Draw(std::int64_t)>& draw);

}  // namespace podium::judge
