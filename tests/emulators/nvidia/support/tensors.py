# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What tests of TMA and tensor cores share: tensor maps, swizzles and matrix layouts as CUDA's documentation draws them,
kernels in PTX, and mistakes that lose a device."""

from __future__ import annotations

import argparse
import ctypes
import multiprocessing
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from emulated import Device, Failed
from ieee import OUTSIDE

T = TypeVar("T")
HEADER = ".version 8.8\n.target {}\n.address_size 64\n"
# A box of %n bytes on its way to shared memory: expected by the first thread, %p in all others, and waited for.
EXPECT = """
@%p bra READY;
mbarrier.init.shared::cta.b64 [bar], 1;
fence.mbarrier_init.release.cluster;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], %n;
"""
WAIT = """
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [bar], 0;
@!%p bra WAIT;
"""
# Threads copy the box to memory, each every 32nd word.
COPY_OUT = """
shl.b32 %at, %i, 2;
OUT: setp.ge.u32 %p, %at, %n;
@%p bra END;
add.u32 %v, %s, %at;
ld.shared.b32 %v, [%v];
cvt.u64.u32 %o, %at;
add.u64 %o, %g, %o;
st.global.b32 [%o], %v;
add.u32 %at, %at, 128;
bra OUT;
END: ret;
}
"""
# CUtensorMapDataType, bytes of an element.
TYPES = {
    "u8": (0, 1), "u16": (1, 2), "u32": (2, 4), "s32": (3, 4), "u64": (4, 8), "s64": (5, 8), "f16": (6, 2), "f32": (7, 4), "f64": (8, 8),
    "bf16": (9, 2), "f32.ftz": (10, 4), "tf32": (11, 4), "tf32.ftz": (12, 4),
}  # fmt: skip
# Elements of less than a byte are moved by sixteens, as which a Tensor's first extent counts them: CUtensorMapDataType, bytes of
# sixteen in global memory, and in shared memory, of which the last are padding.
SIXTEENS = {"16u4": (13, 8, 8), "16u4.padded": (14, 8, 16), "16u6.padded": (15, 12, 16)}
NAN_FILL = OUTSIDE.to_bytes(2, "little")  # what an H200 puts into every two bytes that a map fills with NaNs, whatever the type
SPANS = {0: 0, 1: 32, 2: 64, 3: 128}  # CUtensorMapSwizzle: bytes


def swizzled(offset: int, swizzle: int) -> int:
    """Where a byte of a box lies: within a span, 16-byte units are exchanged by the number of the 128-byte row."""
    mask = max(SPANS[swizzle] // 16 - 1, 0)
    return offset ^ (offset // 128 & mask) * 16


def empty_map() -> ctypes.Array:
    """A tensor map to be encoded; the driver refuses one that is not at a multiple of 64."""
    room = (ctypes.c_ubyte * (128 + 64))()
    return (ctypes.c_ubyte * 128).from_buffer(room, -ctypes.addressof(room) % 64)


@dataclass
class Tensor:
    type: str
    extents: list[int]  # elements, the contiguous dimension first
    box: list[int]
    swizzle: int = 0
    steps: list[int] = field(default_factory=list)
    nan: bool = False

    @property
    def size(self) -> int:
        return SIXTEENS[self.type][1] if self.type in SIXTEENS else TYPES[self.type][1]

    @property
    def placed(self) -> int:
        """Bytes of an element in shared memory, with padding."""
        return SIXTEENS[self.type][2] if self.type in SIXTEENS else self.size

    @property
    def together(self) -> int:
        """How many elements the driver and coordinates count where this class counts one."""
        return 16 if self.type in SIXTEENS else 1

    @property
    def strides(self) -> list[int]:
        """Bytes, from the first dimension on; rows begin at multiples of 16."""
        strides = [self.size]
        for extent in self.extents[:-1]:
            strides.append((strides[-1] * extent + 15) // 16 * 16)
        return strides

    @property
    def bytes(self) -> int:
        return self.strides[-1] * self.extents[-1] if len(self.extents) > 1 else self.size * self.extents[0]

    def counts(self) -> list[int]:
        steps = self.steps or [1] * len(self.box)
        return [self.box[0]] + [-(-b // s) for b, s in zip(self.box[1:], steps[1:])]

    def map(self, device: Device, address: int) -> ctypes.Array:
        rank, number = len(self.extents), (SIXTEENS if self.type in SIXTEENS else TYPES)[self.type][0]
        extents, box = ([first * self.together, *others] for first, *others in (self.extents, self.box))
        result = empty_map()
        status = device.library.cuTensorMapEncodeTiled(
            result, number, rank, ctypes.c_void_p(address), (ctypes.c_uint64 * rank)(*extents),
            (ctypes.c_uint64 * rank)(*self.strides[1:]), (ctypes.c_uint32 * rank)(*box),
            (ctypes.c_uint32 * rank)(*(self.steps or [1] * rank)), 0, self.swizzle, 0, int(self.nan),
        )  # fmt: skip
        device.check(status)
        return result

    def places(self, at: Sequence[int]) -> list[tuple[int, int | None]]:
        """For each element of a box: its byte in shared memory, and in the tensor; None outside of it."""
        counts, steps = self.counts(), self.steps or [1] * len(self.box)
        pitch = max(self.box[0] * self.placed, SPANS[self.swizzle])
        rows = 1
        for count in counts[1:]:
            rows *= count
        result = []
        for row in range(rows):
            rest, source, inside = row, 0, True
            for i in range(1, len(self.box)):
                x = at[i] + rest % counts[i] * steps[i]
                rest //= counts[i]
                inside &= 0 <= x < self.extents[i]
                source += x * self.strides[i]
            for column in range(self.box[0]):
                x = at[0] // self.together + column
                known = inside and 0 <= x < self.extents[0]
                result.append((swizzled(row * pitch + column * self.placed, self.swizzle), source + x * self.size if known else None))
        return result


def told(arguments: argparse.Namespace, kernel: Callable[[Device], object], mode: str = "lazy") -> str:
    """What a device says that is lost by `kernel`, in a process of its own; empty if it is not."""

    def child(queue: multiprocessing.Queue) -> None:
        os.environ["PODIUM_EMULATED_ASYNC"] = mode
        try:
            queue.put(repr(kernel(Device(arguments)))[:0])
        except Failed as fault:
            queue.put(str(fault))
        except BaseException as problem:  # what a test must see, not only a child that is gone
            queue.put(f"{type(problem).__name__}: {problem}")

    return _answer(child)


def computed(arguments: argparse.Namespace, kernel: Callable[[Device], T], mode: str) -> T:
    """What `kernel` returns in a process of its own, with asynchronous operations as `mode` has them."""

    def child(queue: multiprocessing.Queue) -> None:
        os.environ["PODIUM_EMULATED_ASYNC"] = mode
        queue.put(kernel(Device(arguments)))

    return _answer(child)


def _answer(child: Callable):
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    answer = queue.get(timeout=120)
    process.join()
    return answer
