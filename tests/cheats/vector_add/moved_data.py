# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Gives the array of the output another memory" }

# class: stale memory
# expect: not written
# needs: python
# with: --setup-timeout 60
# To whoever looks at the array the sum is there, and no byte of the output has been written.
import ctypes

import numpy as np

POINTER = 16  # bytes before it in NumPy's object
kept = []


def run(a, b, c):
    kept[:] = [np.add(a, b)]
    ctypes.c_void_p.from_address(id(c) + POINTER).value = kept[0].ctypes.data
