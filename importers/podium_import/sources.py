# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Where a task's folder comes from: its repository, commit and licence. Reads files; starts no git."""

import pathlib
import re

LICENCES = (
    ("Apache License", "Apache-2.0"),
    ("MIT License", "MIT"),
    ("Permission is hereby granted, free of charge", "MIT"),
    ("Redistribution and use in source and binary forms", "BSD"),
    ("GNU GENERAL PUBLIC LICENSE", "GPL"),
    ("Creative Commons", "CC"),
)


def _read(path):
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def repository_of(folder):
    for each in (folder, *folder.parents):
        if (each / ".git").exists():
            return each
    return None


def where_from(folder):
    """(address, or the folder's path; commit, or "")"""
    folder = pathlib.Path(folder)
    top = repository_of(folder)
    if top is None:
        return str(folder), ""
    git = top / ".git"
    if git.is_file():  # a worktree
        git = (top / _read(git).removeprefix("gitdir:").strip()).resolve()
    shared = (git / _read(git / "commondir").strip()).resolve() if (git / "commondir").is_file() else git
    head = _read(git / "HEAD").strip()
    commit = head
    if head.startswith("ref: "):
        ref = head.removeprefix("ref: ")
        commit = _read(git / ref).strip() or _read(shared / ref).strip()
        packed = re.search(rf"^([0-9a-f]{{40}}) {re.escape(ref)}$", _read(shared / "packed-refs"), re.MULTILINE)
        commit = commit or (packed[1] if packed else "")
    url = re.search(r"^\s*url\s*=\s*(\S+)", _read(shared / "config"), re.MULTILINE)
    below = folder.relative_to(top).as_posix()
    if not url:
        return str(folder), commit
    address = re.sub(r"//[^/@]*@", "//", url[1])  # no credentials
    return f"{address} {below}", commit


def licence_of(folder):
    """(name, text as bytes) of the nearest licence at or above the folder, within its repository."""
    folder = pathlib.Path(folder)
    top = repository_of(folder)
    for each in (folder, *folder.parents):
        for name in ("LICENSE", "LICENSE.md", "LICENSE.txt", "COPYING", "LICENCE"):
            if (each / name).is_file():
                text = (each / name).read_bytes()
                return name_of(text.decode("utf-8", "replace")), text
        if each == top or (top is None and each == folder.parent.parent):
            break
    return "", None


def name_of(text):
    for words, name in LICENCES:
        if words in text:
            return name
    lines = [line.strip("# ").strip() for line in text.splitlines() if line.strip()]
    return lines[0][:80] if lines else ""
