# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Returns its answer instead of writing it" }

# class: stale memory
# expect: not written
# needs: python
# with: --setup-timeout 60
def run(a, b, c):
    return (a + b)[:, :]
