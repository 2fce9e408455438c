# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Forms as PTX: kernels of forms with the same operands, each in a slot of its own, and modules of kernels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from .form import WIDTHS, Form, register
from .operands import CLASSES, FRAGMENTS, WIDTH, table

SLOTS = 24  # forms of a kernel at most
CELL = 16  # bytes of memory that a lane has for itself, in global and in shared memory
HEADER = ".version 8.8\n.target {}\n.address_size 64\n"


@dataclass
class Slot:
    form: Form
    begins: list[int]  # of each result's column in the output, bytes

    @property
    def sizes(self) -> list[int]:
        return [WIDTHS[r] // 8 for r in self.form.results]


@dataclass
class Kernel:
    name: str
    operands: tuple[str, ...]
    domain: str
    slots: list[Slot] = field(default_factory=list)
    size: int = 0  # bytes of results

    @property
    def lanes(self) -> int:
        return sum(count for _, count in CLASSES[self.domain])

    @property
    def memory(self) -> int:
        """Bytes of the output with the lanes' cells behind it."""
        return self.size + CELL * self.lanes

    @cached_property
    def columns(self) -> list[list[int]]:
        return table(self.domain, self.operands)

    @cached_property
    def inputs(self) -> bytes:
        return b"".join(
            b"".join(value.to_bytes(WIDTH[kind] // 8, "little") for value in column)
            for kind, column in zip(self.operands, self.columns)
        )

    def add(self, form: Form) -> None:
        begins = []
        for size in (WIDTHS[r] // 8 for r in form.results):
            begins.append(self.size)
            self.size += (size * self.lanes + 15) // 16 * 16
        self.slots.append(Slot(form, begins))

    @property
    def names(self) -> list[str]:
        return [f"a{i}" for i in range(len(self.operands))] if self.domain in FRAGMENTS else list("abce"[: len(self.operands)])

    def ptx(self) -> str:
        bodies = "".join(self._slot(slot) for slot in self.slots)
        cells = "%cell" in bodies
        text = f".visible .entry {self.name}(.param .u64 out, .param .u64 in)\n.maxntid {self.lanes}\n{{\n"
        more = "%more" in bodies
        text += f".shared .align 128 .b8 cells[{CELL * self.lanes}];\n" if cells else ""
        text += f".shared .align 128 .b8 others[{CELL * self.lanes}];\n" if more else ""
        text += ".reg .b32 %i, %cell, %more, %byte;\n.reg .b64 %out, %in, %at, %wide, %scratch;\n"
        text += "".join(f".reg .{register(WIDTH[kind])} %{name};\n" for name, kind in zip(self.names, self.operands))
        text += "mov.u32 %i, %tid.x;\ncvt.u64.u32 %wide, %i;\nld.param.u64 %out, [out];\nld.param.u64 %in, [in];\n"
        if cells:
            text += f"mov.u32 %cell, cells;\nmad.lo.u32 %cell, %i, {CELL}, %cell;\n"
        if more:
            text += f"mov.u32 %more, others;\nmad.lo.u32 %more, %i, {CELL}, %more;\n"
        if "%scratch" in bodies:
            text += f"mad.lo.u64 %scratch, %wide, {CELL}, %out;\nadd.u64 %scratch, %scratch, {self.size};\n"
        begin = 0
        for name, kind in zip(self.names, self.operands):
            size = WIDTH[kind] // 8
            text += f"mad.lo.u64 %at, %wide, {size}, %in;\nld.global.b{8 * size} %{name}, [%at+{begin}];\n"
            begin += size * self.lanes
        return text + bodies + "ret;\n}\n"

    def _slot(self, slot: Slot) -> str:
        names = ["d"] if len(slot.form.results) == 1 else [f"d{i}" for i in range(len(slot.form.results))]
        text = f"{{ // {slot.form.title}\n"
        for name, result in zip(names, slot.form.results):
            text += f".reg .{result} %{name};\n"
        text += slot.form.body + "\n"
        for name, result, begin in zip(names, slot.form.results, slot.begins):
            size = WIDTHS[result] // 8
            text += f"mad.lo.u64 %at, %wide, {size}, %out;\n"
            if result == "pred":
                text += f"selp.u32 %byte, 1, 0, %{name};\nst.global.u8 [%at+{begin}], %byte;\n"
            else:
                text += f"st.global.{result} [%at+{begin}], %{name};\n"
        return text + "}\n"

    def results(self, slot: Slot, data: bytes) -> list[list[int]]:
        """A column for each result of a slot, out of the kernel's output."""
        return [
            [int.from_bytes(data[begin + size * i : begin + size * (i + 1)], "little") for i in range(self.lanes)]
            for begin, size in zip(slot.begins, slot.sizes)
        ]


@dataclass
class Module:
    name: str
    target: str
    kernels: list[Kernel]

    @cached_property
    def ptx(self) -> str:
        return HEADER.format(self.target) + "".join(k.ptx() for k in self.kernels)

    @property
    def digest(self) -> str:
        """Of the PTX and the operands: a recording of another one is of no use."""
        digest = hashlib.sha256(self.ptx.encode())
        for kernel in self.kernels:
            digest.update(kernel.inputs)
        return digest.hexdigest()


def modules_of(topic: str, forms: Iterable[Form]) -> list[Module]:
    """One for each architecture."""
    modules: dict[str, Module] = {}
    open_kernels: dict[tuple, Kernel] = {}
    seen: set[str] = set()
    for form in forms:
        if form.title in seen:
            raise ValueError(f"{topic}: the form {form.title} is there twice")
        seen.add(form.title)
        module = modules.setdefault(form.target, Module(f"{topic}_{form.target}", form.target, []))
        key = (form.target, form.domain, form.operands)
        kernel = open_kernels.get(key)
        if kernel is None or len(kernel.slots) == SLOTS:
            kernel = open_kernels[key] = Kernel(f"{module.name}_{len(module.kernels)}", form.operands, form.domain)
            module.kernels.append(kernel)
        kernel.add(form)
    return list(modules.values())
