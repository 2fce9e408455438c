# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Keeps its answers by shape" }

# class: replay
# expect: wrong
# needs: python
# with: --setup-timeout 60
import numpy as np

answers = {}


def run(a, b, c):
    if c.shape not in answers:
        answers[c.shape] = np.add(a, b)
    c[...] = answers[c.shape]
