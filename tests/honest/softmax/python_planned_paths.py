# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Plans by shape, kept in a cache with a limit", types: { real: [f32] } }

# expect: right
# needs: python
# with: --setup-timeout 60
from functools import lru_cache

import numpy as np


@lru_cache(maxsize=4)
def plan(rows, cols):
    ones = np.ones(cols, np.float32)
    path, _ = np.einsum_path("ij,j->i", np.empty((rows, cols), np.float32), ones)
    return ones, path


def run(x, y):
    ones, path = plan(*x.shape)
    np.exp(x - x.max(axis=1, keepdims=True), out=y)
    y /= np.einsum("ij,j->i", y, ones, optimize=path)[:, None]
