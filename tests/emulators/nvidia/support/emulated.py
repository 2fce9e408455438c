# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The emulated device as a Python program uses it: PTX in, memory back. It talks to the stand-in library that judge and
worker are linked with, so translator, device and runtime are tested together."""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import os
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

_DEFAULT_KIND = 4  # cudaMemcpyDefault
KEEP_PTX = "PODIUM_KEEP_PTX"  # of the environment: a folder that gets all PTX which is translated


def options() -> argparse.Namespace:
    """What CMake passes to these tests; unittest's own options follow."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--compile", required=True, help="emulators/nvidia/compile")
    parser.add_argument("--library", required=True, help="the stand-in for CUDA's runtime")
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--nvcc", default="")
    return parser.parse_known_args()[0]


class Failed(Exception):
    """What cudaGetErrorString says."""


def keep(ptx: str) -> None:
    """In the folder that the environment names, if it does."""
    if folder := os.environ.get(KEEP_PTX):
        (Path(folder) / f"{hashlib.sha256(ptx.encode()).hexdigest()}.ptx").write_text(ptx, encoding="ascii")


@lru_cache
def command(file: str) -> ModuleType:
    """emulators/nvidia/compile within this process: most of a short module's time is what the command reads first."""
    loader = SourceFileLoader("emulators_compile", file)
    module = ModuleType(loader.name)
    module.__file__ = file
    loader.exec_module(module)
    return module


def compiled(arguments: argparse.Namespace, ptx: str) -> bytes:
    """The translation of a PTX module, as the device loads it."""
    with tempfile.TemporaryDirectory() as folder:
        source, product = Path(folder) / "module.ptx", Path(folder) / "module.so"
        source.write_text(ptx, encoding="ascii")
        keep(ptx)
        try:
            command(arguments.compile).main(["--ptx", "--cxx", arguments.cxx, str(source), "-o", str(product)])
        except SystemExit as ended:  # of the compiler that links, which has said why
            raise RuntimeError(f"{arguments.cxx} ended with status {ended.code}") from ended
        return product.read_bytes()


class Buffer:
    def __init__(self, device: Device, data: bytes) -> None:
        self._device, self.size = device, len(data)
        self.at = ctypes.c_void_p()
        device.check(device.library.cudaMalloc(ctypes.byref(self.at), ctypes.c_size_t(self.size)))
        device.check(device.library.cudaMemcpy(self.at, data, ctypes.c_size_t(self.size), _DEFAULT_KIND))

    def bytes(self) -> bytes:
        data = ctypes.create_string_buffer(self.size)
        self._device.check(self._device.library.cudaMemcpy(data, self.at, ctypes.c_size_t(self.size), _DEFAULT_KIND))
        return data.raw


class Device:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self._arguments = arguments
        self.library = ctypes.CDLL(arguments.library, mode=ctypes.RTLD_GLOBAL)
        self.library.cudaGetErrorString.restype = ctypes.c_char_p
        self._modules: list[ctypes.c_void_p] = []

    def check(self, status: int) -> None:
        if status != 0:
            raise Failed(self.library.cudaGetErrorString(status).decode())

    def load(self, ptx: str) -> ctypes.c_void_p:
        return self.load_library(compiled(self._arguments, ptx))

    def load_library(self, product: bytes) -> ctypes.c_void_p:
        module = ctypes.c_void_p()
        self.check(self.library.cuModuleLoadData(ctypes.byref(module), product))
        return module

    def launch(
        self, module: ctypes.c_void_p, kernel: str, blocks: int, threads: int, arguments: Sequence[ctypes._SimpleCData],
        shared: int = 0,
    ) -> None:  # fmt: skip
        function = ctypes.c_void_p()
        self.check(self.library.cuModuleGetFunction(ctypes.byref(function), module, kernel.encode()))
        if shared > 48 << 10:  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self.check(self.library.cuFuncSetAttribute(function, 8, shared))
        pointers = (ctypes.c_void_p * max(len(arguments), 1))(*(ctypes.addressof(a) for a in arguments))
        status = self.library.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, shared, None, pointers, None)
        self.check(status)
        self.check(self.library.cudaDeviceSynchronize())
