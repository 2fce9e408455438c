# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Compiled functions of earlier translations, kept by content. Translations differ in little: nine tenths of a judge's
functions were compiled for another problem before, and compiling them is most of what a translation costs.

Each object file has beside it the names that it defines. A name stands for all that the function is made from, so
whichever file it is taken from is as good as another.
"""

import hashlib
import os
import subprocess
from pathlib import Path


class Pool:
    def __init__(self, folder: Path, parts: list[bytes]):
        """`parts`: all that compiled functions depend on beside their text."""
        digest = hashlib.sha256()
        for part in parts:
            digest.update(len(part).to_bytes(8, "little") + part)
        self.salt = digest.hexdigest()[:32]
        self.folder = folder / self.salt

    def find(self, wanted: set[str]) -> tuple[set[str], list[Path]]:
        """Those of the names that are kept, and the files that define them."""
        found: set[str] = set()
        files = []
        for names in sorted(self.folder.glob("*.names")):
            new = wanted.intersection(names.read_text().split()) - found
            if new and names.with_suffix(".o").exists():
                found |= new
                files.append(names.with_suffix(".o"))
        return found, files

    def keep(self, names: set[str], compiled: Path) -> Path:
        """Takes an object file over. The names come last: no file is found before it is whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text = "\n".join(sorted(names)) + "\n"
        file = self.folder / (hashlib.sha256(text.encode()).hexdigest()[:32] + ".o")
        os.replace(compiled, file)
        beside = compiled.with_suffix(".names")
        beside.write_text(text)
        os.replace(beside, file.with_suffix(".names"))
        return file


def compile_object(words: list[str], source: Path, out: Path) -> str:
    """What the compiler said if it failed; "" if it did not."""
    done = subprocess.run([*words, "-c", str(source), "-o", str(out)], capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr or f"exit status {done.returncode}"
