# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Memory that is mapped by hand (cuMemMap): a block at two addresses, of which blocks of a kernel hand a number on from one to
the other; and blocks side by side."""

from __future__ import annotations

import ctypes
import os
import sys
import unittest

from emulated import Device, options

_BLOCKS = 4096
_BYTES = 2 << 20
_PTX = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry relay(.param .u64 to, .param .u64 from)
{
  .reg .b32 %r<3>;
  .reg .b64 %a<5>;
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %a1, %r1, 4;
  ld.param.u64 %a2, [to];
  ld.param.u64 %a3, [from];
  add.u64 %a3, %a3, %a1;
  add.u64 %a4, %a2, %a1;
  ld.global.u32 %r2, [%a3];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%a4+4], %r2;
  ret;
}
"""


class _Properties(ctypes.Structure):
    """CUmemAllocationProp, of which the emulator reads nothing, and CUmemAccessDesc's beginning."""

    _fields_ = (("location", ctypes.c_int * 2), ("flags", ctypes.c_int), ("rest", ctypes.c_byte * 64))


_INVALID = 1  # CUDA_ERROR_INVALID_VALUE


class BlocksTest(unittest.TestCase):
    def setUp(self) -> None:
        self.device = Device(ARGUMENTS)
        self.check, self.library = self.device.check, self.device.library

    def reserve(self, blocks: int) -> int:
        at, zero = ctypes.c_ulonglong(), ctypes.c_ulonglong(0)
        self.check(self.library.cuMemAddressReserve(ctypes.byref(at), ctypes.c_size_t(blocks * _BYTES), ctypes.c_size_t(0), zero, zero))
        return at.value

    def free(self, at: int, blocks: int) -> int:
        return self.library.cuMemAddressFree(ctypes.c_ulonglong(at), ctypes.c_size_t(blocks * _BYTES))

    def create(self) -> ctypes.c_ulonglong:
        block = ctypes.c_ulonglong()
        self.check(self.library.cuMemCreate(ctypes.byref(block), ctypes.c_size_t(_BYTES), ctypes.byref(_Properties()), ctypes.c_ulonglong(0)))
        return block

    def map(self, at: int, block: ctypes.c_ulonglong) -> int:
        return self.library.cuMemMap(ctypes.c_ulonglong(at), ctypes.c_size_t(_BYTES), ctypes.c_size_t(0), block, ctypes.c_ulonglong(0))

    def set_access(self, at: int, blocks: int = 1, flags: int = 3) -> int:
        """`flags`: of CUmemAccess_flags, 3 to read and write, 0 for nothing."""
        return self.library.cuMemSetAccess(ctypes.c_ulonglong(at), ctypes.c_size_t(blocks * _BYTES), ctypes.byref(_Properties(flags=flags)), ctypes.c_size_t(1))

    def unmap(self, at: int, blocks: int = 1) -> int:
        return self.library.cuMemUnmap(ctypes.c_ulonglong(at), ctypes.c_size_t(blocks * _BYTES))

    def set(self, at: int, bytes_: int) -> int:
        return self.library.cudaMemset(ctypes.c_void_p(at), 1, ctypes.c_size_t(bytes_))

    def test_a_block_at_two_addresses_is_one_block(self) -> None:
        block, addresses = self.create(), []
        for _ in range(2):
            at = self.reserve(1)
            self.check(self.map(at, block))
            self.check(self.set_access(at))
            addresses.append(ctypes.c_ulonglong(at))
        module = self.device.load(_PTX)
        for _ in range(3):
            ctypes.memset(addresses[0].value, 0, _BYTES)
            self.device.launch(module, "relay", _BLOCKS, 1, addresses)
            numbers = (ctypes.c_uint32 * (_BLOCKS + 1)).from_address(addresses[1].value)
            self.assertTrue(list(numbers) == list(range(_BLOCKS + 1)), "what is written at one address is not read at the other")

    def test_blocks_side_by_side_are_one_allocation(self) -> None:
        at = self.reserve(3)
        for i in range(2):
            self.check(self.map(at + i * _BYTES, self.create()))
            self.check(self.set_access(at + i * _BYTES))
        self.check(self.set(at, 2 * _BYTES))
        self.check(self.set_access(at, 2))  # again, and of both
        self.check(self.set(at + _BYTES // 2, _BYTES))
        self.assertEqual(self.set(at + _BYTES, _BYTES + 1), _INVALID)
        self.check(self.unmap(at))
        self.check(self.set(at + _BYTES, _BYTES))
        self.assertEqual(self.set(at, 1), _INVALID)
        self.check(self.set_access(at + _BYTES, flags=0))
        self.assertEqual(self.set(at + _BYTES, 1), _INVALID)

    def test_reserved_ranges_that_are_neighbours_are_two(self) -> None:
        """Wherever the system puts them: of two ranges beside each other nothing reaches from one into the next."""
        ranges = sorted(self.reserve(1) for _ in range(2))
        for each in ranges:
            self.check(self.map(each, self.create()))
            self.check(self.set_access(each))
        self.assertEqual(self.set(ranges[0], _BYTES + 1), _INVALID)
        self.check(self.set(ranges[1], _BYTES))

    def test_ranges_that_are_none(self) -> None:
        at, block = self.reserve(2), self.create()
        self.check(self.map(at, block))
        self.assertEqual(self.set_access(at, 2), _INVALID)  # half of it is not mapped
        self.assertEqual(self.unmap(at, 2), _INVALID)
        self.assertEqual(self.set_access(at + _BYTES), _INVALID)
        self.assertEqual(self.map(at + 3 * _BYTES // 2, block), _INVALID)  # beyond the range
        self.assertEqual(self.free(at, 1), _INVALID)  # half of it
        self.assertEqual(self.free(at, 2), _INVALID)  # mapped
        self.check(self.unmap(at))
        self.check(self.free(at, 2))
        self.assertEqual(self.map(at, block), _INVALID)


if __name__ == "__main__":
    ARGUMENTS = options()
    os.environ["PODIUM_EMULATED_THREADS"] = "4"
    unittest.main(argv=sys.argv[:1])
