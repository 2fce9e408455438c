// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How small an error the judge notices in each output of a workload, without a contestant.
#pragma once
#include "suite/protocol/protocol.hpp"

namespace podium::protocol {

struct Sense {
  static constexpr Type type = Type::sense;
  Header header;
  std::int32_t workload;  // of stage test
  std::int32_t reserved;
};

struct Sensed {  // by tensor of the problem; of inputs nothing
  static constexpr Type type = Type::sensed;
  Header header;
  struct Output {
    std::int32_t kind, zeros_pass;  // suite/judge/sensitivity.hpp
    double all, one;
  } outputs[max_tensors];
};

}  // namespace podium::protocol
