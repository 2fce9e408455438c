#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Applies the diffs that CONTRIBUTING.md shows under a heading to copies of the files: apply.py SOURCE HEADING TARGET."""
import pathlib
import re
import sys

source, heading, target = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
section = (source / "CONTRIBUTING.md").read_text().split(f"\n## {heading}\n")[1].split("\n## ")[0]
blocks = re.finditer(r"^( *)```diff\n(.*?)^ *```", section, re.S | re.M)
diff = "".join(re.sub(f"^{block[1]}", "", block[2], flags=re.M) for block in blocks)
for part in re.split(r"^--- a/", diff, flags=re.M)[1:]:
    name, *lines = part.splitlines()
    text = (source / name).read_text()
    for hunk in "\n".join(lines[1:]).split("@@\n")[1:]:
        hunk = hunk.strip("\n").split("\n")
        before = "\n".join(line[1:] for line in hunk if not line.startswith("+"))
        after = "\n".join(line[1:] for line in hunk if not line.startswith("-"))
        if text.count(before) != 1:
            sys.exit(f"CONTRIBUTING.md, {heading}: {name} does not hold these lines once; renew the diff:\n{before}")
        text = text.replace(before, after)
    (target / name).parent.mkdir(parents=True, exist_ok=True)
    (target / name).write_text(text)
