# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A PTX module: its functions and variables (PTX ISA 4.4, 5.4, 11)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from .lexer import Unknown, closing_brace, split, without_comments
from .types import BYTES

_IGNORED = re.compile(r"\s*(?:\.(?:version|target|address_size|file|loc|pragma|alias)[^\n]*\n|;)")
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', re.M)
_VARIABLE = re.compile(
    r"(.*?)\.(global|const|shared|local|param)\b(.*?)\.(v[248]\s+)?(?:\s*\.)?([busf]\d+|pred|bf16|b128)\s+"
    r"([\w$.%]+)\s*((?:\[[^\]]*\])*)\s*(?:=\s*(.*))?$",
    re.S,
)
_PARAMETER = re.compile(
    r"\.param\s+(?:\.align\s+(\d+)\s+)?\.([busf]\d+|b128)\s+"
    r"(?:\.ptr\S*\s+(?:\.\w+\s+)*(?:\.align\s+)?(?:\d+\s+)?)?([\w$%.]+)\s*(?:\[(\d+)\])?$",
    re.S,
)


@dataclass
class Variable:
    name: str
    space: str
    type: str
    count: int
    align: int
    extern: bool
    initial: str | None

    @property
    def size(self) -> int:
        return self.count * BYTES[self.type]


@dataclass
class Parameter:
    name: str
    offset: int
    size: int


@dataclass
class Function:
    name: str
    entry: bool
    result: Parameter | None  # that it returns in
    parameters: list[Parameter]
    size: int  # of all parameters
    attributes: str
    body: str
    line: int

    def numbers(self, directive: str) -> list[int]:
        """Of .maxntid, .reqntid and their like: three, as far as they are not stated 1; [] where it is not there."""
        match = re.search(rf"\.{directive}\s+([\d, ]+)", self.attributes)
        return ([int(x) for x in match[1].split(",") if x.strip()] + [1, 1])[:3] if match else []


def parse_variable(text: str) -> Variable | None:
    match = _VARIABLE.match(text)
    if not match:
        return None
    align = re.search(r"\.align\s+(\d+)", match[3])
    count, vector = 1, int(match[4].strip()[1:]) if match[4] else 1
    for dimension in re.findall(r"\[([^\]]*)\]", match[7] or ""):
        count *= int(dimension, 0) if dimension.strip() else 0
    return Variable(
        name=match[6],
        space=match[2],
        type=match[5],
        count=count * vector,
        align=int(align[1]) if align else BYTES[match[5]] * vector,
        extern=".extern" in match[1] or bool(match[7] and count == 0),
        initial=match[8],
    )


def _parameters(text: str) -> tuple[list[Parameter], int]:
    placed, offset = [], 0
    for one in split(text):
        match = _PARAMETER.match(" ".join(one.split()))
        if not match:
            raise Unknown("the parameter " + one)
        size = BYTES[match[2]] * int(match[4] or 1)
        align = int(match[1] or BYTES[match[2]])
        offset = (offset + align - 1) // align * align
        placed.append(Parameter(match[3], offset, size))
        offset += size
    return placed, offset


class Module:
    """What a PTX file holds; bodies of functions are text still."""

    def __init__(self, text: str) -> None:
        self.files = {int(number): name for number, name in _FILE.findall(text)}
        self.functions: dict[str, Function] = {}
        self.variables: dict[str, Variable] = {}
        source = without_comments(text)
        at = 0
        while True:
            while ignored := _IGNORED.match(source, at):
                at = ignored.end()
            at += len(source[at:]) - len(source[at:].lstrip())
            if at >= len(source):
                return
            at = self._directive(source, at)

    @cached_property
    def taken(self) -> list[str]:
        """Functions whose address some instruction or variable holds: what a call through a register may reach."""
        texts = [f.body for f in self.functions.values()]
        held = {name for text in texts for name in re.findall(r"\bmov\.[ub]64\s+[\w$%]+\s*,\s*([\w$.]+)\s*;", text)}
        held |= {name for v in self.variables.values() for name in re.findall(r"[A-Za-z_$][\w$.]*", v.initial or "")}
        return [name for name, f in self.functions.items() if name in held and not f.entry]

    def _directive(self, source: str, at: int) -> int:
        end = re.compile(r"[;{=]").search(source, at)
        if not end:
            raise Unknown("the directive " + source[at : at + 60])
        head = source[at : end.start()]
        if head.startswith(".section"):
            return closing_brace(source, end.start()) + 1
        if kind := re.search(r"\.(entry|func)\b", head):
            if end[0] == ";":  # declared only
                return end.end()
            close = closing_brace(source, end.start())
            self._function(source, head, kind, end.start(), close)
            return close + 1
        end_of_variable = source.index(";", at)
        if variable := parse_variable(source[at:end_of_variable].strip()):
            self.variables[variable.name] = variable
        return end_of_variable + 1

    def _function(self, source: str, head: str, kind: re.Match[str], opening: int, close: int) -> None:
        rest = head[kind.end() :]
        match = re.match(r"\s*(\([^)]*\))?\s*([\w$.%]+)\s*(\(([^)]*)\))?", rest, re.S)
        if not match:
            raise Unknown("the function " + rest[:60])
        results, _ = _parameters(match[1][1:-1]) if match[1] else ([], 0)
        parameters, size = _parameters(match[4] or "")
        self.functions[match[2]] = Function(
            name=match[2],
            entry=kind[1] == "entry",
            result=results[0] if results else None,
            parameters=parameters,
            size=size,
            attributes=rest[match.end() :],
            body=source[opening + 1 : close],
            line=source.count("\n", 0, opening) + 1,
        )
