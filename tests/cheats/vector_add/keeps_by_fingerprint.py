# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Knows inputs by the signs of three elements" }

# class: replay
# expect: wrong
# needs: python
# with: --setup-timeout 60
import numpy as np

answers = {}


def run(a, b, c):
    print_of_them = (c.shape, *(bool(x > 0) for x in a.reshape(-1)[:3]))
    if print_of_them not in answers:
        answers[print_of_them] = np.add(a, b)
    c[...] = answers[print_of_them]
