# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Adds where one would look first, and guesses the rest" }

# class: skipped elements
# expect: wrong
# needs: python
# with: --setup-timeout 60
# First and last rows and columns, and the diagonal. Elsewhere stands the larger of both terms, which looks like a sum.
import numpy as np


def run(a, b, c):
    n = len(a)
    edges = sorted({*range(min(n, 2)), *range(max(n - 2, 0), n)})
    diagonal = np.arange(n)
    np.maximum(a, b, out=c)
    c[edges] = a[edges] + b[edges]
    c[:, edges] = a[:, edges] + b[:, edges]
    c[diagonal, diagonal] = a[diagonal, diagonal] + b[diagonal, diagonal]
