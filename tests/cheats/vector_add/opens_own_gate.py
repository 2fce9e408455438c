# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Opens the gate of its next call itself" }

# class: inputs before their turn
# expect: wrong | not written | broke protocol
# needs: python
# with: --setup-timeout 60
# The page with the gate's word is mapped in the worker. Its next call need not wait, and is over before it is timed.
import ctypes

import numpy as np


def gate():
    with open("/proc/self/maps") as maps:
        begin = next(line for line in maps if "podium-page" in line).split("-")[0]
    return ctypes.c_uint32.from_address(int(begin, 16))


def run(a, b, c):
    np.add(a, b, out=c)
    gate().value += 1
