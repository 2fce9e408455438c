# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0

import numpy

CHANGED = ("x(0, i)", "x(r, i)")


def outputs(w):
    return {"y": numpy.broadcast_to(w.x[0], w.x.shape)}
