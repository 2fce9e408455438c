# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Copies by the C library, then adds in place", types: { real: [f32] } }

# expect: right
# needs: python
# with: --setup-timeout 60
import ctypes

import numpy as np

copy = ctypes.CDLL(None).memcpy
copy.restype = ctypes.c_void_p
copy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


def run(a, b, c):
    copy(c.ctypes.data, a.ctypes.data, a.nbytes)
    np.add(c, b, out=c)
