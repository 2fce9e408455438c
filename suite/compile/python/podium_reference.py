# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The process of a reference in Python: draws inputs, computes or checks outputs, for the judge alone.

compile_reference.py puts it behind podium_worker.py, a module of that name, and in front of the problem's files. Podium
starts the program in a sandbox, with its end of a socket as the one argument. The messages are those of
suite/protocol/reference.hpp; tensors lie in memory that the judge shares with this process and with nobody else.
"""

import ctypes
import io
import json
import mmap
import os
import random
import socket
import struct
import sys
import tempfile
import traceback
import types

from podium_worker import MOST_TEXT, NUMPY, TORCH, missing_sentence, numpy_typed

MAGIC, VERSION = 0x4D49444F, 11
LOAD, BEGIN, ASK, ANSWER = range(80, 84)
INPUTS, VERIFY, PROVE, EXACT = range(4)
RIGHT, WRONG, FAILED, RAISED = range(4)
HEADER = struct.Struct("=IHHII")
FUNCTIONS = "inputs", "outputs", "check", "exact"
PR_SET_DUMPABLE = 4
MOST_PRINTED = 1 << 20  # characters that are kept


class Fault(Exception):
    """What is wrong with what the file returned: a sentence with its place."""


class Printed(io.TextIOBase):
    """Where the file's prints go: on, until there are too many."""

    def __init__(self, stream):
        self.stream, self.left = stream, MOST_PRINTED

    def writable(self):
        return True

    def write(self, text):
        if self.left > 0:
            self.stream.write(text[: self.left])
            self.stream.flush()
            self.left -= len(text)
        return len(text)


class Numpy:
    """Tensors as NumPy arrays."""

    def __init__(self, device):
        import numpy

        self.numpy = numpy

    def taken(self, view, dtype):
        return numpy_typed(view, dtype).copy()

    def kind(self, dtype):
        return numpy_typed(self.numpy.empty(0, NUMPY[dtype]), dtype).dtype

    def described(self, value):
        return f"{value.dtype}{list(value.shape)}" if isinstance(value, self.numpy.ndarray) else type(value).__name__

    def is_tensor(self, value):
        return isinstance(value, self.numpy.ndarray)

    def raw(self, value, dtype):
        return self.numpy.ascontiguousarray(value).view(NUMPY[dtype]).reshape(value.shape)

    def plain(self, value, kind):
        array = self.numpy.asarray(value)
        if array.dtype.kind in "OSUcmM":
            return None
        if kind == "i64" and array.dtype.kind not in "iub":
            return None
        return array.astype(NUMPY[kind])

    def seed(self, seed):
        self.numpy.random.seed(seed & 0xFFFFFFFF)

    def finish(self):
        pass


class Torch:
    """Tensors as PyTorch's, on the judge's device."""

    def __init__(self, device):
        import numpy
        import torch

        self.numpy, self.torch, self.device = numpy, torch, device
        if device != "cpu":
            torch.cuda.init()

    def taken(self, view, dtype):
        kind = ("<i2" if NUMPY[dtype] == "<u2" else "|u1") if dtype in TORCH else NUMPY[dtype]
        tensor = self.torch.from_numpy(self.numpy.array(view.view(kind)))
        return (tensor.view(self.kind(dtype)) if dtype in TORCH else tensor).to(self.device)

    def kind(self, dtype):
        if dtype in TORCH:
            return getattr(self.torch, TORCH[dtype])
        return self.torch.from_numpy(self.numpy.empty(0, NUMPY[dtype])).dtype

    def described(self, value):
        return f"{value.dtype}{list(value.shape)}" if self.is_tensor(value) else type(value).__name__

    def is_tensor(self, value):
        return isinstance(value, self.torch.Tensor)

    def raw(self, value, dtype):
        value = value.detach().contiguous().cpu()
        if dtype in TORCH:
            value = value.view(self.torch.int16 if NUMPY[dtype] == "<u2" else self.torch.uint8)
        return value.numpy().view(NUMPY[dtype])

    def plain(self, value, kind):
        value = self.torch.as_tensor(value).detach()
        if value.is_complex() or (kind == "i64" and value.is_floating_point()):
            return None
        return value.to(self.torch.float64 if kind == "f64" else self.torch.int64).cpu().numpy()

    def seed(self, seed):
        self.numpy.random.seed(seed & 0xFFFFFFFF)
        self.torch.manual_seed(seed)

    def finish(self):
        if self.device != "cpu":  # the device is the contestants', and so is its memory
            self.torch.cuda.synchronize()
            self.torch.cuda.empty_cache()


class Reference:
    """The executed file, and the workload that it is asked about."""

    def __init__(self, manifest):
        self.manifest = manifest
        self.name = manifest["file"]
        self.paths = {}  # of copies: what they are called
        self.module = self.framework = self.workload = self.memory = None
        self.seed = 0

    def load(self):
        folder = tempfile.mkdtemp(prefix="podium-")
        copies = {}
        for name, source in self.manifest["sources"].items():
            copies[name] = os.path.join(folder, os.path.basename(name))
            self.paths[copies[name]] = name
            with open(copies[name], "w", encoding="utf-8") as file:
                file.write(source)
        sys.path.insert(0, folder)
        device = self.manifest["device"]
        self.framework = (Torch if self.manifest["framework"] == "torch" else Numpy)(device)
        self.module = types.ModuleType("reference")
        self.module.__file__ = copies[self.name]
        sys.modules["reference"] = self.module
        exec(compile(self.manifest["sources"][self.name], copies[self.name], "exec"), self.module.__dict__)
        if not self.has("outputs") and not self.has("check"):
            raise Fault(f"{self.name}: found neither outputs() nor check(), expected one of them")

    def has(self, function):
        return callable(getattr(self.module, function, None))

    def functions(self):
        return sum(self.has(name) << k for k, name in enumerate(FUNCTIONS)) if self.module else 0

    def begin(self, memory, description):
        self.memory = memory
        self.tensors = description["tensors"]
        self.answers = description["answers"]
        plain = description["workload"]
        self.workload = types.SimpleNamespace(
            name=plain["name"], device=self.manifest["device"], types=plain["types"], **plain["numbers"]
        )
        for one in description["structure"]:
            array = numpy_typed(self.view(one, one["offset"]), one["dtype"]).copy()
            array.flags.writeable = False
            setattr(self.workload, one["name"], array)

    def view(self, tensor, offset):
        """The tensor at that place of shared memory, as NumPy's bytes of its dtype."""
        import numpy

        kind = numpy.dtype(NUMPY[tensor["dtype"]])
        strides = tuple(stride * kind.itemsize for stride in tensor["strides"])
        if 0 in tensor["shape"]:
            return numpy.empty(tensor["shape"], kind)
        return numpy.ndarray(tuple(tensor["shape"]), kind, self.memory, offset, strides)

    def copies(self, place):
        """Of all tensors that are there `before` or `after` the call."""
        taken = self.framework.taken
        return {
            one["name"]: taken(self.view(one, one[place]), one["dtype"]) for one in self.tensors if one[place] is not None
        }

    def place(self, function):
        code = getattr(getattr(self.module, function), "__code__", None)
        name = self.paths.get(code.co_filename, self.name) if code else self.name
        return f"{name}:{code.co_firstlineno}: {function}()" if code else f"{name}: {function}()"

    def call(self, function, *arguments):
        """Numbers that are drawn globally follow from the seed, too."""
        random.seed(self.seed)
        self.framework.seed(self.seed)
        found = getattr(self.module, function)(self.workload, *arguments)
        self.framework.finish()
        return found

    def named(self, function, *arguments):
        found = self.call(function, *arguments)
        if not isinstance(found, dict):
            raise Fault(f"{self.place(function)} returned {type(found).__name__}, expected a dictionary of tensors by name")
        return found

    def draw(self):
        drawn = [one for one in self.tensors if one["drawn"]]
        found = self.named("inputs", self.seed)
        self.require("inputs", found, [one["name"] for one in drawn])
        for one in drawn:
            value, wanted = found[one["name"]], self.framework.kind(one["dtype"])
            if not self.framework.is_tensor(value) or (value.dtype, list(value.shape)) != (wanted, one["shape"]):
                raise Fault(
                    f"{self.place('inputs')} returned {one['name']} as {self.framework.described(value)}, "
                    f"expected {wanted}{one['shape']}"
                )
            if 0 not in one["shape"]:
                self.view(one, one["before"])[...] = self.framework.raw(value, one["dtype"])

    def require(self, function, found, names):
        for name in names:
            if name not in found:
                raise Fault(f"{self.place(function)} returned no {name}, expected {', '.join(names)}")
        for name in found:
            if name not in names:
                raise Fault(f"{self.place(function)} returned {name!r}, expected {', '.join(names)} alone")

    def answer(self):
        """What outputs() says, as numbers of 64 bits; by name."""
        found = self.named("outputs", self.copies("before"))
        self.require("outputs", found, [one["name"] for one in self.tensors if one["after"] is not None])
        return {name: self.plain("outputs", found[name], one) for name, one in self.answers.items()}, found

    def plain(self, function, value, one):
        name, shape = one["name"], one["shape"]
        array = self.framework.plain(value, one["dtype"])
        if array is None or list(array.shape) != shape:
            what = "numbers" if one["dtype"] == "f64" else "integers"
            raise Fault(f"{self.place(function)} returned {name} as {self.framework.described(value)}, expected {what} of shape {shape}")
        return array

    def verify(self):
        if self.has("check"):
            return *self.checked(self.copies("after")), float("nan"), ""
        for name, array in self.answer()[0].items():
            if array.size:
                self.view(self.answers[name], self.answers[name]["offset"])[...] = array
        return None

    def checked(self, outputs):
        """An exception here is what the outputs have led to, if the reference's own answer has passed (`prove`)."""
        try:
            said = self.call("check", self.copies("before"), outputs)
        except (Exception, SystemExit) as error:
            traceback.print_exc()
            if self.has("outputs"):
                return WRONG, f"{self.name}: check() rejects it: {self.sentence(error)}"
            return RAISED, f"{self.name}: check() raised an exception, and there is no outputs() to show that it can do otherwise: {self.sentence(error)}"
        if said is not None and not isinstance(said, str):
            raise Fault(f"{self.place('check')} returned {type(said).__name__}, expected None or a sentence")
        return (RIGHT, "") if said is None else (WRONG, " ".join(said.split()) or "check() returned an empty sentence")

    def prove(self):
        """Whether the reference's own answer passes its check."""
        if not (self.has("check") and self.has("outputs")):
            return
        found = self.answer()[1]
        outputs = {}
        for one in self.tensors:
            if one["after"] is None:
                continue
            value, wanted = found[one["name"]], self.framework.kind(one["dtype"])
            if not self.framework.is_tensor(value) or (value.dtype, list(value.shape)) != (wanted, one["shape"]):
                raise Fault(
                    f"{self.place('outputs')} returned {one['name']} as {self.framework.described(value)}, "
                    f"expected {wanted}{one['shape']}, as check() gets it"
                )
            outputs[one["name"]] = value
        said = self.call("check", self.copies("before"), outputs)
        if said is not None:
            raise Fault(f"{self.place('check')} rejects what outputs() returned: {said}")

    def exact(self):
        return RIGHT, "", *self.error(self.copies("after"))

    def error(self, outputs):
        """The largest error against exact(), of the largest magnitude, and where it is."""
        import numpy

        worst, note = float("nan"), ""
        try:
            found = self.named("exact", self.copies("before"))
            for one in self.tensors:
                if one["name"] not in found or one["after"] is None or one["packed"]:
                    continue
                exact = self.framework.plain(found[one["name"]], "f64")
                got = self.framework.plain(outputs[one["name"]], "f64")
                if exact is None or exact.shape != got.shape:
                    raise Fault(
                        f"{self.place('exact')} returned {one['name']} as {self.framework.described(found[one['name']])}, "
                        f"expected numbers of shape {list(got.shape)}"
                    )
                if not exact.size:
                    continue
                finite = exact[numpy.isfinite(exact)]
                scale = max(numpy.abs(finite).max() if finite.size else 0.0, numpy.finfo(numpy.float64).tiny)
                with numpy.errstate(invalid="ignore"):
                    same = (got == exact) | (numpy.isnan(got) & numpy.isnan(exact))
                    errors = numpy.where(same, 0.0, numpy.nan_to_num(numpy.abs(got - exact) / scale, nan=numpy.inf))
                at = numpy.unravel_index(int(errors.argmax()), errors.shape)
                if not errors[at] <= worst:  # also the first, when worst is NaN
                    worst = float(errors[at])
                    place = f"{one['name']}[{', '.join(str(k) for k in at)}]"
                    note = f"error against fp64 {worst:.2g} of the largest magnitude at {place}: {got[at]:.9g}, exactly {exact[at]:.9g}"
        except Fault:
            raise
        except Exception as error:  # operations that fp64 does not allow
            print(self.sentence(error), file=sys.stderr)
            return float("nan"), ""
        return worst, note

    def sentence(self, error):
        """What went wrong, in one line, and where in the problem's files."""
        if isinstance(error, Fault):
            return str(error)
        where = self.name
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename in self.paths:
                function = frame.f_code.co_name
                where = f"{self.paths[frame.f_code.co_filename]}:{line}" + ("" if function == "<module>" else f", in {function}")
        if isinstance(error, SyntaxError) and error.filename in self.paths:
            return f"{self.paths[error.filename]}:{error.lineno}: Python does not understand this: {error.msg}"
        missing = missing_sentence(error)
        if missing:
            return f"{where}: {missing}"
        said = " ".join(str(error).split())
        return f"{where}: {type(error).__name__}" + (f": {said}" if said else "")


def answer(reference, work):
    """The message with what `work` came to: verdict, text, error, note."""
    try:
        verdict, text, exact, note = work() or (RIGHT, "", float("nan"), "")
    except BaseException as error:  # SystemExit, too
        if not isinstance(error, Fault):
            traceback.print_exc()
        verdict, text, exact, note = FAILED, reference.sentence(error), float("nan"), ""
    room = MOST_TEXT + 24  # of a Sentence
    body = struct.pack(
        f"=iid{room}s{room}s", verdict, reference.functions(), exact,
        *(one.encode(errors="replace")[:MOST_TEXT].replace(b"\0", b" ") for one in (text, note)),
    )  # fmt: skip
    return HEADER.pack(MAGIC, VERSION, ANSWER, HEADER.size + len(body), 0) + body


def serve(manifest):
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # nobody of the same user reads its memory
    judge = socket.socket(fileno=int(sys.argv[1]))
    reference = Reference(manifest)
    sys.argv = [manifest["file"]]
    for variable, value in ("HOME", tempfile.gettempdir()), ("USER", "podium"):  # its user id has neither
        os.environ.setdefault(variable, value)
    while True:
        message, descriptors, *_ = socket.recv_fds(judge, 4096, 4)
        if not message:
            os._exit(0)
        sys.stdout = sys.stderr = Printed(sys.__stderr__)
        kind, rest = HEADER.unpack_from(message)[2], message[HEADER.size :]
        if kind == LOAD:
            work = reference.load
        elif kind == BEGIN:
            sizes = struct.unpack("=QQ", rest)
            memory, description = (
                mmap.mmap(file, size, mmap.MAP_SHARED, protection)
                for file, size, protection in zip(descriptors, sizes, (mmap.PROT_READ | mmap.PROT_WRITE, mmap.PROT_READ))
            )
            work = lambda: reference.begin(memory, json.loads(description[:]))
        else:
            task, _, reference.seed = struct.unpack("=iiQ", rest)
            work = {
                INPUTS: reference.draw, VERIFY: reference.verify, PROVE: reference.prove, EXACT: reference.exact,
            }[task]  # fmt: skip
        for descriptor in descriptors:
            os.set_inheritable(descriptor, False)
        said = answer(reference, work)
        for descriptor in descriptors:
            os.close(descriptor)
        judge.send(said)
