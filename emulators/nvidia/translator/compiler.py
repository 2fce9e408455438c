# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the C++ of a translation, and keeps the objects."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from common import cache
from .generate import generate

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent.parent.parent  # of the includes
_FLAGS = (
    "-std=c++17", "-O1", "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing", "-fno-stack-protector",
    "-fPIC", "-fvisibility=hidden", "-w", "-g0",
)  # fmt: skip


class Failed(Exception):
    """A sentence for the log."""


@dataclass(frozen=True)
class Compiler:
    program: str
    identity: str  # version, and what -march=native means
    flags: tuple[str, ...] = ("-march=native",)


def version() -> str:
    """Of the translator and of the headers that its output includes."""
    return cache.source_digest(_HERE, _HERE.parent / "device")


def object_of(ptx: str, compiler: Compiler, reached: bool = False) -> Path:
    """The translation of a module, compiled; from the cache if it has it. `reached` as generate() has it. Throws Failed, Unknown."""
    flags = list(_FLAGS + compiler.flags)

    def make(file: Path) -> None:
        source = file.with_suffix(".cpp")
        source.write_text(generate(ptx, reached).text, encoding="utf-8")
        command = [compiler.program, *flags, f"-I{_ROOT}", "-c", str(source), "-o", str(file)]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"the translation does not compile, which is a mistake of the emulator: {done.stderr[:2000]}")

    return cache.made(cache.key_of([version(), compiler.program, compiler.identity, *flags, str(reached), ptx]), ".o", make)
