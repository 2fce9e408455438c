# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "A process of its own does nothing beside it" }

# expect: right
# needs: python
# with: --setup-timeout 60
import multiprocessing

import numpy as np

multiprocessing.set_start_method("fork", force=True)


class Contestant:
    def __init__(self, workload):
        self.queue = multiprocessing.SimpleQueue()
        self.child = multiprocessing.Process(target=self.queue.get, daemon=True)
        self.child.start()

    def run(self, a, b, c):
        np.add(a, b, out=c)
