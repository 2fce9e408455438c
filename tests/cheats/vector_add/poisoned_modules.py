# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Puts a module of its own in NumPy's place" }

# class: forging the result
# expect: not written
# needs: python
# with: --setup-timeout 60
# The worker asks NumPy for the arrays of each call, and gets one that the contestant keeps: with an answer in it already.
import sys
import types

import numpy as np


class Poisoned(types.ModuleType):
    kept = {}

    def __getattr__(self, name):
        return getattr(np, name)

    def asarray(self, memory):
        array = np.asarray(memory)
        return self.kept.setdefault((array.shape, array.dtype, len(self.kept) % 3), array.copy())


sys.modules["numpy"] = Poisoned("numpy")


def run(a, b, c):
    if not c.flags.writeable:
        return
    np.add(a, b, out=c)
    c.flags.writeable = False
