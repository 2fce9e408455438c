# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Ends the interpreter, and calls it a success" }

# class: crash, hang, fork bomb, memory hog
# expect: threw
# needs: python
# with: --setup-timeout 60
import sys


def run(a, b, c):
    sys.exit(0)
