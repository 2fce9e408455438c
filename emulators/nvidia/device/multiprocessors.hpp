// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How many multiprocessors an emulated device has.
#pragma once

namespace podium::ptx {

// Few, so that kernels which fill a device have little to do.
inline constexpr int multiprocessors = 4;

}  // namespace podium::ptx
