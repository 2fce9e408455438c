# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""How a program is compiled for an emulated AMD device, and started on it."""

import hashlib
import os
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_CACHE = "PODIUM_EMULATOR_CACHE"  # of the environment: a folder that keeps programs, and translations of their kernels


def stand_in_environment(stand_in: str, target: str, cache: str) -> dict[str, str]:
    """The stand-in in the folder `stand_in` is found as HIP's runtime; translations are kept in `cache`, unless the test's own
    environment names a folder."""
    return {_CACHE: cache} | os.environ | {"LD_LIBRARY_PATH": stand_in, "PODIUM_EMULATED": target}


@lru_cache
def _version(hipcc: str) -> bytes:
    return subprocess.run([hipcc, "--version"], stdout=subprocess.PIPE, check=True).stdout


def _key(hipcc: str, arguments: tuple[str, ...]) -> str:
    """Digest of the compiler, its arguments, the files among them, and all that they may include of this folder."""
    files = [Path(argument) for argument in arguments if os.path.isfile(argument)]
    parts = [_version(hipcc), *(os.path.basename(a).encode() if os.path.isfile(a) else a.encode() for a in arguments)]
    parts += [part for file in [*files, *sorted(_HERE.glob("*.hpp"))] for part in (file.name.encode(), file.read_bytes())]
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "little") + part for part in parts)).hexdigest()[:32]


def build(hipcc: str, *arguments: str, out: Path) -> None:
    """`hipcc ARGUMENTS -o OUT`, or what that made before."""
    if folder := os.environ.get(_CACHE):
        kept = Path(folder, f"{_key(hipcc, arguments)}.program")
        if not kept.exists():
            new = kept.with_suffix(f".{os.getpid()}")
            subprocess.run([hipcc, *arguments, "-o", str(new)], check=True)
            new.replace(kept)
        shutil.copy(kept, out)
    else:
        subprocess.run([hipcc, *arguments, "-o", str(out)], check=True)
