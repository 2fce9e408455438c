// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The vendor's runtime under one set of names, podium::gpu::api, and the check of its answers. What the two
// vendors do alike is written once against it; the names are CUDA's and HIP's own without their prefixes.
#pragma once
#include <source_location>

#if defined(PODIUM_GPU_CUDA)
#include "backends/cuda/api.hpp"
#elif defined(PODIUM_GPU_HIP)
#include "backends/hip/api.hpp"
#else
#error "compile with PODIUM_GPU_CUDA or PODIUM_GPU_HIP"
#endif

namespace podium::gpu {

// "cudaErrorIllegalAddress: an illegal memory access was encountered", and what to do about it where the
// vendor's side knows.
std::string describe(api::Status status);

// Throws podium::Error with the error's name, its text and the place, unless all is well.
void check(api::Status status, std::source_location where = std::source_location::current());

// For destructors: a device that is lost answers every call with an error, and the first has been reported.
inline void ignore(api::Status) noexcept {}

}  // namespace podium::gpu
