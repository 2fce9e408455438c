// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of one instruction each, written as assembly.
#pragma once
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstring>

constexpr int count = 4096;

template <class To, class From>
__host__ __device__ To as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

struct Operands {
  const std::uint32_t *a, *b, *c;
  std::uint64_t* out;
};

// name, AMD's text with operands of 32 bits
#define THREE(name, text) THREE_WITH(name, text, "")
#define THREE_WITH(name, text, modifiers)                                                             \
  __global__ void name(Operands x) {                                                                  \
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);                                         \
    std::uint32_t d = 0;                                                                              \
    asm volatile(text " %0, %1, %2, %3" modifiers : "=v"(d) : "v"(x.a[i]), "v"(x.b[i]), "v"(x.c[i])); \
    x.out[i] = d;                                                                                     \
  }
#define TWO(name, text)                                                    \
  __global__ void name(Operands x) {                                       \
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);              \
    std::uint32_t d = 0;                                                   \
    asm volatile(text " %0, %1, %2" : "=v"(d) : "v"(x.a[i]), "v"(x.b[i])); \
    x.out[i] = d;                                                          \
  }
#define ONE(name, text)                                       \
  __global__ void name(Operands x) {                          \
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x); \
    std::uint32_t d = 0;                                      \
    asm volatile(text " %0, %1" : "=v"(d) : "v"(x.a[i]));     \
    x.out[i] = d;                                             \
  }

// With MODE set before and put back behind it. text: an instruction with operands of its own.
#if defined(__GFX9__)
#define ROUND(mode) "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), " mode "\n"
#define DENORMALS(mode) "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), " mode "\n"
#else
#define ROUND(mode) "s_round_mode " mode "\n"
#define DENORMALS(mode) "s_denorm_mode " mode "\n"
#endif
#define UNDER(name, set, text, back)                                                                \
  __global__ void name(Operands x) {                                                                \
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);                                       \
    std::uint32_t d = 0;                                                                            \
    asm volatile(set text " %0, %1, %2\n" back : "=&v"(d) : "v"(x.a[i]), "v"(x.b[i]), "v"(x.c[i])); \
    x.out[i] = d;                                                                                   \
  }
UNDER(add_up, ROUND("1"), "v_add_f32", ROUND("0"))
UNDER(add_down, ROUND("2"), "v_add_f32", ROUND("0"))
UNDER(mul_towards_zero, ROUND("3"), "v_mul_f32", ROUND("0"))
UNDER(add_rounding_others, ROUND("12"), "v_add_f32", ROUND("0"))
UNDER(mul_flushed, DENORMALS("0"), "v_mul_f32", DENORMALS("15"))
UNDER(add_operands_flushed, DENORMALS("2"), "v_add_f32", DENORMALS("15"))
UNDER(mul_results_flushed, DENORMALS("1"), "v_mul_f32", DENORMALS("15"))

TWO(add_f32, "v_add_f32")
TWO(sub_f32, "v_sub_f32")
TWO(mul_f32, "v_mul_f32")
THREE(fma_f32, "v_fma_f32")
#if defined(__gfx1201__)
TWO(min_f32, "v_min_num_f32")
TWO(max_f32, "v_max_num_f32")
THREE(med3_f32, "v_med3_num_f32")
#else
TWO(min_f32, "v_min_f32")
TWO(max_f32, "v_max_f32")
THREE(med3_f32, "v_med3_f32")
#endif
ONE(floor_f32, "v_floor_f32")
ONE(ceil_f32, "v_ceil_f32")
ONE(trunc_f32, "v_trunc_f32")
ONE(rndne_f32, "v_rndne_f32")
ONE(cvt_i32_f32, "v_cvt_i32_f32")
ONE(cvt_u32_f32, "v_cvt_u32_f32")
ONE(cvt_f32_i32, "v_cvt_f32_i32")
ONE(cvt_f32_u32, "v_cvt_f32_u32")
ONE(cvt_f16_f32, "v_cvt_f16_f32")
ONE(frexp_mant_f32, "v_frexp_mant_f32")
ONE(frexp_exp_f32, "v_frexp_exp_i32_f32")
TWO(ldexp_f32, "v_ldexp_f32")
TWO(mul_lo_u32, "v_mul_lo_u32")
TWO(mul_hi_u32, "v_mul_hi_u32")
TWO(mul_hi_i32, "v_mul_hi_i32")
TWO(mul_u24, "v_mul_u32_u24")
TWO(mul_i24, "v_mul_i32_i24")
THREE(mad_u24, "v_mad_u32_u24")
TWO(min_i32, "v_min_i32")
TWO(max_u32, "v_max_u32")
TWO(lshlrev, "v_lshlrev_b32")
TWO(lshrrev, "v_lshrrev_b32")
TWO(ashrrev, "v_ashrrev_i32")
THREE(bfe_u32, "v_bfe_u32")
THREE(bfe_i32, "v_bfe_i32")
THREE(bfi_b32, "v_bfi_b32")
THREE(alignbit, "v_alignbit_b32")
THREE(perm_b32, "v_perm_b32")
THREE(lshl_add, "v_lshl_add_u32")
THREE(add3, "v_add3_u32")
THREE(and_or, "v_and_or_b32")
THREE(xad, "v_xad_u32")
THREE(sad_u8, "v_sad_u8")
ONE(bfrev, "v_bfrev_b32")
ONE(not_b32, "v_not_b32")
TWO(bcnt, "v_bcnt_u32_b32")
TWO(pk_add_f16, "v_pk_add_f16")
TWO(pk_mul_f16, "v_pk_mul_f16")
TWO(pk_add_u16, "v_pk_add_u16")
THREE(dot2_f32_f16, "v_dot2_f32_f16")
THREE_WITH(dot2_f32_f16_negative, "v_dot2_f32_f16", " neg_lo:[1,0,1] neg_hi:[0,1,0]")
THREE(dot4_u32_u8, "v_dot4_u32_u8")
THREE(dot8_u32_u4, "v_dot8_u32_u4")
#if defined(__GFX9__)
THREE(dot4_i32_i8, "v_dot4_i32_i8")
THREE(dot8_i32_i4, "v_dot8_i32_i4")
THREE(dot2_i32_i16, "v_dot2_i32_i16")
THREE(dot2_u32_u16, "v_dot2_u32_u16")
#else
THREE_WITH(dot4_i32_i8, "v_dot4_i32_iu8", " neg_lo:[1,1,0]")
THREE_WITH(dot8_i32_i4, "v_dot8_i32_iu4", " neg_lo:[1,1,0]")
THREE_WITH(dot2_i32_i16, "v_dot4_i32_iu8", " neg_lo:[0,1,0]")  // u8 by i8: there is none of 16 bits
THREE_WITH(dot2_u32_u16, "v_dot8_i32_iu4", " neg_lo:[1,0,0]")
#endif
TWO(pack_b32_f16, "v_pack_b32_f16")
// Whether a number is of one of the classes in a mask of ten bits: by the builtin, since the result is a mask
// of lanes.
__global__ void class_f16(Operands x) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  x.out[i] = __builtin_amdgcn_classh(as<_Float16>(std::uint16_t(x.a[i])), int(x.b[i] & 1023));
}
__global__ void class_f32(Operands x) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  x.out[i] = __builtin_amdgcn_classf(as<float>(x.a[i]), int(x.b[i] & 1023));
}
#if TARGET == 0x1201
// Of scalar registers: one lane's operands after the other's.
#define SCALAR(name, text, operands)                                                                        \
  __global__ void name(Operands x) {                                                                        \
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);                                               \
    std::uint32_t d = 0;                                                                                    \
    for (int lane = 0; lane < warpSize; ++lane) {                                                           \
      const auto of_lane = [&](const std::uint32_t* at) { return __builtin_amdgcn_readlane(at[i], lane); }; \
      std::uint32_t one = of_lane(x.c);                                                                     \
      asm volatile(text operands : "+s"(one) : "s"(of_lane(x.a)), "s"(of_lane(x.b)) : "scc");               \
      if (int(threadIdx.x) % warpSize == lane) d = one;                                                     \
    }                                                                                                       \
    x.out[i] = d;                                                                                           \
  }
#define SCALAR_TWO(name, text) SCALAR(name, text, " %0, %1, %2")
#define SCALAR_ONE(name, text) SCALAR(name, text, " %0, %1")
#define SCALAR_COMPARE(name, text) SCALAR(name, text, " %1, %2\n s_cselect_b32 %0, 1, 0")
SCALAR_TWO(s_add_f32, "s_add_f32")
SCALAR_TWO(s_sub_f32, "s_sub_f32")
SCALAR_TWO(s_mul_f32, "s_mul_f32")
SCALAR_TWO(s_fmac_f32, "s_fmac_f32")
SCALAR_TWO(s_min_f32, "s_min_num_f32")
SCALAR_TWO(s_max_f32, "s_max_num_f32")
SCALAR_ONE(s_rndne_f32, "s_rndne_f32")
SCALAR_ONE(s_floor_f32, "s_floor_f32")
SCALAR_ONE(s_cvt_i32_f32, "s_cvt_i32_f32")
SCALAR_ONE(s_cvt_u32_f32, "s_cvt_u32_f32")
SCALAR_ONE(s_cvt_f32_i32, "s_cvt_f32_i32")
SCALAR_ONE(s_cvt_f32_u32, "s_cvt_f32_u32")
SCALAR_COMPARE(s_cmp_lt_f32, "s_cmp_lt_f32")
SCALAR_COMPARE(s_cmp_nlt_f32, "s_cmp_nlt_f32")
SCALAR_COMPARE(s_cmp_ngt_f32, "s_cmp_ngt_f32")
SCALAR_COMPARE(s_cmp_eq_f32, "s_cmp_eq_f32")
SCALAR_COMPARE(s_cmp_neq_f32, "s_cmp_neq_f32")
SCALAR_COMPARE(s_cmp_u_f32, "s_cmp_u_f32")
SCALAR_ONE(s_exp_f32, "v_s_exp_f32")
SCALAR(s_exp_in_place, "v_s_exp_f32", " %0, %0")
#endif
#if defined(__GFX9__)
TWO(xor_b32, "v_xor_b32")
#else
TWO(xor_b32, "v_xnor_b32")
#endif

__global__ void fma_f64(Operands x) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  double d = 0;
  const double a = as<double>(std::uint64_t(x.a[i]) << 32 | x.b[i]),
               b = as<double>(std::uint64_t(x.b[i]) << 32 | x.c[i]);
  const double c = as<double>(std::uint64_t(x.c[i]) << 32 | x.a[i]);
  asm volatile("v_fma_f64 %0, %1, %2, %3" : "=v"(d) : "v"(a), "v"(b), "v"(c));
  x.out[i] = as<std::uint64_t>(d);
}

__global__ void lshlrev_b64(Operands x) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  std::uint64_t d = 0;
  const std::uint64_t value = std::uint64_t(x.b[i]) << 32 | x.c[i];
  asm volatile("v_lshlrev_b64 %0, %1, %2" : "=v"(d) : "v"(x.a[i]), "v"(value));
  x.out[i] = d;
}

// Registers by index: of a and b the second three times and the first; then stored the other way round.
__global__ void indexed(Operands x) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  std::uint32_t first = 0, second = 0, low = 0, high = 0;
#if defined(__GFX9__)
#define FROM(to, index) \
  "s_set_gpr_idx_on " index ", gpr_idx(SRC0)\n v_mov_b32 " to ", v100\n s_set_gpr_idx_off\n"
#define TO(from, index) \
  "s_set_gpr_idx_on " index ", gpr_idx(DST)\n v_mov_b32 v102, " from "\n s_set_gpr_idx_off\n"
#else
#define FROM(to, index) "s_mov_b32 m0, " index "\n v_movrels_b32 " to ", v100\n"
#define TO(from, index) "s_mov_b32 m0, " index "\n v_movreld_b32 v102, " from "\n"
#endif
  asm volatile("v_mov_b32 v100, %4\n v_mov_b32 v101, %5\n" FROM("%0", "0") FROM("%1", "1") TO("%4", "1")
                   TO("%5", "0") "v_mov_b32 %2, v102\n v_mov_b32 %3, v103"
               : "=&v"(first), "=&v"(second), "=&v"(low), "=&v"(high)
               : "v"(x.a[i]), "v"(x.b[i])
               : "v100", "v101", "v102", "v103");
  x.out[i] = first + 3 * second + 5 * low + 7 * high;
}

// Calls through addresses from memory, which differ from lane to lane; one of the functions calls through
// another.
using Function = std::uint32_t (*)(std::uint32_t, std::uint32_t);
__device__ __attribute__((noinline)) std::uint32_t sum_of(std::uint32_t a, std::uint32_t b) { return a + b; }
__device__ __attribute__((noinline)) std::uint32_t product_of(std::uint32_t a, std::uint32_t b) {
  return a * b;
}
__device__ Function inner[] = {sum_of, product_of};
__device__ __attribute__((noinline)) std::uint32_t through_another(std::uint32_t a, std::uint32_t b) {
  return inner[b & 1](a, b) ^ a;
}
__device__ Function outer[] = {sum_of, product_of, through_another};
__global__ void through_pointers(Operands x) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  x.out[i] = outer[x.c[i] % 3](x.a[i], x.b[i]);
}

// Zero for NaN: which of its bit patterns conversions make is not what is tested.
__host__ __device__ inline std::uint32_t number(std::uint32_t x) {
  return (x & 0x7fffffff) > 0x7f800000 ? 0 : x;
}

#if TARGET == 0x950
THREE_WITH(bitop3_b32, "v_bitop3_b32", " bitop3:0x1b")
THREE_WITH(bitop3_b16, "v_bitop3_b16", " bitop3:0x1b op_sel:[1,0,0,0]")
#endif

#if TARGET == 0x942 || TARGET == 0x950 || TARGET == 0x1201
// Eight-bit numbers: the third byte of a; a and b into the upper half of a word whose lower half is c's.
__global__ void cvt_f32_fp8(Operands x) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  std::uint32_t d = 0;
#if defined(__GFX9__)
  asm volatile("v_cvt_f32_fp8_sdwa %0, %1 src0_sel:BYTE_3" : "=v"(d) : "v"(x.a[i]));
#else
  asm volatile("v_cvt_f32_fp8_e64 %0, %1 byte_sel:3" : "=v"(d) : "v"(x.a[i]));
#endif
  x.out[i] = d;
}
__global__ void cvt_pk_bf8_f32(Operands x) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  std::uint32_t d = x.c[i];
  asm volatile("v_cvt_pk_bf8_f32 %0, %1, %2 op_sel:[0,0,1]"
               : "+v"(d)
               : "v"(number(x.a[i])), "v"(number(x.b[i])));
  x.out[i] = d;
}
#endif
