// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A sealed contestant's code object on a GPU: its kernels, launched by the worker on the lane's stream.
#pragma once
#include <string>

#include "backends/gpu/handles.hpp"
#include "suite/device/lane.hpp"

namespace podium::gpu {

class LaneKernels : public device::Kernels {
 public:
  // Keeps neither `code` nor the stream of now: `lane` is asked for it at each launch. Throws podium::Error.
  LaneKernels(const std::string& code, const device::Lane& lane);
  void* find(const std::string& name, const Shape& shape) override;
  void launch(void* kernel, const Shape& shape, void** arguments) override;

 private:
  const device::Lane& lane_;
  Module module_;
};

}  // namespace podium::gpu
