#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Podium's cold times against the hardware's own, which CUPTI reads, of the same kernel and in one run; and nvbench's.

    rm -f /tmp/podium-steps.*.csv
    PODIUM_SANDBOX_WITHOUT="mount namespace,landlock" \
      podium run steps --problems tests/experiments --contestant traced --full --device cuda:0 --results /tmp/steps
    tests/experiments/clock.py /tmp/steps/*/* --empty 1.9     # µs, what the board says of an empty call

The contestant `traced` is the kernel of `plain` while CUPTI watches, which costs it time of its own, and writes what
CUPTI said to /tmp, which a sandboxed worker may not. Columns: medians of `plain`, of `traced`, of `traced` by CUPTI, and
how far apart the two times of the same launches are, less the empty call's; then means and standard deviations of all
samples of `plain`, and with --nvbench of nvbench's cold times of the same kernel, from what a benchmark with the axes n
and rounds wrote by --csv.
"""
import argparse
import collections
import csv
import json
import pathlib
import statistics
import sys


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--profiles", type=pathlib.Path, default="/tmp", help="folder of podium-steps.*.csv")
    parser.add_argument("--empty", type=float, required=True)
    parser.add_argument("--nvbench", type=pathlib.Path)
    options = parser.parse_args()

    profile = collections.defaultdict(list)
    for file in options.profiles.glob("podium-steps.*.csv"):
        for n, rounds, nanoseconds in csv.reader(file.read_text().splitlines()):
            profile[int(n), int(rounds)].append(int(nanoseconds) / 1000)
    nvbench = {}
    for row in csv.DictReader(options.nvbench.read_text().splitlines()) if options.nvbench else ():
        mean, noise = float(row["GPU Time (sec)"]) * 1e6, float(row["Noise"])  # of two such columns the last
        nvbench[int(row["n"]), int(row["rounds"])] = f"{mean:12.3f} ±{100 * noise:5.2f} %"
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    sizes = {}
    for line in (options.run / "entries.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry["round"] >= 0 and entry["microseconds"]:
            times[entry["workload"]][entry["contestant"]] += entry["microseconds"]
            sizes[entry["workload"]] = (entry["bytes"] / 8, entry["flops"])
    print(f"{'workload':16} {'plain':>10} {'traced':>10} {'CUPTI':>10} {'off, µs':>8} {'off, %':>7} {'plain, mean':>12} {'':8} {'nvbench':>12}")
    for workload, by in times.items():
        n, flops = sizes[workload]
        point = int(n), int(round(flops / n))
        if not profile[point]:
            sys.exit(f"{options.profiles}: no podium-steps.*.csv has a launch of {workload} (n = {point[0]}, rounds = {point[1]})")
        hardware = statistics.median(profile[point])
        plain, watched = statistics.median(by["plain"]), statistics.median(by["traced"])
        off = watched - options.empty - hardware
        mean = statistics.fmean(by["plain"])
        print(
            f"{workload:16} {plain:10.3f} {watched:10.3f} {hardware:10.3f} {off:8.3f} {100 * off / hardware:7.2f} "
            f"{mean:12.3f} ±{100 * statistics.stdev(by['plain']) / mean:5.2f} %{nvbench.get(point, '')}"
        )


if __name__ == "__main__":
    main()
