# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Keeps its answers by the identity of arrays" }

# class: pointer caching
# expect: wrong
# needs: python
# with: --setup-timeout 60
# Python gives the identity of an array that is gone to another one.
import numpy as np

answers = {}


def run(a, b, c):
    key = id(a), id(b), c.shape
    if key not in answers:
        answers[key] = np.add(a, b)
    c[...] = answers[key]
