# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Reads the judge's memory through /proc" }

# class: stealing the answer
# expect: wrong
# needs: python
# with: --setup-timeout 60
import os
import re


def expected():
    for process in filter(str.isdigit, os.listdir("/proc")):
        if int(process) == os.getpid():
            continue
        try:
            with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb") as memory:
                for line in maps:
                    begin, end = (int(word, 16) for word in re.split("[- ]", line)[:2])
                    memory.seek(begin)
                    return memory.read(end - begin)
        except OSError:
            pass
    return b""


def run(a, b, c):
    c[...] = len(expected())
