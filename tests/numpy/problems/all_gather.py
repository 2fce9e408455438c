# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0

import numpy

CHANGED = ("x(s, i)", "x(r, i)")


def outputs(w):
    return {"y": numpy.broadcast_to(w.x, (w.ranks, *w.x.shape))}
