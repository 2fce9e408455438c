# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "An array that is computed when somebody looks" }

# class: side stream, late work
# expect: not written
# needs: python
# with: --setup-timeout 60
import numpy as np


class Lazy(np.ndarray):
    def __array_finalize__(self, other):
        self.terms = getattr(other, "terms", None)

    def __getitem__(self, key):
        return np.add(*self.terms)[key]

    def __array__(self, *arguments, **options):
        return np.add(*self.terms)


def run(a, b, c):
    lazy = c.view(Lazy)
    lazy.terms = (a, b)
    return lazy
