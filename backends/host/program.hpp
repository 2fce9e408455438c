// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A judge's program on the CPU: a shared object whose kernels run over the pool.
#pragma once
#include <map>
#include <string>

#include "backends/host/pool.hpp"
#include "suite/base/descriptor.hpp"
#include "suite/device/device.hpp"

namespace podium::host {

class SharedObject : public device::Program {
 public:
  // Throws podium::Error with the loader's words. The pool outlives the program.
  SharedObject(int descriptor, Pool& pool);
  ~SharedObject() override;
  void run(std::string_view kernel, std::span<const std::uint64_t> words, int groups) override;

 private:
  using Kernel = void (*)(const std::uint64_t* words, int group, int groups);
  Kernel find(std::string_view name);

  Pool& pool_;
  Descriptor file_;
  std::string path_;
  void* library_ = nullptr;
  std::map<std::string, Kernel, std::less<>> kernels_;
};

}  // namespace podium::host
