// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// hipCUB, for contestants whose `needs` name it, with what some versions of ROCm leave out.
#pragma once
#include <podium/platform.hpp>

#include <chrono>  // rocPRIM of ROCm 6.4 uses it, and does not include it

// LLVM 22 has no macro that tells how wide a wave is, and rocPRIM of ROCm 6 then takes 64.
#if !defined(__AMDGCN_WAVEFRONT_SIZE) && !defined(ROCPRIM_WAVEFRONT_SIZE) && \
    (defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__))
#define ROCPRIM_WAVEFRONT_SIZE 32
#endif
#include <hipcub/hipcub.hpp>
