# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Judge and worker in one process, without either's protection: shows that a folder does what its task does.

An import tries each folder on the task's smallest workload before it is placed. Nothing here decides a contest.
"""

import sys
import types

import torch

from podium_import import podium_task

TORCH = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
    "i64": torch.int64, "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool,
}  # fmt: skip
for _short, _long in {
    "u64": "uint64", "u32": "uint32", "u16": "uint16", "e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2",
    "e4m3_fnuz": "float8_e4m3fnuz", "e5m2_fnuz": "float8_e5m2fnuz", "e8m0": "float8_e8m0fnu",
}.items():  # fmt: skip
    if hasattr(torch, _long):
        TORCH[_short] = getattr(torch, _long)


def bytes_of(tensor):
    return tensor.flatten().view(torch.uint8)


class Trial:
    def __init__(self, problem, reference):
        """`reference`: the task's reference.py, loaded."""
        plan_text = problem.files["task/podium_plan.py"].decode()
        sys.modules["task_reference"] = reference
        plan = types.ModuleType("podium_plan")
        exec(compile(plan_text, "podium_plan.py", "exec"), plan.__dict__)
        self.problem, self.task = problem, podium_task.Task(plan)

    def workload(self, row):
        return types.SimpleNamespace(**row, device="cpu")

    def extents(self, row, tensor):
        names = {"ceil_div": lambda a, b: -(-a // b), **row}
        return [int(eval(str(formula), {"__builtins__": {}}, names)) for formula in tensor.shape]

    @staticmethod
    def dtype(row, tensor):
        return TORCH[row.get(tensor.dtype, tensor.dtype)]

    def call(self, kernel, row, seed=20):
        """None, or why the answer of `kernel` is not right."""
        workload = self.workload(row)
        given = self.task.inputs(workload, seed)
        tensors, answers = {}, {}
        for name, tensor in self.problem.tensors.items():
            shape, dtype = self.extents(row, tensor), self.dtype(row, tensor)
            if tensor.role != "output":
                if list(given[name].shape) != shape or given[name].dtype != dtype or not given[name].is_contiguous():
                    return f"inputs() has {name} as {given[name].dtype}{list(given[name].shape)}, expected {dtype}{shape}"
                tensors[name] = given[name].clone()
            else:
                tensors[name] = torch.zeros(shape, dtype=dtype)
                bytes_of(tensors[name]).fill_(0x4D if dtype is not torch.bool else 1)
        module = types.ModuleType("contestant")
        self.task.plan.KERNEL, self.task.plan.ENTRY = None, "custom_kernel"
        module.custom_kernel = kernel
        with torch.no_grad():
            self.task.contestant(module, workload)(**tensors)
            for name, tensor in self.problem.tensors.items():
                if tensor.role != "input":
                    answers[name] = tensors[name]
                elif bytes_of(tensors[name]).ne(bytes_of(given[name])).any():
                    return f"{name} has changed, which is an input"
            return self.task.check(workload, {n: t.clone() for n, t in given.items()}, answers)

    def own_answer(self, row, seed=20):
        """None, or why outputs() of the reference is not what its own check accepts, in the problem's types."""
        workload = self.workload(row)
        given = self.task.inputs(workload, seed)
        answers = self.task.outputs(workload, {n: t.clone() for n, t in given.items()})
        for name, tensor in self.problem.tensors.items():
            if tensor.role == "input":
                continue
            shape, dtype = self.extents(row, tensor), self.dtype(row, tensor)
            if name not in answers or list(answers[name].shape) != shape or answers[name].dtype != dtype:
                found = f"{answers[name].dtype}{list(answers[name].shape)}" if name in answers else "nothing"
                return f"its {name} is {found}, expected {dtype}{shape}"
        return self.task.check(workload, {n: t.clone() for n, t in given.items()}, answers)

    def exact(self, row, seed=20):
        """name -> the largest difference between the reference and itself in fp64, over the largest value."""
        workload = self.workload(row)
        given = self.task.inputs(workload, seed)
        exact = self.task.exact(workload, {n: t.clone() for n, t in given.items()})
        with torch.no_grad():
            absent = {
                n: torch.empty(self.extents(row, t), dtype=self.dtype(row, t))
                for n, t in self.problem.tensors.items()
                if n not in given
            }
            data, _ = self.task.bound(workload, {**absent, **given})
            plain = self.task.in_fp64(self.task.plan.ref_kernel(data))
        differences = {}
        for name, value in exact.items():
            if not torch.isfinite(value).all() or value.shape != plain[name].shape:
                raise podium_task.Misfit(f"{name} is not finite in fp64")
            most = value.abs().max().item() if value.numel() else 0
            differences[name] = ((value - plain[name]).abs().max().item() / most) if most else 0.0
        return differences
