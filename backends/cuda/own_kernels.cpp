// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Podium's own kernels as PTX, which the driver compiles: judge and worker are plain C++.
#include "backends/gpu/vendor.hpp"

const char* podium::gpu::own_kernels() {
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
.visible .entry podium_read(.param .u64 from, .param .u64 packets, .param .u32 never)
{
  .reg .pred %more, %found;
  .reg .b32 %thread, %block, %threads, %blocks, %sum, %unlikely, %a, %b, %c, %d;
  .reg .b64 %base, %count, %at, %place, %step;
  ld.param.u64 %base, [from];
  ld.param.u64 %count, [packets];
  ld.param.u32 %unlikely, [never];
  cvta.to.global.u64 %base, %base;
  mov.u32 %thread, %tid.x;
  mov.u32 %block, %ctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %blocks, %nctaid.x;
  mad.lo.u32 %thread, %block, %threads, %thread;
  mul.lo.u32 %threads, %threads, %blocks;
  cvt.u64.u32 %at, %thread;
  cvt.u64.u32 %step, %threads;
  mov.u32 %sum, 0;
NEXT:
  setp.lt.u64 %more, %at, %count;
  @!%more bra DONE;
  mad.lo.u64 %place, %at, 16, %base;
  ld.global.v4.u32 {%a, %b, %c, %d}, [%place];
  xor.b32 %a, %a, %b;
  xor.b32 %c, %c, %d;
  xor.b32 %sum, %sum, %a;
  xor.b32 %sum, %sum, %c;
  add.u64 %at, %at, %step;
  bra NEXT;
DONE:
  setp.eq.u32 %found, %sum, %unlikely;
  @%found st.global.u32 [%base], %sum;
  ret;
}
)";
}
