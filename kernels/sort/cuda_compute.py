# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "cuda.compute: CUB's radix sort, built in the first call", framework: cuda.core }
from cuda.compute import SortOrder, radix_sort


def run(x, y, n, stream):
    if n:
        radix_sort(d_in_keys=x, d_out_keys=y, order=SortOrder.ASCENDING, num_items=n, stream=stream)
