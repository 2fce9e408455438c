# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What vector instructions on floating-point numbers compute, in the words of AMD's instruction set guides."""

import math
from fractions import Fraction

from numbers_of import NAN, added, even, fused, greatest, is_special, least, multiplied, rounded, saturated, value, whole
from vector import low, vector

DATA = {"f16": "half", "f32": "float", "f64": "double"}
WIDTH = {"f16": "32", "f32": "32", "f64": "64"}


def floats(names: str, kind: str, count: int, of, **more) -> None:
    """`of` takes numbers and gives bits."""
    sources = " ".join([WIDTH[kind]] * count)
    vector(names, kind, sources, lambda *x: of(*(value(y, kind) for y in x)), **({"data": DATA[kind]} | more))


def exact(kind: str, of):
    return lambda *x: rounded(of(*x), kind)


for kind in ("f16", "f32", "f64"):
    F = kind.upper()
    floats(f"V_ADD_{F}", kind, 2, lambda a, b, k=kind: added(a, b, k))
    floats(f"V_SUB_{F}", kind, 2, lambda a, b, k=kind: added(a, -b, k))
    floats(f"V_SUBREV_{F}", kind, 2, lambda a, b, k=kind: added(b, -a, k))
    floats(f"V_MUL_{F}", kind, 2, lambda a, b, k=kind: multiplied(a, b, k))
    floats(f"V_FMA_{F}", kind, 3, lambda a, b, c, k=kind: fused(a, b, c, k))
    floats(f"V_MIN_{F} V_MIN_NUM_{F}", kind, 2, exact(kind, least))
    floats(f"V_MAX_{F} V_MAX_NUM_{F}", kind, 2, exact(kind, greatest))
    floats(f"V_MIN3_{F} V_MIN3_NUM_{F}", kind, 3, exact(kind, lambda a, b, c: least(least(a, b), c)))
    floats(f"V_MAX3_{F} V_MAX3_NUM_{F}", kind, 3, exact(kind, lambda a, b, c: greatest(greatest(a, b), c)))
    floats(f"V_MINMAX_{F} V_MINMAX_NUM_{F}", kind, 3, exact(kind, lambda a, b, c: greatest(least(a, b), c)))
    floats(f"V_MAXMIN_{F} V_MAXMIN_NUM_{F}", kind, 3, exact(kind, lambda a, b, c: least(greatest(a, b), c)))
    floats(f"V_FLOOR_{F}", kind, 1, exact(kind, lambda a: whole(math.floor, a)))
    floats(f"V_CEIL_{F}", kind, 1, exact(kind, lambda a: whole(math.ceil, a)))
    floats(f"V_TRUNC_{F}", kind, 1, exact(kind, lambda a: whole(math.trunc, a)))
    floats(f"V_RNDNE_{F}", kind, 1, exact(kind, even))
    floats(f"V_RCP_{F}", kind, 1, exact(kind, lambda a: reciprocal(a)), units=1)
    floats(f"V_SQRT_{F}", kind, 1, exact(kind, lambda a: math.sqrt(a) if a >= 0 else math.nan), units=1)
    floats(f"V_RSQ_{F}", kind, 1, exact(kind, lambda a: reciprocal_root(a)), units=1)
    floats(f"V_FREXP_MANT_{F}", kind, 1, exact(kind, lambda a: a if is_special(a) else math.frexp(a)[0]))
    if kind != "f16":
        vector(f"V_FREXP_EXP_I32_{F}", "u32", WIDTH[kind], lambda a, k=kind: power_of(value(a, k)), data=DATA[kind])


def power_of(a: float) -> int:
    return low(0 if is_special(a) else math.frexp(a)[1])


def median(a: float, b: float, c: float) -> float:
    if any(math.isnan(x) for x in (a, b, c)):
        return least(least(a, b), c)
    return greatest(least(a, b), least(greatest(a, b), c))


floats("V_MED3_F32 V_MED3_NUM_F32", "f32", 3, exact("f32", median))
floats("V_MED3_F16 V_MED3_NUM_F16", "f16", 3, exact("f16", median))


def reciprocal(a: float) -> float:
    return math.copysign(math.inf, a) if a == 0 else 1 / a


def reciprocal_root(a: float) -> float:
    if a == 0:
        return math.copysign(math.inf, a)
    return 0.0 if a == math.inf else reciprocal(math.sqrt(a)) if a > 0 else math.nan


def power(a: float) -> float:
    try:
        return 2.0**a
    except OverflowError:
        return math.inf


def logarithm(a: float) -> float:
    if a == 0:
        return -math.inf
    return math.log2(a) if a > 0 and not is_special(a) else math.inf if a > 0 else math.nan


floats("V_EXP_F32", "f32", 1, exact("f32", power), units=1, data="ordinary")
floats("V_LOG_F32", "f32", 1, exact("f32", logarithm), units=1, data="ordinary")
floats("V_EXP_F16", "f16", 1, exact("f16", power), units=1)
floats("V_LOG_F16", "f16", 1, exact("f16", logarithm), units=1)
floats("V_RCP_IFLAG_F32", "f32", 1, exact("f32", reciprocal), units=1)
# Of turns, of which the guides take up to 256.
vector("V_SIN_F32", "f32", "32", lambda a: rounded(math.sin(2 * math.pi * math.fmod(value(a, "f32"), 1)), "f32"), units=64, data="turns")
vector("V_COS_F32", "f32", "32", lambda a: rounded(math.cos(2 * math.pi * math.fmod(value(a, "f32"), 1)), "f32"), units=64, data="turns")


def scaled(a: float, by: int, kind: str):
    """a times 2 to the power of an integer, rounded once."""
    if is_special(a) or a == 0:
        return rounded(a, kind)
    by = max(-4000, min(4000, by))
    return rounded(Fraction(a) * Fraction(2) ** by, kind, a < 0)


def integer(x: int, bits: int = 32) -> int:
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> bits - 1 else x


vector("V_LDEXP_F32", "f32", "32 32", lambda a, b: scaled(value(a, "f32"), integer(b), "f32"), data="float")
vector("V_LDEXP_F64", "f64", "64 32", lambda a, b: scaled(value(a, "f64"), integer(b), "f64"), data="scale")
vector("V_LDEXP_F16", "f16", "32 32", lambda a, b: scaled(value(a, "f16"), integer(b, 16), "f16"), data="half")


def inverse_tangent(of: int, one: int) -> int:
    """Of 1 / of, in units of 1 / one."""
    power, total, n = one // of, 0, 1
    while power:
        total += power // n if n % 4 == 1 else -(power // n)
        power //= of * of
        n += 2
    return total


ONE = 1 << 1400
TWO_OVER_PI = 2 * ONE * ONE // (16 * inverse_tangent(5, ONE) - 4 * inverse_tangent(239, ONE)) >> 1400 - 1201


def digits_of_two_over_pi(bits: int, segment: int):
    exponent = bits >> 52 & 0x7FF
    shift = (segment & 31) * 53 + max(0, exponent - 1077)
    whole_part = (TWO_OVER_PI << shift + 53) >> 1201 & (1 << 53) - 1
    return scaled(float(whole_part), -53 - shift + (128 if exponent >= 1968 else 0), "f64")


vector("V_TRIG_PREOP_F64", "f64", "64 32", digits_of_two_over_pi, data="scale")

# The destination is what is added to, or a constant is an operand.
for kind, copy in (("f16", "v_mov_b32"), ("f32", "v_mov_b32"), ("f64", "v_lshlrev_b64 %0, 0, %4")):
    name, copy = f"V_FMAC_{kind.upper()}", copy if "%" in copy else f"{copy} %0, %4"
    floats(name, kind, 3, lambda a, b, c, k=kind: fused(a, b, c, k), text=f"{copy}\n {name.lower()}_e64 %0, %2, %3")
# gfx90a's round the product, and have no denormals.
vector("V_MAC_F32", "f32", "32 32 32", lambda a, b, c: in_turn(value(a, "f32"), value(b, "f32"), value(c, "f32")), data="ordinary", text="v_mov_b32 %0, %4\n v_mac_f32_e64 %0, %2, %3")
vector("V_MAD_F32", "f32", "32 32 32", lambda a, b, c: in_turn(value(a, "f32"), value(b, "f32"), value(c, "f32")), data="ordinary")
for name, order in (("MK", "a, constant, b"), ("AK", "a, b, constant")):
    apart = {"a, constant, b": lambda a, b: in_turn(a, -3.25, b), "a, b, constant": lambda a, b: in_turn(a, b, -3.25)}[order]
    operands = "%2, 0xc0500000, %3" if name == "MK" else "%2, %3, 0xc0500000"
    vector(f"V_MAD{name}_F32", "f32", "32 32", lambda a, b, of=apart: of(value(a, "f32"), value(b, "f32")), data="ordinary", text=f"v_mad{name.lower()}_f32 %0, {operands}")
vector("V_FMAMK_F32", "f32", "32 32", lambda a, b: fused(value(a, "f32"), -3.25, value(b, "f32"), "f32"), data="float", text="v_fmamk_f32 %0, %2, 0xc0500000, %3")
vector("V_FMAAK_F32", "f32", "32 32", lambda a, b: fused(value(a, "f32"), value(b, "f32"), -3.25, "f32"), data="float", text="v_fmaak_f32 %0, %2, %3, 0xc0500000")



def in_turn(a: float, b: float, c: float):
    """The product rounded, and then the sum."""
    product = multiplied(a, b, "f32")
    return NAN if product is NAN else added(value(product, "f32"), c, "f32")


# Comparisons. What is no number compares as nothing; the negated ones then hold.
HOLDS = {
    "LT": lambda a, b: a < b, "EQ": lambda a, b: a == b, "LE": lambda a, b: a <= b, "GT": lambda a, b: a > b,
    "LG": lambda a, b: a < b or a > b, "GE": lambda a, b: a >= b, "O": lambda a, b: a == a and b == b,
}  # fmt: skip
OPPOSITES = {"NGE": "GE", "NLG": "LG", "NGT": "GT", "NLE": "LE", "NEQ": "EQ", "NLT": "LT", "U": "O"}
for kind in ("f16", "f32", "f64"):
    operands = f"{WIDTH[kind]} {WIDTH[kind]}"
    for name, holds in HOLDS.items():
        vector(f"V_CMP_{name}_{kind.upper()}", "mask", operands, lambda a, b, k=kind, h=holds: int(h(value(a, k), value(b, k))), data=DATA[kind])
    for name, other in OPPOSITES.items():
        h = HOLDS[other]
        vector(f"V_CMP_{name}_{kind.upper()}", "mask", operands, lambda a, b, k=kind, h=h: int(not h(value(a, k), value(b, k))), data=DATA[kind])


def class_of(bits: int, size: int, mantissa: int) -> int:
    """Its bit: signalling and quiet NaN; -infinity, -normal, -denormal, -0; +0, +denormal, +normal, +infinity."""
    exponent, fraction = bits >> mantissa & (1 << size - 1 - mantissa) - 1, bits & (1 << mantissa) - 1
    if exponent == (1 << size - 1 - mantissa) - 1 and fraction:
        return fraction >> mantissa - 1
    rank = 3 if exponent == (1 << size - 1 - mantissa) - 1 else 2 if exponent else 1 if fraction else 0
    return 5 - rank if bits >> size - 1 & 1 else 6 + rank


for kind, size, mantissa in (("F16", 16, 10), ("F32", 32, 23), ("F64", 64, 52)):
    operands = "64 32" if size == 64 else "32 32"
    vector(f"V_CMP_CLASS_{kind}", "mask", operands, lambda a, b, s=size, m=mantissa: b >> class_of(low(a, s), s, m) & 1, data="classes" if size != 64 else "scale")

# Conversions.
for names, source, result in (
    ("V_CVT_F16_F32", "f32", "f16"), ("V_CVT_F32_F16", "f16", "f32"),
    ("V_CVT_F32_F64", "f64", "f32"), ("V_CVT_F64_F32", "f32", "f64"),
):  # fmt: skip
    vector(names, result, WIDTH[source], lambda a, s=source, r=result: rounded(value(a, s), r), data=DATA[source])
for bits, signed, letter in ((32, True, "I"), (32, False, "U")):
    for kind in ("f32", "f64"):
        F = kind.upper()
        vector(f"V_CVT_{letter}32_{F}", "u32", WIDTH[kind], lambda a, k=kind, s=signed: saturated(value(a, k), 32, s), data=DATA[kind])
        vector(f"V_CVT_{F}_{letter}32", kind, "32", lambda a, k=kind, s=signed: rounded(float(integer(a) if s else a), k))
vector("V_CVT_I16_F16", "u16", "32", lambda a: saturated(value(a, "f16"), 16, True), data="half")
vector("V_CVT_U16_F16", "u16", "32", lambda a: saturated(value(a, "f16"), 16, False), data="half")
vector("V_CVT_F16_I16", "f16", "32", lambda a: rounded(float(integer(a, 16)), "f16"))
vector("V_CVT_F16_U16", "f16", "32", lambda a: rounded(float(low(a, 16)), "f16"))
for n in range(4):
    vector(f"V_CVT_F32_UBYTE{n}", "f32", "32", lambda a, n=n: rounded(float(a >> 8 * n & 255), "f32"))


def two(kind: str, of):
    """On both halves of words, or both words of pairs."""
    size = 16 if kind == "f16" else 32

    def both(*x):
        results = [of(*(value(y >> shift, kind) for y in x)) for shift in (0, size)]
        return Pair(results, kind)

    return both


class Pair(list):
    """Two results, from the lower on, of a type."""

    def __init__(self, results, kind: str):
        super().__init__(results)
        self.kind = kind


for kind, sources, data in (("f16", "32", "half_pairs"), ("f32", "64", "float_pairs")):
    F = kind.upper()
    vector(f"V_PK_ADD_{F}", "pair", f"{sources} {sources}", two(kind, lambda a, b, k=kind: added(a, b, k)), data=data)
    vector(f"V_PK_MUL_{F}", "pair", f"{sources} {sources}", two(kind, lambda a, b, k=kind: multiplied(a, b, k)), data=data)
    vector(f"V_PK_FMA_{F}", "pair", f"{sources} {sources} {sources}", two(kind, lambda a, b, c, k=kind: fused(a, b, c, k)), data=data)
vector("V_CVT_PK_BF16_F32", "pair", "32 32", lambda a, b: Pair([rounded(value(x, "f32"), "bf16") for x in (a, b)], "bf16"), data="float")
vector("V_CVT_PK_F16_F32", "pair", "32 32", lambda a, b: Pair([rounded(value(x, "f32"), "f16") for x in (a, b)], "f16"), data="float")
vector("V_PK_MIN_F16 V_PK_MIN_NUM_F16", "pair", "32 32", two("f16", exact("f16", least)), data="half_pairs")
vector("V_PK_MAX_F16 V_PK_MAX_NUM_F16", "pair", "32 32", two("f16", exact("f16", greatest)), data="half_pairs")

# Mixed: the first operand the upper half of a word, the second a word, the third a lower half.
mixed = "{} %0, %2, %3, %4 op_sel:[1,0,0] op_sel_hi:[1,0,1]"  # CDNA 3 calls a fused one so, its tables by the older name
mixing = lambda a, b, c: (value(a >> 16, "f16"), value(b, "f32"), value(c, "f16"))  # noqa: E731
vector("V_FMA_MIX_F32 V_MAD_MIX_F32", "f32", "32 32 32", lambda a, b, c: fused(*mixing(a, b, c), "f32"), data="mixed", text=mixed.format("v_fma_mix_f32"))
vector("V_FMA_MIXLO_F16 V_MAD_MIXLO_F16", "f16", "32 32 32", lambda a, b, c: in_two_steps(*mixing(a, b, c)), data="mixed", text=mixed.format("v_fma_mixlo_f16"))


def in_two_steps(a: float, b: float, c: float):
    """A product and sum of f32, which then becomes one of f16."""
    sum_ = fused(a, b, c, "f32")
    return NAN if sum_ is NAN else rounded(value(sum_, "f32"), "f16")

