# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Changes locale, time zone, limits and working directory" }

# expect: right
# needs: python
# with: --setup-timeout 60
import contextlib
import decimal
import locale
import os
import resource
import sys
import tempfile
import time

import numpy as np

with contextlib.suppress(locale.Error):
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
os.environ["TZ"] = "Pacific/Chatham"
time.tzset()
os.chdir(tempfile.mkdtemp())
os.umask(0o077)
decimal.getcontext().prec = 50
sys.setswitchinterval(1e-4)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(x, y):
    y[()] = np.add.reduce(x, dtype=np.longdouble)
