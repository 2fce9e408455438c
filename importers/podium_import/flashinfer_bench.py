# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""`podium import flashinfer-bench`: a definition, its workloads and its solutions become a problem's folder.

Reads the folders of FlashInfer-Bench (definitions/, workloads/, solutions/) and of SOL-ExecBench (definition.json,
workload.jsonl, solution*.json side by side).
"""

import ast
import base64
import json
import math
import operator
import pathlib
import pprint
import re
import struct
import zlib

from podium_import.check import examine
from podium_import.common import (
    MOST_WORKLOADS,
    Problem,
    Refused,
    Tensor,
    flow,
    identifier,
    problem_name,
    scalar,
    workload_name,
)

MOST_ELEMENTS = 1 << 29  # of all tensors of a workload that the import runs on the CPU
MOST_TEST_ELEMENTS = 1 << 22  # of a workload of the source that serves as a test
MOST_DATA = 8 << 20  # bytes of a workload's safetensors that the folder holds

DTYPES = {
    "float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "float8_e4m3fn": "e4m3",
    "float8_e5m2": "e5m2", "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8", "uint8": "u8", "bool": "bool",
}  # fmt: skip

# What FlashInfer-Bench requires where a definition's kind says nothing else.
TOLERANCE = {"atol": 1e-2, "rtol": 1e-2, "matched": 1.0, "cap": None, "negative_infinity": False, "sum": False}
MATCHED = {"moe": 0.95}  # share of elements within the tolerance, by op_type

SUPPORT = '''\
"""Written by `podium import flashinfer-bench`: what each workload passes, for reference.py and adapter.py."""

import torch

INPUTS = {inputs}  # name of the definition: name of the problem, None for a number
OUTPUTS = {outputs}
DTYPES = {dtypes}
SAMPLING = {sampling}
CUSTOM = {custom}  # the reference's function that draws all inputs, where there is one
WORKLOADS = {workloads}


def number(workload, name):
    """An input that is no tensor."""
    return WORKLOADS[workload.name]["inputs"][name]["value"]


def arguments(workload, tensors):
    """The arguments of `run`, in the definition's order."""
    return [number(workload, name) if at is None else tensors[at] for name, at in INPUTS.items()]


def named(answer):
    """What `run` returned, by the problem's names of outputs."""
    if isinstance(answer, dict):
        missing = [name for name in OUTPUTS if name not in answer]
        if missing:
            raise ValueError(f"run returned no {{missing[0]}}")
        answer = [answer[name] for name in OUTPUTS]
    if not isinstance(answer, (tuple, list)):
        answer = [answer]
    if len(answer) != len(OUTPUTS):
        raise ValueError(f"run returned {{len(answer)}} values, expected {{len(OUTPUTS)}}")
    return {{
        at: value if isinstance(value, torch.Tensor) else torch.tensor(value, dtype=getattr(torch, DTYPES[at]))
        for at, value in zip(OUTPUTS.values(), answer)
    }}
'''

DRAWING = '''\
"""Written by `podium import flashinfer-bench`. The reference is the definition's own `run`."""

import definition_reference
import torch
from flashinfer_bench_problem import CUSTOM, DTYPES, INPUTS, SAMPLING, WORKLOADS, arguments, named
from flashinfer_bench_data import DATA


def inputs(workload, seed):
    torch.manual_seed(seed)
    row, device = WORKLOADS[workload.name], torch.device(workload.device)
    if CUSTOM:
        numbers = {name: one["value"] for name, one in row["inputs"].items() if "value" in one}
        drawn = getattr(definition_reference, CUSTOM)({**row["axes"], **numbers}, device)
        return {at: drawn[name].to(device).contiguous() for name, at in INPUTS.items() if at is not None}
    return {at: _draw(name, at, row, device) for name, at in INPUTS.items() if at is not None}


def _draw(name, at, row, device):
    one, dtype = row["inputs"][name], getattr(torch, DTYPES[at])
    shape, kind = row["shapes"][at], one["type"]
    if kind == "safetensors":
        return _stored(DATA[one["data"]], dtype, shape).to(device)
    if kind == "offsets":  # ascending from 0 to the last, cut evenly
        return (torch.arange(shape[0], device=device) * one["last"] // max(shape[0] - 1, 1)).to(dtype)
    if kind == "below":
        return torch.randint(one["low"], one["high"], shape, device=device).to(dtype)
    if kind == "uniform":
        return (one["low"] + (one["high"] - one["low"]) * torch.rand(shape, device=device)).to(dtype)
    if dtype == torch.bool:
        return torch.randint(0, 2, shape, device=device).to(dtype)
    if not dtype.is_floating_point:
        low, high = (-128, 128) if dtype == torch.int8 else (0, 256) if dtype == torch.uint8 else (-1024, 1024)
        return torch.randint(low, high, shape, device=device).to(dtype)
    drawn = torch.randn(shape, device=device)
    if SAMPLING and name == "probs":
        drawn = torch.softmax(drawn, dim=-1)
    return (drawn.clamp(-2, 2) if DTYPES[at].startswith("float8") else drawn).to(dtype)


def _stored(packed, dtype, shape):
    import base64
    import zlib

    raw = bytearray(zlib.decompress(base64.b85decode(packed)))
    return torch.frombuffer(raw, dtype=dtype).reshape(shape).clone()


def _answer(workload, inputs):
    with torch.no_grad():
        return named(definition_reference.run(*arguments(workload, inputs)))
'''

COMPARING = '''

def outputs(workload, inputs):
    return _answer(workload, inputs)


def check(workload, inputs, outputs):
    for at, expected in _answer(workload, inputs).items():
        fault = _fault(at, expected, outputs[at], WORKLOADS[workload.name]["tolerance"])
        if fault is not None:
            return fault
    return None


def _fault(name, expected, found, limit):
    if tuple(expected.shape) != tuple(found.shape):
        return f"{name} has shape {tuple(found.shape)}, expected {tuple(expected.shape)}"
    if not expected.numel():
        return None
    y, x = expected.float(), found.float()
    same = (x == y) & (y == -torch.inf) if limit["negative_infinity"] else torch.zeros_like(y, dtype=torch.bool)
    if not bool((torch.isfinite(x) | same).all()):
        return f"{name} is not finite in {int((~(torch.isfinite(x) | same)).sum())} of {x.numel()} elements"
    if limit["sum"] and bool(y.any()) and not bool(x.any()):
        return f"{name} is zero everywhere, which the reference is not"
    error = torch.where(same, torch.zeros_like(y), (x - y).abs())
    if limit["sum"]:
        wrong = ~(error <= limit["atol"] + limit["rtol"] * y.abs()) & ~same
    else:
        wrong = ~(error <= limit["atol"]) & ~(error / (y.abs() + 1e-8) <= limit["rtol"]) & ~same
    count, largest = int(wrong.sum()), float(error.max())
    if limit["cap"] is not None and largest > limit["cap"]:
        return f"{name} differs by {largest:.6g}, and by {limit['cap']:g} at most is allowed"
    if 1 - count / y.numel() >= limit["matched"]:
        return None
    where = [int(i) for i in wrong.nonzero()[0]]
    place = f"{name}{where}" if where else name
    joined = "plus" if limit["sum"] else "or"
    return (
        f"{place} is {x[tuple(where)].item():.6g}, expected {y[tuple(where)].item():.6g} within {limit['atol']:g} "
        f"absolute {joined} {limit['rtol']:g} relative; {100 * (1 - count / y.numel()):.4g} % of {y.numel()} elements "
        f"match, required are {100 * limit['matched']:g} %"
    )


def exact(workload, inputs):
    wide = {name: x.double() if x.is_floating_point() else x for name, x in inputs.items()}
    answer = _answer(workload, wide)
    for name, value in answer.items():
        if value.is_floating_point() and value.dtype != torch.float64:
            raise TypeError(f"the definition computes {name} as {value.dtype}, whatever its inputs are")
    return {name: value.double() for name, value in answer.items()}
'''

SAMPLING = '''

# A right sampler fails a call with a probability below this, whatever its batch.
FALSE_ALARM = 1e-9
SLACK = 5e-2  # of top_p: as far beyond it a sample may lie, as in FlashInfer-Bench


def sampled(workload, inputs):
    """What the definition's own `run` draws: an answer, not the answer."""
    return {at: value.to(getattr(torch, DTYPES[at])) for at, value in _answer(workload, inputs).items()}


outputs = sampled  # by which the check shows that it accepts a right answer


def check(workload, inputs, outputs):
    """Samples must be possible, and as frequent as their probabilities say.

    With F the distribution function of its row, a sample s drawn rightly makes F(s-) + v p(s) uniform for uniform v.
    So all rows of a call together are one sample of the uniform distribution, compared by Kolmogorov's distance and
    the bound of Dvoretzky, Kiefer, Wolfowitz and Massart. Tokens are ordered once by falling probability, once as
    they stand.
    """
    probs = inputs[INPUTS["probs"]].double()
    samples = next(iter(outputs.values())).reshape(-1).long()
    rows, tokens = probs.shape
    if bool(((samples < 0) | (samples >= tokens)).any()):
        return f"samples hold {int(samples.min())} to {int(samples.max())}, expected 0 to {tokens - 1}"
    uniform = [[], []]
    for i in range(rows):
        right, possible = _kept(probs[i], _limit(inputs, "top_k", i), _limit(inputs, "top_p", i))
        s = samples[i]
        if not bool(possible[s]):
            return f"samples[{i}] is {int(s)}, which top_k or top_p excludes"
        if not bool(right[s] > 0):
            continue  # beyond top_p by rounding
        right = right / right.sum()
        above = right[right > right[s]].sum() + right[:s][right[:s] == right[s]].sum()
        uniform[0].append(above + right[s] * torch.rand((), dtype=torch.float64))
        uniform[1].append(right[:s].sum() + right[s] * torch.rand((), dtype=torch.float64))
    for order, values in zip(("falling probability", "their numbers"), uniform):
        if not values:
            continue
        u = torch.stack(values).sort().values
        n = len(values)
        steps = torch.arange(n + 1, dtype=torch.float64, device=u.device) / n
        distance = float(torch.maximum((steps[1:] - u).max(), (u - steps[:-1]).max()))
        bound = (torch.log(torch.tensor(2 / FALSE_ALARM)).item() / (2 * n)) ** 0.5
        if distance > bound:
            return (
                f"samples do not follow the probabilities: with tokens in order of {order}, the distribution functions "
                f"of {n} samples differ by {distance:.3f}, expected at most {bound:.3f}"
            )
    return None


def _limit(inputs, name, row):
    at = INPUTS.get(name)
    if at is None:
        return None
    value = inputs[at].reshape(-1)
    return value[row if value.numel() > 1 else 0].item()


def _kept(p, top_k, top_p):
    """A row's probabilities where they remain, and where a sample is possible at all."""
    possible = torch.ones_like(p, dtype=torch.bool)
    if top_k is not None and 0 < top_k < p.numel():
        least = torch.topk(p, int(top_k)).values[-1]
        possible = p >= least  # any of equals may be kept
        p = torch.where(possible, p, torch.zeros_like(p))
        p = p / p.sum()
    right = p
    if top_p is not None and top_p < 1:
        order = torch.argsort(p, descending=True)
        before = torch.cumsum(p[order], 0) - p[order]
        inside, near = before <= max(top_p, 0), before <= max(top_p, 0) + SLACK
        inside[0] = near[0] = True
        right = torch.zeros_like(p)
        right[order[inside]] = p[order[inside]]
        allowed = torch.zeros_like(possible)
        allowed[order[near]] = True
        possible = possible & allowed
    return right, possible
'''

ADAPTER = '''\
"""Written by `podium import flashinfer-bench`. A contestant holds a solution: its sources, entry point and style."""

import hashlib
import importlib
import os
import sys
import tempfile

import compiling  # noqa: F401  for torch.utils.cpp_extension
import torch
from flashinfer_bench_problem import OUTPUTS, arguments, named


def contestant(module, workload):
    solution = getattr(module, "SOLUTION", None)
    if solution is None:
        raise AttributeError("defines no SOLUTION, expected one with sources, entry_point and language")
    function = _load(solution)
    passes = solution["destination_passing_style"]

    def run(**tensors):
        with torch.no_grad():
            if passes:
                function(*arguments(workload, tensors), *[tensors[at] for at in OUTPUTS.values()])
                return
            for name, value in named(function(*arguments(workload, tensors))).items():
                output = tensors[name]
                if value.shape != output.shape or value.dtype != output.dtype:
                    raise ValueError(
                        f"{name} is {value.dtype} of shape {tuple(value.shape)}, "
                        f"expected {output.dtype} of shape {tuple(output.shape)}"
                    )
                output.copy_(value)

    return run


def _load(solution):
    # The same place in each process's scratch: what is compiled there can be kept.
    name = "solution_" + hashlib.sha256(repr(sorted(solution["sources"].items())).encode()).hexdigest()[:12]
    folder = os.path.join(tempfile.gettempdir(), "podium-solutions")
    package = os.path.join(folder, name)
    os.makedirs(package, exist_ok=True)
    for path, content in solution["sources"].items():
        os.makedirs(os.path.dirname(os.path.join(package, path)), exist_ok=True)
        with open(os.path.join(package, path), "w", encoding="utf-8") as file:
            file.write(content)
    entry, function = solution["entry_point"].split("::")
    if entry.endswith(".py"):
        sys.path.insert(0, folder)
        if "/" not in entry:
            sys.path.insert(1, package)
        loaded = importlib.import_module(f"{name}." + entry.removesuffix(".py").replace("/", "."))
    elif solution.get("binding") == "tvm-ffi":
        loaded = _built_by_tvm_ffi(solution, name, package)
    else:
        from torch.utils.cpp_extension import load

        endings = (".cpp", ".cc", ".cxx", ".c", ".cu")
        files = [os.path.join(package, path) for path in solution["sources"] if path.endswith(endings)]
        options = solution.get("compile_options") or {}
        loaded = load(
            name,
            files,
            build_directory=package,
            extra_include_paths=[package],
            extra_cflags=options.get("cflags"),
            extra_cuda_cflags=options.get("cuda_cflags"),
            extra_ldflags=options.get("ld_flags"),
        )
    return getattr(loaded, function)


def _built_by_tvm_ffi(solution, name, package):
    import tvm_ffi
    import tvm_ffi.cpp

    paths = [os.path.join(package, path) for path in solution["sources"]]
    cuda = [path for path in paths if path.endswith(".cu")]
    options = solution.get("compile_options") or {}
    libraries = [*_folders_of_cuda(), "-lcuda", "-lcublas"] if cuda or solution["cuda"] else []
    library = tvm_ffi.cpp.build(
        name=name,
        cpp_files=[path for path in paths if path.endswith((".cpp", ".cc", ".cxx", ".c"))],
        cuda_files=cuda,
        extra_cflags=options.get("cflags"),
        extra_cuda_cflags=options.get("cuda_cflags"),
        extra_include_paths=[package],
        extra_ldflags=[*libraries, *(options.get("ld_flags") or [])],
        build_directory=package,
    )
    return tvm_ffi.load_module(str(library))


def _folders_of_cuda():
    from torch.utils.cpp_extension import CUDA_HOME

    below = ("targets/x86_64-linux/lib", "lib64", "lib64/stubs", "lib")
    return [f"-L{CUDA_HOME}/{folder}" for folder in below if CUDA_HOME and os.path.isdir(os.path.join(CUDA_HOME, folder))]
'''

CONTESTANT = '''\
# podium: {metadata}

# Written by `podium import flashinfer-bench` of origin/{origin}.
SOLUTION = {solution}
'''

EAGER = '''\
# podium: { title: "The definition's reference in PyTorch", framework: torch }
import os

import definition_reference

with open(definition_reference.__file__, encoding="utf-8") as _file:
    SOLUTION = {
        "language": "python",
        "entry_point": "reference.py::run",
        "destination_passing_style": False,
        "sources": {"reference.py": _file.read()},
    }
'''

PYTHON = {"python", "pytorch", "triton", "cute_dsl", "cutile", "cudnn_frontend", "tilelang"}
COMPILED = {"cpp", "cuda", "cuda_cpp", "cutlass", "cudnn", "cublas"}


class Workload:
    def __init__(self, name, device="cpu"):
        self.name, self.device = name, device


# Reading
# -------


def read_json(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as fault:
        raise Refused(f"{path.name} cannot be read: {' '.join(str(fault).split())}") from None


def read_lines(path):
    """The workloads of a JSONL file: lines of traces, or workloads themselves."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                row = json.loads(line)
            except json.JSONDecodeError as fault:
                raise Refused(f"{path.name}:{number} is no JSON: {fault}") from None
            found.append(row.get("workload", row))
    return found


class Set:
    """A folder with definitions, and which files of it belong to which definition."""

    def __init__(self, root):
        self.root = root
        if not root.exists():
            raise Refused(f"{root}: no such folder")
        if root.is_file():
            self.definitions, base = [root], root.parent
        else:
            base = root
            plain = root / "definitions"
            self.definitions = sorted(plain.rglob("*.json") if plain.is_dir() else root.rglob("definition.json"))
        if not self.definitions:
            raise Refused(f"{root}: holds neither definitions/ nor a definition.json")
        self.flat = self.definitions[0].name == "definition.json"
        while not self.flat and not (base / "workloads").is_dir() and base.parent != base and root.is_file():
            base = base.parent
        self.base = base if self.flat or not root.is_file() or (base / "workloads").is_dir() else root.parent
        self.by_name = {}
        if not self.flat:
            for path in sorted((self.base / "workloads").rglob("*.jsonl")):
                self.by_name.setdefault(path.stem, path)

    def workloads(self, definition, path):
        file = path.with_name("workload.jsonl") if self.flat else self.by_name.get(definition["name"])
        return (file, read_lines(file)) if file is not None and file.is_file() else (None, [])

    def solutions(self, definition, path):
        """Files that hold a solution of the definition."""
        files = path.parent.glob("solution*.json") if self.flat else (self.base / "solutions").rglob("*.json")
        for file in sorted(files):
            try:
                solution = read_json(file)
            except Refused as fault:
                yield file, str(fault)
                continue
            if isinstance(solution, dict) and (self.flat or solution.get("definition") == definition["name"]):
                yield file, solution

    def stored(self, path):
        """A file that a workload names, wherever the set keeps it."""
        for base in (self.base, self.base.parent, self.definitions[0].parent):
            if (base / path).is_file():
                return base / path
        return None


def safetensors(path):
    """The tensors of a file: name to (dtype, shape, bytes). Raises Refused."""
    data = path.read_bytes()
    if data.startswith(b"version https://git-lfs"):
        raise Refused(f"{path.name} is a pointer of Git LFS; fetch the file with git lfs pull")
    try:
        length = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8 : 8 + length])
    except (struct.error, ValueError):
        raise Refused(f"{path.name} is no safetensors file") from None
    body = data[8 + length :]
    names = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn"}
    names |= {"F8_E5M2": "float8_e5m2", "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8", "BOOL": "bool"}
    return {
        name: (names.get(one["dtype"], one["dtype"]), one["shape"], body[slice(*one["data_offsets"])])
        for name, one in header.items()
        if name != "__metadata__"
    }


# Axes
# ----

_OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.UAdd: operator.pos, ast.USub: operator.neg,
}  # fmt: skip


def calculate(text, values):
    """An expression over axes. Raises Refused for anything but numbers, names and arithmetic."""

    def value(node):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return node.value
        if isinstance(node, ast.Name) and node.id in values:
            return values[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            if isinstance(node.op, ast.Pow) and abs(value(node.right)) > 64:
                raise Refused(f"axis expression {text} has an exponent above 64")
            return _OPERATORS[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](value(node.operand))
        raise Refused(f"axis expression {text} is more than arithmetic of axes")

    try:
        number = value(ast.parse(text, mode="eval").body)
    except (SyntaxError, ZeroDivisionError) as fault:
        raise Refused(f"axis expression {text}: {fault}") from None
    if number != int(number):
        raise Refused(f"axis expression {text} is {number}, expected a whole number")
    return int(number)


def all_axes(definition, given):
    """Every axis with its number, expressions in whatever order they use each other."""
    values = {name: axis["value"] for name, axis in definition["axes"].items() if axis["type"] == "const"}
    values |= {name: given[name] for name, axis in definition["axes"].items() if axis["type"] == "var" and name in given}
    missing = [n for n, axis in definition["axes"].items() if axis["type"] == "var" and n not in values]
    if missing:
        raise Refused(f"a workload does not state axis {missing[0]}")
    waiting = {name: axis["expression"] for name, axis in definition["axes"].items() if axis["type"] == "expr"}
    while waiting:
        ready = [n for n, text in waiting.items() if set(re.findall(r"[A-Za-z_]\w*", text)) <= set(values)]
        if not ready:
            raise Refused(f"axis {next(iter(waiting))} depends on itself or on an unknown axis")
        for name in ready:
            values[name] = calculate(waiting.pop(name), values)
    return values


# Workloads that are Podium's own
# -------------------------------

_OFFSETS = re.compile(r"(\w+) == (\w+)\[-1\]\.item\(\)")
_SUCCESSOR = re.compile(r"(\w+) == (\w+) \+ 1")


def invented(definition, small):
    """A workload for a definition that has none, from its constraints and the customary names of its inputs.
    Raises Refused where they do not say what a valid input is."""
    axes, constraints = definition["axes"], definition.get("constraints") or []
    offsets = {m[2]: m[1] for c in constraints if (m := _OFFSETS.fullmatch(c))}
    successor = {m[1]: m[2] for c in constraints if (m := _SUCCESSOR.fullmatch(c))}
    batch, length = (3, 5) if small else (16, 64)
    shapes = {name: spec["shape"] or [] for name, spec in definition["inputs"].items()}
    totals = set(offsets.values())
    given = {}
    for name, axis in axes.items():
        if axis["type"] == "var" and name not in successor:
            counts_pages = re.search(r"pages$|state_cache_size|pool", name)
            long_ = re.search(r"kv|len|tokens|seq|indices", name)
            given[name] = batch * length * (2 if re.search(r"kv", name) else 1) if name in totals else batch
            if counts_pages:
                given[name] = batch * length * 2 + 1
            elif name.startswith("len_") or name.endswith("indptr_len"):
                given[name] = batch + 1
            elif long_ and name not in totals:
                given[name] = batch * length
            if definition["op_type"] == "sampling" and not small:
                given[name] = 64
    given |= {name: given.get(other, batch) + 1 for name, other in successor.items()}
    known = all_axes(definition, given)
    # What an input counts into: the first axis of a cache or a pool of states, or experts.
    pages = next((s[0] for n, s in shapes.items() if len(s) > 1 and re.search("cache|pool|state", n)), None)
    page_size = known.get("page_size", 1)
    inputs = {}
    for name, spec in definition["inputs"].items():
        whole, low = spec["dtype"].startswith(("int", "uint")), name.lower()
        if spec["shape"] is None:
            inputs[name] = {"type": "scalar", "value": _number(name, known, whole)}
        elif not whole:
            inputs[name] = {"type": "uniform", "low": 0.2, "high": 1.0} if low == "top_p" else {"type": "random"}
        elif name in offsets:
            inputs[name] = {"type": "offsets", "last": known[offsets[name]]}
        elif low.endswith("last_page_len"):
            inputs[name] = {"type": "below", "low": 1, "high": page_size + 1}
        elif low == "top_k":
            inputs[name] = {"type": "below", "low": 1, "high": max(known[shapes["probs"][-1]] // 2, 2)}
        elif low == "seq_lens" and "block_table" in shapes:
            inputs[name] = {"type": "below", "low": 1, "high": known[shapes["block_table"][1]] * page_size + 1}
        elif low == "sparse_indices" and pages:
            inputs[name] = {"type": "below", "low": 0, "high": known[pages] * page_size}
        elif (low.endswith(("indices", "block_table")) or "batch_ind" in low) and pages:
            inputs[name] = {"type": "below", "low": 0, "high": known[pages]}
        elif low == "topk_ids" and "num_experts" in known:
            inputs[name] = {"type": "below", "low": 0, "high": known["num_experts"]}
        elif low in ("positions", "pos_ids", "position_ids") and pages:
            inputs[name] = {"type": "below", "low": 0, "high": known[pages]}
        else:
            raise Refused(f"it has no workload, and nothing says which values of {name} are valid")
    return {"uuid": "podium-small" if small else "podium-large", "axes": given, "inputs": inputs, "invented": True}


def _number(name, axes, whole):
    if whole:
        return 0
    width = next((axes[a] for a in ("head_dim", "head_size", "head_dim_qk", "head_dim_ckv") if a in axes), 1)
    return width**-0.5 if name.endswith("scale") and "routed" not in name else 1.0


# A problem
# ---------


def named_workload(row, taken):
    text = ",".join(f"{axis}={value}" for axis, value in row["axes"].items())
    name = workload_name(text if 0 < len(text) <= 48 else row["uuid"])
    if name in taken:
        name = workload_name(f"{name[:48]}-{row['uuid'][:8]}")
    while name in taken:
        name += "+"
    return name


def validated(definition, path):
    for key in ("name", "axes", "inputs", "outputs", "reference"):
        if not definition.get(key):
            raise Refused(f"{path.name} has no {key}")
    for axis, spec in definition["axes"].items():
        if spec.get("type") not in ("const", "var", "expr"):
            raise Refused(f"axis {axis} has type {spec.get('type')}, expected const, var or expr")
    for name, spec in {**definition["inputs"], **definition["outputs"]}.items():
        if spec["dtype"] not in DTYPES:
            raise Refused(f"{name} is {spec['dtype']}, which is none of Podium's formats")
        unknown = [axis for axis in spec["shape"] or [] if axis not in definition["axes"]]
        if unknown:
            raise Refused(f"{name} has axis {unknown[0]}, which axes does not define")
    try:
        tree = ast.parse(definition["reference"])
    except SyntaxError as fault:
        raise Refused(f"its reference is no Python: line {fault.lineno}: {fault.msg}") from None
    if not any(isinstance(node, ast.FunctionDef) and node.name == "run" for node in tree.body):
        raise Refused("its reference defines no run")
    definition.setdefault("op_type", "")


def tolerance(definition, row):
    limit = dict(TOLERANCE, matched=MATCHED.get(definition["op_type"], 1.0))
    if stated := row.get("tolerance"):  # SOL-ExecBench's
        limit = {
            "atol": stated.get("max_atol", 1e-2),
            "rtol": stated.get("max_rtol", 1e-2),
            "matched": stated.get("required_matched_ratio", 0.99),
            "cap": stated.get("max_error_cap"),
            "negative_infinity": bool(stated.get("allow_negative_inf", False)),
            "sum": True,
        }
    return limit


def convert(path, whole, options):
    """The problem of a definition's file. Raises Refused."""
    definition = read_json(path)
    validated(definition, path)
    name = definition["name"]
    if name.startswith("dsa_topk_indexer"):
        raise Refused("its outputs are indices whose scores are compared, which this import does not do yet")
    if definition.get("custom_inputs_entrypoint") and definition["op_type"] == "sampling":
        raise Refused("it is a sampling operator with inputs of its own, which the statistical check does not know")
    problem = Problem(
        name=options.name or problem_name(name),
        title=" ".join((definition.get("description") or name).split()).split(". ")[0][:120].rstrip("."),
        description=definition.get("description") or "",
        source=str(path),
        kind="flashinfer-bench",
    )
    # Names
    taken, constants, places = set(), {}, {}
    for group in ("inputs", "outputs"):
        for original, spec in definition[group].items():
            if group == "inputs" and spec["shape"] is None:
                places[original] = None
                continue
            places[original] = identifier(original, taken)
            taken.add(places[original])
    axis_names = {}
    used = {axis for group in ("inputs", "outputs") for spec in definition[group].values() for axis in spec["shape"] or []}
    for axis, spec in definition["axes"].items():
        if axis in used or spec["type"] == "var":
            axis_names[axis] = identifier(axis, taken)
            taken.add(axis_names[axis])
            if spec["type"] == "const":
                constants[axis_names[axis]] = spec["value"]
            else:
                problem.axes.append(axis_names[axis])
    dtypes = {}
    for group, role in (("inputs", "input"), ("outputs", "output")):
        for original, spec in definition[group].items():
            at = places[original]
            if at is not None:
                problem.tensors[at] = Tensor(role, DTYPES[spec["dtype"]], [axis_names[a] for a in spec["shape"] or []])
                dtypes[at] = spec["dtype"]
    if not any(one.role == "input" for one in problem.tensors.values()):
        raise Refused("it has no input that is a tensor")
    if constants:
        problem.sections["constants"] = constants
    if not problem.axes:
        problem.axes.append(identifier("calls", taken))
    # Workloads
    file, rows = whole.workloads(definition, path)
    table, data, lines, taken_names = {}, {}, {}, set()
    reasons = {}
    for row in rows:
        try:
            entry, line = workload_of(definition, row, whole, places, axis_names, data, problem.axes)
        except Refused as fault:
            reasons.setdefault(str(fault), []).append(row.get("uuid", "?"))
            continue
        entry_name = named_workload(row, taken_names)
        taken_names.add(entry_name)
        table[entry_name], lines[entry_name] = entry, {"name": entry_name, **line}
    for reason, rows_ in reasons.items():
        problem.left_out.append(f"{len(rows_)} of {len(rows)} workloads: {reason}; the first is {rows_[0]}")
    ordered = sorted(lines, key=lambda one: table[one]["elements"])
    if len(ordered) > MOST_WORKLOADS - 16:
        problem.left_out.append(f"{len(ordered) - MOST_WORKLOADS + 16} workloads, the largest: a problem has at most {MOST_WORKLOADS}")
        ordered = ordered[: MOST_WORKLOADS - 16]
    own = []
    wanted = [True] if ordered else [True, False]
    if not definition.get("custom_inputs_entrypoint"):
        try:
            for small in wanted:
                row = invented(definition, small)
                entry, line = workload_of(definition, row, whole, places, axis_names, data, problem.axes)
                entry_name = "small" if small else "large"
                table[entry_name], lines[entry_name] = entry, {"name": entry_name, **line}
                own.append(entry_name)
        except Refused as fault:
            if not ordered:
                raise Refused(f"{'; '.join([*problem.left_out, str(fault)])}") from None
    elif not ordered:
        raise Refused("; ".join([*problem.left_out, "it has no workload, and its inputs are drawn by its own function"]))
    tests = [one for one in ordered if table[one]["elements"] <= MOST_TEST_ELEMENTS][:4] or own[:1] or ordered[:1]
    if definition["op_type"] == "sampling" and own:
        tests = own[:1] + tests[:1]
    problem.workloads = {
        "test": [lines[one] for one in dict.fromkeys(tests)],
        "quick": [lines[one] for one in (ordered[:2] or own[:1])],
        "bench": [lines[one] for one in (ordered or own[-1:])],
    }
    listed = {line["name"] for stage in problem.workloads.values() for line in stage}
    table = {one: entry for one, entry in table.items() if one in listed}
    needed = {one["data"] for entry in table.values() for one in entry["inputs"].values() if "data" in one}
    sampling = definition["op_type"] == "sampling" and "probs" in definition["inputs"]
    # Files
    shown = {one: {k: v for k, v in entry.items() if k != "elements"} for one, entry in table.items()}
    support = SUPPORT.format(
        inputs=repr({n: places[n] for n in definition["inputs"]}),
        outputs=repr({n: places[n] for n in definition["outputs"]}),
        dtypes=repr(dtypes),
        sampling=sampling,
        custom=repr(definition.get("custom_inputs_entrypoint")),
        workloads=pprint.pformat(shown, width=116, sort_dicts=False),
    )
    problem.files = {
        "support/flashinfer_bench_problem.py": support.encode(),
        "support/flashinfer_bench_data.py": (
            '"""Written by `podium import flashinfer-bench`: inputs that safetensors files hold."""\n\nDATA = '
            + pprint.pformat({key: data[key] for key in sorted(needed)}, width=116)
            + "\n"
        ).encode(),
        "support/definition_reference.py": definition["reference"].encode(),
        "model.py": EAGER.encode(),
    }
    problem.modules = [one for one in sorted(problem.files) if one.startswith("support/")]
    problem.adapter_modules = ["support/compiling.py"]
    problem.files["support/compiling.py"] = pathlib.Path(__file__).with_name("compiling.py").read_bytes()
    problem.reference = DRAWING + (SAMPLING if sampling else COMPARING)
    problem.adapter = ADAPTER
    problem.baseline = {"host": "model", "cuda": "model", "hip": "model"}
    problem.origin = {"definition.json": path.read_bytes()}
    if file is not None:
        problem.origin["workloads.jsonl"] = file.read_bytes()
    solutions = add_solutions(problem, definition, path, whole)
    originals = {row["uuid"]: row for row in rows}
    known = {
        "definition": name,
        "op_type": definition["op_type"],
        "solutions": {"model": None, **solutions},
        "workloads": {
            one: {key: originals[entry["uuid"]][key] for key in ("uuid", "axes", "inputs")}
            for one, entry in table.items()
            if entry["uuid"] in originals
        },
    }
    problem.files["support/flashinfer_bench.json"] = (json.dumps(known, indent=1) + "\n").encode()
    problem.notes = {
        "definition": name,
        "workloads": {one: entry["uuid"] for one, entry in table.items()},
        "check": "statistical" if sampling else next(iter(table.values()))["tolerance"],
    }
    if own and set(own) & listed:
        problem.notes["invented"] = f"{', '.join(o for o in own if o in listed)}: sizes and structure are Podium's, by the definition's constraints and names"
    fixed = [one for one, entry in table.items() if all(i["type"] in ("safetensors", "scalar") for i in entry["inputs"].values())]
    if fixed:
        problem.notes["same_inputs"] = f"in every call of {len(fixed)} workloads, since files hold all of their inputs"
    checked = [t for t in dict.fromkeys(tests) if table[t]["elements"] <= MOST_ELEMENTS][:2]
    if checked:
        report = examine(problem, [Workload(one) for one in checked])
        if report.fault is not None:
            raise Refused(f"workload {checked[0]}: {report.text}" if len(checked) == 1 else report.text)
        report.enter(problem, ", ".join(checked))
    else:
        problem.notes["checked"] = "not run: too large for a CPU"
    return problem


def workload_of(definition, row, whole, places, axis_names, data, axes):
    """(the entry of the table, the line of problem.yaml) of a workload. Raises Refused."""
    values = all_axes(definition, row["axes"])
    shapes, elements, inputs = {}, 0, {}
    for group in ("inputs", "outputs"):
        for name, spec in definition[group].items():
            if places[name] is not None:
                shapes[places[name]] = [values[axis] for axis in spec["shape"] or []]
                elements += math.prod(shapes[places[name]])
    for name, spec in definition["inputs"].items():
        one = dict(row.get("inputs", {}).get(name) or {"type": "random"})
        kind = one.get("type")
        if kind == "custom" and definition.get("custom_inputs_entrypoint"):
            if places[name] is None:
                raise Refused(f"{name} is a number that the definition's own function draws")
        elif kind == "scalar":
            if places[name] is not None:
                raise Refused(f"{name} is a tensor, and the workload gives a number")
        elif kind == "random" and places[name] is None:
            raise Refused(f"{name} is a number that would be random, and contestants would not know it")
        elif kind == "safetensors":
            one = {"type": "safetensors", "data": stored(definition, name, one, whole, shapes.get(places[name]), data)}
        elif kind not in ("random", "offsets", "below", "uniform"):
            raise Refused(f"{name} has type {kind}, expected random, scalar or safetensors")
        inputs[name] = one
    line = {axis_names[a]: values[a] for a in axis_names if axis_names[a] in axes}
    for axis in axes:
        line.setdefault(axis, 1)
    entry = {
        "uuid": row["uuid"],
        "axes": values,
        "inputs": inputs,
        "shapes": shapes,
        "tolerance": tolerance(definition, row),
        "elements": elements,
    }
    return entry, line


def stored(definition, name, one, whole, shape, data):
    """Puts a tensor of a file into `data`, and returns its key there."""
    path = whole.stored(one["path"])
    if path is None:
        raise Refused(f"the file of its input {name} is not in the folder")
    tensors = safetensors(path)
    if one["tensor_key"] not in tensors:
        raise Refused(f"{path.name} has no tensor {one['tensor_key']}")
    dtype, found, raw = tensors[one["tensor_key"]]
    if dtype != definition["inputs"][name]["dtype"] or list(found) != list(shape):
        raise Refused(f"{path.name} has {name} as {dtype} of shape {list(found)}, expected {definition['inputs'][name]['dtype']} of shape {list(shape)}")
    if len(raw) > MOST_DATA:
        raise Refused(f"{path.name} has {len(raw) >> 20} MiB for {name}, and a folder holds at most {MOST_DATA >> 20}")
    packed = base64.b85encode(zlib.compress(raw, 9)).decode()
    key = f"{path.stem[:40]}-{one['tensor_key']}-{zlib.crc32(raw):08x}"
    data[key] = packed
    return key


def add_solutions(problem, definition, path, whole):
    """Puts solutions into the folder, and returns the names that they have there."""
    known = {}
    for file, solution in whole.solutions(definition, path):
        if isinstance(solution, str):
            problem.left_out.append(solution)
            continue
        try:
            name, text = contestant_of(solution, file.name, set(problem.files))
        except Refused as fault:
            problem.left_out.append(f"solution {solution.get('name', file.name)}: {fault}")
            continue
        problem.files[name] = text.encode()
        problem.origin[f"solutions/{file.name}"] = file.read_bytes()
        known[name.removesuffix(".py")] = solution["name"]
    return known


def contestant_of(solution, file, taken):
    """(file name, text) of a contestant. Raises Refused."""
    spec, sources = solution.get("spec") or {}, solution.get("sources") or []
    languages = spec.get("languages") or [spec.get("language")]
    entry = spec.get("entry_point", "")
    paths = [one["path"] for one in sources]
    if entry.count("::") != 1 or entry.split("::")[0] not in paths:
        raise Refused(f"its entry point {entry or 'is missing'} is none of its sources")
    for path in paths:
        if path.startswith("/") or ".." in path.split("/"):
            raise Refused(f"its source {path} lies outside its folder")
    unknown = [one for one in languages if one not in PYTHON | COMPILED]
    if unknown:
        raise Refused(f"its language {unknown[0]} is unknown")
    hardware = [one.lower() for one in spec.get("target_hardware") or []]
    kept = {"language": languages[0], "entry_point": entry}
    if not entry.split("::")[0].endswith(".py") and spec.get("binding") != "torch":
        kept |= {"binding": "tvm-ffi", "cuda": any("cpu" not in one and "local" not in one for one in hardware)}
    kept["destination_passing_style"] = spec.get("destination_passing_style", True)
    if options := spec.get("compile_options"):
        kept["compile_options"] = options
    kept["sources"] = {one["path"]: one["content"] for one in sources}
    metadata = {"title": f"{solution['name']} ({languages[0]})", "author": solution.get("author") or "unknown"}
    metadata["framework"] = "torch"
    if any(one not in ("python", "pytorch", "cpp") for one in languages) or not any("cpu" in h or "local" in h for h in hardware):
        metadata["backends"] = ["cuda"]
    name = identifier(solution["name"], otherwise="solution")
    while f"{name}.py" in taken or name in ("reference", "adapter", "model"):
        name += "_2"
    text = CONTESTANT.format(
        metadata="{ " + ", ".join(f"{k}: {flow(v) if isinstance(v, list) else scalar(v)}" for k, v in metadata.items()) + " }",
        origin=f"solutions/{file}",
        solution=pprint.pformat(kept, width=116, sort_dicts=False),
    )
    return f"{name}.py", text


def tasks(source, options):
    """Each definition's name, and a function that makes its problem."""
    import torch  # noqa: F401  once, before the children of all tasks

    whole, seen = Set(pathlib.Path(source)), {}

    def make(path, first):
        if first != path:
            raise Refused(f"{first} has a definition of this name, too")
        return convert(path, whole, options)

    for path in whole.definitions:
        try:
            name = str(read_json(path).get("name"))
        except (Refused, AttributeError):
            name = path.stem
        first = seen.setdefault(name, path)
        yield f"{name}_{len(seen)}" if first != path else name, lambda path=path, first=first: make(path, first)
