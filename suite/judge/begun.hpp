// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What an instance costs, as podium is told when it begins.
#pragma once
#include "suite/problem/model/instance.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::judge {

inline protocol::Begun begun(const problem::Instance& instance) {
  protocol::Begun answer{{}, instance.bytes, instance.flops, 0, 0, 1, 0};
  for (const auto& tensor : instance.tensors) {
    if (!tensor.visible) continue;
    if (tensor.role != problem::Role::output) answer.read += static_cast<double>(tensor.content);
    if (tensor.role != problem::Role::input) answer.written += static_cast<double>(tensor.content);
  }
  for (const auto& structure : instance.structure)
    if (structure.visible)
      answer.read += static_cast<double>(structure.used_elements() * problem::info(structure.dtype).bytes);
  return answer;
}

}  // namespace podium::judge
