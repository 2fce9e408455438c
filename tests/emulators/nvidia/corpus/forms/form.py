# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What a test of the corpus is: an instruction with its modifiers and types (a form), and the operands that it gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ieee import Format
from tensors import Tensor


@dataclass(frozen=True)
class NotANumber:
    """An expected NaN: the format's canonical one, or any NaN of f64, whose payload the ISA leaves open."""

    format: Format


@dataclass(frozen=True)
class Near:
    """An expected number of a function that hardware approximates, and by how much it may be off."""

    value: float
    error: float
    format: Format


@dataclass(frozen=True)
class Including:
    """Any mask with these bits."""

    bits: int


ANYTHING = Including(0)  # where neither ISA nor device can be relied upon
Answer = int | NotANumber | Near | Including | None  # None: nothing is expected, and a device's bits are right


@dataclass(frozen=True)
class Form:
    """An instruction as PTX has it. The body reads %a, %b, %c, %e, or %a0, %a1 ... where operands are fragments of matrices,
    and writes %d, or %d0, %d1 ... where there are several results."""

    name: str  # opcode with modifiers and types: add.rz.ftz.f32
    body: str
    operands: tuple[str, ...]  # kinds of operands.py
    results: tuple[str, ...]  # register types; "pred" is stored as a byte
    target: str = "sm_80"  # the least architecture that has it
    variant: str = ""  # an immediate operand, or another part that is no modifier
    domain: str = "scalar"  # whose operand classes it gets: operands.CLASSES
    # What the ISA makes of the operands: an answer, or a tuple of one for each result. Where lanes work together, it gets a
    # list of as many lanes' operands, and returns a list of tuples.
    expected: Callable[..., object] | None = None
    together: int = 1
    strict: bool = False  # bit for bit as the device has it, also where the ISA leaves room
    blocks: int = 1  # of a cluster, among which the lanes are divided evenly: %t is a lane's number in its block, %rank the block's
    shared: int = 0  # bytes of each block's %box
    tensor: Tensor | None = None  # whose map lies at %map: of the operands, or of the results where the body writes them itself
    direct: bool = False  # the body writes its results, all of them b32, to %place
    clustered: bool = False  # launched as a cluster, also of one block

    @property
    def title(self) -> str:
        return f"{self.name} ({self.variant})" if self.variant else self.name


WIDTHS = {"b16": 16, "b32": 32, "b64": 64, "pred": 8}


def register(width: int) -> str:
    return f"b{max(width, 16)}"


def plain(name: str, operands: Sequence[str], result: str, expected=None, target: str = "sm_80", **rest) -> Form:
    """The common case: one result, operands in their order."""
    names = ", ".join("%" + n for n in "abce"[: len(operands)])
    return Form(name, f"{name} %d, {names};", tuple(operands), (result,), target, expected=expected, **rest)
