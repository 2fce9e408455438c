# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Backward tasks of robust-kbench, for kernelbench.py: func_backward.py and config_backward.json become a problem.

The task's AutogradFunction saves tensors in forward, and hands them to the contestant's backward_fn with the gradient of
the output. robust-kbench times the backward pass alone. So do we: what forward saves are inputs of the problem, drawn
and computed by the judge's side, as far as they are no weights.
"""

import inspect
import os
import pathlib

from podium_import import kernelbench
from podium_import.check import examine, sentence
from podium_import.common import Problem, Refused, Tensor, identifier

FILE, CONFIG = "func_backward.py", "config_backward.json"
TOLERANCE = 1e-3  # absolute and relative: the default of robust-kbench's run_kernel.py

SUPPORT = '''\
"""Written by `podium import kernelbench`: a backward task of robust-kbench, for reference.py and adapter.py."""

import contextlib
import random

import autograd_task
import kernelbench_task
import torch

SETTINGS = {settings}  # by workload: arguments of Model and of get_inputs
SAVED = {saved}  # what forward saves, in order: a tensor of the problem, or a weight
GRADIENTS = {gradients}  # by argument of forward_fn: the problem's output, or None
SEED = 42  # of the weights, which the reference and all contestants share


def seeded(seed):
    torch.manual_seed(seed)
    random.seed(seed)


def build(workload, device):
    seeded(SEED)
    return kernelbench_task.Model(**SETTINGS[workload.name]["init"]).to(device)


def drawn(workload, seed, device):
    seeded(seed)
    with torch.device(device) if hasattr(torch, "set_default_device") else contextlib.nullcontext():
        values = kernelbench_task.get_inputs(**SETTINGS[workload.name]["inputs"])
    return [x.detach().to(device) if isinstance(x, torch.Tensor) else x for x in values]


def forward(model, values):
    """(output, context, arguments) of the task's AutogradFunction."""
    return autograd_task.forward(kernelbench_task.AutogradFunction, model, values)
'''

REFERENCE = '''\
"""Written by `podium import kernelbench`. The reference is PyTorch's gradient of the task's forward_fn."""

import kernelbench_task
import robust_backward_problem as problem
import torch
from autograd_task import arguments_of

TOLERANCE = {tolerance}  # absolute and relative, as robust-kbench's command has it
_kept = (None, None)


def _model(workload):
    global _kept
    if _kept[0] != workload.name:
        _kept = (None, None)  # frees the weights of another workload first
        _kept = (workload.name, problem.build(workload, workload.device))
    return _kept[1]


def inputs(workload, seed):
    model = _model(workload)  # first: it draws its weights from a seed of its own
    values = problem.drawn(workload, seed, workload.device)
    output, context, _ = problem.forward(model, values)
    found = {{"grad_output": torch.randn_like(output)}}
    for place, tensor in zip(problem.SAVED, context.saved_tensors):
        if "tensor" in place:
            found[place["tensor"]] = tensor.detach().contiguous()
    return found


def outputs(workload, inputs):
    return _gradients(workload, inputs, lambda x: x)


def _gradients(workload, inputs, cast):
    """Of forward_fn, whose arguments are inputs, weights and numbers."""
    model = _model(workload)
    values = problem.drawn(workload, problem.SEED, workload.device)
    arguments = arguments_of(model, values)
    for place, at in {places}.items():  # argument: the problem's input
        arguments[place] = inputs[at]
    arguments = [
        cast(x.detach()).requires_grad_(k in {wanted}) if isinstance(x, torch.Tensor) else x for k, x in enumerate(arguments)
    ]
    output = kernelbench_task.forward_fn(*arguments)
    wanted = [arguments[k] for k in {wanted}]
    found = torch.autograd.grad(output, wanted, cast(inputs["grad_output"]))
    return {{problem.GRADIENTS[k]: value.contiguous() for k, value in zip({wanted}, found)}}


def exact(workload, inputs):
    wide = lambda x: x.double() if x.is_floating_point() else x  # noqa: E731
    return _gradients(workload, inputs, wide)


def check(workload, inputs, outputs):
    for name, expected in globals()["outputs"](workload, inputs).items():
        found = outputs[name]
        wrong = ~torch.isclose(expected, found, rtol=TOLERANCE, atol=TOLERANCE)
        count = int(wrong.sum())
        if count:
            where = [int(i) for i in wrong.nonzero()[0]]
            return (
                f"{{name}}{{where if where else ''}} is {{found[tuple(where)].item():.6g}}, expected "
                f"{{expected[tuple(where)].item():.6g}} within {{TOLERANCE:g}} absolute and relative; {{count}} of "
                f"{{wrong.numel()}} elements wrong"
            )
    return None
'''

ADAPTER = '''\
"""Written by `podium import kernelbench`. A contestant defines backward_fn, as robust-kbench's kernels export backward."""

import compiling  # noqa: F401  for torch.utils.cpp_extension
import kernelbench_task
import robust_backward_problem as problem
import torch
from autograd_task import Context


def contestant(module, workload):
    function = getattr(module, "backward_fn", None) or getattr(module, "backward", None)
    if not callable(function):
        raise AttributeError("defines no backward_fn, expected a function that AutogradFunction.backward calls")
    device = "cuda" if hasattr(workload, "stream") else "cpu"
    model = problem.build(workload, device)
    values = problem.drawn(workload, problem.SEED, device)
    _, left, _ = problem.forward(model, values)
    numbers = {{name: value for name, value in vars(left).items() if name != "saved_tensors"}}
    del left
    weights = dict(model.named_parameters())
    kernelbench_task.AutogradFunction.backward_fn = function

    def run(**tensors):
        context = Context()
        vars(context).update(numbers)
        context.saved_tensors = tuple(
            tensors[place["tensor"]] if "tensor" in place else weights[place["weight"]].detach() for place in problem.SAVED
        )
        with torch.no_grad():
            found = kernelbench_task.AutogradFunction.backward(context, tensors["grad_output"])
        found = found if isinstance(found, (tuple, list)) else (found,)
        for name, value in zip(problem.GRADIENTS, found):
            if name is None:
                continue
            output = tensors[name]
            if not isinstance(value, torch.Tensor) or (value.shape, value.dtype) != (output.shape, output.dtype):
                got = f"{{value.dtype}} of shape {{tuple(value.shape)}}" if isinstance(value, torch.Tensor) else repr(value)
                raise ValueError(f"{{name}} is {{got}}, expected {{output.dtype}} of shape {{tuple(output.shape)}}")
            output.copy_(value)

    return run
'''

class Seen:
    """One workload of the task: what its forward saves and returns, with tensors that have no memory."""

    def __init__(self, scope, settings):
        import torch

        from podium_import import autograd_task

        model = scope["Model"](**settings["init"])
        values = scope["get_inputs"](**settings["inputs"])
        output, context, given = autograd_task.forward(scope["AutogradFunction"], model, values)
        for name, value in vars(context).items():
            if isinstance(value, torch.Tensor):
                raise Refused(f"its forward leaves the tensor ctx.{name}, expected save_for_backward")
        if not isinstance(output, torch.Tensor):
            raise Refused("its forward returns several tensors, and robust-kbench's backward tasks return one")
        weights = {id(parameter): name for name, parameter in model.named_parameters()}
        inputs = {id(value): k for k, value in enumerate(values) if isinstance(value, torch.Tensor)}
        for k, value in enumerate(given):
            if isinstance(value, torch.Tensor) and id(value) not in weights and id(value) not in inputs:
                raise Refused(f"its Model computes argument {k} of fn, expected inputs and weights")
        self.output, self.saved, self.given, self.weights = output, context.saved_tensors, given, weights

    def elements(self):
        return sum(tensor.numel() for tensor in [*self.saved, self.output])


def names_of_arguments(scope):
    return list(inspect.signature(scope["AutogradFunction"].forward).parameters)[1:]


def convert(path, options):
    """The problem of the task in the folder of `path`. Raises Refused."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    with open(path, "rb") as file:
        content = file.read()
    settings = kernelbench.settings_in(os.path.join(os.path.dirname(path), CONFIG))
    scope = {"__name__": "kernelbench_task"}
    exec(compile(content, path, "exec"), scope)
    for wanted in ("Model", "get_inputs", "forward_fn", "AutogradFunction"):
        if wanted not in scope:
            raise Refused(f"does not define {wanted}, expected Model, get_inputs, forward_fn and AutogradFunction")
    rows = {}
    for name, setting in settings.items():
        try:
            with FakeTensorMode():
                rows[name] = Seen(scope, setting)
        except Refused:
            raise
        except Exception as fault:  # noqa: BLE001  whatever a task raises
            raise Refused(f"{name}: {sentence(fault)}") from None
    smallest = min(rows, key=lambda name: rows[name].elements())
    problem = write(path, content, scope, settings, rows, smallest, options)
    if rows[smallest].elements() <= kernelbench.MOST_CHECKED:
        report = examine(problem, [kernelbench.Workload(smallest)])
        if report.fault is not None:
            raise Refused(report.text)
        report.enter(problem, f"workload {smallest}")
    else:
        problem.notes["checked"] = "not run: too large for a CPU"
    return problem


def write(path, content, scope, settings, rows, smallest, options):
    import torch

    names, first = names_of_arguments(scope), next(iter(rows.values()))
    taken, tensors, saved, places, gradients, axes = {"grad_output"}, {}, [], {}, [], {}

    def axis(values, otherwise):
        if values not in axes:
            axes[values] = identifier(otherwise, taken)
            taken.add(axes[values])
        return axes[values]

    def add(name, role, each):
        one = each[0]
        short = str(one.dtype).removeprefix("torch.")
        if short not in kernelbench.DTYPES:
            raise Refused(f"{name} is {short}, which is none of Podium's formats")
        if len({x.dim() for x in each}) > 1:
            raise Refused(f"{name} has another number of axes in some settings")
        shape = [axis(tuple(x.shape[d] for x in each), f"{name}_{d}") for d in range(one.dim())]
        tensors[name] = Tensor(role, kernelbench.DTYPES[short], shape)

    def name_at(k):
        return names[k] if k < len(names) else f"argument{k}"

    needed = []  # arguments that are inputs: the reference computes with what the judge has drawn
    by_identity = {id(value): k for k, value in enumerate(first.given)}
    for k, tensor in enumerate(first.saved):
        if not isinstance(tensor, torch.Tensor):
            saved.append({"weight": None})
        elif id(tensor) in first.weights:
            saved.append({"weight": first.weights[id(tensor)]})
        else:
            at = by_identity.get(id(tensor))
            name = identifier(name_at(at) if at is not None else f"saved{k}", taken)
            taken.add(name)
            add(name, "input", [row.saved[k] for row in rows.values()])
            saved.append({"tensor": name})
            if at is not None:
                places[at] = name
    for k, value in enumerate(first.given):
        if isinstance(value, torch.Tensor) and id(value) not in first.weights and k not in places:
            needed.append(name_at(k))
    if needed:
        raise Refused(f"its forward does not save {', '.join(needed)}, of which the reference needs the values")
    add("grad_output", "input", [row.output for row in rows.values()])
    wanted = []
    for k, value in enumerate(first.given):
        if isinstance(value, torch.Tensor) and value.is_floating_point() and value.requires_grad:
            name = identifier(f"grad_{name_at(k)}", taken)
            taken.add(name)
            add(name, "output", [row.given[k] for row in rows.values()])
            gradients.append(name)
            wanted.append(k)
        else:
            gradients.append(None)
    if not wanted:
        raise Refused("nothing requires a gradient")
    listed = list(rows)
    if not axes:
        axis(tuple(1 for _ in listed), "calls")

    def stage(*chosen):
        return [{"name": name, **{at: values[listed.index(name)] for values, at in axes.items()}} for name in chosen]

    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    support = SUPPORT.format(settings=settings, saved=saved, gradients=gradients)
    reference = REFERENCE.format(tolerance=TOLERANCE, places=places, wanted=wanted)
    problem = Problem(
        name=identifier(f"rkb_{folder}_backward", otherwise="rkb"),
        title=f"{folder}, backward",
        description=f"{FILE} of robust-kbench's task {folder}: the gradients of its forward_fn.",
        source=path,
        kind="kernelbench",
        licence=kernelbench.licence_of(path),
        axes=list(axes.values()),
        tensors=tensors,
        workloads={"test": stage(smallest), "quick": stage(smallest), "bench": stage(*listed)},
        modules=["origin/kernelbench_task.py", "support/autograd_task.py", "support/robust_backward_problem.py"],
        adapter_modules=["support/compiling.py"],
        reference=reference,
        adapter=ADAPTER.format(),
        baseline={"host": "model", "cuda": "model", "hip": "model"},
    )
    problem.files = {
        "support/robust_backward_problem.py": support.encode(),
        **{f"support/{own}": pathlib.Path(__file__).with_name(own).read_bytes() for own in ("autograd_task.py", "compiling.py")},
        "model.py": model_of(places, wanted).encode(),
    }
    kernelbench.add_solutions(problem, options, backward=True)
    problem.origin = {"kernelbench_task.py": content}
    with open(os.path.join(os.path.dirname(path), CONFIG), "rb") as file:
        problem.origin[CONFIG] = file.read()
    problem.notes = {
        "file": FILE,
        "tolerance": f"{TOLERANCE:g} absolute and relative, the default of robust-kbench's run_kernel.py",
        "timed": "AutogradFunction.backward alone; forward has run before the call, as in robust-kbench",
    }
    return problem


def model_of(places, wanted):
    """The baseline: PyTorch's own gradient, with the forward pass that it needs."""
    return f'''# podium: {{ title: "PyTorch's gradient, with its forward pass", framework: torch }}
import kernelbench_task
import robust_backward_problem as problem
import torch
from autograd_task import arguments_of

PLACES = {places}  # argument of forward_fn: the problem's input
WANTED = {wanted}


class Contestant:
    def __init__(self, workload):
        device = "cuda" if hasattr(workload, "stream") else "cpu"
        model = problem.build(workload, device)
        self.arguments = arguments_of(model, problem.drawn(workload, problem.SEED, device))

    def run(self, **tensors):
        arguments = list(self.arguments)
        for k, name in PLACES.items():
            arguments[k] = tensors[name]
        for k in WANTED:
            arguments[k] = arguments[k].detach().requires_grad_()
        found = torch.autograd.grad(kernelbench_task.forward_fn(*arguments), [arguments[k] for k in WANTED], tensors["grad_output"])
        for k, value in zip(WANTED, found):
            tensors[problem.GRADIENTS[k]].copy_(value)
'''
