# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Memory beyond plain allocations and copies: rows with a pitch, boxes, pools, other devices, hints, and the driver's
functions that set and copy."""

from __future__ import annotations

import ctypes
import os
import sys
import unittest

from emulated import Buffer, Device, Failed, options

ON_DEVICE = 1  # cudaMemLocationTypeDevice, in the lower half of a cudaMemLocation; its upper half is the ordinal
RELEASE_THRESHOLD, ALLOW_OPPORTUNISTIC, USED = 4, 2, 7  # cudaMemPoolAttr


class Pitched(ctypes.Structure):
    """cudaPitchedPtr."""

    _fields_ = [("at", ctypes.c_void_p), ("pitch", ctypes.c_size_t), ("width", ctypes.c_size_t), ("height", ctypes.c_size_t)]


class Box(ctypes.Structure):
    """cudaMemcpy3DParms."""

    _fields_ = [
        ("of_array", ctypes.c_void_p), ("of_position", ctypes.c_size_t * 3), ("of", Pitched),
        ("to_array", ctypes.c_void_p), ("to_position", ctypes.c_size_t * 3), ("to", Pitched),
        ("extent", ctypes.c_size_t * 3), ("kind", ctypes.c_int),
    ]  # fmt: skip


class Extent(ctypes.Structure):
    """cudaExtent."""

    _fields_ = [("width", ctypes.c_size_t), ("height", ctypes.c_size_t), ("depth", ctypes.c_size_t)]


class PoolProperties(ctypes.Structure):
    """cudaMemPoolProps."""

    _fields_ = [
        ("allocation", ctypes.c_int), ("handles", ctypes.c_int), ("location", ctypes.c_int), ("ordinal", ctypes.c_int),
        ("rest", ctypes.c_char * 72),
    ]  # fmt: skip


def size(bytes_: int) -> ctypes.c_size_t:
    return ctypes.c_size_t(bytes_)


class Memory(unittest.TestCase):
    def setUp(self) -> None:
        self.device = Device(ARGUMENTS)
        self.library = self.device.library
        self.check = self.device.check

    def refused(self, sentence: str, status: int) -> None:
        with self.assertRaisesRegex(Failed, sentence):
            self.check(status)


class BoxesTest(Memory):
    def test_rows_begin_at_multiples_of_the_pitch(self) -> None:
        at, pitch = ctypes.c_void_p(), ctypes.c_size_t()
        self.check(self.library.cudaMallocPitch(ctypes.byref(at), ctypes.byref(pitch), size(600), size(3)))
        self.assertEqual(pitch.value, 1024)
        self.check(self.library.cudaMemset(at, 0, size(3 * 1024)))
        self.check(self.library.cudaMemset2D(at, pitch, 7, size(600), size(3)))
        self.assertEqual(ctypes.string_at(at.value, 3072), (b"\7" * 600 + bytes(424)) * 3)
        self.check(self.library.cudaFree(at))

    def test_a_box_of_memory_is_allocated_and_set(self) -> None:
        memory = Pitched()
        self.check(self.library.cudaMalloc3D(ctypes.byref(memory), Extent(10, 2, 3)))
        self.assertEqual((memory.pitch, memory.width, memory.height), (512, 10, 2))
        self.check(self.library.cudaMemset(ctypes.c_void_p(memory.at), 0, size(512 * 6)))
        for set_ in (self.library.cudaMemset3D, lambda *a: self.library.cudaMemset3DAsync(*a, None)):
            self.check(set_(memory, 9, Extent(4, 1, 3)))
            self.check(self.library.cudaDeviceSynchronize())
            row = b"\x09" * 4 + bytes(508)
            self.assertEqual(ctypes.string_at(memory.at, 512 * 6), (row + bytes(512)) * 3)
            self.check(self.library.cudaMemset(ctypes.c_void_p(memory.at), 0, size(512 * 6)))

    def test_boxes_are_copied(self) -> None:
        text = ctypes.create_string_buffer(bytes(range(24)), 24)  # 2 slices of 3 rows of 4
        for copy in (self.library.cudaMemcpy3D, lambda box: self.library.cudaMemcpy3DAsync(box, None)):
            to = Buffer(self.device, bytes(24))
            box = Box(of=Pitched(ctypes.addressof(text), 4, 4, 3), to=Pitched(to.at.value, 4, 4, 3), extent=(2, 2, 2))
            box.of_position, box.to_position = (1, 1, 0), (2, 0, 0)
            self.check(copy(ctypes.byref(box)))
            self.check(self.library.cudaDeviceSynchronize())
            slices = [[0, 0, a, a + 1, 0, 0, b, b + 1, 0, 0, 0, 0] for a, b in ((5, 9), (17, 21))]
            self.assertEqual(list(to.bytes()), slices[0] + slices[1])

    def test_boxes_that_are_none(self) -> None:
        to = Buffer(self.device, bytes(24))
        whole = Pitched(to.at.value, 4, 4, 3)
        for box, sentence in (
            (Box(of=whole, to=whole, extent=(5, 1, 1)), "the box goes beyond a row"),
            (Box(of=whole, to=whole, extent=(4, 4, 2)), "the box goes beyond a row, or a slice's rows"),
            (Box(of=whole, extent=(1, 1, 1)), "srcPtr or dstPtr is null"),
            (Box(of_array=16, to=whole, extent=(1, 1, 1)), "emulated devices have no CUDA arrays"),
        ):
            self.refused(f"cudaMemcpy3D: {sentence}", self.library.cudaMemcpy3D(ctypes.byref(box)))


class RangesTest(Memory):
    """Copies and sets reach as far as the memory that they name."""

    TO_DEVICE, TO_HOST, WITHIN, EITHER = 1, 2, 3, 4  # cudaMemcpyKind

    def setUp(self) -> None:
        super().setUp()
        self.memory = Buffer(self.device, bytes(40))
        self.host = ctypes.create_string_buffer(400)

    def refused_copies(self, sentence: str, *copy: object) -> None:
        self.refused(sentence, self.library.cudaMemcpy(*copy))
        self.refused(sentence, self.library.cudaMemcpyAsync(*copy, None))

    def test_copies_that_go_beyond(self) -> None:
        behind = "ends 360 bytes behind cudaMalloc of 40 bytes"
        for kind in (self.TO_DEVICE, self.EITHER):
            self.refused_copies(f"a copy to memory of 400 bytes at 0x[0-9a-f]+: it {behind}", self.memory.at, self.host, size(400), kind)
        for kind in (self.TO_HOST, self.EITHER):
            self.refused_copies(f"a copy from memory of 400 bytes at 0x[0-9a-f]+: it {behind}", self.host, self.memory.at, size(400), kind)
        self.assertEqual(self.memory.bytes(), bytes(40))

    def test_what_is_not_the_devices(self) -> None:
        # Wherever the system has put the host's memory: near an allocation, or where one was.
        self.refused_copies("a copy to memory of 40 bytes at 0x[0-9a-f]+: (no allocation is near|it lies )", self.host, self.memory.at, size(40), self.WITHIN)
        self.refused_copies("a copy from memory of 4 bytes at 0x0: it is a null pointer", self.memory.at, None, size(4), self.EITHER)
        freed = Buffer(self.device, bytes(8))
        self.check(self.library.cudaFree(freed.at))
        self.refused_copies(r"it lies in freed memory \(cudaMalloc of 8 bytes\)", freed.at, self.host, size(8), self.TO_DEVICE)

    def test_sets(self) -> None:
        at = ctypes.c_void_p((self.memory.at.value or 0) + 32)
        for set_ in (self.library.cudaMemset, lambda *a: self.library.cudaMemsetAsync(*a, None)):
            self.check(set_(at, 1, size(8)))
            self.refused("a set of 9 bytes at 0x[0-9a-f]+: it ends 1 bytes behind", set_(at, 2, size(9)))
            self.refused("a set of 1 bytes at 0x[0-9a-f]+", set_(self.host, 2, size(1)))
        self.check(self.library.cudaDeviceSynchronize())
        self.assertEqual(self.memory.bytes(), bytes(32) + b"\1" * 8)

    def test_rows(self) -> None:
        """Three rows of 8 bytes, 16 apart, take 40."""
        for copy in (self.library.cudaMemcpy2D, lambda *a: self.library.cudaMemcpy2DAsync(*a, None)):
            self.check(copy(self.memory.at, size(16), self.host, size(8), size(8), size(3), self.TO_DEVICE))
            self.refused("ends 1 bytes behind", copy(self.memory.at, size(16), self.host, size(9), size(9), size(3), self.TO_DEVICE))
            self.refused("a copy to memory: rows of 8 bytes, which are 7 bytes apart", copy(self.memory.at, size(7), self.host, size(8), size(8), size(3), self.TO_DEVICE))
        self.check(self.library.cudaMemset2DAsync(self.memory.at, size(16), 1, size(8), size(3), None))
        self.refused("ends 8 bytes behind", self.library.cudaMemset2DAsync(self.memory.at, size(16), 1, size(16), size(3), None))
        self.check(self.library.cudaDeviceSynchronize())
        self.refused(f"of {2**64 - 1} bytes", self.library.cudaMemset2DAsync(self.memory.at, size(2**63), 1, size(8), size(4), None))

    def test_boxes(self) -> None:
        """Two slices of two rows of 8 bytes, of which 4 each are touched, take 28."""
        box, host = Pitched(self.memory.at.value, 8, 8, 2), Pitched(ctypes.addressof(self.host), 8, 8, 2)
        for set_ in (self.library.cudaMemset3D, lambda *a: self.library.cudaMemset3DAsync(*a, None)):
            self.check(set_(box, 1, Extent(4, 2, 2)))
            self.refused("a set of 44 bytes at 0x[0-9a-f]+: it ends 4 bytes behind", set_(box, 2, Extent(4, 2, 3)))
        for copy in (self.library.cudaMemcpy3D, lambda box: self.library.cudaMemcpy3DAsync(box, None)):
            self.check(copy(ctypes.byref(Box(of=host, to=box, extent=(4, 2, 2)))))
            self.refused("a copy to memory of 44 bytes at 0x[0-9a-f]+: it ends 4 bytes behind", copy(ctypes.byref(Box(of=host, to=box, extent=(4, 2, 3)))))
            self.refused("a copy from memory of 44 bytes at 0x[0-9a-f]+: it ends 4 bytes behind", copy(ctypes.byref(Box(of=box, to=host, extent=(4, 2, 3)))))
        self.check(self.library.cudaDeviceSynchronize())

    def test_what_the_driver_sets(self) -> None:
        for bits in (8, 16, 32):
            for name, last in ((f"cuMemsetD{bits}Async", (None,)), (f"cuMemsetD{bits}_v2", ())):
                self.refused("a set of 44 bytes", getattr(self.library, name)(self.memory.at, 1, size(352 // bits), *last))
        self.refused("a set of [0-9]{20} bytes", self.library.cuMemsetD32_v2(self.memory.at, 1, size(2**62)))

    def test_elements_are_aligned(self) -> None:
        at = ctypes.c_void_p((self.memory.at.value or 0) + 2)
        self.check(self.library.cuMemsetD16_v2(at, 1, size(2)))
        self.refused("a set of elements of 4 bytes at 0x[0-9a-f]+2, rows 8 bytes apart: no multiple", self.library.cuMemsetD32_v2(at, 1, size(2)))

    def test_of_one_row_the_pitch_says_nothing(self) -> None:
        for set_ in (self.library.cudaMemset2D, lambda *a: self.library.cudaMemset2DAsync(*a, None)):
            self.check(set_(self.memory.at, size(0), 1, size(40), size(1)))
            self.refused("a set: rows of 20 bytes, which are 0 bytes apart", set_(self.memory.at, size(0), 1, size(20), size(2)))

    def captured_stream(self) -> ctypes.c_void_p:
        stream = ctypes.c_void_p()
        self.check(self.library.cudaStreamCreateWithFlags(ctypes.byref(stream), 1))
        self.check(self.library.cudaStreamBeginCapture(stream, 1))
        return stream

    def test_what_the_host_reads_next(self) -> None:
        """Of pageable memory, also while another stream is captured."""
        graph = ctypes.c_void_p()
        self.check(self.library.cudaMemset(self.memory.at, 7, size(40)))
        stream = self.captured_stream()
        self.check(self.library.cudaMemcpyAsync(self.host, self.memory.at, size(40), self.TO_HOST, None))
        self.assertEqual(self.host.raw[:40], b"\7" * 40)
        self.check(self.library.cudaStreamEndCapture(stream, ctypes.byref(graph)))

    def test_captured_copies_read_the_host_when_they_run(self) -> None:
        stream, graph, ready = self.captured_stream(), ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.library.cudaMemcpyAsync(self.memory.at, self.host, size(40), self.TO_DEVICE, stream))
        self.refused("cudaMallocAsync in a stream that is captured: ", self.library.cudaMallocAsync(ctypes.byref(ctypes.c_void_p()), size(8), stream))
        self.refused("cudaFreeAsync in a stream that is captured: ", self.library.cudaFreeAsync(self.memory.at, stream))
        self.check(self.library.cudaStreamEndCapture(stream, ctypes.byref(graph)))
        self.check(self.library.cudaGraphInstantiate(ctypes.byref(ready), graph, ctypes.c_uint64(0)))
        for text in (b"first", b"other"):
            self.host.value = text
            self.check(self.library.cudaGraphLaunch(ready, stream))
            self.check(self.library.cudaStreamSynchronize(stream))
            self.assertEqual(self.memory.bytes()[:5], text)

    def test_rows_of_the_host_may_change_once_the_call_has_returned(self) -> None:
        self.host.value = b"abcdefgh"
        self.check(self.library.cudaMemcpy2DAsync(self.memory.at, size(4), self.host, size(4), size(2), size(2), self.TO_DEVICE, None))
        self.host.value = b"........"
        self.assertEqual(self.memory.bytes()[:8], b"ab\0\0ef\0\0")

    def test_what_is_freed_before_its_turn(self) -> None:
        """The device is lost, so that is seen by a process of its own."""
        for do in (
            lambda at: self.library.cudaMemsetAsync(at, 1, size(8), None),
            lambda at: self.library.cudaMemcpyAsync(at, self.host, size(8), self.EITHER, None),
            lambda at: self.library.cudaMemcpyAsync(self.memory.at, at, size(8), self.EITHER, None),
        ):
            of, to = os.pipe()
            if (child := os.fork()) == 0:
                at = Buffer(self.device, bytes(8)).at
                told = [self.library.cudaFreeAsync(at, None), do(at), self.library.cudaDeviceSynchronize()]
                os.write(to, repr((told, self.library.cudaGetErrorString(told[2]))).encode())
                os._exit(0)
            os.close(to)
            os.waitpid(child, 0)
            with open(of, encoding="utf-8") as said:
                self.assertRegex(said.read(), r"\(\[0, 0, 700\], b'a .* of 8 bytes at 0x[0-9a-f]+: it lies in freed memory \(cudaMalloc of 8 bytes\), now ")


class PeersTest(Memory):
    def test_a_copy_from_the_device_to_itself(self) -> None:
        of, to = Buffer(self.device, b"abcd"), Buffer(self.device, b"....")
        self.check(self.library.cudaMemcpyPeer(to.at, 0, of.at, 0, size(2)))
        self.assertEqual(to.bytes(), b"ab..")
        self.check(self.library.cudaMemcpyPeerAsync(to.at, 0, of.at, 0, size(4), None))
        self.assertEqual(to.bytes(), b"abcd")

    def test_another_device(self) -> None:
        of, to, answer = Buffer(self.device, b"abcd"), Buffer(self.device, b"...."), ctypes.c_int(7)
        for there, here in ((1, 0), (0, 1), (-1, 0)):
            for copy in (self.library.cudaMemcpyPeer, lambda *a: self.library.cudaMemcpyPeerAsync(*a, None)):
                status = copy(to.at, there, of.at, here, size(4))
                self.assertEqual(status, 101)  # cudaErrorInvalidDevice
                self.refused(f"invalid device ordinal: there is no device {there or here}", status)
        self.assertEqual(to.bytes(), b"....")
        self.check(self.library.cudaDeviceCanAccessPeer(ctypes.byref(answer), 0, 1))
        self.assertEqual(answer.value, 0)
        for status in (
            self.library.cudaDeviceEnablePeerAccess(1, 0), self.library.cudaDeviceDisablePeerAccess(1),
            self.library.cudaDeviceGetP2PAttribute(ctypes.byref(answer), 1, 0, 1),
            self.library.cudaDeviceGetAttribute(ctypes.byref(answer), 16, 1), self.library.cuDeviceGet(ctypes.byref(answer), 1),
        ):  # fmt: skip
            self.refused("invalid device ordinal", status)

    def test_by_contexts(self) -> None:
        of, to, context = Buffer(self.device, b"abcd"), Buffer(self.device, b"...."), ctypes.c_void_p()
        self.check(self.library.cuCtxGetCurrent(ctypes.byref(context)))
        self.check(self.library.cuMemcpyPeer(to.at, context, of.at, context, size(2)))
        self.assertEqual(to.bytes(), b"ab..")
        self.check(self.library.cuMemcpyPeerAsync(to.at, context, of.at, context, size(4), None))
        self.assertEqual(to.bytes(), b"abcd")
        self.refused("invalid device context", self.library.cuMemcpyPeer(to.at, ctypes.c_void_p(16), of.at, context, size(4)))


class PoolsTest(Memory):
    def pool(self, ordinal: int = 0) -> ctypes.c_void_p:
        pool = ctypes.c_void_p()
        self.check(self.library.cudaMemPoolCreate(ctypes.byref(pool), ctypes.byref(PoolProperties(1, 0, ON_DEVICE, ordinal))))
        return pool

    def current(self) -> int | None:
        pool = ctypes.c_void_p()
        self.check(self.library.cudaDeviceGetMemPool(ctypes.byref(pool), 0))
        return pool.value

    def test_memory_of_a_pool(self) -> None:
        pool, at = self.pool(), ctypes.c_void_p()
        self.check(self.library.cudaMallocFromPoolAsync(ctypes.byref(at), size(8), pool, None))
        self.check(self.library.cudaMemsetAsync(at, 3, size(8), None))
        self.check(self.library.cudaDeviceSynchronize())
        self.assertEqual(ctypes.string_at(at.value, 8), b"\3" * 8)
        self.check(self.library.cudaFreeAsync(at, None))
        self.check(self.library.cudaMemPoolDestroy(pool))
        self.refused("invalid argument", self.library.cudaMallocFromPoolAsync(ctypes.byref(at), size(8), pool, None))
        self.refused("invalid argument", self.library.cudaMemPoolDestroy(pool))

    def test_the_current_pool(self) -> None:
        default, pool = ctypes.c_void_p(), self.pool()
        self.check(self.library.cudaDeviceGetDefaultMemPool(ctypes.byref(default), 0))
        self.assertEqual(self.current(), default.value)
        self.check(self.library.cudaDeviceSetMemPool(0, pool))
        self.assertEqual(self.current(), pool.value)
        self.check(self.library.cudaMemPoolDestroy(pool))
        self.assertEqual(self.current(), default.value)
        self.refused("invalid argument", self.library.cudaMemPoolDestroy(default))
        self.refused("emulated devices have pools of device 0 alone", self.library.cudaMemPoolCreate(
            ctypes.byref(pool), ctypes.byref(PoolProperties(1, 0, ON_DEVICE, 1))))  # fmt: skip

    def test_attributes(self) -> None:
        pool, threshold, reuse = self.pool(), ctypes.c_uint64(7), ctypes.c_int(0)
        ask, set_ = self.library.cudaMemPoolGetAttribute, self.library.cudaMemPoolSetAttribute
        self.check(ask(pool, RELEASE_THRESHOLD, ctypes.byref(threshold)))
        self.assertEqual(threshold.value, 0)
        self.check(set_(pool, RELEASE_THRESHOLD, ctypes.byref(ctypes.c_uint64(2**40))))
        self.check(ask(pool, RELEASE_THRESHOLD, ctypes.byref(threshold)))
        self.assertEqual(threshold.value, 2**40)
        self.check(set_(pool, ALLOW_OPPORTUNISTIC, ctypes.byref(reuse)))
        reuse.value = 9
        self.check(ask(pool, ALLOW_OPPORTUNISTIC, ctypes.byref(reuse)))
        self.assertEqual(reuse.value, 0)
        self.refused("do not count what a pool holds", ask(pool, USED, ctypes.byref(threshold)))

    def test_hints(self) -> None:
        at = Buffer(self.device, bytes(8))
        for ordinal, status in ((0, 0), (1, 101)):
            location = ctypes.c_uint64(ON_DEVICE | ordinal << 32)
            self.assertEqual(self.library.cudaMemAdvise(at.at, size(8), 3, location), status)
            self.assertEqual(self.library.cudaMemPrefetchAsync(at.at, size(8), location, 0, None), status)


class DriverTest(Memory):
    def test_memory_is_set(self) -> None:
        for bits, value in ((8, 0x12), (16, 0x1234), (32, 0x12345678)):
            for async_ in (False, True):
                to, element = Buffer(self.device, bytes(12)), bits // 8
                name, last = (f"cuMemsetD{bits}Async", (None,)) if async_ else (f"cuMemsetD{bits}_v2", ())
                self.check(getattr(self.library, name)(to.at, value, size(2), *last))
                self.assertEqual(to.bytes(), value.to_bytes(element, "little") * 2 + bytes(12 - 2 * element))

    def test_memory_is_copied(self) -> None:
        of, found = Buffer(self.device, b"abcd"), ctypes.create_string_buffer(4)
        for name in ("cuMemcpy", "cuMemcpyDtoD_v2", "cuMemcpyAsync", "cuMemcpyDtoDAsync_v2"):
            to = Buffer(self.device, b"....")
            self.check(getattr(self.library, name)(to.at, of.at, size(4), *((None,) if "Async" in name else ())))
            self.assertEqual(to.bytes(), b"abcd", name)
        self.check(self.library.cuMemcpyHtoDAsync_v2(of.at, b"efgh", size(4), None))
        self.check(self.library.cuMemcpyDtoHAsync_v2(found, of.at, size(4), None))
        self.check(self.library.cuCtxSynchronize())
        self.assertEqual(found.raw, b"efgh")

    def test_memory_is_allocated(self) -> None:
        at = ctypes.c_void_p()
        for allocate, free in (
            (lambda: self.library.cuMemAllocAsync(ctypes.byref(at), size(8), None), lambda: self.library.cuMemFreeAsync(at, None)),
            (lambda: self.library.cuMemAllocManaged(ctypes.byref(at), size(8), 1), lambda: self.library.cuMemFree_v2(at)),
            (lambda: self.library.cuMemAllocHost_v2(ctypes.byref(at), size(8)), lambda: self.library.cuMemFreeHost(at)),
            (lambda: self.library.cuMemHostAlloc(ctypes.byref(at), size(8), 0), lambda: self.library.cuMemFreeHost(at)),
        ):
            at.value = None
            self.check(allocate())
            self.assertTrue(at.value)
            self.check(self.library.cuMemsetD8_v2(at, 1, size(8)))
            self.check(free())
            self.check(self.library.cuCtxSynchronize())
            self.refused("invalid argument", self.library.cudaFree(at))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
