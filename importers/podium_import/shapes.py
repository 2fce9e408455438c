# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Formulas of extents: which of a task's parameters an extent follows in all workloads."""

FACTORS = (2, 3, 4, 8, 16, 32, 64, 128, 256)


class Solver:
    def __init__(self, parameters, workloads):
        """parameters: name -> a number for each workload; all of them become axes."""
        self.axes = dict(parameters)
        self.parameters = dict(parameters)
        self.workloads = workloads

    def formula(self, column, name):
        """(number or formula, indices of workloads for which it is not known). `column` has a number for each
        workload, or None where nobody knows it; `name` is that of a new axis, where one is needed."""
        known = [i for i, value in enumerate(column) if value is not None]
        values = [column[i] for i in known]
        for axis, numbers in self.axes.items():
            if [numbers[i] for i in known] == values and (len(set(values)) > 1 or values[0] > 1):
                return axis, ()
        if len(set(values)) == 1 and len(known) == len(column):
            return values[0], ()
        for formula, numbers in self.candidates():
            if len(set(values)) > 1 and [numbers[i] for i in known] == values:
                if all(numbers[i] is not None and numbers[i] >= 0 for i in range(len(column))):
                    return formula, ()
        if len(set(values)) == 1 and len(known) > 2:
            return values[0], ()
        filled = [0 if value is None else value for value in column]
        self.axes[name] = filled
        return name, [i for i, value in enumerate(column) if value is None]

    def candidates(self):
        names = list(self.parameters.items())
        for name, p in names:
            for c in FACTORS:
                yield f"{c} * {name}", [c * v for v in p]
                if all(v % c == 0 for v in p):
                    yield f"{name} / {c}", [v // c for v in p]
                yield f"ceil_div({name}, {c})", [-(-v // c) for v in p]
            for c in (1, -1, 2, -2):
                yield f"{name} {'+' if c > 0 else '-'} {abs(c)}", [v + c for v in p]
        for i, (one, p) in enumerate(names):
            for other, q in names[i + 1 :]:
                yield f"{one} * {other}", [a * b for a, b in zip(p, q)]
                yield f"{one} + {other}", [a + b for a, b in zip(p, q)]
        for one, p in names:
            for other, q in names:
                if one != other:
                    yield f"{one} - {other} + 1", [a - b + 1 for a, b in zip(p, q)]
                    if all(b and a % b == 0 for a, b in zip(p, q)):
                        yield f"{one} / {other}", [a // b for a, b in zip(p, q)]
        for i, (one, p) in enumerate(names):
            for j, (other, q) in enumerate(names[i + 1 :], i + 1):
                for third, r in names[j + 1 :]:
                    yield f"{one} * {other} * {third}", [a * b * c for a, b, c in zip(p, q, r)]
