# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "A forked process goes on with the work" }

# class: side stream, late work
# expect: not written | wrong | out of bounds | input changed | broke protocol
# needs: python
# with: --setup-timeout 60
# The judge's memory is shared by all who have it mapped, a child included.
import os
import signal
import time

import numpy as np

signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them


def run(a, b, c):
    if os.fork() == 0:
        time.sleep(0.02)
        np.add(a, b, out=c)
        os._exit(0)
