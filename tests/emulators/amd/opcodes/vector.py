# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What vector instructions compute, in the words of AMD's instruction set guides: integers and bits here, floating-point
numbers in floats.py, what other lanes have a part in in lanes.py."""

from collections.abc import Callable
from dataclasses import dataclass

BEFORE = 0x5EED5EED  # in a destination, before the instruction


@dataclass(frozen=True)
class Form:
    """An instruction with operands of 32 or 64 bits, or of a bit in a mask of lanes ("m")."""

    name: str  # AMD's, in capitals
    result: str  # u16, u32, u64, i32 ..., f16, f32, f64, mask; none: what `of` returns is the lanes' mask alone
    sources: tuple[str, ...]
    of: Callable  # of the sources, as bits: the result's bits, NAN, or a pair: the result and the bit of the mask
    data: str = "word"  # which operands: word, half, float, double, small
    carries: bool = False  # a mask of lanes is written too
    units: int = 0  # in the last place, that the result may be off
    text: str = ""  # of the assembler, where it is not plain: %0 result, %1 mask written, %2 ... sources
    modifiers: str = ""
    of_wave: bool = False  # `of` takes all operands of the wave, and the lane
    scalar: bool = False  # the result is a scalar register


FORMS: dict[str, Form] = {}


def vector(names: str, result: str, sources: str, of: Callable, **more) -> None:
    for name in names.split():
        FORMS[name] = Form(name, result, tuple(sources.split()), of, **more)


def signed(x: int, bits: int = 32) -> int:
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> bits - 1 else x


def low(x: int, bits: int = 32) -> int:
    return x & (1 << bits) - 1


# Moves and bits.
vector("V_MOV_B32", "u32", "32", lambda a: a)
vector("V_MOV_B64", "u64", "64", lambda a: a)
vector("V_MOV_B16", "u16", "32", lambda a: a >> 16, text="v_mov_b16_e64 %0.l, %2.h")
vector("V_NOT_B32", "u32", "32", lambda a: low(~a))
vector("V_AND_B32", "u32", "32 32", lambda a, b: a & b)
vector("V_OR_B32", "u32", "32 32", lambda a, b: a | b)
vector("V_XOR_B32", "u32", "32 32", lambda a, b: a ^ b)
vector("V_XNOR_B32", "u32", "32 32", lambda a, b: low(~(a ^ b)))
vector("V_OR3_B32", "u32", "32 32 32", lambda a, b, c: a | b | c)
vector("V_XOR3_B32", "u32", "32 32 32", lambda a, b, c: a ^ b ^ c)
vector("V_AND_OR_B32", "u32", "32 32 32", lambda a, b, c: a & b | c)
vector("V_BFI_B32", "u32", "32 32 32", lambda a, b, c: a & b | ~a & c)
vector("V_BFE_U32", "u32", "32 32 32", lambda a, b, c: low(a >> (b & 31), c & 31))
vector("V_BFE_I32", "u32", "32 32 32", lambda a, b, c: field(signed(a) >> (b & 31), c & 31))
vector("V_BFM_B32", "u32", "32 32", lambda a, b: low(((1 << (a & 31)) - 1) << (b & 31)))
vector("V_BFREV_B32", "u32", "32", lambda a: int(f"{a:032b}"[::-1], 2))
vector("V_BCNT_U32_B32", "u32", "32 32", lambda a, b: low(a.bit_count() + b))
vector("V_FFBH_U32 V_CLZ_I32_U32", "u32", "32", lambda a: 32 - a.bit_length() if a else low(-1))
vector("V_FFBL_B32 V_CTZ_I32_B32", "u32", "32", lambda a: (a & -a).bit_length() - 1 if a else low(-1))
vector("V_FFBH_I32 V_CLS_I32", "u32", "32", lambda a: leading_signs(a))
vector("V_AND_B16", "u16", "32 32", lambda a, b: low(a & b, 16))
vector("V_OR_B16", "u16", "32 32", lambda a, b: low(a | b, 16))
vector("V_XOR_B16", "u16", "32 32", lambda a, b: low(a ^ b, 16))
vector("V_NOT_B16", "u16", "32", lambda a: low(~a, 16))


def field(x: int, bits: int) -> int:
    return low(signed(x, bits)) if bits else 0


def leading_signs(a: int) -> int:
    """How many bits from the sign on are like it; all ones if all are."""
    bits = f"{a:032b}"
    same = len(bits) - len(bits.lstrip(bits[0]))
    return low(-1) if same == 32 else same


def chosen(a: int, b: int, c: int) -> int:
    """Bytes of a (4 to 7) and b, signs, and constants, as the bytes of c say."""
    words, result = a << 32 | b, 0
    for n in range(4):
        by = c >> 8 * n & 255
        if by < 8:
            byte = words >> 8 * by & 255
        elif by < 12:
            byte = 255 * (words >> 16 * (by - 8) + 15 & 1)
        else:
            byte = 0 if by == 12 else 255
        result |= byte << 8 * n
    return result


vector("V_PERM_B32", "u32", "32 32 32", chosen, data="small")
vector("V_ALIGNBIT_B32", "u32", "32 32 32", lambda a, b, c: low((a << 32 | b) >> (c & 31)))
vector("V_ALIGNBYTE_B32", "u32", "32 32 32", lambda a, b, c: low((a << 32 | b) >> 8 * (c & 3)))

# Shifts.
for suffix, size in (("B32", 32), ("B64", 64), ("B16", 16)):
    last = "64" if size == 64 else "32"
    vector(f"V_LSHLREV_{suffix}", f"u{size}", f"32 {last}", lambda a, b, n=size: low(b << (a & n - 1), n))
    vector(f"V_LSHRREV_{suffix}", f"u{size}", f"32 {last}", lambda a, b, n=size: low(b, n) >> (a & n - 1))
    vector(f"V_ASHRREV_{suffix.replace('B', 'I')}", f"u{size}", f"32 {last}", lambda a, b, n=size: low(signed(b, n) >> (a & n - 1), n))
vector("V_LSHL_ADD_U32", "u32", "32 32 32", lambda a, b, c: low((a << (b & 31)) + c))
vector("V_LSHL_OR_B32", "u32", "32 32 32", lambda a, b, c: low(a << (b & 31)) | c)
vector("V_ADD_LSHL_U32", "u32", "32 32 32", lambda a, b, c: low(low(a + b) << (c & 31)))
vector("V_XAD_U32", "u32", "32 32 32", lambda a, b, c: low((a ^ b) + c))
vector("V_LSHL_ADD_U64", "u64", "64 32 64", lambda a, b, c: low((a << b) + c, 64), data="shift")

# Sums.
vector("V_ADD_U32 V_ADD_NC_U32", "u32", "32 32", lambda a, b: low(a + b))
vector("V_SUB_U32 V_SUB_NC_U32", "u32", "32 32", lambda a, b: low(a - b))
vector("V_SUBREV_U32 V_SUBREV_NC_U32", "u32", "32 32", lambda a, b: low(b - a))
vector("V_ADD3_U32", "u32", "32 32 32", lambda a, b, c: low(a + b + c))
vector("V_ADD_U16 V_ADD_NC_U16", "u16", "32 32", lambda a, b: low(a + b, 16))
vector("V_SUB_U16 V_SUB_NC_U16", "u16", "32 32", lambda a, b: low(a - b, 16))
vector("V_SUBREV_U16", "u16", "32 32", lambda a, b: low(b - a, 16))
vector("V_ADD_CO_U32", "u32", "32 32", lambda a, b: (low(a + b), a + b >> 32), carries=True)
vector("V_SUB_CO_U32", "u32", "32 32", lambda a, b: (low(a - b), int(b > a)), carries=True)
vector("V_SUBREV_CO_U32", "u32", "32 32", lambda a, b: (low(b - a), int(a > b)), carries=True)
vector("V_ADDC_CO_U32 V_ADD_CO_CI_U32", "u32", "32 32 m", lambda a, b, m: (low(a + b + m), a + b + m >> 32), carries=True)
vector("V_SUBB_CO_U32 V_SUB_CO_CI_U32", "u32", "32 32 m", lambda a, b, m: (low(a - b - m), int(b + m > a)), carries=True)
vector("V_SUBBREV_CO_U32 V_SUBREV_CO_CI_U32", "u32", "32 32 m", lambda a, b, m: (low(b - a - m), int(a + m > b)), carries=True)
vector("V_SAD_U8", "u32", "32 32 32", lambda a, b, c: low(c + sum(abs((a >> n & 255) - (b >> n & 255)) for n in (0, 8, 16, 24))))
vector("V_SAD_U32", "u32", "32 32 32", lambda a, b, c: low(abs(a - b) + c))

# Products.
vector("V_MUL_LO_U32", "u32", "32 32", lambda a, b: low(a * b))
vector("V_MUL_HI_U32", "u32", "32 32", lambda a, b: a * b >> 32)
vector("V_MUL_HI_I32", "u32", "32 32", lambda a, b: low(signed(a) * signed(b) >> 32))
vector("V_MUL_U32_U24", "u32", "32 32", lambda a, b: low(low(a, 24) * low(b, 24)))
vector("V_MUL_HI_U32_U24", "u32", "32 32", lambda a, b: low(a, 24) * low(b, 24) >> 32)
vector("V_MUL_I32_I24", "u32", "32 32", lambda a, b: low(signed(a, 24) * signed(b, 24)))
vector("V_MAD_U32_U24", "u32", "32 32 32", lambda a, b, c: low(low(a, 24) * low(b, 24) + c))
vector("V_MAD_I32_I24", "u32", "32 32 32", lambda a, b, c: low(signed(a, 24) * signed(b, 24) + c))
vector("V_MUL_LO_U16", "u16", "32 32", lambda a, b: low(a * b, 16))
vector("V_MAD_U16", "u16", "32 32 32", lambda a, b, c: low(a * b + c, 16))
vector("V_MAD_U32_U16", "u32", "32 32 32", lambda a, b, c: low(low(a, 16) * low(b, 16) + c))
wide = "V_MAD_U64_U32 V_MAD_CO_U64_U32"
vector(wide, "u64", "32 32 64", lambda a, b, c: (low(a * b + c, 64), a * b + c >> 64), carries=True)
wide = "V_MAD_I64_I32 V_MAD_CO_I64_I32"  # the bit beyond 64 is not what is tested: of signed sums the guides name none
vector(wide, "u64", "32 32 64", lambda a, b, c: (low(signed(a) * signed(b) + signed(c, 64), 64), None), carries=True)

# Least and greatest.
for kind, of in (("U32", low), ("I32", signed)):
    vector(f"V_MIN_{kind}", "u32", "32 32", lambda a, b, of=of: min(a, b, key=of))
    vector(f"V_MAX_{kind}", "u32", "32 32", lambda a, b, of=of: max(a, b, key=of))
    vector(f"V_MIN3_{kind}", "u32", "32 32 32", lambda a, b, c, of=of: min(a, b, c, key=of))
    vector(f"V_MAX3_{kind}", "u32", "32 32 32", lambda a, b, c, of=of: max(a, b, c, key=of))
    vector(f"V_MED3_{kind}", "u32", "32 32 32", lambda a, b, c, of=of: sorted((a, b, c), key=of)[1])
    vector(f"V_MAXMIN_{kind}", "u32", "32 32 32", lambda a, b, c, of=of: min(max(a, b, key=of), c, key=of))
    vector(f"V_MINMAX_{kind}", "u32", "32 32 32", lambda a, b, c, of=of: max(min(a, b, key=of), c, key=of))
for kind, of in (("U16", low), ("I16", signed)):
    vector(f"V_MIN_{kind}", "u16", "32 32", lambda a, b, of=of: low(min(a, b, key=lambda x: of(x, 16)), 16))
    vector(f"V_MAX_{kind}", "u16", "32 32", lambda a, b, of=of: low(max(a, b, key=lambda x: of(x, 16)), 16))

# Comparisons: each lane's bit of a mask.
COMPARISONS = {
    "LT": lambda a, b: a < b, "EQ": lambda a, b: a == b, "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b, "NE": lambda a, b: a != b, "GE": lambda a, b: a >= b,
}  # fmt: skip
for comparison, holds in COMPARISONS.items():
    for bits in (16, 32, 64):
        for kind, of in (("I", signed), ("U", low)):
            operands = "64 64" if bits == 64 else "32 32"
            vector(f"V_CMP_{comparison}_{kind}{bits}", "mask", operands, lambda a, b, of=of, n=bits, holds=holds: int(holds(of(a, n), of(b, n))), data="near")
vector("V_CNDMASK_B32", "u32", "32 32 m", lambda a, b, m: b if m else a)
vector("V_CNDMASK_B16", "u16", "32 32 m", lambda a, b, m: low(b if m else a, 16))

# Pairs of 16 bits.
halves = lambda of: lambda *x: low(of(*(y & 0xFFFF for y in x)), 16) | low(of(*(y >> 16 for y in x)), 16) << 16  # noqa: E731
vector("V_PK_ADD_U16 V_PK_ADD_I16", "u32", "32 32", halves(lambda a, b: a + b))
vector("V_PK_SUB_U16 V_PK_SUB_I16", "u32", "32 32", halves(lambda a, b: a - b))
vector("V_PK_MUL_LO_U16", "u32", "32 32", halves(lambda a, b: a * b))
vector("V_PK_MAD_U16 V_PK_MAD_I16", "u32", "32 32 32", halves(lambda a, b, c: a * b + c))
vector("V_PK_LSHLREV_B16", "u32", "32 32", halves(lambda a, b: b << (a & 15)))
vector("V_PK_LSHRREV_B16", "u32", "32 32", halves(lambda a, b: b >> (a & 15)))
vector("V_PK_ASHRREV_I16", "u32", "32 32", halves(lambda a, b: signed(b, 16) >> (a & 15)))
vector("V_PK_MIN_U16", "u32", "32 32", halves(min))
vector("V_PK_MAX_U16", "u32", "32 32", halves(max))
vector("V_PK_MIN_I16", "u32", "32 32", halves(lambda a, b: min(a, b, key=lambda x: signed(x, 16))))
vector("V_PK_MAX_I16", "u32", "32 32", halves(lambda a, b: max(a, b, key=lambda x: signed(x, 16))))
vector("V_PK_MOV_B32", "u64", "64 64", lambda a, b: low(a) | b >> 32 << 32, modifiers=" op_sel:[0,1]")
vector("V_PACK_B32_F16", "u32", "32 32", lambda a, b: low(a, 16) | low(b, 16) << 16, data="half_numbers")
vector("V_BITOP3_B32", "u32", "32 32 32", lambda a, b, c: low(~(a | b) & c | a & b & ~c), modifiers=" bitop3:0x42")

vector("V_BITOP3_B16", "u16", "32 32 32", lambda a, b, c: low(~(a | b) & c | a & b & ~c, 16), modifiers=" bitop3:0x42")

# Accumulation registers of CDNA.
vector("V_ACCVGPR_WRITE V_ACCVGPR_WRITE_B32", "u32", "32", lambda a: a, text="v_accvgpr_write_b32 a7, %2\n s_nop 4\n v_accvgpr_read_b32 %0, a7")
vector("V_ACCVGPR_READ V_ACCVGPR_READ_B32", "u32", "32", lambda a: a, text="v_accvgpr_write_b32 a9, %2\n s_nop 4\n v_accvgpr_read_b32 %0, a9")
moved = "v_accvgpr_write_b32 a7, %2\n v_accvgpr_write_b32 a8, 0\n s_nop 4\n v_accvgpr_mov_b32 a8, a7\n s_nop 4\n v_accvgpr_read_b32 %0, a8"
vector("V_ACCVGPR_MOV_B32", "u32", "32", lambda a: a, text=moved)
