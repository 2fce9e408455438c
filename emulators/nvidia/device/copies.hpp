// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies and the barriers that count them, as generated kernels call them.
#pragma once
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

// async_copy.cpp: cp.async (PTX ISA 9.7.9.25.3)
void copy_async(Thread*, int line, u32 to, u8* from, u32 bytes, u32 source_bytes);
void copy_commit(Thread*);
void copy_wait(Thread*, u32 pending_groups);
void copy_wait_all(Thread*);
void copy_arrive(Thread*, int line, u32 mbarrier, bool counted);  // counted: .noinc

// Whether the thread's own block is among those that a copy goes to: a mask of the cluster's (PTX ISA
// 9.7.9.25.5.2, .multicast::cluster), of which others are written at the same offset; 0: no multicast.
inline bool is_receiver(const Thread* t, u32 blocks) {
  return blocks == 0 || (blocks >> (t->rank >> rank_shift) & 1) != 0;
}

// What counts at the mbarrier of a block that it writes to: an H200 knows it only in kernels that are
// launched as clusters.
void needs_cluster(Thread*, int line, const char* what);

// bulk_copy.cpp: cp.async.bulk (PTX ISA 9.7.9.25.4). `blocks`: of the cluster, a bit each; 0: that of `to`.
void bulk_load(Thread*, int line, u32 to, u64 from, u32 bytes, u32 mbarrier, u32 blocks);
void bulk_move(Thread*, int line, u32 to, u32 from, u32 bytes, u32 mbarrier);  // within the cluster
void bulk_store(Thread*, int line, u64 to, u32 from, u32 bytes);
void bulk_commit(Thread*);
void bulk_wait(Thread*, u32 pending_groups);

// mbarrier.cpp: PTX ISA 9.7.13.15
void mbarrier_init(Thread*, int line, u32 at, u32 count);
void mbarrier_invalidate(Thread*, int line, u32 at);
u64 mbarrier_arrive(Thread*, int line, u32 at, u32 count, s64 expected_bytes, bool drop);
void mbarrier_expect(Thread*, int line, u32 at, s64 bytes);
void mbarrier_complete(Thread*, int line, u32 at, s64 bytes);
bool mbarrier_test(Thread*, int line, u32 at, u64 state);
bool mbarrier_test_parity(Thread*, int line, u32 at, u32 parity);
bool mbarrier_try(Thread*, int line, u32 at, u64 state);
bool mbarrier_try_parity(Thread*, int line, u32 at, u32 parity);

}  // namespace podium::ptx
