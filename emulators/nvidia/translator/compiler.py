# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles the C++ of a translation, and keeps the objects."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from common import cache
from .generate import KERNEL, generate

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parent.parent.parent  # of the includes
_FLAGS = (
    "-std=c++17", "-O1", "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing", "-fno-stack-protector",
    "-fPIC", "-fvisibility=hidden", "-w", "-g0",
)  # fmt: skip
# A quarter of its time: what straight code, most of which runs once or a few times, does not gain by.
_FLAGS_OF_GCC = ("-fno-tree-pta", "-fno-tree-dominator-opts", "-fno-tree-loop-optimize", "-fira-algorithm=priority")
_PARSED = ".hpp.gch"  # as GCC looks for it
_SIZE = ".size"  # of the parsed ones, in bytes


class Failed(Exception):
    """A sentence for the log."""


@dataclass(frozen=True)
class Compiler:
    program: str
    identity: str  # version, and what -march=native means
    flags: tuple[str, ...] = ("-march=native",)
    is_gcc: bool = False  # which keeps parsed headers, and has flags that others refuse

    def command(self) -> list[str]:
        return [self.program, *_FLAGS, *(_FLAGS_OF_GCC if self.is_gcc else ()), *self.flags]

    def run(self, *arguments: str | Path) -> None:
        """Throws Failed."""
        command = [*self.command(), f"-I{_ROOT}", *arguments]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"the translation does not compile, which is a mistake of the emulator: {done.stderr[:2000]}")


@lru_cache
def version() -> str:
    """Of the translator and of the headers that its output includes."""
    return cache.source_digest(_HERE, _HERE.parent / "device", suffixes=(".py", ".hpp"))


def _key(compiler: Compiler, *parts: str) -> str:
    return cache.key_of([version(), compiler.identity, *compiler.command(), *parts])


def _header(compiler: Compiler) -> Path:
    """What every translation includes, and beside it the same parsed, once for all translations. Throws Failed: also where that was cut off."""
    key = _key(compiler, "headers")
    header = cache.made(key, ".hpp", lambda file: file.write_text(f'#include "{KERNEL}"\n', encoding="ascii"))
    parsed = cache.made(key, _PARSED, lambda file: compiler.run("-x", "c++-header", header, "-o", file))
    size = cache.made(key, _SIZE, lambda file: file.write_text(str(parsed.stat().st_size), encoding="ascii"))
    if size.read_text(encoding="ascii") != str(parsed.stat().st_size):
        raise Failed(f"{parsed} is damaged")
    return header


def _compile(compiler: Compiler, source: Path, file: Path) -> None:
    """GCC reads the headers where it finds that it cannot use the parsed ones, but of damaged ones it may fail or not. Throws Failed."""
    plain: tuple[str | Path, ...] = ("-c", source, "-o", file)
    if not compiler.is_gcc:
        return compiler.run(*plain)
    try:
        return compiler.run("-include", _header(compiler), *plain)
    except Failed:
        compiler.run(*plain)
    # So that was it: the next translation makes them anew.
    for suffix in (_PARSED, _SIZE):
        cache.product(_key(compiler, "headers"), suffix).unlink(missing_ok=True)


def object_of(ptx: str, compiler: Compiler, reached: bool = False) -> Path:
    """The translation of a module, compiled; from the cache if it has it. `reached` as generate() has it. Throws Failed, Unknown."""

    def make(file: Path) -> None:
        source = file.with_suffix(".cpp")
        source.write_text(generate(ptx, reached).text, encoding="utf-8")
        _compile(compiler, source, file)

    return cache.made(_key(compiler, str(reached), ptx), ".o", make)
