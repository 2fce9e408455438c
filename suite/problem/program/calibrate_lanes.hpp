// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What one multiply-add instruction of a thread works on, dtype by dtype and platform by platform.
//
// A Fused<dtype> has Register, how many numbers (`lanes`; 0: no instruction for the dtype here) one holds,
// and multiply_add. Registers are made from bits, so that no conversion of narrow floats is needed.
#pragma once
#include "calibrate_words.hpp"
#include "types.hpp"

namespace podium::program {

template <CalibratedType dtype>
struct Fused {  // where there is no such instruction
  using Register = u64;
  static constexpr int lanes = 0;
};

#if !PODIUM_GPU

// The widest vectors of the processor that is compiled for. Products and sums in these functions fuse, which
// judge's programs are otherwise forbidden; where a processor cannot, they are two instructions.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif
#if defined(__clang__)
#define PODIUM_FUSING inline
#define PODIUM_FUSE _Pragma("clang fp contract(fast)")
#else
#define PODIUM_FUSING inline __attribute__((optimize("fp-contract=fast")))
#define PODIUM_FUSE
#endif
template <class T>
struct Vector {
  typedef T Register __attribute__((vector_size(vector_bytes)));
  static constexpr int lanes = vector_bytes / int(sizeof(T));
  PODIUM_FUSING static Register multiply_add(Register x, Register a, Register b) {
    PODIUM_FUSE
    return x * a + b;
  }
  static Register of(u64 bits) {
    union {
      u64 words[vector_bytes / sizeof(u64)];
      Register value;
    } both;
    for (u64& word : both.words) word = bits;
    return both.value;
  }
};
template <>
struct Fused<CalibratedType::f64> : Vector<double> {};
template <>
struct Fused<CalibratedType::f32> : Vector<float> {};
#if defined(__AVX512FP16__) || defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC)
template <>
struct Fused<CalibratedType::f16> : Vector<_Float16> {};
#endif
inline constexpr int accumulators = 10;  // hide the latency of two pipes in the 16 registers of AVX2

#else

#define PODIUM_FUSING PODIUM_DEVICE
inline constexpr int accumulators = 8;  // of each thread; with all its threads a multiprocessor has enough

template <>
struct Fused<CalibratedType::f64> {
  using Register = double;
  static constexpr int lanes = 1;
  PODIUM_DEVICE static Register multiply_add(Register x, Register a, Register b) { return fma(x, a, b); }
  PODIUM_DEVICE static Register of(u64 bits) { return double_of(bits); }
};

#if defined(__HIP__)

// Two numbers at a time: CDNA 2 and later have such instructions for f32, CDNA and RDNA for f16; for others
// the compiler makes two.
template <class T, class Bits>
struct Pair {
  typedef T Register __attribute__((ext_vector_type(2)));
  static constexpr int lanes = 2;
  PODIUM_DEVICE static Register multiply_add(Register x, Register a, Register b) {
    return __builtin_elementwise_fma(x, a, b);
  }
  PODIUM_DEVICE static Register of(u64 bits) { return __builtin_bit_cast(Register, Bits(bits)); }
};
template <>
struct Fused<CalibratedType::f32> : Pair<float, u64> {};
template <>
struct Fused<CalibratedType::f16> : Pair<_Float16, u32> {};

#else

template <>
struct Fused<CalibratedType::f32> {
  using Register = float;
  static constexpr int lanes = 1;
  PODIUM_DEVICE static Register multiply_add(Register x, Register a, Register b) { return fmaf(x, a, b); }
  PODIUM_DEVICE static Register of(u64 bits) { return float_of(u32(bits)); }
};
template <>
struct Fused<CalibratedType::f16> {
  using Register = u32;
  static constexpr int lanes = 2;
  PODIUM_DEVICE static Register multiply_add(Register x, Register a, Register b) {
    Register sum;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(a), "r"(b));
    return sum;
  }
  PODIUM_DEVICE static Register of(u64 bits) { return u32(bits); }
};
#if __CUDA_ARCH__ >= 800
template <>
struct Fused<CalibratedType::bf16> {
  using Register = u32;
  static constexpr int lanes = 2;
  PODIUM_DEVICE static Register multiply_add(Register x, Register a, Register b) {
    Register sum;
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(x), "r"(a), "r"(b));
    return sum;
  }
  PODIUM_DEVICE static Register of(u64 bits) { return u32(bits); }
};
#endif

#endif
#endif

// How the bits of a register's words look, all of them as one word.
template <class Register>
PODIUM_DEVICE u64 bits_within(const Register& value) {
  union Both {
    PODIUM_DEVICE Both() : words{} {}
    u64 words[(sizeof(Register) + sizeof(u64) - 1) / sizeof(u64)];
    Register value;
  } both;
  both.value = value;
  u64 all = 0;
  for (const u64 word : both.words) all ^= word;
  return all;
}

}  // namespace podium::program
