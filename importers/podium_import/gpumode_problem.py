# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""From what gpumode.py saw of a task's workloads to the problem: roles, names, axes, and the texts of its files."""

import ast
import inspect
import pathlib
import pprint

from podium_import import common, podium_task, shapes, sources
from podium_import.common import Refused

QUICK = 64 << 20  # bytes of input up to which a workload is one that a CPU runs in seconds
DTYPES = {
    "float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16",
    "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8",
    "uint64": "u64", "uint32": "u32", "uint16": "u16", "uint8": "u8", "bool": "bool",
    "float8_e4m3fn": "e4m3", "float8_e5m2": "e5m2", "float8_e4m3fnuz": "e4m3_fnuz", "float8_e5m2fnuz": "e5m2_fnuz",
    "float8_e8m0fnu": "e8m0", "float4_e2m1fn_x2": "u8",
}  # fmt: skip

REFERENCE = '''# Written by `podium import gpumode`: the judge's side of the task in origin/.
import podium_plan
from podium_task import Task

_task = Task(podium_plan)
inputs = _task.inputs
check = _task.check
'''
ADAPTER = '''# Written by `podium import gpumode`: calls {entry} of a contestant with the problem's tensors.
import compiling  # noqa: F401  for torch.utils.cpp_extension
import podium_plan
from podium_task import Task

contestant = Task(podium_plan).contestant
'''


def dtype_of(dtype, where):
    short = str(dtype).removeprefix("torch.")
    if short not in DTYPES:
        raise Refused(f"{where} is of {dtype}, for which Podium has no name")
    return DTYPES[short]


class Builder:
    def __init__(self, task, names, looked, stages, facts):
        """task: what the import knows of the folder (`_Import`); names: `_Names`; looked: name -> Seen of a workload;
        stages: stage -> names; facts: what running the smallest workload for real has shown."""
        self.task, self.names, self.looked, self.stages, self.facts = task, names, looked, stages, facts
        self.order = list(looked)  # of workloads
        self.tensors, self.leaves, self.axes = {}, [], {}
        self.types = {}  # key -> dtype for each workload, of tensors that differ in that
        self.left_out = list(task.left_out)
        self.also_returned, self.output_types = [], {}

    # Tensors

    def build(self):
        known = [seen for seen in self.looked.values() if seen.output is not None]
        self.output = known[0].output
        self.aliased = {item["leaf"] for item in _leaves_in(self.output)}
        self.add_leaves()
        plan = self.add_outputs(self.output, ())
        if not any(tensor.role != "input" for tensor in self.tensors.values()):
            raise Refused("ref_kernel returns no tensor")
        self.solve_shapes()
        return self.problem(plan)

    def add_leaves(self):
        first = self.looked[self.order[0]]
        paths = [set(seen.leaves) for seen in self.looked.values()]
        shared = set.intersection(*paths)
        produced = len([o for o in _tensors_in(self.output) if "tensor" in o])
        many = any(len(each) != len(shared) for each in paths) or len(shared) + produced > common.MOST_TENSORS
        count = {}
        for seen in self.looked.values():
            for path in seen.leaves:
                count.setdefault(podium_task.pattern_of(path), set()).add(path)
        self.packed = {p for p, held in count.items() if len(held) > 1} if many else set()
        self.stored_shapes = {}  # tensor -> workload -> shape
        for seen in self.looked.values():
            for path in seen.leaves:
                pattern = podium_task.pattern_of(path)
                key = pattern if pattern in self.packed else path
                if any(leaf["path"] == key for leaf in self.leaves):
                    continue
                if key not in self.packed and path not in shared:
                    raise Refused(f"only some of its workloads have a tensor at data{path}")
                self.add_leaf(key, first)

    def held(self, key, name):
        """The leaves of one workload at this path, or of this pattern."""
        leaves = self.looked[name].leaves
        if key in self.packed:
            return [leaf for path, leaf in leaves.items() if podium_task.pattern_of(path) == key]
        return [leaves[key]]

    def add_leaf(self, key, first):
        everywhere = [leaf for name in self.order for leaf in self.held(key, name)]
        name = common.identifier(self.names.of(key), self.tensors, "in")
        dtypes = {leaf.dtype for leaf in everywhere}
        if len(dtypes) > 1 and key in self.packed:
            raise Refused(f"the tensors at data{key} differ in dtype: {', '.join(sorted(map(str, dtypes)))}")
        if len(dtypes) > 1:
            dtype = common.identifier(f"{name}_type", {**self.tensors, **self.types})
            self.types[dtype] = [dtype_of(self.looked[w].leaves[key].dtype, f"data{key}") for w in self.order]
        else:
            dtype = dtype_of(dtypes.pop(), f"data{key}")
        unset = all(leaf.unset for leaf in everywhere)
        aliased = any(leaf.path in self.aliased for leaf in everywhere) or key in self.aliased
        changed = any(leaf.changed for leaf in everywhere)
        role = ("output" if unset else "inout") if aliased else "inout" if changed or unset else "input"
        entry = {"path": key, "tensor": name, "role": role}
        comment = ""
        if key in self.packed:
            entry["packed"] = True
            comment = f"data{key}, one behind the other"
        else:
            order = self.common_order(key, everywhere)
            if order:
                entry["order"] = order
                comment = f"data{key} in the order of its memory: its axes {', '.join(map(str, order))}"
        if str(everywhere[0].dtype).endswith("float4_e2m1fn_x2"):
            comment = "bytes, each a pair of e2m1" + ("; " + comment if comment else "")
        if unset and not aliased:
            entry["scratch"] = True  # unless an output is bound to it below
        self.leaves.append(entry)
        self.tensors[name] = common.Tensor(role, dtype, [], comment)
        self.stored_shapes[name] = {w: self.stored_shape(key, w, entry.get("order")) for w in self.order}

    def common_order(self, key, leaves):
        orders = {leaf.order for leaf in leaves if leaf.order}
        if any(leaf.gaps for leaf in leaves) or len(orders) > 1:
            self.left_out.append(f"the memory layout of data{key}: contestants get it contiguous")
            return None
        return orders.pop() if orders else None

    def stored_shape(self, key, workload, order):
        held = self.held(key, workload)
        if key in self.packed:
            extent = 0
            for leaf in held:
                step = max(1, podium_task.ALIGNMENT // leaf.itemsize)
                extent += -(-leaf.numel() // step) * step
            return (extent,)
        return tuple(held[0].shape[axis] for axis in order) if order else held[0].shape

    def add_outputs(self, output, where):
        """The plan's form of the output; new outputs become tensors."""
        if "value" in output:
            return output
        if "leaf" in output:
            return output
        if "tensor" in output:
            return self.add_output(where)
        kind = next(iter(output))
        if kind == "dict":
            return {"dict": {key: self.add_outputs(item, (*where, key)) for key, item in output["dict"].items()}}
        patterns = {podium_task.pattern_of(item["leaf"]) for item in output[kind] if "leaf" in item}
        if kind == "list" and patterns & self.packed:
            if len(patterns) > 1 or any("leaf" not in item for item in output["list"]):
                raise Refused("ref_kernel returns a list in which only some tensors are the task's own")
            return {"leaves": patterns.pop()}
        return {kind: [self.add_outputs(item, (*where, i)) for i, item in enumerate(output[kind])]}

    def add_output(self, where):
        shapes_, dtype = {}, None
        for name in self.order:
            found = _at(self.looked[name].output, where) if self.looked[name].output is not None else None
            if found is not None and "tensor" in found:
                dtype, shapes_[name] = found["tensor"]
        for leaf in self.leaves:  # a place for an answer, which the reference did not use
            known = self.stored_shapes[leaf["tensor"]]
            if leaf.get("scratch") and not leaf.get("packed") and all(known[n] == s for n, s in shapes_.items()):
                del leaf["scratch"]
                leaf["role"] = self.tensors[leaf["tensor"]].role = "output"
                if dtype_of(dtype, "the output") != self.tensors[leaf["tensor"]].dtype:
                    self.also_returned.append(str(dtype))
                return {"leaf": leaf["path"]}
        returned = self.facts.get("returned_dtype")
        if returned is not None and where == () and returned != dtype:
            self.also_returned.append(str(dtype))
            dtype = returned
        i = where[-1] if where else 0
        guess = i if isinstance(i, str) else self.names.returned[i] if i < len(self.names.returned) else None
        name = common.identifier(guess or (f"output_{i}" if where else "output"), self.tensors, "out")
        if self.also_returned and where == ():
            self.output_types[name] = str(dtype).removeprefix("torch.")
        self.tensors[name] = common.Tensor("output", dtype_of(dtype, f"output {name}"), [])
        self.stored_shapes[name] = {w: shapes_.get(w) for w in self.order}
        return {"tensor": name}

    # Axes

    def solve_shapes(self):
        arguments = self.task.arguments
        defaults = {
            p.name: p.default
            for p in inspect.signature(self.task.module.generate_input).parameters.values()
            if p.default is not inspect.Parameter.empty
        }
        values = {}
        for name in {key: None for spec in arguments.values() for key in spec}:
            column = [arguments[w].get(name, defaults.get(name)) for w in self.order]
            if all(isinstance(v, int) and not isinstance(v, bool) for v in column):
                values[name] = column
            elif all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in column):
                self.axes[common.identifier(name, self.tensors, "p")] = ("f64", column)
        named = {}
        for name, column in values.items():
            if min(column) >= 0:
                named[common.identifier(name, {**self.tensors, **self.types, **named}, "n")] = column
        solver = shapes.Solver(named, self.order)
        undecided = set()
        for name, tensor in self.tensors.items():
            rows = self.stored_shapes[name]
            ranks = {len(shape) for shape in rows.values() if shape is not None}
            if len(ranks) != 1:
                raise Refused(f"{name} has {' or '.join(map(str, sorted(ranks)))} axes, depending on the workload")
            rank = ranks.pop()
            if rank > common.MOST_RANK:
                raise Refused(f"{name} has {rank} axes, and a tensor of a problem at most {common.MOST_RANK}")
            for axis in range(rank):
                column = [shape[axis] if shape is not None else None for shape in rows.values()]
                wish = f"{name}_{axis}" if rank > 1 else f"{name}_n"
                formula, lacking = solver.formula(column, common.identifier(wish, {**self.tensors, **solver.axes}))
                tensor.shape.append(formula)
                undecided |= {self.order[i] for i in lacking}
        for workload in sorted(undecided.difference(self.task.reduced)):
            why = self.looked[workload].why_no_output
            self.left_out.append(f"workload {workload}: the shape of its output is not known: {why}")
        self.gone = undecided.union(self.task.reduced)
        for name, column in solver.axes.items():
            self.axes[name] = ("axis", column)

    def row(self, name):
        """The workload of this name as the problem has it."""
        i = self.order.index(name)
        row = {axis: column[i] for axis, (_, column) in self.axes.items()}
        return row | {key: column[i] for key, column in self.types.items()} | {"name": name}

    # Texts

    def problem(self, output_plan):
        rows, kept = {}, {}
        for name in self.order:
            if name not in self.gone:
                rows[name] = self.row(name)
        choices = [dict(zip(self.types, column)) for column in zip(*self.types.values())]
        choices = [choice for i, choice in enumerate(choices) if choice not in choices[:i]]
        for stage, listed in self.stages.items():
            kept[stage] = [rows[name] for name in listed if name in rows]
        small = [n for n in self.stages["bench"] if n in rows and self.looked[n].bytes() <= QUICK]
        small = small or [n for n in self.stages["test"] if n in rows and self.looked[n].bytes() <= QUICK]
        kept["quick"] = [rows[max(small, key=lambda n: self.looked[n].bytes())]] if small else []
        if not kept["test"]:
            kept["test"] = kept["quick"] or kept["bench"][:1]
        task, folder = self.task, self.task.folder
        description = str(task.task.get("description") or "").strip()
        title = _title(description) or task.name
        address, revision = sources.where_from(folder)
        licence, text = sources.licence_of(folder)
        origin = dict(task.origin)
        if text is None:
            self.left_out.append("a licence: there is none beside the source")
        else:
            origin["LICENSE"] = text
        files, baseline = self.contestants(origin)
        files["task/podium_plan.py"] = self.plan_text(output_plan).encode()
        for name in ("podium_task.py", "compiling.py"):
            files[f"task/{name}"] = pathlib.Path(podium_task.__file__).with_name(name).read_bytes()
        modules = ["task/podium_task.py", "task/podium_plan.py", "task/task_reference.py"]
        # `reference` is the judge's own file there, so the task's has another name.
        files["task/task_reference.py"] = origin["reference.py"]
        if task.functions:
            files["task/task_functions.py"] = task.functions.encode()
            modules.append("task/task_functions.py")
        left = ("reference.py", "adapter.py", "eval.py")
        modules += [f"origin/{n}" for n in task.named if n.endswith(".py") and n not in left and "/" not in n]
        limits = {k: task.task[k] for k in ("test_timeout", "benchmark_timeout", "ranked_timeout") if k in task.task}
        ranking = str(task.task.get("ranking_by", "last"))
        if ranking != "geom":
            self.left_out.append(f"ranking_by: {ranking}; Podium ranks by the geometric mean over all workloads")
        if limits:
            self.left_out.append("its time-outs, which origin.yaml lists; --setup-timeout sets Podium's")
        return common.Problem(
            name=task.name,
            title=title,
            kind="gpumode",
            source=address,
            revision=revision,
            licence=licence,
            description=description,
            axes=[name for name, (kind, _) in self.axes.items() if kind == "axis"],
            parameters={name: kind for name, (kind, _) in self.axes.items() if kind != "axis"},
            types=choices,
            tensors=self.tensors,
            workloads=kept,
            modules=modules,
            adapter_modules=["task/compiling.py", "origin/reference.py"],
            reference=REFERENCE,
            adapter=ADAPTER.format(entry=", ".join(task.module.FUNCTIONS) if task.functions else "custom_kernel"),
            files=files,
            origin=origin,
            baseline=baseline,
            left_out=self.left_out,
            notes={"timeouts": limits, "ranking_by": ranking},
        )

    def add_outputs_of_reference(self, problem):
        problem.reference += "outputs = _task.outputs  # what the reference answers, which must pass the check\n"

    def add_exact(self, problem):
        problem.reference += "exact = _task.exact  # the reference in fp64\n"

    def plan_text(self, output):
        table = {name: arguments for name, arguments in self.task.arguments.items() if name not in self.gone}

        origin = "task_functions" if self.task.functions else "task_reference"
        entry = ", ".join(self.task.module.FUNCTIONS) if self.task.functions else "custom_kernel"
        kernel = "from task_functions import kernel as KERNEL" if self.task.functions else "KERNEL = None"

        def literal(value):
            return pprint.pformat(value, width=116, sort_dicts=False)

        return f'''# Written by `podium import gpumode`: how podium_task.py calls the task.
import sys

import task_reference
from {origin} import check_implementation, generate_input, ref_kernel  # noqa: F401

sys.modules["reference"] = task_reference  # as its task.py and its submissions know it
ENTRY = "{entry}"
{kernel}  # of a contestant, where ENTRY is not it
SEEDED = {self.task.seeded}  # generate_input takes a seed; PyTorch's and NumPy's generators get it, too
SEED_BITS = {self.facts.get("seed_bits", 63)}
# Workload -> arguments of generate_input.
WORKLOADS = {literal(table)}
# Where the problem's tensors lie in generate_input's value.
LEAVES = {literal(self.leaves)}
# What {entry} returns.
OUTPUT = {literal(output)}
ALSO_RETURNED = {literal(self.also_returned)}  # dtypes that are converted to the output's
OUTPUT_TYPES = {literal(self.output_types)}  # of outputs that ref_kernel returns in another type
'''

    def contestants(self, origin):
        """path -> content of the contestants, and the baseline."""
        files, folder = {}, self.task.folder
        candidates = [folder / "submission.py"]
        for below in ("solutions/correct", "submissions"):
            candidates += sorted((folder / below).glob("*.py"))
        for source in (self.task.task.get("templates") or {}).values():
            candidates.append((folder / str(source)).resolve())
        for path in candidates:
            if path.suffix != ".py" or not path.is_file():
                continue
            content = path.read_bytes()
            name = common.problem_name(path.stem) + ".py"
            if content in files.values():
                continue
            origin.setdefault(path.name if path.parent == folder else f"{path.parent.name}/{path.name}", content)
            fault = _no_answer(content, task_functions=self.task.functions)
            if name in ("reference.py", "adapter.py") or name in files:
                name = f"{common.problem_name(path.parent.name)}_{name}"
            if fault:
                self.left_out.append(f"{path.name} as a contestant: {fault}")
            else:
                files[name] = content
        baseline = "submission" if "submission.py" in files else next((n[:-3] for n in files), None)
        return files, {"host": baseline, "cuda": baseline} if baseline else {}


def _no_answer(content, task_functions):
    """Why a template is no contestant, or an empty text."""
    if task_functions:
        return ""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError) as fault:
        return f"it is no Python: {fault}"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "custom_kernel":
            returns = [n for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None]
            return "" if returns else "its custom_kernel returns nothing"
        if isinstance(node, ast.Assign) and any(getattr(t, "id", "") == "custom_kernel" for t in node.targets):
            return ""
        if isinstance(node, ast.ImportFrom) and any((a.asname or a.name) == "custom_kernel" for a in node.names):
            return ""
    return "it has no function custom_kernel"


def _title(description):
    line = " ".join(description.split("\n\n")[0].split())
    line = line.split(". ")[0].rstrip(".:")
    return line if 0 < len(line) <= 100 else ""


def _leaves_in(output):
    return [item for item in _tensors_in(output) if "leaf" in item]


def _tensors_in(output):
    if "tensor" in output or "leaf" in output:
        return [output]
    if "value" in output:
        return []
    below = output.get("tuple") or output.get("list") or list((output.get("dict") or {}).values())
    return [each for item in below for each in _tensors_in(item)]


def _at(output, where):
    for step in where:
        kind = next(iter(output))
        output = output[kind][step]
    return output
