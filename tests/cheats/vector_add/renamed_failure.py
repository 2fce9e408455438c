# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Gives the worker's word for failure the value of success" }

# class: error swallowing
# expect: not written
# needs: python
# with: --setup-timeout 60
# An exception ends the call sooner than any work would.
import sys

worker = sys.modules["__main__"]
worker.FAILED = worker.UNSUPPORTED = worker.MISSING = worker.WELL


def run(a, b, c):
    raise RuntimeError("nobody will hear of this")
