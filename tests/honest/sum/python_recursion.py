# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Recurses, and raises the limit for it" }

# expect: right
# needs: python
# with: --setup-timeout 60
import sys
import threading

import numpy as np

sys.setrecursionlimit(20_000)
threading.stack_size(64 << 20)


def total(parts):
    return parts[0] + total(parts[1:]) if len(parts) else 0.0


def run(x, y):
    sums = np.add.reduceat(x, range(0, len(x), max(1, len(x) // 2000)), dtype=np.float64)
    thread = threading.Thread(target=lambda: y.__setitem__((), total(sums)))
    thread.start()
    thread.join()
