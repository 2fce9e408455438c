# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""PTX text taken apart: comments, operands, statements (PTX ISA 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_LABEL = re.compile(r"([\w$]+)\s*:(?!:)")
_BRACKET_OR_COMMA = re.compile(r"[][{}(),]")
_SPACE = re.compile(r"\s+")


class Unknown(Exception):
    """The translator does not know this; the text says what of it. The kernel stops where it gets there."""


def without_comments(text: str) -> str:
    """Line numbers stay."""
    return _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)


def closing_brace(text: str, opening: int) -> int:
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opening):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    raise Unknown("a brace that nothing closes")


def split(text: str) -> list[str]:
    """At commas outside of brackets."""
    parts, depth, begin = [], 0, 0
    for match in _BRACKET_OR_COMMA.finditer(text):
        if match[0] in "[{(":
            depth += 1
        elif match[0] in "]})":
            depth -= 1
        elif depth == 0:
            parts.append(text[begin : match.start()].strip())
            begin = match.end()
    if text[begin:].strip():
        parts.append(text[begin:].strip())
    return parts


def elements(operand: str) -> list[str]:
    """Of a vector `{a, b}`; a single operand is a vector of one."""
    return split(operand[1:-1]) if operand.startswith("{") else [operand]


@dataclass
class Statement:
    """A label, a directive, an instruction or a block, with the line where it begins."""

    kind: str  # "label", "directive", "instruction", "block"
    text: str
    line: int
    body: list[Statement] = field(default_factory=list)


def statements(text: str, line: int) -> list[Statement]:
    """Of the body of a function that begins in `line`."""
    top: list[Statement] = []
    stack = [top]
    at, counted = 0, 0

    def line_at(position: int) -> int:
        nonlocal line, counted
        line += text.count("\n", counted, position)
        counted = position
        return line

    while at < len(text):
        if space := _SPACE.match(text, at):
            at = space.end()
        elif text[at] == "{":
            block = Statement("block", "", line_at(at))
            stack[-1].append(block)
            stack.append(block.body)
            at += 1
        elif text[at] == "}":
            stack.pop()
            at += 1
        elif text[at] == ";":
            at += 1
        elif label := _LABEL.match(text, at):
            stack[-1].append(Statement("label", label[1], line_at(at)))
            at = label.end()
        else:
            # .loc is the one directive that ends with its line.
            end = text.find("\n" if text.startswith((".loc ", ".loc\t"), at) else ";", at)
            end = len(text) if end < 0 else end
            kind = "directive" if text[at] == "." else "instruction"
            stack[-1].append(Statement(kind, " ".join(text[at:end].split()), line_at(at)))
            at = end + 1
    return top


@dataclass
class Instruction:
    line: int
    opcode: str  # "add"
    modifiers: list[str]  # ["rn", "ftz", "f32"]
    operands: list[str]
    text: str

    def has(self, *names: str) -> bool:
        return any(name in self.modifiers for name in names)

    def starting(self, prefix: str) -> str | None:
        """The first modifier that begins so: "shared" finds shared::cta."""
        return next((m for m in self.modifiers if m.startswith(prefix)), None)
