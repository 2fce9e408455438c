# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Operands, made again from nothing whenever they are needed: edges of each type, random bits, numbers near each other,
and small ones. The same in every version of Python."""

from __future__ import annotations

import hashlib
import struct
from fractions import Fraction
from functools import lru_cache

from ieee import BF16, E4M3, E5M2, F16, F32, F64, OUTSIDE, Format, decoded, encoded

# Domains of operands, their classes, and how many lanes each has.
CLASSES = {
    "scalar": (("edges", 256), ("random", 96), ("near", 96), ("small", 64)),
    "warp": (("random", 64), ("few", 64), ("edges", 64)),
    "matrix": (("whole", 64), ("random", 64), ("spread", 64), ("special", 64)),
    "warpgroup": (("whole", 128), ("random", 128), ("spread", 128), ("special", 128)),
    "cluster": (("random", 128),),
    "memory": (("special", 128),),
    "tiles": (("random", 128),),
    "codes": (("codes", 1024),),
    "fragments": (("random", 64),),
}
FRAGMENTS = ("matrix", "warpgroup", "fragments")  # operands are the registers of matrices' fragments
MEMORIES = ("memory", "tiles")  # operands are no registers but memory, a column behind the other
FLOATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64, "tf32": F32}
INTEGERS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
_FRAGMENT_FLOATS = {**FLOATS, "e4m3": E4M3, "e5m2": E5M2}
PAIRS = {"f16x2": "f16", "bf16x2": "bf16"}
WIDTH = {
    "i8": 16, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "tf32": 32,
    "f16x2": 32, "bf16x2": 32, "shift": 32, "position": 32, "bit": 32, "i16x2": 32, "bytes": 32,
    "e4m3x2": 16, "e5m2x2": 16, "e4m3x4": 32, "e5m2x4": 32, "s8x4": 32, "u8x4": 32, "s4x8": 32, "u4x8": 32, "b1x32": 32,
    "s32": 32, "angle": 32, "lane": 32, "two of four": 32, "one of two": 32, "ties": 32,
}  # fmt: skip
SPECIAL = "special "  # before a kind of floats in memory: every third element is one
WIDTH |= {SPECIAL + kind: WIDTH[kind] for kind in ("f16x2", "bf16x2", "f32", "f64")}
OUT_OF_BOUNDS = "out of bounds "  # before a kind of narrow floats: many are the NaN that tensor copies fill with, or near it
WIDTH |= {OUT_OF_BOUNDS + kind: WIDTH[kind] for kind in ("f16", "bf16", "f16x2", "bf16x2")}
# Before a kind of narrow floats: every NaN with each sign, numbers and infinities, zeros among what makes some.
EVERY_NAN, NO_NAN, ZEROS = "every NaN ", "no NaN ", "zeros "
WIDTH |= {codes + kind: WIDTH[kind] for codes in (EVERY_NAN, NO_NAN, ZEROS) for kind in ("f16", "bf16", "f16x2", "bf16x2")}
_EDGES_OF_AMOUNTS = (0, 1, 2, 7, 8, 15, 16, 17, 24, 31, 32, 33, 63, 64, 255, 0xFFFFFFFF)


class Bits:
    """An endless row of random bits."""

    def __init__(self, seed: str) -> None:
        self._seed, self._blocks, self._bits, self._left = seed, 0, 0, 0

    def take(self, count: int) -> int:
        while self._left < count:
            block = hashlib.shake_128(f"{self._seed}/{self._blocks}".encode()).digest(1024)
            self._bits |= int.from_bytes(block, "little") << self._left
            self._left += 8192
            self._blocks += 1
        value = self._bits & ((1 << count) - 1)
        self._bits >>= count
        self._left -= count
        return value

    def below(self, end: int) -> int:
        return self.take(48) % end

    def pick(self, values):
        return values[self.below(len(values))]


def _integer_edges(width: int) -> list[int]:
    top, ones = 1 << (width - 1), (1 << width) - 1
    alternating = ones // 3
    return [0, 1, 2, ones, ones - 1, top, top - 1, top + 1, alternating, ones - alternating, 3, 1 << (width // 2),
            (1 << (width // 2)) - 1, ones ^ 0x7F, 0x7F, ones >> (width // 2 - 1)]  # fmt: skip


def _float_edges(f: Format) -> list[int]:
    infinity, one, least = f.largest + 1, f.bias << f.mantissa, 1 << f.mantissa
    quiet = infinity | 1 << (f.mantissa - 1)
    return [0, f.sign, 1, f.sign | (least - 1), least, f.largest, f.sign | f.largest, infinity, f.sign | infinity,
            quiet | 1, f.sign | infinity | 1, one, f.sign | one, one + 1, one | 1 << (f.mantissa - 1), least - 1]  # fmt: skip


def _ladder(kind: str) -> list[int]:
    """256 values for an operand that is alone: edges, powers of two and their neighbours, halves."""
    if kind in INTEGERS:
        width = INTEGERS[kind]
        values = _integer_edges(width)
        for bit in range(width):
            values += [(1 << bit) - 1, 1 << bit, (1 << bit) + 1, -(1 << bit), -(1 << bit) - 1, ~(3 << bit)]
        return _filled([v & ((1 << width) - 1) for v in values], lambda bits: bits.take(width))
    f = FLOATS[kind]
    values = _float_edges(f)
    ends = (7, 8, 15, 16, 31, 32, 63, 64, 23, 24, 52, 53)
    numbers = [Fraction(n, 2) for n in range(1, 12)] + [Fraction(255), Fraction(511, 2), Fraction(448), Fraction(464), Fraction(57344)]
    numbers += [Fraction(2) ** e for e in ends] + [Fraction(1, 2) ** e for e in (1, 2, 9, 10, 14, 17, 24, 25, 126)]
    for number in numbers:
        code = encoded(number, f, finite=True)
        values += [code, code | f.sign, code + 1, code - 1, (code + 1) | f.sign, (code - 1) | f.sign]
    # What lies in the middle between two numbers of a narrower format.
    for narrower in (2, 3, 7, 10, 23):
        if narrower < f.mantissa:
            middle = f.bias << f.mantissa | 1 << (f.mantissa - narrower - 1)
            values += [middle, middle + 1, middle - 1, middle | 1 << (f.mantissa - narrower), f.sign | middle]
    return _filled(values, lambda bits: bits.take(1 + f.exponent + f.mantissa))


def _filled(values: list[int], more) -> list[int]:
    values, bits = list(dict.fromkeys(values)), Bits("ladder")
    while len(values) < 256:
        values.append(more(bits))
    step = len(values) / 256  # evenly where there are more
    return [values[int(i * step)] for i in range(256)]


@lru_cache(maxsize=None)
def edges_of(kind: str, alone: bool) -> list[int]:
    if kind in INTEGERS or kind in FLOATS:
        if alone:
            return _ladder(kind)
        return _integer_edges(INTEGERS[kind]) if kind in INTEGERS else _float_edges(FLOATS[kind])
    if kind.startswith(OUT_OF_BOUNDS):
        element = kind.removeprefix(OUT_OF_BOUNDS)
        of = [OUTSIDE, 0xFFF7, OUTSIDE - 1, *_float_edges(FLOATS[PAIRS.get(element, element)])[3:]]
        return [of[i] | of[i * 5 % 16] << 16 for i in range(16)] if element in PAIRS else of
    if kind in PAIRS:
        of = _float_edges(FLOATS[PAIRS[kind]])
        return [of[i] | of[i * 5 % 16] << 16 for i in range(16)] if not alone else _ladder_pairs(PAIRS[kind])
    if kind in ("e4m3x2", "e5m2x2"):
        return [i | (i * 37 + 11) % 256 << 8 for i in range(256)]
    if kind in ("shift", "position", "lane"):
        return list(_EDGES_OF_AMOUNTS)
    if kind == "bit":
        return [0, 1]
    if kind == "angle":
        return _angles()
    if kind in ("i16x2", "bytes"):
        return [0, 0x80008000, 0x7FFF7FFF, 0xFFFFFFFF, 0x80007FFF, 0x7FFF8000, 0x00010001, 0xFFFF0001, 0x80808080, 0x7F7F7F7F,
                0x01FF01FF, 0xFF01FF01, 0x807F807F, 0x00FF00FF, 0xFF00FF00, 0x12345678]  # fmt: skip
    return _integer_edges(32)


def _ladder_pairs(kind: str) -> list[int]:
    of = _ladder(kind)
    return [of[i] | of[(i * 77 + 5) % 256] << 16 for i in range(256)]


def _angles() -> list[int]:
    """Floats that sine and cosine are documented for, and special ones."""
    numbers = [i * 0.0490873852123405 for i in range(-128, 112)]  # within 2 pi
    return [struct.unpack("<I", struct.pack("<f", x))[0] for x in numbers] + _float_edges(F32)


def table(domain: str, kinds: tuple[str, ...]) -> list[list[int]]:
    """A column for each operand: all classes of the domain, one behind another."""
    columns: list[list[int]] = [[] for _ in kinds]
    for name, lanes in CLASSES[domain]:
        bits = Bits(f"{domain}/{','.join(kinds)}/{name}")
        for lane in range(lanes):
            row = _ROWS[domain](name, lane, kinds, bits)
            for column, value, kind in zip(columns, row, kinds):
                column.append(value & ((1 << WIDTH[kind]) - 1))
    return columns


def _scalar(name: str, lane: int, kinds: tuple[str, ...], bits: Bits) -> list[int]:
    if name == "edges":
        of = [edges_of(kind, len(kinds) == 1) for kind in kinds]
        steps = (lane, lane // 16, lane * 7 + lane // 16, lane * 3 + lane // 7)
        return [values[step % len(values)] for values, step in zip(of, steps)]
    row: list[int] = []
    for kind in kinds:
        row.append(_value(name, kind, row, kinds, lane, bits))
    return row


def _value(name: str, kind: str, before: list[int], kinds: tuple[str, ...], lane: int, bits: Bits) -> int:
    if kind.startswith(OUT_OF_BOUNDS):
        return _near_out_of_bounds(name, kind.removeprefix(OUT_OF_BOUNDS), lane, bits)
    if kind in PAIRS:
        element = PAIRS[kind]
        same = tuple(PAIRS.get(k, k) for k in kinds)
        low, high = ([b >> shift & 0xFFFF for b in before] for shift in (0, 16))
        return _value(name, element, low, same, lane, bits) | _value(name, element, high, same, lane + 1, bits) << 16
    if kind in FLOATS:
        return _float(name, FLOATS[kind], before, kinds, lane, bits)
    if kind in INTEGERS:
        return _integer(name, INTEGERS[kind], before, kinds, lane, bits)
    if kind in ("shift", "position"):
        return bits.below(72) if name != "random" else bits.take(8)
    if kind == "bit":
        return bits.take(1)
    if kind == "angle":
        return struct.unpack("<I", struct.pack("<f", (bits.take(24) / (1 << 23) - 1) * {"random": 6.28, "near": 314.0, "small": 1e-3}[name]))[0]
    return bits.take(WIDTH[kind]) & (bits.take(WIDTH[kind]) if name == "small" else -1)


def _near_out_of_bounds(name: str, kind: str, lane: int, bits: Bits) -> int:
    if kind in PAIRS:
        low, high = (_near_out_of_bounds(name, PAIRS[kind], lane, bits) for _ in (0, 1))
        return low | high << 16
    if bits.below(4) == 0:
        return OUTSIDE ^ (0 if bits.take(1) else 1 << bits.below(16))
    return _float(name, FLOATS[kind], [], (kind,), lane, bits)


def _integer(name: str, width: int, before: list[int], kinds: tuple[str, ...], lane: int, bits: Bits) -> int:
    if name == "random":
        return bits.take(width)
    if name == "near" and before and kinds[0] == kinds[len(before)]:
        return before[0] ^ bits.take(bits.below(4)) if lane % 4 else -before[0] + bits.below(5) - 2
    value = bits.take(1 + bits.below(width))
    return -value if bits.take(1) else value


def _number(code: int, f: Format) -> float:
    value = decoded(code, f)
    return float(value.fraction) if value.finite else 0.0


def _float(name: str, f: Format, before: list[int], kinds: tuple[str, ...], lane: int, bits: Bits) -> int:
    width = 1 + f.exponent + f.mantissa
    if name == "random":
        return bits.take(width)
    sign = f.sign * bits.take(1)
    if name == "small":
        if not before or lane % 3 == 0:  # subnormal, or a little above
            return sign | bits.take(f.mantissa) | bits.below(3) * (lane % 2) << f.mantissa
        first = before[0] >> f.mantissa & ((1 << f.exponent) - 1)
        exponent = min(max(f.bias + 1 - first + bits.below(f.mantissa + 3) - f.mantissa, 0), 2 * f.bias)
        return sign | exponent << f.mantissa | bits.take(f.mantissa)
    few = bits.take(f.mantissa) & -(1 << bits.below(f.mantissa))  # few digits: ties
    if not before or FLOATS.get(kinds[0]) is not f:
        spread = min(f.bias - 2, 40)
        return sign | f.bias - spread + bits.below(2 * spread) << f.mantissa | (few if lane % 2 else bits.take(f.mantissa))
    first = before[0]
    if len(before) == 2:  # near the product's opposite
        product = -_number(before[0], f) * _number(before[1], f)
        if product == 0 or abs(product) > 1e300:
            return sign | few
        return max(encoded(Fraction(product), f, finite=True) + bits.below(5) - 2, 0)
    if lane % 3 == 0:
        return (first ^ f.sign) + bits.below(7) - 3
    exponent = (first >> f.mantissa & ((1 << f.exponent) - 1)) + bits.below(f.mantissa + 4) - f.mantissa - 2
    return sign | min(max(exponent, 1), 2 * f.bias) << f.mantissa | few


def _warp(name: str, lane: int, kinds: tuple[str, ...], bits: Bits) -> list[int]:
    if name == "edges":
        return [edges_of(kind, False)[(lane * (3 + 2 * i) + lane // 16) % len(edges_of(kind, False))] for i, kind in enumerate(kinds)]
    if name == "few":
        return [bits.below(3) + (0xFFFFFFFE if bits.take(2) == 0 else 0) for _ in kinds]
    return [bits.take(WIDTH[kind]) for kind in kinds]


def _matrix(name: str, lane: int, kinds: tuple[str, ...], bits: Bits) -> list[int]:
    return [_fragment(name, kind, bits) for kind in kinds]


# Elements of a register: kind, format or bits and sign, how many.
_ELEMENTS = {
    "f16x2": ("f16", 2), "bf16x2": ("bf16", 2), "tf32": ("tf32", 1), "f32": ("f32", 1), "f64": ("f64", 1),
    "e4m3x4": ("e4m3", 4), "e5m2x4": ("e5m2", 4), "s8x4": ("s8", 4), "u8x4": ("u8", 4), "s4x8": ("s4", 8), "u4x8": ("u4", 8),
    "b1x32": ("b1", 32), "s32": ("s32", 1),
}  # fmt: skip


# Metadata of sparse matrices, four bits a chunk: every one that the ISA has.
_METADATA = {"two of four": (0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110), "one of two": (0b0100, 0b1110)}


def _fragment(name: str, kind: str, bits: Bits) -> int:
    if kind in _METADATA:
        return sum(bits.pick(_METADATA[kind]) << 4 * i for i in range(8))
    element, count = _ELEMENTS[kind]
    if element == "b1":
        return bits.take(32) & (bits.take(32) if name == "special" else -1)
    width = WIDTH[kind] // count
    return sum((_element(name, element, width, bits) & ((1 << width) - 1)) << width * i for i in range(count))


def _element(name: str, element: str, width: int, bits: Bits) -> int:
    f = _FRAGMENT_FLOATS.get(element)
    if f is None:
        if name == "whole":
            return bits.below(4) - (2 if element[0] == "s" else 0)
        if name == "spread":  # the largest magnitudes: sums that saturate
            limit = 1 << (width - 1)
            return bits.pick((limit, limit - 1) if element[0] == "s" else (2 * limit - 1, 2 * limit - 2))
        return bits.pick(_integer_edges(width)) if name == "special" and width > 4 else bits.take(width)
    if name == "whole":
        return encoded(Fraction(bits.below(9) - 4), f)
    sign = f.sign * bits.take(1)
    if name == "special" and bits.below(24) == 0:
        infinity = f.largest + 1
        return sign | bits.pick((0, 1, f.largest, infinity, infinity | 1, 1 << f.mantissa, f.bias << f.mantissa)) & (f.sign - 1)
    reach = {"random": 3, "spread": 12, "special": 30}[name]
    reach = min(reach, f.bias - 1)
    exponent = f.bias - reach + bits.below(2 * reach)
    return sign | exponent << f.mantissa | bits.take(f.mantissa)


def _memory(name: str, lane: int, kinds: tuple[str, ...], bits: Bits) -> list[int]:
    return [_of_memory(name, kind, bits) for kind in kinds]


def _of_memory(name: str, kind: str, bits: Bits) -> int:
    if kind == "ties":
        return _ties(bits)
    plain = kind.removeprefix(SPECIAL)
    value = bits.take(WIDTH[kind]) if plain in INTEGERS else _fragment(name, plain, bits)
    if plain == kind:
        return value
    element, count = _ELEMENTS[plain]
    width = WIDTH[kind] // count
    for at in range(0, WIDTH[kind], width):
        if bits.below(3) == 0:
            value = value & ~((1 << width) - 1 << at) | _not_normal(FLOATS[element], bits) << at
    return value


def _not_normal(f: Format, bits: Bits) -> int:
    infinity, least = f.largest + 1, 1 << f.mantissa
    quiet = infinity | 1 << f.mantissa - 1
    payload = bits.take(f.mantissa)
    special = (0, 1, least - 1, least, least + 1, f.largest, infinity, infinity | 1, quiet, quiet | payload, infinity | payload, payload, payload)
    return f.sign * bits.take(1) | bits.pick(special)


def _ties(bits: Bits) -> int:
    """f32 near or at the middle between two numbers of tf32."""
    exponent = bits.pick((0, 1, 254, 255, bits.take(8)))
    return bits.take(1) << 31 | exponent << 23 | bits.take(10) << 13 | bits.pick((0, 0xFFF, 0x1000, 0x1001, 0x1FFF, 1))


def _codes(name: str, lane: int, kinds: tuple[str, ...], bits: Bits) -> list[int]:
    return [_code(kind, lane, bits) for kind in kinds]


def _code(kind: str, lane: int, bits: Bits) -> int:
    codes, element = next((c, kind.removeprefix(c)) for c in (EVERY_NAN, NO_NAN, ZEROS) if kind.startswith(c))
    if element in PAIRS:  # of NaNs, the upper half has those with a sign
        low, high = (_code(codes + PAIRS[element], lane, bits) for _ in (0, 1))
        return low | (high | FLOATS[PAIRS[element]].sign if codes == EVERY_NAN else high) << 16
    f = FLOATS[element]
    infinity, one = f.largest + 1, f.bias << f.mantissa
    if codes == EVERY_NAN:
        return infinity | lane & ((1 << f.mantissa) - 1)
    magnitude = bits.pick((0, 1, one, one | 1, f.largest, infinity) if codes == NO_NAN else (0, 0, 1, one, OUTSIDE))
    return magnitude | f.sign * bits.take(1)


_ROWS = {"scalar": _scalar, "warp": _warp, "matrix": _matrix, "warpgroup": _matrix, "cluster": _warp, "memory": _memory, "tiles": _memory, "codes": _codes,
         "fragments": _matrix}  # fmt: skip
