// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The structure that a contestant sees: device numbers in the arena, host numbers in a file that the judge
// has sealed.
#pragma once
#include <podium/table.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "suite/protocol/protocol.hpp"

namespace podium::worker {

class Structure {
 public:
  Structure() = default;
  // Maps `file`, which may be closed afterwards. Throws podium::Error.
  Structure(const protocol::Structures& structures, int file, std::byte* arena);
  ~Structure();
  Structure(Structure&& other) noexcept;
  Structure& operator=(Structure&& other) noexcept;

  const wire::Tensor* tensors() const { return tensors_.data(); }  // null if there is none

 private:
  void* host_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<std::int64_t> numbers_;  // extents and strides of all, one after the other
  std::vector<wire::Tensor> tensors_;
};

}  // namespace podium::worker
