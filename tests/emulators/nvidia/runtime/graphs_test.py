# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Graphs that a program makes itself: nodes without kernels, what a capture says of itself, and what is refused. Nodes with
kernels are tests/honest/sum/own_graph.cu, which verify.sh runs."""

from __future__ import annotations

import ctypes
import sys
import unittest

from emulated import Buffer, Device, Failed, options
from memory_test import Box, Pitched

FOREIGN = "a node that this graph does not have; expected one that {} gave for it"
OF_ANY, OF_KERNEL = FOREIGN.format("a cudaGraphAdd function"), FOREIGN.format("cudaGraphAddKernelNode")
HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
NOTHING = HOST_FUNCTION(lambda _: None)


class KernelNode(ctypes.Structure):
    """cudaKernelNodeParams."""

    _fields_ = [
        ("func", ctypes.c_void_p), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
        ("arguments", ctypes.c_void_p), ("extra", ctypes.c_void_p),
    ]  # fmt: skip


class Set(ctypes.Structure):
    """cudaMemsetParams."""

    _fields_ = [
        ("to", ctypes.c_void_p), ("pitch", ctypes.c_size_t), ("value", ctypes.c_uint), ("element", ctypes.c_uint),
        ("width", ctypes.c_size_t), ("height", ctypes.c_size_t),
    ]  # fmt: skip


class Graphs(unittest.TestCase):
    def setUp(self) -> None:
        self.device = Device(ARGUMENTS)
        self.graph, self.ready, self.node = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.device.check(self.device.library.cudaGraphCreate(ctypes.byref(self.graph), 0))

    def refused(self, sentence: str, status: int) -> None:
        with self.assertRaisesRegex(Failed, sentence):
            self.device.check(status)

    def add(
        self, function: str, *what: object, behind: ctypes.c_void_p | None = None, to: ctypes.c_void_p | None = None
    ) -> ctypes.c_void_p:  # fmt: skip
        """The node, added to the test's graph if no other is named."""
        node = ctypes.c_void_p()
        dependencies = (ctypes.c_void_p * 1)(behind) if behind else None
        status = getattr(self.device.library, function)(
            ctypes.byref(node), to or self.graph, dependencies, ctypes.c_size_t(1 if behind else 0), *what
        )
        self.device.check(status)
        return node

    def run_graph(self, times: int = 1) -> None:
        self.device.check(self.device.library.cudaGraphInstantiate(ctypes.byref(self.ready), self.graph, ctypes.c_uint64(0)))
        for _ in range(times):
            self.device.check(self.device.library.cudaGraphLaunch(self.ready, None))
        self.device.check(self.device.library.cudaDeviceSynchronize())


class NodesTest(Graphs):
    def test_a_host_node_is_called_in_its_order(self) -> None:
        called: list[tuple[int, bytes]] = []
        to = Buffer(self.device, b"....")
        functions = [HOST_FUNCTION(lambda data, i=i: called.append((data, ctypes.string_at(to.at.value, 4)))) for i in range(2)]
        nodes = [(ctypes.c_void_p * 2)(ctypes.cast(f, ctypes.c_void_p).value, 7 + i) for i, f in enumerate(functions)]
        first = self.add("cudaGraphAddHostNode", nodes[0])
        middle = self.add("cudaGraphAddMemcpyNode1D", to.at, b"done", ctypes.c_size_t(4), 4, behind=first)
        empty = self.add("cudaGraphAddEmptyNode", behind=middle)
        self.add("cudaGraphAddHostNode", nodes[1], behind=empty)
        self.assertEqual(called, [])
        self.run_graph(2)
        self.assertEqual(called, [(7, b"...."), (8, b"done"), (7, b"done"), (8, b"done")])

    def test_no_function_is_refused(self) -> None:
        with self.assertRaisesRegex(Failed, "cudaGraphAddHostNode: its function is null"):
            self.add("cudaGraphAddHostNode", (ctypes.c_void_p * 2)())

    def test_memory_is_set(self) -> None:
        to = Buffer(self.device, bytes(12))
        self.add("cudaGraphAddMemsetNode", ctypes.byref(Set(to.at.value, 6, 0xABCD1234, 2, 2, 2)))
        self.run_graph()
        self.assertEqual(to.bytes(), b"\x34\x12\x34\x12\0\0" * 2)
        with self.assertRaisesRegex(Failed, "cudaGraphAddMemsetNode: elements of 3 bytes; expected 1, 2 or 4"):
            self.add("cudaGraphAddMemsetNode", ctypes.byref(Set(to.at.value, 6, 0, 3, 2, 2)))

    def test_a_box_is_copied(self) -> None:
        to, text = Buffer(self.device, b"." * 8), ctypes.create_string_buffer(b"abcdefgh", 8)
        box = Box(to=Pitched(to.at.value, 4, 4, 2), of=Pitched(ctypes.addressof(text), 4, 4, 2), extent=(3, 2, 1))
        self.add("cudaGraphAddMemcpyNode", ctypes.byref(box))
        self.run_graph()
        self.assertEqual(to.bytes(), b"abc.efg.")
        with self.assertRaisesRegex(Failed, "cudaGraphAddMemcpyNode: srcPtr or dstPtr is null"):
            self.add("cudaGraphAddMemcpyNode", ctypes.byref(Box()))

    def test_nodes_reach_as_far_as_the_memory(self) -> None:
        to, text = Buffer(self.device, b"." * 8), ctypes.create_string_buffer(16)
        box = Box(to=Pitched(to.at.value, 4, 4, 2), of=Pitched(ctypes.addressof(text), 4, 4, 2), extent=(4, 3, 1))
        for name, *what in (
            ("cudaGraphAddMemsetNode", ctypes.byref(Set(to.at.value, 6, 1, 4, 1, 2))),
            ("cudaGraphAddMemcpyNode", ctypes.byref(box)),
            ("cudaGraphAddMemcpyNode1D", to.at, text, ctypes.c_size_t(10), 4),
        ):
            with self.assertRaisesRegex(Failed, "it ends [24] bytes behind cudaMalloc of 8 bytes"):
                self.add(name, *what)
        self.add("cudaGraphAddMemsetNode", ctypes.byref(Set(to.at.value, 0, 1, 1, 8, 1)))  # of one row the pitch says nothing
        self.run_graph()
        self.assertEqual(to.bytes(), b"\1" * 8)

    def test_no_graph(self) -> None:
        library, null, node = self.device.library, ctypes.c_void_p(), ctypes.c_void_p()
        for name, *arguments in (
            ("cudaGraphDestroy", null), ("cudaGraphExecDestroy", null), ("cudaGraphLaunch", null, None),
            ("cudaGraphInstantiate", ctypes.byref(self.ready), null, ctypes.c_uint64(0)),
            ("cudaGraphGetNodes", null, None, ctypes.byref(ctypes.c_size_t())),
            ("cudaGraphAddEmptyNode", ctypes.byref(node), null, None, ctypes.c_size_t(0)),
            ("cudaGraphExecUpdate", null, self.graph, (ctypes.c_char * 64)()),
            ("cudaGraphExecUpdate", null, null, (ctypes.c_char * 64)()),
            ("cudaGraphExecKernelNodeSetParams", null, null, ctypes.byref(KernelNode())),
        ):  # fmt: skip
            self.refused(f"{name}: a graph that is null; see what made it", getattr(library, name)(*arguments))
        self.refused(f"cudaGraphKernelNodeSetParams: {OF_KERNEL}", library.cudaGraphKernelNodeSetParams(null, ctypes.byref(KernelNode())))

    def test_what_is_no_kernel_is_not_replaced_by_one(self) -> None:
        node = self.add("cudaGraphAddEmptyNode")
        with self.assertRaisesRegex(Failed, f"cudaGraphKernelNodeSetParams: {OF_KERNEL}"):
            self.device.check(self.device.library.cudaGraphKernelNodeSetParams(node, ctypes.byref(KernelNode())))

    def test_a_graph_takes_the_place_of_another(self) -> None:
        to, info = Buffer(self.device, b"...."), (ctypes.c_char * 64)()
        other = ctypes.c_void_p()
        self.device.check(self.device.library.cudaGraphCreate(ctypes.byref(other), 0))
        self.add("cudaGraphAddMemcpyNode1D", to.at, b"abcd", ctypes.c_size_t(4), 4)
        self.run_graph()
        with self.assertRaisesRegex(Failed, "cudaGraphExecUpdate: the graph has 0 nodes; expected the 1 "):
            self.device.check(self.device.library.cudaGraphExecUpdate(self.ready, other, info))
        self.add("cudaGraphAddMemcpyNode1D", to.at, b"efgh", ctypes.c_size_t(4), 4, to=other)
        self.device.check(self.device.library.cudaGraphExecUpdate(self.ready, other, info))
        self.device.check(self.device.library.cudaGraphLaunch(self.ready, None))
        self.assertEqual(to.bytes(), b"efgh")

    def test_parameters_of_instantiation(self) -> None:
        """cudaGraphInstantiateParams: flags, a stream, and what is answered."""
        params = (ctypes.c_uint64 * 4)(0, 0, 99, 99)
        self.add("cudaGraphAddEmptyNode")
        self.device.check(self.device.library.cudaGraphInstantiateWithParams(ctypes.byref(self.ready), self.graph, params))
        self.assertEqual((params[2], params[3] & 0xFFFFFFFF), (0, 0))
        self.device.check(self.device.library.cudaGraphLaunch(self.ready, None))


class CaptureInfoTest(Graphs):
    def setUp(self) -> None:
        super().setUp()
        self.stream = ctypes.c_void_p()
        self.device.check(self.device.library.cudaStreamCreate(ctypes.byref(self.stream)))

    def info(self, function: str, edges: bool = True) -> tuple[int, int, int | None, int]:
        """Status, number, graph, and how many nodes the next one comes behind."""
        status, id_, graph = ctypes.c_int(-1), ctypes.c_ulonglong(), ctypes.c_void_p()
        nodes, data, count = ctypes.POINTER(ctypes.c_void_p)(), ctypes.c_void_p(), ctypes.c_size_t(99)
        outs = [status, id_, graph, nodes, *([data] if edges else []), count]
        self.device.check(getattr(self.device.library, function)(self.stream, *map(ctypes.byref, outs)))
        self.last = nodes[0] if status.value == 1 and count.value else None
        return status.value, id_.value, graph.value, count.value

    def test_what_a_capture_says(self) -> None:
        library = self.device.library
        self.assertEqual(self.info("cudaStreamGetCaptureInfo"), (0, 0, None, 99))  # no capture: nothing else is written
        self.device.check(library.cudaStreamBeginCapture(self.stream, 0))
        status, id_, graph, count = self.info("cudaStreamGetCaptureInfo")
        self.assertEqual((status, count), (1, 0))
        self.assertTrue(graph)
        self.device.check(library.cudaLaunchHostFunc(self.stream, NOTHING, None))
        for function in ("cudaStreamGetCaptureInfo", "cuStreamGetCaptureInfo_v3", "cuStreamGetCaptureInfo_v2"):
            self.assertEqual(self.info(function, edges=not function.endswith("_v2")), (1, id_, graph, 1))
        # A node may be added behind what was captured.
        seen: list[int] = []
        function = HOST_FUNCTION(lambda data: seen.append(data))
        host = (ctypes.c_void_p * 2)(ctypes.cast(function, ctypes.c_void_p).value, 5)
        node = self.add("cudaGraphAddHostNode", host, behind=ctypes.c_void_p(self.last), to=ctypes.c_void_p(graph))
        self.info("cudaStreamGetCaptureInfo")
        self.assertEqual(self.last, node.value)
        ended = ctypes.c_void_p()
        self.device.check(library.cudaStreamEndCapture(self.stream, ctypes.byref(ended)))
        self.assertEqual(ended.value, graph)
        self.assertEqual(self.info("cudaStreamGetCaptureInfo")[0], 0)
        self.graph = ended
        self.run_graph()
        self.assertEqual(seen, [5])

    def test_captures_have_numbers_of_their_own(self) -> None:
        numbers = set()
        for _ in range(2):
            self.device.check(self.device.library.cudaStreamBeginCapture(self.stream, 0))
            numbers.add(self.info("cudaStreamGetCaptureInfo")[1])
            self.device.check(self.device.library.cudaStreamEndCapture(self.stream, ctypes.byref(self.ready)))
        self.assertEqual(len(numbers), 2)

    def test_what_a_capture_forbids_may_be_allowed(self) -> None:
        library, mode, at = self.device.library, ctypes.c_int(2), ctypes.c_void_p()
        self.device.check(library.cudaStreamBeginCapture(self.stream, 0))
        self.device.check(library.cudaThreadExchangeStreamCaptureMode(ctypes.byref(mode)))
        self.assertEqual(mode.value, 0)
        self.device.check(library.cudaMalloc(ctypes.byref(at), ctypes.c_size_t(4)))
        self.device.check(library.cudaThreadExchangeStreamCaptureMode(ctypes.byref(mode)))
        self.assertEqual(mode.value, 2)
        with self.assertRaises(Failed):
            self.device.check(library.cudaMalloc(ctypes.byref(at), ctypes.c_size_t(4)))
        with self.assertRaises(Failed):
            self.device.check(library.cudaStreamEndCapture(self.stream, ctypes.byref(self.ready)))


class GraphsTest(Graphs):
    def test_flags_are_refused(self) -> None:
        self.refused("cudaGraphCreate with flags 1; expected 0", self.device.library.cudaGraphCreate(ctypes.byref(self.node), 1))

    def test_a_dependency_of_no_node_is_refused(self) -> None:
        foreign = ctypes.c_void_p(16)
        status = self.device.library.cudaGraphAddKernelNode(
            ctypes.byref(self.node), self.graph, ctypes.byref(foreign), ctypes.c_size_t(1), ctypes.byref(KernelNode())
        )
        self.refused(f"cudaGraphAddKernelNode, a dependency: {OF_ANY}", status)

    def test_what_is_no_kernel_is_refused(self) -> None:
        status = self.device.library.cudaGraphAddKernelNode(
            ctypes.byref(self.node), self.graph, None, ctypes.c_size_t(0), ctypes.byref(KernelNode())
        )
        self.refused("invalid device function", status)

    def test_another_graphs_node_is_not_replaced(self) -> None:
        self.device.check(self.device.library.cudaGraphInstantiate(ctypes.byref(self.ready), self.graph, ctypes.c_uint64(0)))
        status = self.device.library.cudaGraphExecKernelNodeSetParams(self.ready, ctypes.c_void_p(16), ctypes.byref(KernelNode()))
        self.refused(f"cudaGraphExecKernelNodeSetParams: {OF_KERNEL}", status)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
