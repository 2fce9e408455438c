# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Adds inputs up while they are written", framework: numba }

# class: inputs before their turn
# expect: wrong | not written | broke protocol
# needs: python
# with: --setup-timeout 60
# The worker makes the arrays of a call before its gate opens, by a function that is replaced here. From then on a compiled
# loop, which needs no interpreter, waits for both ends of the input to change.
import sys
import threading

import numba
import numpy as np


@numba.njit("void(f4[::1], f8[::1])", nogil=True)
def watch(x, found):
    first, last = x[0], x[-1]
    while found[1] == 0 and (x[0] == first or x[-1] == last):
        found[2] += 1  # lest the compiler reads x only once
    total = 0.0
    for one in x:
        total += one
    found[0] = total
    found[1] = 1


latest = np.zeros(3)  # the sum, whether it is there, and how often it looked


class Watching(sys.modules["__main__"].Numba):
    def array(self, memory, dtype):
        global latest
        array = super().array(memory, dtype)
        if array.ndim:  # the input
            latest[1] = 1  # ends who watched before
            latest = np.zeros(3)
            threading.Thread(target=watch, args=(array, latest), daemon=True).start()
        return array


sys.modules["__main__"].FRAMEWORKS["numba"] = Watching
worker = sys._getframe()
while "contestant" not in worker.f_locals:
    worker = worker.f_back
worker.f_locals["contestant"].framework = Watching(gpu=False)


def run(x, y):
    y[()] = latest[0] if latest[1] else 0
