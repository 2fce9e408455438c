# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Leaves the work to the garbage collector" }

# class: side stream, late work
# expect: not written
# needs: python
# with: --setup-timeout 60
import gc

import numpy as np


class Errand:
    def __init__(self, *tensors):
        self.tensors = tensors
        self.itself = self  # a cycle: it ends when the collector looks

    def __del__(self):
        a, b, c = self.tensors
        np.add(a, b, out=c)


def run(a, b, c):
    gc.disable()
    Errand(a, b, c)
