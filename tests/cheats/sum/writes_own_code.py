# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Stops the worker's clock through /proc/self/mem" }

# class: patched clock or statistics
# expect: clock
# needs: python
# with: --setup-timeout 60
# That file writes to pages of code, too, which the process itself may only read. Every reading of the clock is 0 from then on.
import ctypes
import platform

READS_ZERO = {"x86_64": "48c7060000000048c746080000000031c0c3", "aarch64": "3f7c00a900008052c0035fd6"}

with open("/proc/self/mem", "r+b", buffering=0) as memory:
    memory.seek(ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value)
    memory.write(bytes.fromhex(READS_ZERO[platform.machine()]))


def run(x, y):
    x.sum(out=y)
    ctypes.CDLL(None).usleep(5000)
