# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""`podium import kernelbench`: a file with Model, get_inputs and get_init_inputs becomes a problem's folder."""

import ast
import glob
import itertools
import json
import logging
import math
import os
import pathlib
import re
import symtable

from podium_import.check import examine, sentence
from podium_import.common import Problem, Refused, Tensor, identifier, scalar, workload_name

# What KernelBench allows as absolute and relative error, by the precision that it runs in.
TOLERANCES = {"f32": 1e-4, "f16": 1e-2, "bf16": 1e-2}

def _capped(cap):
    def shrink(value):
        while value > cap:
            value //= 2
        return value

    return shrink


def _divided(divisor):
    return lambda value: max(value // divisor, 4) if value >= 16 else value


# How module constants become smaller. The first with which the task still runs is taken: halved until below a cap, or
# all divided alike, for tasks whose sizes depend on each other.
SHRINKS = [_capped(cap) for cap in (64, 48, 32, 24, 16, 128, 256, 8)] + [_divided(2**k) for k in range(1, 12)]
MOST_ELEMENTS = (1 << 20, 1 << 23)  # of all tensors of a reduced workload: first the one, else the other
MOST_BYTES = 3 << 30  # of a task whose shapes only a real call on the CPU tells
MOST_CHECKED = 1 << 26  # of a workload that the import runs on the CPU
ROBUST = "func_forward.py"  # of robust-kbench, with a configuration beside it

DTYPES = {
    "float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "int64": "i64", "int32": "i32",
    "int16": "i16", "int8": "i8", "uint8": "u8", "bool": "bool", "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2",
}  # fmt: skip

SUPPORT = '''\
"""Written by `podium import kernelbench`: the task with the sizes of a workload, for reference.py and adapter.py."""

import ast
import contextlib
import importlib.util
import random

import torch

SIZES = {sizes}  # by workload: module constants of the task that differ from the file's own
SETTINGS = {settings}  # by workload, where a configuration has them: arguments of Model and of get_inputs
INPUTS = {inputs}  # names in the order of get_inputs(); None is a value that is no tensor
OUTPUTS = {outputs}  # names in the order in which forward returns them
PRECISION = {precision}  # of parameters and floating-point inputs; None: as the file has them
TRAIN = {train}
SEED = 42  # of the weights, which the reference and all contestants share

_tasks = {{}}


def task(workload):
    """The task's names. Constants are set where the file assigns them, so all that depends on them follows."""
    if workload.name not in _tasks:
        spec = importlib.util.find_spec("kernelbench_task")
        source = spec.loader.get_source("kernelbench_task")
        sizes, names = SIZES[workload.name], {{"__name__": "kernelbench_task"}}
        for node in ast.parse(source).body:
            exec(compile(ast.Module([node], []), spec.origin or "kernelbench_task.py", "exec"), names)
            if isinstance(node, ast.Assign):
                names.update({{name: sizes[name] for name in _targets(node) if name in sizes}})
        _tasks[workload.name] = names
    return _tasks[workload.name]


def _targets(node):
    return [name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]


def seeded(seed):
    """Seeds every generator that a task may draw from."""
    torch.manual_seed(seed)
    random.seed(seed)
    try:
        import numpy
    except ImportError:
        return
    numpy.random.seed(seed % 2**32)


def cast(value, device, precision=PRECISION):
    if not isinstance(value, torch.Tensor):
        return value
    if precision is not None and value.is_floating_point():
        value = value.to(getattr(torch, precision))
    return value.to(device)


def build(workload, module_class, device, precision=PRECISION):
    """An instance whose weights are those of every other class that draws them in the same order."""
    names, settings = task(workload), SETTINGS.get(workload.name)
    with torch.no_grad():
        seeded(SEED)
        given = () if settings else [cast(value, device, precision) for value in names["get_init_inputs"]()]
        seeded(SEED)
        model = module_class(*given, **(settings["init"] if settings else {{}}))
        model = model.to(device)
        if precision is not None:
            model = model.to(getattr(torch, precision))
    return model.train(TRAIN)


def values(workload, seed, device):
    """get_inputs() from a seed, drawn on the device where PyTorch can."""
    names, settings = task(workload), SETTINGS.get(workload.name, {{"inputs": {{}}}})
    seeded(seed)
    with torch.device(device) if hasattr(torch, "set_default_device") else contextlib.nullcontext():
        return [cast(value, device) for value in names["get_inputs"](**settings["inputs"])]


def others(workload):
    """Values of get_inputs() that are no tensors: the same with every seed."""
    if None not in INPUTS:
        return []
    return [value for value in values(workload, SEED, "cpu") if not isinstance(value, torch.Tensor)]


def arguments(tensors, numbers):
    """The arguments of forward: tensors by name, other values in their places."""
    rest = iter(numbers)
    return [next(rest) if name is None else tensors[name] for name in INPUTS]


def flat(answer):
    """The tensors that forward returned, in order."""
    if isinstance(answer, torch.Tensor):
        return [answer]
    if isinstance(answer, dict):
        answer = list(answer.values())
    if isinstance(answer, (tuple, list)):
        return [tensor for part in answer for tensor in flat(part)]
    return [torch.as_tensor(answer)]
'''

REFERENCE = '''\
"""Written by `podium import kernelbench`. The reference is the task's own Model; its check is KernelBench's."""

import copy

import torch
from kernelbench_problem import INPUTS, OUTPUTS, arguments, build, flat, others, task, values

TOLERANCE = {tolerance}  # absolute and relative, as KernelBench has it for this precision

_kept = (None, None)


def _model(workload):
    global _kept
    if _kept[0] != workload.name:
        _kept = (None, None)  # frees the weights of another workload first
        _kept = (workload.name, build(workload, task(workload)["Model"], workload.device))
    return _kept[1]


def inputs(workload, seed):
    drawn = values(workload, seed, workload.device)
    return {{name: value.contiguous() for name, value in zip(INPUTS, drawn) if name is not None}}


def outputs(workload, inputs):
    with torch.no_grad():
        answer = flat(_model(workload)(*arguments(inputs, others(workload))))
    return dict(zip(OUTPUTS, answer))


def check(workload, inputs, outputs):
    for name, expected in globals()["outputs"](workload, inputs).items():
        fault = _fault(name, expected, outputs[name])
        if fault is not None:
            return fault
    return None


def _fault(name, expected, found):
    if tuple(expected.shape) != tuple(found.shape):
        return f"{{name}} has shape {{tuple(found.shape)}}, expected {{tuple(expected.shape)}}"
    if not expected.is_floating_point():
        wrong = found != expected
    else:
        wrong = ~torch.isclose(expected, found, rtol=TOLERANCE, atol=TOLERANCE)
    count = int(wrong.sum())
    if not count:
        return None
    where = [int(i) for i in wrong.nonzero()[0]]
    place = f"{{name}}{{where}}" if where else name
    return (
        f"{{place}} is {{found[tuple(where)].item():.6g}}, expected {{expected[tuple(where)].item():.6g}} within "
        f"{{TOLERANCE:g}} absolute and relative; {{count}} of {{wrong.numel()}} elements wrong"
    )


def exact(workload, inputs):
    model = copy.deepcopy(_model(workload)).double()
    wide = {{name: x.double() if x.is_floating_point() else x for name, x in inputs.items()}}
    with torch.no_grad():
        answer = flat(model(*arguments(wide, others(workload))))
    return {{name: value.double() for name, value in zip(OUTPUTS, answer)}}
'''

ADAPTER = '''\
"""Written by `podium import kernelbench`. A contestant defines ModelNew, or Model, as KernelBench expects it."""

import inspect

import compiling  # noqa: F401  for torch.utils.cpp_extension
import torch
from kernelbench_problem import OUTPUTS, arguments, build, flat, others


def contestant(module, workload):
    chosen = getattr(module, "ModelNew", None) or getattr(module, "Model", None)
    if not isinstance(chosen, type):
        raise AttributeError("defines neither ModelNew nor Model, expected one of these classes")
    # A worker's workload has a stream where it runs on a GPU.
    model = build(workload, chosen, "cuda" if hasattr(workload, "stream") else "cpu")
    numbers = others(workload)
    functions = _functions(module, chosen)

    def run(**tensors):
        with torch.no_grad():
            answer = flat(model(*arguments(tensors, numbers), **functions))
        if len(answer) != len(OUTPUTS):
            raise ValueError(f"forward returned {{len(answer)}} tensors, expected {{len(OUTPUTS)}}")
        for name, value in zip(OUTPUTS, answer):
            output = tensors[name]
            if value.shape != output.shape or value.dtype != output.dtype:
                raise ValueError(
                    f"{{name}} is {{value.dtype}} of shape {{tuple(value.shape)}}, "
                    f"expected {{output.dtype}} of shape {{tuple(output.shape)}}"
                )
            output.copy_(value)

    return run


def _functions(module, chosen):
    """The kernel, where forward takes it as an argument: `def forward(self, x, fn=module_fn)`."""
    taken = inspect.signature(chosen.forward).parameters
    kernel = getattr(module, "forward_fn", None)
    return {{name: kernel for name in ("fn", "forward_fn") if name in taken and callable(kernel)}}
'''

EAGER = '''\
# podium: { title: "PyTorch eager", framework: torch }
from kernelbench_task import Model  # noqa: F401  adapter.py makes an instance
'''

COMPILED = '''\
# podium: { title: "torch.compile", framework: torch }
from kernelbench_task import Model
from torch import nn

if hasattr(nn.Module, "compile"):
    import torch._inductor.config

    torch._inductor.config.cpp_cache_precompile_headers = False  # larger than a file that a worker may write


class ModelNew(Model):
    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **settings)
        if not hasattr(self, "compile"):
            raise NotImplementedError("this PyTorch compiles no modules; 2.2 and later do")
        self.compile()
'''

EXTENSION = '''\
# podium: {{ title: {title}, framework: torch, backends: [cuda] }}

# A kernel in CUDA C++ that exports `{name}`, compiled when the constructor runs.
import os
import tempfile

from kernelbench_task import Model  # noqa: F401
from torch.utils.cpp_extension import load

SOURCE = r{quotes}
{source}
{quotes}
_folder = os.path.join(tempfile.gettempdir(), "podium-kernel")  # the same in each process's scratch: it can be kept
os.makedirs(_folder, exist_ok=True)
_path = os.path.join(_folder, "kernel.cu")
with open(_path, "w", encoding="utf-8") as _file:
    _file.write(SOURCE)
{name}_fn = load("kernel", [_path], build_directory=_folder).{name}
'''


class Workload:
    """What reference.py sees of a workload, here where no judge runs."""

    def __init__(self, name, device="cpu"):
        self.name, self.device = name, device


def sources_of(path):
    """The task files of a file or a level's folder, in the order of their numbers."""
    if os.path.isfile(path):
        return [path]
    if not os.path.isdir(path):
        raise Refused(f"{path}: no such file or folder")
    if os.path.isfile(os.path.join(path, ROBUST)):
        return [os.path.join(path, ROBUST)]
    if below := sorted(glob.glob(os.path.join(glob.escape(path), "*", ROBUST))):
        return below
    found = [os.path.join(path, name) for name in os.listdir(path) if name.endswith(".py")]
    number = lambda p: int((re.match(r"\d+", os.path.basename(p)) or ["0"])[0])  # noqa: E731
    return sorted(found, key=lambda p: (number(p), p))


def name_of(path, prefix="kb"):
    """A problem's name: kb1_23_softmax of level1/23_Softmax.py."""
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    if os.path.basename(path) == ROBUST:
        return re.sub(r"[^A-Za-z0-9]+", "_", f"rkb_{folder}")[:64]
    level = re.search(r"level(\d+)", folder)
    stem = re.sub(r"[^A-Za-z0-9]+", "_", os.path.splitext(os.path.basename(path))[0]).strip("_").lower()
    return f"{prefix}{level[1] if level else ''}_{stem}"[:64].rstrip("_")


class Source:
    """A task's file, parsed: its text, its constants, and which of them may be changed."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.bytes = file.read()
        try:
            self.tree = ast.parse(self.bytes, path)
        except SyntaxError as error:
            raise Refused(f"line {error.lineno} is no Python: {error.msg}") from error
        defined = {node.name: node for node in self.tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        self.settings = settings_beside(path)
        expected = ("Model", "get_inputs") if self.settings else ("Model", "get_inputs", "get_init_inputs")
        for wanted in expected:
            if wanted not in defined:
                raise Refused(f"does not define {wanted}, expected {', '.join(expected)}")
        self.forward = next(
            (node for node in ast.walk(defined["Model"]) if isinstance(node, ast.FunctionDef) and node.name == "forward"),
            None,
        )
        if self.forward is None:
            raise Refused(f"Model does not define forward")
        self.title = title_of(defined["Model"], path)
        self.fixed = globals_read(self.bytes.decode(), path)

    def assigned(self):
        """Names that the module assigns at its top level, in order."""
        return [
            name.id
            for node in self.tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        ]


def settings_beside(path):
    """Of a task of robust-kbench: name to arguments of Model and of get_inputs. Single settings come first."""
    if os.path.basename(path) != ROBUST:
        return None
    return settings_in(os.path.join(os.path.dirname(path), "config_forward.json"))


def settings_in(config):
    try:
        with open(config, encoding="utf-8") as file:
            read = json.load(file)
    except (OSError, ValueError) as fault:
        raise Refused(f"{os.path.basename(config)} cannot be read: {fault}") from None
    found = {}
    for kind in ("single", "multi"):
        lists = [read.get(f"{kind}_{what}_configs") or [{}] for what in ("init", "input", "shared")]
        for init in lists[0]:
            for inputs in lists[1]:
                for shared in lists[2]:
                    row = {"init": {**init, **shared}, "inputs": {**inputs, **shared}}
                    if row not in found.values() and (any(row.values()) or kind == "single"):
                        found[f"{kind}{sum(name.startswith(kind) for name in found) + 1}"] = row
    return found


def globals_read(text, path):
    """Module constants that classes and functions read when they run, get_inputs and get_init_inputs apart."""
    found = set()

    def visit(table):
        found.update(s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced())
        for inner in table.get_children():
            visit(inner)

    for table in symtable.symtable(text, path, "exec").get_children():
        if table.get_name() not in ("get_inputs", "get_init_inputs"):
            visit(table)
    return found


def title_of(model, path):
    text = (ast.get_docstring(model) or "").strip().split("\n\n")[0]
    first = " ".join(text.split()).split(". ")[0].rstrip(".")
    stem = re.sub(r"^\d+[\s_]*", "", os.path.splitext(os.path.basename(path))[0])
    return (first if 0 < len(first) <= 120 else re.sub(r"_+", " ", stem).strip()) or "A task of KernelBench"


class Drawn:
    """The shapes and dtypes of a task with some sizes."""

    def __init__(self, inputs, outputs):
        self.inputs, self.outputs = inputs, outputs  # lists of (shape, dtype), or a value that is no tensor

    def elements(self):
        return sum(math.prod(one[0]) for one in self.inputs + self.outputs if isinstance(one, tuple))


def convert(path, options):
    """The problem of the file at `path`. Raises Refused."""
    source = Source(path)
    settings = next(iter(source.settings.values())) if source.settings else None
    own = shapes(source, {}, options, settings)
    if not own.outputs:
        raise Refused(f"forward returns no tensor")
    modes = {"train": [True], "eval": [False], "auto": [True, False]}[options.mode]
    fault = None
    for train in modes:
        workloads = {"own": ({}, own)}
        if source.settings:
            workloads = {name: ({}, shapes(source, {}, options, row)) for name, row in source.settings.items()}
        searched = options.sizes != "own" and not source.settings
        reduced = reduce(source, own, train, options) if searched else None
        if isinstance(reduced, str):
            fault = fault or reduced
            continue
        if reduced is not None:
            workloads["reduced"] = reduced
        elif options.sizes == "reduced":
            raise Refused(f"does not run with smaller sizes, which --sizes reduced asks for")
        problem = write(source, workloads, train, fault, options)
        smallest = min(workloads, key=lambda name: workloads[name][1].elements())
        checked = smallest if workloads[smallest][1].elements() <= MOST_CHECKED else None
        if checked is not None:
            report = examine(problem, [Workload(checked)])
            if report.fault in ("random", "stateful"):
                fault = fault or report.text
                continue
            if report.fault is not None:
                raise Refused(f"{report.text}")
            report.enter(problem, f"workload {checked}")
        else:
            problem.notes["checked"] = "not run: too large for a CPU, and no smaller sizes were found"
        return problem
    raise Refused(fault)


def support_of(source, workloads, train, options, inputs, outputs):
    precision = {"f32": None, "f16": "float16", "bf16": "bfloat16"}[options.precision]
    return SUPPORT.format(
        sizes={name: sizes for name, (sizes, _) in workloads.items()},
        settings=repr(source.settings or {}), inputs=inputs, outputs=outputs, precision=repr(precision), train=train,
    )  # fmt: skip


def execute(source, sizes):
    """The task's names with some of its constants changed."""
    scope = {"__name__": "kernelbench_task"}
    for node in source.tree.body:
        exec(compile(ast.Module([node], []), source.path, "exec"), scope)
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name) and name.id in sizes:
                        scope[name.id] = sizes[name.id]
    return scope


def described(value):
    import torch

    if isinstance(value, torch.Tensor):
        return (tuple(value.shape), str(value.dtype).removeprefix("torch."))
    return value


def flat(answer):
    import torch

    if isinstance(answer, torch.Tensor):
        return [answer]
    if isinstance(answer, dict):
        return [tensor for part in answer.values() for tensor in flat(part)]
    if isinstance(answer, (tuple, list)):
        return [tensor for part in answer for tensor in flat(part)]
    return [torch.as_tensor(answer)] if isinstance(answer, (int, float, bool)) else []


def call(source, sizes, settings):
    import torch

    scope = execute(source, sizes)
    torch.manual_seed(42)
    with torch.no_grad():
        model = scope["Model"](**settings["init"]) if settings else scope["Model"](*scope["get_init_inputs"]())
        inputs = scope["get_inputs"](**(settings["inputs"] if settings else {}))
        return Drawn([described(x) for x in inputs], [described(x) for x in flat(model(*inputs))])


def shapes(source, sizes, options, settings=None):
    """Runs the task without memory for its tensors; for real where it asks for numbers."""
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    logging.getLogger("torch._subclasses.fake_tensor").setLevel(logging.CRITICAL)  # a task that fails is no news
    try:
        with FakeTensorMode():
            return call(source, sizes, settings)
    except Exception as error:  # noqa: BLE001  whatever a task raises
        first = error
    try:
        with FakeTensorMode():
            inputs = execute(source, sizes)["get_inputs"](**(settings["inputs"] if settings else {}))
        elements = sum(x.numel() * x.element_size() for x in inputs if isinstance(x, torch.Tensor))
        if elements <= MOST_BYTES // 8:
            return call(source, sizes, settings)
    except Exception:  # noqa: BLE001
        pass  # the first says more
    raise Refused(f"{sentence(first)}")


def reducible(source, scope):
    """Whole numbers, and tuples of them, that the file states and no class reads. What is calculated from them follows."""
    calculated = {
        name.id
        for node in source.tree.body
        if isinstance(node, ast.Assign) and any(isinstance(part, ast.Name) for part in ast.walk(node.value))
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }

    def whole(value):
        return type(value) is int or (isinstance(value, tuple) and value and all(type(one) is int for one in value))

    return {
        name: scope[name]
        for name in source.assigned()
        if whole(scope.get(name)) and name not in source.fixed | calculated
    }


def _each(value, shrink):
    return tuple(shrink(one) for one in value) if isinstance(value, tuple) else shrink(value)


def reduce(source, own, train, options):
    """(sizes, Drawn) of a smaller workload, None if there is none, or a sentence if the answer is not determined."""
    constants, blind = reducible(source, execute(source, {})), None
    for most, shrink in itertools.product(MOST_ELEMENTS, SHRINKS):
        sizes = {name: _each(value, shrink) for name, value in constants.items()}
        sizes = {name: value for name, value in sizes.items() if value != constants[name]}
        if not sizes:
            continue
        try:
            drawn = shapes(source, sizes, options)
        except Refused:
            continue
        same = len(drawn.inputs) == len(own.inputs) and len(drawn.outputs) == len(own.outputs)
        ranks = lambda d: [len(x[0]) if isinstance(x, tuple) else None for x in d.inputs + d.outputs]  # noqa: E731
        if not same or ranks(drawn) != ranks(own) or drawn.elements() > most or not drawn.elements():
            continue
        problem = write(source, {"own": ({}, own), "reduced": (sizes, drawn)}, train, None, options)
        report = examine(problem, [Workload("reduced")])
        if report.fault in ("random", "stateful"):
            return report.text
        if report.fault is None and not report.blind:
            return sizes, drawn
        if report.fault is None and blind is None:
            blind = sizes, drawn  # taken if no other sizes show whether the inputs were read
    return blind


def tensor_names(source, drawn):
    """Names of inputs (None for what is no tensor), of outputs, and all of them."""
    parameters = [a.arg for a in source.forward.args.args[1:]]
    taken, inputs, outputs = set(), [], []
    for i, one in enumerate(drawn.inputs):
        wanted = parameters[i] if i < len(parameters) else f"input{i}"
        inputs.append(identifier(wanted, taken) if isinstance(one, tuple) else None)
        taken.add(inputs[-1])
    for i in range(len(drawn.outputs)):
        outputs.append(identifier(f"output{i}" if len(drawn.outputs) > 1 else "output", taken))
        taken.add(outputs[-1])
    return inputs, outputs, taken


def axes_of(source, workloads, taken):
    """Names for the ways in which dimensions differ among workloads, after the task's own constants."""
    scopes = [execute(source, sizes) for sizes, _ in workloads.values()]
    known, axes = {}, {}
    for constant in source.assigned():
        values = tuple(scope.get(constant) for scope in scopes)
        if all(type(value) is int for value in values):
            known.setdefault(values, constant)

    def axis(values, otherwise):
        if values not in axes:
            axes[values] = identifier(known.get(values, otherwise), taken)
            taken.add(axes[values])
        return axes[values]

    return axis, axes


def write(source, workloads, train, fault, options):
    """The problem with these workloads: name to (sizes, Drawn)."""
    listed = list(workloads)
    own = workloads[listed[0]][1]
    inputs, outputs, taken = tensor_names(source, own)
    axis, axes = axes_of(source, workloads, taken)
    tensors = {}
    for group, role, titles in (("inputs", "input", inputs), ("outputs", "output", outputs)):
        for i, name in enumerate(titles):
            if name is None:
                continue
            shape, dtype = getattr(own, group)[i]
            if dtype not in DTYPES:
                raise Refused(f"{name} is {dtype}, which is none of Podium's formats")
            form = options.precision if dtype in ("float32", "float16", "bfloat16") else DTYPES[dtype]
            places = [tuple(getattr(one, group)[i][0][d] for _, one in workloads.values()) for d in range(len(shape))]
            tensors[name] = Tensor(role, form, [axis(values, f"{name}_{d}") for d, values in enumerate(places)])
    if not any(one.role == "input" for one in tensors.values()):
        raise Refused("get_inputs returns no tensor")
    if not axes:
        axis(tuple(1 for _ in workloads), "calls")

    def stage(*names):
        return [
            {"name": name, **{axis: values[listed.index(name)] for values, axis in axes.items()}} for name in names
        ]

    small = "reduced" if "reduced" in workloads else listed[0]
    largest = [name for name in listed if name != "reduced"] if options.sizes != "reduced" else ["reduced"]
    modules = ["origin/kernelbench_task.py", "support/kernelbench_problem.py"]
    problem = Problem(
        name=options.name or name_of(source.path),
        title=source.title[:120],
        description=f"{os.path.basename(source.path)} of KernelBench.",
        source=source.path,
        kind="kernelbench",
        licence=licence_of(source.path),
        axes=list(axes.values()),
        tensors=tensors,
        workloads={
            "test": stage(small),
            "quick": stage(small),
            "bench": stage(*largest),
        },
        modules=modules,
        adapter_modules=["support/compiling.py"],
        reference=REFERENCE.format(tolerance=TOLERANCES[options.precision]),
        adapter=ADAPTER.format(),
        baseline={"host": "model", "cuda": "model", "hip": "model"},
    )
    support = support_of(source, workloads, train, options, inputs, outputs)
    problem.files = {
        "support/kernelbench_problem.py": support.encode(),
        "support/compiling.py": pathlib.Path(__file__).with_name("compiling.py").read_bytes(),
        "model.py": EAGER.encode(),
        "model_compiled.py": COMPILED.encode(),
    }
    problem.origin = {"kernelbench_task.py": source.bytes}
    add_solutions(problem, options, backward=False)
    if source.settings:
        sizes = f"the settings of config_forward.json: {len(source.settings)}"
        problem.origin["config_forward.json"] = config_of(source.path)
    elif "reduced" in workloads:
        sizes = ", ".join(f"{name} = {value}" for name, value in workloads["reduced"][0].items())
        sizes = f"reduced is Podium's, with constants of the file changed: {sizes}"
    elif options.sizes != "own":
        sizes = "no smaller sizes were found with which the file runs, so tests have the file's own"
    else:
        sizes = "the file's own"
    problem.notes = {
        "file": os.path.basename(source.path),
        "mode": "train" if train else "eval",
        "tolerance": f"{TOLERANCES[options.precision]:g} absolute and relative, as KernelBench has it for {options.precision}",
        "sizes": sizes,
    }
    if not train and fault:
        problem.notes["why_eval"] = fault
    if None in inputs:
        problem.notes["constants"] = "values of get_inputs that are no tensors are the same in every call"
    return problem


def config_of(path):
    with open(os.path.join(os.path.dirname(path), "config_forward.json"), "rb") as file:
        return file.read()


def licence_of(path):
    """The licence beside the source, by its first line. Looks in the three folders above."""
    folder = os.path.dirname(os.path.abspath(path))
    for _ in range(4):
        for name in ("LICENSE", "LICENCE", "LICENSE.txt", "LICENSE.md"):
            try:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    return next((line.strip() for line in file if line.strip()), "")
            except OSError:
                continue
        folder = os.path.dirname(folder)
    return ""


def add_solutions(problem, options, backward):
    """Those for the forward or for the backward task of a folder."""
    for solution in options.solution or []:
        path, text = contestant_of(solution)
        if exports_backward(text) == backward:
            problem.files[path] = text.encode()


def exports_backward(text):
    return re.search(r"""m\.def\(\s*"backward"|^(?:def )?backward(?:_fn)?\b *(?:=|\()""", text, re.MULTILINE) is not None


def contestant_of(path):
    """A published kernel as a contestant: Python as it is, CUDA C++ within a file that compiles it."""
    stem, ending = os.path.splitext(os.path.basename(path))
    stem = re.sub(r"[^A-Za-z0-9_]+", "_", stem)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as fault:
        raise Refused(f"{fault.strerror}") from None
    if ending == ".py":
        return f"{stem}.py", text
    if ending != ".cu":
        raise Refused(f"expected a .py or .cu file")
    if '"""' in text:
        raise Refused(f'{path} contains """, so no Python file can quote it')
    name = "backward" if exports_backward(text) else "forward"
    return f"{stem}.py", EXTENSION.format(title=scalar(stem), source=text, quotes='"""', name=name)


def arguments(parser):
    """Options beside those of every importer."""
    parser.add_argument("--mode", choices=["auto", "train", "eval"], default="auto")
    parser.add_argument("--precision", choices=["f32", "f16", "bf16"], default="f32")
    parser.add_argument("--sizes", choices=["both", "own", "reduced"], default="both")
    parser.add_argument("--solution", action="append")


def tasks(source, options):
    """Each task's name, and a function that makes its problem."""
    import torch._subclasses.fake_tensor  # noqa: F401  once, before the children of all tasks

    from podium_import import robust_backward  # which imports this module

    for path in sources_of(str(source)):
        yield name_of(path), lambda path=path: convert(path, options)
        back = os.path.join(os.path.dirname(path), robust_backward.FILE)
        if os.path.basename(path) == ROBUST and os.path.isdir(source) and os.path.isfile(back):
            yield f"{name_of(path)}_backward", lambda back=back: robust_backward.convert(back, options)
