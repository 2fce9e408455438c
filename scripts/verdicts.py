# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What hip-verdicts and cuda-verdicts are: they verify every contestant of every problem on every emulated device of a backend with
`podium verify`, as many problems and targets beside each other as --jobs says, and enter verdicts, commit and seconds in a table as soon
as each is done.

They go on where they were stopped, with what has no verdict; --again takes those anew that are of another commit. What took
the fewest seconds before comes first. With --contestants each of these is verified by itself, and other verdicts of its problem
stay. Exit status 1 if any of the verdicts asked for is a failure, or if a library is missing that a verdict in the table was made
with: then the problem's verdicts on that target stay as they are.
"""

import argparse
import concurrent.futures
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

from hip_common import ROOT, built_podium, commit

MADE_FROM = ["backends", "emulators", "kernels", "sdk", "suite"]
GOOD = ("right", "not supported", "missing library")  # what is no failure
ROW = re.compile(r"^(\S+/\S+)  +(\S+)  +(.+?)  +(.*)$")  # of podium verify: board, contestant, verdict, text
PARTS = ("## Verdicts", "## Runs", "## What was said")
HEAD = """<!-- Made by scripts/{script}; do not edit. -->
# Verdicts on emulated {vendor} devices

`scripts/{script}` made this, by processors alone; [{guide}](../{guide}) says what the devices are. *right* is followed by the number of test workloads, each verified in full; *not run* means that no verdict has been asked for.
"""


class Devices(NamedTuple):
    """Emulated ones, and the document with their verdicts."""

    backend: str
    vendor: str
    targets: list[str]
    guide: str  # in docs
    table: str  # in docs/evidence

    @property
    def script(self) -> str:
        return f"{self.backend}-verdicts"


ALL = "all"


class Asked(NamedTuple):
    """What one `podium verify` is asked."""

    target: str
    problem: str
    contestant: str  # ALL: of each

    def covers(self, target: str, board: str, contestant: str) -> bool:
        return (target, board.split("/")[0]) == self[:2] and self.contestant in (ALL, contestant)


class Run(NamedTuple):
    """What is kept of it."""

    commit: str
    seconds: str  # "–": not kept


class Table:
    """The verdicts and the runs they are of, as the file has them."""

    def __init__(self, devices: Devices, file: pathlib.Path):
        self.devices = devices
        self.file = file
        self.cells: dict[tuple[str, str, str], str] = {}  # target, board, contestant: the verdict
        self.runs: dict[Asked, Run] = {}
        self.said: dict[tuple[str, str, str], str] = {}  # of what is not right
        part = ""
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
            part = line if line in PARTS else part
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if not cells or cells[0] in ("board", "problem", "target") or cells[0].startswith("---"):
                continue
            if part == PARTS[0]:
                for target, cell in zip(self.devices.targets, cells[2:]):
                    if cell != "not run":
                        self.cells[target, cells[0], cells[1]] = cell.strip("*")
            elif part == PARTS[1]:
                self.runs[Asked(*cells[:3])] = Run(*cells[3:])
            elif part == PARTS[2]:
                self.said[cells[0], cells[1], cells[2]] = cells[3]

    def enter(self, asked: Asked, run: Run, rows: list[tuple[str, str, str, str]]) -> None:
        for part in (self.cells, self.said):
            for key in [k for k in part if asked.covers(*k)]:
                del part[key]
        if asked.contestant == ALL:
            self.runs = {one: of for one, of in self.runs.items() if one[:2] != asked[:2]}
        self.runs[asked] = run
        for board, contestant, verdict, text in rows:
            self.cells[asked.target, board, contestant] = cell_of(verdict, text)
            if verdict != "right":
                self.said[asked.target, board, contestant] = text.replace(f"{ROOT}/", "").replace("|", "\\|")[:240]
        self.write()

    def run_of(self, asked: Asked) -> Run | None:
        """That which the verdicts asked for are of, if there are any."""
        there = any(asked.covers(*key) for key in self.cells)
        return self.runs.get(asked) or (self.runs.get(asked._replace(contestant=ALL)) if there else None)

    def lost(self, target: str, rows: list[tuple[str, str, str, str]]) -> list[str]:
        """Contestants that were executed, and whose library is missing here."""
        cells = ((contestant, self.cells.get((target, board, contestant))) for board, contestant, verdict, _ in rows if verdict == "missing library")
        return sorted({contestant for contestant, cell in cells if cell not in (None, "missing library")})

    def write(self) -> None:
        """Whole or not at all: whoever stops this keeps a table."""
        devices = self.devices
        head = HEAD.format(script=devices.script, vendor=devices.vendor, guide=devices.guide)
        lines = [head, PARTS[0], "", f"| board | contestant | {' | '.join(devices.targets)} |", "| --- | --- |" + " --- |" * len(devices.targets)]
        for board, contestant in sorted({key[1:] for key in self.cells}):
            found = [self.cells.get((target, board, contestant), "not run") for target in devices.targets]
            marks = [cell if good(cell) or cell == "not run" else f"**{cell}**" for cell in found]
            lines.append(f"| {board} | {contestant} | {' | '.join(marks)} |")
        lines += ["", PARTS[1], "", "Seconds are those of the whole command, building and translating included where nothing was kept, beside as many others as `--jobs` said.", ""]
        lines += ["| target | problem | contestants | commit | seconds |", "| --- | --- | --- | --- | --- |"]
        lines += [f"| {' | '.join((*asked, *run))} |" for asked, run in sorted(self.runs.items())]
        lines += ["", PARTS[2], "", "| target | board | contestant | what was said |", "| --- | --- | --- | --- |"]
        lines += [f"| {' | '.join(key)} | {text} |" for key, text in sorted(self.said.items())]
        new = self.file.with_name(self.file.name + ".new")
        new.write_text("\n".join(lines) + "\n", encoding="utf-8")
        new.replace(self.file)


def cell_of(verdict: str, text: str) -> str:
    workloads = re.search(r"\bright on (\d+) workloads?\b", text)
    if workloads and verdict == "right":
        return f"right {workloads[1]}"
    if workloads and verdict == "not supported":
        return f"right {workloads[1]}, not supported on others"
    return verdict


def good(verdict: str) -> bool:
    return verdict.startswith(GOOD)


RUNNING: set[subprocess.Popen] = set()
STOPPED = threading.Event()


def verify(podium: pathlib.Path, asked: Asked, device: str, timeout: int, limit: int) -> list[tuple[str, str, str, str]]:
    command = [str(podium), "verify", asked.problem, "--quiet", "--device", device, "--timeout", str(timeout)]
    if asked.contestant != ALL:
        command += ["--contestant", asked.contestant]
    nothing = (f"{asked.problem}/-", "-" if asked.contestant == ALL else asked.contestant)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        RUNNING.add(running)
        if STOPPED.is_set():  # whoever ended all the others did not see this one
            running.terminate()
        try:
            out, err = running.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            running.terminate()  # podium ends what it has started
            running.communicate()
            return [(*nothing, "not finished", f"stopped after {limit} s")]
        finally:
            RUNNING.discard(running)
    found = [m.groups() for line in out.splitlines() if (m := ROW.match(line))]
    if not found:
        said = [line for line in err.splitlines() if line.strip()]
        return [(*nothing, "no verdict", said[-1] if said else f"exit status {running.returncode}")]
    return found


def contestants(problem: str, names: list[str]) -> list[str]:
    """What to ask of a problem: ALL, or those of the names that it has."""
    there = {file.name.split(".")[0] for file in (ROOT / "kernels" / problem).iterdir()}
    return [name for name in names if name in there] if names else [ALL]


def main(devices: Devices) -> None:
    me, targets = devices.script, devices.targets
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--podium", type=pathlib.Path, help="default: that of the backend's preset, which is built first")
    parser.add_argument("--table", type=pathlib.Path, default=ROOT / "docs/evidence" / devices.table)
    parser.add_argument("--targets", nargs="+", default=targets, choices=targets, metavar="TARGET", help=" ".join(targets))
    parser.add_argument("--problems", nargs="+", default=[])
    parser.add_argument("--contestants", nargs="+", default=[], metavar="NAME", help="only these, of problems that have them")
    parser.add_argument("--again", action="store_true", help="what has a verdict of another commit, too")
    parser.add_argument("--jobs", type=int, default=1, help="so many problems and targets beside each other (default: 1)")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for one answer of a contestant")
    parser.add_argument("--limit", type=int, default=3600, help="seconds for one problem on one target")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))

    there = sorted(p.parent.name for p in (ROOT / "kernels").glob("*/problem.yaml"))
    for problem in given.problems:
        if problem not in there:
            sys.exit(f"{me}: --problems: found {problem}, expected some of {', '.join(there)}")
    podium = given.podium or built_podium(me, devices.backend)

    of = commit(me, MADE_FROM)
    table = Table(devices, given.table)
    spent: dict[str, list[float]] = {}
    for one, run in table.runs.items():
        spent.setdefault(one.problem, []).append(float(run.seconds) if run.seconds != "–" else 1e6)
    order = {problem: min(spent.get(problem, [1e6])) for problem in there}
    problems = sorted(given.problems or there, key=lambda problem: (order[problem], problem))
    asked = [Asked(t, problem, c) for problem in problems for t in targets if t in given.targets for c in contestants(problem, given.contestants)]

    def done(one: Asked) -> bool:
        run = table.run_of(one)
        return bool(run) and (not given.again or run.commit == of)

    def verified(one: Asked) -> tuple[Asked, Run, list[tuple[str, str, str, str]]]:
        began = time.monotonic()
        rows = verify(podium, one, f"{devices.backend}:emulated:{one.target}", given.timeout, given.limit)
        return one, Run(of, f"{time.monotonic() - began:.0f}"), rows

    kept: list[str] = []
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        try:
            runs = [pool.submit(verified, one) for one in asked if not done(one)]
            for ended in concurrent.futures.as_completed(runs):
                one, run, rows = ended.result()
                target, problem, contestant = one
                if lost := table.lost(target, rows):
                    kept.append(f"{target} {problem}: not entered, since {', '.join(lost)} had its library when the table was made; configure with it")
                    continue
                table.enter(one, run, rows)
                counts = {verdict: sum(row[2] == verdict for row in rows) for verdict in dict.fromkeys(row[2] for row in rows)}
                whose = "" if contestant == ALL else f" {contestant}"
                print(f"{target} {problem}{whose}: {', '.join(f'{n} {verdict}' for verdict, n in counts.items())}, {run.seconds} s", flush=True)
        except BaseException:
            STOPPED.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for running in list(RUNNING):
                running.terminate()  # podium ends what it has started
            raise
    failed = [key for key, cell in table.cells.items() if any(one.covers(*key) for one in asked) and not good(cell)]
    for key in failed:
        print(f"{' '.join(key)}: {table.cells[key]}: {table.said.get(key, '')}", file=sys.stderr)
    for sentence in kept:
        print(f"{me}: {sentence} (docs/backends.md)", file=sys.stderr)
    sys.exit(1 if failed or kept else 0)
