#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Contestants that fail their context on a GPU, beside one that is right: what they cost others, and what they leave.

    tests/faults/device.py --podium build/cuda/bin/podium [--device cuda:0] [--runs 3]

An address that is not there (error 700), a trap (719), an assertion (710) and memory taken until there is none must be
rows of their own; `plain` beside them has every entry, and its time. Afterwards no process lives, /dev/shm and /tmp are
empty, the device holds as much memory as before, and a run of `plain` alone is right. Exit status 77 without a device.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import watched

SKIPPED, NO_DEVICE = 77, 3  # as CTest is told; podium's exit status
VERDICTS = {
    "illegal_address": ("device error", "cudaErrorIllegalAddress"),
    "traps": ("device error", "cudaErrorLaunchFailure"),
    "asserts": ("device error", "cudaErrorAssert"),
    "takes_all_memory": ("threw", "the device's memory is used up"),
}
PLAIN, PLAIN_ENTRIES = "plain", 2 + 2 * 2  # two test workloads; two rounds of it and its twin
NOISE = 0.1  # of its time
FORGIVEN_MIB = 8  # the driver's own, of a device that another process may use as well


def memory_used(device: str) -> int:
    """MiB, from the driver."""
    query = ["nvidia-smi", "--id", device.split(":")[1], "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
    return int(subprocess.run(query, capture_output=True, text=True, check=True).stdout)


def settled(device: str, before: int) -> int:
    """MiB that are missing once contexts had time to go."""
    end = time.monotonic() + watched.PATIENCE
    while (more := memory_used(device) - before) > FORGIVEN_MIB and time.monotonic() < end:
        time.sleep(0.1)
    return max(more, 0)


def plain_of(entries: list[dict]) -> tuple[list[str], list[float]]:
    """Faults, and medians of its rounds."""
    own = [entry for entry in entries if entry["contestant"] == PLAIN]
    faults = [f"{PLAIN} is {one['verdict']}: {one['text']}" for one in own if one["verdict"] != "right"]
    if len(own) != PLAIN_ENTRIES:
        faults.append(f"{PLAIN} has {len(own)} entries, expected {PLAIN_ENTRIES}")
    return faults, [entry["median"] for entry in own if entry["round"] >= 0]


def faults_of(entries: list[dict]) -> list[str]:
    faults = []
    for name, (verdict, words) in VERDICTS.items():
        own = [entry for entry in entries if entry["contestant"] == name]
        if not own or own[-1]["verdict"] != verdict or words not in own[-1]["text"]:
            got = f"{own[-1]['verdict']}: {own[-1]['text']}" if own else "without a row"
            faults.append(f"{name} is {got}; expected {verdict}: {words}")
    return faults


def one(podium: pathlib.Path, device: str, work: pathlib.Path, alone: bool, others: set[str]) -> tuple[list[str], list[float]] | None:
    """Faults of a run, and the medians of `plain`; none: there is no device."""
    before = memory_used(device)
    run = watched.Run(podium, work, device=device, contestants=(PLAIN,) if alone else ())
    try:
        status = run.wait()
        if status == NO_DEVICE:
            return None
        entries = [json.loads(line) for line in run.recorded().splitlines()]
        faults, times = plain_of(entries)
        faults += [] if alone else faults_of(entries)
        if status != (0 if alone else 1):
            faults.append(f"status {status}: {run.said()[-400:]}")
        left = watched.processes_left() + sorted(set(watched.leftovers()) - others)
        faults += [f"{one} was left" for one in left]
        if missing := settled(device, before):
            faults.append(f"{missing} MiB of the device's memory were left")
        return faults, times
    except subprocess.TimeoutExpired:
        return ["podium hangs"], []
    finally:
        run.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", type=pathlib.Path, default=watched.ROOT / "build/cuda/bin/podium")
    parser.add_argument("--device", default="cuda:0")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    if subprocess.run(["sh", "-c", "command -v nvidia-smi"], capture_output=True, check=False).returncode != 0:
        print("skipped: there is no nvidia-smi to ask for the device's memory")
        return SKIPPED
    if not watched.alone():
        print("not alone: what others leave in /dev/shm and /tmp counts as left behind")
    watched.adopt_orphans()
    at_first = set(watched.leftovers())
    faults, times = [], {True: [], False: []}
    with tempfile.TemporaryDirectory(prefix="podium-faults-", dir="/var/tmp") as work:
        for number in range(options.runs):
            for alone in (False, True):
                name = f"run {number}, {'alone' if alone else 'beside four that fail'}"
                found = one(options.podium.resolve(), options.device, pathlib.Path(work) / f"{number}{alone}", alone, at_first)
                if found is None:
                    print(f"skipped: no {options.device}")
                    return SKIPPED
                faults += [f"{name}: {fault}" for fault in found[0]]
                times[alone] += found[1]
    medians = {alone: statistics.median(of) if of else float("nan") for alone, of in times.items()}
    if not abs(medians[False] / medians[True] - 1) < NOISE:
        faults.append(f"{PLAIN} takes {medians[False]} µs beside others, {medians[True]} alone")
    print(f"{PLAIN}: {medians[False]:.2f} µs beside four that fail, {medians[True]:.2f} alone; {len(faults)} faults")
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
