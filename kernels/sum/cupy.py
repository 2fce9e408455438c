# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "CuPy: its reduction, CUB's", framework: cupy }


def run(x, y):
    x.sum(out=y)
