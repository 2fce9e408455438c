// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How small an error the judge notices in each output of a workload, without a contestant.
#pragma once
#include "suite/protocol/protocol.hpp"

namespace podium::protocol {

struct Sense {
  static constexpr Type type = Type::sense;
  Header header;
  std::int32_t workload;
  std::int32_t reserved;
};

struct Sensed {  // by tensor of the problem; of inputs nothing
  static constexpr Type type = Type::sensed;
  Header header;
  std::int32_t measured, reserved;  // 0: it is no test, and would take too long
  struct Output {                   // suite/judge/sensitivity.hpp
    std::int32_t kind, zeros_pass;
    double all, one, scale_of_all, scale_of_one;
    std::int64_t elements, any, excused, excuses_drawn, telling;
  } outputs[max_tensors];
};

}  // namespace podium::protocol
