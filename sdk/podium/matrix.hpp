// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Matrix cores in the portable dialect: a warp multiplies tiles of 16 x 16 numbers of f16 or bf16 and adds
// the products up in f32: sums(i, j) += left(i, k) * right(k, j).
//
// Each lane holds `held` numbers of a tile. Its n-th of left and of sums is that of row(lane, n) and
// column(lane, n); so sums, rounded, are the left of a further product without any exchange among lanes. All
// lanes of a warp call these functions together. Tiles come from shared memory: at(row, column), for a column
// that is a multiple of 8, is the address of eight numbers in a row, aligned to 16 bytes.
//
// CUDA: mma.sync and ldmatrix, from sm_80 on. HIP: MFMA of gfx942 and gfx950, WMMA of gfx12, which compute
// the transposed product, since their sums are laid out as their right operand. Emulation: the first layout
// with warps of 32 lanes, the second one with 64.
#pragma once
#include <podium/dtype.hpp>
#include <podium/podium.hpp>

#include <cstring>
#include <type_traits>

namespace podium::matrix {

#if defined(PODIUM_ON_CUDA) || (!defined(PODIUM_ON_HIP) && PODIUM_WARP == 32)
#define PODIUM_MATRIX_QUADS 1  // four lanes share a row; a lane has two rows
#endif

#if defined(PODIUM_ON_CUDA) || defined(__GFX12__)
inline constexpr int lanes = 32;
#elif defined(PODIUM_ON_HIP)
inline constexpr int lanes = 64;
#else
inline constexpr int lanes = PODIUM_WARP;
#endif

inline constexpr int side = 16, held = side * side / lanes;

#if defined(PODIUM_MATRIX_QUADS)
inline constexpr int rows_held = 2, row_step = 1, row_end = 4;
PODIUM_BOTH constexpr int row_slot(int n) { return n / 2 % 2; }
PODIUM_BOTH constexpr int row_of_slot(int lane, int slot) { return lane / 4 + 8 * slot; }
PODIUM_BOTH constexpr int column(int lane, int n) { return lane % 4 * 2 + n % 2 + n / 4 * 8; }
PODIUM_BOTH constexpr int right_row(int lane, int n) { return lane % 4 * 2 + n % 2 + n / 2 % 2 * 8; }
PODIUM_BOTH constexpr int right_column(int lane, int n) { return lane / 4 + n / 4 * 8; }
#else
inline constexpr int rows_held = 1, row_step = 16, row_end = lanes;
PODIUM_BOTH constexpr int row_slot(int) { return 0; }
PODIUM_BOTH constexpr int row_of_slot(int lane, int) { return lane % 16; }
PODIUM_BOTH constexpr int column(int lane, int n) { return lane / 16 * held + n; }
PODIUM_BOTH constexpr int right_row(int lane, int n) { return lane / 16 * held + n; }
PODIUM_BOTH constexpr int right_column(int lane, int) { return lane % 16; }
#endif
PODIUM_BOTH constexpr int row(int lane, int n) { return row_of_slot(lane, row_slot(n)); }

// Threads of a warp of the device that a launch from here runs on.
inline int device_lanes() {
#if defined(PODIUM_ON_HIP)
  int device = 0, count = 0;
  check(hipGetDevice(&device));
  check(hipDeviceGetAttribute(&count, hipDeviceAttributeWarpSize, device));
  return count;
#else
  return lanes;
#endif
}

// Operands hold pairs of numbers, the first in the low half.
template <class T>
struct Left {
  unsigned pairs[held / 2];
};
template <class T>
struct Right {
  unsigned pairs[held / 2];
};
struct Sums {
  float at[held];
};

template <class T>
__device__ unsigned pair_of(float low, float high) {
  unsigned both;
#if defined(PODIUM_ON_CUDA)
  if constexpr (std::is_same_v<T, f16>) {
    const __half2 rounded = __floats2half2_rn(low, high);
    memcpy(&both, &rounded, sizeof both);
  } else {
    const __nv_bfloat162 rounded = __floats2bfloat162_rn(low, high);
    memcpy(&both, &rounded, sizeof both);
  }
#else
  const T rounded[2] = {cast<T>(low), cast<T>(high)};
  memcpy(&both, rounded, sizeof both);
#endif
  return both;
}

// Sums as the left of a further product, rounded to nearest.
template <class T>
__device__ Left<T> rounded(const Sums& sums) {
  Left<T> left;
#pragma unroll
  for (int p = 0; p < held / 2; ++p) left.pairs[p] = pair_of<T>(sums.at[2 * p], sums.at[2 * p + 1]);
  return left;
}

// Over the lanes that share a row: combine(value, value of another lane).
template <class Combine>
__device__ float across_row(float value, Combine combine) {
#pragma unroll
  for (int step = row_step; step < row_end; step *= 2)
    value = combine(value, __shfl_xor_sync(all_lanes, value, step));
  return value;
}

namespace detail {

__device__ inline int lane() { return int(threadIdx.x) % lanes; }  // blocks are rows of threads

#if defined(PODIUM_ON_CUDA)

template <bool turned>
__device__ inline void load(unsigned (&to)[4], const void* from) {
  const unsigned address = unsigned(__cvta_generic_to_shared(from));
  if constexpr (turned)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
}

#else

// This lane's numbers, one by one, where place(n) is the row and first(n) the column.
template <class T, class At, class Row, class Column>
__device__ void load(unsigned (&to)[held / 2], At at, Row row_of, Column column_of) {
  T numbers[held];
#pragma unroll
  for (int n = 0; n < held; ++n) {
    const int r = row_of(n), c = column_of(n);
    numbers[n] = at(r, c / 8 * 8)[c % 8];
  }
  memcpy(to, numbers, sizeof to);
}

#endif

}  // namespace detail

// left(i, k) lies at(i, k).
template <class T, class At>
__device__ Left<T> load_left(At at) {
  Left<T> left;
  const int lane = detail::lane();
#if defined(PODIUM_ON_CUDA)
  detail::load<false>(left.pairs, at(lane % 16, lane / 16 * 8));
#else
  detail::load<T>(
      left.pairs, at, [=](int n) { return row(lane, n); }, [=](int n) { return column(lane, n); });
#endif
  return left;
}

// right(k, j) lies at(j, k): columns of right are rows in memory.
template <class T, class At>
__device__ Right<T> load_columns(At at) {
  Right<T> right;
  const int lane = detail::lane();
#if defined(PODIUM_ON_CUDA)
  detail::load<false>(right.pairs, at(lane / 16 * 8 + lane % 8, lane / 8 % 2 * 8));
#else
  detail::load<T>(
      right.pairs, at, [=](int n) { return right_column(lane, n); },
      [=](int n) { return right_row(lane, n); });
#endif
  return right;
}

// right(k, j) lies at(k, j).
template <class T, class At>
__device__ Right<T> load_rows(At at) {
  Right<T> right;
  const int lane = detail::lane();
#if defined(PODIUM_ON_CUDA)
  detail::load<true>(right.pairs, at(lane % 16, lane / 16 * 8));
#else
  detail::load<T>(
      right.pairs, at, [=](int n) { return right_row(lane, n); },
      [=](int n) { return right_column(lane, n); });
#endif
  return right;
}

namespace detail {

#if defined(PODIUM_ON_CUDA)

// Columns 0 to 7 or 8 to 15 of the tile.
template <class T, int half>
__device__ void multiply_half(const Left<T>& left, const Right<T>& right, Sums& sums) {
  float* const c = sums.at + 4 * half;
  if constexpr (std::is_same_v<T, f16>)
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(left.pairs[0]), "r"(left.pairs[1]), "r"(left.pairs[2]), "r"(left.pairs[3]),
          "r"(right.pairs[2 * half]), "r"(right.pairs[2 * half + 1]));
  else
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(left.pairs[0]), "r"(left.pairs[1]), "r"(left.pairs[2]), "r"(left.pairs[3]),
          "r"(right.pairs[2 * half]), "r"(right.pairs[2 * half + 1]));
}

#elif defined(PODIUM_ON_HIP)

template <class T, int count>
using Vector = T __attribute__((ext_vector_type(count)));

template <class To, class From>
__device__ To bits_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

template <class T>
__device__ void multiply(const Left<T>& left, const Right<T>& right, Sums& sums) {
  using Operand = std::conditional_t<std::is_same_v<T, f16>, Vector<_Float16, held>, Vector<short, held> >;
  using Total = Vector<float, held>;
  [[maybe_unused]] const auto a = bits_as<Operand>(right.pairs), b = bits_as<Operand>(left.pairs);
  auto c = bits_as<Total>(sums.at);
#if defined(__GFX12__)
  if constexpr (std::is_same_v<T, f16>)
    c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c);
  else
    c = __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c);
#elif defined(__gfx942__) || defined(__gfx950__)
  if constexpr (std::is_same_v<T, f16>)
    c = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
  else
    c = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
#elif defined(__HIP_DEVICE_COMPILE__)
#error "podium/matrix.hpp is for gfx942, gfx950 and gfx12: name them as `arch` in the contestant's metadata"
#endif
  memcpy(sums.at, &c, sizeof c);
}

#else

template <class T>
struct Operands {
  float left[side][side], right[side][side];
};

// The first lane has a table on its stack; all write what they hold, and read what their sums need.
template <class T>
void multiply(const Left<T>& left, const Right<T>& right, Sums& sums) {
  Operands<T> own;
  Operands<T>* const table =
      reinterpret_cast<Operands<T>*>(__shfl_sync(all_lanes, reinterpret_cast<std::uintptr_t>(&own), 0));
  T numbers[held];
  std::memcpy(numbers, left.pairs, sizeof numbers);
  for (int n = 0; n < held; ++n) table->left[row(lane(), n)][column(lane(), n)] = cast<float>(numbers[n]);
  std::memcpy(numbers, right.pairs, sizeof numbers);
  for (int n = 0; n < held; ++n)
    table->right[right_row(lane(), n)][right_column(lane(), n)] = cast<float>(numbers[n]);
  __syncwarp();
  for (int n = 0; n < held; ++n)
    for (int k = 0; k < side; ++k)
      sums.at[n] += table->left[row(lane(), n)][k] * table->right[k][column(lane(), n)];
  __syncwarp();  // before the first lane leaves its stack
}

#endif

}  // namespace detail

// sums += left * right.
template <class T>
__device__ void multiply_add(const Left<T>& left, const Right<T>& right, Sums& sums) {
  static_assert(std::is_same_v<T, f16> || std::is_same_v<T, bf16>, "matrix cores take f16 or bf16 here");
#if defined(PODIUM_ON_CUDA)
  detail::multiply_half<T, 0>(left, right, sums);
  detail::multiply_half<T, 1>(left, right, sums);
#else
  detail::multiply(left, right, sums);
#endif
}

}  // namespace podium::matrix
