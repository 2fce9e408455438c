# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Sources: which there are, under which names their pages go, and who entered them."""

import hashlib
import re
from dataclasses import dataclass, field


@dataclass
class Source:
    key: str
    sha256: str
    file: str
    text: str = field(repr=False)
    license: str
    lines: int
    used: list = field(default_factory=list, repr=False)  # rows
    includers: set = field(default_factory=set, repr=False)  # hashes of sources that include this one

    @property
    def address(self):
        """Of the row that explains it best: the newest."""
        return self.used[-1] if self.used else None


def collect(site):
    """By SHA-256: the document's sources that something refers to, with the rows that used them."""
    sources = {}
    for sha256, raw in sorted(site.sources.items()):
        key = (sha256 if re.fullmatch("[0-9a-f]{64}", sha256) else hashlib.sha256(sha256.encode()).hexdigest())[:32]
        text = str(raw.get("text") or "")
        sources[sha256] = Source(
            key, sha256, re.sub(r"^(\.\./)+", "", str(raw.get("file") or "source")), text, str(raw.get("license") or ""), len(text.splitlines())
        )
    for run in site.runs:
        for board in run.boards:
            for row in board.rows:
                if row.source in sources:
                    sources[row.source].used.append(row)
                    for included in (row.record.get("included") or {}).values():
                        if included in sources:
                            sources[included].includers.add(row.source)
    revisions = {board.revision for run in site.runs for board in run.boards}
    # Others are of boards that an interrupted run has not reached.
    return {sha256: one for sha256, one in sources.items() if one.used or one.includers or sha256 in revisions}
