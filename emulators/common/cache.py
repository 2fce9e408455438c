# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Products of translators, kept by content: made once, whole or not at all, also when several processes want one.

A worker may write nowhere and start no compiler, so translation belongs to `podium build`; a product reaches the
worker inside a plugin, or through a descriptor that podium opened.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path


def folder() -> Path:
    """Where products lie: $PODIUM_CACHE, else $XDG_CACHE_HOME/podium, else ~/.cache/podium; `emulators` below it."""
    if os.environ.get("PODIUM_CACHE"):
        base = Path(os.environ["PODIUM_CACHE"])
    elif os.environ.get("XDG_CACHE_HOME"):
        base = Path(os.environ["XDG_CACHE_HOME"]) / "podium"
    elif os.environ.get("HOME"):
        base = Path(os.environ["HOME"]) / ".cache" / "podium"
    else:
        raise OSError("no folder for translated kernels: none of PODIUM_CACHE, XDG_CACHE_HOME and HOME is set; set one")
    return base / "emulators"


def key_of(parts: Iterable[str | bytes]) -> str:
    """Digest of all that determines a product: 32 hexadecimal digits. Where one part ends counts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:32]


def source_digest(*folders: Path, suffixes: tuple[str, ...] = ()) -> str:
    """Digest of the files below folders, of those suffixes if any are given: a translator's own version. Names count, places do
    not."""
    parts: list[str | bytes] = []
    for base in folders:
        for file in sorted(base.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts and (not suffixes or file.suffix in suffixes):
                parts += [str(file.relative_to(base)), file.read_bytes()]
    return key_of(parts)


def product(key: str, suffix: str) -> Path:
    """Where that product lies once it is made."""
    return folder() / key[:2] / (key + suffix)


def made(key: str, suffix: str, make: Callable[[Path], None]) -> Path:
    """The product under `key`, made by `make(file)` if it is not there. What `make` raises is raised, and nothing
    is kept. Of several processes that want the same one, one makes it and the others wait."""
    there = product(key, suffix)
    if there.exists():
        return there
    place = there.parent
    place.mkdir(parents=True, exist_ok=True)
    locked = place / (key + suffix + ".lock")  # each product has its own: what unlocks one takes the file away
    with open(locked, "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if there.exists():
            return there
        with tempfile.TemporaryDirectory(dir=place) as scratch:
            file = Path(scratch) / ("product" + suffix)
            make(file)
            os.replace(file, there)
        locked.unlink(missing_ok=True)
    return there
