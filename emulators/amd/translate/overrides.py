# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions whose pseudo-code leaves out what matters (order of zeros, NaNs, rounding), or is approximate where
the CPU has better: written by hand in the same language."""

import re
from functools import cache

DOTS = [  # C stands for what is added to: the third operand, or the result's register
    ("_F32_F16", "D0.f32 = dot<matrix::F16, matrix::F16>(S0.u32, S1.u32, C.f32)"),
    ("_F32_BF16", "D0.f32 = dot<matrix::BF16, matrix::BF16>(S0.u32, S1.u32, C.f32)"),
    ("_F32_FP8_FP8", "D0.f32 = dot<matrix::FP8, matrix::FP8>(S0.u32, S1.u32, C.f32)"),
    ("_F32_FP8_BF8", "D0.f32 = dot<matrix::FP8, matrix::BF8>(S0.u32, S1.u32, C.f32)"),
    ("_F32_BF8_FP8", "D0.f32 = dot<matrix::BF8, matrix::FP8>(S0.u32, S1.u32, C.f32)"),
    ("_F32_BF8_BF8", "D0.f32 = dot<matrix::BF8, matrix::BF8>(S0.u32, S1.u32, C.f32)"),
    ("_F16_F16", "D0.f16 = dot_f16(S0.u32, S1.u32, S2.f16)"),
    ("_BF16_BF16", "D0.u16 = dot_bf16(S0.u32, S1.u32, S2.u16)"),
    ("_I32_I16", "D0.u32 = dot<16>(S0.u32, S1.u32, true, true) + C.u32"),
    ("_U32_U16", "D0.u32 = dot<16>(S0.u32, S1.u32, false, false) + C.u32"),
    ("_I32_I8", "D0.u32 = dot<8>(S0.u32, S1.u32, true, true) + C.u32"),
    ("_U32_U8", "D0.u32 = dot<8>(S0.u32, S1.u32, false, false) + C.u32"),
    ("_I32_IU8", "D0.u32 = dot<8>(S0.u32, S1.u32, NEG & 1, NEG >> 1 & 1) + C.u32"),
    ("_I32_I4", "D0.u32 = dot<4>(S0.u32, S1.u32, true, true) + C.u32"),
    ("_U32_U4", "D0.u32 = dot<4>(S0.u32, S1.u32, false, false) + C.u32"),
    ("_I32_IU4", "D0.u32 = dot<4>(S0.u32, S1.u32, NEG & 1, NEG >> 1 & 1) + C.u32"),
]
BY_NAME = [
    (r"V_(DUAL_)?MAX(_NUM)?_F32", "D0.f32 = max_number(S0.f32, S1.f32)"),
    (r"V_(DUAL_)?MIN(_NUM)?_F32", "D0.f32 = min_number(S0.f32, S1.f32)"),
    (r"V_MAX(_NUM)?_F64", "D0.f64 = max_number(S0.f64, S1.f64)"),
    (r"V_MIN(_NUM)?_F64", "D0.f64 = min_number(S0.f64, S1.f64)"),
    (r"V_MAX(_NUM)?_F16", "D0.f16 = max_number(S0.f16, S1.f16)"),
    (r"V_MIN(_NUM)?_F16", "D0.f16 = min_number(S0.f16, S1.f16)"),
    (r"V_MAX3(_NUM)?_F32", "D0.f32 = max_number(max_number(S0.f32, S1.f32), S2.f32)"),
    (r"V_MIN3(_NUM)?_F32", "D0.f32 = min_number(min_number(S0.f32, S1.f32), S2.f32)"),
    (r"V_MAXMIN(_NUM)?_F32", "D0.f32 = min_number(max_number(S0.f32, S1.f32), S2.f32)"),
    (r"V_MINMAX(_NUM)?_F32", "D0.f32 = max_number(min_number(S0.f32, S1.f32), S2.f32)"),
    (r"V_MAX3(_NUM)?_F16", "D0.f16 = max_number(max_number(S0.f16, S1.f16), S2.f16)"),
    (r"V_MIN3(_NUM)?_F16", "D0.f16 = min_number(min_number(S0.f16, S1.f16), S2.f16)"),
    (r"V_MAXIMUM_F32", "D0.f32 = maximum(S0.f32, S1.f32)"),
    (r"V_MINIMUM_F32", "D0.f32 = minimum(S0.f32, S1.f32)"),
    (r"V_MAXIMUM_F64", "D0.f64 = maximum(S0.f64, S1.f64)"),
    (r"V_MINIMUM_F64", "D0.f64 = minimum(S0.f64, S1.f64)"),
    (r"V_MAXIMUM_F16", "D0.f16 = maximum(S0.f16, S1.f16)"),
    (r"V_MINIMUM_F16", "D0.f16 = minimum(S0.f16, S1.f16)"),
    (r"V_MAXIMUM3_F32", "D0.f32 = maximum(maximum(S0.f32, S1.f32), S2.f32)"),
    (r"V_MINIMUM3_F32", "D0.f32 = minimum(minimum(S0.f32, S1.f32), S2.f32)"),
    (r"V_MED3(_NUM)?_F32", "D0.f32 = median(S0.f32, S1.f32, S2.f32)"),
    (r"V_MED3(_NUM)?_F16", "D0.f16 = median(S0.f16, S1.f16, S2.f16)"),
    (r"V_RNDNE_F32", "D0.f32 = __builtin_roundevenf(S0.f32)"),
    (r"V_RNDNE_F64", "D0.f64 = __builtin_roundeven(S0.f64)"),
    (r"V_RNDNE_F16", "D0.f16 = (h16)(__builtin_roundevenf((float)(S0.f16)))"),
    (r"V_CEIL_F32", "D0.f32 = std::ceil(S0.f32)"),
    (r"V_CEIL_F64", "D0.f64 = std::ceil(S0.f64)"),
    (r"V_CEIL_F16", "D0.f16 = (h16)(std::ceil((float)(S0.f16)))"),
    (r"V_LDEXP_F32", "D0.f32 = std::ldexp(S0.f32, S1.i32)"),
    (r"V_LDEXP_F64", "D0.f64 = std::ldexp(S0.f64, S1.i32)"),
    (r"V_LDEXP_F16", "D0.f16 = (h16)(std::ldexp((float)(S0.f16), S1.i16))"),
    (r"V_TRIG_PREOP_F64", "D0.f64 = two_over_pi(S0.f64, S1.u32)"),
    (r"V_(S_)?EXP_F32", "D0.f32 = std::exp2(S0.f32)"),
    (r"V_(S_)?LOG_F32", "D0.f32 = std::log2(S0.f32)"),
    (r"V_EXP_F16", "D0.f16 = (h16)(std::exp2((float)(S0.f16)))"),
    (r"V_LOG_F16", "D0.f16 = (h16)(std::log2((float)(S0.f16)))"),
    (r"V_RCP_(IFLAG_)?F32|V_S_RCP_F32", "D0.f32 = 1.0F / S0.f32"),
    (r"V_RCP_F64", "D0.f64 = 1.0 / S0.f64"),
    (r"V_RCP_F16", "D0.f16 = (h16)(1.0F / (float)(S0.f16))"),
    (r"V_(S_)?RSQ_F32", "D0.f32 = 1.0F / std::sqrt(S0.f32)"),
    (r"V_RSQ_F64", "D0.f64 = 1.0 / std::sqrt(S0.f64)"),
    (r"V_RSQ_F16", "D0.f16 = (h16)(1.0F / std::sqrt((float)(S0.f16)))"),
    (r"V_(S_)?SQRT_F32", "D0.f32 = std::sqrt(S0.f32)"),
    (r"V_SQRT_F64", "D0.f64 = std::sqrt(S0.f64)"),
    (r"V_SQRT_F16", "D0.f16 = (h16)(std::sqrt((float)(S0.f16)))"),
    (r"V_SIN_F32", "D0.f32 = (float)(std::sin((double)(S0.f32) * 6.283185307179586))"),
    (r"V_COS_F32", "D0.f32 = (float)(std::cos((double)(S0.f32) * 6.283185307179586))"),
    # The last of the three steps of a division knows both operands: the first two need not scale.
    (r"V_DIV_SCALE_F32", "D0.f32 = S0.f32;\nVCC.u64[laneId] = 0"),
    (r"V_DIV_SCALE_F64", "D0.f64 = S0.f64;\nVCC.u64[laneId] = 0"),
    (r"V_DIV_FMAS_F32", "D0.f32 = fma(S0.f32, S1.f32, S2.f32)"),
    (r"V_DIV_FMAS_F64", "D0.f64 = fma(S0.f64, S1.f64, S2.f64)"),
    (r"V_DIV_FIXUP_F32", "D0.f32 = quotient(S0.f32, S1.f32, S2.f32)"),
    (r"V_DIV_FIXUP_F64", "D0.f64 = quotient(S0.f64, S1.f64, S2.f64)"),
    (r"V_DIV_FIXUP_F16", "D0.f16 = (h16)((float)(S2.f16) / (float)(S1.f16))"),
    (r"V_MAD_LEGACY_U16", "D0.u16 = S0.u16 * S1.u16 + S2.u16"),
    (r"V_MAD_LEGACY_I16", "D0.i16 = S0.i16 * S1.i16 + S2.i16"),
    (r"V_PERM_B32", "D0.u32 = permuted(S0.u32, S1.u32, S2.u32)"),
    (r"V_CVT_PK_?RTZ_F16_F32", "D0.u32 = halves(half_bits_towards_zero(S0.f32), half_bits_towards_zero(S1.f32))"),
    (r"V_CVT_PK_F16_F32", "D0.u32 = halves(half_bits(S0.f32), half_bits(S1.f32))"),
    (r"V_CVT_PK_BF16_F32", "D0.u32 = halves(bf16_bits(S0.f32), bf16_bits(S1.f32))"),
    (r"V_CVT_F32_BF16", "D0.f32 = bf16_value(S0.u16)"),
    (r"V_CVT_F16_F32", "D0.f16 = (h16)(S0.f32)"),
    (r"V_CVT_I32_F32", "D0.i32 = saturated<int32_t>(S0.f32)"),
    (r"V_CVT_U32_F32", "D0.u32 = saturated<uint32_t>(S0.f32)"),
    (r"V_CVT_I32_F64", "D0.i32 = saturated<int32_t>(S0.f64)"),
    (r"V_CVT_U32_F64", "D0.u32 = saturated<uint32_t>(S0.f64)"),
    (r"V_CVT_I16_F16", "D0.i16 = saturated<int16_t>(S0.f16)"),
    (r"V_CVT_U16_F16", "D0.u16 = saturated<uint16_t>(S0.f16)"),
    (r"V_CVT_(RPI|NEAREST)_I32_F32", "D0.i32 = saturated<int32_t>(std::floor((double)(S0.f32) + 0.5))"),
    (r"V_CVT_(FLR|FLOOR)_I32_F32", "D0.i32 = saturated<int32_t>(std::floor(S0.f32))"),
    (r"V_FREXP_EXP_I32_F32", "D0.i32 = fraction_exponent(S0.f32)"),
    (r"V_FREXP_EXP_I32_F64", "D0.i32 = fraction_exponent(S0.f64)"),
    (r"V_FREXP_EXP_I16_F16", "D0.i16 = fraction_exponent((float)(S0.f16))"),
    (r"V_FREXP_MANT_F32", "D0.f32 = fraction(S0.f32)"),
    (r"V_FREXP_MANT_F64", "D0.f64 = fraction(S0.f64)"),
    (r"V_FREXP_MANT_F16", "D0.f16 = (h16)(fraction((float)(S0.f16)))"),
    (r"(S_BREV|V_BFREV)_B32", "D0.u32 = __builtin_bitreverse32(S0.u32)"),
    (r"S_BREV_B64", "D0.u64 = __builtin_bitreverse64(S0.u64)"),
    (r"(V_FFBH_U32|V_CLZ_I32_U32)", "D0.i32 = S0.u32 ? __builtin_clz(S0.u32) : -1"),
    (r"(V_FFBL_B32|V_CTZ_I32_B32)", "D0.i32 = S0.u32 ? __builtin_ctz(S0.u32) : -1"),
    # A shift by as many bits as a word has is none in C++; the guides' field of so many is the whole.
    (r"S_BFE_U32", "D0.u32 = (S0.u32 >> (S1.u32 & 31)) & (uint32_t)ones(S1.u32 >> 16 & 127);\nSCC = D0.u32 != 0"),
    (r"S_BFE_U64", "D0.u64 = (S0.u64 >> (S1.u32 & 63)) & ones(S1.u32 >> 16 & 127);\nSCC = D0.u64 != 0"),
    (r"S_BFE_I32", "D0.i32 = (S1.u32 >> 16 & 127) < 32 ? signed_field(S0.u32, S1.u32, S1.u32 >> 16) : S0.i32 >> (S1.u32 & 31);\nSCC = D0.u32 != 0"),
    (r"S_BFE_I64", "D0.i64 = signed_field64(S0.u64, S1.u32, S1.u32 >> 16);\nSCC = D0.u64 != 0"),
    (r"S_ADDK_(CO_)?I32", "D0.u64 = (uint32_t)(S0.u32 + SIMM16.i16);\nSCC = sum_overflows(S0.i32, SIMM16.i16)"),
    (r"[SV]_MIN(_NUM)?_F32", "D0.f32 = min_number(S0.f32, S1.f32)"),
    (r"[SV]_MAX(_NUM)?_F32", "D0.f32 = max_number(S0.f32, S1.f32)"),
    (r"S_RNDNE_F32", "D0.f32 = __builtin_roundevenf(S0.f32)"),
    (r"V_MIN3_I32", "D0.i32 = std::min({S0.i32, S1.i32, S2.i32})"),
    (r"V_MIN3_U32", "D0.u32 = std::min({S0.u32, S1.u32, S2.u32})"),
    (r"V_MAX3_I32", "D0.i32 = std::max({S0.i32, S1.i32, S2.i32})"),
    (r"V_MAX3_U32", "D0.u32 = std::max({S0.u32, S1.u32, S2.u32})"),
    (r"V_MED3_I32", "D0.i32 = std::max(std::min(S0.i32, S1.i32), std::min(std::max(S0.i32, S1.i32), S2.i32))"),
    (r"V_MED3_U32", "D0.u32 = std::max(std::min(S0.u32, S1.u32), std::min(std::max(S0.u32, S1.u32), S2.u32))"),
    (r"V_MAXMIN_I32", "D0.i32 = std::min(std::max(S0.i32, S1.i32), S2.i32)"),
    (r"V_MAXMIN_U32", "D0.u32 = std::min(std::max(S0.u32, S1.u32), S2.u32)"),
    (r"V_MINMAX_I32", "D0.i32 = std::max(std::min(S0.i32, S1.i32), S2.i32)"),
    (r"V_MINMAX_U32", "D0.u32 = std::max(std::min(S0.u32, S1.u32), S2.u32)"),
    (r"V_(MINIMUMMAXIMUM)_F32", "D0.f32 = maximum(minimum(S0.f32, S1.f32), S2.f32)"),
    (r"V_(MAXIMUMMINIMUM)_F32", "D0.f32 = minimum(maximum(S0.f32, S1.f32), S2.f32)"),
    (r"V_PK_MIN(_NUM)?_F16", "D0.u32 = both_halves(S0.u32, S1.u32, min_number<h16>)"),
    (r"V_PK_MAX(_NUM)?_F16", "D0.u32 = both_halves(S0.u32, S1.u32, max_number<h16>)"),
    (r"V_PK_MINIMUM_F16", "D0.u32 = both_halves(S0.u32, S1.u32, minimum<h16>)"),
    (r"V_PK_MAXIMUM_F16", "D0.u32 = both_halves(S0.u32, S1.u32, maximum<h16>)"),
    (r"V_MAC_F32", "D0.f32 = S0.f32 * S1.f32 + D0.f32"),
    (r"V_MAD_F32", "D0.f32 = S0.f32 * S1.f32 + S2.f32"),
    (r"V_MADMK_F32", "D0.f32 = S0.f32 * SIMM32.f32 + S1.f32"),
    (r"V_MADAK_F32", "D0.f32 = S0.f32 * S1.f32 + SIMM32.f32"),
    (r"V_SAD_U32", "D0.u32 = (S0.u32 > S1.u32 ? S0.u32 - S1.u32 : S1.u32 - S0.u32) + S2.u32"),
    (r"V_FFBH_I32|V_CLS_I32", "D0.i32 = S0.i32 == 0 || S0.i32 == -1 ? -1 : __builtin_clz(S0.i32 < 0 ? ~S0.u32 : S0.u32)"),
    (r"V_CMPX_CLASS_F32", "EXEC.u64[laneId] = of_class(S0.f32, S1.u32)"),
    (r"V_CMPX_CLASS_F64", "EXEC.u64[laneId] = of_class(S0.f64, S1.u32)"),
    (r"V_SAD_U8", "D0.u32 = differences(S0.u32, S1.u32) + S2.u32"),
    (r"V_BFE_I32", "D0.i32 = signed_field(S0.u32, S1.u32, S2.u32)"),
    (r"V_CMP_CLASS_F32", "D0.u64[laneId] = of_class(S0.f32, S1.u32)"),
    (r"V_CMP_CLASS_F64", "D0.u64[laneId] = of_class(S0.f64, S1.u32)"),
    (r"V_CMP_CLASS_F16", "D0.u64[laneId] = of_class(S0.f16, S1.u32)"),
    (r"V_(FMA|MAD)_MIX_F32", "D0.f32 = fma(S0.f32, S1.f32, S2.f32)"),
    (r"V_(FMA|MAD)_MIXLO_F16", "D0.f16 = (h16)(fma(S0.f32, S1.f32, S2.f32))"),
    (r"V_(FMA|MAD)_MIXHI_F16", "D0.u64 = with_high_half(D0.u32, half_bits(fma(S0.f32, S1.f32, S2.f32)))"),
    (r"V_CVT_F32_FP8", "D0.f32 = Fp8::value(S0.u8)"),
    (r"V_CVT_F32_BF8", "D0.f32 = Bf8::value(S0.u8)"),
    (r"V_CVT_PK_F32_FP8", "D0[31 : 0].f32 = Fp8::value(S0[7 : 0]);\nD0[63 : 32].f32 = Fp8::value(S0[15 : 8])"),
    (r"V_CVT_PK_F32_BF8", "D0[31 : 0].f32 = Bf8::value(S0[7 : 0]);\nD0[63 : 32].f32 = Bf8::value(S0[15 : 8])"),
    (r"V_CVT_PK_FP8_F32", "D0.u64 = Fp8::bits(S0.f32, clamps(w)) | Fp8::bits(S1.f32, clamps(w)) << 8"),
    (r"V_CVT_PK_BF8_F32", "D0.u64 = Bf8::bits(S0.f32, clamps(w)) | Bf8::bits(S1.f32, clamps(w)) << 8"),
]


@cache
def by_hand(name: str) -> str | None:
    """Pseudo-code for an instruction without its suffix for the encoding, or None."""
    if dot := re.fullmatch(r"V_(?:DUAL_)?DOT\d(C|ACC)?(_\w+)", name):
        for pattern, text in DOTS:
            if dot[2] == pattern:
                return text.replace("C.", "D0." if dot[1] else "S2.")
        raise NotImplementedError("this sum of products")
    for pattern, text in BY_NAME:
        if re.fullmatch(pattern, name):
            return text
    return None


def half_dot_source(n: int, d) -> str:
    """For sums of 16 bits: what changes operand n. What signs and halves of the pairs mean there the guides do not say."""
    if getattr(d, "neg", 0) or getattr(d, "abs", 0) or getattr(d, "opsel", 0) & 3:
        raise NotImplementedError("signs or halves of its operands")
    return "S2.u64 = S2.u32 >> 16; " if n == 2 and getattr(d, "opsel", 0) & 4 else ""
