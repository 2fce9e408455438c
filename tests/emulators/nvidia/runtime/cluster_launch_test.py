# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""clusterlaunchcontrol: blocks take over those that have not begun, each of which runs once, in its own place or in another's; of
clusters of two, both blocks learn of it."""

from __future__ import annotations

import ctypes
import struct
import sys
import unittest

from emulated import Buffer, Device, options

BLOCKS = 64
TX = "mbarrier::complete_tx::bytes"


def kernel(name: str, size: int) -> str:
    """Each block adds 1 to its word of `out`, and to that of each block whose launch it cancelled; behind them, how many those are."""
    shape, many = (".reqnctapercluster 2, 1, 1 .explicitcluster", ".multicast::cluster::all") if size == 2 else ("", "")
    return f""".visible .entry {name}(.param .u64 out) {shape}
{{
.shared .align 16 .b8 answer[16];
.shared .align 8 .b64 bar;
.reg .b32 %i, %x, %rank, %parity, %y, %z;
.reg .b64 %out, %at;
.reg .b128 %q;
.reg .pred %p, %first, %cancelled;
ld.param.u64 %out, [out];
mov.u32 %i, %tid.x;
mov.u32 %x, %ctaid.x;
mov.u32 %rank, %cluster_ctarank;
mov.u32 %parity, 0;
setp.eq.u32 %first, %i, 0;
@%first mbarrier.init.shared::cta.b64 [bar], 1;
@%first fence.mbarrier_init.release.cluster;
AGAIN:
mul.wide.u32 %at, %x, 4;
add.u64 %at, %out, %at;
@%first red.global.add.u32 [%at], 1;
@%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
or.b32 %y, %i, {"%rank" if size == 2 else "0"};
setp.eq.u32 %p, %y, 0;
@%p clusterlaunchcontrol.try_cancel.async.shared::cta.{TX}{many}.b128 [answer], [bar];
WAITS: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], %parity;
@!%p bra WAITS;
xor.b32 %parity, %parity, 1;
ld.shared.b128 %q, [answer];
fence.proxy.async.shared::cta;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %cancelled, %q;
@!%cancelled bra ENDS;
clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %x, %q;
{"add.u32 %x, %x, %rank;" if size == 2 else ""}
@%first red.global.add.u32 [%out+{4 * BLOCKS}], 1;
bra AGAIN;
ENDS: ret;
}}
"""


PTX = ".version 8.8\n.target sm_100a\n.address_size 64\n" + kernel("alone", 1) + kernel("pairs", 2)


class ClusterLaunchTest(unittest.TestCase):
    def test_each_block_runs_once(self) -> None:
        device = Device(ARGUMENTS)
        module = device.load(PTX)
        for name in ("alone", "pairs"):
            with self.subTest(name):
                out = Buffer(device, bytes(4 * BLOCKS + 4))
                device.launch(module, name, BLOCKS, 32, [ctypes.c_uint64(out.at.value)])
                *blocks, cancelled = struct.unpack(f"<{BLOCKS + 1}I", out.bytes())
                self.assertEqual(blocks, [1] * BLOCKS)
                self.assertGreater(cancelled, 0)
                self.assertLess(cancelled, BLOCKS)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
