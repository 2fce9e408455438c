# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Calls a task's own Python functions for Podium. `podium import` copies this file into every folder that it makes.

A task hands its kernel one value: a tensor, or tuples, dictionaries and objects with tensors in them. A problem has
tensors with names. The *skeleton* is such a value without its tensors. It is made by the task's generate_input with a
public seed, and each call gets a fresh one that holds the judge's tensors.

The plan is a module that the import writes. It has WORKLOADS (name -> arguments of generate_input), LEAVES (where each
tensor lies in the value), OUTPUT (what the kernel returns), SEED_BITS, ENTRY, and the task's functions.
"""

import copy
import random
import re
import types

import torch
from torch.overrides import TorchFunctionMode

PUBLIC_SEED = 20240229
ALIGNMENT = 256  # bytes, of each part of a packed tensor
FP4 = getattr(torch, "float4_e2m1fn_x2", None)
ATOMS = (int, float, complex, str, bytes, type(None), type, torch.dtype, torch.device, torch.Size, torch.Generator)


class Misfit(Exception):
    """A task or a contestant that does not do what the plan says, in one sentence."""


# A GPU's tensors on the CPU
# --------------------------


def is_cuda(value):
    if isinstance(value, torch.device):
        return value.type == "cuda"
    return isinstance(value, str) and re.fullmatch(r"cuda(:\d+)?", value) is not None


class OnCpu(TorchFunctionMode):
    """Tensors that a task asks for on "cuda" are the CPU's."""

    def __torch_function__(self, function, types_, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if is_cuda(kwargs.get("device")):
            kwargs["device"] = "cpu"
        if function is torch.Tensor.cuda:
            return args[0]
        if function is torch.Tensor.to:
            args = (args[0], *("cpu" if is_cuda(a) else a for a in args[1:]))
        return function(*args, **kwargs)


class _AnyGenerator(type(torch.Generator)):
    def __call__(cls, device="cpu"):
        return _generator("cpu" if is_cuda(device) else device)

    def __instancecheck__(cls, value):
        return isinstance(value, _generator)


_generator = torch.Generator
_on_cpu = []


def stay_on_cpu():
    """From now on. Nothing but the places where a task names a device is changed."""
    if not _on_cpu:
        _on_cpu.append(OnCpu())
        _on_cpu[0].__enter__()
        try:
            torch.Generator = _AnyGenerator("Generator", (), {})
        except TypeError:
            torch.Generator = lambda device="cpu": _generator("cpu" if is_cuda(device) else device)
        for name in ("synchronize", "empty_cache"):
            setattr(torch.cuda, name, lambda *args, **kwargs: None)


# Values with tensors in them
# ---------------------------

_HIDDEN = ("_parameters", "_buffers", "_modules")  # where torch.nn.Module has what it shows as attributes


def walk(value, path="", found=None, seen=None):
    """[(path, tensor or atom)] of everything that `value` holds, in the order in which it lies there. Objects without
    attributes are atoms. In a path `.0` is an item of a tuple, `[0]` one of a list."""
    found = [] if found is None else found
    seen = set() if seen is None else seen
    if isinstance(value, torch.Tensor) or isinstance(value, ATOMS) or isinstance(value, types.FunctionType):
        found.append((path, value))
        return found
    if id(value) in seen:
        return found
    seen.add(id(value))
    if isinstance(value, (tuple, list)):
        for i, item in enumerate(value):
            walk(item, f"{path}.{i}" if isinstance(value, tuple) else f"{path}[{i}]", found, seen)
    elif isinstance(value, dict):
        for key, item in value.items():
            walk(item, f"{path}[{key!r}]", found, seen)
    elif hasattr(value, "__dict__"):
        for name, item in vars(value).items():
            if name in _HIDDEN:
                for below, held in item.items():
                    walk(held, f"{path}.{below}", found, seen)
            elif not (isinstance(value, torch.nn.Module) and name.startswith("_")):
                walk(item, f"{path}.{name}", found, seen)
    else:
        found.append((path, value))
    return found


def leaves_of(value):
    return [(path, leaf) for path, leaf in walk(value) if isinstance(leaf, torch.Tensor)]


def rebuild(value, replaced):
    """A copy of `value` with the tensors of `replaced` (id of the old one -> new one) in it."""
    if isinstance(value, torch.Tensor):
        return replaced.get(id(value), value)
    if type(value) is tuple:
        return tuple([rebuild(item, replaced) for item in value])
    if type(value) is list:
        return [rebuild(item, replaced) for item in value]
    if type(value) is dict:
        return {key: rebuild(item, replaced) for key, item in value.items()}
    if isinstance(value, (int, float, str, type(None))):
        return value
    return copy.deepcopy(value, dict(replaced))


def pattern_of(path):
    """The path without places in lists and numbers in keys: what a packed tensor holds one behind the other."""
    path = re.sub(r"\[\d+\]", "[*]", path)
    return re.sub(r"'[^']*'", lambda key: re.sub(r"(?<![A-Za-z0-9])\d+(?![A-Za-z0-9])", "*", key[0]), path)


def order_of(tensor):
    """The axes from the slowest to the fastest in memory, or None: they are in order already, or there are gaps."""
    order = sorted(range(tensor.dim()), key=lambda axis: -tensor.stride(axis))
    if tensor.is_contiguous() or not tensor.permute(order).is_contiguous():
        return None
    return tuple(order)


def order_in(entry, tensor):
    """That of a tensor at this place: the same in all workloads, except where it is one of many in a packed tensor."""
    return order_of(tensor) if entry.get("packed") else entry.get("order")


def stored(tensor, order):
    """As the problem's tensor holds it."""
    tensor = tensor.detach()
    if tensor.dtype is FP4:
        tensor = tensor.view(torch.uint8)
    return (tensor.permute(order) if order else tensor).contiguous()


def shown(tensor, order, fp4=False):
    """As the task sees it."""
    if order:
        tensor = tensor.permute([order.index(axis) for axis in range(len(order))])
    return tensor.view(FP4) if fp4 else tensor


def parts_of(leaves):
    """[(first, last)] in a packed tensor, in elements, and its extent."""
    places, at = [], 0
    for leaf in leaves:
        step = max(1, ALIGNMENT // leaf.element_size())
        places.append((at, at + leaf.numel()))
        at += (leaf.numel() + step - 1) // step * step
    return places, at


def seed_everything(seed):
    torch.manual_seed(seed)
    random.seed(seed)
    try:
        import numpy

        numpy.random.seed(seed % 2**32)
    except ImportError:
        pass


class Task:
    """What a plan says, and what the workloads that were met look like."""

    def __init__(self, plan):
        self.plan = plan
        self.skeletons = {}
        self.by_path = {leaf["path"]: leaf for leaf in plan.LEAVES}

    # The task's value of one workload

    def generate(self, workload, seed):
        seed %= 2**self.plan.SEED_BITS
        seed_everything(seed)
        arguments = dict(self.plan.WORKLOADS[workload.name])
        if self.plan.SEEDED:
            arguments["seed"] = seed
        return self.plan.generate_input(**arguments)

    def skeleton(self, workload, value=None):
        """(value with empty tensors, [(leaf's entry of the plan, its placeholder, its shape)])"""
        if workload.name not in self.skeletons:
            value = self.generate(workload, PUBLIC_SEED) if value is None else value
            replaced, entries = {}, []
            for path, tensor in leaves_of(value):
                if id(tensor) in replaced:
                    continue
                entry = self.entry(path)
                empty = torch.empty(0)
                if isinstance(tensor, torch.nn.Parameter):
                    empty = torch.nn.Parameter(empty, requires_grad=tensor.requires_grad)
                replaced[id(tensor)] = empty
                entries.append((entry, path, empty, tuple(tensor.shape), order_in(entry, tensor), tensor.dtype))
            self.skeletons[workload.name] = rebuild(value, replaced), entries
        return self.skeletons[workload.name]

    def entry(self, path):
        entry = self.by_path.get(path) or self.by_path.get(pattern_of(path))
        if entry is None:
            raise Misfit(f"generate_input returns a tensor at data{path}, which it did not when it was imported")
        return entry

    def bound(self, workload, tensors):
        """(the task's value with these tensors in it, path -> tensor)"""
        value, entries = self.skeleton(workload)
        replaced, at, taken = {}, {}, {}
        for entry, path, empty, shape, order, dtype in entries:
            name = entry["tensor"]
            tensor = tensors[name]
            if entry.get("packed"):
                first = taken.get(name, 0)
                count, width = 1, max(1, ALIGNMENT // tensor.element_size())
                for extent in shape:
                    count *= extent
                taken[name] = first + (count + width - 1) // width * width
                kept = [shape[axis] for axis in order] if order else list(shape)
                tensor = tensor[first : first + count].view(kept)
            tensor = shown(tensor, order, dtype is FP4 and tensor.dtype is not FP4)
            if isinstance(empty, torch.nn.Parameter):
                tensor = torch.nn.Parameter(tensor, requires_grad=empty.requires_grad)
            replaced[id(empty)] = at[path] = tensor
        return rebuild(value, replaced), at

    def collected(self, value, roles=("input", "inout"), device=None):
        """name -> tensor as the problem holds it"""
        found, packed, seen = {}, {}, set()
        for path, tensor in leaves_of(value):
            entry = self.entry(path)
            if entry["role"] not in roles or id(tensor) in seen:
                continue
            seen.add(id(tensor))
            if entry.get("packed"):
                packed.setdefault(entry["tensor"], []).append(stored(tensor, order_in(entry, tensor)).flatten())
            elif entry.get("scratch"):
                found[entry["tensor"]] = torch.zeros_like(stored(tensor, order_in(entry, tensor)))
            else:
                found[entry["tensor"]] = stored(tensor, order_in(entry, tensor))
        for name, parts in packed.items():
            places, extent = parts_of(parts)
            found[name] = torch.zeros(extent, dtype=parts[0].dtype, device=parts[0].device)
            for part, (first, last) in zip(parts, places):
                found[name][first:last] = part
        return {name: tensor.to(device) if device else tensor for name, tensor in found.items()}

    # What the kernel returns

    def output(self, plan, tensors, at):
        """The value that the task's check expects, of the problem's outputs. `at`: path -> tensor of bound()."""
        if "tensor" in plan:
            return tensors[plan["tensor"]]
        if "leaf" in plan:
            return at[plan["leaf"]]
        if "leaves" in plan:
            return [tensor for path, tensor in at.items() if pattern_of(path) == plan["leaves"]]
        if "tuple" in plan:
            return tuple(self.output(item, tensors, at) for item in plan["tuple"])
        if "list" in plan:
            return [self.output(item, tensors, at) for item in plan["list"]]
        if "dict" in plan:
            return {key: self.output(item, tensors, at) for key, item in plan["dict"].items()}
        return plan["value"]

    def store(self, target, result, where):
        """Copies what a kernel returned to the problem's outputs, except where it lies there already."""
        if isinstance(target, torch.Tensor):
            if result is target:
                return
            if not isinstance(result, torch.Tensor):
                raise TypeError(f"{where} is {type(result).__name__}, expected a tensor")
            if result.shape != target.shape:
                raise TypeError(f"{where} has the shape {list(result.shape)}, expected {list(target.shape)}")
            if result.dtype != target.dtype and str(result.dtype) not in self.plan.ALSO_RETURNED:
                raise TypeError(f"{where} is {result.dtype}, expected {target.dtype}")
            if result.data_ptr() == target.data_ptr() and result.stride() == target.stride():
                if result.dtype == target.dtype:
                    return
            with torch.no_grad():
                target.copy_(result)
        elif isinstance(target, (tuple, list)):
            if not isinstance(result, (tuple, list)) or len(result) != len(target):
                found = f"{len(result)} values" if isinstance(result, (tuple, list)) else type(result).__name__
                raise TypeError(f"{where} is {found}, expected {len(target)} values")
            for i, (one, other) in enumerate(zip(target, result)):
                self.store(one, other, f"{where}[{i}]")
        elif isinstance(target, dict):
            if not isinstance(result, dict) or not set(target) <= set(result):
                raise TypeError(f"{where} lacks keys, expected {', '.join(map(str, target))}")
            for key, one in target.items():
                self.store(one, result[key], f"{where}[{key!r}]")

    # The contestant's side

    def contestant(self, module, workload):
        name = self.plan.ENTRY
        lacking = [each for each in name.split(", ") if not callable(getattr(module, each, None))]
        if lacking:
            raise AttributeError(f"found no function {lacking[0]}, expected one: this task calls it")
        kernel = self.plan.KERNEL(module) if self.plan.KERNEL else getattr(module, name)
        on_cpu = device_of(workload) == "cpu"
        if on_cpu:
            stay_on_cpu()
        self.skeleton(workload)

        def run(**tensors):
            data, at = self.bound(workload, tensors)
            target = self.output(self.plan.OUTPUT, tensors, at)
            self.store(target, kernel(data), name + "()")

        return run

    # The judge's side

    def inputs(self, workload, seed):
        device = settle(workload)
        with torch.no_grad():
            value = self.generate(workload, seed)
            found = self.collected(value, device=device)
            if workload.name not in self.skeletons:
                self.skeleton(workload, value)
        return found

    def _given(self, workload, inputs, outputs):
        """(data as the task's check gets it, what the kernel returned)"""
        settle(workload)
        absent = {n: torch.empty_like(t) for n, t in outputs.items() if n not in inputs}
        data, _ = self.bound(workload, {**absent, **inputs})
        _, after = self.bound(workload, {**inputs, **outputs})
        return data, self.output(self.plan.OUTPUT, {**inputs, **outputs}, after)

    def check(self, workload, inputs, outputs):
        data, output = self._given(workload, inputs, outputs)
        try:
            return fault_in(self.plan.check_implementation(data, output))
        except AssertionError as fault:
            return " ".join(str(fault).split()) or "an assertion of the task's check failed"

    def unwritten(self, workload, known, make, as_held=lambda dtype: dtype):
        """Memory for the tensors of generate_input that are not `known`: places for answers."""
        found = {}
        for entry, _, _, shape, order, dtype in self.skeleton(workload)[1]:
            if entry["tensor"] not in known and entry["tensor"] not in found:
                kept = [shape[axis] for axis in order] if order else list(shape)
                found[entry["tensor"]] = make(kept, dtype=as_held(dtype), device=device_of(workload))
        return found

    def outputs(self, workload, inputs):
        """What ref_kernel answers, as the problem holds it: its places for answers too."""
        settle(workload)
        given = {name: tensor.clone() for name, tensor in inputs.items()}
        given |= self.unwritten(workload, given, torch.zeros)
        data, at = self.bound(workload, given)
        with torch.no_grad():
            result = self.plan.ref_kernel(data)
        found = {}
        for place, value in returned(self.plan.OUTPUT, result):
            if "tensor" in place:
                dtype = getattr(torch, self.plan.OUTPUT_TYPES.get(place["tensor"], ""), value.dtype)
                found[place["tensor"]] = stored(value, None).to(dtype)
            else:  # copied into `given`, where it does not lie there already
                self.store(self.output(place, given, at), value, "ref_kernel()")
        written = {entry["tensor"] for entry in self.plan.LEAVES if entry["role"] != "input"}
        return {**{name: given[name] for name in written}, **found}

    def exact(self, workload, inputs):
        settle(workload)
        wide = {n: t.double() if t.dtype in NARROW else t for n, t in inputs.items()}
        missing = self.unwritten(workload, wide, torch.empty, lambda dtype: torch.float64 if dtype in NARROW else dtype)
        data, _ = self.bound(workload, {**missing, **wide})
        default = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        try:
            with torch.no_grad(), InDouble():
                result = self.plan.ref_kernel(data)
        finally:
            torch.set_default_dtype(default)
        return self.in_fp64(result, exact=True)

    def in_fp64(self, result, exact=False):
        """What a kernel returned, by the names of the problem's outputs. `exact`: it is to have computed in fp64."""
        found = {}
        for place, value in returned(self.plan.OUTPUT, result):
            if "leaves" in place:
                raise Misfit("packed outputs have no values in fp64")
            entry = place if "tensor" in place else self.entry(place["leaf"])
            if exact and value.dtype in NARROW:
                raise Misfit("the reference computes in another type than float64")
            found[entry["tensor"]] = stored(value.double(), entry.get("order"))
        return found


def returned(plan, result):
    """(place, value) of each tensor that a kernel returned; `plan` is the generated OUTPUT."""
    if plan.keys() & {"tensor", "leaf", "leaves"}:
        yield plan, result
    for i, item in enumerate(plan.get("tuple") or plan.get("list") or ()):
        yield from returned(item, result[i])
    for key, item in (plan.get("dict") or {}).items():
        yield from returned(item, result[key])


NARROW = (torch.float32, torch.float16, torch.bfloat16)


class InDouble(TorchFunctionMode):
    """Every narrower floating type that a reference names is float64."""

    def __torch_function__(self, function, types_, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if kwargs.get("dtype") in NARROW:
            kwargs["dtype"] = torch.float64
        if function in (torch.Tensor.float, torch.Tensor.half, torch.Tensor.bfloat16):
            return torch.Tensor.double(args[0])
        if function in (torch.Tensor.to, torch.Tensor.type):
            args = (args[0], *(torch.float64 if isinstance(a, torch.dtype) and a in NARROW else a for a in args[1:]))
        return function(*args, **kwargs)


def device_of(workload):
    """The judge's workload says it; a contestant's has a stream where it runs on a GPU."""
    return getattr(workload, "device", None) or ("cuda" if hasattr(workload, "stream") else "cpu")


def settle(workload):
    device = device_of(workload)
    if device == "cpu":
        stay_on_cpu()
    return device


def fault_in(verdict):
    """None, or one sentence: what a task's check_implementation answered, in any of the forms that tasks use."""
    if isinstance(verdict, tuple) and len(verdict) == 2:
        right, message = verdict
        return None if right else " ".join(str(message).split()) or "the task's check says that it is wrong"
    if isinstance(verdict, (bool, int)) or type(verdict).__name__ == "bool_":
        return None if verdict else "the task's check says that it is wrong"
    if isinstance(verdict, (str, list)):
        message = " ".join(map(str, verdict)) if isinstance(verdict, list) else verdict
        return " ".join(message.split()) or None
    return None
