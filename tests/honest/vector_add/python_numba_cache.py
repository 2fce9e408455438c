# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Keeps what it compiles in a cache", framework: numba, types: { real: [f32] } }

# expect: right
# needs: python
# with: --setup-timeout 60
import numba


@numba.njit(["f4[:,::1](f4[:,::1], f4[:,::1], f4[:,::1])"], cache=True)
def add(a, b, c):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            c[i, j] = a[i, j] + b[i, j]
    return c


def run(a, b, c):
    add(a, b, c)
