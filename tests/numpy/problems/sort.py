# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
import numpy

CHANGED = ("{ sorted: y }", "{ sorted: y, descending: true }")


def outputs(w):
    return {"y": numpy.sort(w.x)}
