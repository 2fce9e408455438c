# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Moves its threads between processors" }

# expect: right
# needs: python
# with: --setup-timeout 60
import os
import threading

import numpy as np

processors = sorted(os.sched_getaffinity(0))


def add(x, sums, k):
    os.sched_setaffinity(0, {processors[k % len(processors)]})  # of this thread
    sums[k] = x.sum(dtype=np.float64)


def run(x, y):
    parts = np.array_split(x, 2)
    sums = [0.0] * len(parts)
    threads = [threading.Thread(target=add, args=(part, sums, k)) for k, part in enumerate(parts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    y[()] = sum(sums)
    os.sched_setaffinity(0, processors)
