# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""references_test.py TENSORS FILE: a problem's references against its module in problems/.

On every test workload, and with PODIUM_TEST_WHOLE on every board: every reference, every magnitude and every structure that follows from another, to
rounding; the module's outputs, rounded once by ml_dtypes, must be right, and with one element changed wrong. Then the
problem is changed as the module's CHANGED says, and a difference must be found. TENSORS is the program of
tensors_main.cpp.
"""

import importlib
import json
import pathlib
import subprocess
import sys
import tempfile
import types

import numpy

import memory

# Relative to the largest term, of sums of up to 10^5 terms in fp64, in whatever order.
ROUNDING = 1e-12


class Difference(Exception):
    pass


class Judge:
    """The program that fills, evaluates and verifies."""

    def __init__(self, tensors, file, folder):
        self.folder = folder
        self.process = subprocess.Popen(
            [tensors, file, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def hears(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def says(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ends(self):
        self.process.stdin.close()
        self.process.stdout.close()  # after a difference, nobody reads about the other workloads
        return self.process.wait()

    def bytes_of(self, name):
        return (self.folder / name).read_bytes()


def drawn(judge, told):
    """What a module sees: axes, parameters, constants, inputs and structure by name."""
    seen = types.SimpleNamespace(**told["numbers"], types=told.get("types", {}))
    for tensor in told["tensors"]:
        if tensor["role"] != "output":  # of an inout: what was there before the call
            setattr(seen, tensor["name"], memory.read(tensor, judge.bytes_of(tensor["name"] + ".input")))
    for structure in told["structure"]:
        setattr(seen, structure["name"], memory.read(structure, judge.bytes_of(structure["name"] + ".input")))
    return seen


def compare(name, found, expected):
    value, scale = expected if isinstance(expected, tuple) else (expected, 0)
    value = numpy.asarray(value)
    if value.shape != found.shape:
        raise Difference(f"{name} has the shape {found.shape}, expected {value.shape}")
    if value.dtype.kind in "iub":
        wrong = found != value
    else:
        with numpy.errstate(invalid="ignore"):
            far = ~(numpy.abs(found - value) <= ROUNDING * numpy.maximum(numpy.abs(value), scale))
        wrong = far & (found != value) & ~(numpy.isnan(found) & numpy.isnan(value))
    if wrong.any():
        at = tuple(int(k) for k in numpy.argwhere(wrong)[0])
        raise Difference(f"{name}{list(at)} is {found[at]}, expected {value[at]}; {wrong.sum()} of {wrong.size} differ")


def evaluated(judge, reference, kind, integral):
    values = numpy.frombuffer(judge.bytes_of(reference["file"] + kind), numpy.int64 if integral else numpy.float64)
    return values.reshape(reference["extents"])


def hold(judge, told, module):
    """One workload. How many references were compared."""
    seen = drawn(judge, told)
    for name, expected in getattr(module, "structure", lambda _: {})(seen).items():
        compare(name, getattr(seen, name), expected)
    outputs = [tensor for tensor in told["tensors"] if tensor["role"] != "input"]
    exact = module.outputs(seen)
    given = types.SimpleNamespace()
    for tensor in outputs:
        stored = memory.write(tensor, exact[tensor["name"]])
        (judge.folder / (tensor["name"] + ".output")).write_bytes(stored)
        setattr(given, tensor["name"], memory.read(tensor, stored))
    judge.says("verify")
    said = judge.hears()
    if said is None:
        raise RuntimeError("the judge ended")
    for reference in said["references"]:
        if reference["probe"]:
            probe = evaluated(judge, reference, "reference", False)
            if not (numpy.abs(probe) == 1).all():
                raise Difference(f"the probe {reference['name']} is not +-1")
            setattr(given, reference["name"], probe)
    if not said["references"] and told["evaluations"] > 0 and any(0 not in tensor["extents"] for tensor in outputs):
        raise Difference("nothing was evaluated")
    expected = dict(exact)
    if said["references"]:
        expected.update(getattr(module, "references", lambda *_: {})(seen, given))
    magnitudes = getattr(module, "magnitudes", lambda _: {})(seen)
    for reference in said["references"]:
        name = ("checks." if reference["check"] else "") + reference["name"].removeprefix("checks.")
        if reference["probe"] or 0 in reference["extents"]:
            continue
        if name not in expected:
            raise Difference(f"{name} is not in the module: state it there")
        value = expected[name]
        integral = numpy.asarray(value[0] if isinstance(value, tuple) else value).dtype.kind in "iub"
        if name in magnitudes and not isinstance(value, tuple):
            value = (value, magnitudes[name])
        compare(name, evaluated(judge, reference, "reference", integral), value)
        if reference["magnitude"] and not integral:  # whole numbers are exact
            if name not in magnitudes:
                raise Difference(f"the magnitude of {name} is not in the module: state it there")
            compare(f"the magnitude of {name}", evaluated(judge, reference, "magnitude", False), magnitudes[name])
    if not said["right"]:
        raise Difference(f"the answer is wrong: {said['text']}")
    spoil(judge, outputs, given)
    judge.says("next")
    return len(said["references"])


def spoil(judge, outputs, given):
    """With one element changed, in the first output that has one, the judge must say so."""
    for tensor in outputs:
        values = getattr(given, tensor["name"])
        if values.size == 0:
            continue
        spoilt = values.copy()
        at = numpy.unravel_index(values.size // 2, values.shape)
        spoilt[at] = numpy.nan if values.dtype.kind == "f" else spoilt[at] + 1
        (judge.folder / (tensor["name"] + ".output")).write_bytes(memory.write(tensor, spoilt))
        judge.says("verify")
        if judge.hears()["right"]:
            raise Difference(f"{tensor['name']}{list(map(int, at))} may be {spoilt[at]} in place of {values[at]}")
        return


def examine(tensors, file, module):
    """All test workloads: how many workloads, how many references."""
    workloads = references = 0
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(tensors, file, pathlib.Path(folder))
        try:
            while told := judge.hears():
                try:
                    references += hold(judge, told, module)
                except Difference as difference:
                    raise Difference(f"{told['choice']}, {told['workload']}: {difference}") from None
                workloads += 1
        finally:
            status = judge.ends()
    if status != 0 or workloads == 0:
        raise RuntimeError(f"{tensors} ended with status {status} after {workloads} workloads")
    return workloads, references


def expect_difference(tensors, file, module):
    """The test itself, tested."""
    old, new = module.CHANGED
    text = file.read_text()
    if text.count(old) != 1:
        sys.exit(f"{file} has {text.count(old)} times what is to be changed, expected once: {old}")
    with tempfile.TemporaryDirectory() as folder:
        other = pathlib.Path(folder, file.parent.name, file.name)
        other.parent.mkdir()
        other.write_text(text.replace(old, new))
        try:
            examine(tensors, other, module)
        except Difference as difference:
            return difference
    sys.exit(f"{file}: with {new} in place of {old} no difference was found")


def main(tensors, file):
    file = pathlib.Path(file)
    module = importlib.import_module("problems." + file.parent.name)
    try:
        workloads, references = examine(tensors, file, module)
    except Difference as difference:
        sys.exit(f"{file}: {difference}")
    print(f"{file.parent.name}: {references} evaluations on {workloads} workloads agree with NumPy")
    print(f"changed, it does not: {expect_difference(tensors, file, module)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
