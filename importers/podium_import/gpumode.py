# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Tasks of GPU MODE's leaderboards: a folder with task.yml, reference.py, task.py and submissions.

generate_input and ref_kernel are run for each workload: with tensors that have no memory where PyTorch can do that
(FakeTensorMode), else for real on the CPU. What differs between workloads becomes an axis.
"""

import ast
import dataclasses
import importlib
import inspect
import math
import os
import pathlib
import re
import signal
import sys
import types

import torch

from podium_import import common, gpumode_functions, gpumode_problem, podium_task, trial
from podium_import.common import Refused

SMALL = 128 << 20  # bytes of input up to which every workload is also run for real, where that is needed
LARGE = 1 << 30  # the same of the smallest workload
MOST_REDUCED = 3
PATIENCE = 120  # seconds for one run of the task's code


def tasks(source, options):
    found = [source] if (source / "task.yml").is_file() else sorted(p.parent for p in source.rglob("task.yml"))
    if not found:
        raise Refused(f"{source} has no task.yml, and no folder below it has one")
    if options.name and len(found) > 1:
        raise Refused(f"--name names one task, and {source} has {len(found)}")
    for folder in found:
        below = folder.relative_to(source).parts or (folder.name,)
        name = options.name or common.problem_name("_".join(below).removesuffix("_py"))
        yield name, lambda folder=folder, name=name: make(folder, name)


def make(folder, name):
    return _Import(folder, name).problem()


# One workload
# ------------


@dataclasses.dataclass
class Leaf:
    path: str
    dtype: torch.dtype
    shape: tuple
    order: tuple | None  # see podium_task.order_of
    gaps: bool  # its memory is not dense
    unset: bool = False  # memory that generate_input never wrote: a place for an answer
    changed: bool = False  # by the reference

    @property
    def itemsize(self):
        return torch.empty(0, dtype=self.dtype).element_size()

    def numel(self):
        return math.prod(self.shape)


@dataclasses.dataclass
class Seen:
    """One run of generate_input and, where it could be run, of ref_kernel."""

    leaves: dict  # path -> Leaf
    atoms: dict  # path -> description of what is no tensor
    output: object = None  # as in the plan: {"tensor": (dtype, shape)}, {"leaf": path}, {"tuple": […]}, …
    why_no_output: str = ""
    random: bool = True  # something was drawn

    def bytes(self):
        return sum(leaf.numel() * leaf.itemsize for leaf in self.leaves.values())


def _storage(tensor):
    return tensor.untyped_storage()._cdata if hasattr(tensor, "untyped_storage") else tensor.storage()._cdata


class _Watching(podium_task.TorchFunctionMode):
    """Remembers memory that comes from torch.empty and its like, and whether anything was drawn at random."""

    EMPTY = frozenset(
        getattr(torch, n) for n in ("empty", "empty_like", "empty_strided", "empty_permuted") if hasattr(torch, n)
    ) | frozenset(getattr(torch.Tensor, n) for n in ("new_empty", "new_empty_strided") if hasattr(torch.Tensor, n))

    RANDOM = frozenset(
        getattr(torch, n)
        for n in ("bernoulli", "multinomial", "normal", "poisson", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "randperm")
    ) | frozenset(
        getattr(torch.Tensor, n)
        for n in ("bernoulli", "bernoulli_", "cauchy_", "exponential_", "geometric_", "log_normal_", "multinomial", "normal_", "random_", "uniform_")
    )  # fmt: skip

    def __init__(self, fake):
        super().__init__()
        self.fake, self.empty, self.random = fake, {}, False

    def __torch_function__(self, function, types_, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if self.fake:
            kwargs.pop("generator", None)
        self.random = self.random or function in self.RANDOM
        result = function(*args, **kwargs)
        if function in self.EMPTY:
            self.empty[_storage(result)] = result
        return result


def _sentence(fault):
    words = " ".join(str(fault).split())[:200]
    return words if isinstance(fault, podium_task.Misfit) else f"{type(fault).__name__}: {words}"


class _TooLong(Exception):
    pass


class _Limited:
    """At most PATIENCE seconds, as far as Python can interrupt what runs."""

    def __enter__(self):
        def stop(*_):
            raise _TooLong(f"took longer than {PATIENCE} s")

        self.before = signal.signal(signal.SIGALRM, stop)
        signal.alarm(PATIENCE)

    def __exit__(self, *_):
        signal.alarm(0)
        signal.signal(signal.SIGALRM, self.before)


def _outcome(trial):
    """"right", or what the trial returned or raised."""
    try:
        with _Limited():
            return trial() or "right"
    except Exception as fault:
        return _sentence(fault)


def _atom(value):
    """What must be the same with every seed."""
    if isinstance(value, (int, float, complex, str, bytes, type(None), torch.dtype, torch.device, torch.Size)):
        return repr(value)
    if type(value).__module__ == "numpy":
        return f"{type(value).__name__} {getattr(value, 'tolist', lambda: '')()!r}"
    return type(value).__qualname__


class _Import:
    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.task = common.load_yaml(folder / "task.yml")
        if not isinstance(self.task, dict):
            raise Refused("task.yml is no map")
        self.left_out, self.seen, self.origin = [], {}, {}
        self.reduced = []  # names of workloads that the task does not have
        self.functions = ""  # text of the module where the task has functions of its own

    # Files

    def read_files(self):
        """Loads what `files` names, and returns name -> path."""
        named = {}
        for item in self.task.get("files") or ():
            source = str(item.get("source", ""))
            if source.startswith("@"):
                continue
            path = (self.folder / source).resolve()
            if not path.is_file():
                raise Refused(f"task.yml names {source}, which does not exist")
            named[str(item["name"])] = path
        if "reference.py" not in named:
            raise Refused("task.yml names no reference.py")
        self.origin["task.yml"] = (self.folder / "task.yml").read_bytes()
        for name, path in named.items():
            self.origin[name] = path.read_bytes()
        return named

    def load(self, named):
        """Executes reference.py as the task's own evaluation does: beside task.py, utils.py and the others."""
        holder = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"podium_import_{os.getpid()}"
        holder.mkdir()
        for name in named:
            target = holder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.origin[name])
        sys.path.insert(0, str(holder))
        for name in named:
            sys.modules.pop(pathlib.Path(name).stem, None)
        try:
            with _Limited():
                module = importlib.import_module("reference")
        except ImportError as fault:
            if fault.name and fault.name not in {pathlib.Path(n).stem for n in named}:
                raise Refused(f"its reference.py needs the package {fault.name.split('.')[0]}") from None
            raise
        if all(hasattr(module, n) for n in ("generate_input", "ref_kernel", "check_implementation")):
            return module
        submission = self.folder / "submission.py"
        known = {key for stage in ("tests", "benchmarks") for spec in self.task.get(stage) or () for key in spec}
        self.functions = gpumode_functions.module_for(
            self.origin["reference.py"],
            self.origin.get("eval.py"),
            submission.read_bytes() if submission.is_file() else None,
            known,
        )
        sys.modules["task_reference"] = module
        module = types.ModuleType("task_functions")
        exec(compile(self.functions, "task_functions.py", "exec"), module.__dict__)
        sys.modules["task_functions"] = module
        return module

    # Running the task

    def run(self, module, arguments, seed, fake, with_reference=True):
        watching = _Watching(fake)
        modes = [watching]
        if fake:
            from torch._subclasses.fake_tensor import FakeTensorMode

            modes.insert(0, FakeTensorMode(allow_non_fake_inputs=True))
        for mode in modes:
            mode.__enter__()
        try:
            with _Limited(), torch.no_grad():
                podium_task.seed_everything(seed)
                value = module.generate_input(**arguments, **({"seed": seed} if self.seeded else {}))
                seen = self.describe(value, watching)
                seen.random = watching.random
                if with_reference:
                    versions = {path: tensor._version for path, tensor in podium_task.leaves_of(value)}
                    before = dict(podium_task.leaves_of(value))
                    try:
                        self.note_output(seen, before, versions, module.ref_kernel(value))
                    except Exception as fault:
                        seen.why_no_output = _sentence(fault)
            return seen, value
        finally:
            for mode in reversed(modes):
                mode.__exit__(None, None, None)

    def describe(self, value, watching):
        seen, known = Seen({}, {}), set()
        for path, item in podium_task.walk(value):
            if not isinstance(item, torch.Tensor):
                seen.atoms[path] = _atom(item)
            elif id(item) not in known:
                known.add(id(item))
                if item.layout is not torch.strided:
                    raise Refused(f"data{path} is a sparse tensor")
                order = podium_task.order_of(item)
                seen.leaves[path] = Leaf(
                    path,
                    item.dtype,
                    tuple(int(extent) for extent in item.shape),
                    order,
                    gaps=order is None and not item.is_contiguous(),
                    unset=_storage(item) in watching.empty and item._version == 0,
                )
        return seen

    def note_output(self, seen, before, versions, result):
        for path, leaf in seen.leaves.items():
            leaf.changed = before[path]._version != versions[path]

        def plan(item):
            if isinstance(item, torch.Tensor):
                for path in seen.leaves:
                    leaf = before[path]
                    if item is leaf or (
                        _storage(item) == _storage(leaf)
                        and item.storage_offset() == leaf.storage_offset()
                        and item.shape == leaf.shape
                        and item.stride() == leaf.stride()
                        and item.dtype == leaf.dtype
                    ):
                        return {"leaf": path}
                return {"tensor": (item.dtype, tuple(int(extent) for extent in item.shape))}
            if isinstance(item, (tuple, list)):
                return {"tuple" if isinstance(item, tuple) else "list": [plan(each) for each in item]}
            if isinstance(item, dict):
                return {"dict": {key: plan(each) for key, each in item.items()}}
            if isinstance(item, (int, float, str, type(None))):
                return {"value": item}
            raise Refused(f"ref_kernel returns an object of the type {type(item).__name__}")

        seen.output = plan(result)

    def look(self, module, arguments):
        """A Seen of one workload."""
        try:
            seen, _ = self.run(module, arguments, podium_task.PUBLIC_SEED, fake=True)
            return seen
        except Refused:
            raise
        except Exception as fault:
            self.why_real = f"{type(fault).__name__}: {fault}"
        return self.run(module, arguments, podium_task.PUBLIC_SEED, fake=False, with_reference=False)[0]

    # The problem

    def problem(self):
        if self.task.get("multi_gpu"):
            raise Refused("it is one for several GPUs (multi_gpu), and Podium's ranks run no Python yet")
        if str(self.task.get("lang", "py")) != "py":
            raise Refused(f"its submissions are {self.task['lang']}, expected Python")
        self.named = self.read_files()
        podium_task.stay_on_cpu()
        self.module = module = self.load(self.named)
        self.seeded = "seed" in inspect.signature(module.generate_input).parameters
        stages = self.workloads()
        looked = self.look_at_all(module)
        self.settle_outputs(module, looked)
        facts = self.try_for_real(module, looked)
        names = _Names(self.functions or self.origin["reference.py"])
        builder = gpumode_problem.Builder(self, names, looked, stages, facts)
        problem = builder.build()
        self.try_folder(builder, problem, looked)
        problem.seen = self.seen
        return problem

    def try_folder(self, builder, problem, looked):
        """The problem's own functions on its smallest workload; adds exact() where the reference works in fp64."""
        rows = [row for stage in problem.workloads.values() for row in stage] + [builder.row(n) for n in self.reduced]
        row = min(rows, key=lambda each: looked[each["name"]].bytes())
        if looked[row["name"]].bytes() > LARGE:
            self.seen["folder"] = "not tried: its smallest workload is too large for the import"
            return
        tried = trial.Trial(problem, self.module)
        tried.task.plan.WORKLOADS = self.arguments
        self.seen["folder"] = _outcome(lambda: tried.call(self.module.ref_kernel, row))
        self.seen["folder's submission"] = _outcome(lambda: tried.call(self.submission(), row))
        if self.seen["folder"] == "right":
            self.seen["own answer"] = _outcome(lambda: tried.own_answer(row))
            if self.seen["own answer"] == "right":
                builder.add_outputs_of_reference(problem)
            else:
                problem.left_out.append(f"the reference's own answer as a proof of its check: {self.seen['own answer']}")
            try:
                with _Limited():
                    differences = tried.exact(row)
                self.seen["fp64"] = ", ".join(f"{name} {value:.1e}" for name, value in differences.items())
                if max(differences.values(), default=1) < 0.05:
                    builder.add_exact(problem)
            except Exception as fault:
                self.seen["fp64"] = _sentence(fault)
            if "exact" not in problem.reference:
                problem.left_out.append(f"the reference in fp64: {self.seen['fp64']}")

    def submission(self):
        path = self.folder / "submission.py"
        if not path.is_file():
            raise Refused("there is no submission.py")
        return self.kernel_of(path)

    def look_at_all(self, module):
        """name -> Seen. A workload that cannot be looked at is left out, if others can be."""
        looked, fault = {}, None
        for name, arguments in self.arguments.items():
            try:
                looked[name] = self.look(module, arguments)
            except Refused:
                raise
            except Exception as failed:
                fault = failed
                self.left_out.append(f"workload {name}: {_sentence(failed)}")
        if not looked:
            raise fault
        return self.without_same_inputs(looked)

    def without_same_inputs(self, looked):
        """Leaves out workloads that draw nothing: every call would have the same inputs, so a kept answer would pass."""
        others = rb"^\s*(import|from) (random|numpy)\b"  # may draw, too
        if re.search(others, self.origin["reference.py"], re.MULTILINE):
            return looked
        drawn = {name: seen for name, seen in looked.items() if seen.random}
        if drawn:
            self.left_out += [
                f"workload {name}: its inputs are the same for every seed" for name in looked if name not in drawn
            ]
        return drawn or looked

    def workloads(self):
        """stage -> names; fills self.arguments: name -> arguments of generate_input, without the seed"""
        self.arguments, stages = {}, {}
        for stage, key in (("test", "tests"), ("bench", "benchmarks")):
            stages[stage] = []
            for spec in self.task.get(key) or ():
                arguments = {str(k): v for k, v in spec.items() if k != "seed"}
                name = ",".join(f"{k}={_short(v)}" for k, v in arguments.items()) or "all"
                name = common.workload_name(name)
                if self.arguments.setdefault(name, arguments) != arguments:
                    raise Refused(f"two of its workloads would have the name {name}")
                if name not in stages[stage]:
                    stages[stage].append(name)
        if not self.arguments:
            raise Refused("task.yml has neither tests nor benchmarks")
        return stages

    def settle_outputs(self, module, looked):
        """Where a reference cannot be run without memory: for real where that is small."""
        for name, seen in looked.items():
            if seen.output is None and seen.bytes() <= SMALL:
                real, _ = self.run(module, self.arguments[name], podium_task.PUBLIC_SEED, fake=False)
                if real.output is not None:
                    seen.output = real.output
                    for path, leaf in real.leaves.items():
                        seen.leaves[path].changed = leaf.changed
                else:
                    seen.why_no_output = real.why_no_output
        if all(seen.output is None for seen in looked.values()):
            self.add_reduced(module, looked)
        if all(seen.output is None for seen in looked.values()):
            raise Refused(f"ref_kernel does not run here: {next(iter(looked.values())).why_no_output}")

    def add_reduced(self, module, looked):
        """Workloads of the import's own, with smaller numbers: what their outputs follow from, those of the others do."""
        for name, arguments in list(self.arguments.items()):
            smaller = {key: _reduced(value) for key, value in arguments.items()}
            if smaller in self.arguments.values() or len(self.reduced) == MOST_REDUCED:
                continue
            try:
                seen, _ = self.run(module, smaller, podium_task.PUBLIC_SEED, fake=False)
            except Exception:
                continue  # the numbers do not go together
            if seen.output is not None and seen.bytes() <= SMALL:
                self.reduced.append(f"reduced {name}")
                self.arguments[self.reduced[-1]] = smaller
                looked[self.reduced[-1]] = seen

    def try_for_real(self, module, looked):
        """Two seeds on the smallest workload; the reference by its own check; the example submission."""
        facts = {"seed_bits": 63}
        name = min(looked, key=lambda n: looked[n].bytes())
        if looked[name].bytes() > LARGE:
            self.seen["reference"] = "not run: its smallest workload is too large for the import"
            return facts
        arguments = self.arguments[name]
        facts["seed_bits"] = self.seed_bits(module, arguments)
        one, value = self.run(module, arguments, 11, fake=False, with_reference=False)
        two, _ = self.run(module, arguments, 12, fake=False, with_reference=False)
        for path in one.atoms:
            if one.atoms[path] != two.atoms.get(path):
                raise Refused(
                    f"generate_input returns {one.atoms[path]} at data{path} and, with another seed, "
                    f"{two.atoms.get(path)}; what is no tensor must not depend on the seed"
                )
        if {p: (e.dtype, e.shape) for p, e in one.leaves.items()} != {
            p: (e.dtype, e.shape) for p, e in two.leaves.items()
        }:
            raise Refused("the shapes of generate_input's tensors depend on the seed")
        for path, leaf in one.leaves.items():
            if path in looked[name].leaves:
                looked[name].leaves[path].unset = leaf.unset
        self.seen["reference"] = self.verdict(module, arguments, lambda: module.ref_kernel)
        self.seen["submission"] = "none"
        path = self.folder / "submission.py"
        if path.is_file():
            self.seen["submission"] = self.verdict(module, arguments, lambda: self.kernel_of(path), facts)
        return facts

    def seed_bits(self, module, arguments):
        """Up to which seeds the task takes them and draws other inputs from the next one: some add the seed to f32."""
        for bits in (63, 31):
            try:
                one, two = (self.drawn(module, arguments, 2**bits - less) for less in (2, 3))
            except (OverflowError, ValueError, RuntimeError):
                continue
            if any(not torch.equal(one[path], two[path]) for path in one):
                return bits
        return 16

    def drawn(self, module, arguments, seed):
        """The bytes of each tensor that generate_input writes: places for answers hold what memory held. fp4 has no equal()."""
        seen, value = self.run(module, arguments, seed, fake=False, with_reference=False)
        leaves = {path: leaf for path, leaf in podium_task.leaves_of(value) if path in seen.leaves}
        return {path: trial.bytes_of(leaf) for path, leaf in leaves.items() if not seen.leaves[path].unset}

    def kernel_of(self, path):
        made = types.ModuleType("submission")
        exec(compile(path.read_bytes(), str(path), "exec"), made.__dict__)
        return self.module.kernel(made) if self.functions else made.custom_kernel

    def value(self, module, arguments):
        podium_task.seed_everything(11)
        return module.generate_input(**arguments, **({"seed": 11} if self.seeded else {}))

    def verdict(self, module, arguments, kernel, facts=None):
        """"right", or what the task's check, or the run, said."""
        try:
            with _Limited(), torch.no_grad():
                kernel = kernel()
                value, given = self.value(module, arguments), self.value(module, arguments)
                result = kernel(given)
                fault = podium_task.fault_in(module.check_implementation(value, result))
                if fault is None and facts is not None and isinstance(result, torch.Tensor):
                    facts["returned_dtype"] = result.dtype
                return "right" if fault is None else "wrong: " + fault[:200]
        except ImportError as fault:
            return f"needs the package {(fault.name or str(fault)).split('.')[0]}"
        except Exception as fault:
            return _sentence(fault)


def _reduced(value):
    """A whole number that is small, and still divisible as often as numbers of tasks are."""
    if not isinstance(value, int) or isinstance(value, bool) or value <= 64:
        return value
    return max(64, value // 64 // 16 * 16)


def _short(value):
    if isinstance(value, (list, tuple)):
        if len(value) > 2 and len(set(map(str, value))) == 1:
            return f"{len(value)}x{_short(value[0])}"
        return "-".join(map(_short, value))
    return str(value)


# Names
# -----


class _Names:
    """What the task calls its tensors: the names to which ref_kernel unpacks its argument, and what it returns."""

    def __init__(self, source):
        self.top, self.returned = {}, []
        functions = {n.name: n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef)}
        reference, generate = functions.get("ref_kernel"), functions.get("generate_input")
        unpacked = self.unpacking(reference) if reference else None
        if unpacked is None and generate is not None:
            unpacked = self.returning(generate)
        for i, name in enumerate(unpacked or ()):
            if name and name.strip("_"):
                self.top[i] = name
        if reference is not None:
            self.returned = self.returning(reference) or []
        self.single = reference.args.args[0].arg if reference is not None and reference.args.args else "data"

    @staticmethod
    def unpacking(function):
        if not function.args.args:
            return None
        argument = function.args.args[0].arg
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id == argument:
                if isinstance(node.targets[0], ast.Tuple):
                    return [e.id if isinstance(e, ast.Name) else None for e in node.targets[0].elts]
        return None

    @staticmethod
    def returning(function):
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                items = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                return [_name_of(item) for item in items]
        return None

    def of(self, path):
        """A name for the leaf at `path`."""
        steps = re.findall(r"(?:\[|\.)(\d+|\*)|\['((?:[^'\\]|\\.)*)'\]|\.([A-Za-z_]\w*)", path)
        words = []
        for i, (index, key, attribute) in enumerate(steps):
            if index and i == 0 and index.isdigit() and int(index) in self.top:
                words.append(self.top[int(index)])
            elif index and index != "*":
                words.append(index if words else f"in_{index}")
            elif key or attribute:
                if len(words) == 1 and words[0] in ("weights", "config", "data", "params", "inputs"):
                    words = []
                words.append((key or attribute).replace("*", ""))
        return "_".join(words) or self.single


def _name_of(item):
    """Of `output` and `output.contiguous()`: output. None: it has no name."""
    while isinstance(item, ast.Call) and isinstance(item.func, ast.Attribute):
        item = item.func.value
    return item.id if isinstance(item, ast.Name) and item.id not in ("torch", "F") else None
