# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Keeps its answers by the addresses of all tensors" }

# class: pointer caching
# expect: wrong
# needs: python
# with: --setup-timeout 60
# Addresses differ from call to call, so it helps itself to those that lie close.
import numpy as np

answers = []


def run(a, b, c):
    place = c.ctypes.data
    for known, answer in answers:
        if abs(known - place) < 1 << 30 and answer.shape == c.shape:
            c[...] = answer
            return
    answers.append((place, np.add(a, b)))
    c[...] = answers[-1][1]
