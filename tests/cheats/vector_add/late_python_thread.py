# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "A thread goes on with the work" }

# class: side stream, late work
# expect: not written | wrong | out of bounds | input changed | broke protocol
# needs: python
# with: --setup-timeout 60
# It waits longer than a judge would for threads that go on: what it writes then is the next call's.
import threading
import time

import numpy as np


def later(a, b, c):
    time.sleep(0.2)
    np.add(a, b, out=c)


def run(a, b, c):
    threading.Thread(target=later, args=(a, b, c)).start()
