# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How f16 and f64 are rounded under each setting of MODE, and conversions, in the words of AMD's instruction set guides:
one field is f32's, the other that of f64 and f16; the result's type says which holds."""

from fractions import Fraction

from floats import Pair
from numbers_of import BITS, SIZES, infinity, is_special, rounded, value
from vector import vector

CDNA, RDNA = ("gfx90a", "gfx942", "gfx950"), ("gfx1100", "gfx1201")
UP, DOWN, ZERO = 1, 2, 3
WORDS = {UP: "UP", DOWN: "DOWN", ZERO: "TOWARDS_ZERO"}
ALSO: dict[str, tuple[str, ...]] = {}


def directed(x: Fraction, kind: str, direction: int) -> int:
    """Bits of the number next to x in that direction."""
    precision, lowest, highest = SIZES[kind]
    sign, size = x < 0, abs(x)
    outward = direction == (DOWN if sign else UP)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    unit = max(exponent, lowest) - (precision - 1)
    exact = size / Fraction(2) ** unit
    steps = -(-exact.numerator // exact.denominator) if outward else exact.numerator // exact.denominator
    if steps >= 1 << precision:
        steps, unit = steps >> 1, unit + 1
    if unit + precision - 1 > highest:
        return infinity(sign, kind) - (not outward)
    biased = 0 if steps < 1 << precision - 1 else unit + precision - 1 + highest
    return sign << BITS[kind] - 1 | biased << precision - 1 | steps & (1 << precision - 1) - 1


def under(name: str, kind: str, source: str, count: int, data: str, field: int, of) -> None:
    """`field`: 0 for f32, 2 for f64 and f16. `of` is exact; what is zero or no number is others' to test."""
    for direction, word in WORDS.items():

        def expected(*x: int, direction=direction):
            numbers = [value(y, source) for y in x]
            result = None if is_special(*numbers) else of(*(Fraction(y) for y in numbers))
            return 0 if not result else directed(result, kind, direction)

        sources = ", ".join(f"%{n + 2}" for n in range(count))
        width = "64" if source == "f64" else "32"
        own = f"{name}_{word}"
        text = (
            f"s_setreg_imm32_b32 hwreg(1, 0, 4), {direction << field}\n {name.lower()}_e64 %0, {sources}\n "
            "s_setreg_imm32_b32 hwreg(1, 0, 4), 0"
        )
        vector(own, kind, " ".join([width] * count), expected, data=data, text=text)
        ALSO[own] = CDNA + RDNA


under("V_ADD_F16", "f16", "f16", 2, "plain_f16", 2, lambda a, b: a + b)
under("V_MUL_F16", "f16", "f16", 2, "plain_f16", 2, lambda a, b: a * b)
under("V_FMA_F16", "f16", "f16", 3, "plain_f16", 2, lambda a, b, c: a * b + c)
under("V_ADD_F64", "f64", "f64", 2, "plain_f64", 2, lambda a, b: a + b)
under("V_MUL_F64", "f64", "f64", 2, "plain_f64", 2, lambda a, b: a * b)
under("V_FMA_F64", "f64", "f64", 3, "plain_f64", 2, lambda a, b, c: a * b + c)
under("V_CVT_F16_F32", "f16", "f32", 1, "plain_f32", 2, lambda a: a)
under("V_CVT_F32_F64", "f32", "f64", 1, "plain_f64", 0, lambda a: a)


def cut(bits: int):
    """A number of f32 as one of f16, towards zero whatever MODE says."""
    x = value(bits, "f32")
    if is_special(x) or x == 0:
        return rounded(x, "f16")
    return directed(Fraction(x), "f16", ZERO)


for name, targets in (("V_CVT_PKRTZ_F16_F32", CDNA), ("V_CVT_PK_RTZ_F16_F32", RDNA)):
    vector(name, "pair", "32 32", lambda a, b: Pair([cut(a), cut(b)], "f16"), data="float")
    ALSO[name] = targets
