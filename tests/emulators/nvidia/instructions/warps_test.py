# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What lanes of a warp do together, against the ISA's definitions written out in Python: shuffles, votes, reductions, a
matrix product through ldmatrix, atomics."""

from __future__ import annotations

import ctypes
import random
import struct
import sys
import unittest

from emulated import Buffer, Device, options
from instructions_test import Case, kernel

LANES, WARPS = 32, 4
COUNT = LANES * WARPS
FULL = "0xffffffff"


def shuffled(values: list[int], lane: int, how: str, b: int, c: int) -> int:
    """PTX ISA 9.7.9.6, its pseudo-code."""
    segment, clamp = c >> 8 & 31, c & 31
    low = lane & segment
    high = low | (clamp & ~segment)
    source = {"up": lane - b, "down": lane + b, "bfly": lane ^ b, "idx": low | (b & ~segment)}[how]
    inside = source >= high if how == "up" else source <= high
    return values[source if inside else lane]


def lane_cases() -> list[tuple[Case, object]]:
    """A case, and what each lane of a warp gets of the warp's operands."""
    cases = []

    def case(body: str, expected) -> None:
        cases.append((Case(body.split()[0], body, "b32", ["b32", "b32"], lambda *x: None), expected))

    for how in ("up", "down", "bfly", "idx"):
        for width, clamp in ((32, 0x1F), (8, 0x181F), (16, 0x101F)):
            c = clamp & 0x1F00 if how == "up" else clamp
            case(
                f"shfl.sync.{how}.b32 %d, %a, 5, {c}, {FULL};",
                lambda a, b, how=how, c=c: [shuffled(a, lane, how, 5, c) for lane in range(LANES)],
            )
    case(f"{{ .reg .pred %p; setp.lt.u32 %p, %a, %b; vote.sync.ballot.b32 %d, %p, {FULL}; }}",
         lambda a, b: [sum((x < y) << i for i, (x, y) in enumerate(zip(a, b)))] * LANES)  # fmt: skip
    case(f"and.b32 %a, %a, 3; match.any.sync.b32 %d, %a, {FULL};",
         lambda a, b: [sum((x & 3 == y & 3) << i for i, x in enumerate(a)) for y in a])  # fmt: skip
    for name, f in (("add.u32", lambda a: sum(a)), ("min.u32", min), ("max.u32", max), ("xor.b32", xor_all), ("min.s32", lambda a: min(a, key=signed))):
        case(f"redux.sync.{name} %d, %a, {FULL};", lambda a, b, f=f: [f(a) & 0xFFFFFFFF] * LANES)
    for how in ("min", "max"):
        for absolute in ("", ".abs"):
            for nan in ("", ".NaN"):
                case(f"redux.sync.{how}{absolute}{nan}.f32 %d, %a, {FULL};", lambda a, b, how=how, absolute=absolute, nan=nan: reduced(a, how, absolute, nan))
    return cases


def reduced(codes: list[int], how: str, absolute: str, nan: str) -> list[int]:
    """PTX ISA 9.7.13.8: of f32. NaNs are left out, or with .NaN win, as the canonical one."""
    values = [code & 0x7FFFFFFF for code in codes] if absolute else codes
    numbers = [value for value in values if value & 0x7FFFFFFF <= 0x7F800000]
    if not numbers or (nan and len(numbers) < len(values)):
        return [0x7FFFFFFF] * LANES
    return [(min if how == "min" else max)(numbers, key=lambda x: -1 - (x & 0x7FFFFFFF) if x >> 31 else x)] * LANES


def signed(x: int) -> int:
    return x - (1 << 32) if x >> 31 else x


def xor_all(values: list[int]) -> int:
    result = 0
    for value in values:
        result ^= value
    return result


# A (16 x 16, row-major) and B (stored as 8 columns of 16) of f16 through shared memory, C of f32.
PRODUCT = """
.visible .entry product(.param .u64 out, .param .u64 a, .param .u64 b)
{
  .shared .align 16 .b8 tile_a[512];
  .shared .align 16 .b8 tile_b[256];
  .reg .b32 %i, %at, %off, %a0, %a1, %a2, %a3, %b0, %b1;
  .reg .b64 %p, %w;
  .reg .b32 %c0, %c1, %c2, %c3;
  .reg .v4 .b32 %unused;
  mov.u32 %i, %tid.x;
  ld.param.u64 %p, [a]; mad.wide.u32 %p, %i, 16, %p;
  ld.global.v4.b32 {%c0, %c1, %c2, %c3}, [%p];
  mov.u32 %at, tile_a; mad.lo.u32 %at, %i, 16, %at;
  st.shared.v4.b32 [%at], {%c0, %c1, %c2, %c3};
  ld.param.u64 %p, [b]; mad.wide.u32 %p, %i, 8, %p;
  ld.global.v2.b32 {%c0, %c1}, [%p];
  mov.u32 %at, tile_b; mad.lo.u32 %at, %i, 8, %at;
  st.shared.v2.b32 [%at], {%c0, %c1};
  bar.sync 0;
  and.b32 %off, %i, 15; shl.b32 %off, %off, 5;
  shr.u32 %at, %i, 4; shl.b32 %at, %at, 4; add.u32 %off, %off, %at;
  mov.u32 %at, tile_a; add.u32 %at, %at, %off;
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];
  and.b32 %off, %i, 7; shl.b32 %off, %off, 5;
  shr.u32 %at, %i, 3; and.b32 %at, %at, 1; shl.b32 %at, %at, 4; add.u32 %off, %off, %at;
  mov.u32 %at, tile_b; add.u32 %at, %at, %off;
  ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%b0, %b1}, [%at];
  mov.b32 %c0, 0; mov.b32 %c1, 0; mov.b32 %c2, 0; mov.b32 %c3, 0;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%c0, %c1, %c2, %c3};
  ld.param.u64 %p, [out];
  shr.u32 %off, %i, 2; shl.b32 %off, %off, 5; and.b32 %at, %i, 3; shl.b32 %at, %at, 3; add.u32 %off, %off, %at;
  cvt.u64.u32 %w, %off; add.u64 %p, %p, %w;
  st.global.v2.b32 [%p], {%c0, %c1};
  st.global.v2.b32 [%p+256], {%c2, %c3};
  ret;
}
.visible .entry count(.param .u64 out)
{
  .reg .b64 %p;
  .reg .b32 %i, %old;
  ld.param.u64 %p, [out];
  mov.u32 %i, %tid.x;
  red.global.add.u32 [%p], 3;
  red.global.max.u32 [%p+4], %i;
  atom.global.inc.u32 %old, [%p+8], 9;
  red.global.or.b32 [%p+12], %i;
  atom.global.cas.b32 %old, [%p+16], 0, 77;
  ret;
}
""".replace("  .reg .v4 .b32 %unused;\n", "")


class WarpsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.cases = lane_cases()
        cls.device = Device(ARGUMENTS)
        kernels = "".join(kernel(i, c) for i, (c, _) in enumerate(cls.cases))
        cls.module = cls.device.load(".version 8.8\n.target sm_90a\n.address_size 64\n" + kernels + PRODUCT)

    def launch(self, name: str, threads: int, *buffers: Buffer) -> bytes:
        self.device.launch(self.module, name, 1, threads, [ctypes.c_uint64(b.at.value) for b in buffers])
        return buffers[0].bytes()

    def test_lanes(self) -> None:
        for index, (case, expected) in enumerate(self.cases):
            with self.subTest(case.body):
                generator = random.Random(index)
                columns = [[generator.getrandbits(32) for _ in range(COUNT)] for _ in range(2)]
                buffers = [Buffer(self.device, struct.pack(f"<{COUNT}I", *column)) for column in columns]
                data = self.launch(f"k{index}", COUNT, Buffer(self.device, bytes(4 * COUNT)), *buffers)
                found = list(struct.unpack(f"<{COUNT}I", data))
                for warp in range(0, COUNT, LANES):
                    a, b = (column[warp : warp + LANES] for column in columns)
                    self.assertEqual(found[warp : warp + LANES], expected(a, b))

    def test_a_product_through_shared_memory(self) -> None:
        generator = random.Random(1)
        a = [[generator.randrange(-8, 9) for _ in range(16)] for _ in range(16)]
        b = [[generator.randrange(-8, 9) for _ in range(16)] for _ in range(8)]  # columns of B
        buffers = [Buffer(self.device, struct.pack(f"<{16 * len(m)}e", *(x for row in m for x in row))) for m in (a, b)]
        data = self.launch("product", LANES, Buffer(self.device, bytes(512)), *buffers)
        wanted = [float(sum(x * y for x, y in zip(row, column))) for row in a for column in b]
        self.assertEqual(list(struct.unpack("<128f", data)), wanted)

    def test_atomics(self) -> None:
        data = self.launch("count", 100, Buffer(self.device, bytes(20)))
        self.assertEqual(struct.unpack("<5I", data), (300, 99, 100 % 10, 127, 77))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
