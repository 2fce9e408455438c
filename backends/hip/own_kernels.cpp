// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Podium's own kernels as a bundle of code objects, one for each architecture, which was compiled beside this
// file: the runtime takes the one that fits its device.
#include "backends/gpu/vendor.hpp"

extern "C" const char podium_own_kernels[];
asm(R"(
  .pushsection .rodata
  .balign 4096
  .hidden podium_own_kernels
  .globl podium_own_kernels
podium_own_kernels:
  .incbin ")" PODIUM_OWN_KERNELS R"("
  .popsection
)");

const char* podium::gpu::own_kernels() { return podium_own_kernels; }
