# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "A handler of signals does the work when the call is over" }

# class: side stream, late work
# expect: not written | wrong | out of bounds | input changed | broke protocol
# needs: python
# with: --setup-timeout 60
# Python's own handlers wait until Python runs again. This one is the C library's, and interrupts the worker as it listens.
import ctypes
import signal

import numpy as np

left = []


@ctypes.CFUNCTYPE(None, ctypes.c_int)
def handler(number):
    while left:
        a, b, c = left.pop()
        np.add(a, b, out=c)


ctypes.CDLL(None).signal(signal.SIGALRM, handler)


def run(a, b, c):
    left.append((a, b, c))
    signal.setitimer(signal.ITIMER_REAL, 0.002)
