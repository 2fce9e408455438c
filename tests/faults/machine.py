#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A machine that fails `podium run`: no room for results, results that cannot be written, a clock that steps back.

    tests/faults/machine.py [--podium build/host/bin/podium]

Takes root and a mount namespace of its own; says so, with exit status 77, where it has neither.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import watched

SKIPPED = 77  # as CTest is told
PAGE = 4096


def disk_full(podium: pathlib.Path, work: pathlib.Path) -> list[str]:
    """Ever less room: what fits is kept and can be read, and podium says what did not fit."""
    faults, cut = [], 0
    for pages in (3, 4, 5, 6, 7, 8, 10, 64):
        results = work / f"full{pages}"
        results.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={pages * PAGE}", "tmpfs", results], check=True)
        run = watched.Run(podium, results, rounds=1)
        status, said, entries = run.wait(), run.said(), run.recorded()
        where = f"{pages} pages, {entries.count(b'%c' % 10)} entries"
        wrong, _ = watched.faults_of(entries, ())
        faults += [f"{where}: {fault}" for fault in wrong]
        folder = run.folder()
        whole = status == 1 and folder is not None and "wall_seconds" in (folder / "run.json").read_text()
        if pages == 64 and not whole:
            faults.append(f"{where}: it fits, yet: {said[-300:]}")
        if not whole:
            cut += 1
            if status != 2 or "No space left on device" not in said or "--results" not in said and "make room" not in said:
                faults.append(f"{where}: status {status}: {said[-300:]}")
        if folder and (folder / "run.json").exists():
            text = (folder / "run.json").read_text()
            try:
                json.loads(text)
            except json.JSONDecodeError:
                faults.append(f"{where}: run.json is cut")
        if not whole and folder and (folder / "run.json").exists():
            subprocess.run(["mount", "-o", f"remount,size={64 * PAGE}", results], check=True)
            faults += [f"{where}: {fault}" for fault in resumed(podium, folder, entries)]
        run.close()
        subprocess.run(["umount", results], check=True)
    if cut < 3:
        faults.append(f"only {cut} of these runs found the disk full")
    return faults


def resumed(podium: pathlib.Path, folder: pathlib.Path, before: bytes) -> list[str]:
    """Once there is room, the run goes on; nothing that was finished is lost or measured twice."""
    command = [podium, "run", "--resume", folder, "--problems", watched.PROBLEMS, "--quiet"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        return [f"--resume: status {run.returncode}: {run.stderr[-300:]}"]
    lines = [json.loads(line) for line in (folder / "entries.jsonl").read_text().splitlines()]
    kept = [{**line, "set_aside": None} for line in lines]
    lost = [line for line in map(json.loads, before.splitlines()) if {**line, "set_aside": None} not in kept]
    counting = [line for line in lines if not line.get("set_aside")]
    keys = [(line["contestant"], line["twin"], line["round"], line["workload"]) for line in counting]
    faults = [f"--resume lost {len(lost)} entries"] if lost else []
    faults += ["--resume measured something twice"] if len(set(keys)) != len(keys) else []
    doubted = any(line["verdict"] in watched.DOUBTS for line in counting)
    if len(keys) != watched.ENTRIES - 3 and not doubted:  # of one round
        faults.append(f"--resume: {len(keys)} entries count, expected {watched.ENTRIES - 3}")
    return faults


def read_only(podium: pathlib.Path, work: pathlib.Path) -> list[str]:
    """Said before anything is measured."""
    results = work / "read_only"
    results.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", results], check=True)
    run = watched.Run(podium, results)
    status, said = run.wait(), run.said()
    run.close()
    subprocess.run(["umount", results], check=True)
    if status != 2 or "Read-only file system" not in said or "--results" not in said:
        return [f"status {status}: {said[-300:]}"]
    return []


def clock_back(podium: pathlib.Path, work: pathlib.Path) -> list[str]:
    """Times are those of a clock that cannot be set; only the start's date is the other's."""
    library = work / "clock_back.so"
    source = pathlib.Path(__file__).with_name("clock_back.cpp")
    subprocess.run(["c++", "-std=c++20", "-O1", "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
    look = "import time; print(time.time() - time.time())"
    shown = subprocess.run(
        [sys.executable, "-c", look], env={**os.environ, "LD_PRELOAD": str(library)}, capture_output=True, text=True
    )
    if float(shown.stdout) < 3000:
        return [f"the clock does not step back: {shown.stdout}{shown.stderr}"]
    began = time.monotonic()
    run = watched.Run(podium, work / "clock", LD_PRELOAD=str(library))
    status = run.wait()
    seconds = time.monotonic() - began
    entries = run.recorded()
    faults, doubts = watched.faults_of(entries, ())
    if status != 1 or (entries.count(b"\n") != watched.ENTRIES and not doubts):
        faults.append(f"status {status}, {entries.count(b'%c' % 10)} entries: {run.said()[-300:]}")
    folder = run.folder()
    if folder:
        wall = json.loads((folder / "run.json").read_text()).get("wall_seconds", -1)
        if not 0 < wall <= seconds:
            faults.append(f"podium says {wall} s of a run that took {seconds} s")
        report = subprocess.run([podium, "report", folder], capture_output=True, text=True, check=False)
        if report.returncode != 0:
            faults.append(f"podium report: {report.stderr.strip()}")
    run.close()
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", type=pathlib.Path, default=watched.ROOT / "build/host/bin/podium")
    options = parser.parse_args()
    if os.geteuid() != 0 or not watched.alone():
        print("skipped: mounting takes root and a mount namespace")
        return SKIPPED
    watched.adopt_orphans()
    faults = []
    with tempfile.TemporaryDirectory(prefix="podium-faults-", dir="/var/tmp") as work:
        for fault in (disk_full, read_only, clock_back):
            found = fault(options.podium.resolve(), pathlib.Path(work))
            found += [f"{left} was left" for left in watched.leftovers() + watched.processes_left()]
            print(f"{fault.__name__}: {len(found)} faults", *found, sep="\n  ", flush=True)
            faults += found
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
