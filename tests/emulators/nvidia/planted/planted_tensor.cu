// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Missing waits of tensor memory: tcgen05.st without tcgen05.wait::st before others read what it stores, and
// tcgen05.ld without tcgen05.wait::ld before others overwrite what it loads; and shared memory that threads
// wrote, without a fence.proxy.async before tcgen05.mma and .cp read it. A block has five warps:
// the first and the last may access the same lanes.
#include "planted_begun.hpp"

namespace {

using namespace planted;

// Once the mbarrier is complete.
__device__ void finish(const Begun& b, int* out, int value) {
  await(b.mbarrier);
  after();
  say(out, value);
  b.end();
}

enum class Wait { right, missing, of_the_other_kind, too_late };

__global__ void store_then_load(int* out, bool right) {
  const Begun b;
  if (b.warp < 4) {
    store(b.mine, 5);
    if (right) wait_stores();
    const int value = load(b.mine);
    wait_loads();
    say(out, value);
  }
  b.end();
}

// The first warp stores, the last one loads.
__global__ void store_for_another_warp(int* out, Wait how) {
  const Begun b;
  if (b.warp == 0) {
    store(b.mine, static_cast<int>(threadIdx.x));
    if (how == Wait::right) wait_stores();
    if (how == Wait::of_the_other_kind) wait_loads();
  }
  sync();
  if (b.warp == 0 && how == Wait::too_late) wait_stores();
  if (b.warp == warps - 1) {
    const int value = load(b.mine);
    wait_loads();
    out[threadIdx.x % 32] = value;
    out[threadIdx.x % 32 + 32] = value + 32;
  }
  b.end();
}

// The same through an mbarrier; one lane arrives for its warp.
__global__ void store_at_mbarrier(int* out, Wait how) {
  const Begun b(1);
  if (b.warp == 0) {
    store(b.mine, 3);
    if (how == Wait::right) wait_stores();
    __syncwarp();
    before();
    if (threadIdx.x == 0) arrive(b.mbarrier);
    __syncwarp();
    if (how == Wait::too_late) wait_stores();
  }
  if (b.warp == warps - 1) {
    await(b.mbarrier);
    after();
    const int value = load(b.mine);
    wait_loads();
    out[threadIdx.x % 32] = value;
    out[threadIdx.x % 32 + 32] = value + 1;
  }
  b.end();
}

// A of a product is stored by the first four warps.
__global__ void store_before_product(int* out, bool right) {
  const Begun b(1);
  for (unsigned i = 0; b.warp < 4 && i < 8; ++i) store(b.mine + second + i, 0x3c003c00);
  if (b.warp < 4 && right) wait_stores();
  sync();
  if (threadIdx.x == 0) b.multiply(true);
  await(b.mbarrier);
  after();
  say(out, static_cast<int>(__int_as_float(load(b.mine))));
  b.end();
}

// What the accumulator held is loaded while the next product overwrites it. `uses`: the value is, and so the
// load is done.
template <bool uses>
__global__ void load_before_product(int* out, bool waits) {
  const Begun b(1);
  if (b.warp < 4) {
    store(b.mine, static_cast<int>(threadIdx.x));
    wait_stores();
  }
  sync();
  int value = b.warp < 4 ? load(b.mine) : 0;
  if (waits) wait_loads();
  if (uses) value = value * 2;
  sync();
  if (threadIdx.x == 0) b.multiply(false);
  finish(b, out, value);
}

// Another warp loads the same lanes in between, and waits for its own.
__global__ void load_beside_another(int* out, bool right) {
  const Begun b(1);
  int value = 0;
  if (b.warp < 4) store(b.mine, 7);
  wait_stores();
  sync();
  if (b.warp == 0) {
    value = load(b.mine);
    if (right) wait_loads();
  }
  sync();
  if (b.warp == 4) {
    value = load(b.mine);
    wait_loads();
  }
  sync();
  if (threadIdx.x == 0) b.multiply(false);
  finish(b, out, value);
}

// The same as the first with tcgen05.cp.
__global__ void load_before_copy(int* out, bool right) {
  const Begun b(1);
  int value = 0;
  if (b.warp < 4) {
    store(b.mine, 6);
    wait_stores();
    value = load(b.mine);
    if (right) wait_loads();
  }
  sync();
  if (threadIdx.x == 0) {
    const unsigned long long matrix_at = b.descriptor(8);
    asm volatile(
        "tcgen05.cp.cta_group::1.128x128b [%0], %1;"
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%2];" ::"r"(b.memory),
        "l"(matrix_at), "r"(b.mbarrier)
        : "memory");
  }
  finish(b, out, value);
}

__global__ void load_then_store(int* out, bool right) {
  const Begun b;
  if (b.warp < 4) {
    store(b.mine, 4);
    wait_stores();
    const int value = load(b.mine);
    if (right) wait_loads();
    store(b.mine, 9);
    wait_stores();
    say(out, value);
  }
  b.end();
}

// The last warp overwrites what the first one loads and has only moved to another register.
__global__ void load_only_moved(int* out, bool right) {
  const Begun b;
  if (b.warp == 0) {
    store(b.mine, 8);
    wait_stores();
    int value, moved;
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%2]; mov.b32 %1, %0;"
                 : "=&r"(value), "=r"(moved)
                 : "r"(b.mine)
                 : "memory");
    if (right) wait_loads();
    sync();
    say(out, moved);
    out[threadIdx.x + 32] = value;
  } else {
    sync();
    if (b.warp == warps - 1) store(b.mine, 1);
  }
  b.end();
}

__global__ void given_back(int* out, bool right) {
  const Begun b;
  int value = 0;
  if (b.warp < 4) {
    store(b.mine, 2);
    wait_stores();
    value = load(b.mine);
    if (right) wait_loads();
  }
  sync();
  if (b.warp == 0)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(b.memory), "n"(columns)
                 : "memory");
  say(out, value);
}

// An operand in shared memory is written again, by an ordinary store.
__global__ void operand_without_fence(int* out, bool copied, bool right) {
  __shared__ alignas(1024) unsigned short elements[2048];
  const Begun b(1);
  for (unsigned i = threadIdx.x; i < 2048; i += block) elements[i] = 0x3c00;
  if (right) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  sync();
  if (threadIdx.x == 0) {
    Begun other = b;
    other.matrix = shared_address(elements);
    if (copied) other.copy(second);
    other.multiply(copied);
  }
  await(b.mbarrier);
  after();
  say(out, static_cast<int>(__int_as_float(load(b.mine))));
  b.end();
}

// Ordered without a wait: stores of one warp, and tcgen05.cp before tcgen05.mma of one thread.
__global__ void pipelined(int* out) {
  const Begun b(1);
  if (b.warp < 4) {
    store(b.mine, 1);
    store(b.mine, 2);
    wait_stores();
  }
  sync();
  if (threadIdx.x == 0) {
    b.copy(second);
    b.multiply(true);
  }
  await(b.mbarrier);
  after();
  say(out, static_cast<int>(__int_as_float(load(b.mine))));
  b.end();
}

void run(const char* name, Memory&, Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return planted::is_either(name, mistake, &right); };
  const auto how = [&](Wait wrong) { return right ? Wait::right : wrong; };
  if (is("store_then_load")) store_then_load<<<1, block>>>(out.at, right);
  if (is("store_for_another_warp")) store_for_another_warp<<<1, block>>>(out.at, how(Wait::missing));
  if (is("store_waits_for_loads") && !right)
    store_for_another_warp<<<1, block>>>(out.at, Wait::of_the_other_kind);
  if (is("store_waits_too_late") && !right) store_for_another_warp<<<1, block>>>(out.at, Wait::too_late);
  if (is("store_at_mbarrier")) store_at_mbarrier<<<1, block>>>(out.at, how(Wait::too_late));
  if (is("store_before_product")) store_before_product<<<1, block>>>(out.at, right);
  if (is("load_before_product")) load_before_product<false><<<1, block>>>(out.at, right);
  if (is("load_used_before_product") && right) load_before_product<true><<<1, block>>>(out.at, false);
  if (is("load_beside_another")) load_beside_another<<<1, block>>>(out.at, right);
  if (is("load_before_copy")) load_before_copy<<<1, block>>>(out.at, right);
  if (is("load_then_store")) load_then_store<<<1, block>>>(out.at, right);
  if (is("load_only_moved")) load_only_moved<<<1, block>>>(out.at, right);
  if (is("given_back")) given_back<<<1, block>>>(out.at, right);
  if (is("operand_without_fence")) operand_without_fence<<<1, block>>>(out.at, false, right);
  if (is("copied_without_fence")) operand_without_fence<<<1, block>>>(out.at, true, right);
  if (is("pipelined") && right) pipelined<<<1, block>>>(out.at);
}

}  // namespace

int main(int count, char** arguments) { return planted::say_what_happens(count, arguments, run); }
