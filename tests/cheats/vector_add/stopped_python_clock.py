# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
# podium: { title: "Replaces the clock and sleeps for a while" }

# class: sleeping in warm-up
# expect: hung
# needs: python
# with: --setup-timeout 20
# Its clock stands still, so that nobody would notice how long it takes: the limits are podium's.
import sys
import time
import types

sleep = time.sleep
stopped = types.ModuleType("time")
stopped.perf_counter = stopped.time = stopped.monotonic = lambda: 0.0
stopped.perf_counter_ns = stopped.time_ns = stopped.monotonic_ns = lambda: 0
sys.modules["time"] = stopped
time.perf_counter = time.time = time.monotonic = lambda: 0.0


def run(a, b, c):
    sleep(1000)
