# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How a program is compiled for an emulated AMD device, and started on it."""

import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(_HERE.parents[2] / "emulators"))
from common import cache  # noqa: E402

_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "HIP_PLATFORM", "HIPCC_COMPILE_FLAGS_APPEND",
              "HIPCC_LINK_FLAGS_APPEND", "HIP_CLANG_PATH", "HIP_DEVICE_LIB_PATH")  # fmt: skip


def stand_in_environment(stand_in: str, target: str, kept: str) -> dict[str, str]:
    """The stand-in in the folder `stand_in` is found as HIP's runtime; translations are kept in the folder `kept`, unless the
    test's own environment names another."""
    return {"PODIUM_EMULATOR_CACHE": kept} | os.environ | {"LD_LIBRARY_PATH": stand_in, "PODIUM_EMULATED": target}


@lru_cache
def _compiler(hipcc: str) -> str:
    """Digest of the compiler and what it finds beside it: HIP's headers, the device's libraries, the runtime's version."""
    version = subprocess.run([hipcc, "--version"], stdout=subprocess.PIPE, check=True).stdout
    program = Path(hipcc).resolve()
    root = program.parents[1]
    found = cache.source_digest(*(folder for folder in (root / "include/hip", root / "amdgcn") if folder.is_dir()))
    runtime = (root / "lib/libamdhip64.so").resolve().name
    return cache.key_of([program.read_bytes(), version, found, runtime, *(f"{name}={os.environ.get(name)}" for name in _VARIABLES)])


def build(hipcc: str, *arguments: str, out: Path) -> None:
    """`hipcc ARGUMENTS -o OUT`, or what that made before of the same sources and this folder's headers."""

    def make(file: Path) -> None:
        subprocess.run([hipcc, *arguments, "-o", str(file)], check=True)

    parts: list[str | bytes] = [_compiler(hipcc), cache.source_digest(_HERE, suffixes=(".hpp",))]
    for argument in arguments:
        parts += [os.path.basename(argument), Path(argument).read_bytes()] if os.path.isfile(argument) else [argument]
    shutil.copy(cache.made(cache.key_of(parts), ".program", make), out)
