# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""nvcuda::wmma as nvcc compiles it, and wmma.* in PTX: small integers against exact arithmetic, random numbers against the model of
sums that mma.sync has (forms/products.py), and mistakes."""

from __future__ import annotations

import ctypes
import random
import struct
import subprocess
import sys
import tempfile
import unittest
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from emulated import Buffer, Device, compiled, options
from forms.exact import encoded_double, number
from forms.products import FORMATS, Shape, accumulated
from ieee import F16, F64, encoded
from tensors import HEADER, told

SOURCE = Path(__file__).with_name("wmma.cu")
MOST = 1024  # elements of a matrix in memory, `most_elements` of wmma.cu
SIZES = {"f16": 2, "bf16": 2, "tf32": 4, "f32": 4, "f64": 8, "s8": 1, "u8": 1, "s32": 4}
CPP = {"f16": "half", "bf16": "__nv_bfloat16", "tf32": "wmma::precision::tf32", "f32": "float", "f64": "double", "s8": "signed char",
       "u8": "unsigned char", "s32": "int"}  # fmt: skip


@dataclass(frozen=True)
class Product:
    type: str
    m: int
    n: int
    k: int
    c: str
    d: str
    layouts: str  # of A, B, and C and D: r or c
    how: str = "plain"
    space: str = "GLOBAL"
    pad: int = 0  # times 16 bytes between rows, of A and B; of C and D one more

    @property
    def name(self) -> str:
        return f"{self.space}_{self.how}_{self.type}_{self.c}_{self.d}_{self.m}_{self.n}_{self.k}_{self.layouts}_{self.pad}".lower()

    def instance(self) -> str:
        layouts = [{"r": "row_major", "c": "col_major"}[x] for x in self.layouts]
        return f"{self.space}({self.name}, {self.m}, {self.n}, {self.k}, {CPP[self.type]}, {layouts[0]}, {layouts[1]}, {CPP[self.c]}, {CPP[self.d]}, {layouts[2]}, {self.how})\n"

    def strides(self) -> tuple[int, int, int]:
        a, b, c = self.layouts
        between = 16 * self.pad // SIZES[self.type]
        least = 16 // min(SIZES[self.c], SIZES[self.d]) * self.pad
        return (self.k if a == "r" else self.m) + between, (self.n if b == "r" else self.k) + between, (self.n if c == "r" else self.m) + least


def products() -> list[Product]:
    found = [Product("f16", *shape, "f32", "f32", layouts, pad=pad) for pad, shape in enumerate(LARGE) for layouts in ("rrr", "rcc", "crr", "ccc")]
    found += [Product("f16", *shape, c, d, "rcr", pad=1) for shape in LARGE for c, d in (("f16", "f16"), ("f16", "f32"), ("f32", "f16"))]
    found += [Product("bf16", *shape, "f32", "f32", layouts, space="SHARED") for shape in LARGE for layouts in ("rcr", "crc")]
    found += [Product(t, *shape, "s32", "s32", layouts, pad=1) for t in ("s8", "u8") for shape in LARGE for layouts in ("rcr", "crc")]
    found += [Product("s8", *shape, "s32", "s32", "rcr", "saturated") for shape in LARGE]
    found += [Product("tf32", 16, 16, 8, "f32", "f32", layouts, space=space) for layouts, space in (("rcr", "GLOBAL"), ("crc", "SHARED"))]
    found += [Product("f64", 8, 8, 4, "f64", "f64", layouts, space=space) for layouts, space in (("rcr", "SHARED"), ("crc", "GLOBAL"))]
    found += [Product("f16", *shape, c, d, "rrc", "elementwise") for shape in LARGE for c, d in (("f32", "f32"), ("f16", "f16"), ("f16", "f32"))]
    found += [Product(t, 16, 16, k, c, c, "rcr", "elementwise") for t, k, c in (("bf16", 16, "f32"), ("s8", 16, "s32"), ("tf32", 8, "f32"))]
    return found


LARGE = ((16, 16, 16), (32, 8, 16), (8, 32, 16))
PRODUCTS = products()


def code_of(x, t: str) -> bytes:
    """A number that the type has, in memory."""
    if t in ("s8", "u8", "s32"):
        return struct.pack({"s8": "<b", "u8": "<B", "s32": "<i"}[t], x)
    return encoded_double(float(x), FORMATS[t]).to_bytes(SIZES[t], "little")


def value_of(data: bytes, t: str):
    if t in ("s8", "u8", "s32"):
        return struct.unpack({"s8": "<b", "u8": "<B", "s32": "<i"}[t], data)[0]
    return number(int.from_bytes(data, "little"), FORMATS[t])


def at(row: int, column: int, layout: str, stride: int) -> int:
    return row * stride + column if layout == "r" else column * stride + row


def laid_out(matrix: list[list], t: str, layout: str, stride: int) -> bytes:
    data = bytearray(b"\xff" * (MOST * SIZES[t]))
    for r, row in enumerate(matrix):
        for c, x in enumerate(row):
            place = at(r, c, layout, stride) * SIZES[t]
            data[place : place + SIZES[t]] = code_of(x, t)
    return bytes(data)


@lru_cache(maxsize=None)
def program() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, ptx = Path(folder) / "products.cu", Path(folder) / "products.ptx"
        source.write_text(f'#include "{SOURCE}"\n' + "".join(p.instance() for p in PRODUCTS), encoding="ascii")
        command = [ARGUMENTS.nvcc, "-std=c++17", "-arch=sm_90a", "-lineinfo", "-ptx", source, "-o", ptx]
        subprocess.run(command, check=True)
        return compiled(ARGUMENTS, ptx.read_text(encoding="ascii"))


def pointers(*buffers: Buffer) -> list[ctypes.c_uint64]:
    return [ctypes.c_uint64(b.at.value) for b in buffers]


class WmmaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)
        cls.module = cls.device.load_library(program())

    def computed(self, p: Product, a: list[list], b: list[list], c: list[list]) -> list[list]:
        strides = p.strides()
        buffers = [Buffer(self.device, laid_out(x, t, layout, stride)) for x, t, layout, stride in zip((a, b, c), (p.type, p.type, p.c), p.layouts, strides)]
        out = Buffer(self.device, bytes(MOST * SIZES[p.d]))
        self.device.launch(self.module, p.name, 1, 32, pointers(out, *buffers) + [ctypes.c_uint32(s) for s in strides])
        data, size = out.bytes(), SIZES[p.d]
        places = [[size * at(r, n, p.layouts[2], strides[2]) for n in range(p.n)] for r in range(p.m)]
        return [[value_of(data[i : i + size], p.d) for i in row] for row in places]

    def test_small_integers_are_exact(self) -> None:
        for index, p in enumerate(PRODUCTS):
            with self.subTest(p.name):
                generator = random.Random(index)
                low, high = (0, 200) if p.type == "u8" else (-100, 50) if p.type == "s8" and p.how == "plain" else (-3, 3)
                a, b = ([[generator.randint(low, high) for _ in range(columns)] for _ in range(rows)] for rows, columns in ((p.m, p.k), (p.k, p.n)))
                limits = ((1 << 31) - 40, (1 << 31) - 1) if p.how == "saturated" else (-9, 9)
                c = [[generator.randint(*limits) * (generator.choice((-1, 1)) if p.how == "saturated" else 1) for _ in range(p.n)] for _ in range(p.m)]
                wanted = [[self.exact(p, a[r], [row[n] for row in b], c[r][n]) for n in range(p.n)] for r in range(p.m)]
                self.assertEqual(self.computed(p, a, b, c), wanted)

    @staticmethod
    def exact(p: Product, row: list[int], column: list[int], c: int) -> int:
        dot = sum(x * y for x, y in zip(row, column))
        if p.how == "elementwise":
            return 3 * (2 * dot + c) + c
        return min(max(dot + c, -(1 << 31)), (1 << 31) - 1) if p.how == "saturated" else dot + c

    def test_random_numbers_are_added_as_mma_adds_them(self) -> None:
        for index, p in enumerate(PRODUCTS):
            if p.type not in FORMATS or p.how != "plain":
                continue
            with self.subTest(p.name):
                generator = random.Random(index)

                def matrix(rows: int, columns: int, t: str) -> list[list[float]]:
                    f = FORMATS["bf16" if t == "tf32" else t]  # bf16 is among tf32's numbers
                    return [[number(encoded_double(generator.gauss(0, 1) * 2.0 ** generator.randint(-6, 6), f), f) for _ in range(columns)] for _ in range(rows)]

                a, b, c = matrix(p.m, p.k, p.type), matrix(p.k, p.n, p.type), matrix(p.m, p.n, p.c)
                wanted = [[self.modelled(p, a[r], [row[n] for row in b], c[r][n]) for n in range(p.n)] for r in range(p.m)]
                self.assertEqual(self.computed(p, a, b, c), wanted)

    @staticmethod
    def modelled(p: Product, row: list[float], column: list[float], c: float) -> float:
        sums = "f16" if p.c == p.d == "f16" else "f64" if p.type == "f64" else "f32"
        each = 4 if p.type == "tf32" else p.k  # of which a sum has the products
        for k in range(0, p.k, each):
            shape = Shape(p.m, p.n, each, sums, p.type, p.type)
            c = number(accumulated(row[k : k + each], column[k : k + each], c, shape), FORMATS[sums])
        return number(encoded_double(c, F16), F16) if p.d == "f16" else c

    def test_forms_that_nvcc_does_not_make(self) -> None:
        """Shared memory by its own addresses, no stride, and f64 with every rounding."""
        generator = random.Random(7)
        a, b, c = ([[generator.random() - 0.5 for _ in range(columns)] for _ in range(rows)] for rows, columns in ((8, 4), (4, 8), (8, 8)))
        data = struct.pack("<32d32d64d", *(x for row in a for x in row), *(b[k][n] for n in range(8) for k in range(4)), *(x for row in c for x in row))
        for mode in ("rn", "rz", "rm", "rp"):
            with self.subTest(mode):
                memory, out = Buffer(self.device, data), Buffer(self.device, bytes(512))
                self.device.launch(self.device.load(rounded(mode)), "k", 1, 32, pointers(out, memory))
                found = struct.unpack("<64Q", out.bytes())
                for r in range(8):
                    for n in range(8):
                        total = c[r][n]
                        for k in range(4):
                            total = number(encoded(Fraction(a[r][k]) * Fraction(b[k][n]) + Fraction(total), F64, mode), F64)
                        self.assertEqual(number(found[8 * r + n], F64), total, (r, n))

    def test_less_than_a_byte(self) -> None:
        for t, k, bits in (("s4", 32, 4), ("u4", 32, 4), ("b1.xor", 128, 1), ("b1.and", 128, 1)):
            with self.subTest(t):
                generator = random.Random(t)
                rows = [[generator.getrandbits(bits) for _ in range(k)] for _ in range(16)]
                data = b"".join(sum(x << bits * i for i, x in enumerate(row)).to_bytes(16, "little") for row in rows)
                memory, out = Buffer(self.device, data), Buffer(self.device, bytes(256))
                self.device.launch(self.device.load(small(t, k)), "k", 1, 32, pointers(out, memory))
                found = struct.unpack("<64i", out.bytes())
                values = [[x - 16 if t == "s4" and x > 7 else x for x in row] for row in rows]
                combined = {"b1.xor": lambda x, y: x ^ y, "b1.and": lambda x, y: x & y}.get(t, lambda x, y: x * y)
                wanted = [sum(map(combined, values[m], values[8 + n])) for m in range(8) for n in range(8)]
                self.assertEqual(list(found), wanted)

    def test_mistakes_are_told(self) -> None:
        lines = SOURCE.read_text(encoding="utf-8").splitlines()
        for kernel, size, stride, sentence in (
            ("outside", 512, 16, ""),
            ("outside", 480, 16, "an access of 4 bytes to global memory at 0x"),
            ("outside", 512, 12, "wmma.load with a stride of 24 bytes: expected a multiple of 16, so that every row, or column, is aligned"),
            ("raced", 512, 16, "a data race: it reads 4 bytes of shared memory"),
        ):
            with self.subTest(kernel, size=size, stride=stride):

                def launched(device: Device, kernel=kernel, size=size, stride=stride) -> None:
                    arguments = pointers(Buffer(device, bytes(4)), Buffer(device, bytes(size)))
                    device.launch(device.load_library(program()), kernel, 1, 32, arguments + [ctypes.c_uint32(stride)])

                first = next(i for i, line in enumerate(lines, 1) if f"void {kernel}(" in line)
                line = next(i for i, line in enumerate(lines, 1) if i > first and "load_matrix_sync" in line)
                said = told(ARGUMENTS, launched)
                self.assertIn(sentence, said)
                if sentence:
                    self.assertRegex(said, rf"^kernel {kernel}, block \(0,0,0\), thread \(\d+,0,0\), wmma\.cu:{line} \(PTX line \d+\): ")
                else:
                    self.assertEqual(said, "")

    def test_an_unwritten_accumulator_is_told(self) -> None:
        said = told(ARGUMENTS, lambda device: device.launch(device.load(UNWRITTEN), "k", 1, 32, pointers(Buffer(device, bytes(256)))))
        self.assertIn("the register %c, which nothing has written, is stored to global memory", said)


UNWRITTEN = HEADER.format("sm_90a") + """.visible .entry k(.param .u64 out)
{
.reg .b32 %a, %c, %d<2>;
.reg .b64 %q;
ld.param.u64 %q, [out];
mov.b32 %a, 0;
wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%d0, %d1}, {%a}, {%a}, {%c, %a};
wmma.store.d.sync.aligned.row.m8n8k32.global.s32 [%q], {%d0, %d1};
ret;
}
"""


def rounded(mode: str) -> str:
    return HEADER.format("sm_90a") + f""".visible .entry k(.param .u64 out, .param .u64 in)
{{
.shared .align 32 .b8 tile[1024];
.reg .b32 %i, %t;
.reg .b64 %p, %q;
.reg .f64 %x, %a, %b, %c<2>, %d<2>;
ld.param.u64 %p, [in];
mov.u32 %i, %tid.x;
mad.wide.u32 %p, %i, 8, %p;
mov.u32 %t, tile;
mad.lo.u32 %t, %i, 8, %t;
""" + "".join(f"ld.global.f64 %x, [%p+{256 * i}];\nst.shared.f64 [%t+{256 * i}], %x;\n" for i in range(4)) + f"""bar.warp.sync 0xffffffff;
wmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {{%a}}, [tile];
wmma.load.b.sync.aligned.col.m8n8k4.shared::cta.f64 {{%b}}, [tile+256];
wmma.load.c.sync.aligned.row.m8n8k4.shared.f64 {{%c0, %c1}}, [tile+512];
wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64.{mode} {{%d0, %d1}}, {{%a}}, {{%b}}, {{%c0, %c1}};
ld.param.u64 %q, [out];
wmma.store.d.sync.aligned.row.m8n8k4.global.f64 [%q], {{%d0, %d1}};
ret;
}}
"""


def small(t: str, k: int) -> str:
    """Rows of 16 bytes: eight of A, eight columns of B."""
    name, _, product = t.partition(".")
    operation = f".{product}.popc" if product else ""
    stride = 128 if product else 32
    return HEADER.format("sm_90a") + f""".visible .entry k(.param .u64 out, .param .u64 in)
{{
.reg .b32 %a, %b, %d<2>;
.reg .b64 %p, %q;
ld.param.u64 %p, [in];
ld.param.u64 %q, [out];
wmma.load.a.sync.aligned.row.m8n8k{k}.global.{name} {{%a}}, [%p]{"" if product else f", {stride}"};
wmma.load.b.sync.aligned.col.m8n8k{k}.{name} {{%b}}, [%p+128]{"" if product else f", {stride}"};
mov.b32 %d0, 0; mov.b32 %d1, 0;
wmma.mma{operation}.sync.aligned.row.col.m8n8k{k}.s32.{name}.{name}.s32 {{%d0, %d1}}, {{%a}}, {{%b}}, {{%d0, %d1}};
wmma.store.d.sync.aligned.row.m8n8k{k}.global.s32 [%q], {{%d0, %d1}}, 8;
ret;
}}
"""


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
