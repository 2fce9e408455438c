# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Starts itself again, with a library of its own in front" }

# class: crash, hang, fork bomb, memory hog
# expect: crashed | exited
# needs: python
# with: --setup-timeout 60
import os
import sys


def run(a, b, c):
    os.environ["LD_PRELOAD"] = "/tmp/mine.so"
    os.execv(sys.executable, [sys.executable, "-c", "pass"])
