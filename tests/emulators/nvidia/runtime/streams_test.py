# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Attributes of streams and limits of the device, which are kept; callbacks; and the driver's functions for streams, events,
devices and contexts."""

from __future__ import annotations

import ctypes
import sys
import unittest

from emulated import Buffer, Device, Failed, options

WINDOW, SYNCHRONIZATION, CLUSTER, PRIORITY, DOMAIN_MAP, DOMAIN = 1, 3, 4, 8, 9, 10  # cudaLaunchAttributeID
NORMAL, STREAMING, PERSISTING = 0, 1, 2  # cudaAccessProperty
STACK, PERSISTING_CACHE, NO_LIMIT = 0, 6, 99  # cudaLimit
MOST_PERSISTING, LARGEST_WINDOW = 108, 109  # cudaDeviceAttr
CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
HOST_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Window(ctypes.Structure):
    """cudaAccessPolicyWindow, as the value of an attribute, which has 64 bytes."""

    _fields_ = [
        ("at", ctypes.c_void_p), ("bytes", ctypes.c_size_t), ("ratio", ctypes.c_float), ("hit", ctypes.c_int), ("miss", ctypes.c_int),
        ("rest", ctypes.c_char * 32),
    ]  # fmt: skip


class Streams(unittest.TestCase):
    def setUp(self) -> None:
        self.device = Device(ARGUMENTS)
        self.library = self.device.library
        self.check = self.device.check
        self.stream = ctypes.c_void_p()
        self.check(self.library.cudaStreamCreate(ctypes.byref(self.stream)))

    def refused(self, sentence: str, status: int) -> None:
        with self.assertRaisesRegex(Failed, sentence):
            self.check(status)

    def number(self, ask: str, *arguments: object, of: type = ctypes.c_int) -> int:
        """What a function says first of all its arguments."""
        answer = of(-1)
        self.check(getattr(self.library, ask)(ctypes.byref(answer), *arguments))
        return answer.value


class AttributesTest(Streams):
    def set_(self, attribute: int, value: object, by: str = "cuda") -> int:
        return getattr(self.library, f"{by}StreamSetAttribute")(self.stream, attribute, ctypes.byref(value))

    def found(self, attribute: int, by: str = "cuda", stream: ctypes.c_void_p | None = None) -> bytes:
        value = (ctypes.c_char * 64)()
        self.check(getattr(self.library, f"{by}StreamGetAttribute")(stream or self.stream, attribute, value))
        return value.raw

    def test_they_are_kept(self) -> None:
        other = ctypes.c_void_p()
        self.check(self.library.cudaStreamCreate(ctypes.byref(other)))
        for by in ("cuda", "cu"):
            window = Window(4096, 1 << 20, 0.5, PERSISTING, STREAMING)
            self.check(self.set_(WINDOW, window, by))
            for value, attribute in ((2, SYNCHRONIZATION), (-1, PRIORITY), (1, DOMAIN), (0x0100, DOMAIN_MAP)):
                self.check(self.set_(attribute, (ctypes.c_int * 16)(value), by))
                self.assertEqual(self.found(attribute, by), bytes((ctypes.c_int * 16)(value)))
            self.assertEqual(self.found(WINDOW, by), bytes(window))
            self.assertEqual(self.found(WINDOW, by, other), bytes(64))
        for copy in ("cudaStreamCopyAttributes", "cuStreamCopyAttributes"):
            self.check(getattr(self.library, copy)(other, self.stream))
            self.assertEqual(self.found(WINDOW, stream=other), bytes(window))

    def test_what_a_new_stream_says(self) -> None:
        self.assertEqual(self.found(WINDOW), bytes(64))
        self.assertEqual(self.found(SYNCHRONIZATION)[0], 1)  # cudaSyncPolicyAuto
        self.assertEqual(self.found(DOMAIN_MAP)[:2], bytes((0, 1)))

    def test_what_is_refused(self) -> None:
        largest = self.number("cudaDeviceGetAttribute", LARGEST_WINDOW, 0)
        for window, sentence in (
            (Window(4096, largest + 1, 1, PERSISTING, STREAMING), f"an access policy window of {largest + 1} bytes; at most {largest}"),
            (Window(4096, 64, 1.5, PERSISTING, STREAMING), "a hitRatio of 1.5; expected 0 to 1"),
            (Window(4096, 64, float("nan"), PERSISTING, STREAMING), "a hitRatio of nan"),
            (Window(4096, 64, 1, PERSISTING, PERSISTING), "missProp is persisting; expected normal or streaming"),
        ):
            self.refused(f"cudaStreamSetAttribute: {sentence}", self.set_(WINDOW, window))
        self.assertEqual(self.found(WINDOW), bytes(64))
        self.check(self.set_(WINDOW, Window(4096, largest, 1, PERSISTING, NORMAL)))
        self.refused("cudaStreamSetAttribute: streams have no attribute 4", self.set_(CLUSTER, Window()))
        with self.assertRaisesRegex(Failed, "cudaStreamGetAttribute: streams have no attribute 4"):
            self.found(CLUSTER)
        self.stream = ctypes.c_void_p(16)
        self.refused("invalid resource handle", self.set_(PRIORITY, Window()))


class LimitsTest(Streams):
    def test_they_are_kept(self) -> None:
        for set_, ask in (("cudaDeviceSetLimit", "cudaDeviceGetLimit"), ("cuCtxSetLimit", "cuCtxGetLimit")):
            for bytes_ in (4096, 1024):
                self.check(getattr(self.library, set_)(STACK, ctypes.c_size_t(bytes_)))
                self.assertEqual(self.number(ask, STACK, of=ctypes.c_size_t), bytes_)
            most = self.number("cudaDeviceGetAttribute", MOST_PERSISTING, 0)
            self.assertGreater(most, 0)
            for asked, granted in ((most + 1, most), (0, 0)):
                self.check(getattr(self.library, set_)(PERSISTING_CACHE, ctypes.c_size_t(asked)))
                self.assertEqual(self.number(ask, PERSISTING_CACHE, of=ctypes.c_size_t), granted)
            self.assertEqual(getattr(self.library, set_)(NO_LIMIT, ctypes.c_size_t(0)), 215)  # cudaErrorUnsupportedLimit
            with self.assertRaises(Failed):
                self.number(ask, NO_LIMIT, of=ctypes.c_size_t)
        self.check(self.library.cudaCtxResetPersistingL2Cache())
        self.check(self.library.cuCtxResetPersistingL2Cache())


class CallsTest(Streams):
    def test_a_callback_gets_stream_and_status(self) -> None:
        seen: list[tuple[int, int, int]] = []
        callback = CALLBACK(lambda *given: seen.append(given))
        self.check(self.library.cudaStreamAddCallback(self.stream, callback, ctypes.c_void_p(5), 0))
        self.assertEqual(seen, [])
        self.check(self.library.cudaStreamSynchronize(self.stream))
        self.assertEqual(seen, [(self.stream.value, 0, 5)])

    def test_streams_of_the_driver(self) -> None:
        stream, seen = ctypes.c_void_p(), []
        function = HOST_FUNCTION(seen.append)
        self.check(self.library.cuStreamCreate(ctypes.byref(stream), 1))
        self.check(self.library.cuLaunchHostFunc(stream, function, ctypes.c_void_p(3)))
        self.check(self.library.cuStreamSynchronize(stream))
        self.assertEqual(seen, [3])
        self.check(self.library.cuStreamQuery(stream))
        flags, id_ = ctypes.c_uint(9), ctypes.c_ulonglong()
        self.check(self.library.cuStreamGetFlags(stream, ctypes.byref(flags)))
        self.assertEqual(flags.value, 1)
        self.check(self.library.cuStreamGetId(stream, ctypes.byref(id_)))
        other = ctypes.c_ulonglong()
        self.check(self.library.cudaStreamGetId(self.stream, ctypes.byref(other)))
        self.assertNotEqual(id_.value, other.value)
        self.check(self.library.cuStreamDestroy_v2(stream))
        with self.assertRaises(Failed):
            self.check(self.library.cuStreamSynchronize(stream))

    def test_events_of_the_driver(self) -> None:
        """A stream waits for the other's event; nothing has happened before somebody waits."""
        event, seen = ctypes.c_void_p(), []
        first, second = (HOST_FUNCTION(lambda _, i=i: seen.append(i)) for i in range(2))
        other = ctypes.c_void_p()
        self.check(self.library.cuStreamCreateWithPriority(ctypes.byref(other), 1, 0))
        self.check(self.library.cuEventCreate(ctypes.byref(event), 0))
        self.check(self.library.cuLaunchHostFunc(other, first, None))
        self.check(self.library.cuEventRecord(event, other))
        self.check(self.library.cuStreamWaitEvent(self.stream, event, 0))
        self.check(self.library.cuLaunchHostFunc(self.stream, second, None))
        self.check(self.library.cuStreamSynchronize(self.stream))
        self.assertEqual(seen, [0, 1])
        self.check(self.library.cuEventSynchronize(event))
        self.check(self.library.cuEventQuery(event))
        self.check(self.library.cuEventDestroy_v2(event))

    def test_captures_of_the_driver(self) -> None:
        graph, to = ctypes.c_void_p(), Buffer(self.device, b"....")
        self.check(self.library.cuStreamBeginCapture_v2(self.stream, 0))
        self.check(self.library.cuMemsetD8Async(to.at, 1, ctypes.c_size_t(4), self.stream))
        self.check(self.library.cuStreamEndCapture(self.stream, ctypes.byref(graph)))
        self.assertTrue(graph.value)
        self.assertEqual(to.bytes(), b"....")

    def test_the_device_of_the_driver(self) -> None:
        name, context, again = ctypes.create_string_buffer(9), ctypes.c_void_p(), ctypes.c_void_p()
        self.assertEqual(self.number("cuDeviceGetCount"), 1)
        self.assertEqual(self.number("cuDeviceGet", 0), 0)
        self.assertEqual(self.number("cuDeviceGetAttribute", 75, 0), 9)  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
        self.assertEqual(self.number("cuDeviceTotalMem_v2", 0, of=ctypes.c_size_t), 16 << 30)
        self.assertEqual(self.number("cuDriverGetVersion"), self.number("cudaDriverGetVersion"))
        self.check(self.library.cuDeviceGetName(name, 9, 0))
        self.assertEqual(name.raw, b"NVIDIA s\0")
        self.check(self.library.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
        self.check(self.library.cuCtxPushCurrent_v2(context))
        self.check(self.library.cuCtxPopCurrent_v2(ctypes.byref(again)))
        self.assertEqual(again.value, context.value)
        self.check(self.library.cuCtxSetCurrent(context))
        with self.assertRaises(Failed):
            self.check(self.library.cuCtxSetCurrent(ctypes.c_void_p(16)))
        self.check(self.library.cuDevicePrimaryCtxRelease_v2(0))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
