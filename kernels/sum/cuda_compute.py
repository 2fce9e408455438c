# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "cuda.compute: CUB's reduction, built in the first call", framework: cuda.core }
import numpy as np
from cuda.compute import OpKind, reduce_into

zero = np.zeros(1, np.float32)


def run(x, y, n, stream):
    reduce_into(d_in=x, d_out=y, op=OpKind.PLUS, h_init=zero, num_items=n, stream=stream)
