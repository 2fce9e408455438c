// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Puts memory of its own where the shared memory was

// class: side stream, late work
// expect: wrong | not written | threw
// In this process the addresses of the tensors lead elsewhere from the first call on, and the shared memory
// has others: what the worker looks at, if it does, is this process's. The sum is carried over when the call
// has returned.
#include "arena.hpp"
#include "honest.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
CUdeviceptr addresses = 0, shared = 0;  // of the tensors as the worker has them, and of their memory

inline void swap_memory(const void* inside) {
  const Arena arena(inside);
  addresses = arena.begin;
  shared = map_again(arena.memory, arena.bytes);
  CUmemAllocationProp own{};
  own.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  own.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  podium::check(cudaGetDevice(&own.location.id));
  CUmemGenericAllocationHandle other{};
  podium::check(DRIVER(cuMemCreate)(&other, arena.bytes, &own, 0));
  podium::check(cudaDeviceSynchronize());
  podium::check(DRIVER(cuMemUnmap)(addresses, arena.bytes));
  map_again(other, arena.bytes, addresses);
}

struct Contestant {
  SideStream side;
  const float* from = nullptr;
  float* to = nullptr;
  AfterTheWord late{std::chrono::milliseconds(20),
                    [this] { cudaMemcpyAsync(to, from, sizeof *to, cudaMemcpyDeviceToDevice, side.get()); }};

  Contestant(const problem::Workload&, podium::Workspace&, podium::Stream stream) {
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() { cudaStreamSynchronize(side.get()); }

  template <class T>
  T* in_shared(T* at) const {
    return reinterpret_cast<T*>(reinterpret_cast<CUdeviceptr>(at) - addresses + shared);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (shared == 0) swap_memory(args.y.data);
    from = args.y.data;
    to = in_shared(args.y.data);
    podium::launch(honest_kernel, dim3(1), dim3(honest_threads), 0, stream, in_shared(args.x.data),
                   args.y.data, args.n);
    late.await();
  }
};
}  // namespace
