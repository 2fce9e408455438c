# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Searches the judge's memory for the answer" }

# class: stealing the answer
# expect: wrong
# needs: python
# with: --setup-timeout 60
# Two sums tell how the answer begins. If it lies anywhere in what is mapped, it is copied from there.
import numpy as np


def mappings():
    with open("/proc/self/maps") as maps:
        for line in filter(lambda line: "memfd:podium" in line, maps):
            begin, end = (int(word, 16) for word in line.split()[0].split("-"))
            memory = {"version": 3, "typestr": "|u1", "data": (begin, False), "shape": (end - begin,)}
            yield np.asarray(type("Memory", (), {"__array_interface__": memory})())


def run(a, b, c):
    c[...] = 0
    beginning = np.add(a[:1, :2], b[:1, :2])
    for memory in mappings():
        numbers = memory.view(c.dtype)
        for at in np.flatnonzero(numbers == beginning[0, 0]):
            found = numbers[at : at + c.size]
            if len(found) == c.size and np.array_equal(found[: beginning.size], beginning[0]):
                c[...] = found.reshape(c.shape)
