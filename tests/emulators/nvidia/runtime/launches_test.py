# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Launches with attributes, and what is said of a kernel before it is launched: limits and occupancy."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import unittest
from pathlib import Path

from emulated import Buffer, Device, Failed, options

MULTIPROCESSORS = 16  # cudaDevAttrMultiProcessorCount
CLUSTER, PDL = 4, 6  # CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, _PROGRAMMATIC_STREAM_SERIALIZATION
DYNAMIC_SHARED, LARGER_CLUSTERS, THREADS, STATIC_SHARED, PTX_VERSION = 8, 14, 0, 1, 5  # CU_FUNC_ATTRIBUTE_...


def written(name: str, first: str, second: str) -> str:
    """A kernel of which each block writes two special registers."""
    return f""".visible .entry {name}(.param .u64 to) {{
  .reg .u32 %r<4>; .reg .u64 %d<3>;
  ld.param.u64 %d1, [to];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %d2, %r1, 8;
  add.u64 %d1, %d1, %d2;
  mov.u32 %r2, %{first};
  mov.u32 %r3, %{second};
  st.global.v2.u32 [%d1], {{%r2, %r3}};
  ret;
}}"""


# Each block writes its number in its cluster and how many that has, or its multiprocessor and how many there are; `static` has 40,000
# bytes of shared memory.
PTX = f"""
.version 8.7
.target sm_90
.address_size 64
.shared .align 4 .b8 table[40000];
{written("rank", "cluster_ctarank", "cluster_nctarank")}
{written("place", "smid", "nsmid")}
.visible .entry static(.param .u64 to) .maxntid 256, 1, 1 {{
  .reg .u32 %r<2>; .reg .u64 %d<2>;
  ld.param.u64 %d1, [to];
  mov.u32 %r1, table;
  st.global.u32 [%d1], %r1;
  ret;
}}
"""


class Attribute(ctypes.Structure):
    """CUlaunchAttribute, whose value has 64 bytes."""

    _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_char * 4), ("value", ctypes.c_uint * 16)]


class Config(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = [
        ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(Attribute)), ("count", ctypes.c_uint),
    ]  # fmt: skip


def config(blocks: int, threads: int, cluster: int = 0, shared: int = 0) -> Config:
    kinds = [Attribute(PDL, b"", (ctypes.c_uint * 16)(1))]
    if cluster:
        kinds.append(Attribute(CLUSTER, b"", (ctypes.c_uint * 16)(cluster, 1, 1)))
    return Config((blocks, 1, 1), (threads, 1, 1), shared, None, (Attribute * len(kinds))(*kinds), len(kinds))


class LaunchesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.device = Device(ARGUMENTS)
        module = self.device.load(PTX)
        self.library = self.device.library
        self.rank, self.place, self.static = (self.function(module, name) for name in ("rank", "place", "static"))

    def function(self, module: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
        function = ctypes.c_void_p()
        self.device.check(self.library.cuModuleGetFunction(ctypes.byref(function), module, name.encode()))
        return function

    def launched(self, blocks: int, cluster: int, function: ctypes.c_void_p | None = None) -> list[int]:
        """What every block writes: its number in its cluster, and the cluster's size, where no function is named."""
        to = Buffer(self.device, bytes(8 * blocks))
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(to.at))
        self.device.check(self.library.cuLaunchKernelEx(ctypes.byref(config(blocks, 1, cluster)), function or self.rank, arguments, None))
        self.device.check(self.library.cudaDeviceSynchronize())
        return list(memoryview(to.bytes()).cast("I"))

    def number(self, ask: str, *arguments: object, of: type = ctypes.c_int) -> int:
        """What the driver says first of all its arguments."""
        answer = of(-1)
        self.device.check(getattr(self.library, ask)(ctypes.byref(answer), *arguments))
        return answer.value

    def test_clusters(self) -> None:
        self.assertEqual(self.launched(4, 0), [0, 1] * 4)
        self.assertEqual(self.launched(4, 2), [0, 2, 1, 2] * 2)
        self.assertEqual(self.launched(8, 8), [x for rank in range(8) for x in (rank, 8)])

    def test_blocks_that_run_at_once_are_on_several_multiprocessors(self) -> None:
        count = ctypes.c_int()
        self.device.check(self.library.cudaDeviceGetAttribute(ctypes.byref(count), MULTIPROCESSORS, 0))
        for cluster in (0, 2, 4):
            self.assertEqual(self.launched(8, cluster, self.place), [x for block in range(8) for x in (block % count.value, count.value)])

    def test_more_than_eight_blocks_must_be_allowed(self) -> None:
        with self.assertRaisesRegex(Failed, "kernel rank: clusters of 16 blocks; sm_90a has 8, .*NonPortableClusterSizeAllowed"):
            self.launched(16, 16)
        self.device.check(self.library.cuFuncSetAttribute(self.rank, LARGER_CLUSTERS, 1))
        self.assertEqual(self.launched(16, 16), [x for rank in range(16) for x in (rank, 16)])
        with self.assertRaisesRegex(Failed, "clusters of 32 blocks; sm_90a has 16"):
            self.launched(32, 32)

    def test_clusters_divide_the_grid(self) -> None:
        with self.assertRaisesRegex(Failed, r"clusters of \(2,1,1\) blocks do not divide the grid"):
            self.launched(3, 2)

    def test_sm_80_has_none(self) -> None:
        program = "import emulated, launches_test as l; l.ARGUMENTS = emulated.options(); t = l.LaunchesTest(); t.setUp(); t.launched(4, 2)"
        given = [f"--{name}={getattr(ARGUMENTS, name)}" for name in ("compile", "library", "cxx")]
        ended = subprocess.run(
            [sys.executable, "-B", "-c", program, *given], cwd=Path(__file__).parent, capture_output=True, text=True,
            env={**os.environ, "PODIUM_EMULATED": "sm_80"},
        )  # fmt: skip
        self.assertIn("kernel rank: clusters of 2 blocks; sm_80 has 1", ended.stderr)

    def test_what_a_kernel_needs(self) -> None:
        self.assertEqual(self.number("cuFuncGetAttribute", THREADS, self.static), 256)
        self.assertEqual(self.number("cuFuncGetAttribute", STATIC_SHARED, self.static), 40000)
        self.assertEqual(self.number("cuFuncGetAttribute", PTX_VERSION, self.static), 90)
        self.device.check(self.library.cuFuncSetAttribute(self.static, DYNAMIC_SHARED, 100000))
        self.assertEqual(self.number("cuFuncGetAttribute", DYNAMIC_SHARED, self.static), 100000)
        with self.assertRaisesRegex(Failed, "does not know this attribute"):
            self.number("cuFuncGetAttribute", 99, self.static)

    def test_what_a_kernel_is_allowed_on_a_device(self) -> None:
        allow = self.library.cudaKernelSetAttributeForDevice
        self.device.check(allow(self.static, DYNAMIC_SHARED, 90000, 0))
        self.assertEqual(self.number("cuFuncGetAttribute", DYNAMIC_SHARED, self.static), 90000)
        with self.assertRaisesRegex(Failed, "invalid device ordinal"):
            self.device.check(allow(self.static, DYNAMIC_SHARED, 80000, 1))
        with self.assertRaisesRegex(Failed, "invalid argument"):
            self.device.check(allow(self.static, DYNAMIC_SHARED, 1 << 20, 0))
        with self.assertRaises(Failed):
            self.device.check(allow(None, DYNAMIC_SHARED, 80000, 0))
        self.assertEqual(self.number("cuFuncGetAttribute", DYNAMIC_SHARED, self.static), 90000)

    def test_blocks_of_a_multiprocessor(self) -> None:
        """sm_90: 2,048 threads, 32 blocks, 228 KiB, of which each block has 1 KiB beside its own; CUDA's guide."""
        blocks = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
        nothing = ctypes.c_size_t(0)
        self.assertEqual(self.number(blocks, self.rank, 32, nothing), 32)
        self.assertEqual(self.number(blocks, self.rank, 1000, nothing), 2)
        self.assertEqual(self.number(blocks, self.rank, 1025, nothing), 0)
        self.assertEqual(self.number(blocks, self.static, 256, nothing), 233472 // 41024)
        self.assertEqual(self.number(blocks, self.static, 257, nothing), 0)
        self.assertEqual(self.number(blocks + "WithFlags", self.rank, 32, ctypes.c_size_t(100 << 10), 0), 2)

    def test_clusters_of_the_device(self) -> None:
        """4 multiprocessors, which run a cluster of more blocks than fit them, too."""
        clusters = "cuOccupancyMaxActiveClusters"
        self.assertEqual(self.number(clusters, self.rank, ctypes.byref(config(4, 1024, 2))), 4)
        self.assertEqual(self.number(clusters, self.rank, ctypes.byref(config(8, 1024, 8, 200 << 10))), 1)
        self.assertEqual(self.number(clusters, self.rank, ctypes.byref(config(16, 32, 16))), 0)
        self.assertEqual(self.number("cuOccupancyMaxPotentialClusterSize", self.rank, ctypes.byref(config(8, 32))), 8)

    def test_shared_memory_that_is_left(self) -> None:
        left = "cuOccupancyAvailableDynamicSMemPerBlock"
        self.assertEqual(self.number(left, self.rank, 2, 128, of=ctypes.c_size_t), 233472 // 2 - 1024)
        self.assertEqual(self.number(left, self.rank, 1, 128, of=ctypes.c_size_t), 227 << 10)
        with self.assertRaises(Failed):
            self.number(left, self.rank, 33, 32, of=ctypes.c_size_t)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
