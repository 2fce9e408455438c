# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "A compiled loop watches for the inputs while the gate is closed", framework: numba }

# class: inputs before their turn
# expect: wrong | not written | broke protocol
# needs: python
# with: --setup-timeout 60
# It needs no interpreter, and so holds no lock of Python's: whenever the ends of the input have changed, it adds them up.
import threading

import numba
import numpy as np


@numba.njit("void(f4[::1], f4[::1], u1[::1])", nogil=True)
def watch(x, sum, wanted):
    first = last = np.float32(np.nan)
    while wanted[0]:
        if x[0] != first or x[-1] != last:
            first, last = x[0], x[-1]
            total = np.float64(0)
            for one in x:
                total += one
            sum[0] = total


class Contestant:
    def __init__(self, workload):
        self.sum, self.wanted, self.threads = np.zeros(1, np.float32), np.ones(1, np.uint8), []

    def run(self, x, y):
        y[()] = self.sum[0]
        if len(self.threads) < 2:  # of where inputs lay before
            self.threads.append(threading.Thread(target=watch, args=(x, self.sum, self.wanted), daemon=True))
            self.threads[-1].start()

    def __del__(self):
        self.wanted[0] = 0
