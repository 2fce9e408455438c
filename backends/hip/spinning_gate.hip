// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The gate's kernel. No header and no library of ROCm is in it, so that every compiler has it for all the
// architectures that it knows.
// The counter behind wall_clock64().
static inline __attribute__((device)) unsigned long long ticks() {
#if defined(__GFX11__) || defined(__GFX12__)
  constexpr unsigned get_realtime = 0x83;  // MSG_RTN_GET_REALTIME (RDNA 3 ISA)
  return __builtin_amdgcn_s_sendmsg_rtnl(get_realtime);
#else
  return __builtin_amdgcn_s_memrealtime();
#endif
}

extern "C" __attribute__((global)) void podium_gate(const unsigned* word, unsigned ticket,
                                                    unsigned long long patience) {
  const unsigned long long began = ticks();
  while (__hip_atomic_load(word, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) != ticket &&
         ticks() - began < patience)
    __builtin_amdgcn_s_sleep(1);
}
