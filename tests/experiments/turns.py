#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How much longer the judge's interval is than the call, by the length of the call and the number behind one gate.

    tests/experiments/turns.py RUN      # a folder with entries.jsonl

Beside a GPU judge and worker spin, so what is left is the device's: it turns from the judge's work to the worker's when
the gate opens, and back to that which ends the interval. Microseconds: of each entry the median over its samples, and
of these the median and quartiles over all entries of contestants that do not wait inside the call.
"""
import argparse
import collections
import json
import pathlib
import statistics

ENDS = (20, 50, 200, 1000)  # of the groups by length, microseconds


def differences(column: dict) -> list:
    return [judged - called for called, judged in zip(column["microseconds"], column["judge_microseconds"])]


def group_of(microseconds: float) -> str:
    return next((f"calls below {end} µs" for end in ENDS if microseconds < end), f"calls from {ENDS[-1]} µs on")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    groups = collections.defaultdict(list)
    for line in (parser.parse_args().run / "entries.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["verdict"] != "right" or entry.get("blocking") or not entry.get("judge_microseconds"):
            continue
        groups[group_of(statistics.median(entry["microseconds"]))].append(statistics.median(differences(entry)))
        if together := entry.get("together"):
            groups[f"{together['calls']} calls behind one gate"].append(statistics.median(differences(together)))
    print(f"{'':28} {'entries':>8} {'median':>8}   quartiles")
    for name in sorted(groups, key=lambda name: (len(name), name)):
        values = groups[name]
        low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
        print(f"{name:28} {len(values):8} {middle:8.1f}   {low:.1f} to {high:.1f}")


if __name__ == "__main__":
    main()
