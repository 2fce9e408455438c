// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Instructions of sm_100 and later that CUDA C++ has no functions for: mbarriers, copies of tensors by TMA,
// and products of the fifth-generation tensor cores with their tensor memory (PTX ISA 9.7.13, 9.7.9.27,
// 9.7.16). An address of tensor memory is lane << 16 | column; a lane of a column is 32 bits wide, and a warp
// loads and stores the 32 lanes from 32 * (warp % 4) on.
#pragma once
#include <podium/podium.hpp>

#include <cuda.h>

#include <type_traits>

namespace sm100 {

__device__ inline unsigned shared_address(const void* at) { return unsigned(__cvta_generic_to_shared(at)); }

// True for one lane of a warp, the same one each time.
__device__ inline bool elected() {
  unsigned chosen;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(chosen));
  return chosen != 0;
}

// Its phases are numbered from 0 on; each ends with the arrivals, and the bytes, that it expects.
class Barrier {
 public:
  __device__ void expect_arrivals(int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address()), "r"(count) : "memory");
  }
  __device__ void arrive() {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(address())
                 : "memory");
  }
  __device__ void arrive_and_expect(int bytes) {
    asm volatile(
        "{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(address()),
        "r"(bytes)
        : "memory");
  }
  // Waits for the end of a phase, whose successor must not have ended.
  __device__ void wait(int phase) {
    asm volatile(
        "{ .reg .pred ended;\n"
        "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
        "@!ended bra AGAIN; }" ::"r"(address()),
        "r"(phase & 1)
        : "memory");
  }
  // Arrives when all products that this thread has begun are complete.
  __device__ void arrive_after_products() {
    asm volatile(
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(address())
        : "memory");
  }
  [[nodiscard]] __device__ unsigned address() const { return shared_address(this); }

 private:
  unsigned long long state_;
};

// After barriers were initialised, before others use them.
__device__ inline void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Heads of rows: [sequence, row, head, number] of 16 bits, `head_dim` numbers to a head. What a copy brings
// to shared memory are `rows` rows of one head, in slices of 64 numbers: [slice, row, 64], each row's units
// of 16 bytes exchanged as tensor cores expect it (a swizzle of 128 bytes). Rows behind the last are zeros.
constexpr int slice = 64;
template <class T>
CUtensorMap map_of_heads(const T* data, std::int64_t sequences, std::int64_t rows, std::int64_t heads,
                         int head_dim, int rows_of_box) {
  static_assert(sizeof(T) == 2);
  void* encode = nullptr;
  cudaDriverEntryPointQueryResult found;
  podium::check(
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &found));
  podium::require(encode != nullptr, "the driver has no cuTensorMapEncodeTiled");
  const cuuint64_t head = cuuint64_t(head_dim) * sizeof(T), row = head * cuuint64_t(heads);
  const cuuint64_t sizes[] = {slice, cuuint64_t(rows), cuuint64_t(head_dim / slice), cuuint64_t(heads),
                              cuuint64_t(sequences)};
  const cuuint64_t strides[] = {row, slice * sizeof(T), head, row * cuuint64_t(rows)};  // bytes
  const cuuint32_t box[] = {slice, cuuint32_t(rows_of_box), cuuint32_t(head_dim / slice), 1, 1};
  const cuuint32_t steps[] = {1, 1, 1, 1, 1};
  CUtensorMap map;
  const CUresult result = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
      &map,
      std::is_same_v<T, podium::bf16> ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 5,
      const_cast<T*>(data), sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  podium::require(result == CUDA_SUCCESS, "cuTensorMapEncodeTiled refused the tensor map");
  return map;
}

// Its bytes count at the barrier.
__device__ inline void copy_heads(void* to, const CUtensorMap& map, int row, int head, int sequence,
                                  Barrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, "
      "%4, %5, %6}], [%7];" ::"r"(shared_address(to)),
      "l"(&map), "r"(0), "r"(row), "r"(0), "r"(head), "r"(sequence), "r"(barrier.address())
      : "memory");
}

// All 512 columns, for a block alone on its multiprocessor; called by one warp.
constexpr int all_columns = 512;
__device__ inline void allocate_columns(unsigned* address) {
  asm volatile(
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared_address(address)),
      "n"(all_columns)
      : "memory");
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
}
__device__ inline void free_columns(unsigned address) {
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address), "n"(all_columns)
               : "memory");
}

// Before and after a wait that orders one thread's accesses to tensor memory before another's.
__device__ inline void fence_before_wait() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
__device__ inline void fence_after_wait() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }

// 16 columns of this thread's lane. The numbers are valid after loads_done().
constexpr int columns_at_once = 16;
__device__ inline void load(float* r, unsigned from) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x16.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15}, [%16];"
      : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7]),
        "=f"(r[8]), "=f"(r[9]), "=f"(r[10]), "=f"(r[11]), "=f"(r[12]), "=f"(r[13]), "=f"(r[14]), "=f"(r[15])
      : "r"(from));
}
__device__ inline void store(unsigned to, const unsigned* r) {
  asm volatile(
      "tcgen05.st.sync.aligned.32x32b.x16.b32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15, %16};" ::"r"(to),
      "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]), "r"(r[8]),
      "r"(r[9]), "r"(r[10]), "r"(r[11]), "r"(r[12]), "r"(r[13]), "r"(r[14]), "r"(r[15])
      : "memory");
}
template <int count>
__device__ void loads_done(float (&numbers)[count]) {
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
#pragma unroll
  for (float& number : numbers) asm volatile("" : "+f"(number));  // the compiler uses none before
}
__device__ inline void stores_done() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }

// The descriptor of a matrix in shared memory (9.7.16.4.1), as copy_heads writes it. Eight rows of 128 bytes
// form the swizzle's pattern, which repeats down the rows and, if the numbers of a row are the matrix's rows
// (turned), from slice to slice.
__device__ inline unsigned long long matrix_at(const void* at, int bytes_of_slice) {
  constexpr unsigned long long version = 1ull << 46, swizzle_128 = 2ull << 61;
  constexpr unsigned long long bytes_of_pattern = 8 * 128;
  return shared_address(at) >> 4 | (unsigned long long)(bytes_of_slice) >> 4 << 16 |
         bytes_of_pattern >> 4 << 32 | version | swizzle_128;
}
__device__ inline unsigned long long moved(unsigned long long matrix, int bytes) {
  return matrix + unsigned(bytes >> 4);
}

// The instruction descriptor (9.7.16.4.2) of a product of 128 x n: numbers of T, sums in f32.
constexpr int product_rows = 128, product_depth = 16;
template <class T>
constexpr unsigned product_of(int n, bool right_turned) {
  constexpr unsigned sums_f32 = 1u << 4, type = std::is_same_v<T, podium::bf16> ? 1 : 0;
  return sums_f32 | type << 7 | type << 10 | unsigned(right_turned) << 16 | unsigned(n / 8) << 17 |
         unsigned(product_rows / 16) << 24;
}

// sums += left * right transposed, over 16 numbers of each row; without `adds`, sums = that.
__device__ inline void multiply(unsigned sums, unsigned long long left, unsigned long long right,
                                unsigned product, bool adds) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.u32 adds, %4, 0;\n"
      "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, adds; }" ::"r"(sums),
      "l"(left), "l"(right), "r"(product), "r"(unsigned(adds))
      : "memory");
}
// The same with left in tensor memory, two numbers in each column of a row's lane.
__device__ inline void multiply(unsigned sums, unsigned left, unsigned long long right, unsigned product,
                                bool adds) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.u32 adds, %4, 0;\n"
      "tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, adds; }" ::"r"(sums),
      "r"(left), "l"(right), "r"(product), "r"(unsigned(adds))
      : "memory");
}

}  // namespace sm100
