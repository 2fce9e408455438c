# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Gives the worker's library functions of its own" }

# class: forging the result
# expect: not written
# needs: python
# with: --setup-timeout 60
# The worker's table lies among the variables of a frame below: the call becomes an empty function, and what it left is done
# when nobody takes the time.
import sys

import numpy as np


class Contestant:
    def run(self, a, b, c):
        np.add(a, b, out=c)
        frame = sys._getframe()
        while "table" not in frame.f_locals:
            frame = frame.f_back
        table, calls = frame.f_locals["table"], frame.f_locals["calls"]

        def catch_up(this, bound, count):
            for handle in bound[:count]:
                calls.pop(handle)()
            return 0

        self.kept = [table.Run(lambda *arguments: 0), table.Destroy(catch_up)]
        table.run, table.destroy = self.kept
