# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""What importers share: a problem is drawn up as a `Problem`, written to a folder, and placed where the user wants it.

An importer is a module KIND.py with one function:

    def tasks(source, options):         # source: pathlib.Path; options: argparse.Namespace with `name`
        yield name, make                # make() -> Problem; raises Refused where the task cannot be taken

`draw` runs each `make`, which executes the task's code, and writes folders to a scratch folder. `place` executes
nothing of the task: it compares and copies.
"""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil

# Formats
# -------

DTYPES = (
    "f64 f32 f16 bf16 i64 i32 i16 i8 u64 u32 u16 u8 bool e4m3 e5m2 e4m3_fnuz e5m2_fnuz e8m0 e2m1".split()
)
MOST_TENSORS, MOST_AXES, MOST_PARAMETERS, MOST_WORKLOADS, MOST_RANK = 24, 48, 16, 256, 6

_KEYWORDS = frozenset(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class
    co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default
    delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this
    thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
    xor_eq""".split()
)
_RESERVED = frozenset(
    """Workload Arguments Structure workload arguments hash problem std name fill normal segment ranks eps size infinity
    random main I warpSize threadIdx blockIdx blockDim gridDim abs floor ceil sqrt exp log log2 tanh erf pow ldexp
    ceil_div next_power_of_2 min max sum cos sin round_to alloca assert errno linux unix major minor offsetof stderr
    stdin stdout i386 stream device types seed self""".split()
)


class Refused(Exception):
    """Why a task is not taken, in one sentence without a full stop."""


def identifier(text, taken=(), otherwise="x"):
    """`text` as a name that a problem file may use, and that is not in `taken`."""
    name = re.sub(r"[^A-Za-z0-9_]+", "_", str(text))
    name = re.sub(r"__+", "_", name).strip("_")[:56] or otherwise
    if name[0].isdigit():
        name = f"{otherwise}_{name}"
    if len(name) > 1 and name.upper() == name and not re.fullmatch(r"[A-Z][0-9]*", name):
        name = name.lower()
    if name.startswith("podium"):
        name = "its_" + name
    if name in _KEYWORDS or name in _RESERVED or name in DTYPES or name in ("name", "fill", "ranks"):
        name += "_"
    stem, number = name.rstrip("_"), 2
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    return name


def problem_name(text):
    name = re.sub(r"[^A-Za-z0-9_]+", "_", str(text)).strip("_") or "task"
    return name if not name[0].isdigit() else "task_" + name


def workload_name(text):
    return re.sub(r"[^A-Za-z0-9_.=,+-]+", "_", str(text)) or "workload"


def load_yaml(path):
    """The YAML file's content. `podium import` has read it already; without it, PyYAML does."""
    path = pathlib.Path(path)
    if documents := os.environ.get("PODIUM_IMPORT_DOCUMENTS"):
        known = json.loads(pathlib.Path(documents).read_text(encoding="utf-8"))
        if str(path) in known:
            return known[str(path)]
    try:
        import yaml
    except ImportError:
        raise Refused(f"{path.name} cannot be read: the interpreter has no package yaml") from None
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as fault:
        raise Refused(f"{path.name} is not valid YAML: {' '.join(str(fault).split())}") from None


_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
_WORDS = frozenset("true false null yes no on off y n True False None Null".split())


def scalar(value, flow=False):
    """A scalar of YAML 1.2, quoted where it must be."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    text = str(value)
    if _PLAIN.fullmatch(text) and text not in _WORDS:
        return text
    return json.dumps(text, ensure_ascii=False)


def flow(value):
    """A value in YAML's flow style: `{ a: 1, b: [c, d] }`."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{scalar(k)}: {flow(v)}" for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(v) for v in value) + "]"
    return scalar(value)


# A problem
# ---------


@dataclasses.dataclass
class Tensor:
    role: str  # input, output, inout
    dtype: str  # one of DTYPES, or a key of `types`
    shape: list  # formulas (text) and numbers
    comment: str = ""  # behind its line in the YAML


@dataclasses.dataclass
class Problem:
    """Everything that `write` puts into a folder. Paths in `modules`, `origin` and `files` are relative to it."""

    name: str
    title: str
    source: str  # where the task comes from: an address or a folder
    kind: str  # gpumode, kernelbench, flashinfer-bench
    description: str = ""
    revision: str = ""  # commit or version of the source, where known
    licence: str = ""  # SPDX identifier or a name, where known
    axes: list = dataclasses.field(default_factory=list)
    parameters: dict = dataclasses.field(default_factory=dict)  # name -> f32 | f64
    types: list = dataclasses.field(default_factory=list)  # maps of key -> dtype, each a board
    tensors: dict = dataclasses.field(default_factory=dict)  # name -> Tensor
    workloads: dict = dataclasses.field(default_factory=dict)  # test | quick | bench -> list of maps with `name`
    tolerances: dict = dataclasses.field(default_factory=dict)  # output -> map; empty where reference.py has check()
    modules: list = dataclasses.field(default_factory=list)  # what reference.py and adapter.py import
    adapter_modules: list = dataclasses.field(default_factory=list)  # further ones of adapter.py, and contestants
    framework: str = "torch"
    reference: str = ""  # text of reference.py
    adapter: str = ""  # text of adapter.py
    sections: dict = dataclasses.field(default_factory=dict)  # further top-level keys of problem.yaml
    files: dict = dataclasses.field(default_factory=dict)  # generated modules and contestants: path -> bytes
    origin: dict = dataclasses.field(default_factory=dict)  # unmodified files: path below origin/ -> bytes
    baseline: dict = dataclasses.field(default_factory=dict)  # cuda | hip | host -> contestant
    left_out: list = dataclasses.field(default_factory=list)  # sentences: what could not be taken, and why
    notes: dict = dataclasses.field(default_factory=dict)  # further keys of origin.yaml: time-outs, ranking, …
    seen: dict = dataclasses.field(default_factory=dict)  # for the report alone: what running the task has shown


def problem_yaml(problem):
    out = [f"# Written by `podium import {problem.kind}`; origin/origin.yaml says of what."]
    out += ["podium: 1", f"title: {scalar(problem.title)}"]
    if problem.description:
        out.append("description: |")
        out += [("  " + line.rstrip()).rstrip() for line in problem.description.strip().splitlines()]
    if problem.axes:
        out.append(f"axes: {flow(problem.axes)}")
    if problem.parameters:
        out.append(f"parameters: {flow(problem.parameters)}")
    if problem.types:
        out.append("types:")
        out += [f"  - {flow(choice)}" for choice in problem.types]
    out.append("tensors:")
    for name, tensor in problem.tensors.items():
        row = {"role": tensor.role, "dtype": tensor.dtype, "shape": tensor.shape}
        if name in problem.tolerances:
            row["tolerance"] = problem.tolerances[name]
        out.append(f"  {name}: {flow(row)}" + (f"  # {tensor.comment}" if tensor.comment else ""))
    for key, more in (("reference", []), ("adapter", problem.adapter_modules)):
        if key == "reference" or problem.adapter:
            modules = [*problem.modules, *more]
            out.append(f"{key}: {flow({'python': key + '.py', 'framework': problem.framework, 'modules': modules})}")
    for key, value in problem.sections.items():
        out.append(f"{key}: {flow(value)}")
    if problem.baseline:
        out.append(f"baseline: {flow(problem.baseline)}")
    out.append("workloads:")
    for stage in ("quick", "bench", "test"):
        if problem.workloads.get(stage):
            out.append(f"  {stage}:")
            out += [f"    - {flow(workload)}" for workload in problem.workloads[stage]]
    return "\n".join(out) + "\n"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def _origin_yaml(problem, written):
    out = ["# What this problem was made of. `podium import` reads `written` when it is repeated."]
    out += [f"kind: {scalar(problem.kind)}", f"source: {scalar(problem.source)}"]
    out += [f"revision: {scalar(problem.revision or None)}", f"licence: {scalar(problem.licence or None)}"]
    for key, value in problem.notes.items():
        out.append(f"{key}: {flow(value)}")
    out.append("left_out:" if problem.left_out else "left_out: []")
    out += [f"  - {scalar(sentence)}" for sentence in problem.left_out]
    for title, paths in (
        ("files", [path for path in written if path.startswith("origin/")]),
        ("written", [path for path in written if not path.startswith("origin/")]),
    ):
        out.append(f"{title}:" if paths else f"{title}: {{}}")
        out += [f"  {json.dumps(path)}: {written[path]}" for path in paths]
    return "\n".join(out) + "\n"


def write(problem, folder):
    """Writes the problem to `folder`, which must not exist. Raises Refused where it exceeds the format's limits."""
    for what, amount, most in (
        ("tensors", len(problem.tensors), MOST_TENSORS),
        ("axes", len(problem.axes), MOST_AXES),
        ("parameters", len(problem.parameters), MOST_PARAMETERS),
        ("workloads", sum(map(len, problem.workloads.values())), MOST_WORKLOADS),
    ):
        if amount > most:
            raise Refused(f"it has {amount} {what}, and a problem at most {most}")
    if not problem.workloads.get("test"):
        raise Refused("it has no test workload")
    content = {"problem.yaml": problem_yaml(problem).encode(), "reference.py": problem.reference.encode()}
    if problem.adapter:
        content["adapter.py"] = problem.adapter.encode()
    content.update(problem.files)
    content.update({"origin/" + path: data for path, data in problem.origin.items()})
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True)
    written = {}
    for path in sorted(content):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content[path])
        written[path] = sha256(content[path])
    (folder / "origin").mkdir(exist_ok=True)
    (folder / "origin" / "origin.yaml").write_text(_origin_yaml(problem, written), encoding="utf-8")


# Placing
# -------

_LISTED = re.compile(r'  ("(?:[^"\\]|\\.)*"): ([0-9a-f]{64})')


def files_of(folder):
    """What origin.yaml lists: path -> SHA-256. None if `folder` was not imported."""
    try:
        lines = (pathlib.Path(folder) / "origin/origin.yaml").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    return {json.loads(m[1]): m[2] for line in lines if (m := _LISTED.fullmatch(line))}


def _plain_file(folder, path):
    """The path of a file below `folder`, which the task's code may have filled: no links, no way out of it."""
    file = folder / path
    if pathlib.PurePosixPath(path).is_absolute() or ".." in pathlib.PurePosixPath(path).parts:
        raise Refused(f"what was drawn up names {path}, which lies outside of its folder")
    if os.path.realpath(file) != os.path.join(os.path.realpath(folder), path) or not file.is_file():
        raise Refused(f"what was drawn up lacks the file {path}")
    return file


def place(drawn, target):
    """Copies the folder `drawn` to `target`. Returns "imported", "updated" or "unchanged". Raises Refused where
    that would overwrite what somebody wrote."""
    drawn, target = pathlib.Path(drawn), pathlib.Path(target)
    _plain_file(drawn, "origin/origin.yaml")
    new = files_of(drawn)
    if new is None:
        raise Refused("nothing was drawn up")
    for path in new:
        _plain_file(drawn, path)
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise Refused(f"{target} is no folder")
    state = "imported"
    if target.exists() and any(target.iterdir()):
        old = files_of(target)
        if old is None:
            raise Refused(f"{target} exists and was not imported; choose another folder with --to or --name")
        for path, digest in old.items():
            file = target / path
            if not file.is_file() or sha256(file.read_bytes()) != digest:
                raise Refused(
                    f"{file} was edited since the import, and would be overwritten; move {target.name} away, or "
                    "choose another folder with --to or --name"
                )
        for path in new:
            if path not in old and (target / path).exists():
                raise Refused(f"{target / path} exists, and the task has a file of that name now; rename it")
        same = old == new and (drawn / "origin/origin.yaml").read_bytes() == (
            target / "origin/origin.yaml"
        ).read_bytes()
        if same:
            return "unchanged"
        for path in old:
            if path not in new:
                (target / path).unlink()
        state = "updated"
    for path in [*new, "origin/origin.yaml"]:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(drawn / path, target / path)
    return state
