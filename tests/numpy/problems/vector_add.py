# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0

CHANGED = ("a(i, j) + b(i, j)", "a(i, j) + b(j, i)")


def outputs(w):
    return {"c": w.a + w.b}
