# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0

CHANGED = ('value: "x(i, j)"', 'value: "x(i, cols - 1 - j)"')


def outputs(w):
    return {"y": w.x.T}
