// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The gate's kernel as PTX, which the driver compiles: the worker is plain C++.
#include "backends/gpu/vendor.hpp"

const char* podium::gpu::spinning_gate() {
  return R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry podium_gate(.param .u64 word, .param .u32 ticket, .param .u64 patience)
{
  .reg .pred %open, %early;
  .reg .b32 %wanted, %seen;
  .reg .b64 %at, %most, %began, %now;
  ld.param.u64 %at, [word];
  ld.param.u32 %wanted, [ticket];
  ld.param.u64 %most, [patience];
  cvta.to.global.u64 %at, %at;
  mov.u64 %began, %globaltimer;
LOOK:
  ld.acquire.sys.global.u32 %seen, [%at];
  setp.eq.u32 %open, %seen, %wanted;
  @%open bra PASS;
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %began;
  setp.lt.u64 %early, %now, %most;
  @%early bra LOOK;
PASS:
  ret;
}
)";
}
