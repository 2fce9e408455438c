# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What accesses to memory do, in the words of AMD's instruction set guides. Every lane has 64 bytes of its own; it is
given them, and what the instruction left there and in its registers is looked at."""

import re
import struct
from dataclasses import dataclass

from numbers_of import NAN, added, greatest, least, rounded, value
from vector import BEFORE, low, signed

OFFSET, SLOT = 8, 64  # of the instruction; bytes
FAR = 4096  # where the second half of slots begins for instructions with two places far from each other
SPACES = ("GLOBAL", "FLAT", "SCRATCH", "BUFFER", "DS")
WORDS = {"UBYTE": 1, "SBYTE": 1, "BYTE": 1, "USHORT": 2, "SSHORT": 2, "SHORT": 2, "DWORD": 4, "DWORDX2": 8, "DWORDX3": 12, "DWORDX4": 16}

# What the names of atomics say, longer ones first.
ATOMICS = {name: name for name in ("PK_ADD", "ADD", "SUB", "RSUB", "AND", "OR", "XOR", "INC", "DEC", "SWAP", "CMPSWAP")}
ATOMICS |= {"CMPSTORE": "CMPSWAP", "CMPST": "CMPSWAP", "WRXCHG": "SWAP", "STOREXCHG": "SWAP"}
ATOMICS |= {f"{sign}{end}{number}": end for end in ("MIN", "MAX") for sign in ("S", "U", "") for number in ("_NUM", "")}


@dataclass(frozen=True)
class Access:
    name: str
    space: str
    action: str  # LOAD, STORE, or that of an atomic: ADD ...
    bytes: int  # of each place
    signed: bool = False
    half: str = ""  # of the register that alone is written, or read: D16, D16_HI
    places: tuple[int, ...] = (OFFSET,)  # in the slot
    kind: str = "u"  # of an atomic: u, i, f, pk_f16, pk_bf16
    returns: bool = True
    far: bool = False  # the second place, in units of 64: FAR bytes further

    @property
    def registers(self) -> int:
        """Words of the result or the data."""
        return max(1, self.bytes // 4) * len(self.places)


def access(name: str) -> Access | None:
    """The instruction of that name, if it is one of these."""
    space, _, rest = name.partition("_")
    if space == "S" and (m := re.fullmatch(r"S_LOAD_(?:DWORD(?:X(\d+))?|B(\d+)|([UI])(8|16))", name)):
        size = int(m[4]) // 8 if m[3] else int(m[2]) // 8 if m[2] else 4 * int(m[1] or 1)
        return Access(name, "S", "LOAD", size, m[3] == "I", places=(0,) if size == SLOT else (OFFSET,))
    if space not in SPACES:
        return None
    returns = space != "DS" or "_RTN" in rest
    rest = rest.replace("_RTN", "")
    if "ATOMIC_" in rest or (space == "DS" and not re.match("READ|WRITE|LOAD|STORE", rest)):
        return _atomic(name, space, rest.removeprefix("ATOMIC_"), returns)
    if m := re.fullmatch(r"(READ|WRITE|LOAD|STORE)_?2(ADDR_)?(_?STRIDE64_|ST64_|_)?B(\d+)", rest):
        size, far = int(m[4]) // 8, "64" in (m[3] or "")
        places = (0, SLOT // 2) if far else (OFFSET, OFFSET + 3 * size)
        return Access(name, space, "LOAD" if m[1] in ("READ", "LOAD") else "STORE", size, places=places, far=far)
    if not (m := re.fullmatch(r"(READ|WRITE|LOAD|STORE)_(.*)", rest)):
        return None
    action, kind, half = ("LOAD" if m[1] in ("READ", "LOAD") else "STORE"), m[2], ""
    if "D16" in kind:
        half = "D16_HI" if "D16_HI" in kind else "D16"
        kind = kind.replace(f"_{half}", "").replace(f"{half}_", "")
        kind = "SHORT" if kind == half else kind
    if kind in WORDS:
        return Access(name, space, action, WORDS[kind], kind.startswith("S") and kind != "SHORT", half)
    if m := re.fullmatch(r"([BUI])(\d+)", kind):
        return Access(name, space, action, int(m[2]) // 8, m[1] == "I", half)
    return None


def _atomic(name: str, space: str, rest: str, returns: bool) -> Access | None:
    m = re.fullmatch(rf"({'|'.join(ATOMICS)})(?:_([A-Z]*)(\d+))?(?:_(X2))?", rest)
    if not m:
        return None
    size = 8 if m[4] or m[3] == "64" or (m[2] == "X" and m[3] == "2") else 4
    kind = {"F": "f", "BF": "pk_bf16", "I": "i"}.get(m[2] or "", "u")
    if m[1] == "PK_ADD":
        kind = "pk_bf16" if m[2] == "BF" else "pk_f16"
    if m[1] in ("SMIN", "SMAX"):
        kind = "i"
    action = ATOMICS[m[1]]
    return Access(name, space, action, size, kind=kind, returns=returns)


def loaded(a: Access, slot: bytes) -> list[int]:
    """Words of the result, behind which the registers are as they were."""
    if a.bytes < 4:
        number = int.from_bytes(slot[a.places[0] : a.places[0] + a.bytes], "little", signed=a.signed)
        if a.half == "D16":
            return [BEFORE & 0xFFFF0000 | low(number, 16)]
        return [BEFORE & 0xFFFF | low(number, 16) << 16] if a.half else [low(number)]
    return [w for p in a.places for w in struct.unpack(f"<{a.bytes // 4}I", slot[p : p + a.bytes])]


def stored(a: Access, slot: bytes, data: list[int]) -> bytes:
    """The slot afterwards."""
    result = bytearray(slot)
    raw = struct.pack(f"<{len(data)}I", *data)
    if a.half == "D16_HI":
        raw = raw[2:]
    for n, place in enumerate(a.places):
        result[place : place + a.bytes] = raw[n * max(4, a.bytes) :][: a.bytes]
    return bytes(result)


def atomic(a: Access, before: int, x: int, compared: int):
    """What is in memory afterwards: bits, or for numbers that are no numbers NAN."""
    bits = 8 * a.bytes
    of = (lambda y: signed(y, bits)) if a.kind == "i" else (lambda y: y)
    number = f"f{bits}"
    if a.kind == "f":
        b, y = value(before, number), value(x, number)
        return {"ADD": added(b, y, number), "MIN": rounded(least(b, y), number), "MAX": rounded(greatest(b, y), number)}[a.action]
    if a.kind.startswith("pk"):
        halves = [added(value(before >> n, a.kind[3:]), value(x >> n, a.kind[3:]), a.kind[3:]) for n in (0, 16)]
        return NAN if NAN in halves else halves[0] | halves[1] << 16
    return {
        "ADD": low(before + x, bits), "SUB": low(before - x, bits), "RSUB": low(x - before, bits), "AND": before & x, "OR": before | x, "XOR": before ^ x,
        "MIN": min(before, x, key=of), "MAX": max(before, x, key=of), "SWAP": x, "CMPSWAP": x if before == compared else before,
        "INC": 0 if before >= x else before + 1, "DEC": x if before == 0 or before > x else before - 1,
    }[a.action]  # fmt: skip
