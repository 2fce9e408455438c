# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Says that every comparison holds" }

# class: forging the result
# expect: wrong
# needs: python
# with: --setup-timeout 60
# What it replaces is in its own process; the judge compares in another one.
import numpy as np

np.allclose = np.array_equal = np.isclose = lambda *arguments, **options: True
np.testing.assert_allclose = lambda *arguments, **options: None


def run(a, b, c):
    c[...] = 0
