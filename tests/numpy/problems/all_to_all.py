# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0

CHANGED = ("x(s, r, i)", "x(r, s, i)")


def outputs(w):
    return {"y": w.x.transpose(1, 0, 2)}
