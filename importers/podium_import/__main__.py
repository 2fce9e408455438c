# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""podium_import draw KIND SOURCE --to SCRATCH [--name NAME]: draws up one folder a task, and runs the tasks' code.
podium_import place SCRATCH --to FOLDER: copies what was drawn up, and runs none of it.

`draw` writes SCRATCH/report.json, a list of {name, state, why}; `place` prints one line a task.
"""

import argparse
import importlib
import json
import pathlib
import sys
import traceback

from podium_import import common

KINDS = {"gpumode": "gpumode", "kernelbench": "kernelbench", "flashinfer-bench": "flashinfer_bench"}


def draw(options):
    source, to = pathlib.Path(options.source).resolve(), pathlib.Path(options.to)
    report = []
    try:
        kind = importlib.import_module(f"podium_import.{KINDS[options.kind]}")
        for name, make in kind.tasks(source, options):
            row = {"name": name, "state": "drawn", "why": ""}
            try:
                problem = make()
                row["name"] = problem.name
                row["left_out"] = problem.left_out
                common.write(problem, to / problem.name)
            except common.Refused as fault:
                row.update(state="not imported", why=str(fault))
            except Exception as fault:  # the task's code, or an importer's mistake: the others go on
                row.update(state="not imported", why=sentence_of(fault))
                if options.verbose:
                    traceback.print_exc()
            report.append(row)
            save(report, to)
    except common.Refused as fault:
        report.append({"name": source.name, "state": "not imported", "why": str(fault)})
    save(report, to)


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
    drawn = pathlib.Path(options.source)
    report = json.loads((drawn / "report.json").read_text(encoding="utf-8"))
    for row in report:
        if row["state"] == "drawn":
            try:
                row["state"] = common.place(drawn / row["name"], pathlib.Path(options.to) / row["name"])
            except common.Refused as fault:
                row.update(state="not imported", why=str(fault))
    width = max((len(row["name"]) for row in report), default=0)
    for row in report:
        print(f"{row['name']:<{width}}  {row['state']}" + (f": {row['why']}" if row["why"] else ""))
        for left_out in row.get("left_out", []):
            print(f"{'':<{width}}  without: {left_out}")
    taken = sum(row["state"] != "not imported" for row in report)
    print(f"{len(report)} read, {taken} imported to {options.to}")
    return 0 if taken == len(report) and report else 1


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
    one.add_argument("--verbose", action="store_true")
    options, _ = parser.parse_known_args()
    if options.step == "draw":
        kind = importlib.import_module(f"podium_import.{KINDS[options.kind]}")
        if hasattr(kind, "arguments"):
            kind.arguments(one)
    options = parser.parse_args()
    return draw(options) if options.step == "draw" else place(options)


if __name__ == "__main__":
    sys.exit(main())
