# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What of CUDA an emulated device lacks: the function says so itself, by its status, by the status' text and, once, on
standard error."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from emulated import Device, Failed, options

NOT_SUPPORTED = 801  # cudaErrorNotSupported, CUDA_ERROR_NOT_SUPPORTED
LACKS = "{}: emulated devices do not have this function of CUDA; do without it, or verify on a GPU"
# Of the runtime; of the driver, as programs that were linked import it and as others look it up; with a default stream of
# each thread's own, of both.
LACKING = (
    "cudaMallocArray", "cudaCreateTextureObject", "cudaIpcGetMemHandle", "cuTexRefCreate", "cuMemAllocPitch_v2", "cuMemAllocPitch",
    "cuCtxCreate_v2", "cudaMemcpyAsync_ptsz", "cudaMemcpy_ptds", "cuLaunchKernel_ptsz", "__cudaLaunchKernel_ptsz",
)  # fmt: skip


class RestTest(unittest.TestCase):
    def setUp(self) -> None:
        self.device = Device(ARGUMENTS)
        self.library = self.device.library

    def said_by(self, statements: str) -> str:
        """What a process with a device of its own writes on standard error."""
        program = f"import ctypes, emulated; d = emulated.Device(emulated.options()); l = d.library\n{statements}"
        given = [f"--{name}={getattr(ARGUMENTS, name)}" for name in ("compile", "library", "cxx")]
        return subprocess.run(
            [sys.executable, "-B", "-c", program, *given], cwd=Path(__file__).parent, capture_output=True, text=True
        ).stderr  # fmt: skip

    def entry(self, name: str, version: int = 13000) -> tuple[int, int | None]:
        """Whether it was found (0), and where."""
        at, found = ctypes.c_void_p(), ctypes.c_int(-1)
        self.device.check(
            self.library.cudaGetDriverEntryPointByVersion(
                name.encode(), ctypes.byref(at), version, ctypes.c_ulonglong(0), ctypes.byref(found)
            )
        )
        return found.value, at.value

    def test_each_says_which_it_is(self) -> None:
        for name in LACKING:
            with self.subTest(name):
                self.assertEqual(getattr(self.library, name)(), NOT_SUPPORTED)
                self.assertEqual(self.library.cudaGetErrorString(NOT_SUPPORTED).decode(), LACKS.format(name))

    def test_it_is_the_last_error_once(self) -> None:
        self.library.cudaMallocArray()
        self.assertEqual(self.library.cudaPeekAtLastError(), NOT_SUPPORTED)
        self.assertEqual(self.library.cudaGetLastError(), NOT_SUPPORTED)
        self.assertEqual(self.library.cudaGetLastError(), 0)
        self.device.check(self.library.cudaDeviceSynchronize())  # the device is well

    def test_a_text_that_was_asked_for_stays(self) -> None:
        self.library.cudaMallocArray()
        first = self.library.cudaGetErrorString(NOT_SUPPORTED)
        restype, self.library.cudaGetErrorString.restype = self.library.cudaGetErrorString.restype, ctypes.c_void_p
        at = self.library.cudaGetErrorString(NOT_SUPPORTED)
        self.library.cudaGetErrorString.restype = restype
        for _ in range(9):
            self.library.cuMemAllocPitch_v2()
            self.library.cudaIpcGetMemHandle()
        self.assertEqual(ctypes.string_at(at), first)

    def test_each_is_told_once(self) -> None:
        said = self.said_by("for _ in range(3): l.cudaMallocArray(), l.cuTexRefCreate()")
        self.assertEqual(said, "".join(f"podium's emulator: {LACKS.format(name)}\n" for name in ("cudaMallocArray", "cuTexRefCreate")))

    def test_what_is_lacking_at_load_loses_the_device(self) -> None:
        said = self.said_by("l.__cudaRegisterManagedVar()\nd.check(l.cudaDeviceSynchronize())")
        self.assertIn(f"emulated.Failed: {LACKS.format('__cudaRegisterManagedVar')}", said)

    def test_by_name(self) -> None:
        found, at = self.entry("cuTexRefCreate")
        self.assertEqual(found, 0)
        self.assertEqual(ctypes.CFUNCTYPE(ctypes.c_int)(at)(), NOT_SUPPORTED)
        self.assertEqual(self.library.cudaGetErrorString(NOT_SUPPORTED).decode(), LACKS.format("cuTexRefCreate"))
        self.assertEqual(self.entry("cuNobody"), (1, None))  # cudaDriverEntryPointSymbolNotFound
        self.assertEqual(self.entry("a"), (1, None))
        self.assertEqual(self.entry("z"), (1, None))

    def test_by_name_what_there_is(self) -> None:
        for name, symbol in (("cuLaunchKernel", "cuLaunchKernel"), ("cuMemAlloc", "cuMemAlloc_v2"), ("cuInit", "cuInit")):
            expected = ctypes.cast(getattr(self.library, symbol), ctypes.c_void_p).value
            self.assertEqual(self.entry(name), (0, expected))
            at, found = ctypes.c_void_p(), ctypes.c_int(-1)
            ask = self.library.cuGetProcAddress_v2
            self.device.check(ask(name.encode(), ctypes.byref(at), 13000, ctypes.c_ulonglong(0), ctypes.byref(found)))
            self.assertEqual((found.value, at.value), (0, expected))
        with self.assertRaises(Failed):
            self.device.check(self.library.cuGetProcAddress_v2(b"cuNobody", ctypes.byref(at), 13000, ctypes.c_ulonglong(0), None))
        self.assertEqual(at.value, None)

    def test_by_name_and_version(self) -> None:
        self.assertNotEqual(self.entry("cuStreamGetCaptureInfo", 12000)[1], self.entry("cuStreamGetCaptureInfo")[1])
        self.assertEqual(self.entry("cuStreamGetCaptureInfo", 12000), self.entry("cuStreamGetCaptureInfo_v2"))

    def test_headers_of_another_layout(self) -> None:
        script = Path(ARGUMENTS.compile).parent / "runtime" / "rest.py"
        with tempfile.TemporaryDirectory() as folder:
            for header in ("cuda.h", "cuda_runtime_api.h", "cuda_profiler_api.h", "cudaProfiler.h", "crt/host_runtime.h"):
                (Path(folder) / header).parent.mkdir(exist_ok=True)
                (Path(folder) / header).write_text("CUresult CUDAAPI cuInit(unsigned);\n", encoding="ascii")
            ended = subprocess.run([sys.executable, "-B", script, folder], capture_output=True, text=True)
            self.assertNotEqual(ended.returncode, 0)
            self.assertIn("rest.py: found only 0 functions with CUDARTAPI", ended.stderr)
            (Path(folder) / "cuda.h").write_text("cuThing CUDAAPI cuMakeThing(unsigned);\n", encoding="ascii")
            ended = subprocess.run([sys.executable, "-B", script, folder], capture_output=True, text=True)
            self.assertIn("rest.py: cuda.h: cuMakeThing gives cuThing; expected a status", ended.stderr)


if __name__ == "__main__":
    ARGUMENTS = options()
    unittest.main(argv=sys.argv[:1])
