# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Graphs that a program makes itself: what is refused. What is right is tests/honest/sum/own_graph.cu, which verify.sh runs."""

from __future__ import annotations

import ctypes
import sys
import unittest

from emulated import Device, Failed, options

FOREIGN = "a node that this graph does not have; expected one that cudaGraphAddKernelNode gave for it"


class KernelNode(ctypes.Structure):
    """cudaKernelNodeParams."""

    _fields_ = [
        ("func", ctypes.c_void_p), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
        ("arguments", ctypes.c_void_p), ("extra", ctypes.c_void_p),
    ]  # fmt: skip


class GraphsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.device = Device(ARGUMENTS)
        self.graph, self.ready, self.node = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.device.check(self.device.library.cudaGraphCreate(ctypes.byref(self.graph), 0))

    def refused(self, sentence: str, status: int) -> None:
        with self.assertRaisesRegex(Failed, sentence):
            self.device.check(status)

    def test_flags_are_refused(self) -> None:
        self.refused("cudaGraphCreate with flags 1; expected 0", self.device.library.cudaGraphCreate(ctypes.byref(self.node), 1))

    def test_a_dependency_of_no_node_is_refused(self) -> None:
        foreign = ctypes.c_void_p(16)
        status = self.device.library.cudaGraphAddKernelNode(
            ctypes.byref(self.node), self.graph, ctypes.byref(foreign), ctypes.c_size_t(1), ctypes.byref(KernelNode())
        )
        self.refused(f"cudaGraphAddKernelNode, a dependency: {FOREIGN}", status)

    def test_what_is_no_kernel_is_refused(self) -> None:
        status = self.device.library.cudaGraphAddKernelNode(
            ctypes.byref(self.node), self.graph, None, ctypes.c_size_t(0), ctypes.byref(KernelNode())
        )
        self.refused("invalid device function", status)

    def test_another_graphs_node_is_not_replaced(self) -> None:
        self.device.check(self.device.library.cudaGraphInstantiate(ctypes.byref(self.ready), self.graph, ctypes.c_uint64(0)))
        status = self.device.library.cudaGraphExecKernelNodeSetParams(self.ready, ctypes.c_void_p(16), ctypes.byref(KernelNode()))
        self.refused(f"cudaGraphExecKernelNodeSetParams: {FOREIGN}", status)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
