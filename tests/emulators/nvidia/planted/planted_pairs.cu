// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Missing waits of tensor memory in a pair of blocks, whose products one thread of the first block starts for
// both: what the second block's warps have not waited for counts as the first's does.
#include "planted_tensor.hpp"

namespace {

using namespace planted;

constexpr int block = 128;
constexpr unsigned columns = 32, rows = 256;  // of D; each block has half of the rows

// Between all threads of both blocks.
__device__ void sync() {
  before();
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  after();
}

// What every kernel begins and ends with: columns of both blocks' tensor memory, an mbarrier in each for the
// first product and for the second, operands.
struct Pair {
  unsigned memory, mine, mbarriers[2], matrix, rank;
  int warp;

  __device__ Pair() {
    __shared__ unsigned place;
    __shared__ alignas(8) unsigned long long barriers[2];
    __shared__ alignas(1024) unsigned short elements[block * 16];
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    warp = static_cast<int>(threadIdx.x) / 32;
    for (int i = 0; i < 2; ++i) mbarriers[i] = shared_address(barriers + i);
    matrix = shared_address(elements);
    for (unsigned i = threadIdx.x; i < block * 16; i += block) elements[i] = 0x3c00;  // 1 in f16
    for (int i = 0; threadIdx.x == 0 && i < 2; ++i)
      asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(mbarriers[i]) : "memory");
    if (warp == 0)
      asm volatile(
          "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared_address(&place)),
          "n"(columns)
          : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    sync();
    memory = place;
    mine = memory + (static_cast<unsigned>(warp) << 21);
  }
  // D = A B, 256 x 16 x 16, of f16 into f32, all ones, and the second time D = D + A B; once it is done, all
  // threads go on.
  __device__ void multiply(int time) const {
    sync();
    if (rank == 0 && threadIdx.x == 0) begin(time);
    await(mbarriers[time]);
    after();
  }
  __device__ void begin(int time) const {
    const unsigned long long matrix_at = (matrix >> 4) | 8ull << 16 | 16ull << 32 | 1ull << 46;
    const unsigned instruction = 1u << 4 | (16 / 8) << 17 | (rows / 16) << 24;
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %3, 0;"
        "  tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %1, %2, p; }" ::"r"(memory),
        "l"(matrix_at), "r"(instruction), "r"(time)
        : "memory");
    asm volatile(
        "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], "
        "%1;" ::"r"(mbarriers[time]),
        "h"(static_cast<unsigned short>(3))
        : "memory");
  }
  __device__ void end() const {
    wait_loads();
    sync();
    if (warp == 0)
      asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(memory), "n"(columns)
                   : "memory");
  }
};

// One warp of each block loads what the first product made, while the second one overwrites it. `waits`: the
// warps of which blocks wait for their load, a bit each. Said is what the second block's warps loaded: the
// first one before the second product, the others behind it.
__global__ void __cluster_dims__(2, 1, 1) load_between_products(int* out, unsigned waits) {
  const Pair pair;
  pair.multiply(0);
  int value = pair.warp == 0 ? load(pair.mine) : 0;
  if (waits >> pair.rank & 1) wait_loads();
  pair.multiply(1);
  if (pair.warp != 0) value = load(pair.mine);
  if (pair.rank == 1) say(out, static_cast<int>(__int_as_float(value)));
  pair.end();
}

void run(const char* name, Memory&, Memory& out) {
  constexpr unsigned both = 3, second = 2, first = 1;
  bool right = false;
  const auto is = [&](const char* mistake) { return is_either(name, mistake, &right); };
  if (is("pair_second_block")) load_between_products<<<2, block>>>(out.at, right ? both : first);
  if (is("pair_first_block") && !right) load_between_products<<<2, block>>>(out.at, second);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
