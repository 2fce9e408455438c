# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the reference of a folder that an importer made, and sees whether its check knows right from wrong."""

import importlib
import os
import sys
import tempfile


def sentence(fault):
    """An exception as one line: its type and message."""
    text = " ".join(str(fault).split())
    return f"{type(fault).__name__}: {text[:300]}" if text else type(fault).__name__


class Report:
    """fault: None, or a word for its kind; text: one sentence; blind: whether the answer for other inputs passes."""

    def __init__(self, fault, text, blind=False):
        self.fault, self.text, self.blind = fault, text, blind

    def enter(self, problem, of):
        """That the reference is right, into what origin.yaml says."""
        import torch

        problem.seen = {"reference": "right"}
        problem.notes["checked"] = f"on the CPU with PyTorch {torch.__version__}, {of}: {self.text}"


MOST_FULL = 1 << 26  # elements of a workload; larger ones are drawn once, and only right and wrong are told apart


def examine(problem, workloads):
    """The problem's reference on some workloads: it runs, repeats itself, depends on its inputs, and its check
    accepts its own answer and refuses another one. Works in a copy, with modules that it removes again."""
    with tempfile.TemporaryDirectory() as place:
        files = {**problem.files, **problem.origin, "reference.py": problem.reference.encode()}
        for path, content in files.items():
            with open(os.path.join(place, os.path.basename(path)), "wb") as file:
                file.write(content)
        before, path = set(sys.modules), list(sys.path)
        sys.path.insert(0, place)
        try:
            reference = importlib.import_module("reference")
            for workload in workloads:
                report = _one(reference, workload)
                if report.fault is not None:
                    return report
            return report
        except Exception as error:  # noqa: BLE001  whatever a task raises
            return Report("raised", sentence(error))
        finally:
            sys.path[:] = path
            for name in set(sys.modules) - before:
                if getattr(sys.modules[name], "__file__", None) and str(sys.modules[name].__file__).startswith(place):
                    del sys.modules[name]


def _clones(tensors):
    return {name: tensor.clone() for name, tensor in tensors.items()}


def _same(a, b):
    import torch

    return all(torch.equal(torch.nan_to_num(a[n].double()), torch.nan_to_num(b[n].double())) for n in a)


def _one(reference, workload):
    import torch

    first = reference.inputs(workload, 11)
    full = sum(tensor.numel() for tensor in first.values()) <= MOST_FULL
    if full and not _same(first, reference.inputs(workload, 11)):
        return Report("inputs", "inputs differ from call to call with the same seed")
    if hasattr(reference, "sampled"):
        fault = reference.check(workload, first, reference.sampled(workload, first))
        return Report("check", f"its reference fails its own check: {fault}") if fault else Report(None, PASSES)
    kept = _clones(first)
    answer = _clones(reference.outputs(workload, first))
    if not _same(kept, first):
        return Report("in place", "its reference changes its inputs")
    torch.manual_seed(5)
    if full and not _same(answer, reference.outputs(workload, _clones(kept))):
        return Report("stateful", "the same inputs give another answer the second time")
    for name, tensor in answer.items():
        if tensor.is_floating_point() and not torch.isfinite(tensor.float()).all():
            return Report("infinite", f"its answer {name} is not finite everywhere")
    if fault := reference.check(workload, first, _clones(answer)):
        return Report("check", f"its reference fails its own check: {fault}")
    wrong = _clones(answer)
    name = next(iter(answer))
    wrong[name] = _changed(wrong[name])
    if reference.check(workload, first, wrong) is None:
        return Report("lax", f"its check accepts {name} * 1.5 + 3")
    if not full:
        return Report(None, PASSES)
    blind = _blind(reference, workload, kept, answer)
    return Report(None, PASSES + blind + _error(reference, workload, kept, answer), bool(blind))


PASSES = "reference passes its own check"


def _changed(tensor):
    import torch

    return ~tensor if tensor.dtype == torch.bool else (tensor.double() * 1.5 + 3).to(tensor.dtype)


def _blind(reference, workload, inputs, answer):
    """A remark if a contestant could be right without reading its inputs."""
    found = _clones(reference.outputs(workload, reference.inputs(workload, 12)))
    if _same(answer, found):
        return "; its answer is the same for other inputs"
    if reference.check(workload, _clones(inputs), found) is None:
        return "; its check accepts the answer for other inputs"
    return ""


def _error(reference, workload, inputs, answer):
    if not hasattr(reference, "exact"):
        return ""
    try:
        exact = reference.exact(workload, _clones(inputs))
        errors = [(answer[n].double() - exact[n]).abs().max().item() for n in exact if answer[n].numel()]
        return f"; largest error against fp64 {max(errors):.2g}"
    except Exception as fault:  # noqa: BLE001
        return f"; no fp64 ({sentence(fault)[:120]})"
