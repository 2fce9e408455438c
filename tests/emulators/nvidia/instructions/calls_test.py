# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Calls through registers (PTX ISA 9.7.12, call; 11.4): functions from a table in memory, from their names, from virtual tables as
nvcc makes them; and pointers that lead nowhere. Branches by an index (brx.idx)."""

from __future__ import annotations

import ctypes
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from emulated import Buffer, Device, options
from tensors import told

THREADS = 32
PTX = """
.version 8.8
.target sm_80
.address_size 64
.func (.param .b32 r) twice(.param .b32 a, .param .b32 b)
{ .reg .b32 %x, %y; ld.param.b32 %x, [a]; ld.param.b32 %y, [b]; mad.lo.u32 %x, %x, 2, %y; st.param.b32 [r], %x; ret; }
.func (.param .b32 r) minus(.param .b32 a, .param .b32 b)
{ .reg .b32 %x, %y; ld.param.b32 %x, [a]; ld.param.b32 %y, [b]; sub.u32 %x, %x, %y; st.param.b32 [r], %x; ret; }
.func (.param .b32 r) seven()
{ .reg .b32 %x; mov.u32 %x, 7; st.param.b32 [r], %x; ret; }
.global .align 8 .u64 table[2] = {twice, minus};
.visible .entry through(.param .u64 out, .param .u32 how)
{
.reg .b32 %i, %h, %x, %y;
.reg .b64 %at, %f, %o;
.reg .pred %p;
mov.u32 %i, %tid.x;
ld.param.u32 %h, [how];
ld.param.u64 %o, [out];
and.b32 %x, %i, 1;
mul.wide.u32 %at, %x, 8;
mov.u64 %f, table;
add.u64 %f, %f, %at;
ld.global.u64 %f, [%f];
setp.eq.u32 %p, %h, 1;
@%p mov.u64 %f, 0;
setp.eq.u32 %p, %h, 2;
@%p mov.u64 %f, seven;
{ .param .b32 first; .param .b32 second; .param .b32 result;
st.param.b32 [first], %i; st.param.b32 [second], 5;
P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);
call (result), %f, (first, second), P;
ld.param.b32 %x, [result]; }
mov.u64 %f, seven;
{ .param .b32 result;
T: .calltargets seven;
call (result), %f, T;
ld.param.b32 %y, [result]; }
add.u32 %x, %x, %y;
mul.wide.u32 %at, %i, 4;
add.u64 %o, %o, %at;
st.global.u32 [%o], %x;
ret;
}
"""
# Every lane goes elsewhere, and comes back.
BRANCHES = """
.version 8.8
.target sm_80
.address_size 64
.visible .entry branches(.param .u64 out, .param .u32 most)
{
.reg .b32 %i, %x, %n;
.reg .b64 %at, %o;
.reg .pred %p;
mov.u32 %i, %tid.x;
ld.param.u32 %n, [most];
min.u32 %x, %i, %n;
places: .branchtargets FIRST, SECOND, THIRD, FIRST;
setp.gt.u32 %p, %i, 29;
@!%p brx.idx %x, places;
mov.u32 %x, 7;
bra.uni DONE;
FIRST: add.u32 %x, %i, 100;
bra.uni DONE;
SECOND: mul.lo.u32 %x, %i, 200;
bra.uni DONE;
THIRD: mov.u32 %x, 300;
DONE: ld.param.u64 %o, [out];
mul.wide.u32 %at, %i, 4;
add.u64 %o, %o, %at;
st.global.u32 [%o], %x;
ret;
}
"""
CUDA = """
struct Shape { __device__ virtual float area(float s) const = 0; };
struct Square : Shape { float w; __device__ Square(float x) : w(x) {} __device__ float area(float s) const override { return w * w * s; } };
struct Circle : Shape { float r; __device__ Circle(float x) : r(x) {} __device__ float area(float s) const override { return 3 * r * r + s; } };
extern "C" __global__ void areas(float* out, int n) {
  const int i = threadIdx.x;
  Square s(i); Circle c(i); Shape* p[2] = {&s, &c};
  out[i] = p[(i + n) & 1]->area(0.5f);
}
"""


def through(device: Device, how: int) -> list[int]:
    out = Buffer(device, bytes(4 * THREADS))
    device.launch(device.load(PTX), "through", 1, THREADS, [ctypes.c_uint64(out.at.value), ctypes.c_uint32(how)])
    return list(struct.unpack(f"<{THREADS}I", out.bytes()))


def branched(device: Device, most: int) -> list[int]:
    out = Buffer(device, bytes(4 * THREADS))
    device.launch(device.load(BRANCHES), "branches", 1, THREADS, [ctypes.c_uint64(out.at.value), ctypes.c_uint32(most)])
    return list(struct.unpack(f"<{THREADS}I", out.bytes()))


class CallsTest(unittest.TestCase):
    def test_functions_of_a_table_and_by_name(self) -> None:
        self.assertEqual(through(Device(ARGUMENTS), 0), [((i - 5 if i % 2 else 2 * i + 5) + 7) & 0xFFFFFFFF for i in range(THREADS)])

    def test_pointers_to_nothing_are_told(self) -> None:
        self.assertIn("a call through a pointer that leads to no function", told(ARGUMENTS, lambda d: bytes(through(d, 1)[:0])))
        self.assertIn("to seven, which takes another number of parameters", told(ARGUMENTS, lambda d: bytes(through(d, 2)[:0])))

    def test_branches_by_an_index(self) -> None:
        def wanted(i: int) -> int:
            return 7 if i > 29 else (i + 100, i * 200, 300, i + 100)[min(i, 3)]

        self.assertEqual(branched(Device(ARGUMENTS), 3), [wanted(i) for i in range(THREADS)])

    def test_an_index_behind_the_last_target_is_told(self) -> None:
        self.assertIn("brx.idx", told(ARGUMENTS, lambda d: bytes(branched(d, 4)[:0])))

    def test_virtual_functions(self) -> None:
        if not ARGUMENTS.nvcc:
            self.skipTest("no nvcc was given")
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "areas.cu"
            source.write_text(CUDA, encoding="utf-8")
            subprocess.run([ARGUMENTS.nvcc, "-ptx", "-arch=compute_90", source, "-o", source.with_suffix(".ptx")], check=True)
            ptx = source.with_suffix(".ptx").read_text(encoding="utf-8")
        self.assertIn(".callprototype", ptx)
        device = Device(ARGUMENTS)
        out = Buffer(device, bytes(4 * THREADS))
        device.launch(device.load(ptx), "areas", 1, THREADS, [ctypes.c_uint64(out.at.value), ctypes.c_int32(3)])
        wanted = [i * i * 0.5 if (i + 3) % 2 == 0 else 3.0 * i * i + 0.5 for i in range(THREADS)]
        self.assertEqual(list(struct.unpack(f"<{THREADS}f", out.bytes())), wanted)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
