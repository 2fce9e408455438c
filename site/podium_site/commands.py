# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Commands for a shell that repeat a run, a board or its verdicts, built from the record.

A record of schema 1 lacks fields; then the command that was typed says it. Of that command only options that say what
is measured are taken: a record is hostile text, and no option of it may run a program.
"""

import re
import shlex

from .text import number

_KEPT = ("--problems", "--async", "--timeout", "--setup-timeout", "--memory", "--device-memory")
_WITH_VALUE = {*_KEPT, "--device", "--results", "--format", "--resume", "--rounds", "--under", "--workload", "--seed", "--call", "--structure"}
# The fields of run.json that an option sets, and their value without it.
_FLAGS = (("isolated", "--isolated", False), ("columns", "--cold-only", True), ("energy", "--energy", False))
_COMMIT = re.compile(r"(\w[\w.]*-\d+-g)?[0-9a-f]{7,40}|v?\d+(\.\d+)+")  # as `git describe --always` names it


class _Typed:
    """The command that began a run, as its record has it."""

    def __init__(self, command):
        self.problems, self.contestants, self.options = [], [], {}
        try:
            words = shlex.split(str(command or ""))[1:]
        except ValueError:  # no command of a shell
            words = []
        self.verb = words[0] if words[:1] in (["run"], ["verify"]) else ""
        words, into = iter(words[1:] if self.verb else ()), self.problems
        for word in words:
            name, equals, value = word.partition("=")
            if not word.startswith("-"):
                into.append(word)
            elif name == "--contestant":
                into = self.contestants
                into += [value] if equals else []
            else:
                into = self.problems
                self.options[name] = next(words, "") if name in _WITH_VALUE and not equals else value

    def flags(self, *names):
        return [name for name in names if name in self.options]


def of_run(run):
    """The whole run; "" where the record does not say how it was begun."""
    if not run.run.get("command"):
        return ""
    typed = _Typed(run.run["command"])
    verb = typed.verb or ("verify" if run.emulated else "run")
    problems, stage = typed.problems, typed.flags("--full", "--quick")
    if not typed.verb or "--resume" in typed.options:
        problems = list(dict.fromkeys(board.problem for board in run.boards))
        stage = _stage(run, *(board.stage for board in run.boards))
    options = stage + typed.flags("--require-sandbox") + _options(run, typed, verb)
    return _joined(run, verb, problems, options, typed.contestants)


def of_board(board, names):
    """The measurement of these contestants; "" without one."""
    options = _stage(board.run, board.stage) + _options(board.run, _Typed(board.run.run.get("command")), "run")
    return _joined(board.run, "run", [board.problem], options, names) if names else ""


def of_verdicts(board):
    """The verification alone: of every element, but on an emulated device, which is slow, as the run did it."""
    typed = _Typed(board.run.run.get("command"))
    stage = typed.flags("--full", "--quick") if board.run.emulated else ["--full"]
    return _joined(board.run, "verify", [board.problem], stage + _options(board.run, typed, "verify"))


def _stage(run, *stages):
    """The option for these boards' workloads, where they may not be the device's default."""
    if "bench" in stages:
        return ["--full"] if run.processor else []
    return ["--quick"] if "quick" in stages else []


def _options(run, typed, verb):
    options = []
    if verb == "run":
        chosen = run.run.get("filter", typed.options.get("--benchmark_filter"))
        rounds = number(run.run.get("rounds"))
        options += [f"--benchmark_filter={chosen}"] if chosen else []
        options += ["--rounds", f"{rounds:.0f}"] if rounds else []
        for field, flag, without in _FLAGS:
            options += [flag] if run.run.get(field, without ^ (flag in typed.options)) is not without else []
    for name in _KEPT:
        value = typed.options.get(name, "")
        options += [name, value] if value and not value.startswith("-") else []
    return options


def _device(run):
    """As `--device` takes it; "" where the record does not say."""
    device = run.run.get("device") or {}
    backend, architecture = (str(device.get(key) or "") for key in ("backend", "architecture"))
    if not backend or not run.emulated:
        return backend if run.processor or not backend else f"{backend}:0"
    named = re.search(r"\bsm_\w+", str(device.get("product", "")))  # which has the letter that the architecture lacks
    return f"{backend}:emulated:{named[0] if named else architecture}"


def _joined(run, verb, problems, options, contestants=()):
    """With the checkout before it. A name that podium would take for an option is left out; "" if no problem is left."""
    named, entrants = ([name for name in names if not name.startswith("-")] for names in (problems, contestants))
    if problems and not named:
        return ""
    device = _device(run)
    words = ["scripts/podium", verb, *named, *(["--device", device] if device else []), *options]
    commit = run.commit.removesuffix("-dirty")
    checkout = f"git checkout {commit} &&\n" if _COMMIT.fullmatch(commit) else ""
    return checkout + shlex.join(words + (["--contestant", *entrants] if entrants else []))
