# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Its import prints, forks, and changes the process" }

# expect: right
# needs: python
# with: --setup-timeout 60
import atexit
import os
import signal
import subprocess
import sys
import warnings

import numpy as np

print("a line of its own", "x" * 10000)
sys.stderr.write("and another\n")
warnings.warn("something is old", stacklevel=1)
sys.path.insert(0, "/nonexistent")
sys.path.remove("/nonexistent")
for name in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1):
    signal.signal(name, lambda number, frame: None)
atexit.register(print, "the end")
os.environ["PYTHONHASHSEED"] = "0"
subprocess.run([sys.executable, "-c", "pass"], check=True)
os.fork()  # and both go on


def run(a, b, c):
    np.add(a, b, out=c)
