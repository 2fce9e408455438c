# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""mma.sync of 8-, 6- and 4-bit floats with block scaling, against exact arithmetic on fractions."""

from __future__ import annotations

import ctypes
import random
import struct
import sys
import unittest
from dataclasses import dataclass
from fractions import Fraction

from emulated import Buffer, Device, options
from ieee import E4M3, E5M2, Format, decoded
from tensors import HEADER, told

E2M3, E3M2, E2M1 = (Format(e, m, has_infinity=False) for e, m in ((2, 3), (3, 2), (2, 1)))
FORMATS = {"e4m3": E4M3, "e5m2": E5M2, "e2m3": E2M3, "e3m2": E3M2, "e2m1": E2M1}
LANES, ROWS, COLUMNS = 32, 16, 8


@dataclass(frozen=True)
class Product:
    kind: str
    a: str
    b: str
    vector: int = 0
    scale: str = "ue8m0"
    byte_a: int = 0
    thread_a: int = 0
    byte_b: int = 0
    thread_b: int = 0

    @property
    def k(self) -> int:
        return 64 if "mxf4" in self.kind else 32

    @property
    def each(self) -> int:  # elements of a register
        return 8 if self.k == 64 else 4


PRODUCTS = [
    Product("f8f6f4", "e4m3", "e5m2"), Product("f8f6f4", "e2m1", "e3m2"), Product("f8f6f4", "e2m3", "e2m1"),
    Product("f8f6f4", "e5m2", "e2m3"), Product("f8f6f4", "e3m2", "e5m2"),
    Product("mxf8f6f4", "e4m3", "e4m3", 1, byte_a=2, thread_a=1, byte_b=3, thread_b=2),
    Product("mxf8f6f4", "e2m1", "e5m2", 1), Product("mxf4", "e2m1", "e2m1", 2, byte_a=2, thread_b=3),
    Product("mxf4nvf4", "e2m1", "e2m1", 4, "ue4m3", thread_a=1, thread_b=1),
    Product("mxf8f6f4", "e5m2", "e2m3", 1, byte_a=1), Product("mxf8f6f4", "e2m3", "e3m2", 1, byte_b=1), Product("mxf8f6f4", "e3m2", "e4m3", 1, thread_b=3),
]  # fmt: skip


def scales_of(p, register: int) -> tuple[str, str]:
    """Of a product with scale factors, in that register and the next: its modifiers, and its last operands."""
    if not p.vector:
        return "", ""
    return (f".block_scale.scale_vec::{p.vector}X",
            f", %r{register}, {{{p.byte_a}, {p.thread_a}}}, %r{register + 1}, {{{p.byte_b}, {p.thread_b}}}")  # fmt: skip


def kernel_of(index: int, words: int, product: str) -> str:
    """Each lane loads so many words into %r0 and on, has a product that adds to %d0 to %d3, which are 1, and stores these."""
    loads = "".join(f"ld.global.v4.b32 {{%r{i}, %r{i + 1}, %r{i + 2}, %r{i + 3}}}, [%p+{4 * i}];\n" for i in range(0, words, 4))
    return f""".visible .entry k{index}(.param .u64 out, .param .u64 in)
{{
.reg .b32 %i, %r<{words}>;
.reg .f32 %d<4>;
.reg .b64 %o, %p;
mov.u32 %i, %tid.x;
ld.param.u64 %p, [in]; mad.wide.u32 %p, %i, {4 * words}, %p;
{loads}mov.f32 %d0, 0f3F800000; mov.f32 %d1, %d0; mov.f32 %d2, %d0; mov.f32 %d3, %d0;
{product}
ld.param.u64 %o, [out]; mad.wide.u32 %o, %i, 16, %o;
st.global.v4.f32 [%o], {{%d0, %d1, %d2, %d3}};
ret;
}}
"""


def kernel(index: int, p: Product) -> str:
    modifiers, scales = scales_of(p, 6)
    name = f"mma.sync.aligned.m16n8k{p.k}.row.col.kind::{p.kind}{modifiers}.f32.{p.a}.{p.b}.f32" + (f".{p.scale}" if p.vector else "")
    return kernel_of(index, 8, f"{name} {{%d0, %d1, %d2, %d3}}, {{%r0, %r1, %r2, %r3}}, {{%r4, %r5}}, {{%d0, %d1, %d2, %d3}}{scales};")


BROKEN = Product("mxf4", "e2m1", "e2m1", 2, byte_a=3)
KERNELS = HEADER.format("sm_120a") + "".join(kernel(i, p) for i, p in enumerate([*PRODUCTS, BROKEN]))


def coded(generator: random.Random, kind: str) -> int:
    """Of a number from -3 to 3 in halves, which all of these formats but e5m2 have, and that whole."""
    f = FORMATS[kind]
    codes = [c for c in range(2 * f.sign) if decoded(c, f).finite and abs(decoded(c, f).fraction) <= 3 and (2 * decoded(c, f).fraction).denominator == 1]
    return generator.choice(codes)


def element(word: int, index: int, kind: str, each: int) -> Fraction:
    if each == 8:
        code = word >> 4 * index & 15
    else:
        code = word >> 8 * index & 255
        code = code >> 2 if kind == "e2m1" else code
    return decoded(code, FORMATS[kind]).fraction


def register(generator: random.Random, kind: str, each: int) -> int:
    """e2m1 in a byte lies in its middle."""
    width, shift = (4, 0) if each == 8 else (8, 2 if kind == "e2m1" else 0)
    return sum(coded(generator, kind) << shift << width * i for i in range(each))


def factor(word: int, byte: int, scale: str) -> Fraction:
    code = word >> 8 * byte & 255
    return Fraction(2) ** (code - 127) if scale == "ue8m0" else decoded(code, E4M3).fraction


def launch(device: Device, index: int, words: list[list[int]]) -> bytes:
    memory, out = Buffer(device, struct.pack("<256I", *(w for lane in words for w in lane))), Buffer(device, bytes(512))
    device.launch(device.load(KERNELS), f"k{index}", 1, LANES, [ctypes.c_uint64(b.at.value) for b in (out, memory)])
    return out.bytes()


class ScaledMmaTest(unittest.TestCase):
    def test_products(self) -> None:
        device = Device(ARGUMENTS)
        for index, p in enumerate(PRODUCTS):
            with self.subTest(p):
                generator = random.Random(index)
                codes = [125, 126, 127, 128] if p.scale == "ue8m0" else [0x28, 0x34, 0x38, 0x44]
                words = [
                    [register(generator, p.a, p.each) for _ in range(4)] + [register(generator, p.b, p.each) for _ in range(2)]
                    + [sum(generator.choice(codes) << 8 * i for i in range(4)) for _ in range(2)]
                    for _ in range(LANES)
                ]  # fmt: skip
                found = struct.unpack("<128f", launch(device, index, words))
                for row in range(ROWS):
                    for column in range(COLUMNS):
                        value = found[(row % 8 * 4 + column // 2) * 4 + row // 8 * 2 + column % 2]
                        self.assertEqual(value, 1 + self.dot(p, words, row, column), (row, column))

    @staticmethod
    def dot(p: Product, words: list[list[int]], row: int, column: int) -> Fraction:
        """By the ISA's figures: which lane and register hold an element, and which lanes the scale factors."""
        total = Fraction(0)
        lane_a, lane_b = row % 8 * 4 + row // 8 + 2 * p.thread_a, column * 4 + p.thread_b
        for k in range(p.k):
            lane, half, e = k % (4 * p.each) // p.each, k // (4 * p.each), k % p.each
            x = element(words[row % 8 * 4 + lane][row // 8 + 2 * half], e, p.a, p.each)
            x *= element(words[column * 4 + lane][4 + half], e, p.b, p.each)
            if p.vector:
                block = k * p.vector // p.k
                x *= factor(words[lane_a][6], p.byte_a + block, p.scale) * factor(words[lane_b][7], p.byte_b + block, p.scale)
            total += x
        return total

    def test_scale_factors_behind_the_register_are_told(self) -> None:
        sentence = "mma.sync with scale factors from byte 3 on: 2 do not fit a register"
        self.assertIn(sentence, told(ARGUMENTS, lambda d: launch(d, len(PRODUCTS), [[0] * 8] * LANES)))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
