# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A kernel's arguments, one by one or as one buffer, and attributes of launches that are refused, told of or recorded."""

from __future__ import annotations

import ctypes
import struct
import subprocess
import sys
import unittest
from pathlib import Path

from emulated import Buffer, Device, Failed, options
from launches_test import Attribute, Config

END, POINTER, SIZE = 0, 1, 2  # CU_LAUNCH_PARAM_...
PROGRAMMATIC_EVENT, COMPLETION_EVENT = 7, 12  # CU_LAUNCH_ATTRIBUTE_..., _LAUNCH_COMPLETION_EVENT
# It writes its first parameter's two others behind each other: at 8 and 16 of its 24 bytes. `nothing` has none.
PTX = """
.version 8.7
.target sm_90
.address_size 64
.visible .entry pair(.param .u64 to, .param .u8 small, .param .u64 large) {
  .reg .u32 %r<2>; .reg .u64 %d<4>;
  ld.param.u64 %d1, [to];
  ld.param.u8 %r1, [small];
  ld.param.u64 %d2, [large];
  cvt.u64.u32 %d3, %r1;
  st.global.v2.u64 [%d1], {%d3, %d2};
  ret;
}
.visible .entry nothing() { ret; }
// A kernel behind which the next one may begin, and one that reads what it writes.
.visible .entry first(.param .u64 to) {
  .reg .u64 %d<2>;
  ld.param.u64 %d1, [to];
  griddepcontrol.launch_dependents;
  st.global.u32 [%d1], 1;
  ret;
}
.visible .entry second(.param .u64 to) {
  .reg .u32 %r<2>; .reg .u64 %d<2>;
  ld.param.u64 %d1, [to];
  ld.global.u32 %r1, [%d1];
  st.global.u32 [%d1 + 4], %r1;
  ret;
}
"""
SMALL, LARGE, BYTES = 200, 0x123456789ABCDEF, 24


class Arguments(unittest.TestCase):
    def setUp(self) -> None:
        self.device = Device(ARGUMENTS)
        self.library = self.device.library
        module = self.device.load(PTX)
        self.functions = {}
        for name in ("pair", "nothing", "first", "second"):
            self.functions[name] = ctypes.c_void_p()
            self.device.check(self.library.cuModuleGetFunction(ctypes.byref(self.functions[name]), module, name.encode()))
        self.to = Buffer(self.device, bytes(16))

    def found(self) -> tuple[int, ...]:
        return struct.unpack("QQ", self.to.bytes())

    def packed(self) -> bytes:
        return struct.pack("QB7xQ", self.to.at.value, SMALL, LARGE)

    def extra(self, *keys: tuple[int, object]) -> ctypes.Array:
        """Keys and what they point to, then the end."""
        self.kept = [value for _, value in keys]  # until the launch
        words = [word for key, value in keys for word in (key, ctypes.addressof(value) if value else None)]
        return (ctypes.c_void_p * (len(words) + 1))(*words, END)

    def buffer(self, bytes_: int = BYTES) -> ctypes.Array:
        data = ctypes.create_string_buffer(self.packed())
        return self.extra((POINTER, data), (SIZE, ctypes.c_size_t(bytes_)))


class ExtraTest(Arguments):
    def launch(self, name: str, pointers: object, extra: object, by_config: bool = False) -> None:
        function = self.functions[name]
        if by_config:
            status = self.library.cuLaunchKernelEx(ctypes.byref(Config((1, 1, 1), (1, 1, 1))), function, pointers, extra)
        else:
            status = self.library.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, pointers, extra)
        if status not in (0, 1):
            self.fail(f"status {status}")
        self.device.check(status)
        self.device.check(self.library.cudaDeviceSynchronize())

    def refused(self, sentence: str, name: str, pointers: object, extra: object) -> None:
        """By both functions, as CUDA_ERROR_INVALID_VALUE."""
        for by_config in (False, True):
            with self.assertRaisesRegex(Failed, f"^kernel {name}: {sentence}$"):
                self.launch(name, pointers, extra, by_config)

    def test_one_buffer(self) -> None:
        for by_config in (False, True):
            self.to = Buffer(self.device, bytes(16))
            self.launch("pair", None, self.buffer(), by_config)
            self.assertEqual(self.found(), (SMALL, LARGE))

    def test_a_buffer_may_be_longer_and_the_size_come_first(self) -> None:
        data = ctypes.create_string_buffer(self.packed() + bytes(40))
        self.launch("pair", None, self.extra((SIZE, ctypes.c_size_t(64)), (POINTER, data)))
        self.assertEqual(self.found(), (SMALL, LARGE))

    def test_one_by_one(self) -> None:
        values = (self.to.at, ctypes.c_uint8(SMALL), ctypes.c_uint64(LARGE))
        self.launch("pair", (ctypes.c_void_p * 3)(*(ctypes.addressof(v) for v in values)), None)
        self.assertEqual(self.found(), (SMALL, LARGE))
        broken = (ctypes.c_void_p * 3)(ctypes.addressof(values[0]), None, None)
        self.refused(r"kernelParams\[1\] is null; expected the address of an argument", "pair", broken, None)

    def test_a_buffer_that_is_too_small(self) -> None:
        self.refused(f"extra's buffer has {BYTES - 1} bytes, the kernel's parameters have {BYTES}", "pair", None, self.buffer(BYTES - 1))

    def test_what_is_missing(self) -> None:
        data = ctypes.create_string_buffer(self.packed())
        self.refused("extra has no CU_LAUNCH_PARAM_BUFFER_SIZE", "pair", None, self.extra((POINTER, data)))
        self.refused(
            "extra has CU_LAUNCH_PARAM_BUFFER_SIZE, and no pointer to a size behind it", "pair", None,
            self.extra((POINTER, data), (SIZE, None)),
        )  # fmt: skip
        for keys in ([(SIZE, ctypes.c_size_t(BYTES))], [(POINTER, None), (SIZE, ctypes.c_size_t(BYTES))], []):
            self.refused("extra has no CU_LAUNCH_PARAM_BUFFER_POINTER, or a null one", "pair", None, self.extra(*keys))

    def test_an_unknown_key(self) -> None:
        extra = self.extra((POINTER, ctypes.create_string_buffer(self.packed())), (9, ctypes.c_size_t(BYTES)))
        self.refused("extra has the key 0x9; expected CU_LAUNCH_PARAM_BUFFER_POINTER, .*", "pair", None, extra)

    def test_no_end(self) -> None:
        keys = [(SIZE, ctypes.c_size_t(BYTES))] * 16
        self.refused("extra does not end; CU_LAUNCH_PARAM_END must be its last key", "pair", None, self.extra(*keys))

    def test_both(self) -> None:
        pointers = (ctypes.c_void_p * 3)()
        for name in ("pair", "nothing"):
            self.refused("both kernelParams and extra are given; expected one of them", name, pointers, self.buffer())

    def test_neither(self) -> None:
        self.refused("neither kernelParams nor extra is given; it has 3 parameters", "pair", None, None)
        self.launch("nothing", None, None)
        self.launch("nothing", None, self.extra())
        self.launch("nothing", None, None, by_config=True)

    def test_no_function(self) -> None:
        self.assertNotEqual(self.library.cuLaunchKernel(None, 1, 1, 1, 1, 1, 1, 0, None, None, None), 0)


class AttributesTest(Arguments):
    def launched(self, *attributes: Attribute, kernel: str = "pair") -> int:
        config = Config((1, 1, 1), (1, 1, 1), 0, None, (Attribute * len(attributes))(*attributes), len(attributes))
        return self.library.cuLaunchKernelEx(ctypes.byref(config), self.functions[kernel], None, self.buffer())

    def with_event(self, attribute: int) -> tuple[Attribute, ctypes.c_void_p]:
        event, value = ctypes.c_void_p(), Attribute(attribute)
        self.device.check(self.library.cudaEventCreateWithFlags(ctypes.byref(event), 2))
        ctypes.memmove(value.value, ctypes.byref(event), ctypes.sizeof(event))
        return value, event

    def said_by(self, statements: str) -> str:
        """What a process with a device and a test `t` of its own writes on standard error."""
        program = "import emulated, arguments_test as a; a.ARGUMENTS = emulated.options(); t = a.AttributesTest(); t.setUp()\n"
        given = [f"--{name}={getattr(ARGUMENTS, name)}" for name in ("compile", "library", "cxx")]
        return subprocess.run(
            [sys.executable, "-B", "-c", program + statements, *given], cwd=Path(__file__).parent, capture_output=True, text=True
        ).stderr  # fmt: skip

    def test_hints_and_what_is_unknown(self) -> None:
        said = self.said_by("for i in (0, 1, 3, 5, 8, 9, 10, 11, 14, 16, 77, 77, 78): t.device.check(t.launched(a.Attribute(i)))")
        sentence = "podium's emulator: a launch has the attribute {}, which emulated devices do not know: it changes nothing\n"
        self.assertEqual(said, sentence.format(77) + sentence.format(78))

    def test_nodes_that_a_device_updates_are_refused(self) -> None:
        with self.assertRaisesRegex(Failed, "kernel pair: kernels' nodes that a device updates .* are not emulated"):
            self.device.check(self.launched(Attribute(13, b"", (ctypes.c_uint * 16)(1))))
        self.device.check(self.launched(Attribute(13, b"", (ctypes.c_uint * 16)(0))))

    def test_events_are_recorded_behind_the_launch(self) -> None:
        for attribute in PROGRAMMATIC_EVENT, COMPLETION_EVENT:
            value, event = self.with_event(attribute)
            self.to = Buffer(self.device, bytes(16))
            self.device.check(self.launched(value))
            self.device.check(self.library.cudaEventSynchronize(event))
            # Not by cudaMemcpy, which would wait for the launch itself.
            self.assertEqual(struct.unpack("QQ", ctypes.string_at(self.to.at.value, 16)), (SMALL, LARGE))

    def test_an_event_hides_no_missing_wait(self) -> None:
        said = self.said_by(
            "import ctypes; t.device.check(t.launched(t.with_event(a.PROGRAMMATIC_EVENT)[0], kernel='first'))\n"
            "t.device.check(t.launched(a.Attribute(6, b'', (ctypes.c_uint * 16)(1)), kernel='second'))\n"
            "t.library.cudaDeviceSynchronize()"
        )
        self.assertRegex(said, r"kernel second, .*a missing griddepcontrol.wait .*which kernel first before it in its stream wrote")


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
