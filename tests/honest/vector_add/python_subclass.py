# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Works with a subclass of arrays that counts" }

# expect: right
# needs: python
# with: --setup-timeout 60
import numpy as np


class Counted(np.ndarray):
    calls = 0

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        Counted.calls += 1
        plain = [np.asarray(one) for one in inputs]
        if out is not None:
            options["out"] = tuple(np.asarray(one) for one in out)
        return getattr(ufunc, method)(*plain, **options)


def run(a, b, c):
    np.add(a.view(Counted), b.view(Counted), out=c.view(Counted))
