// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Mistakes around asynchronous copies: what one writes is touched before it is known to be done, and what one
// reads is overwritten before it is known to be read.
#include "planted_copies.hpp"

namespace {

using namespace planted;

// Bulk copies to shared memory

enum class Wait { right, none, of_one, in_vain };

// Thread 0 begins the copy, all read what it brings.
__global__ void brought(const int* in, int* out, Wait how) {
  __shared__ alignas(16) int tile[threads];
  __shared__ Word barrier;
  begin(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, tile_bytes);
    load(tile, in, tile_bytes, &barrier);
  }
  __syncthreads();
  if (how == Wait::right || (how == Wait::of_one && threadIdx.x == 0)) await(&barrier, 0);
  if (how == Wait::in_vain) await(&barrier, 1);  // the phase before the first one: it is over
  out[threadIdx.x] = tile[threadIdx.x];
}
// One thread waits, and the others wait for it.
__global__ void brought_for_all(const int* in, int* out, bool right) {
  __shared__ alignas(16) int tile[threads];
  __shared__ Word barrier;
  begin(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, tile_bytes);
    load(tile, in, tile_bytes, &barrier);
    if (right) await(&barrier, 0);
  }
  __syncthreads();
  if (!right && threadIdx.x == 0) await(&barrier, 0);
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];
}
// Two tiles, each with its mbarrier.
__global__ void two_tiles(const int* in, int* out, bool right) {
  __shared__ alignas(16) int tiles[2][threads];
  __shared__ Word barriers[2];
  begin(&barriers[0], 1);
  begin(&barriers[1], 1);
  for (int i = 0; threadIdx.x == 0 && i < 2; ++i) {
    expect(&barriers[i], tile_bytes);
    load(tiles[i], in, tile_bytes, &barriers[i]);
  }
  await(&barriers[0], 0);
  if (right) await(&barriers[1], 0);
  out[threadIdx.x] = tiles[1][threadIdx.x];
}
// The second round waits for the first one's phase again.
__global__ void two_rounds(const int* in, int* out, bool right) {
  __shared__ alignas(16) int tile[threads];
  __shared__ Word barrier;
  begin(&barrier, 1);
  int sum = 0;
  for (unsigned round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) {
      expect(&barrier, tile_bytes);
      load(tile, in, tile_bytes, &barrier);
    }
    __syncthreads();
    await(&barrier, right ? round : 0);
    sum += tile[threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
// Of two copies, one is expected.
__global__ void two_halves(const int* in, int* out, bool right) {
  __shared__ alignas(16) int tile[threads];
  __shared__ Word barrier;
  begin(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, right ? tile_bytes : tile_bytes / 2);
    load(tile, in, tile_bytes / 2, &barrier);
    load(tile + threads / 2, in, tile_bytes / 2, &barrier);
  }
  await(&barrier, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
// Two copies at a time to the same bytes; or a thread writes there, too.
__global__ void onto_another(const int* in, int* out, bool copies, bool right) {
  __shared__ alignas(16) int tile[2 * threads];
  __shared__ Word barrier;
  begin(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, copies ? 2 * tile_bytes : tile_bytes);
    load(tile, in, tile_bytes, &barrier);
    if (copies) load(tile + (right ? threads : threads - 4), in, tile_bytes, &barrier);
  }
  if (!copies && threadIdx.x == 1) tile[right ? threads : 5] = 3;
  await(&barrier, 0);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void multiplied(const int* in, int* out, bool right) {
  __shared__ alignas(1024) unsigned short elements[128 + 1024];
  __shared__ Word barrier;
  for (unsigned i = threadIdx.x; i < 128 + 1024; i += group) elements[i] = 0x3c00;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  begin(&barrier, 1);
  if (threadIdx.x == 0) {
    expect(&barrier, 256);
    load(elements, in, 256, &barrier);
  }
  if (right) await(&barrier, 0);
  const float sum = product(shared_address(elements), false, 2);
  if (threadIdx.x < threads) out[threadIdx.x] = static_cast<int>(sum);
}

// Between the blocks of a cluster

// The first block's copy goes to both.
__global__ void __cluster_dims__(2) multicast(const int* in, int* out, bool right) {
  __shared__ alignas(16) int tile[32];
  __shared__ Word barrier;
  begin(&barrier, 1);
  if (threadIdx.x == 0) expect(&barrier, sizeof tile);
  sync_cluster();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], "
        "%2, [%3], %4;" ::"r"(shared_address(tile)),
        "l"(in), "n"(sizeof tile), "r"(shared_address(&barrier)), "h"(static_cast<short>(3))
        : "memory");
  if (right || blockIdx.x == 0) await(&barrier, 0);
  sync_cluster();
  out[blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.x];
}
// Each thread stores to the other block. `adds`: all of them to the same word.
__global__ void __cluster_dims__(2) stored_async(int* out, bool adds, bool right) {
  __shared__ int tile[32];
  __shared__ Word barrier;
  begin(&barrier, 1);
  tile[threadIdx.x] = 0;
  if (threadIdx.x == 0) expect(&barrier, sizeof tile);
  sync_cluster();
  const unsigned to = of_other_block(&tile[adds ? 0 : threadIdx.x]), at = of_other_block(&barrier);
  if (adds)
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], 1, [%1];" ::"r"(
            to),
        "r"(at)
        : "memory");
  else
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to),
                 "r"(5), "r"(at)
                 : "memory");
  if (right) await(&barrier, 0);
  sync_cluster();
  out[blockIdx.x * 32 + threadIdx.x] = tile[adds ? 0 : threadIdx.x];
}
// What a copy to the other block reads is overwritten, before that block has it.
__global__ void __cluster_dims__(2) moved(int* out, bool right) {
  __shared__ alignas(16) int from[32];
  __shared__ alignas(16) int to[32];
  __shared__ Word barrier;
  begin(&barrier, 1);
  from[threadIdx.x] = 4;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (threadIdx.x == 0) expect(&barrier, sizeof to);
  sync_cluster();
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            of_other_block(to)),
        "r"(shared_address(from)), "n"(sizeof to), "r"(of_other_block(&barrier))
        : "memory");
  if (right) {
    await(&barrier, 0);
    sync_cluster();
  }
  __syncwarp();
  from[threadIdx.x] = 6;
  if (!right) await(&barrier, 0);
  out[blockIdx.x * 32 + threadIdx.x] = to[threadIdx.x];
  sync_cluster();
}

// Bulk copies of shared memory

enum class Read { right, none, one_of_two, before_barrier, of_the_other };

// The tile is stored, and the next one is made in its place.
__global__ void overwritten(int* out, Read how) {
  __shared__ alignas(16) int tiles[2][threads];
  for (auto& tile : tiles) tile[threadIdx.x] = 7;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    for (auto& tile : tiles) store(out, tile, tile_bytes);
  if (threadIdx.x == 0 && how == Read::one_of_two) wait_read<1>();
  if (threadIdx.x == 0 && how == Read::right) wait_read<0>();
  if (threadIdx.x == 1 && how == Read::of_the_other) wait_read<0>();
  __syncthreads();
  tiles[1][threadIdx.x] = 9;
  if (threadIdx.x == 0) wait_read<0>();
}
__global__ void overwritten_without_barrier(int* out, bool right) {
  __shared__ alignas(16) int tile[threads];
  tile[threadIdx.x] = 7;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    store(out, tile, tile_bytes);
    wait_read<0>();
  }
  if (right) __syncthreads();
  tile[threadIdx.x] = 9;
}
// The next tile is brought where the last one is still being stored.
__global__ void loaded_over(const int* in, int* out, bool right) {
  __shared__ alignas(16) int tile[threads];
  __shared__ Word barrier;
  tile[threadIdx.x] = 7;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  begin(&barrier, 1);
  if (threadIdx.x == 0) {
    store(out, tile, tile_bytes);
    if (right) wait_read<0>();
    expect(&barrier, tile_bytes);
    load(tile, in, tile_bytes, &barrier);
  }
  await(&barrier, 0);
}

void run(const char* name, Memory& in, Memory& out) {
  bool right = false;
  const auto is = [&](const char* mistake) { return is_either(name, mistake, &right); };
  const auto bring = [&](Wait how) { brought<<<1, threads>>>(in.at, out.at, how); };
  const auto write = [&](Read how) { overwritten<<<1, threads>>>(out.at, how); };
  if (is("bulk_not_waited_for")) bring(right ? Wait::right : Wait::none);
  if (is("bulk_one_waits") && !right) bring(Wait::of_one);
  if (is("bulk_waits_in_vain") && !right) bring(Wait::in_vain);
  if (is("bulk_waits_too_late")) brought_for_all<<<1, threads>>>(in.at, out.at, right);
  if (is("bulk_other_mbarrier")) two_tiles<<<1, threads>>>(in.at, out.at, right);
  if (is("bulk_old_phase")) two_rounds<<<1, threads>>>(in.at, out.at, right);
  if (is("bulk_expects_too_little")) two_halves<<<1, threads>>>(in.at, out.at, right);
  if (is("bulk_onto_another")) onto_another<<<1, threads>>>(in.at, out.at, true, right);
  if (is("bulk_onto_a_write")) onto_another<<<1, threads>>>(in.at, out.at, false, right);
  if (is("bulk_multiplied")) multiplied<<<1, group>>>(in.at, out.at, right);
  if (is("bulk_multicast")) multicast<<<2, 32>>>(in.at, out.at, right);
  if (is("stored_async")) stored_async<<<2, 32>>>(out.at, false, right);
  if (is("added_async")) stored_async<<<2, 32>>>(out.at, true, right);
  if (is("bulk_moved")) moved<<<2, 32>>>(out.at, right);
  if (is("store_overwritten")) write(right ? Read::right : Read::none);
  if (is("store_one_of_two") && !right) write(Read::one_of_two);
  if (is("store_other_waits") && !right) write(Read::of_the_other);
  if (is("store_without_barrier")) overwritten_without_barrier<<<1, threads>>>(out.at, right);
  if (is("store_loaded_over")) loaded_over<<<1, threads>>>(in.at, out.at, right);
}

}  // namespace

int main(int count, char** arguments) { return say_what_happens(count, arguments, run); }
