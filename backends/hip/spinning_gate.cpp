// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The gate's kernel as a bundle of code objects, one for each architecture, which was compiled beside this
// file: the runtime takes the one that fits its device.
#include "backends/gpu/vendor.hpp"

extern "C" const char podium_spinning_gate[];
asm(R"(
  .pushsection .rodata
  .balign 4096
  .hidden podium_spinning_gate
  .globl podium_spinning_gate
podium_spinning_gate:
  .incbin ")" PODIUM_SPINNING_GATE R"("
  .popsection
)");

const char* podium::gpu::spinning_gate() { return podium_spinning_gate; }
