# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Forms as PTX: kernels of forms with the same operands, each in a slot of its own, and modules of kernels."""

from __future__ import annotations

import ctypes
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from .form import WIDTHS, Form, register
from .operands import CLASSES, FRAGMENTS, MEMORIES, WIDTH, table

SLOTS = 24  # forms of a kernel at most
CELL = 16  # bytes of memory that a lane has for itself, in global and in shared memory
MAP = 128  # bytes of a tensor map
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
    blocks: int = 1  # of a cluster
    clustered: bool = False  # also one of a single block
    slots: list[Slot] = field(default_factory=list)
    size: int = 0  # bytes of results

    @property
    def lanes(self) -> int:
        return sum(count for _, count in CLASSES[self.domain])

    @property
    def threads(self) -> int:
        """Of a block."""
        return self.lanes // self.blocks

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
        if self.domain in MEMORIES:
            return []
        return [f"a{i}" for i in range(len(self.operands))] if self.domain in FRAGMENTS else list("abce"[: len(self.operands)])

    @cached_property
    def tensors(self) -> list[Slot]:
        """The slots that have a tensor map, in the order of the kernel's parameter."""
        return [slot for slot in self.slots if slot.form.tensor is not None]

    def arguments(self, device, out: int, inputs: int) -> list:
        """What the kernel is launched with: two addresses, and the maps that `device` encodes."""
        places = [ctypes.c_uint64(out), ctypes.c_uint64(inputs)]
        maps = [bytes(s.form.tensor.map(device, out + s.begins[0] if s.form.direct else inputs)) for s in self.tensors]
        return [*places, (ctypes.c_ubyte * (MAP * len(maps))).from_buffer_copy(b"".join(maps))] if maps else places

    def ptx(self) -> str:
        bodies = "".join(self._slot(slot) for slot in self.slots)
        maps = f", .param .align 64 .b8 maps[{MAP * len(self.tensors)}]" if self.tensors else ""
        text = f".visible .entry {self.name}(.param .u64 out, .param .u64 in{maps})\n"
        text += f".explicitcluster\n.reqnctapercluster {self.blocks}, 1, 1\n" if self.blocks > 1 or self.clustered else ""
        text += f".maxntid {self.threads}\n{{\n"
        cells, more, box = ("%" + name in bodies for name in ("cell", "more", "box"))
        text += f".shared .align 128 .b8 cells[{CELL * self.threads}];\n" if cells else ""
        text += f".shared .align 128 .b8 others[{CELL * self.threads}];\n" if more else ""
        text += f".shared .align 1024 .b8 box[{max(s.form.shared for s in self.slots)}];\n" if box else ""
        text += f".shared .align 8 .b64 bars[{len(self.slots)}];\n" if "%bar" in bodies else ""
        text += ".reg .b32 %i, %cell, %more, %byte;\n.reg .b64 %out, %in, %at, %wide, %scratch;\n"
        text += "".join(f".reg .{register(WIDTH[kind])} %{name};\n" for name, kind in zip(self.names, self.operands))
        within = "%i"
        ranked = self.blocks > 1 or (box and (self.domain == "tiles" or re.search(r"%(t|rank|bar|map|place)\b", bodies)))
        text += ".reg .b32 %box;\n" if box and not ranked else ""
        if ranked:
            text += ".reg .b32 %t, %rank, %box, %bar;\n.reg .b64 %map, %place;\n"
            text += f"mov.u32 %t, %tid.x;\nmov.u32 %rank, %cluster_ctarank;\nmad.lo.u32 %i, %rank, {self.threads}, %t;\n"
            within = "%t"
        else:
            text += "mov.u32 %i, %tid.x;\n"
        text += "cvt.u64.u32 %wide, %i;\nld.param.u64 %out, [out];\nld.param.u64 %in, [in];\n"
        text += "mov.u32 %box, box;\n" if box else ""
        if cells:
            text += f"mov.u32 %cell, cells;\nmad.lo.u32 %cell, {within}, {CELL}, %cell;\n"
        if more:
            text += f"mov.u32 %more, others;\nmad.lo.u32 %more, {within}, {CELL}, %more;\n"
        if "%scratch" in bodies:
            text += f"mad.lo.u64 %scratch, %wide, {CELL}, %out;\nadd.u64 %scratch, %scratch, {self.size};\n"
        if self.domain == "tiles":
            text += self._copied()
        begin = 0
        for name, kind in zip(self.names, self.operands):
            size = WIDTH[kind] // 8
            text += f"mad.lo.u64 %at, %wide, {size}, %in;\nld.global.b{8 * size} %{name}, [%at+{begin}];\n"
            begin += size * self.lanes
        return text + bodies + "ret;\n}\n"

    def _copied(self) -> str:
        """The operands' first bytes in every slot's box."""
        text = "{ .reg .b32 %v, %word; .reg .b64 %g;\nshl.b32 %word, %t, 2; add.u32 %word, %box, %word; shl.b64 %g, %wide, 2; add.u64 %g, %in, %g;\n"
        for at in range(0, self.slots[0].form.shared, 4 * self.lanes):
            text += f"ld.global.b32 %v, [%g+{at}]; st.shared.b32 [%word+{at}], %v; "
        return text + "\nfence.proxy.async.shared::cta; }\n"

    def _slot(self, slot: Slot) -> str:
        names = ["d"] if len(slot.form.results) == 1 else [f"d{i}" for i in range(len(slot.form.results))]
        text = f"{{ // {slot.form.title}\n"
        if slot.form.direct:
            text += f"mad.lo.u64 %place, %wide, 4, %out;\nadd.u64 %place, %place, {slot.begins[0]};\n"
        else:
            text += "".join(f".reg .{result} %{name};\n" for name, result in zip(names, slot.form.results))
        if slot.form.tensor is not None:
            text += f"mov.b64 %map, maps;\ncvta.param.u64 %map, %map;\nadd.u64 %map, %map, {MAP * self.tensors.index(slot)};\n"
        if "%bar" in slot.form.body:
            text += f"mov.u32 %bar, bars;\nadd.u32 %bar, %bar, {8 * self.slots.index(slot)};\n"
        text += slot.form.body + "\n"
        if slot.form.direct:
            return text + "}\n"
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
            digest.update("".join(repr(slot.form.tensor) for slot in kernel.tensors).encode())
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
        key = (form.target, form.domain, form.operands, form.blocks, form.clustered)
        kernel = open_kernels.get(key)
        if kernel is None or len(kernel.slots) == SLOTS:
            kernel = open_kernels[key] = Kernel(f"{module.name}_{len(module.kernels)}", form.operands, form.domain, form.blocks, form.clustered)
            module.kernels.append(kernel)
        kernel.add(form)
    return list(modules.values())
