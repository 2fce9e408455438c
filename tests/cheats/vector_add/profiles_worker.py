# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "A profiler's hook does the work when the worker clears up" }

# class: side stream, late work
# expect: not written
# needs: python
# with: --setup-timeout 60
import sys

import numpy as np

left = []


def hook(frame, event, argument):
    if event == "call" and frame.f_code.co_name == "end":  # of the worker's class, when a call's time is known
        while left:
            a, b, c = left.pop()
            np.add(a, b, out=c)


def run(a, b, c):
    left.append((a, b, c))
    sys.setprofile(hook)
