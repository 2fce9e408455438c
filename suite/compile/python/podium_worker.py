# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""A worker whose contestant is Python: what the worker's library calls of a plugin are functions of this file.

compile_contestant.py puts it in front of a contestant's manifest and source, which makes a program: the product. Podium
starts that with the library's path, in the sandbox. The library (backends/common/worker_library.cpp) speaks with the judge
and takes the time. Nothing here decides anything: a contestant may replace whatever it likes.
"""

import ast
import base64
import ctypes
import functools
import gc
import importlib.util
import inspect
import os
import sys
import tempfile
import traceback
import types
import zlib

ABI = 2  # of sdk/podium/table.hpp, as are all structures below
WELL, FAILED, UNSUPPORTED, MISSING = range(4)
MOST_TEXT = 1000  # bytes of a sentence that a message has room for


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("mirror", ctypes.c_void_p),  # the same numbers in host memory, of structure
        ("extents", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
    ]


class Workload(ctypes.Structure):
    _fields_ = [
        ("axes", ctypes.POINTER(ctypes.c_int64)),
        ("parameters", ctypes.POINTER(ctypes.c_double)),
        ("structure", ctypes.POINTER(Tensor)),
        ("name", ctypes.c_char_p),
    ]


class Table(ctypes.Structure):
    Message = ctypes.CFUNCTYPE(ctypes.c_void_p)
    Create = ctypes.CFUNCTYPE(
        ctypes.c_int32, ctypes.POINTER(Workload), ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)
    )
    Bind = ctypes.CFUNCTYPE(
        ctypes.c_int32, ctypes.POINTER(Workload), ctypes.POINTER(Tensor), ctypes.POINTER(ctypes.c_void_p)
    )
    Run = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    Destroy = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int32)
    _fields_ = [
        ("abi", ctypes.c_int32),
        ("bytes", ctypes.c_int32),
        ("hash", ctypes.c_char_p),
        ("message", Message),
        ("create", Create),
        ("bind", Bind),
        ("run", Run),
        ("destroy", Destroy),
    ]


# NumPy's spelling of Podium's dtypes; of those that it lacks the bytes, and ml_dtypes' name.
NUMPY = {
    "f64": "<f8", "f32": "<f4", "f16": "<f2", "i64": "<i8", "i32": "<i4", "i16": "<i2", "i8": "|i1", "u64": "<u8",
    "u32": "<u4", "u16": "<u2", "u8": "|u1", "bool": "|b1", "bf16": "<u2", "e4m3": "|u1", "e5m2": "|u1",
    "e4m3_fnuz": "|u1", "e5m2_fnuz": "|u1", "e8m0": "|u1", "e2m1": "|u1",
}  # fmt: skip
ML_DTYPES = {
    "bf16": "bfloat16", "e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2", "e4m3_fnuz": "float8_e4m3fnuz",
    "e5m2_fnuz": "float8_e5m2fnuz", "e8m0": "float8_e8m0fnu",
}  # fmt: skip
TORCH = ML_DTYPES | {"bf16": "bfloat16", "e2m1": "float4_e2m1fn_x2"}


class Memory:
    """Memory of the judge's, which other packages' arrays take over without a copy."""

    def __init__(self, address, kind, extents, strides, gpu):
        interface = {
            "version": 3,
            "typestr": kind,
            "data": (address or 0, False),
            "shape": tuple(extents),
            "strides": tuple(stride * int(kind[2:]) for stride in strides),
        }
        setattr(self, "__cuda_array_interface__" if gpu else "__array_interface__", interface)


def memory_of(tensor, rank, *, gpu=False, mirrored=False):
    """What makes a Memory of a tensor, or of its numbers in host memory."""

    def memory(kind):
        address = tensor.mirror if mirrored else tensor.data
        return Memory(address, kind, tensor.extents[:rank], tensor.strides[:rank], gpu)

    return memory


def numpy_bytes(memory, kind):
    import numpy

    return numpy.asarray(memory(kind))


def numpy_typed(array, dtype):
    """The same memory as ml_dtypes' type, of dtypes that NumPy lacks."""
    if dtype in ML_DTYPES:
        import ml_dtypes

        return array.view(getattr(ml_dtypes, ML_DTYPES[dtype]))
    return array


def numpy_array(memory, dtype):
    return numpy_typed(numpy_bytes(memory, NUMPY[dtype]), dtype)


class Framework:
    """How tensors arrive, and whose stream is the current one, by `framework` of the metadata."""

    def __init__(self, gpu):
        self.gpu = gpu

    def array(self, memory, dtype):
        """`memory` makes a Memory of a type in NumPy's spelling."""
        return numpy_array(memory, dtype)

    def stream(self, address):
        """The framework's own object of the stream, which has become its current one. Of GPUs alone."""

    def call(self, run, outputs):
        """What is called for a sample. `outputs`: name, `memory` and dtype of each."""
        return run


class Numba(Framework):  # knows none of ml_dtypes' types
    def array(self, memory, dtype):
        return numpy_bytes(memory, NUMPY[dtype])


class NumbaCuda(Framework):  # has no current stream: kernels are launched on the one that they are given
    def array(self, memory, dtype):
        from numba import cuda

        return cuda.as_cuda_array(memory(NUMPY[dtype]))

    def stream(self, address):
        from numba import cuda

        return cuda.external_stream(address)


class Torch(Framework):
    def array(self, memory, dtype):
        import torch

        kind = NUMPY[dtype]
        if dtype in TORCH:
            kind = "<i2" if kind == "<u2" else "|u1"  # that every PyTorch takes over
        if self.gpu:
            tensor = torch.as_tensor(memory(kind), device=torch.cuda.current_device())
        else:
            tensor = torch.from_numpy(numpy_bytes(memory, kind))
        return tensor.view(getattr(torch, TORCH[dtype])) if dtype in TORCH else tensor

    def stream(self, address):
        import torch

        stream = torch.cuda.ExternalStream(address)
        torch.cuda.set_stream(stream)  # Triton's, too
        return stream


class CuPy(Framework):
    def array(self, memory, dtype):
        import cupy

        return cupy.asarray(memory(NUMPY[dtype]))

    def stream(self, address):
        import cupy

        of = getattr(cupy.cuda.Stream, "from_external", None)
        stream = of(CudaStream(address)) if of else cupy.cuda.ExternalStream(address)
        stream.use()
        return stream


class CudaStream:
    """A stream for packages that know the protocol of cuda.core; int() gives its address."""

    def __init__(self, address):
        self.address = address

    def __cuda_stream__(self):
        return 0, self.address

    def __int__(self):
        return self.address


class Cuda(Framework):  # whatever takes objects with the protocols of CUDA's packages
    def array(self, memory, dtype):
        return memory(NUMPY[dtype])

    def stream(self, address):
        return CudaStream(address)


class DlpackTensor(ctypes.Structure):
    """DLManagedTensor of DLPack's header."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


class Dlpack:
    """Memory on a GPU for packages that take DLPack alone."""

    BF16 = 4  # codes of types; of the others by NumPy's letter
    CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
    taken = {}  # by address, until whoever took one lets it go
    free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda address: Dlpack.taken.pop(address, None) and None)
    # A prototype of its own: packages set others on the functions of ctypes.pythonapi, which all share.
    capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
        ("PyCapsule_New", ctypes.pythonapi)
    )

    def __init__(self, memory, code):
        interface = memory.__cuda_array_interface__
        size = int(interface["typestr"][2:])
        shape = interface["shape"]
        numbers = ctypes.c_int64 * max(1, len(shape))
        self.shape, self.strides = numbers(*shape), numbers(*(stride // size for stride in interface["strides"]))
        self.tensor = DlpackTensor(
            interface["data"][0], *self.__dlpack_device__(), len(shape), code, 8 * size, 1, self.shape, self.strides, 0, None,
            ctypes.cast(self.free, ctypes.c_void_p),
        )  # fmt: skip

    def __dlpack_device__(self):
        return 2, 0  # CUDA, the worker's one device

    def __dlpack__(self, **ignored):
        address = ctypes.addressof(self.tensor)
        self.taken[address] = self
        return self.capsule(address, b"dltensor", None)


class Jax(Framework):
    """Writes into no memory that it is given: what `run` returns is waited for, and copied into the outputs. On a GPU it has
    streams of its own, so each call waits for Podium's first: it is one that waits, and finds its inputs."""

    def array(self, memory, dtype):
        if not self.gpu:
            return numpy_array(memory, dtype)
        import jax

        # A view as another type would be a copy.
        if dtype in TORCH and dtype != "bf16":
            raise NotImplementedError(f"tensors of {dtype} reach JAX on the CPU alone")
        code = Dlpack.BF16 if dtype == "bf16" else Dlpack.CODES[NUMPY[dtype][1]]
        return jax.dlpack.from_dlpack(Dlpack(memory(NUMPY[dtype]), code))

    def stream(self, address):
        self.driver = ctypes.CDLL("libcuda.so.1")
        self.address = ctypes.c_void_p(address)
        return CudaStream(address)

    def call(self, run, outputs):
        places = [(name, dtype, self.array(memory, dtype)) for name, memory, dtype in outputs]

        def called():
            if self.gpu:
                self.driver.cuStreamSynchronize(self.address)
            self.write(run(), places)

        return called

    def write(self, returned, places):
        import jax
        import numpy

        results = returned if isinstance(returned, (tuple, list)) else (returned,)
        if len(results) != len(places) or not all(isinstance(one, jax.Array) for one in results):
            names = ", ".join(name for name, *_ in places)
            raise TypeError(f"run() returned {len(results)} values, expected JAX's arrays for {names}")
        jax.block_until_ready(results)
        for one, (name, dtype, place) in zip(results, places):
            if (one.shape, one.dtype) != (place.shape, place.dtype):
                raise TypeError(f"run() returned {one.dtype}{list(one.shape)} for {name}, expected {place.dtype}{list(place.shape)}")
            if not self.gpu:
                numpy.copyto(place, one)
            elif one.size and self.driver.cuMemcpyDtoDAsync_v2(
                *(ctypes.c_uint64(array.unsafe_buffer_pointer()) for array in (place, one)), ctypes.c_size_t(one.nbytes), self.address
            ):
                raise RuntimeError(f"the driver did not copy {name}")


FRAMEWORKS = {
    "numpy": Framework, "numba": Numba, "torch": Torch, "jax": Jax, "cupy": CuPy, "numba.cuda": NumbaCuda,
    "cuda.core": Cuda,
}  # fmt: skip
# Where packages are called otherwise than what they hold. Parts of `cuda` come from different packages.
PACKAGES = dict(cuda="cuda-core[cu13]", cupy="cupy-cuda13x", cutlass="nvidia-cutlass-dsl", nvmath="nvmath-python[cu13]",
                sklearn="scikit-learn", tvm_ffi="apache-tvm-ffi", yaml="pyyaml") | {
    "cuda.bindings": "cuda-core[cu13]", "cuda.compute": "cuda-cccl[cu13]", "cuda.core": "cuda-core[cu13]", "cuda.tile": "cuda-tile[tileiras]",
}  # fmt: skip


def missing_package(error):
    """The package that the interpreter does not have; "" if the error is another one."""
    name = (getattr(error, "name", None) or "") if isinstance(error, ModuleNotFoundError) else ""
    top = name.split(".")[0]
    try:
        if top in sys.modules or importlib.util.find_spec(top):
            return name if name in PACKAGES else ""
    except (ImportError, ValueError):
        return ""
    return top


def missing_sentence(error):
    """What the interpreter lacks and how to install it; "" if the error is another one."""
    package = missing_package(error)
    if not package:
        return ""
    return (
        f"needs the package {package}, which {sys.executable} does not have; install it: "
        f"{sys.executable} -m pip install {PACKAGES.get(package, package)}"
    )


class Contestant:
    """A contestant's module, one instance of it, and what the worker has bound."""

    def __init__(self, manifest, name, source, kept=()):
        self.manifest = manifest
        self.name = name
        self.source = source
        self.kept = dict(kept)  # files of its compilers' by name
        self.path = ""  # of a copy
        self.adapter = manifest.get("adapter")  # the problem's: calls a contestant that has no `run`
        self.adapted = None  # its module
        self.process = os.getpid()
        self.module = None
        self.run = None
        self.parameters = []
        self.keywords = []  # those of `run(**tensors)`
        self.workload = None
        self.framework = FRAMEWORKS[manifest["framework"]](manifest["gpu"])
        self.given = {}  # arrays of structure, and the stream
        self.calls = {}
        self.next = 0

    def load(self):
        """Runs the file, once a process."""
        if self.module is not None:
            return
        # Compilers and tracebacks look for the source, which lies where this user cannot read it.
        folder = tempfile.mkdtemp(prefix="podium-")
        self.path = os.path.join(folder, self.name)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.source)
        if self.adapter:
            self.add_modules(folder)
            if not self.calls_itself():
                self.load_adapter()
        module = types.ModuleType("contestant")
        module.__file__ = self.path
        sys.modules["contestant"] = module  # dataclasses and pickling look there
        exec(compile(self.source, self.path, "exec"), module.__dict__)
        self.module = module

    def add_modules(self, folder):
        """The problem's files, which it and its adapter import by their names."""
        modules = os.path.join(folder, "modules")
        os.mkdir(modules)
        for name, source in self.adapter["sources"].items():
            with open(os.path.join(modules, os.path.basename(name)), "w", encoding="utf-8") as file:
                file.write(source)
        sys.path.insert(0, modules)
        self.take_kept(folder)

    def take_kept(self, folder):
        """What the contestant's compilers made when it was prepared, before there were inputs: a fresh copy, of which
        nothing comes back."""
        kept = os.path.join(folder, "kept")
        os.mkdir(kept)
        self.keep_in(kept)
        for name, content in self.kept.items():
            with open(os.path.join(kept, name), "wb") as file:
                file.write(zlib.decompress(base64.b85decode(content)))
        self.kept = {}

    def keep_in(self, folder):
        """Tells the problem's compiling.py where kept libraries are, and what to compile for."""
        os.environ["PODIUM_KEPT"] = folder
        if self.manifest.get("architecture"):
            os.environ.setdefault("TORCH_CUDA_ARCH_LIST", self.manifest["architecture"])

    def calls_itself(self):
        """Whether the file defines `run` or `Contestant`, so that it needs no adapter."""
        return any(getattr(one, "name", "") in ("run", "Contestant") for one in ast.parse(self.source).body)

    def load_adapter(self):
        """Executes the problem's adapter, before the contestant: it may prepare what the contestant's file needs."""
        name = self.adapter["file"]
        adapted = types.ModuleType("adapter")
        adapted.__file__ = os.path.join(os.path.dirname(self.path), "modules", os.path.basename(name))
        exec(compile(self.adapter["sources"][name], adapted.__file__, "exec"), adapted.__dict__)
        self.adapted = adapted

    def adapt(self):
        """What the problem's adapter makes of a file that has neither `run` nor `Contestant`."""
        name = self.adapter["file"]
        if self.adapted is None:
            self.load_adapter()
        run = self.adapted.contestant(self.module, self.workload)
        if not callable(run):
            raise TypeError(f"contestant() of {name} returned {type(run).__name__}, expected a function")
        return run

    def see(self, plain):
        """The workload as attributes: axes, parameters, constants, structure, and the dtypes of the board."""
        workload = types.SimpleNamespace(types=dict(self.manifest["types"]), **self.manifest["constants"])
        if self.adapter:
            workload.name = plain.name.decode()
        for k, name in enumerate(self.manifest["axes"]):
            setattr(workload, name, plain.axes[k])
        for k, (name, whole) in enumerate(self.manifest["parameters"]):
            setattr(workload, name, int(plain.parameters[k]) if whole else plain.parameters[k])
        for k, (name, dtype, rank) in enumerate(self.manifest["structure"]):
            tensor = plain.structure[k]
            setattr(workload, name, numpy_array(memory_of(tensor, rank, mirrored=True), dtype))
        return workload

    def give(self, plain, stream):
        """What `run` may take besides tensors and the workload's attributes: on a GPU its own arrays of structure."""
        self.given = {}
        if not self.manifest["gpu"]:
            return
        self.workload.stream = self.given["stream"] = self.framework.stream(stream)
        for k, (name, dtype, rank) in enumerate(self.manifest["structure"]):
            self.given[name] = self.framework.array(memory_of(plain.structure[k], rank, gpu=True), dtype)

    def create(self, plain, stream):
        self.load()
        if os.getpid() != self.process:  # the import has forked, and the worker is the other one
            os._exit(0)
        self.workload = self.see(plain)
        self.give(plain, stream)
        made = getattr(self.module, "Contestant", None)
        if made is not None:
            made = made(self.workload) if inspect.signature(made).parameters else made()
        self.run = getattr(self.module if made is None else made, "run", None)
        tensors = [name for name, *_ in self.manifest["tensors"]]
        if made is None and self.run is None and self.adapter:
            self.run = self.adapt()
        if not callable(self.run):
            raise TypeError("found neither a function `run` nor a class `Contestant` that has one, expected one of them")
        self.keywords = []
        parameters = inspect.signature(self.run).parameters
        if any(one.kind is one.VAR_KEYWORD for one in parameters.values()):  # **tensors: all that it does not name
            self.keywords = [name for name in tensors if name not in parameters]
        self.parameters = [name for name, one in parameters.items() if one.kind is not one.VAR_KEYWORD]
        for name in self.parameters:
            if name not in tensors and not hasattr(self.workload, name):
                known = ", ".join([*tensors, *(name for name in vars(self.workload) if name != "types")])
                raise TypeError(f"run() takes `{name}`, expected names of the problem: {known}")
        gc.collect()
        gc.freeze()  # what the frameworks hold is not looked through again
        gc.disable()  # until something is bound: never in a call

    def bind(self, tensors):
        gc.collect()
        given, outputs = dict(self.given), []
        for k, (name, role, dtype, rank) in enumerate(self.manifest["tensors"]):
            memory = memory_of(tensors[k], rank, gpu=self.manifest["gpu"])
            if name in self.parameters or name in self.keywords:
                given[name] = self.framework.array(memory, dtype)
            if role != "input":
                outputs.append((name, memory, dtype))
        arguments = [given[name] if name in given else getattr(self.workload, name) for name in self.parameters]
        keywords = {name: given[name] for name in self.keywords}
        self.next += 1
        self.calls[self.next] = self.framework.call(functools.partial(self.run, *arguments, **keywords), outputs)
        return self.next

    def end(self, handles):
        for handle in handles:
            self.calls.pop(handle, None)

    def destroy(self):
        self.run = self.workload = None
        self.given = {}

    def sentence(self, error):
        """What went wrong, in one line: where in the contestant's file, what, and what is known of it."""
        where = self.name
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == self.path:
                function = frame.f_code.co_name
                where = f"{self.name}:{line}" + ("" if function == "<module>" else f", in {function}")
        missing = missing_sentence(error)
        if missing:
            return f"{where}: {missing}"
        if isinstance(error, (AttributeError, TypeError)) and ", expected " in str(error) and where == self.name:
            return f"{where}: {error}"  # its own, above
        said = " ".join(str(error).split())
        return f"{where}: {type(error).__name__}" + (f": {said}" if said else "")


def guarded(contestant, message, work):
    """`work`, whose exceptions become a result and a sentence."""

    def result(*arguments):
        try:
            work(*arguments)
            return WELL
        except BaseException as error:  # SystemExit, too
            try:
                traceback.print_exc()
                sys.stdout.flush()
                sys.stderr.flush()
            except Exception:  # streams that it has closed or replaced
                pass
            text = contestant.sentence(error).encode(errors="replace")[:MOST_TEXT]
            message.value = text.replace(b"\0", b" ")
            if missing_package(error):
                return MISSING
            return UNSUPPORTED if isinstance(error, NotImplementedError) else FAILED

    return result


def serve(manifest, name, source, kept=()):
    library, socket = ctypes.CDLL(sys.argv[1]), int(sys.argv[2])
    contestant = Contestant(manifest, name, source, kept)
    message = ctypes.create_string_buffer(MOST_TEXT + 1)
    text_at = ctypes.addressof(message)
    calls = contestant.calls

    def create(plain, services, stream, self):
        contestant.create(plain.contents, stream)

    def bind(plain, tensors, bound):
        bound[0] = contestant.bind(tensors)

    def run(self, bound, stream):
        calls[bound]()

    def destroy(self, bound, count):
        contestant.end([bound[k] for k in range(count)])

    table = Table(
        ABI,
        ctypes.sizeof(Table),
        manifest["hash"].encode(),
        Table.Message(lambda: text_at),
        Table.Create(guarded(contestant, message, create)),
        Table.Bind(guarded(contestant, message, bind)),
        Table.Run(guarded(contestant, message, run)),
        Table.Destroy(guarded(contestant, message, destroy)),
    )
    scratch = tempfile.gettempdir()
    for variable in ("NUMBA_CACHE_DIR", "MPLCONFIGDIR", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR", "CUPY_CACHE_DIR", "CUDA_CACHE_PATH"):
        os.environ.setdefault(variable, os.path.join(scratch, variable.lower()))
    for variable, value in ("HOME", scratch), ("USER", "podium"):  # its user id has neither
        os.environ.setdefault(variable, value)
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else JAX takes three quarters of the device's memory
    at = sys.argv[sys.argv.index("--at") + 1] if "--at" in sys.argv else ""
    library.podium_serve(socket, ctypes.byref(table), at.encode())  # does not return
