# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""ldmatrix and stmatrix of 8-, 6- and 4-bit elements, against the places that CuTe's layouts for SM100 give them: a byte's number
in shared memory as a sum of steps, one for each bit of the lane, of the register and of the byte in it."""

from __future__ import annotations

import ctypes
import random
import struct
import sys
import unittest

from emulated import Buffer, Device, compiled, options
from tensors import HEADER

LANES, ROW = 32, 16
# Which row's address a lane gives: each has another one, mixed so that none is where its number says.
ORDER = [(5 * lane + 3) % LANES for lane in range(LANES)]
WIDTHS = {"b8": 8, "b8x16.b6x16_p32": 6, "b8x16.b4x16_p64": 4}
LOADS = [("m16n16", n, t) for n in (1, 2) for t in WIDTHS] + [("m8n16", n, t) for n in (1, 2, 4) for t in list(WIDTHS)[1:]]


def name(shape: str, count: int, t: str) -> str:
    return f"{shape}x{count}_{t.replace('.', '_')}"


def kernel(label: str, body: str) -> str:
    """Shared memory is filled from 512 bytes, and goes back to them."""
    return f""".visible .entry {label}(.param .u64 memory, .param .u64 out)
{{
.shared .align 16 .b8 rows[512];
.reg .b32 %i, %at, %r<4>;
.reg .b64 %m, %o, %w;
mov.u32 %i, %tid.x; cvt.u64.u32 %w, %i; shl.b64 %w, %w, 4;
ld.param.u64 %m, [memory]; add.u64 %m, %m, %w;
ld.param.u64 %o, [out]; add.u64 %o, %o, %w;
mov.u32 %at, rows; mad.lo.u32 %at, %i, 16, %at;
{body}
ret;
}}
"""


def load(shape: str, count: int, t: str) -> str:
    registers = count * (2 if shape == "m16n16" else 1)
    trans = ".trans" if shape == "m16n16" else ""
    targets = ", ".join(f"%r{i}" for i in range(registers))
    fill = "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%m]; st.shared.v4.b32 [%at], {%r0, %r1, %r2, %r3}; bar.sync 0;\n"
    address = "mad.lo.u32 %i, %i, 5, 3; and.b32 %i, %i, 31; mov.u32 %at, rows; mad.lo.u32 %at, %i, 16, %at;\n"
    zeros = "".join(f"mov.b32 %r{i}, 0; " for i in range(4))
    return kernel(name(shape, count, t), fill + address + zeros + f"ldmatrix.sync.aligned.{shape}.x{count}{trans}.shared.{t} {{{targets}}}, [%at];\n"
                  "st.global.v4.b32 [%o], {%r0, %r1, %r2, %r3};")  # fmt: skip


def store(count: int) -> str:
    values = ", ".join(f"%r{i}" for i in range(count))
    return kernel(f"store{count}", f"""
mov.b32 %r0, 0; st.shared.v4.b32 [%at], {{%r0, %r0, %r0, %r0}}; bar.sync 0;
ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%m];
mad.lo.u32 %i, %i, 5, 3; and.b32 %i, %i, 31; mov.u32 %at, rows; mad.lo.u32 %at, %i, 16, %at;
stmatrix.sync.aligned.m16n8.x{count}.trans.shared.b8 [%at], {{{values}}};
bar.sync 0; mov.u32 %i, %tid.x; mov.u32 %at, rows; mad.lo.u32 %at, %i, 16, %at;
ld.shared.v4.b32 {{%r0, %r1, %r2, %r3}}, [%at]; st.global.v4.b32 [%o], {{%r0, %r1, %r2, %r3}};""")


KERNELS = HEADER.format("sm_100a") + "".join(load(*one) for one in LOADS) + "".join(store(n) for n in (1, 2, 4))


def element(row: bytes, index: int, width: int) -> int:
    return int.from_bytes(row, "little") >> index * width & ((1 << width) - 1)


def row_of(lane: int) -> int:
    """Of a matrix of 16 rows CuTe numbers them by what comes into a register: the row whose address a lane gives."""
    return lane % 2 + 8 * (lane // 2 % 2) + 2 * (lane // 4 % 4) + 16 * (lane // 16)


class ByteMatrixTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)
        cls.module = cls.device.load_library(compiled(ARGUMENTS, KERNELS))

    def run_kernel(self, label: str, data: bytes) -> bytes:
        memory, out = Buffer(self.device, data), Buffer(self.device, bytes(512))
        self.device.launch(self.module, label, 1, LANES, [ctypes.c_uint64(b.at.value) for b in (memory, out)])
        return out.bytes()

    def test_loads(self) -> None:
        for shape, count, t in LOADS:
            with self.subTest(shape=shape, count=count, t=t):
                data = random.Random(count).randbytes(512)
                rows = [data[ROW * r : ROW * r + ROW] for r in range(LANES)]
                found = self.run_kernel(name(shape, count, t), data)
                registers = count * (2 if shape == "m16n16" else 1)
                logical = {row_of(lane): rows[ORDER[lane]] for lane in range(LANES)} if shape == "m16n16" else dict(enumerate(rows[o] for o in ORDER))
                for lane in range(LANES):
                    words = struct.unpack_from("<4I", found, ROW * lane)
                    self.assertEqual(words[registers:], (0,) * (4 - registers))
                    for r in range(registers):
                        for byte in range(4):
                            if shape == "m16n16":
                                # CuTe exchanges the upper half of a pair's first register and the lower one of its second.
                                register, place = r // 2 * 2 + byte // 2, byte % 2 + 2 * (r % 2)
                                at = 32 * (lane % 4) + lane // 4 + 16 * (place % 2) + 8 * (place // 2) + 128 * register
                            else:
                                at = 4 * lane + byte + 128 * r
                            wanted = element(logical[at // ROW], at % ROW, WIDTHS[t])
                            self.assertEqual(words[r] >> 8 * byte & 255, wanted, (lane, r, byte))

    def test_stores(self) -> None:
        for count in (1, 2, 4):
            data = random.Random(10 + count).randbytes(512)
            wanted = bytearray(512)
            for lane in range(LANES):
                for r in range(count):
                    for byte in range(4):
                        at = 32 * (lane % 4) + lane // 4 + 16 * (byte % 2) + 8 * (byte // 2) + 128 * r
                        wanted[ROW * ORDER[at // ROW] + at % ROW] = data[ROW * lane + 4 * r + byte]
            self.assertEqual(self.run_kernel(f"store{count}", data), bytes(wanted))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
