# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Tensor maps that kernels change (tensormap.replace) or make of zeros, and hand on (tensormap.cp_fenceproxy): boxes come as such
a map of the host's would bring them; and mistakes with their sentences."""

from __future__ import annotations

import ctypes
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from emulated import Buffer, Device, options
from tensors import COPY_OUT, EXPECT, HEADER, NAN_FILL, TYPES, WAIT, Tensor, told

TARGET = "sm_90a"
ELEMENT_TYPES = {"u8": 0, "u16": 1, "u32": 2, "s32": 3, "u64": 4, "f16": 6, "f32": 7, "bf16": 10}  # of .elemtype


def replace(field: str, value: int, dimension: int | None = None) -> str:
    if field in ("elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity", "fill_mode"):  # of which the value is a constant
        return f"@!%p tensormap.replace.tile.{field}.shared::cta.b1024.b32 [copy], {value};\n"
    wide = field in ("global_address", "global_stride")
    width, register = ("b64", "%wide") if wide else ("b32", "%narrow")
    number = "" if dimension is None else f"{dimension}, "
    return f"@!%p mov.{width} {register}, {value};\n@!%p tensormap.replace.tile.{field}.shared::cta.b1024.{width} [copy], {number}{register};\n"


def place(tensor: Tensor, address: int) -> str:
    """Address, extents and strides, as kernels of grouped products replace them."""
    text = replace("global_address", address)
    text += "".join(replace("global_dim", extent, i) for i, extent in enumerate(tensor.extents))
    return text + "".join(replace("global_stride", stride, i) for i, stride in enumerate(tensor.strides[1:]))


def whole(tensor: Tensor, address: int) -> str:
    """All fields of a map that begins as zeros."""
    text = replace("rank", len(tensor.extents) - 1) + place(tensor, address)
    text += "".join(replace("box_dim", box, i) for i, box in enumerate(tensor.box))
    text += "".join(replace("element_stride", 1, i) for i in range(len(tensor.box)))
    text += replace("elemtype", ELEMENT_TYPES[tensor.type]) + replace("interleave_layout", 0) + replace("swizzle_mode", tensor.swizzle)
    return text + replace("fill_mode", int(tensor.nan))


def kernel(changes: str, begin: str) -> str:
    """One warp: the map's words into shared memory (`begin` makes %v of one), changed there, copied to global memory, and used."""
    return HEADER.format(TARGET) + f"""
.visible .entry load(.param .align 64 .b8 map[128], .param .u64 scratch, .param .u64 memory, .param .u32 size, .param .s32 x, .param .s32 y)
{{
.shared .align 1024 .b8 box[4096];
.shared .align 128 .b8 copy[128];
.shared .align 8 .b64 bar;
.reg .b32 %i, %at, %v, %n, %s, %x, %y, %narrow;
.reg .b64 %m, %g, %o, %wide, %scratch;
.reg .pred %p;
mov.u32 %i, %tid.x;
setp.ne.u32 %p, %i, 0;
ld.param.u64 %scratch, [scratch];
ld.param.u64 %g, [memory];
ld.param.u32 %n, [size];
ld.param.s32 %x, [x];
ld.param.s32 %y, [y];
mov.b64 %m, map;
mul.wide.u32 %o, %i, 4;
add.u64 %m, %m, %o;
shl.b32 %at, %i, 2;
mov.u32 %s, copy;
add.u32 %s, %s, %at;
{begin}
st.shared.b32 [%s], %v;
bar.warp.sync 0xffffffff;
{changes}
bar.warp.sync 0xffffffff;
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%scratch], [copy], 128;
fence.proxy.tensormap::generic.acquire.gpu [%scratch], 128;
{EXPECT}mov.u32 %s, box;
cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%s], [%scratch, {{%x, %y}}], [bar];
READY: bar.sync 0;
{WAIT}mov.u32 %s, box;
""" + COPY_OUT


COPIED, ZEROS, GARBAGE = "ld.param.b32 %v, [%m];", "mov.u32 %v, 0;", "mov.u32 %v, %at;"


def expected(tensor: Tensor, content: bytes, at: list[int]) -> bytes:
    size = tensor.size
    wanted = bytearray(size * tensor.box[0] * tensor.box[1])
    for to, source in tensor.places(at):
        outside = NAN_FILL * (size // 2) if tensor.nan else bytes(size)
        wanted[to : to + size] = outside if source is None else content[source : source + size]
    return bytes(wanted)


def run(device: Device, tensor: Tensor, content: bytes, at: list[int], changes, begin: str, host: Tensor | None = None) -> bytes:
    """What a box of the tensor holds; `host` is the map that the kernel is given."""
    memory, other = Buffer(device, content), Buffer(device, bytes(4096))
    out, scratch = Buffer(device, bytes(tensor.size * tensor.box[0] * tensor.box[1])), Buffer(device, bytes(128))
    given = (host or tensor).map(device, other.at.value)
    module = device.load(kernel(changes(tensor, memory.at.value), begin))
    device.launch(module, "load", 1, 32, [given, ctypes.c_uint64(scratch.at.value), ctypes.c_uint64(out.at.value), ctypes.c_uint32(out.size),
                                          *(ctypes.c_int32(x) for x in at)])  # fmt: skip
    return out.bytes()


class TensorMapsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.device = Device(ARGUMENTS)

    def test_another_tensor_through_the_same_map(self) -> None:
        tensor = Tensor("bf16", [72, 20], [32, 8], 2)
        content = random.Random(1).randbytes(tensor.bytes)
        for at in ([8, 3], [56, 15]):
            found = run(self.device, tensor, content, at, place, COPIED, Tensor("bf16", [40, 9], [32, 8], 2))
            self.assertEqual(found, expected(tensor, content, at))

    def test_maps_of_zeros(self) -> None:
        for tensor in (Tensor("bf16", [72, 20], [64, 8], 3), Tensor("f32", [20, 9], [8, 4], 1), Tensor("u8", [64, 9], [48, 4]),
                       Tensor("u64", [12, 9], [2, 8]), Tensor("f16", [40, 9], [16, 8], nan=True)):  # fmt: skip
            with self.subTest(tensor=tensor):
                content = random.Random(2).randbytes(tensor.bytes)
                at = [TYPES["u64"][1] * 16 // tensor.size // 2, 5]
                self.assertEqual(run(self.device, tensor, content, at, whole, ZEROS), expected(tensor, content, at))

    def test_32_bytes_that_stay_together(self) -> None:
        """CuTe's Swizzle<2, 5, 2>: of a span of 128 bytes the four atoms are exchanged by the number of the 128-byte row."""
        tensor = Tensor("bf16", [72, 20], [64, 8], 3)
        content, at = random.Random(3).randbytes(tensor.bytes), [8, 5]
        plain, wanted = expected(Tensor("bf16", [72, 20], [64, 8]), content, at), bytearray(1024)
        for offset, byte in enumerate(plain):
            wanted[offset ^ (offset >> 7 & 3) << 5] = byte
        found = run(self.device, tensor, content, at, lambda t, a: place(t, a) + replace("swizzle_atomicity", 1), COPIED)
        self.assertEqual(found, bytes(wanted))

    def test_ptxas_takes_it(self) -> None:
        ptxas = Path(ARGUMENTS.nvcc).resolve().with_name("ptxas") if ARGUMENTS.nvcc else Path()
        if not ptxas.is_file():
            self.skipTest(f"no ptxas beside nvcc ({ARGUMENTS.nvcc or 'not given'})")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "map.ptx"
            file.write_text(kernel(whole(Tensor("bf16", [72, 20], [64, 8], 3), 4096), COPIED), encoding="ascii")
            done = subprocess.run([ptxas, f"-arch={TARGET}", file, "-o", file.with_suffix(".cubin")], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_mistakes_are_told(self) -> None:
        tensor = Tensor("bf16", [72, 20], [32, 8], 2)
        content = bytes(tensor.bytes)
        for sentence, changes, begin in (
            ("tensormap.replace where no tensor map lies", place, GARBAGE),
            ("a tensor map that tensormap.replace changed: globalStrides[0] is 40 bytes; expected a multiple of 16",
             lambda t, a: place(t, a) + replace("global_stride", 40, 0), COPIED),
            ("a tensor map that tensormap.replace changed: boxDim[1] is 0; expected 1 to 256",  # one field was forgotten
             lambda t, a: whole(t, a).replace(replace("box_dim", 8, 1), ""), ZEROS),
            ("tensormap.replace of swizzle_mode by 4; expected 0 to 3", lambda t, a: replace("swizzle_mode", 4), COPIED),
            ("tensormap.replace of dimension 5; expected 0 to 4", lambda t, a: replace("global_dim", 8, 5), COPIED),
            ("bytes behind cudaMalloc of 2880 bytes", lambda t, a: place(t, a) + replace("global_stride", 256, 0), COPIED),
        ):  # fmt: skip
            with self.subTest(sentence):
                self.assertIn(sentence, told(ARGUMENTS, lambda d, c=changes, b=begin: run(d, tensor, content, [0, 12], c, b)))


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
