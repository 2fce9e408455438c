# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""podium_import draw KIND SOURCE --to SCRATCH [--name NAME]: draws up one folder a task, and runs the tasks' code.
podium_import place SCRATCH --to FOLDER: copies what was drawn up, and runs none of it.

`draw` writes SCRATCH/report.json, a list of {name, state, why}; `place` prints one line a task.
"""

import argparse
import importlib
import json
import os
import pathlib
import signal
import sys
import time
import traceback

from podium_import import common

KINDS = {"gpumode": "gpumode", "kernelbench": "kernelbench", "flashinfer-bench": "flashinfer_bench"}


def draw(options):
    source, to = pathlib.Path(options.source).resolve(), pathlib.Path(options.to)
    report = []
    try:
        kind = kind_named(options.kind)
        for name, make in kind.tasks(source, options):
            report.append(in_child(name, make, to, options.limit))
            save(report, to)
    except common.Refused as fault:
        report.append({"name": source.name, "state": "not imported", "why": str(fault)})
    save(report, to)


def kind_named(name):
    try:
        return importlib.import_module(f"podium_import.{KINDS[name]}")
    except ImportError as fault:
        package = (fault.name or "podium_import").split(".")[0]
        if package == "podium_import":
            raise
        sys.exit(
            f"tasks of {name} need the package {package}, which {sys.executable} does not have: let PODIUM_PYTHON name "
            "an interpreter that has it, or run scripts/setup --python-torch"
        )


def in_child(name, make, to, limit):
    """The report's row of one task. Its code runs in a process of its own, so that no task sees another's modules, and
    one that ends its process or hangs costs that task alone."""
    to.mkdir(parents=True, exist_ok=True)
    note = to / f".{name}.json"
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            note.write_text(json.dumps(row_of(name, make, to)), encoding="utf-8")
        finally:
            os._exit(0)
    ends = time.monotonic() + limit
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < ends:
        time.sleep(0.02)
    if ended == (0, 0):
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return {"name": name, "state": "not imported", "why": f"took longer than {limit} s"}
    if not note.is_file():
        status = os.waitstatus_to_exitcode(ended[1])
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return {"name": name, "state": "not imported", "why": f"its code ended the interpreter ({how})"}
    row = json.loads(note.read_text(encoding="utf-8"))
    note.unlink()
    return row


def row_of(name, make, to):
    row = {"name": name, "state": "drawn", "why": ""}
    try:
        problem = make()
        row.update(name=problem.name, left_out=problem.left_out, seen=problem.seen)
        common.write(problem, to / problem.name)
    except common.Refused as fault:
        row.update(state="not imported", why=str(fault))
    except BaseException as fault:  # the task's code, which may also exit, or an importer's mistake
        row.update(state="not imported", why=sentence_of(fault), traceback=traceback.format_exc())
    return row


def save(report, to):
    to.mkdir(parents=True, exist_ok=True)
    (to / "report.json").write_text(json.dumps(report, indent=1), encoding="utf-8")


def sentence_of(fault):
    """The exception with the last line of the task, or of the importer, in which it was raised."""
    frames = traceback.extract_tb(fault.__traceback__)
    own = [f for f in frames if "site-packages" not in f.filename and "dist-packages" not in f.filename]
    where = f"{pathlib.Path(own[-1].filename).name}:{own[-1].lineno}: " if own else ""
    return f"{where}{type(fault).__name__}: {' '.join(str(fault).split())[:300]}"


def place(options):
    """0: all were imported; 1: some were not."""
    drawn = pathlib.Path(options.source)
    report = json.loads((drawn / "report.json").read_text(encoding="utf-8"))
    for row in report:  # of a process that ran the tasks: nothing but text
        row["name"] = common.problem_name(row["name"])
        row["why"] = printable(row["why"])
        if row["state"] == "drawn":
            try:
                row["state"] = common.place(drawn / row["name"], pathlib.Path(options.to) / row["name"])
            except common.Refused as fault:
                row.update(state="not imported", why=str(fault))
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    width = max((len(row["name"]) for row in report), default=0)
    for row in report:
        if options.brief and row["state"] != "not imported":
            continue
        print(f"{row['name']:<{width}}  {row['state']}" + (f": {row['why']}" if row["why"] else ""))
        for left_out in () if options.brief else row.get("left_out", []):
            print(f"{'':<{width}}  without {printable(left_out)}")
    taken = sum(row["state"] != "not imported" for row in report)
    if not options.brief:
        print(f"{len(report)} read, {taken} imported to {options.to}")
    return 0 if taken == len(report) and report else 1


def printable(text):
    """On one line, without a terminal's control characters."""
    return "".join(c if c.isprintable() else " " for c in str(text))


def main():
    parser = argparse.ArgumentParser(prog="podium_import")
    below = parser.add_subparsers(dest="step", required=True)
    one = below.add_parser("draw")
    one.add_argument("kind", choices=KINDS)
    one.add_argument("source")
    two = below.add_parser("place")
    two.add_argument("source")
    for each in (one, two):
        each.add_argument("--to", required=True)
    one.add_argument("--name")
    one.add_argument("--limit", type=int, default=900, help="seconds for one task")
    two.add_argument("--brief", action="store_true", help="say only what was not imported")
    two.add_argument("--report", help="file for the report as JSON")
    options, _ = parser.parse_known_args()
    if options.step == "draw" and hasattr(kind := kind_named(options.kind), "arguments"):
        kind.arguments(one)
    options = parser.parse_args()
    return draw(options) if options.step == "draw" else place(options)


if __name__ == "__main__":
    sys.exit(main())
