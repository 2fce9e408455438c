# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Instructions of which little is seen: hints to caches, exit, nanosleep, ldu, discard, brkpt."""

from __future__ import annotations

import ctypes
import struct
import subprocess
import sys
import unittest

from emulated import Buffer, Device, Failed, options

LINE = 128  # bytes that discard and applypriority take
# What stands between a store and the flag that tells of it, and between the flag and what reads it.
FENCES = [
    ("fence.sc.cta;", "fence.sc.cta;"), ("fence.acq_rel.cta;", "fence.acq_rel.cta;"), ("fence.release.cta;", "fence.acquire.cta;"),
    ("fence.proxy.alias; fence.acq_rel.cta;", "fence.acq_rel.cta; fence.proxy.alias;"),
    ("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster; fence.acq_rel.cta;",
     "fence.acq_rel.cta; fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;"),
    ("fence.proxy.tensormap::generic.release.cta; fence.acq_rel.cta;", "fence.acq_rel.cta;"),
]  # fmt: skip


def kernel(name: str, body: str) -> str:
    return f""".visible .entry {name}(.param .u64 in, .param .u64 out)
{{
.shared .align 16 .b32 flag[64];
.shared .align 8 .b64 counted;
.reg .b64 %in, %out, %at;
.reg .b32 %x, %y, %lane, %shared, %w<8>;
.reg .b64 %l<4>;
.reg .pred %p;
ld.param.u64 %in, [in];
ld.param.u64 %out, [out];
mov.u32 %lane, %tid.x;
mov.u32 %shared, flag;
mad.wide.u32 %at, %lane, 4, %out;
{body}
ret;
}}
"""


PTX = """.version 8.8
.target sm_100
.address_size 64
""" + "".join(
    kernel(name, body)
    for name, body in {
        # The upper half of the threads ends, and the barrier waits for the others.
        "ends": """
setp.ge.u32 %p, %lane, 16;
@%p st.global.u32 [%at], 1;
@%p exit;
bar.sync 0;
st.global.u32 [%at], 2;
""",
        # The first thread looks at what the last one writes, and sleeps meanwhile.
        "sleeps": """
setp.eq.u32 %p, %lane, 0;
@%p st.volatile.shared.u32 [%shared], 0;
bar.sync 0;
@!%p bra WRITES;
AGAIN: ld.volatile.shared.u32 %x, [%shared];
nanosleep.u32 100;
setp.eq.u32 %p, %x, 0;
@%p bra AGAIN;
st.global.u32 [%at], %x;
ret;
WRITES: setp.eq.u32 %p, %lane, 31;
@%p st.volatile.shared.u32 [%shared], 7;
st.global.u32 [%at], 3;
""",
        "reads": """
mad.wide.u32 %at, %lane, 4, %in;
ldu.global.u32 %x, [%at];
mad.wide.u32 %at, %lane, 4, %out;
st.global.u32 [%at], %x;
""",
        "reads_pairs": """
mad.wide.u32 %at, %lane, 8, %in;
ldu.global.v2.u32 {%x, %y}, [%at];
add.u32 %x, %x, %y;
mad.wide.u32 %at, %lane, 4, %out;
st.global.u32 [%at], %x;
""",
        # What was there is gone; half of it is written again.
        "discards": f"""
setp.eq.u32 %p, %lane, 0;
st.global.u32 [%at], 5;
bar.sync 0;
@%p discard.global.L2 [%out], {LINE};
bar.sync 0;
setp.lt.u32 %p, %lane, 16;
@%p st.global.u32 [%at], 6;
""",
        "discards_half_a_line": f"""
add.u64 %out, %out, 64;
setp.eq.u32 %p, %lane, 0;
@%p discard.global.L2 [%out], {LINE};
""",
        "hints": f"""
st.global.u32 [%at], %lane;
applypriority.global.L2::evict_normal [%out], {LINE};
prefetchu.L1 [%out];
prefetch.global.L2 [%out];
pmevent 3;
""",
        "moves_eight_words": """
mul.wide.u32 %out, %lane, 32;
ld.param.u64 %at, [out]; add.u64 %at, %at, %out;
add.u64 %in, %in, %out;
setp.ge.u32 %p, %lane, 8;
@%p exit;
ld.global.v8.b32 {%w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7}, [%in];
st.global.v8.b32 [%at], {%w7, %w6, %w5, %w4, %w3, %w2, %w1, %w0};
""",
        "moves_four_double_words": """
mul.wide.u32 %out, %lane, 32;
ld.param.u64 %at, [out]; add.u64 %at, %at, %out;
add.u64 %in, %in, %out;
setp.ge.u32 %p, %lane, 8;
@%p exit;
ld.global.v4.b64 {%l0, %l1, %l2, %l3}, [%in];
st.global.v4.b64 [%at], {%l3, %l2, %l1, %l0};
""",
        "maps_input_and_output": """
mad.wide.u32 %in, %lane, 4, %in;
ld.mmio.relaxed.sys.global.u32 %x, [%in];
st.mmio.relaxed.sys.global.u32 [%at], %x;
""",
        "counts_at_a_barrier": """
setp.lt.u32 %p, %lane, 11;
barrier.red.popc.u32 %x, 0, %p;
st.global.u32 [%at], %x;
""",
        # Each lane's word comes by a copy that an mbarrier, named by its generic address, counts.
        "copies_counted": """
setp.eq.u32 %p, %lane, 0;
@%p mbarrier.init.shared::cta.b64 [counted], 64;
bar.sync 0;
mul.lo.u32 %x, %lane, 4;
add.u32 %shared, %shared, %x;
mad.wide.u32 %in, %lane, 4, %in;
cp.async.ca.shared::cta.global [%shared+16], [%in], 4;
mov.u64 %out, counted;
cvta.shared.u64 %out, %out;
cp.async.mbarrier.arrive.noinc.b64 [%out];
mbarrier.arrive.shared::cta.b64 _, [counted];
WAITS: mbarrier.try_wait.parity.shared::cta.b64 %p, [counted], 0;
@!%p bra WAITS;
ld.shared.u32 %x, [%shared+16];
st.global.u32 [%at], %x;
""",
        **{f"orders{i}": f"""
setp.ne.u32 %p, %lane, 31;
mov.u32 %y, %shared;
@!%p st.shared.u32 [%shared], 0;
bar.sync 0;
@%p bra LOOKS;
st.shared.u32 [%shared+16], 9;
{fence}
st.relaxed.cta.shared.u32 [%shared], 1;
LOOKS: ld.relaxed.cta.shared.u32 %x, [%shared];
setp.eq.u32 %p, %x, 1;
@!%p bra LOOKS;
{other}
ld.shared.u32 %x, [%y+16];
st.global.u32 [%at], %x;
""" for i, (fence, other) in enumerate(FENCES)},
        "stops": "brkpt;",
    }.items()
)


class HintsTest(unittest.TestCase):
    def words(self, name: str) -> tuple[int, ...]:
        """What 32 threads leave, of numbers from 100."""
        device = Device(ARGUMENTS)
        given, out = Buffer(device, struct.pack("<64I", *range(100, 164))), Buffer(device, bytes(2 * LINE))
        at = [ctypes.c_uint64(buffer.at.value) for buffer in (given, out)]
        device.launch(device.load(PTX), name, 1, 32, at)
        return struct.unpack("<32I", out.bytes()[:LINE])

    def test_ended_threads_are_not_waited_for(self) -> None:
        self.assertEqual(self.words("ends"), (2,) * 16 + (1,) * 16)

    def test_who_sleeps_lets_others_go_on(self) -> None:
        self.assertEqual(self.words("sleeps"), (7,) + (3,) * 31)

    def test_uniform_loads(self) -> None:
        self.assertEqual(self.words("reads"), tuple(range(100, 132)))
        self.assertEqual(self.words("reads_pairs"), tuple(201 + 4 * lane for lane in range(32)))

    def test_what_is_discarded_is_as_if_nothing_had_written_it(self) -> None:
        self.assertEqual(self.words("discards"), (6,) * 16 + (0xFFFFFFFF,) * 16)

    def test_hints_change_nothing(self) -> None:
        self.assertEqual(self.words("hints"), tuple(range(32)))

    def test_moves_of_32_bytes(self) -> None:
        self.assertEqual(self.words("moves_eight_words"), tuple(100 + 8 * lane + 7 - i for lane in range(4) for i in range(8)))
        self.assertEqual(self.words("moves_four_double_words"), tuple(100 + 8 * lane + (6 - i // 2 * 2) + i % 2 for lane in range(4) for i in range(8)))

    def test_mapped_input_and_output(self) -> None:
        self.assertEqual(self.words("maps_input_and_output"), tuple(range(100, 132)))

    def test_a_barrier_counts(self) -> None:
        self.assertEqual(self.words("counts_at_a_barrier"), (11,) * 32)

    def test_copies_that_an_mbarrier_counts_by_its_generic_address(self) -> None:
        self.assertEqual(self.words("copies_counted"), tuple(range(100, 132)))

    def test_fences_order(self) -> None:
        for i, fences in enumerate(FENCES):
            with self.subTest(fences):
                self.assertEqual(self.words(f"orders{i}"), (9,) * 32)


class MistakesTest(unittest.TestCase):
    """Each in a process of its own: a device is lost behind one."""

    def said(self, name: str) -> str:
        command = [sys.executable, "-B", __file__, *sys.argv[1:], "--only", name]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout

    def test_brkpt_stops_the_kernel(self) -> None:
        self.assertRegex(self.said("stops"), r"kernel stops, block \(0,0,0\), thread \(0,0,0\).*: brkpt: the kernel stops itself")

    def test_lines_are_aligned(self) -> None:
        self.assertRegex(self.said("discards_half_a_line"), "an access of 128 bytes at 0x[0-9a-f]+, which is no multiple of 128")


if __name__ == "__main__":
    ARGUMENTS = options()
    if "--only" in sys.argv:
        try:
            print(HintsTest().words(sys.argv[-1]))
        except Failed as said:
            print(said)
        sys.exit()
    unittest.main(argv=sys.argv[:1])
