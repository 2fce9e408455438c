# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Kernels in PTX that use tensor memory: what tests of tcgen05 share."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from emulated import Buffer, Device
from tensors import HEADER

THREADS, SHARED = 128, 131072  # bytes of shared memory, which begins as a block's part of the content
TARGET = HEADER.format("sm_100a") + ".extern .shared .align 1024 .b8 memory[];\n"


def prologue(name: str, group: int) -> str:
    cluster = ".reqnctapercluster 2, 1, 1 .explicitcluster" if group == 2 else ""
    return f""".visible .entry {name}(.param .u64 out, .param .u64 in, .param .u64 a, .param .u64 b, .param .u32 how, .param .u32 extra) {cluster}
{{
.shared .align 8 .b64 bar;
.shared .align 4 .b32 place;
.reg .b32 %i, %at, %v, %s, %d, %how, %extra, %rank, %w, %t, %f, %g, %x, %y, %z, %r<32>;
.reg .b64 %o, %p, %a, %b, %base;
.reg .pred %q, %first, %acc;
mov.u32 %i, %tid.x;
mov.u32 %rank, %cluster_ctarank;
ld.param.u32 %how, [how];
ld.param.u32 %extra, [extra];
ld.param.u64 %o, [out]; mul.wide.u32 %p, %rank, {THREADS * 256 * 4}; add.u64 %o, %o, %p;
ld.param.u64 %p, [in]; mul.wide.u32 %base, %rank, {SHARED}; add.u64 %p, %p, %base;
mul.wide.u32 %base, %i, 16; add.u64 %p, %p, %base;
mov.u32 %s, memory;
shr.u32 %v, %s, 4;
cvt.u64.u32 %base, %v;
ld.param.u64 %a, [a]; add.u64 %a, %a, %base;
ld.param.u64 %b, [b]; add.u64 %b, %b, %base;
mad.lo.u32 %s, %i, 16, %s;
mov.u32 %at, 0;
IN: ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%p];
st.shared.v4.b32 [%s], {{%r0, %r1, %r2, %r3}};
add.u32 %s, %s, 2048; add.u64 %p, %p, 2048; add.u32 %at, %at, 2048;
setp.lt.u32 %q, %at, {SHARED};
@%q bra IN;
setp.eq.u32 %first, %i, 0;
@%first mbarrier.init.shared::cta.b64 [bar], 1;
fence.mbarrier_init.release.cluster;
fence.proxy.async.shared::cta;
shr.u32 %w, %i, 5;
setp.ne.u32 %q, %w, 0;
@%q bra ALLOCATED;
tcgen05.alloc.cta_group::{group}.sync.aligned.shared::cta.b32 [place], 512;
tcgen05.relinquish_alloc_permit.cta_group::{group}.sync.aligned;
ALLOCATED: tcgen05.fence::before_thread_sync;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
tcgen05.fence::after_thread_sync;
ld.shared.b32 %d, [place];
shl.b32 %t, %w, 21; add.u32 %t, %t, %d;
"""


WAIT = """
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0;
@!%q bra WAIT;
tcgen05.fence::after_thread_sync;
"""


def epilogue(group: int, columns: int = 256) -> str:
    """Each thread stores its lane of tensor memory, from the first column on."""
    text = f"mul.wide.u32 %p, %i, {4 * columns}; add.u64 %o, %o, %p;\n"
    for column in range(0, columns, 16):
        listed = ", ".join(f"%r{i}" for i in range(16))
        text += f"tcgen05.ld.sync.aligned.32x32b.x16.b32 {{{listed}}}, [%t+{column}];\ntcgen05.wait::ld.sync.aligned;\n"
        text += "".join(f"st.global.b32 [%o+{4 * (column + i)}], %r{i};\n" for i in range(16))
    return text + f"""tcgen05.fence::before_thread_sync;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
setp.ne.u32 %q, %w, 0;
@%q bra DONE;
tcgen05.dealloc.cta_group::{group}.sync.aligned.b32 %d, 512;
DONE: ret;
}}
"""


def fill(value: str, columns: int, first: int = 0) -> str:
    """Each thread's lane of tensor memory."""
    text = ""
    for column in range(first, first + columns, 8):
        text += f"tcgen05.st.sync.aligned.32x32b.x8.b32 [%t+{column}], {{{', '.join([value] * 8)}}};\n"
    return text + "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\nbar.sync 0;\n"


ONE_THREAD = """
or.b32 %v, %i, %rank;
setp.ne.u32 %first, %v, 0;
@%first bra ISSUED;
setp.ne.b32 %acc, 1, 0;
"""


def descriptor(start: int, leading: int = 4096, stride: int = 128) -> int:
    return start >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | 1 << 46


def launch(device: Device, kernels: str, name: str, content: Sequence[bytes], a: int = 0, b: int = 0, how: int = 0, extra: int = 0) -> list[bytes]:
    """The output of each block, whose shared memory begins as its part of `content`."""
    module = device.load(kernels)
    memory = Buffer(device, b"".join(part.ljust(SHARED, b"\0") for part in content) + bytes(2048))
    out = Buffer(device, bytes(THREADS * 256 * 4 * len(content)))
    arguments = [ctypes.c_uint64(x) for x in (out.at.value, memory.at.value, a, b)] + [ctypes.c_uint32(how), ctypes.c_uint32(extra)]
    device.launch(module, name, len(content), THREADS, arguments, shared=SHARED)
    data, size = out.bytes(), THREADS * 256 * 4
    return [data[i * size : (i + 1) * size] for i in range(len(content))]
