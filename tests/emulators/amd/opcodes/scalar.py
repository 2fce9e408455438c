# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What scalar instructions compute, in the words of AMD's instruction set guides: a result, and SCC."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from floats import HOLDS, OPPOSITES
from numbers_of import added, even, fused, greatest, least, multiplied, rounded, saturated, value, whole
from vector import COMPARISONS, field, leading_signs, low, signed

KEPT = None  # of SCC: what it was


@dataclass(frozen=True)
class Scalar:
    name: str
    result: int  # bits; 0: SCC alone
    sources: tuple[int, ...]  # bits of each; 0: as many as a wave has lanes
    of: Callable  # of the sources and SCC before: the result and SCC, or KEPT
    kind: str = ""  # f32: numbers
    units: int = 0  # in the last place, that the result may be off
    data: str = "word"
    text: str = ""  # where it is not plain: %0 result, %1 ... sources
    immediate: str = ""  # after the sources


SCALARS: dict[str, Scalar] = {}


def scalar(names: str, result: int, sources: str, of: Callable, **more) -> None:
    for name in names.split():
        SCALARS[name] = Scalar(name, result, tuple(int(s) for s in sources.split()), of, **more)


def tested(x: int) -> tuple[int, int]:
    """SCC: whether the result is other than zero."""
    return x, int(x != 0)


def overflows(x: int) -> int:
    return int(not -(1 << 31) <= x < 1 << 31)


# Sums. SCC: carry or borrow of numbers without sign, overflow of those with one.
scalar("S_ADD_U32 S_ADD_CO_U32", 32, "32 32", lambda a, b, s: (low(a + b), a + b >> 32))
scalar("S_SUB_U32 S_SUB_CO_U32", 32, "32 32", lambda a, b, s: (low(a - b), int(b > a)))
scalar("S_ADDC_U32 S_ADD_CO_CI_U32", 32, "32 32", lambda a, b, s: (low(a + b + s), a + b + s >> 32))
scalar("S_SUBB_U32 S_SUB_CO_CI_U32", 32, "32 32", lambda a, b, s: (low(a - b - s), int(b + s > a)))
scalar("S_ADD_I32 S_ADD_CO_I32", 32, "32 32", lambda a, b, s: (low(a + b), overflows(signed(a) + signed(b))))
scalar("S_SUB_I32 S_SUB_CO_I32", 32, "32 32", lambda a, b, s: (low(a - b), overflows(signed(a) - signed(b))))
scalar("S_ADD_NC_U64 S_ADD_U64", 64, "64 64", lambda a, b, s: (low(a + b, 64), KEPT))
scalar("S_SUB_NC_U64 S_SUB_U64", 64, "64 64", lambda a, b, s: (low(a - b, 64), KEPT))
scalar("S_ADDK_I32 S_ADDK_CO_I32", 32, "32", lambda a, s: (low(a - 77), overflows(signed(a) - 77)), text="s_mov_b32 %0, %1\n s_addk_{co}i32 %0, -77")
scalar("S_ABS_I32", 32, "32", lambda a, s: tested(low(abs(signed(a)))))
scalar("S_ABSDIFF_I32", 32, "32 32", lambda a, b, s: tested(low(abs(signed(low(a - b))))))
for n in range(1, 5):
    scalar(f"S_LSHL{n}_ADD_U32", 32, "32 32", lambda a, b, s, n=n: (low((a << n) + b), int((a << n) + b >= 1 << 32)))

# Products.
scalar("S_MUL_I32", 32, "32 32", lambda a, b, s: (low(a * b), KEPT))
scalar("S_MUL_HI_U32", 32, "32 32", lambda a, b, s: (a * b >> 32, KEPT))
scalar("S_MUL_HI_I32", 32, "32 32", lambda a, b, s: (low(signed(a) * signed(b) >> 32), KEPT))
scalar("S_MUL_U64", 64, "64 64", lambda a, b, s: (low(a * b, 64), KEPT))
scalar("S_MULK_I32", 32, "32", lambda a, s: (low(a * -77), KEPT), text="s_mov_b32 %0, %1\n s_mulk_i32 %0, -77")

# Bits.
for bits in (32, 64):
    both = f"{bits} {bits}"
    for names, of in (
        ("AND", lambda a, b: a & b), ("OR", lambda a, b: a | b), ("XOR", lambda a, b: a ^ b), ("NAND", lambda a, b: ~(a & b)),
        ("NOR", lambda a, b: ~(a | b)), ("XNOR", lambda a, b: ~(a ^ b)), ("ANDN2 AND_NOT1", lambda a, b: a & ~b), ("ORN2 OR_NOT1", lambda a, b: a | ~b),
    ):  # fmt: skip
        for name in names.split():
            scalar(f"S_{name}_B{bits}", bits, both, lambda a, b, s, n=bits, of=of: tested(low(of(a, b), n)))
    scalar(f"S_NOT_B{bits}", bits, f"{bits}", lambda a, s, n=bits: tested(low(~a, n)))
    scalar(f"S_MOV_B{bits}", bits, f"{bits}", lambda a, s: (a, KEPT))
    scalar(f"S_CSELECT_B{bits}", bits, both, lambda a, b, s: (a if s else b, KEPT))
    scalar(f"S_LSHL_B{bits}", bits, f"{bits} 32", lambda a, b, s, n=bits: tested(low(a << (b & n - 1), n)))
    scalar(f"S_LSHR_B{bits}", bits, f"{bits} 32", lambda a, b, s, n=bits: tested(a >> (b & n - 1)))
    scalar(f"S_ASHR_I{bits}", bits, f"{bits} 32", lambda a, b, s, n=bits: tested(low(signed(a, n) >> (b & n - 1), n)))
    scalar(f"S_BREV_B{bits}", bits, f"{bits}", lambda a, s, n=bits: (int(f"{a:0{n}b}"[::-1], 2), KEPT))
    scalar(f"S_BFM_B{bits}", bits, "32 32", lambda a, b, s, n=bits: (low(((1 << (a & n - 1)) - 1) << (b & n - 1), n), KEPT))
    # The field's first bit and its width are in one operand, the width seven bits from the sixteenth on.
    scalar(f"S_BFE_U{bits}", bits, f"{bits} 32", lambda a, b, s, n=bits: tested(low(a >> (b & n - 1), min(b >> 16 & 127, n))), data="fields" if bits == 32 else "wide_fields")
    scalar(f"S_BFE_I{bits}", bits, f"{bits} 32", lambda a, b, s, n=bits: tested(low(signed_field(signed(a, n) >> (b & n - 1), min(b >> 16 & 127, n)), n)), data="fields" if bits == 32 else "wide_fields")
    scalar(f"S_FF1_I32_B{bits} S_CTZ_I32_B{bits}", 32, f"{bits}", lambda a, s: ((a & -a).bit_length() - 1 if a else low(-1), KEPT))
    scalar(f"S_FLBIT_I32_B{bits} S_CLZ_I32_U{bits}", 32, f"{bits}", lambda a, s, n=bits: (n - a.bit_length() if a else low(-1), KEPT))
    scalar(f"S_BCNT1_I32_B{bits}", 32, f"{bits}", lambda a, s: tested(a.bit_count()))
    scalar(f"S_BITSET0_B{bits}", bits, "32", lambda a, s, n=bits: (low(-1, n) & ~(1 << (a & n - 1)), KEPT), text=f"s_mov_b{bits} %0, -1\n s_bitset0_b{bits} %0, %1")
    scalar(f"S_BITSET1_B{bits}", bits, "32", lambda a, s, n=bits: (1 << (a & n - 1), KEPT), text=f"s_mov_b{bits} %0, 0\n s_bitset1_b{bits} %0, %1")
    scalar(f"S_BITCMP0_B{bits}", 0, f"{bits} 32", lambda a, b, s, n=bits: (0, 1 - (a >> (b & n - 1) & 1)))
    scalar(f"S_BITCMP1_B{bits}", 0, f"{bits} 32", lambda a, b, s, n=bits: (0, a >> (b & n - 1) & 1))
scalar("S_FLBIT_I32 S_CLS_I32", 32, "32", lambda a, s: (leading_signs(a), KEPT))
scalar("S_SEXT_I32_I8", 32, "32", lambda a, s: (field(a, 8), KEPT))
scalar("S_SEXT_I32_I16", 32, "32", lambda a, s: (field(a, 16), KEPT))
scalar("S_PACK_LL_B32_B16", 32, "32 32", lambda a, b, s: (low(a, 16) | low(b, 16) << 16, KEPT))
scalar("S_PACK_LH_B32_B16", 32, "32 32", lambda a, b, s: (low(a, 16) | b >> 16 << 16, KEPT))
scalar("S_PACK_HH_B32_B16", 32, "32 32", lambda a, b, s: (a >> 16 | b >> 16 << 16, KEPT))
scalar("S_PACK_HL_B32_B16", 32, "32 32", lambda a, b, s: (a >> 16 | low(b, 16) << 16, KEPT))


def signed_field(x: int, bits: int) -> int:
    return signed(x, bits) if bits else 0


# Constants of 16 bits are extended by their sign.
scalar("S_MOVK_I32", 32, "", lambda s: (low(-1234), KEPT), immediate=" 0xfb2e")
scalar("S_CMOV_B32", 32, "32", lambda a, s: (a if s else 0x5EED, KEPT), text="s_movk_i32 %0, 0x5eed\n s_cmov_b32 %0, %1")

# Least and greatest: SCC, whether the first was it.
for kind, of in (("U32", low), ("I32", signed)):
    scalar(f"S_MIN_{kind}", 32, "32 32", lambda a, b, s, of=of: (a, 1) if of(a) < of(b) else (b, 0))
    scalar(f"S_MAX_{kind}", 32, "32 32", lambda a, b, s, of=of: (a, int(a != b)) if of(a) >= of(b) else (b, 0))

# Comparisons.
for name, holds in (*COMPARISONS.items(), ("LG", COMPARISONS["NE"])):
    for kind, of in (("U32", low), ("I32", signed), ("U64", lambda x: x)):
        operands = "64 64" if kind == "U64" else "32 32"
        scalar(f"S_CMP_{name}_{kind}", 0, operands, lambda a, b, s, of=of, h=holds: (0, int(h(of(a), of(b)))), data="near")
    scalar(f"S_CMPK_{name}_I32", 0, "32", lambda a, s, h=holds: (0, int(h(signed(a), -77))), data="near", immediate=", 0xffb3")
    scalar(f"S_CMPK_{name}_U32", 0, "32", lambda a, s, h=holds: (0, int(h(a, 0xFFB3))), data="near", immediate=", 0xffb3")

# Numbers, of RDNA 4.
number = lambda x: value(x, "f32")  # noqa: E731
for names, of in (
    ("S_ADD_F32", lambda a, b: added(a, b, "f32")), ("S_SUB_F32", lambda a, b: added(a, -b, "f32")), ("S_MUL_F32", lambda a, b: multiplied(a, b, "f32")),
    ("S_MIN_F32 S_MIN_NUM_F32", lambda a, b: rounded(least(a, b), "f32")), ("S_MAX_F32 S_MAX_NUM_F32", lambda a, b: rounded(greatest(a, b), "f32")),
):  # fmt: skip
    scalar(names, 32, "32 32", lambda a, b, s, of=of: (of(number(a), number(b)), KEPT), kind="f32", data="float")
for name, of in (("FLOOR", lambda a: whole(math.floor, a)), ("CEIL", lambda a: whole(math.ceil, a)), ("TRUNC", lambda a: whole(math.trunc, a)), ("RNDNE", even)):
    scalar(f"S_{name}_F32", 32, "32", lambda a, s, of=of: (rounded(of(number(a)), "f32"), KEPT), kind="f32", data="float")
scalar("S_FMAC_F32", 32, "32 32", lambda a, b, s: (fused(number(a), number(b), 2.5, "f32"), KEPT), kind="f32", data="float", text="s_mov_b32 %0, 0x40200000\n s_fmac_f32 %0, %1, %2")
scalar("S_FMAMK_F32", 32, "32 32", lambda a, b, s: (fused(number(a), -3.25, number(b), "f32"), KEPT), kind="f32", data="float", text="s_fmamk_f32 %0, %1, 0xc0500000, %2")
scalar("S_FMAAK_F32", 32, "32 32", lambda a, b, s: (fused(number(a), number(b), -3.25, "f32"), KEPT), kind="f32", data="float", text="s_fmaak_f32 %0, %1, %2, 0xc0500000")
scalar("S_CVT_I32_F32", 32, "32", lambda a, s: (saturated(number(a), 32, True), KEPT), data="float")
scalar("S_CVT_U32_F32", 32, "32", lambda a, s: (saturated(number(a), 32, False), KEPT), data="float")
scalar("S_CVT_F32_I32", 32, "32", lambda a, s: (rounded(float(signed(a)), "f32"), KEPT), kind="f32")
scalar("S_CVT_F32_U32", 32, "32", lambda a, s: (rounded(float(a), "f32"), KEPT), kind="f32")
scalar("S_CVT_F32_F16", 32, "32", lambda a, s: (rounded(value(a, "f16"), "f32"), KEPT), kind="f32", data="half")
for name, holds in HOLDS.items():
    scalar(f"S_CMP_{name}_F32", 0, "32 32", lambda a, b, s, h=holds: (0, int(h(number(a), number(b)))), data="float")
for name, other in OPPOSITES.items():
    scalar(f"S_CMP_{name}_F32", 0, "32 32", lambda a, b, s, h=HOLDS[other]: (0, int(not h(number(a), number(b)))), data="float")
