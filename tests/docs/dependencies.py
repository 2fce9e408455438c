#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""dependencies.py CHECKOUT: holds the includes of suite/ against the table "Where things are" of docs/architecture.md.

A folder may include itself, the folders that its row names, and those below these. The table has no cycle, and no row
names a folder that nothing there includes, directly or through another row.
"""
import graphlib
import pathlib
import re
import sys

ROW = re.compile(r"^\| (`suite/[^|]+) \|[^|]*\|([^|]*)\|$", re.MULTILINE)
INCLUDE = re.compile(r'^#include "(suite/[^"]+)/[^"/]+"', re.MULTILINE)


def table(page: str) -> dict[str, dict[str, set[str]]]:
    """Folder -> each name of its row -> the folders that it stands for: itself or, if it has none, all below it."""
    rows = [(re.findall(r"`(suite/[^`]+)`", names), needs.strip()) for names, needs in ROW.findall(page)]
    folders = [name for names, _ in rows for name in names]

    def meant(name: str, word: str) -> set[str]:
        if word == "all":
            return set(folders[:folders.index(name)])
        return {folder for folder in folders if f"{folder}/".startswith(f"suite/{word}/")}

    return {name: {word: meant(name, word) for word in re.findall(r"[\w/]+", needs.replace("all of the above", "all"))}
            for names, needs in rows for name in names}


def reach(needed: dict[str, set[str]]) -> dict[str, set[str]]:
    reached = {}
    for folder in graphlib.TopologicalSorter(needed).static_order():
        reached[folder] = needed[folder].union(*(reached[below] for below in needed[folder]))
    return reached


def includes(root: pathlib.Path) -> dict[str, dict[str, str]]:
    """Folder -> a folder that it includes -> a file that does."""
    found = {}
    for file in sorted((root / "suite").rglob("*.?pp")):
        folder = str(file.parent.relative_to(root))
        for included in INCLUDE.findall(file.read_text()):
            if included != folder:
                found.setdefault(folder, {}).setdefault(included, str(file.relative_to(root)))
    return found


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    rows = table((root / "docs/architecture.md").read_text())
    if not rows:
        sys.exit("docs/architecture.md: found no row of suite/ in its table, expected one a folder")
    try:
        reached = reach({folder: set().union(*words.values()) for folder, words in rows.items()})
    except graphlib.CycleError as error:
        sys.exit(f"docs/architecture.md: found folders that need each other ({' → '.join(error.args[1])})")
    found = includes(root)
    faults = [f"{folder}: found no row in docs/architecture.md, expected one" for folder in found.keys() - rows.keys()]
    for folder, others in found.items():
        faults += [f"{file}: found an include of {other}, which the row of {folder} in docs/architecture.md does not name"
                   for other, file in others.items() if other not in reached.get(folder, others)]
    for folder, words in rows.items():
        used = set().union(*(reached[other] | {other} for other in found.get(folder, {}) if other in reached))
        faults += [f"docs/architecture.md: the row of {folder} names {word}, which nothing there includes"
                   for word, below in words.items() if not below & used]
    for fault in sorted(faults):
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
