// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Shared memory through the asynchronous proxy (PTX ISA 8.6): bulk and tensor copies, wgmma, tcgen05.mma and
// .cp. Behind what a thread wrote by an ordinary store, and before such an access, a fence.proxy.async must
// lie, of any thread on the way. What copies of this proxy wrote needs none. Of cp.async, which is not of
// this proxy, nothing is said before products: CUTLASS's and FlashInfer's kernels have no fence there.
#pragma once
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {

// One instruction of a thread, or of a warp's lanes together, and what they knew when it was issued.
class ProxyAccess {
 public:
  // `does`: "a bulk copy reads"
  ProxyAccess(GpuThread&, int line, const char* does, bool of_tensor_cores = true);
  void also_of(const GpuThread& lane);

  // Faults where a write is known, but not that a fence lies behind it. Writes that are not known race.
  void check(u32 address, u32 bytes) const;

  GpuThread* thread() const { return thread_; }
  int line() const { return line_; }

 private:
  // `number`: of the thread that wrote, in the launch.
  [[noreturn]] void missing(u32 address, u32 bytes, u32 number, const Touch& write) const;

  GpuThread* thread_;
  int line_;
  const char* does_;
  bool of_tensor_cores_;
  Gathering known_, fenced_;
  mutable Touch fine_;  // the last write that was found to be fenced, or unknown
};

// The same of global memory, which the site knows: a copy of the thread is going to read it; nothing between
// accesses of that proxy alone. And what it is going to write, no thread wrote last.
void read_global_by_copy(GpuThread&, int line, const Site&, u64 at, u64 bytes);
void write_global_by_copy(GpuThread&, const Site&, u64 at, u64 bytes);

}  // namespace podium::ptx
