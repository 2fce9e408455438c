# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A block of memory at two addresses (cuMemMap): blocks of a kernel that hand a number on from one to the other."""

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


class BlocksTest(unittest.TestCase):
    def test_a_block_at_two_addresses_is_one_block(self) -> None:
        device = Device(ARGUMENTS)
        library, size = device.library, ctypes.c_size_t(_BYTES)
        block = ctypes.c_ulonglong()
        readable_and_writable = _Properties(flags=3)  # CU_MEM_ACCESS_FLAGS_PROT_READWRITE
        device.check(library.cuMemCreate(ctypes.byref(block), size, ctypes.byref(_Properties()), ctypes.c_ulonglong(0)))
        addresses = []
        for _ in range(2):
            at = ctypes.c_ulonglong()
            zero = ctypes.c_ulonglong(0)
            device.check(library.cuMemAddressReserve(ctypes.byref(at), size, ctypes.c_size_t(0), zero, zero))
            device.check(library.cuMemMap(at, size, ctypes.c_size_t(0), block, zero))
            device.check(library.cuMemSetAccess(at, size, ctypes.byref(readable_and_writable), ctypes.c_size_t(1)))
            addresses.append(at)
        module = device.load(_PTX)
        for _ in range(3):
            ctypes.memset(addresses[0].value, 0, _BYTES)
            device.launch(module, "relay", _BLOCKS, 1, addresses)
            numbers = (ctypes.c_uint32 * (_BLOCKS + 1)).from_address(addresses[1].value)
            self.assertTrue(list(numbers) == list(range(_BLOCKS + 1)), "what is written at one address is not read at the other")


if __name__ == "__main__":
    ARGUMENTS = options()
    os.environ["PODIUM_EMULATED_THREADS"] = "4"
    unittest.main(argv=sys.argv[:1])
