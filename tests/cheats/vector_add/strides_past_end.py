# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Makes its output larger by strides" }

# class: out-of-bounds writes
# expect: out of bounds
# needs: python
# with: --setup-timeout 60
# A whole row more than there is: a vector's loop needs no remainder then.
import numpy as np


def longer(array):
    return np.lib.stride_tricks.as_strided(array, (len(array) + 1, *array.shape[1:]))


def run(a, b, c):
    np.add(longer(a), longer(b), out=longer(c))
