// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of one matrix instruction each, and what it multiplies. TARGET is the number of the architecture in
// hexadecimal, WAVE the lanes of a wave: the host's part of the program has to know them as well.
#pragma once
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstring>

enum class Kind { f64, f32, f16, bf16, fp8, bf8, i32, i8, u8, i4, u4 };

// Words of the operands, register after register, each of all lanes.
struct Words {
  const std::uint32_t *a, *b, *c;
  std::uint32_t* d;
  const std::uint32_t* index;  // of sparse products: which elements of A there are
};

// What an instruction's fields change of its operands. `negative`, of A and B: 1 elements in the lower halves
// of registers, 2 those in the upper ones, 3 all; of C: 1 its sign is changed, 2 it is taken off before.
struct Modifiers {
  int cbsz = 0, abid = 0, blgp = 0;
  int negative[3] = {};
  bool clamp = false;
  bool any() const { return cbsz || abid || blgp || negative[0] || negative[1] || negative[2] || clamp; }
};

struct Core {
  const char* name;
  void (*kernel)(Words);
  int m, n, depth, blocks;
  Kind a, b, d;
  bool one_half = false;  // results of 16 bits, each in the upper half of a register
  int set = -1;           // of sparse products: which of those that a register of indices has room for
  Modifiers modified{};
};

template <class T, int count>
using Vector = T __attribute__((ext_vector_type(count)));
using Half4 = Vector<_Float16, 4>;
using Half8 = Vector<_Float16, 8>;
using Half16 = Vector<_Float16, 16>;
using Short4 = Vector<short, 4>;
using Short8 = Vector<short, 8>;
using Short16 = Vector<short, 16>;
using Bf8 = Vector<__bf16, 8>;
using Float4 = Vector<float, 4>;
using Float8 = Vector<float, 8>;
using Float16 = Vector<float, 16>;
using Float32 = Vector<float, 32>;
using Double4 = Vector<double, 4>;
using Int2 = Vector<int, 2>;
using Int4 = Vector<int, 4>;
using Int8 = Vector<int, 8>;
using Int16 = Vector<int, 16>;
using Int32 = Vector<int, 32>;

template <class T>
__device__ T load(const std::uint32_t* words) {
  std::uint32_t x[sizeof(T) / 4];
#pragma unroll
  for (unsigned r = 0; r < sizeof(T) / 4; ++r) x[r] = words[r * WAVE + threadIdx.x];
  T value;
  __builtin_memcpy(&value, x, sizeof value);
  return value;
}
template <class T>
__device__ void store(std::uint32_t* words, const T& value) {
  std::uint32_t x[sizeof(T) / 4];
  __builtin_memcpy(x, &value, sizeof value);
#pragma unroll
  for (unsigned r = 0; r < sizeof(T) / 4; ++r) words[r * WAVE + threadIdx.x] = x[r];
}

#ifdef __HIP_DEVICE_COMPILE__
#define CORE(name, A, B, D, call) \
  __global__ void name(Words x) { \
    const auto a = load<A>(x.a);  \
    const auto b = load<B>(x.b);  \
    const auto c = load<D>(x.c);  \
    store<D>(x.d, call);          \
  }
#else
#define CORE(name, A, B, D, call) \
  __global__ void name(Words) {}
#endif

#if TARGET == 0x90a || TARGET == 0x942 || TARGET == 0x950
#define MFMA(name, A, D) CORE(name, A, A, D, __builtin_amdgcn_mfma_##name(a, b, c, 0, 0, 0))
MFMA(f32_32x32x1f32, float, Float32)
MFMA(f32_16x16x1f32, float, Float16)
MFMA(f32_4x4x1f32, float, Float4)
MFMA(f32_32x32x2f32, float, Float16)
MFMA(f32_16x16x4f32, float, Float4)
MFMA(f32_32x32x4f16, Half4, Float32)
MFMA(f32_16x16x4f16, Half4, Float16)
MFMA(f32_4x4x4f16, Half4, Float4)
MFMA(f32_32x32x8f16, Half4, Float16)
MFMA(f32_16x16x16f16, Half4, Float4)
MFMA(f32_32x32x4bf16_1k, Short4, Float32)
MFMA(f32_16x16x4bf16_1k, Short4, Float16)
MFMA(f32_4x4x4bf16_1k, Short4, Float4)
MFMA(f32_32x32x8bf16_1k, Short4, Float16)
MFMA(f32_16x16x16bf16_1k, Short4, Float4)
MFMA(i32_32x32x4i8, int, Int32)
MFMA(i32_16x16x4i8, int, Int16)
MFMA(i32_4x4x4i8, int, Int4)
MFMA(f64_16x16x4f64, double, Double4)
MFMA(f64_4x4x4f64, double, double)
#define MODIFIED(name, A, D, cbsz, abid, blgp) \
  CORE(name##_##cbsz##abid##blgp, A, A, D, __builtin_amdgcn_mfma_##name(a, b, c, cbsz, abid, blgp))
MODIFIED(f32_32x32x1f32, float, Float32, 1, 1, 3)
MODIFIED(f32_32x32x4f16, Half4, Float32, 1, 0, 2)
MODIFIED(f32_16x16x4f16, Half4, Float16, 1, 1, 1)
MODIFIED(f32_16x16x4f16, Half4, Float16, 2, 3, 0)
MODIFIED(f32_4x4x4f16, Half4, Float4, 2, 1, 0)
MODIFIED(f32_4x4x4bf16_1k, Short4, Float4, 4, 9, 6)
MODIFIED(f32_16x16x16f16, Half4, Float4, 0, 0, 4)
MODIFIED(f32_16x16x4f32, float, Float4, 0, 0, 5)
MODIFIED(f32_32x32x8bf16_1k, Short4, Float16, 0, 0, 7)
#define VARIED(text, kernel, m, depth, blocks, a, cbsz, abid, blgp)                                   \
  {                                                                                                   \
    text, kernel##_##cbsz##abid##blgp, m, m, depth, blocks, Kind::a, Kind::a, Kind::f32, false, -1, { \
      cbsz, abid, blgp                                                                                \
    }                                                                                                 \
  }
#define MODIFIERS                                                                                   \
  VARIED("f32_32x32x1_2b_f32 cbsz 1 abid 1 blgp 3", f32_32x32x1f32, 32, 1, 2, f32, 1, 1, 3),        \
      VARIED("f32_32x32x4_2b_f16 cbsz 1 blgp 2", f32_32x32x4f16, 32, 4, 2, f16, 1, 0, 2),           \
      VARIED("f32_16x16x4_4b_f16 cbsz 1 abid 1 blgp 1", f32_16x16x4f16, 16, 4, 4, f16, 1, 1, 1),    \
      VARIED("f32_16x16x4_4b_f16 cbsz 2 abid 3", f32_16x16x4f16, 16, 4, 4, f16, 2, 3, 0),           \
      VARIED("f32_4x4x4_16b_f16 cbsz 2 abid 1", f32_4x4x4f16, 4, 4, 16, f16, 2, 1, 0),              \
      VARIED("f32_4x4x4_16b_bf16 cbsz 4 abid 9 blgp 6", f32_4x4x4bf16_1k, 4, 4, 16, bf16, 4, 9, 6), \
      VARIED("f32_16x16x16_f16 blgp 4", f32_16x16x16f16, 16, 16, 1, f16, 0, 0, 4),                  \
      VARIED("f32_16x16x4_f32 blgp 5", f32_16x16x4f32, 16, 4, 1, f32, 0, 0, 5),                     \
      VARIED("f32_32x32x8_bf16 blgp 7", f32_32x32x8bf16_1k, 32, 8, 1, bf16, 0, 0, 7),
#define COMMON                                                                                      \
  {"f32_32x32x1_2b_f32", f32_32x32x1f32, 32, 32, 1, 2, Kind::f32, Kind::f32, Kind::f32},            \
      {"f32_16x16x1_4b_f32", f32_16x16x1f32, 16, 16, 1, 4, Kind::f32, Kind::f32, Kind::f32},        \
      {"f32_4x4x1_16b_f32", f32_4x4x1f32, 4, 4, 1, 16, Kind::f32, Kind::f32, Kind::f32},            \
      {"f32_32x32x2_f32", f32_32x32x2f32, 32, 32, 2, 1, Kind::f32, Kind::f32, Kind::f32},           \
      {"f32_16x16x4_f32", f32_16x16x4f32, 16, 16, 4, 1, Kind::f32, Kind::f32, Kind::f32},           \
      {"f32_32x32x4_2b_f16", f32_32x32x4f16, 32, 32, 4, 2, Kind::f16, Kind::f16, Kind::f32},        \
      {"f32_16x16x4_4b_f16", f32_16x16x4f16, 16, 16, 4, 4, Kind::f16, Kind::f16, Kind::f32},        \
      {"f32_4x4x4_16b_f16", f32_4x4x4f16, 4, 4, 4, 16, Kind::f16, Kind::f16, Kind::f32},            \
      {"f32_32x32x8_f16", f32_32x32x8f16, 32, 32, 8, 1, Kind::f16, Kind::f16, Kind::f32},           \
      {"f32_16x16x16_f16", f32_16x16x16f16, 16, 16, 16, 1, Kind::f16, Kind::f16, Kind::f32},        \
      {"f32_32x32x4_2b_bf16", f32_32x32x4bf16_1k, 32, 32, 4, 2, Kind::bf16, Kind::bf16, Kind::f32}, \
      {"f32_16x16x4_4b_bf16", f32_16x16x4bf16_1k, 16, 16, 4, 4, Kind::bf16, Kind::bf16, Kind::f32}, \
      {"f32_4x4x4_16b_bf16", f32_4x4x4bf16_1k, 4, 4, 4, 16, Kind::bf16, Kind::bf16, Kind::f32},     \
      {"f32_32x32x8_bf16", f32_32x32x8bf16_1k, 32, 32, 8, 1, Kind::bf16, Kind::bf16, Kind::f32},    \
      {"f32_16x16x16_bf16", f32_16x16x16bf16_1k, 16, 16, 16, 1, Kind::bf16, Kind::bf16, Kind::f32}, \
      {"i32_32x32x4_2b_i8", i32_32x32x4i8, 32, 32, 4, 2, Kind::i8, Kind::i8, Kind::i32},            \
      {"i32_16x16x4_4b_i8", i32_16x16x4i8, 16, 16, 4, 4, Kind::i8, Kind::i8, Kind::i32},            \
      {"i32_4x4x4_16b_i8", i32_4x4x4i8, 4, 4, 4, 16, Kind::i8, Kind::i8, Kind::i32},                \
      {"f64_16x16x4_f64", f64_16x16x4f64, 16, 16, 4, 1, Kind::f64, Kind::f64, Kind::f64},           \
      {"f64_4x4x4_4b_f64", f64_4x4x4f64, 4, 4, 4, 4, Kind::f64, Kind::f64, Kind::f64},
#endif

#if TARGET == 0x90a
using Short2 = Vector<short, 2>;
MFMA(f32_32x32x2bf16, Short2, Float32)
MFMA(f32_16x16x2bf16, Short2, Float16)
MFMA(f32_4x4x2bf16, Short2, Float4)
MFMA(f32_32x32x4bf16, Short2, Float16)
MFMA(f32_16x16x8bf16, Short2, Float4)
MFMA(i32_32x32x8i8, int, Int16)
MFMA(i32_16x16x16i8, int, Int4)
const Core cores[] = {
    COMMON MODIFIERS{"f32_32x32x2_2b_bf16", f32_32x32x2bf16, 32, 32, 2, 2, Kind::bf16, Kind::bf16, Kind::f32},
    {"f32_16x16x2_4b_bf16", f32_16x16x2bf16, 16, 16, 2, 4, Kind::bf16, Kind::bf16, Kind::f32},
    {"f32_4x4x2_16b_bf16", f32_4x4x2bf16, 4, 4, 2, 16, Kind::bf16, Kind::bf16, Kind::f32},
    {"f32_32x32x4_bf16", f32_32x32x4bf16, 32, 32, 4, 1, Kind::bf16, Kind::bf16, Kind::f32},
    {"f32_16x16x8_bf16", f32_16x16x8bf16, 16, 16, 8, 1, Kind::bf16, Kind::bf16, Kind::f32},
    {"i32_32x32x8_i8", i32_32x32x8i8, 32, 32, 8, 1, Kind::i8, Kind::i8, Kind::i32},
    {"i32_16x16x16_i8", i32_16x16x16i8, 16, 16, 16, 1, Kind::i8, Kind::i8, Kind::i32},
};
#elif TARGET == 0x942 || TARGET == 0x950
MFMA(i32_32x32x16_i8, long, Int16)
MFMA(i32_16x16x32_i8, long, Int4)
MFMA(f32_16x16x32_fp8_fp8, long, Float4)
MFMA(f32_16x16x32_fp8_bf8, long, Float4)
MFMA(f32_16x16x32_bf8_fp8, long, Float4)
MFMA(f32_16x16x32_bf8_bf8, long, Float4)
MFMA(f32_32x32x16_fp8_fp8, long, Float16)
MFMA(f32_32x32x16_fp8_bf8, long, Float16)
MFMA(f32_32x32x16_bf8_fp8, long, Float16)
MFMA(f32_32x32x16_bf8_bf8, long, Float16)
#if TARGET == 0x950
MFMA(f32_32x32x16_f16, Half8, Float16)
MFMA(f32_16x16x32_f16, Half8, Float4)
MFMA(f32_32x32x16_bf16, Bf8, Float16)
MFMA(f32_16x16x32_bf16, Bf8, Float4)
MFMA(i32_32x32x32_i8, Int4, Int16)
MFMA(i32_16x16x64_i8, Int4, Int4)
#endif
// Of doubles BLGP has the signs of A, B and C.
CORE(f64_16x16x4f64_neg_a, double, double, Double4, __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, 0, 0, 1))
CORE(f64_16x16x4f64_neg_c, double, double, Double4, __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, 0, 0, 4))
CORE(f64_4x4x4f64_neg_bc, double, double, double, __builtin_amdgcn_mfma_f64_4x4x4f64(a, b, c, 0, 0, 6))
#define SIGNS(text, kernel, m, blocks, ...)                                      \
  {                                                                              \
    text, kernel, m, m, 4, blocks, Kind::f64, Kind::f64, Kind::f64, false, -1, { \
      0, 0, 0, { __VA_ARGS__ }                                                   \
    }                                                                            \
  }
// Sparse; of two the first set, whatever ABID is, since CBSZ is not 0.
#define SMFMAC(name, A, B, D, cbsz, abid) \
  CORE(sparse_##name, A, B, D, __builtin_amdgcn_smfmac_##name(a, b, c, int(x.index[threadIdx.x]), cbsz, abid))
SMFMAC(f32_16x16x32_f16, Half4, Half8, Float4, 0, 2)
SMFMAC(f32_32x32x16_f16, Half4, Half8, Float16, 0, 3)
SMFMAC(f32_16x16x32_bf16, Short4, Short8, Float4, 0, 1)
SMFMAC(f32_32x32x16_bf16, Short4, Short8, Float16, 1, 2)
SMFMAC(i32_16x16x64_i8, Int2, Int4, Int4, 0, 1)
SMFMAC(i32_32x32x32_i8, Int2, Int4, Int16, 0, 0)
SMFMAC(f32_16x16x64_fp8_fp8, Int2, Int4, Float4, 0, 1)
SMFMAC(f32_16x16x64_fp8_bf8, Int2, Int4, Float4, 0, 0)
SMFMAC(f32_16x16x64_bf8_fp8, Int2, Int4, Float4, 1, 1)
SMFMAC(f32_16x16x64_bf8_bf8, Int2, Int4, Float4, 0, 1)
SMFMAC(f32_32x32x32_fp8_fp8, Int2, Int4, Float16, 0, 1)
SMFMAC(f32_32x32x32_fp8_bf8, Int2, Int4, Float16, 0, 0)
SMFMAC(f32_32x32x32_bf8_fp8, Int2, Int4, Float16, 0, 1)
SMFMAC(f32_32x32x32_bf8_bf8, Int2, Int4, Float16, 0, 0)
#define SPARSE(name, m, depth, a, b, d, set) \
  {"sparse " #name, sparse_##name, m, m, depth, 1, Kind::a, Kind::b, Kind::d, false, set}
const Core cores[] = {
    COMMON MODIFIERS{"i32_32x32x16_i8", i32_32x32x16_i8, 32, 32, 16, 1, Kind::i8, Kind::i8, Kind::i32},
    {"i32_16x16x32_i8", i32_16x16x32_i8, 16, 16, 32, 1, Kind::i8, Kind::i8, Kind::i32},
    {"f32_16x16x32_fp8_fp8", f32_16x16x32_fp8_fp8, 16, 16, 32, 1, Kind::fp8, Kind::fp8, Kind::f32},
    {"f32_16x16x32_fp8_bf8", f32_16x16x32_fp8_bf8, 16, 16, 32, 1, Kind::fp8, Kind::bf8, Kind::f32},
    {"f32_16x16x32_bf8_fp8", f32_16x16x32_bf8_fp8, 16, 16, 32, 1, Kind::bf8, Kind::fp8, Kind::f32},
    {"f32_16x16x32_bf8_bf8", f32_16x16x32_bf8_bf8, 16, 16, 32, 1, Kind::bf8, Kind::bf8, Kind::f32},
    {"f32_32x32x16_fp8_fp8", f32_32x32x16_fp8_fp8, 32, 32, 16, 1, Kind::fp8, Kind::fp8, Kind::f32},
    {"f32_32x32x16_fp8_bf8", f32_32x32x16_fp8_bf8, 32, 32, 16, 1, Kind::fp8, Kind::bf8, Kind::f32},
    {"f32_32x32x16_bf8_fp8", f32_32x32x16_bf8_fp8, 32, 32, 16, 1, Kind::bf8, Kind::fp8, Kind::f32},
    {"f32_32x32x16_bf8_bf8", f32_32x32x16_bf8_bf8, 32, 32, 16, 1, Kind::bf8, Kind::bf8, Kind::f32},
    SIGNS("f64_16x16x4_f64 neg a", f64_16x16x4f64_neg_a, 16, 1, 3, 0, 0),
    SIGNS("f64_16x16x4_f64 neg c", f64_16x16x4f64_neg_c, 16, 1, 0, 0, 1),
    SIGNS("f64_4x4x4_4b_f64 neg b, c", f64_4x4x4f64_neg_bc, 4, 4, 0, 3, 1),
    SPARSE(f32_16x16x32_f16, 16, 32, f16, f16, f32, 2),
    SPARSE(f32_32x32x16_f16, 32, 16, f16, f16, f32, 3),
    SPARSE(f32_16x16x32_bf16, 16, 32, bf16, bf16, f32, 1),
    SPARSE(f32_32x32x16_bf16, 32, 16, bf16, bf16, f32, 0),
    SPARSE(i32_16x16x64_i8, 16, 64, i8, i8, i32, 1),
    SPARSE(i32_32x32x32_i8, 32, 32, i8, i8, i32, 0),
    SPARSE(f32_16x16x64_fp8_fp8, 16, 64, fp8, fp8, f32, 1),
    SPARSE(f32_16x16x64_fp8_bf8, 16, 64, fp8, bf8, f32, 0),
    SPARSE(f32_16x16x64_bf8_fp8, 16, 64, bf8, fp8, f32, 0),
    SPARSE(f32_16x16x64_bf8_bf8, 16, 64, bf8, bf8, f32, 1),
    SPARSE(f32_32x32x32_fp8_fp8, 32, 32, fp8, fp8, f32, 1),
    SPARSE(f32_32x32x32_fp8_bf8, 32, 32, fp8, bf8, f32, 0),
    SPARSE(f32_32x32x32_bf8_fp8, 32, 32, bf8, fp8, f32, 1),
    SPARSE(f32_32x32x32_bf8_bf8, 32, 32, bf8, bf8, f32, 0),
#if TARGET == 0x950
    {"f32_32x32x16_f16", f32_32x32x16_f16, 32, 32, 16, 1, Kind::f16, Kind::f16, Kind::f32},
    {"f32_16x16x32_f16", f32_16x16x32_f16, 16, 16, 32, 1, Kind::f16, Kind::f16, Kind::f32},
    {"f32_32x32x16_bf16", f32_32x32x16_bf16, 32, 32, 16, 1, Kind::bf16, Kind::bf16, Kind::f32},
    {"f32_16x16x32_bf16", f32_16x16x32_bf16, 16, 16, 32, 1, Kind::bf16, Kind::bf16, Kind::f32},
    {"i32_32x32x32_i8", i32_32x32x32_i8, 32, 32, 32, 1, Kind::i8, Kind::i8, Kind::i32},
    {"i32_16x16x64_i8", i32_16x16x64_i8, 16, 16, 64, 1, Kind::i8, Kind::i8, Kind::i32},
#endif
};
#endif

#define JOINED_(a, b, c) a##b##c
#define JOINED(a, b, c) JOINED_(a, b, c)
#if WAVE == 32
using Sums = Float8;
using IntSums = Int8;
#else
using Sums = Float4;
using IntSums = Int4;
#endif

#if TARGET == 0x1100
#define WMMA(name) JOINED(__builtin_amdgcn_wmma_##name, _w, WAVE)
using Halves = Half16;
using Shorts = Short16;
using Bytes = Int4;
#if WAVE == 32
using HalfSums = Half16;
using ShortSums = Short16;
#else
using HalfSums = Half8;
using ShortSums = Short8;
#endif
CORE(f32_f16, Halves, Halves, Sums, WMMA(f32_16x16x16_f16)(a, b, c))
CORE(f32_bf16, Shorts, Shorts, Sums, WMMA(f32_16x16x16_bf16)(a, b, c))
CORE(f16_f16, Halves, Halves, HalfSums, WMMA(f16_16x16x16_f16)(a, b, c, true))
CORE(bf16_bf16, Shorts, Shorts, ShortSums, WMMA(bf16_16x16x16_bf16)(a, b, c, true))
CORE(i32_iu8, Bytes, Bytes, IntSums, WMMA(i32_16x16x16_iu8)(true, a, false, b, c, false))
CORE(i32_iu4, Int2, Int2, IntSums, WMMA(i32_16x16x16_iu4)(false, a, true, b, c, false))
#elif TARGET == 0x1201
#define WMMA(name) JOINED(__builtin_amdgcn_wmma_##name, _w, JOINED(WAVE, _gfx, 12))
#if WAVE == 32
using Halves = Half8;
using Shorts = Short8;
using Bytes = Int2;
using Nibbles = Int2;
#else
using Halves = Half4;
using Shorts = Short4;
using Bytes = int;
using Nibbles = int;
#endif
CORE(f32_f16, Halves, Halves, Sums, WMMA(f32_16x16x16_f16)(a, b, c))
CORE(f32_bf16, Shorts, Shorts, Sums, WMMA(f32_16x16x16_bf16)(a, b, c))
CORE(f16_f16, Halves, Halves, Halves, WMMA(f16_16x16x16_f16)(a, b, c))
CORE(bf16_bf16, Shorts, Shorts, Shorts, WMMA(bf16_16x16x16_bf16)(a, b, c))
CORE(i32_iu8, Bytes, Bytes, IntSums, WMMA(i32_16x16x16_iu8)(true, a, false, b, c, false))
CORE(i32_iu4, int, int, IntSums, WMMA(i32_16x16x16_iu4)(false, a, true, b, c, false))
CORE(i32_iu4_32, Nibbles, Nibbles, IntSums, WMMA(i32_16x16x32_iu4)(true, a, false, b, c, false))
CORE(f32_fp8_fp8, Bytes, Bytes, Sums, WMMA(f32_16x16x16_fp8_fp8)(a, b, c))
CORE(f32_fp8_bf8, Bytes, Bytes, Sums, WMMA(f32_16x16x16_fp8_bf8)(a, b, c))
CORE(f32_bf8_fp8, Bytes, Bytes, Sums, WMMA(f32_16x16x16_bf8_fp8)(a, b, c))
CORE(f32_bf8_bf8, Bytes, Bytes, Sums, WMMA(f32_16x16x16_bf8_bf8)(a, b, c))
#endif

#if TARGET == 0x1100 || TARGET == 0x1201  // what both have, of which fields change something
#define WRITTEN(name, A, D, text)                  \
  CORE(name, A, A, D, [&] {                        \
    D d = c;                                       \
    asm volatile(text : "+v"(d) : "v"(a), "v"(b)); \
    return d;                                      \
  }())
WRITTEN(f32_f16_neg, Halves, Sums, "v_wmma_f32_16x16x16_f16 %0, %1, %2, %0 neg_lo:[1,0,1] neg_hi:[0,1,0]")
WRITTEN(f32_f16_abs, Halves, Sums, "v_wmma_f32_16x16x16_f16 %0, %1, %2, %0 neg_lo:[1,0,0] neg_hi:[1,0,1]")
WRITTEN(f32_bf16_neg, Shorts, Sums, "v_wmma_f32_16x16x16_bf16 %0, %1, %2, %0 neg_lo:[0,1,1] neg_hi:[1,0,1]")
CORE(i32_iu8_clamp, Bytes, Bytes, IntSums, WMMA(i32_16x16x16_iu8)(true, a, false, b, c, true))
#define VARIED(text, kernel, a, b, d, ...) \
  {text, kernel, 16, 16, 16, 1, Kind::a, Kind::b, Kind::d, false, -1, __VA_ARGS__}
#define MODIFIERS                                                                           \
  VARIED("f32_16x16x16_f16 neg", f32_f16_neg, f16, f16, f32, {0, 0, 0, {1, 2, 1}}),         \
      VARIED("f32_16x16x16_f16 abs", f32_f16_abs, f16, f16, f32, {0, 0, 0, {3, 0, 2}}),     \
      VARIED("f32_16x16x16_bf16 neg", f32_bf16_neg, bf16, bf16, f32, {0, 0, 0, {2, 1, 3}}), \
      VARIED("i32_16x16x16_iu8 clamp", i32_iu8_clamp, i8, u8, i32, {0, 0, 0, {}, true}),
#endif

#if TARGET == 0x1100
const Core cores[] = {
    MODIFIERS{"f32_16x16x16_f16", f32_f16, 16, 16, 16, 1, Kind::f16, Kind::f16, Kind::f32},
    {"f32_16x16x16_bf16", f32_bf16, 16, 16, 16, 1, Kind::bf16, Kind::bf16, Kind::f32},
    {"f16_16x16x16_f16", f16_f16, 16, 16, 16, 1, Kind::f16, Kind::f16, Kind::f16, true},
    {"bf16_16x16x16_bf16", bf16_bf16, 16, 16, 16, 1, Kind::bf16, Kind::bf16, Kind::bf16, true},
    {"i32_16x16x16_iu8", i32_iu8, 16, 16, 16, 1, Kind::i8, Kind::u8, Kind::i32},
    {"i32_16x16x16_iu4", i32_iu4, 16, 16, 16, 1, Kind::u4, Kind::i4, Kind::i32},
};
#elif TARGET == 0x1201
const Core cores[] = {
    MODIFIERS{"f32_16x16x16_f16", f32_f16, 16, 16, 16, 1, Kind::f16, Kind::f16, Kind::f32},
    {"f32_16x16x16_bf16", f32_bf16, 16, 16, 16, 1, Kind::bf16, Kind::bf16, Kind::f32},
    {"f16_16x16x16_f16", f16_f16, 16, 16, 16, 1, Kind::f16, Kind::f16, Kind::f16},
    {"bf16_16x16x16_bf16", bf16_bf16, 16, 16, 16, 1, Kind::bf16, Kind::bf16, Kind::bf16},
    {"i32_16x16x16_iu8", i32_iu8, 16, 16, 16, 1, Kind::i8, Kind::u8, Kind::i32},
    {"i32_16x16x16_iu4", i32_iu4, 16, 16, 16, 1, Kind::u4, Kind::i4, Kind::i32},
    {"i32_16x16x32_iu4", i32_iu4_32, 16, 16, 32, 1, Kind::i4, Kind::u4, Kind::i32},
    {"f32_16x16x16_fp8_fp8", f32_fp8_fp8, 16, 16, 16, 1, Kind::fp8, Kind::fp8, Kind::f32},
    {"f32_16x16x16_fp8_bf8", f32_fp8_bf8, 16, 16, 16, 1, Kind::fp8, Kind::bf8, Kind::f32},
    {"f32_16x16x16_bf8_fp8", f32_bf8_fp8, 16, 16, 16, 1, Kind::bf8, Kind::fp8, Kind::f32},
    {"f32_16x16x16_bf8_bf8", f32_bf8_bf8, 16, 16, 16, 1, Kind::bf8, Kind::bf8, Kind::f32},
};
#endif
