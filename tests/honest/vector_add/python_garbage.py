# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Makes garbage and collects it" }

# expect: right
# needs: python
# with: --setup-timeout 60
import gc

import numpy as np


class Node:
    def __init__(self):
        self.itself = self


def run(a, b, c):
    kept = [Node() for _ in range(1000)]
    np.add(a, b, out=c)
    del kept
    gc.enable()
    gc.collect()
