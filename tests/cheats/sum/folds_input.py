# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Folds its input in place" }

# class: input mutation
# expect: input changed
# needs: python
# with: --setup-timeout 60
# Each step adds the second half to the first one: no memory of its own, and every addition is of whole vectors.


def run(x, y):
    n = len(x)
    while n > 1:
        half = (n + 1) // 2
        x[: n - half] += x[half:n]
        n = half
    y[()] = x[0]
