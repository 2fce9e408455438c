// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Podium's own kernels. No header and no library of ROCm is in them, so that every compiler has them for all
// the architectures that it knows. The counter behind wall_clock64().
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

extern "C" __attribute__((global)) void podium_read(unsigned* from, unsigned long long packets,
                                                    unsigned never) {
  typedef unsigned Packet __attribute__((ext_vector_type(4)));
  const Packet* const packet = (const Packet*)from;
  const unsigned threads = __builtin_amdgcn_workgroup_size_x();
  const unsigned long long step = (unsigned long long)__builtin_amdgcn_grid_size_x();
  unsigned sum = 0;
  for (unsigned long long at = __builtin_amdgcn_workgroup_id_x() * threads + __builtin_amdgcn_workitem_id_x();
       at < packets; at += step) {
    const Packet read = packet[at];
    sum ^= read.x ^ read.y ^ read.z ^ read.w;
  }
  if (sum == never) *from = sum;
}
