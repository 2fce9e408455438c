// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The vendor's matrix products, from a library that neither the build nor the start of a judge needs.
#pragma once
#include <memory>

#include "backends/gpu/api.hpp"
#include "suite/device/device.hpp"

namespace podium::gpu {

inline constexpr std::size_t products_workspace = std::size_t{64} << 20;  // bytes: what users commonly give

// Opens the library for the current device; products are enqueued on `stream`, which outlives them. Throws
// podium::Error: the library was not found, or refuses.
std::unique_ptr<device::Products> open_products(api::Stream stream,
                                                std::unique_ptr<device::Memory> workspace);

}  // namespace podium::gpu
