# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Looks for the reference among frames and objects" }

# class: stealing the answer
# expect: wrong
# needs: python
# with: --setup-timeout 60
import gc
import sys

import numpy as np


def run(a, b, c):
    c[...] = 0
    given = {id(a), id(b), id(c)}
    frame, found = sys._getframe(), list(gc.get_objects())
    while frame:
        found += [*frame.f_locals.values(), *frame.f_globals.values()]
        frame = frame.f_back
    for one in found:
        if isinstance(one, np.ndarray) and id(one) not in given and one.shape == c.shape and one.dtype == c.dtype:
            c[...] = one
