# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""mma.sp of 8-, 6- and 4-bit floats, with block scaling or without, against exact arithmetic on fractions; and metadata that there is
not. Fragments and metadata lie as CuTe's layouts for SM120 have them. Other types: forms/sparse.py."""

from __future__ import annotations

import ctypes
import random
import struct
import sys
import unittest
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from corpus import emulated, judged
from emulated import Buffer, Device, compiled, options
from forms import sparse
from forms.modules import modules_of
from scaled_mma_test import COLUMNS, LANES, ROWS, element, factor, kernel_of, register, scales_of
from tensors import HEADER, told

WORDS = 12  # of a lane: A, B, metadata, scale factors of A and B
CHUNKS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))  # which two of four


@dataclass(frozen=True)
class Product:
    target: str
    kind: str
    a: str
    b: str
    vector: int = 0
    scale: str = "ue8m0"
    byte_a: int = 0
    thread_a: int = 0
    byte_b: int = 0
    thread_b: int = 0
    order: str = "::ordered_metadata"

    @property
    def packed(self) -> bool:
        return "mxf4" in self.kind

    @property
    def k(self) -> int:
        return 128 if self.packed else 64

    @property
    def each(self) -> int:  # elements of a register
        return 8 if self.packed else 4

    @property
    def together(self) -> int:  # elements that are stored or not
        return 2 if self.packed else 1


PRODUCTS = [
    Product("sm_89", "", "e4m3", "e5m2"), Product("sm_89", "", "e5m2", "e4m3", order=""),
    Product("sm_120a", "f8f6f4", "e4m3", "e4m3"), Product("sm_120a", "f8f6f4", "e2m1", "e3m2"), Product("sm_120a", "f8f6f4", "e2m3", "e5m2"),
    Product("sm_89", "", "e4m3", "e4m3", order=""), Product("sm_120a", "f8f6f4", "e5m2", "e2m3"), Product("sm_120a", "f8f6f4", "e3m2", "e4m3"),
    Product("sm_120a", "mxf8f6f4", "e5m2", "e3m2", 1, byte_b=1), Product("sm_120a", "mxf8f6f4", "e2m3", "e5m2", 1, thread_a=1),
    Product("sm_120a", "mxf8f6f4", "e3m2", "e2m3", 1, byte_a=1), Product("sm_120a", "mxf8f6f4", "e2m1", "e4m3", 1, thread_b=1),
    Product("sm_120a", "mxf8f6f4", "e4m3", "e2m1", 1, byte_a=2, thread_a=1, byte_b=3, thread_b=2),
    Product("sm_120a", "mxf4", "e2m1", "e2m1", 2, byte_a=2, thread_b=3),
    Product("sm_120a", "mxf4nvf4", "e2m1", "e2m1", 2, thread_a=1, byte_b=2),
    Product("sm_120a", "mxf4nvf4", "e2m1", "e2m1", 4, "ue4m3", thread_a=1, thread_b=1),
]  # fmt: skip


def kernel(index: int, p: Product) -> str:
    name = f"mma.sync.aligned.kind::{p.kind}.sp{p.order}" if p.kind else f"mma.sp{p.order}.sync.aligned"
    modifiers, scales = scales_of(p, 9)
    name += f"{modifiers}.m16n8k{p.k}.row.col.f32.{p.a}.{p.b}.f32" + (f".{p.scale}" if p.vector else "")
    operands = "{%d0, %d1, %d2, %d3}, {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, {%d0, %d1, %d2, %d3}, %r8, 0"
    return kernel_of(index, 12, f"{name} {operands}{scales};")


def module(target: str) -> str:
    """Of sm_89 and later; a device runs all of them."""
    return HEADER.format(target) + "".join(kernel(i, p) for i, p in enumerate(PRODUCTS) if p.target == target)


# f16, one word of metadata of each lane: the columns of a row that are 1 in B are added.
HALVES = HEADER.format("sm_80") + "".join(
    f""".visible .entry {name}(.param .u64 out, .param .u64 in)
{{
.reg .b32 %i, %m, %one, %d0, %d1;
.reg .b64 %o, %p;
mov.u32 %i, %tid.x; mov.b32 %one, 0x3C003C00; mov.b32 %d0, 0; mov.b32 %d1, 0;
ld.param.u64 %p, [in]; mad.wide.u32 %p, %i, 4, %p;
ld.global.b32 %m, [%p];
{instruction}
ld.param.u64 %o, [out]; mad.wide.u32 %o, %i, 8, %o;
st.global.v2.b32 [%o], {{%d0, %d1}};
ret;
}}
"""
    for name, instruction in {
        "ordered": "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {%d0, %d1}, {%one, %one, %one, %one}, {%one, %one, %one, %one}, {%d0, %d1}, %m, 1;",
        "any_order": "mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {%d0, %d1}, {%one, %one, %one, %one}, {%one, %one, %one, %one}, {%d0, %d1}, %m, 1;",
        "tf32": "mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%d0, %d1, %i, %m}, {%one, %one}, {%one, %one}, {%d0, %d1, %d0, %d1}, %m, 3;",
        "selector": "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {%d0, %d1}, {%one, %one, %one, %one}, {%one, %one, %one, %one}, {%d0, %d1}, %m, 2;",
    }.items()
)  # fmt: skip


@lru_cache(maxsize=None)
def translated(ptx: str) -> bytes:
    return compiled(ARGUMENTS, ptx)


def launch(device: Device, ptx: str, name: str, data: bytes, size: int) -> bytes:
    memory, out = Buffer(device, data), Buffer(device, bytes(size))
    device.launch(device.load_library(translated(ptx)), name, 1, LANES, [ctypes.c_uint64(b.at.value) for b in (out, memory)])
    return out.bytes()


def halves(name: str, words: list[int]):
    return lambda device: launch(device, HALVES, name, struct.pack("<32I", *words), 256)


class SparseMmaTest(unittest.TestCase):
    def test_products(self) -> None:
        device = Device(ARGUMENTS)
        for index, p in enumerate(PRODUCTS):
            with self.subTest(p):
                generator = random.Random(index)
                codes = [125, 126, 127, 128] if p.scale == "ue8m0" else [0x28, 0x34, 0x38, 0x44]
                words = [
                    [register(generator, p.a, p.each) for _ in range(4)] + [register(generator, p.b, p.each) for _ in range(4)]
                    + [self.metadata(generator)] + [sum(generator.choice(codes) << 8 * i for i in range(4)) for _ in range(2)] + [0]
                    for _ in range(LANES)
                ]  # fmt: skip
                data = struct.pack(f"<{LANES * WORDS}I", *(w for lane in words for w in lane))
                found = struct.unpack("<128f", launch(device, module(p.target), f"k{index}", data, 512))
                for row in range(ROWS):
                    for column in range(COLUMNS):
                        value = found[(row % 8 * 4 + column // 2) * 4 + row // 8 * 2 + column % 2]
                        self.assertEqual(value, 1 + self.dot(p, words, row, column), (row, column))

    @staticmethod
    def metadata(generator: random.Random) -> int:
        return sum((low | high << 2) << 4 * i for i in range(8) for low, high in [generator.choice(CHUNKS)])

    @staticmethod
    def dot(p: Product, words: list[list[int]], row: int, column: int) -> Fraction:
        """By the layouts: lane, register and element of A's stored elements, of B's, and the chunks of the metadata."""
        total, per_word = Fraction(0), p.k // 2  # columns that a word of metadata stands for
        lane_a, lane_b = row % 8 * 4 + row // 8 + 2 * p.thread_a, column * 4 + p.thread_b
        for stored in range(p.k // 2):
            unit, part = divmod(stored, p.together)  # of what is stored or not, and the element of it
            chunk, which = divmod(unit, 2)
            begin = 4 * p.together * chunk
            word = words[row % 8 * 4 + row // 8 + 2 * (begin // per_word)][8]
            bits = word >> 4 * (chunk % 8) & 15
            k = begin + (bits >> 2 * which & 3) * p.together + part
            lane, half, e = stored % (4 * p.each) // p.each, stored // (4 * p.each), stored % p.each
            x = element(words[row % 8 * 4 + lane][row // 8 + 2 * half], e, p.a, p.each)
            lane, at, e = k % (4 * p.each) // p.each, k // (4 * p.each), k % p.each
            x *= element(words[column * 4 + lane][4 + at], e, p.b, p.each)
            if p.vector:
                block = k * p.vector // p.k
                x *= factor(words[lane_a][9], p.byte_a + block, p.scale) * factor(words[lane_b][10], p.byte_b + block, p.scale)
            total += x
        return total

    def test_fp8_is_added_as_an_h200_adds_it(self) -> None:
        """Two products of f16: ptxas makes that code for sm_90a, though of half of B, so no recording can tell."""
        forms = [sparse.product(64, d, a, b, 0, target="sm_89") for d in ("f32", "f16") for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
        modules = modules_of("fp8", forms)
        sentences, _ = judged(modules, emulated(ARGUMENTS, modules), None)
        self.assertEqual(sentences, [])

    def test_without_ordered_metadata(self) -> None:
        """Of the types of which no recording has it: the same products as with it."""
        forms = [sparse.product(16, "f32", "bf16", "bf16", 1, order=""), sparse.product(8, "f32", "tf32", "tf32", 2, order=""),
                 sparse.product(32, "s32", "u8", "s8", 1, order=""), sparse.product(64, "s32", "s4", "u4", 0, order=""),
                 sparse.product(128, "s32", "u4", "s4", 0, ".satfinite", order="")]  # fmt: skip
        modules = modules_of("unordered", forms)
        sentences, _ = judged(modules, emulated(ARGUMENTS, modules), None)
        self.assertEqual(sentences, [])

    def test_order_does_not_matter_where_it_need_not(self) -> None:
        device = Device(ARGUMENTS)
        for name, word in (("ordered", 0x44444444), ("any_order", 0x11111111)):
            self.assertEqual(struct.unpack("<128e", halves(name, [word] * LANES)(device)), (16.0,) * 128)

    def test_mistakes_are_told(self) -> None:
        translated(HALVES)  # once, and not in every process
        good = [0x44444444] * LANES
        for sentence, run in {
            "mma.sp whose sparsity metadata 0x44444044 of lane 15 has 0b0000 in bits 8 to 11, for row 3 of the warp's, columns 24 to 27; "
            "expected two different numbers of two bits, the smaller one in the low bits":
                halves("ordered", good[:15] + [0x44444044] + good[16:]),
            "has 0b0001 in bits 0 to 3, for row 0": halves("ordered", [0x11111111] * LANES),
            "has 0b0101 in bits 16 to 19, for row 8 of the warp's, columns 0 to 3; expected two different numbers of two bits":
                halves("any_order", good[:2] + [0x44454444] + good[3:]),
            "has 0b1001 in bits 4 to 7, for row 7 of the warp's, columns 2 to 3; expected 0b0100 or 0b1110":
                halves("tf32", good[:31] + [0x44444494]),
            "the sparsity selector 2, expected 0 to 1": halves("selector", good),
        }.items():  # fmt: skip
            self.assertIn(sentence, told(ARGUMENTS, run))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
