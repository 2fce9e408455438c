// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a call has left: guards, inputs and structure untouched, outputs right.
#pragma once
#include <cstdint>
#include <span>

#include "suite/judge/arena_tensors.hpp"
#include "suite/judge/seeds.hpp"
#include "suite/protocol/samples.hpp"

namespace podium::judge {

class CallCheck {
 public:
  // All outlive this.
  CallCheck(device::Arena& arena, Evaluator& evaluator, ArenaTensors& tensors)
      : arena_(arena), evaluator_(evaluator), tensors_(tensors) {}

  // Guards, structure and inputs in the arena.
  void check_untouched(protocol::Sampled& result, const Placement& placement);
  // The copied outputs of a call that has left the rest untouched.
  void verify(protocol::Sampled& result, const Draw& draw, std::uint8_t poison);
  // Both, of calls behind one gate whose outputs have been kept: until one is not right.
  void check_together(protocol::Sampled& result, std::span<const Placement> calls,
                      std::span<const Draw> draws, std::uint8_t poison);

 private:
  device::Arena& arena_;
  Evaluator& evaluator_;
  ArenaTensors& tensors_;
};

}  // namespace podium::judge
