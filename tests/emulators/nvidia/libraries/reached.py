# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Which instructions a program's kernels execute: their PTX is translated once more, such that it notes its lines, and the program
run with that."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

_HERE = Path(__file__).resolve().parent
ROOT = _HERE.parents[3]
sys.path[:0] = [*map(str, _HERE.parent.iterdir()), str(ROOT / "emulators")]

from forms.coverage import named, record, recorded, text_at  # noqa: E402, F401
from nvidia.translator.fatbin import ptx_of  # noqa: E402
from nvidia.translator.generate import generate  # noqa: E402


def emulator() -> str:
    """The commit that changed the emulator last; with a plus sign where its files are others."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", ROOT, *arguments, "--", "emulators/common", "emulators/nvidia"]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    return git("log", "-1", "--abbrev=7", "--format=%h") + ("+" if git("status", "--porcelain") else "")


class Unseen(Exception):
    """A sentence."""


def instructions_of(ptx: str, reached: set[int]) -> Counter[str]:
    """Of each instruction, in how many kernels a line that holds it was executed."""
    at = generate(ptx).at
    if unheard := reached - {line for _, line, _ in at}:
        raise Unseen(f"PTX lines were executed that hold no instruction: {sorted(unheard)[:5]}")
    texts = ptx.split("\n")
    executed = {(kernel, named(instruction, text_at(texts, line, instruction))) for kernel, line, instruction in at if line in reached}
    return Counter(name for _, name in executed)


def translated_again(executable: Path, compiler: list[str], scratch: Path, *flags: str) -> tuple[str, Path]:
    """Its PTX, and a library that takes the place of its own translation where it is loaded before it. `compiler`: the emulator's,
    with --cxx. Throws Unseen."""
    ptx = ptx_of(executable.read_bytes())
    if ptx is None:
        raise Unseen(f"{executable} holds no PTX")
    source, library = scratch / f"{executable.name}.ptx", scratch / f"{executable.name}{''.join(flags)}.so"
    source.write_text(ptx, encoding="utf-8")
    subprocess.run([*compiler, "--ptx", *flags, source, "-o", library], check=True)
    return ptx, library


def instructions_executed(executable: Path, compiler: list[str], environment: dict[str, str], scratch: Path) -> Counter[str]:
    ptx, library = translated_again(executable, compiler, scratch, "--reached")
    noted = scratch / f"{executable.name}.reached"
    noted.unlink(missing_ok=True)
    subprocess.run([executable], env=dict(os.environ, **environment, LD_PRELOAD=str(library), PODIUM_REACHED=str(noted)), check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
    reached = {int(line) for line in noted.read_text(encoding="ascii").split()}
    if not reached:
        raise Unseen(f"{executable}: no line of its PTX was executed")
    return instructions_of(ptx, reached)
