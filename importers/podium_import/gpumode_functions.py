# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Tasks of GPU MODE that have functions of their own in place of generate_input, ref_kernel and check_implementation.

Their reference.py has generate_inputs(…), and for each function that a submission has a reference_NAME with the same
arguments; ATOL and RTOL say how far answers may be off. The submission's functions end in the same NAME. What
generate_inputs takes beside a workload's own arguments stands in eval.py's call of it. From this a module is written
that has the usual three functions, and `kernel(module)` that calls a submission's.
"""

import ast

from podium_import.common import Refused


def _constants(tree):
    """Module-level names that are numbers."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                value = ast.literal_eval(node.value)
            except ValueError:
                continue
            if isinstance(value, (int, float)):
                found[node.targets[0].id] = value
    return found


def _functions(tree):
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def _parameters(function):
    return [argument.arg for argument in function.args.args]


def _given_by_eval(source, generate, known):
    """Parameters of generate_inputs that are the same in all workloads: name -> number, as eval.py passes them."""
    if source is None:
        return {}
    tree = ast.parse(source)
    constants = _constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "generate_inputs":
            passed = dict(zip(_parameters(generate), node.args))
            return {
                name: constants[value.id]
                for name, value in passed.items()
                if name not in known and isinstance(value, ast.Name) and value.id in constants
            }
    return {}


def module_for(reference, evaluation, submission, known):
    """The text of the module. `known`: names of a workload's arguments. Raises Refused where this is another form."""
    tree = ast.parse(reference)
    functions = _functions(tree)
    refused = Refused("its reference.py has no generate_input, ref_kernel and check_implementation; eval.py calls others")
    generate = functions.get("generate_inputs")
    parts = [name.removeprefix("reference_") for name in functions if name.startswith("reference_")]
    if generate is None or not parts or submission is None:
        raise refused
    returned = [n.value for n in ast.walk(generate) if isinstance(n, ast.Return)][-1]
    names = [e.id for e in getattr(returned, "elts", [returned]) if isinstance(e, ast.Name)]
    own = list(_functions(ast.parse(submission)))
    calls, lookups = [], []
    for part in parts:
        arguments = _parameters(functions[f"reference_{part}"])
        theirs = [name for name in own if name == part or name.endswith("_" + part)]
        if len(theirs) != 1 or not set(arguments) <= set(names):
            raise refused
        calls.append(f"reference_{part}({', '.join(arguments)})")
        lookups.append((part, theirs[0], ", ".join(arguments)))
    constants = _constants(tree)
    given = _given_by_eval(evaluation, generate, known)
    lacking = [p for p in _parameters(generate) if p not in given and p not in known and p != "seed"]
    if len(lacking) > len(generate.args.defaults):
        raise Refused(f"generate_inputs takes {', '.join(lacking)}, which neither task.yml nor eval.py states")
    imported = ["generate_inputs", *(f"reference_{part}" for part in parts)]
    given_text = "".join(f", {name}={value!r}" for name, value in given.items())
    looked = "\n".join(f'    {part} = getattr(module, "{name}")' for part, name, _ in lookups)
    called = ", ".join(f"{part}({arguments})" for part, _, arguments in lookups)
    unpacked = ", ".join(names) + ("," if len(names) == 1 else "")
    return f'''# Written by `podium import gpumode`: this task's functions under the names that others have.
import torch
from task_reference import {", ".join(imported)}

FUNCTIONS = {[name for _, name, _ in lookups]}
ATOL, RTOL = {constants.get("ATOL", 1e-8)}, {constants.get("RTOL", 1e-5)}


def generate_input(seed, **arguments):
    return generate_inputs(**arguments{given_text}, seed=seed)


def ref_kernel(data):
    {unpacked} = data
    return {", ".join(calls)}{"," if len(calls) == 1 else ""}


def kernel(module):
{looked}

    def call(data):
        {unpacked} = data
        return {called}{"," if len(calls) == 1 else ""}

    return call


def check_implementation(data, output):
    for name, expected, received in zip(FUNCTIONS, ref_kernel(data), output):
        if expected.shape != received.shape or expected.dtype != received.dtype:
            return f"{{name}}: {{received.dtype}}{{list(received.shape)}}, expected {{expected.dtype}}{{list(expected.shape)}}"
        wrong = ~torch.isclose(received, expected, rtol=RTOL, atol=ATOL)
        if bool(wrong.any()):
            return f"{{name}}: {{int(wrong.sum())}} of {{wrong.numel()}} elements differ from the reference"
    return ""
'''
