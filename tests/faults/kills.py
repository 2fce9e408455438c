#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""kill -9 of podium, its judge or its worker while `podium run` works, and what is left then.

    tests/faults/kills.py --runs 1000 [--jobs 2] [--seed S] [--podium build/host/bin/podium]
    tests/faults/kills.py --phases      # each of them in each phase of a run: what the ordinary tests do

After each kill: every entry that was in the file is there, byte by byte but for the seeds that a run's end adds, and
can be read; none is wrong (verdicts, one contestant's least time, medians computed again); `podium report` reads the
run; `podium run --resume` measures what podium's end left out, and nothing twice; no process lives on; /dev/shm is empty, and no worker's folder outlives the next start of podium. A run that lost
its judge or a worker ends by itself, with every other row complete. Every second run has no mount namespace for its workers, whose folders then lie in /tmp.
Prints one line a fault and a table; exit status 1 if there is any. Rows of honest contestants that the judge's clock
does not bear out are counted apart: that is the load of the machine, and no kill's doing.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import watched

VICTIMS = ("podium", "judge", "worker")
EXCUSED = {"podium": (), "judge": ("device lost",), "worker": ("crashed",)}
PHASES = ("starting", "verifying", "measuring")


def phase_of(recorded: bytes) -> str:
    lines = recorded.splitlines()
    if not lines:
        return "starting"
    return "measuring" if json.loads(lines[-1])["round"] >= 0 else "verifying"


def without_mounts(number: int) -> dict[str, str]:
    return {"PODIUM_SANDBOX_WITHOUT": "mount namespace"} if number % 2 else {}


def entries_of(recorded: bytes) -> list[dict]:
    """As they were before the run ended."""
    entries = [json.loads(line) for line in recorded.splitlines()]
    for entry in entries:
        entry["seeds"] = []
        entry["text"] = entry["text"].split("; again: ")[0]
    return entries


def strike(run: watched.Run, victim: str) -> tuple[bytes, str] | None:
    """Kills it. What was recorded by then, and the phase; nothing if the run had ended."""
    while run.process.poll() is None:
        targets = run.victims(victim)
        if not targets:
            time.sleep(0.001)
            continue
        before = run.recorded()
        try:
            os.kill(random.choice(targets), signal.SIGKILL)
        except ProcessLookupError:
            continue
        return before, phase_of(before)
    return None


def faults_of_resumed(run: watched.Run, folder: pathlib.Path, before: bytes, podium: pathlib.Path) -> list[str]:
    """The run goes on, after a power cut that tore the last line."""
    with open(folder / "entries.jsonl", "ab") as entries:
        entries.write(b'{"torn')
    command = [podium, "run", "--resume", folder, "--problems", watched.PROBLEMS, "--quiet"]
    for expected in ((1, 0), (0,)):  # what was left, of which one is wrong, and nothing
        resumed = subprocess.run(command, capture_output=True, text=True, check=False)
        if resumed.returncode not in expected:
            return [f"--resume: status {resumed.returncode}: {resumed.stderr[-400:]}"]
    lines = [json.loads(line) for line in run.recorded().splitlines()]
    faults = []
    kept = [{**line, "set_aside": None, "text": line["text"].split("; again: ")[0]} for line in lines]
    for line in (json.loads(line) for line in before.splitlines()):
        if {**line, "set_aside": None} not in kept:
            faults.append(f"--resume lost {line['contestant']}, round {line['round']}")
    counting = [line for line in lines if not line.get("set_aside")]
    seen = collections.Counter((e["contestant"], e["twin"], e["round"], e["workload"]) for e in counting)
    faults += [f"--resume measured {what} {times} times" for what, times in seen.items() if times > 1]
    doubted = any(entry["verdict"] in watched.DOUBTS for entry in counting)
    if len(counting) != watched.ENTRIES and not doubted:
        faults.append(f"--resume: {len(counting)} entries count, expected {watched.ENTRIES}")
    return faults


def faults_after(
    run: watched.Run, victim: str, before: bytes, podium: pathlib.Path, doubts: list[str]
) -> list[str]:
    try:
        status = run.wait()
    except subprocess.TimeoutExpired:
        return ["podium hangs"]
    faults = [f"{process} was left" for process in watched.processes_left()]
    after = run.recorded()
    old, new = entries_of(before), entries_of(after)
    if new[: len(old)] != old or (victim == "podium" and not after.startswith(before)):
        faults.append("entries that were recorded are lost or changed")
    wrong, doubted = watched.faults_of(after, EXCUSED[victim])
    faults += wrong
    doubts += doubted
    folder = run.folder()
    if victim == "podium":
        if status != -signal.SIGKILL:
            faults.append(f"podium was not killed, but ended with status {status}")
    else:
        entries = [json.loads(line) for line in after.splitlines()]
        hit = any(entry["verdict"] in EXCUSED[victim] for entry in entries)
        # One contestant is wrong in every run; a judge that is lost before it has a board ends the run.
        if status not in (1, 3) or (status == 3 and entries):
            faults.append(f"podium ended with status {status}: {run.said()[-400:]}")
        if status == 1 and not hit and not doubted and len(entries) != watched.ENTRIES:
            faults.append(f"{len(entries)} entries and nobody was hit or doubted, expected {watched.ENTRIES}")
    if folder and (folder / "run.json").exists():
        report = subprocess.run([podium, "report", folder], capture_output=True, text=True, check=False)
        if report.returncode != 0:
            faults.append(f"podium report: status {report.returncode}: {report.stderr.strip()}")
        if victim == "podium":
            faults += faults_of_resumed(run, folder, after, podium)
    elif after:
        faults.append("there are entries without a run.json")
    faults += [f"{left} was left" for left in watched.leftovers() if left.startswith("/dev/shm")]
    return faults


class Tally:
    def __init__(self) -> None:
        self.kills: collections.Counter = collections.Counter()
        self.faults: list[str] = []
        self.doubts: list[str] = []
        self.too_late = 0  # runs that had ended first

    def add(self, other: dict) -> None:
        for victim, phase, count in other["kills"]:
            self.kills[victim, phase] += count
        self.faults += other["faults"]
        self.doubts += other["doubts"]
        self.too_late += other["too_late"]

    def json(self) -> dict:
        kills = [[*key, count] for key, count in self.kills.items()]
        return {"kills": kills, "faults": self.faults, "doubts": self.doubts, "too_late": self.too_late}


def one(options: argparse.Namespace, number: int, victim: str, ready, tally: Tally) -> bool:
    """One run; `ready(run)` returns when to strike. False: it ended too early."""
    work = pathlib.Path(tempfile.mkdtemp(prefix="podium-faults-", dir="/var/tmp"))
    run = watched.Run(options.podium, work / "results", **without_mounts(number))
    try:
        ready(run)
        struck = strike(run, victim)
        if struck is None:
            run.wait()
            tally.too_late += 1
            return False
        before, phase = struck
        tally.kills[victim, phase] += 1
        for fault in faults_after(run, victim, before, options.podium, tally.doubts):
            tally.faults.append(f"run {number}, {victim} while {phase}: {fault}")
            print(tally.faults[-1], file=sys.stderr, flush=True)
        return True
    finally:
        run.close()
        shutil.rmtree(work, ignore_errors=True)


def undisturbed(options: argparse.Namespace, tally: Tally) -> float:
    """Seconds of a run that nothing happens to; it also shows that the checks hold then, and cleans up."""
    work = pathlib.Path(tempfile.mkdtemp(prefix="podium-faults-", dir="/var/tmp"))
    began = time.monotonic()
    run = watched.Run(options.podium, work / "results", **without_mounts(1))
    try:
        status = run.wait()
        seconds = time.monotonic() - began
        faults, doubts = watched.faults_of(run.recorded(), ())
        tally.doubts += doubts
        entries = run.recorded().count(b"\n")
        if doubts:
            pass
        elif status != 1 or entries != watched.ENTRIES:
            faults.append(f"status {status}, {entries} entries, expected 1 and {watched.ENTRIES}: {run.said()[-400:]}")
        faults += [f"{left} was left" for left in watched.leftovers() + watched.processes_left()]
        tally.faults += [f"undisturbed: {fault}" for fault in faults]
        return seconds
    finally:
        run.close()
        shutil.rmtree(work, ignore_errors=True)


def job(options: argparse.Namespace) -> Tally:
    watched.adopt_orphans()
    random.seed(options.seed)
    tally = Tally()
    undisturbed(options, tally)  # builds
    seconds = undisturbed(options, tally)
    if options.phases:
        number = 0
        for phase in PHASES:
            for victim in VICTIMS:

                def reached(run: watched.Run) -> None:
                    while run.process.poll() is None and phase_of(run.recorded()) != phase:
                        time.sleep(0.001)

                number += 1
                if not one(options, number, victim, reached, tally):
                    tally.faults.append(f"{victim} while {phase}: the run had ended before")
    done, end = 0, time.monotonic() + 60 * options.minutes
    while done < options.runs and time.monotonic() < end:
        moment = random.uniform(0, seconds)
        done += one(options, done, random.choice(VICTIMS), lambda _: time.sleep(moment), tally)
        if tally.too_late > 10 + options.runs:
            tally.faults.append("most runs end before they can be hit")
            break
    undisturbed(options, tally)  # removes what killed runs have left in /tmp
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e6, help="fewer runs if these are over before")
    parser.add_argument("--phases", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument("--podium", type=pathlib.Path, default=watched.ROOT / "build/host/bin/podium")
    parser.add_argument("--job", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.runs and not options.phases:
        parser.error("--runs N, --phases or both")
    if options.job:
        if not watched.alone():
            print("not alone: what others have in /dev/shm and /tmp counts as left behind", file=sys.stderr)
        print(json.dumps(job(options).json()))
        return 0

    began = time.monotonic()
    jobs = []
    for number in range(options.jobs):
        share = options.runs // options.jobs + (number < options.runs % options.jobs)
        command = [sys.executable, __file__, "--job", "--podium", str(options.podium.resolve())]
        command += ["--runs", str(share), "--seed", str(options.seed + number), "--minutes", str(options.minutes)]
        command += ["--phases"] if options.phases and number == 0 else []
        jobs.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    tally = Tally()
    for each in jobs:
        text, _ = each.communicate()
        if each.returncode != 0:
            tally.faults.append(f"a job ended with status {each.returncode}")
        else:
            tally.add(json.loads(text))
    print(f"seed {options.seed}; {'killed':8} " + " ".join(f"{phase:>10}" for phase in PHASES))
    for victim in VICTIMS:
        print(f"{victim:>20} " + " ".join(f"{tally.kills[victim, phase]:10}" for phase in PHASES))
    hits = sum(tally.kills.values())
    print(f"{hits} kills in {time.monotonic() - began:.0f} s, {tally.too_late} runs had ended before: ", end="")
    print(f"{len(tally.faults)} faults", *tally.faults, sep="\n  ")
    print(f"{len(tally.doubts)} rows that the judge's clock did not bear out", *tally.doubts, sep="\n  ")
    return 1 if tally.faults or not hits else 0


if __name__ == "__main__":
    sys.exit(main())
