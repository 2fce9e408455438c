# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Operands: edges of each type, and random ones. Of each kind three lists of words of 64 bits."""

import random
import struct
from fractions import Fraction

from numbers_of import NAN, SIZES, rounded
from program import KINDS, VECTORS

WORDS = (0, 1, 2, 31, 32, 33, 63, 64, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFF, 0x8000, 0x7FFF, 0xFFFFFF, 0x800000)
FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, -0.5, float("inf"), float("-inf"), float("nan"), 2.0**-149, -(2.0**-130), 2.0**-126, 65504.0, 65520.0, 2.0**-24,
    2.0**31, -(2.0**31), 2.0**32, 2.0**31 - 128, 3e9, -3e9, 2.0**24, 2.0**63, 3.4028234663852886e38, 2.0**-14, 2.0**-16,
)  # fmt: skip
DOUBLES = (*FLOATS, 2.0**-1074, 2.0**-1022, -(2.0**-1040), 1.7976931348623157e308, 2.0**52 + 0.5, 2.0**53 + 2, 4294967295.5, 0.1)


def operands(seed: int) -> dict[str, list[list[int]]]:
    draw = random.Random(seed)
    return {kind: [[ONE[kind](draw, position) for _ in range(VECTORS)] for position in range(3)] for kind in KINDS}


def edge_or(draw, edges, other) -> int:
    return draw.choice(edges) if draw.random() < 0.35 else other()


def word(draw, _=0) -> int:
    return edge_or(draw, WORDS, lambda: draw.getrandbits(32)) | edge_or(draw, WORDS, lambda: draw.getrandbits(32)) << 32


def near(draw, position) -> int:
    """Often equal to each other, in all bits or the lower ones; sometimes the constant that comparisons have."""
    base = draw.choice((0, 1, 5, 0xFFFFFFB3, 0xFFB3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF))
    return base | draw.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)) << 32


def small(draw, position) -> int:
    if position < 2:
        return word(draw)
    return sum(draw.choice((*range(13), 200, 255)) << 8 * n for n in range(4))


def shift(draw, position) -> int:
    return draw.randrange(5) if position == 1 else word(draw)


def few(draw, position) -> int:
    return draw.choice((0, 0, 1, 1 << 17, 1 << 31, 0xFFFFFFFF, draw.getrandbits(32))) | draw.choice((0, 0, 1, 1 << 31, draw.getrandbits(32))) << 32


def fields(draw, position) -> int:
    """A field's place, and its width: wider ones than the word the guides do not speak of."""
    return word(draw) if position != 1 else draw.randrange(64) | draw.choice((0, 1, 7, 8, 31, 32)) << 16


def wide_fields(draw, position) -> int:
    return word(draw) if position != 1 else draw.randrange(64) | draw.choice((0, 1, 7, 31, 32, 33, 63, 64)) << 16


def f16(x: float) -> int:
    found = rounded(x, "f16")
    return found if isinstance(found, int) else 0x7E00


def half(draw, _=0) -> int:
    number = edge_or(draw, FLOATS, lambda: draw.choice((draw.uniform(-4, 4), draw.uniform(-70000, 70000), draw.uniform(-1, 1) * 2.0**-15)))
    return f16(number) if draw.random() < 0.8 else draw.getrandbits(16)


def half_numbers(draw, _=0) -> int:
    return f16(draw.uniform(-100, 100)) | f16(draw.uniform(-100, 100)) << 16


def half_pairs(draw, _=0) -> int:
    return half(draw) | half(draw) << 16


def single(draw, _=0) -> int:
    number = edge_or(draw, FLOATS, lambda: draw.choice((draw.uniform(-2, 2), draw.uniform(-1, 1) * 2.0 ** draw.randrange(-40, 70))))
    return struct.unpack("<I", struct.pack("<f", number))[0] if draw.random() < 0.85 else draw.getrandbits(32)


def ordinary(draw, _=0) -> int:
    """Whose logarithms and powers are neither denormal nor of denormals."""
    other = draw.choice((draw.uniform(-20, 20), draw.uniform(0, 1), 2.0 ** draw.randrange(-100, 100), 0.0, float("inf"), float("nan")))
    return struct.unpack("<I", struct.pack("<f", other))[0]


def turns(draw, _=0) -> int:
    return struct.unpack("<I", struct.pack("<f", draw.choice((draw.uniform(-1, 1), draw.uniform(-200, 200), 0.125))))[0]


def double(draw, _=0) -> int:
    number = edge_or(draw, DOUBLES, lambda: draw.choice((draw.uniform(-2, 2), draw.uniform(-1, 1) * 2.0 ** draw.randrange(-500, 500), draw.uniform(-5e9, 5e9))))
    return struct.unpack("<Q", struct.pack("<d", number))[0] if draw.random() < 0.85 else draw.getrandbits(64)


def scale(draw, position) -> int:
    """A double, and by how much of the exponent it is changed, or classes."""
    return double(draw) if position == 0 else draw.choice((0, 1, 0xFFFFFFFF, 60, draw.getrandbits(11), 0x7FFFFFFF, 0x80000000, 0xFFFFFBD0))


def mixed(draw, position) -> int:
    return single(draw) if position == 1 else half_pairs(draw)


def classes(draw, position) -> int:
    return draw.getrandbits(10) if position == 1 else draw.choice((half_pairs(draw), single(draw)))


def whole(kind: str, third: str):
    """Pairs of small whole numbers; the third is one of another type."""

    def one(draw, position) -> int:
        if position == 2 and third == "f32":
            return rounded(Fraction(draw.randrange(-100, 101)), "f32")
        return sum(rounded(Fraction(draw.randrange(-8, 9)), kind) << n for n in (0, 16))

    return one


def plain(kind: str):
    """Numbers whose sums and products are neither zero nor denormal, nor too large."""
    return lambda draw, position: rounded(Fraction(draw.choice((-1, 1)) * draw.uniform(1, 4) * (1 + position)), kind)


def tiny(kind: str, to: str = ""):
    """Denormal numbers, the least normal ones, and such whose products are denormal; of f16 two of them. `to`: numbers that
    are denormal, or nearly, in that smaller type."""
    precision, lowest, highest = SIZES[to or kind]
    middle = (1 - precision - lowest) // 2

    def one(draw) -> int:
        if draw.random() < 0.1:
            return rounded(draw.choice((0.0, -0.0, 1.0, float("inf"), float("nan"))), kind) if draw.random() < 0.9 else 1
        exponent = draw.choice((lowest - draw.randrange(1, precision + 2), lowest + draw.randrange(3), -middle + draw.randrange(-3, 4), lowest - 1))
        number = rounded(Fraction(draw.getrandbits(53) | 1 << 53, 1 << 53) * Fraction(2) ** exponent * draw.choice((-1, 1)), kind)
        return number if isinstance(number, int) else 0

    def both(draw, _=0) -> int:
        first, second = one(draw), one(draw)
        first, second = (0x7E00 if x is NAN else x for x in (first, second)) if kind == "f16" else (0 if x is NAN else x for x in (first, second))
        return first | second << 16 if kind == "f16" else first

    return both


def tiny_scale(kind: str):
    number = tiny(kind)
    return lambda draw, position: number(draw) if position == 0 else draw.randrange(-14, 15) & 0xFFFFFFFF


def tiny_mixed(denormals: bool):
    """So that the product is near f16's least numbers, or f32's; `denormals`: of the operand of f32 as well."""

    def one(draw, position) -> int:
        if position != 1:
            return tiny("f16")(draw)
        if denormals and draw.random() < 0.5:
            return tiny("f32")(draw)
        return rounded(Fraction(draw.uniform(1, 2)) * Fraction(2) ** draw.choice((-121, -13, -1)), "f32")

    return one


def tiny_f32_dot(draw, position) -> int:
    """Sums of a denormal number with zeros, or with one product."""
    return tiny("f32")(draw) if position == 2 else draw.choice((0, 0x3C000000, 0x3C00) if position == 0 else (0, 0x00018001))


def tiny_dot(draw, position) -> int:
    """A sum of two numbers: where it is rounded does not matter."""
    return 0x3C003C00 if position == 0 else tiny("f16")(draw) & 0xFFFF


def eights(*kinds: str):
    """Four numbers of eight bits between 1/4 and 8 of either sign; the third is a number of 32."""
    mantissa = {"fp8": 3, "bf8": 2}

    def one(draw, position) -> int:
        if position == 2:
            return rounded(Fraction(draw.randrange(-1000, 1001), 16), "f32")
        bits = mantissa[kinds[position]]
        middle = (1 << 6 - bits) - 1  # of the exponent: 1
        return sum((draw.getrandbits(1) << 7 | (middle + draw.randrange(-2, 3)) << bits | draw.getrandbits(bits)) << n for n in (0, 8, 16, 24))

    return one


TINY = {
    **{f"tiny_{kind}": tiny(kind) for kind in ("f16", "f32", "f64")},
    **{f"tiny_{kind}_scale": tiny_scale(kind) for kind in ("f16", "f32", "f64")},
    "tiny_to_f16": tiny("f32", "f16"), "tiny_to_f32": tiny("f64", "f32"), "tiny_mixed": tiny_mixed(False), "tiny_mixed_f32": tiny_mixed(True), "tiny_f32_dot": tiny_f32_dot, "tiny_dot": tiny_dot,
}  # fmt: skip
ONE = {
    "word": word, "near": near, "small": small, "shift": shift, "few": few, "fields": fields, "wide_fields": wide_fields, "half": half, "half_numbers": half_numbers,
    "half_pairs": half_pairs, "float": single, "ordinary": ordinary, "turns": turns, "double": double, "scale": scale,
    "float_pairs": lambda draw, _: single(draw) | single(draw) << 32, "mixed": mixed, "classes": classes,
    "whole_f16": whole("f16", "f16"), "whole_f16_f32": whole("f16", "f32"), "whole_bf16": whole("bf16", "bf16"), "whole_bf16_f32": whole("bf16", "f32"),
    **{f"plain_{kind}": plain(kind) for kind in ("f16", "f32", "f64")},
    **TINY,
    **{f"{a}_{b}": eights(a, b) for a in ("fp8", "bf8") for b in ("fp8", "bf8")},
}  # fmt: skip
