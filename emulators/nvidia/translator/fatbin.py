# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""PTX in what nvcc makes: the text lies uncompressed in an object's fatbin (nvcc -no-compress)."""

from __future__ import annotations

_BEGINS = b"\n.version "


def ptx_of(data: bytes) -> str | None:
    """The first PTX text, from `.version` on; runtime/modules.cpp looks for the same. None if there is none."""
    at = data.find(_BEGINS)
    if at < 0:
        return None
    end = data.find(b"\0", at)
    return data[at + 1 : end if end >= 0 else len(data)].decode()


def hash_of(text: str) -> int:
    """FNV-1a, 64 bits, as device/module.hpp has it: by it a fatbin finds its translation."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value
