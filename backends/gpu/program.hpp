// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A judge's program on a GPU: a cubin or a code object, launched with its words as the one argument.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "backends/gpu/handles.hpp"
#include "suite/device/device.hpp"

namespace podium::gpu {

inline constexpr unsigned block_threads = 256;  // a group; the kernels are written for it

class CodeObject : public device::Program {
 public:
  CodeObject(int descriptor, api::Stream stream);  // throws podium::Error: unreadable, or not for this device
  void run(std::string_view kernel, std::span<const std::uint64_t> words, int groups) override;

 private:
  api::Function find(std::string_view name);

  api::Stream stream_;
  std::vector<char> bytes_;
  Module module_;
  std::map<std::string, api::Function, std::less<>> kernels_;
};

}  // namespace podium::gpu
