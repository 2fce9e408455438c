# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Puts a module of its own in NumPy's place" }

# class: forging the result
# expect: not written
# needs: python
# with: --setup-timeout 60
# The worker asks NumPy for the arrays of each call, the output last. It gets an output that has its answer from the first
# call of that size; a judge that asked the same NumPy would look at that, too.
import sys
import types

import numpy as np


class Poisoned(types.ModuleType):
    made, kept = 0, {}

    def __getattr__(self, name):
        return getattr(np, name)

    def asarray(self, memory):
        self.made += 1
        array = np.asarray(memory)
        return array if self.made % 3 else self.kept.setdefault((array.shape, array.dtype), array.copy())


sys.modules["numpy"] = Poisoned("numpy")
filled = set()


def run(a, b, c):
    if id(c) not in filled:
        np.add(a, b, out=c)
    filled.add(id(c))
