#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Podium's cold times against the hardware's own, which CUPTI reads, of the same kernel and in one run.

    rm -f /tmp/podium-steps.*.csv
    podium run steps --problems tests/experiments --contestant traced --full --device cuda:0 --results /tmp/steps
    tests/experiments/clock.py /tmp/steps/*/* --empty 1.9     # µs, what `podium calibrate` says of an empty call

Columns: medians of the contestant `plain`, of `traced` (the same kernel, watched by CUPTI, which costs it time of its
own), of `traced` by CUPTI, and how far apart the two times of the same launches are, less the empty call's.
"""
import argparse
import collections
import csv
import json
import pathlib
import statistics


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--profiles", type=pathlib.Path, default="/tmp", help="folder of podium-steps.*.csv")
    parser.add_argument("--empty", type=float, required=True)
    options = parser.parse_args()

    profile = collections.defaultdict(list)
    for file in options.profiles.glob("podium-steps.*.csv"):
        for n, rounds, nanoseconds in csv.reader(file.read_text().splitlines()):
            profile[int(n), int(rounds)].append(int(nanoseconds) / 1000)
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    sizes = {}
    for line in (options.run / "entries.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["round"] >= 0 and entry["microseconds"]:
            times[entry["workload"]][entry["contestant"]] += entry["microseconds"]
            sizes[entry["workload"]] = (entry["bytes"] / 8, entry["flops"])
    print(f"{'workload':16} {'plain':>10} {'traced':>10} {'CUPTI':>10} {'off, µs':>8} {'off, %':>7}")
    for workload, by in times.items():
        n, flops = sizes[workload]
        hardware = statistics.median(profile[int(n), int(round(flops / n))])
        plain, watched = statistics.median(by["plain"]), statistics.median(by["traced"])
        off = watched - options.empty - hardware
        print(f"{workload:16} {plain:10.3f} {watched:10.3f} {hardware:10.3f} {off:8.3f} {100 * off / hardware:7.2f}")


if __name__ == "__main__":
    main()
