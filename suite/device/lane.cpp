// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a lane does that takes no code objects.
#include "suite/device/lane.hpp"

namespace podium::device {

Kernels& Lane::load(const std::string&) {
  throw Error("this device takes no code objects, expected a GPU: sealed contestants run on CUDA and HIP");
}

}  // namespace podium::device
