# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Which state space a generic address lies in (isspacep), and in which block of the cluster (getctarank)."""

from __future__ import annotations

import ctypes
import struct
import sys
import unittest

from emulated import Buffer, Device, options

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


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
