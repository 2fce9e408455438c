# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""PTX in what nvcc makes: the entries of fatbins, compressed or not. suite/fatbin has the layout, and reads the same."""

from __future__ import annotations

import ctypes
import mmap
import re
import struct
from collections.abc import Iterator

_MAGIC = b"\x50\xed\x55\xba\x01\x00\x10\x00"  # with version and bytes of the header
_HEADER = struct.Struct("<IHHQ")  # magic, version, bytes of the header, bytes behind it
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")  # kind, -, bytes of the header, bytes behind it, compressed bytes, ...
_PTX = 1
_LZ4, _ZSTANDARD = 0x2000, 0x8000
_LZ4_MOST_RATIO = 255
_MOST_CODE_BYTES = 1 << 28
_BEGINS = b".version "
_TARGET = re.compile(r"^\.target sm_(\d+)([af]?)", re.M)
_KINDS = ("", "f", "a")  # the last one is chosen first


class Damaged(Exception):
    """A sentence for the log."""


def _library(name: str, package: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(name)
    except OSError:
        raise Damaged(f"found PTX that is compressed, and no {name} to read it with: install {package}") from None


def _decompressed(stored: bytes, size: int, zstandard: bool) -> bytes:
    if size > _MOST_CODE_BYTES:
        raise Damaged(f"found compressed PTX that is said to have {size} bytes, expected at most {_MOST_CODE_BYTES}: make the fatbin again")
    if size == 0 or (not zstandard and size > len(stored) * _LZ4_MOST_RATIO):
        raise Damaged(f"found {len(stored)} bytes of compressed PTX that are said to become {size}, which they cannot: make the fatbin again")
    library = _library("libzstd.so.1", "libzstd1") if zstandard else _library("liblz4.so.1", "liblz4-1")
    with mmap.mmap(-1, size) as room:  # no memory until it is written, whatever size is claimed
        view = (ctypes.c_char * size).from_buffer(room)
        if zstandard:
            library.ZSTD_decompress.restype = ctypes.c_size_t  # of an error nearly 2^64
            library.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
            written = library.ZSTD_decompress(view, size, stored, len(stored))
        else:
            written = library.LZ4_decompress_safe(stored, view, len(stored), size)  # of an error negative
        del view
        if written != size:
            method = "Zstandard" if zstandard else "LZ4"
            raise Damaged(f"found PTX compressed by {method} that is damaged, expected it as fatbinary writes it: make the fatbin again")
        return room[:]


def _codes(data: bytes, at: int) -> Iterator[bytes]:
    """PTX in the fatbin that begins at `at`, one after the other."""
    if at + _HEADER.size > len(data):
        raise Damaged("found a fatbin that was cut off, expected the whole file")
    _, _, header, size = _HEADER.unpack_from(data, at)
    end = at + header + size
    at += header
    while at < end:
        if at + _ENTRY.size > len(data):
            raise Damaged("found a fatbin that was cut off, expected the whole file")
        kind, _, header, size, compressed, _, _, _, _, _, _, flags, _, code_bytes = _ENTRY.unpack_from(data, at)
        if header < _ENTRY.size:
            raise Damaged("found a fatbin with an entry of another layout, expected one of CUDA 12 or 13")
        if at + header + size > min(end, len(data)) or compressed > size:
            raise Damaged("found a fatbin that was cut off, expected the whole file")
        begins = at + header
        if kind == _PTX and flags & (_LZ4 | _ZSTANDARD):
            yield _decompressed(data[begins : begins + compressed], code_bytes, flags & _ZSTANDARD != 0)
        elif kind == _PTX:
            yield data[begins : begins + size]
        at = begins + size


def _text_in(code: bytes) -> str | None:
    """From the line on that begins with .version, up to a zero."""
    at = 0 if code.startswith(_BEGINS) else code.find(b"\n" + _BEGINS) + 1
    if not code.startswith(_BEGINS, at):
        return None
    end = code.find(b"\0", at)
    try:
        return code[at : end if end >= 0 else len(code)].decode()
    except UnicodeDecodeError as problem:
        raise Damaged(f"found PTX that is no text ({problem.reason} at its byte {problem.start})") from None


def texts_of(data: bytes) -> list[str]:
    """Every PTX text of an object, library or fatbin, or the one of a text, each from `.version` on. Throws Damaged."""
    at = data.find(_MAGIC)
    if at < 0:
        return [text for text in [_text_in(data)] if text]
    texts: dict[str, None] = {}
    while at >= 0:
        texts |= {text: None for code in _codes(data, at) if (text := _text_in(code))}
        at = data.find(_MAGIC, at + 1)
    return list(texts)


def target_of(text: str) -> tuple[int, str]:
    """Of PTX for sm_90a: 90 and "a"."""
    match = _TARGET.search(text)
    return (int(match[1]), match[2]) if match else (0, "")


def takes(device: int, target: tuple[int, str]) -> bool:
    """PTX for sm_90 is taken by later devices too, for sm_100f by those of its family, for sm_90a by none but sm_90."""
    number, kind = target
    if kind == "a":
        return number == device
    return number <= device and (not kind or number // 10 == device // 10)


def ptx_of(data: bytes, device: int | None = None) -> str | None:
    """The PTX text that a device takes, 90 of sm_90a; without one, that of the latest target. runtime/fatbins.cpp chooses the same
    from one fatbin. None if there is none. Throws Damaged."""
    fitting = [text for text in texts_of(data) if device is None or takes(device, target_of(text))]
    return max(fitting, key=lambda text: (target_of(text)[0], _KINDS.index(target_of(text)[1])), default=None)


def hash_of(text: str) -> int:
    """FNV-1a, 64 bits, as device/module.hpp has it: by it a fatbin finds its translation."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value
