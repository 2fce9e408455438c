# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What a worker in Python hands to packages that need a GPU, seen by stand-ins for them: no GPU is here."""

import ctypes
import sys
import types
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "suite/compile/python"))
import podium_worker as worker  # noqa: E402

STREAM, X, Y, TABLE = 0x5000, 0x10000, 0x20000, 0x30000


def numbers(*values):
    return ctypes.cast((ctypes.c_int64 * max(1, len(values)))(*values), ctypes.POINTER(ctypes.c_int64))


def tensors(*places):
    return (worker.Tensor * len(places))(*(worker.Tensor(address, None, numbers(*shape), numbers(*strides)) for address, shape, strides in places))


class Stand:
    """A package that notes what it is given."""

    def __init__(self):
        self.seen = []

    def note(self, *what):
        self.seen.append(what)
        return what[-1]


def contestant(framework, dtype, source):
    manifest = {
        "hash": "h", "gpu": True, "framework": framework, "types": {"real": dtype}, "constants": {}, "axes": ["n"], "parameters": [],
        "structure": [], "tensors": [["x", "input", dtype, 2], ["y", "output", dtype, 2]],
    }  # fmt: skip
    return worker.Contestant(manifest, "mine.py", source)


def called(one):
    one.create(worker.Workload(numbers(3), None, None), STREAM)
    handle = one.bind(tensors((X, (3, 4), (4, 1)), (Y, (3, 4), (8, 1))))
    one.calls[handle]()


class Frameworks(unittest.TestCase):
    def run_with(self, modules, framework, dtype, source="def run(x, y, stream): import seen; seen.append((x, y, stream))"):
        seen = []
        holder = types.ModuleType("seen")
        holder.append = seen.append
        with mock.patch.dict(sys.modules, {**modules, "seen": holder}):
            called(contestant(framework, dtype, source))
        return seen

    def test_packages_of_cuda_see_the_judges_memory(self):
        ((x, y, stream),) = self.run_with({}, "cuda.core", "f32")
        self.assertEqual(
            x.__cuda_array_interface__, {"version": 3, "typestr": "<f4", "data": (X, False), "shape": (3, 4), "strides": (16, 4)}
        )
        self.assertEqual(y.__cuda_array_interface__["strides"], (32, 4))
        self.assertEqual((stream.__cuda_stream__(), int(stream)), ((0, STREAM), STREAM))
        self.assertFalse(hasattr(x, "__array_interface__"), "it is no host memory")

    def test_cupy_and_torch_make_the_stream_their_current_one(self):
        stand = Stand()
        cupy = types.ModuleType("cupy")
        cupy.asarray = lambda memory: stand.note("array", memory.__cuda_array_interface__["typestr"])
        current = types.SimpleNamespace(use=lambda: stand.note("current"))
        cupy.cuda = types.SimpleNamespace(Stream=types.SimpleNamespace(from_external=lambda s: (stand.note("stream", int(s)), current)[1]))
        self.run_with({"cupy": cupy}, "cupy", "bf16")
        self.assertEqual(stand.seen, [("stream", STREAM), ("current",), ("array", "<u2"), ("array", "<u2")])

        stand = Stand()
        torch = types.ModuleType("torch")
        torch.bfloat16 = "bfloat16"
        array = types.SimpleNamespace(view=lambda dtype: stand.note("view", dtype))
        torch.as_tensor = lambda memory, device: (stand.note(device, memory.__cuda_array_interface__["typestr"]), array)[1]
        torch.cuda = types.SimpleNamespace(current_device=lambda: 0, ExternalStream=lambda s: stand.note("stream", s), set_stream=lambda s: stand.note("current", s))
        ((x, _, stream),) = self.run_with({"torch": torch}, "torch", "bf16")
        self.assertEqual(stand.seen, [("stream", STREAM), ("current", STREAM)] + [(0, "<i2"), ("view", "bfloat16")] * 2)
        self.assertEqual((x, stream), ("bfloat16", STREAM))

    def test_numba_launches_on_the_stream_that_it_is_given(self):
        numba = types.ModuleType("numba")
        numba.cuda = types.SimpleNamespace(as_cuda_array=lambda memory: memory, external_stream=lambda s: ("stream", s))
        ((_, _, stream),) = self.run_with({"numba": numba}, "numba.cuda", "f64")
        self.assertEqual(stream, ("stream", STREAM))

    def jax(self, source, shape=(3, 4), dtype="f32"):
        stand = Stand()

        class Array:
            def __init__(self, address, shape):
                self.address, self.shape, self.dtype, self.size, self.nbytes = address, shape, "float32", 12, 48

            def unsafe_buffer_pointer(self):
                return self.address

        def taken(dlpack):
            self.assertEqual(dlpack.__dlpack_device__(), (2, 0))
            pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
            at = worker.DlpackTensor.from_address(pointer(dlpack.__dlpack__(stream=1), b"dltensor"))
            self.assertIs(worker.Dlpack.taken[ctypes.addressof(at)], dlpack)
            stand.note("dlpack", at.data, at.code, at.bits, at.lanes, at.rank, at.shape[: at.rank], at.strides[: at.rank])
            array = Array(at.data, tuple(at.shape[: at.rank]))
            ctypes.CFUNCTYPE(None, ctypes.c_void_p)(at.deleter)(ctypes.addressof(at))
            self.assertEqual(worker.Dlpack.taken, {}, "what was let go is kept")
            return array

        jax = types.ModuleType("jax")
        jax.Array, jax.dlpack = Array, types.SimpleNamespace(from_dlpack=taken)
        jax.block_until_ready = lambda results: stand.note("ready")
        driver = types.SimpleNamespace(
            cuStreamSynchronize=lambda stream: stand.note("waits", stream.value),
            cuMemcpyDtoDAsync_v2=lambda to, of, count, stream: (stand.note("copies", to.value, of.value, count.value, stream.value), 0)[1],
        )
        jax.made = lambda x: (stand.note("run"), Array(TABLE, shape))[1]
        numpy = types.ModuleType("numpy")
        with mock.patch.object(worker.ctypes, "CDLL", lambda name: driver):
            self.run_with({"jax": jax, "numpy": numpy}, "jax", dtype, source)
        return stand.seen

    def test_jax_waits_for_the_gate_and_its_results_are_copied(self):
        seen = self.jax("import jax\ndef run(x): return jax.made(x)")
        self.assertIn(("dlpack", X, 2, 32, 1, 2, [3, 4], [4, 1]), seen)
        self.assertIn(("dlpack", Y, 2, 32, 1, 2, [3, 4], [8, 1]), seen)
        self.assertEqual([one for one in seen if one[0] != "dlpack"], [("waits", STREAM), ("run",), ("ready",), ("copies", Y, TABLE, 48, STREAM)])

    def test_jax_sees_bf16_as_such(self):
        seen = self.jax("import jax\ndef run(x): return jax.made(x)", dtype="bf16")
        self.assertIn(("dlpack", X, 4, 16, 1, 2, [3, 4], [4, 1]), seen)
        with self.assertRaisesRegex(NotImplementedError, "e4m3"):
            self.jax("import jax\ndef run(x): return jax.made(x)", dtype="e4m3")

    def test_what_jax_returns_must_fit(self):
        with self.assertRaisesRegex(TypeError, r"returned float32\[3, 5\] for y, expected float32\[3, 4\]"):
            self.jax("import jax\ndef run(x): return jax.made(x)", (3, 5))
        with self.assertRaisesRegex(TypeError, "returned 1 values, expected JAX's arrays for y"):
            self.jax("def run(x): return None")


class Missing(unittest.TestCase):
    def sentence(self, name, modules):
        with mock.patch.dict(sys.modules, modules):
            return worker.missing_sentence(ModuleNotFoundError(f"No module named '{name}'", name=name))

    def test_a_part_of_cuda_names_the_package_that_holds_it(self):
        cuda = {"cuda": types.ModuleType("cuda")}
        self.assertIn("needs the package cuda.compute", self.sentence("cuda.compute", cuda))
        self.assertIn("pip install cuda-cccl", self.sentence("cuda.compute", cuda))
        self.assertIn("pip install cuda-tile", self.sentence("cuda.tile", cuda))
        self.assertIn("pip install nvmath-python", self.sentence("nvmath", {}))

    def test_a_misspelt_part_of_a_package_is_no_missing_package(self):
        self.assertEqual(self.sentence("cuda.comptue", {"cuda": types.ModuleType("cuda")}), "")


if __name__ == "__main__":
    unittest.main()
