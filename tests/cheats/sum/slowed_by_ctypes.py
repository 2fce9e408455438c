# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Makes the C library's clock a thousand times slower" }

# class: patched clock or statistics
# expect: clock
# needs: python
# with: --setup-timeout 60
# Python's own clocks mean nothing to the worker, whose library reads the time in C. So the code of clock_gettime becomes a
# jump to a compiled function.
import ctypes
import mmap

import numba

kernel = ctypes.CDLL(None).syscall
kernel.argtypes, kernel.restype = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p], ctypes.c_long
clock_gettime = 228  # of x86-64


@numba.cfunc("int32(int64, CPointer(int64))")
def slow(clock, at):
    timespec = numba.carray(at, 2)
    kernel(clock_gettime, clock, timespec.ctypes)
    now = (timespec[0] * 1_000_000_000 + timespec[1]) // 1000
    timespec[0], timespec[1] = now // 1_000_000_000, now % 1_000_000_000
    return 0


def overwrite(function, instead):
    at = ctypes.cast(function, ctypes.c_void_p).value
    page = at // mmap.PAGESIZE * mmap.PAGESIZE
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(page), ctypes.c_size_t(2 * mmap.PAGESIZE), 7)
    jump = b"\x48\xb8" + instead.to_bytes(8, "little") + b"\xff\xe0"  # mov rax, instead; jmp rax
    ctypes.memmove(at, jump, len(jump))


overwrite(ctypes.CDLL(None).clock_gettime, slow.address)


def run(x, y):
    x.sum(out=y)
    ctypes.CDLL(None).usleep(20000)
