# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The driver's functions for memory and for the one context."""

from __future__ import annotations

import ctypes
import sys
import unittest

from emulated import Device, Failed, options


class ContextsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.device = Device(ARGUMENTS)
        self.library = self.device.library

    def test_the_one_context_is_current(self) -> None:
        context, again, id_, device = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_int(7)
        for to in (context, again):
            self.device.check(self.library.cuCtxGetCurrent(ctypes.byref(to)))
        self.assertTrue(context.value)
        self.assertEqual(context.value, again.value)
        self.device.check(self.library.cuCtxGetDevice(ctypes.byref(device)))
        self.assertEqual(device.value, 0)
        for of in (context, None):
            self.device.check(self.library.cuCtxGetId(of, ctypes.byref(id_)))
        with self.assertRaises(Failed):
            self.device.check(self.library.cuCtxGetId(ctypes.c_void_p(16), ctypes.byref(id_)))

    def test_memory_keeps_what_is_copied_there(self) -> None:
        at, sent, found = ctypes.c_uint64(), (ctypes.c_int * 4)(3, 1, 4, 1), (ctypes.c_int * 4)()
        bytes_ = ctypes.c_size_t(ctypes.sizeof(sent))
        self.device.check(self.library.cuMemAlloc_v2(ctypes.byref(at), bytes_))
        self.device.check(self.library.cuMemcpyHtoD_v2(at, sent, bytes_))
        self.device.check(self.library.cuMemcpyDtoH_v2(found, at, bytes_))
        self.assertEqual(list(found), list(sent))
        self.device.check(self.library.cuMemFree_v2(at))
        with self.assertRaises(Failed):
            self.device.check(self.library.cuMemFree_v2(at))

    def test_no_memory_is_refused(self) -> None:
        at = ctypes.c_uint64()
        with self.assertRaisesRegex(Failed, "invalid argument"):
            self.device.check(self.library.cuMemAlloc_v2(ctypes.byref(at), ctypes.c_size_t(0)))

    def test_a_stream_that_is_captured(self) -> None:
        stream, graph, status = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_int(7)

        def said() -> int:
            self.device.check(self.library.cuStreamIsCapturing(stream, ctypes.byref(status)))
            return status.value

        self.device.check(self.library.cudaStreamCreate(ctypes.byref(stream)))
        self.assertEqual(said(), 0)  # CU_STREAM_CAPTURE_STATUS_NONE
        self.device.check(self.library.cudaStreamBeginCapture(stream, 0))
        self.assertEqual(said(), 1)  # _ACTIVE
        self.device.check(self.library.cudaStreamEndCapture(stream, ctypes.byref(graph)))
        self.assertEqual(said(), 0)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
