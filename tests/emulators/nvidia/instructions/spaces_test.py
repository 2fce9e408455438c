# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Which state space a generic address lies in (isspacep), and in which block of the cluster (getctarank); and the bounds of local
memory and of parameters, however an address leads there."""

from __future__ import annotations

import ctypes
import struct
import sys
import unittest

from emulated import Buffer, Device, options
from tensors import told

SPACES = ("global", "shared::cta", "shared::cluster", "shared", "local", "const", "param")
PLACES = ("global", "own shared", "another's shared", "local", "const", "a global variable", "a parameter")
BLOCKS = 2
# Each block asks everything of its addresses, and the ranks of three shared ones.
PTX = (
    """.version 8.8
.target sm_90
.address_size 64
.const .align 8 .b64 table[4] = {1, 2, 3, 4};
.global .align 8 .b64 variable[4];
.visible .entry where(.param .u64 out)
.reqnctapercluster 2, 1, 1
{
.shared .align 8 .b64 own[4];
.local .align 8 .b64 kept[4];
.reg .b64 %o, %at<7>, %s;
.reg .b32 %rank, %other, %x, %near, %far;
.reg .pred %p;
mov.u32 %rank, %cluster_ctarank;
xor.b32 %other, %rank, 1;
ld.param.u64 %o, [out];
mad.wide.u32 %o, %rank, 256, %o;
cvta.to.global.u64 %at0, %o;
mov.u64 %s, own; cvta.shared.u64 %at1, %s;
mapa.u64 %at2, %at1, %other;
mov.u64 %s, kept; cvta.local.u64 %at3, %s;
mov.u64 %s, table; cvta.const.u64 %at4, %s;
add.u64 %at4, %at4, 8;
mov.u64 %s, variable; cvta.global.u64 %at5, %s;
mov.u64 %s, out; cvta.param.u64 %at6, %s;
mov.u32 %near, own;
mapa.shared::cluster.u32 %far, %near, %other;
"""
    + "".join(
        f"isspacep.{space} %p, %at{i}; selp.u32 %x, 1, 0, %p; st.global.u32 [%o+{4 * (i * len(SPACES) + j)}], %x;\n"
        for i in range(len(PLACES))
        for j, space in enumerate(SPACES)
    )
    + "".join(
        f"getctarank{name} %x, {register}; st.global.u32 [%o+{200 + 4 * i}], %x;\n"
        for i, (name, register) in enumerate(((".u64", "%at1"), (".u64", "%at2"), (".shared::cluster.u32", "%near"), (".shared::cluster.u32", "%far")))
    )
    + "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\nret;\n}\n"
)
TRUE = {
    ("a parameter", "param"), ("a parameter", "global"),
    ("global", "global"), ("a global variable", "global"), ("local", "local"), ("const", "const"),
    ("own shared", "shared::cta"), ("own shared", "shared"), ("own shared", "shared::cluster"), ("another's shared", "shared::cluster"),
}  # fmt: skip


class SpacesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        device = Device(ARGUMENTS)
        out = Buffer(device, bytes(256 * BLOCKS))
        device.launch(device.load(PTX), "where", BLOCKS, 1, [ctypes.c_uint64(out.at.value)])
        cls.answers = [struct.unpack_from("<64I", out.bytes(), 256 * rank) for rank in range(BLOCKS)]

    def test_spaces(self) -> None:
        for rank, answers in enumerate(self.answers):
            for i, place in enumerate(PLACES):
                for j, space in enumerate(SPACES):
                    with self.subTest(rank=rank, place=place, space=space):
                        self.assertEqual(answers[i * len(SPACES) + j], (place, space) in TRUE)

    def test_ranks(self) -> None:
        for rank, answers in enumerate(self.answers):
            self.assertEqual(answers[50:54], (rank, 1 - rank, rank, 1 - rank))


FUNCTIONS = """.version 8.8
.target sm_90
.address_size 64
.func (.param .b32 r) indexed(.param .align 4 .b8 s[16], .param .b64 at)
{ .reg .b64 %a, %b; .reg .b32 %x;
  ld.param.u64 %a, [at]; mov.b64 %b, s; add.u64 %a, %a, %b;
  INDEXED
  mov.b64 %b, r; st.param.b32 [%b], %x; ret; }
.func (.param .b64 r) gone() { .reg .b64 %a; .local .align 8 .b64 own; mov.b64 %a, own; cvta.local.u64 %a, %a; st.param.b64 [r], %a; ret; }
.func ends() { .reg .b64 %a; .local .align 8 .b64 own; mov.b64 %a, own; st.local.b64 [%a], 1; exit; }
.visible .entry kernel(.param .u64 out, .param .u64 at)
{ .local .align 8 .b32 x[4]; .local .align 8 .b32 y[2]; .param .align 4 .b8 p0[16]; .param .b64 p1; .param .b64 p2; .param .b32 p3;
  .reg .b64 %o, %a, %b; .reg .b32 %x;
  ld.param.u64 %o, [out]; ld.param.u64 %a, [at]; st.local.v4.b32 [x], {1, 2, 3, 4}; st.local.v2.b32 [y], {5, 6};
  st.param.b32 [p0], 1; st.param.b32 [p0+4], 2; st.param.b32 [p0+8], 3; st.param.b32 [p0+12], 4; st.param.b64 [p1], %a;
  STATEMENTS
  st.global.b32 [%o], %x; ret; }
"""
READ_X, READ_Y = ("mov.b64 %b, {0}; add.u64 %b, %b, %a; ld.local.b32 %x, [%b];".format(name) for name in "xy")
GENERIC = "mov.b64 %b, x; cvta.local.u64 %b, %b; add.u64 %b, %b, %a; ld.b32 %x, [%b];"
ADDED = GENERIC.replace("ld.b32 %x, [%b]", "atom.add.u32 %x, [%b], 1")
CALL = "call (p3), indexed, (p0, p1); ld.param.b32 %x, [p3];"
PARAMETER = "mov.b64 %b, out; add.u64 %b, %b, %a; ld.param.b32 %x, [%b];"
BEHIND = "an access of {} bytes to local memory ends {} bytes behind the {} bytes that a function has there"
INDEXED = ("ld.param.b32 %x, [%a];", "ld.local.b32 %x, [%a];", "ld.b32 %x, [%a];")
# Of the kernel its statements, `at`, and what comes out or is said; `indexed` reads its parameter by each of INDEXED.
CASES = [
    (READ_X, 12, 4), (READ_Y, 4, 6), (GENERIC, 12, 4), (ADDED, 12, 4), (CALL, 12, 4), (PARAMETER, 8, 8),
    ("ld.local.b32 %x, [x+12];", 0, 4),
    ("ld.local.b32 %x, [x+16];", 0, "an access of 4 bytes to local memory ends 4 bytes behind the 16 bytes that"),
    ("ld.local.v2.b32 {%x, %x}, [y+4];", 0, "which is no multiple of 8"),
    (READ_X, 16, "an access of 4 bytes to local memory "), (READ_Y, 8, BEHIND.format(4, 4, 8)), (READ_Y, 6, "which is no multiple of 4"),
    (GENERIC, 16, BEHIND.format(4, 4, 16)), (GENERIC, -4, "begins 4 bytes before the"), (ADDED, 16, BEHIND.format(4, 4, 16)),
    (CALL, 16, "an access of 4 bytes to local memory "), (CALL, -8, "an access of 4 bytes to local memory "),
    (PARAMETER, 16, "an access of 4 bytes ends 4 bytes behind the kernel's parameters of 16 bytes"),
    (PARAMETER, -4, "an access of 4 bytes begins 4 bytes before the kernel's parameters of 16 bytes"),
    ("ld.param.b32 %x, [at+8];", 0, "an access of 4 bytes ends 4 bytes behind the kernel's parameters of 16 bytes"),
    ("call (p2), gone, (); ld.param.b64 %b, [p2]; ld.b32 %x, [%b];", 0, "an access of 4 bytes to local memory, where no function has any"),
    ("ld.local.b32 %x, [%a];", 0, "an access of 4 bytes to local memory, where no function has any"),
    ("mov.b32 %x, 7; st.global.b32 [%o], %x; call ends, ();", 0, 7),
]  # fmt: skip


class BoundsTest(unittest.TestCase):
    def test_bounds(self) -> None:
        cases = [(*case, "ld.param.b32 %x, [%a];") for case in CASES] + [(*case, read) for case in CASES if case[0] == CALL for read in INDEXED[1:]]
        for statements, at, expected, indexed in cases:
            ptx = FUNCTIONS.replace("STATEMENTS", statements).replace("INDEXED", indexed)

            def run(device: Device, ptx: str = ptx, at: int = at) -> int:
                out = Buffer(device, bytes(4))
                device.launch(device.load(ptx), "kernel", 3, 32, [ctypes.c_uint64(out.at.value), ctypes.c_uint64(at % 2**64)])
                return struct.unpack("<I", out.bytes())[0]

            with self.subTest(statements, at=at, indexed=indexed):
                if isinstance(expected, str):
                    self.assertIn(expected, told(ARGUMENTS, run))
                else:
                    self.assertEqual(run(Device(ARGUMENTS)), expected)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
