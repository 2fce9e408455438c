# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""turns.py [--ended REPORT] PRESET FILTERS...: of the tests that ctest takes with the preset and these options, which are
taken today, as its option -I; or how they ended.

Tests of the families below are taken in turn, each every fourth day; all others every day. Beside its turn a test is
taken if a file that it is about (the row's paths) changed since this machine last saw it pass or wait. A machine that
has not seen it yet takes it if the last commit, or what is not committed, changed such a file. What failed is taken
until it passes. REPORT is what `ctest --output-junit` wrote. PODIUM_TEST_DAY is another day's number.
"""

import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
DAYS = 4  # turn_days of tests/whole.hpp
KEPT = 20  # contents of a test's files: branches differ
JUDGE = ("suite/problem", "suite/judge")
RUNS = (*JUDGE, "suite/worker", "suite/contest", "suite/sandbox", "suite/measure", "backends/host", "sdk")
EMULATED = ("emulators", "tests/emulators", "backends", "sdk")
# Of names, and what such a test is about; {0} and so on are the groups.
FAMILIES = (
    (r"numpy\.references\.(\w+)", ("kernels/{0}/problem.yaml", "tests/numpy/problems/{0}.py", "tests/numpy/*.*", *JUDGE)),
    (r"Kernels/(?:GeneralMistakes|Baseline)\.\w+/(\w+)", ("kernels/{0}", "tests/general_mistakes", *JUDGE, "sdk")),
    (
        r"Files/Verdicts\.AreThoseExpected/(cheats|honest|wrong)_(\w+?)(?:_timed)?(?:_\d+)?",
        ("tests/{0}/{1}", "kernels/{1}/problem.yaml?", "tests/end_to_end/verdict*", *RUNS),
    ),
    (
        r"(?:docs\.steps|(?:Contestants|Examples|PythonDocument|Tutorial|ComparePy)\..*)",
        ("docs", "CONTRIBUTING.md", "tests/docs", "tests/end_to_end/compare_py*", "suite/cli", "suite/problem", "suite/compile"),
    ),
    (r"importers\.(\w+)", ("importers", "tests/importers", "suite/judge", "suite/cli")),
    (r"site\.\w+", ("site", "tests/site", "suite/publish", "suite/report", "suite/record")),
    (r"sdk\.(?:compiles|packed|runs)\.(?:cuda|hip).*", ("sdk", "tests/sdk")),
    (r"(cuda|hip)\.(?:emulator|matrix_cores)\..*", (*EMULATED, "tests/matrix_cores")),
    (r"hip\.emulated\..*", (*EMULATED, "tests/backends")),
)


def today():
    return int(os.environ.get("PODIUM_TEST_DAY") or time.time() // 86400)


def is_its_turn(name, day):
    return (int(hashlib.sha256(name.encode()).hexdigest(), 16) + day) % DAYS == 0


def paths_of(name):
    """What the test is about, None of one that is taken every day."""
    for pattern, paths in FAMILIES:
        found = re.fullmatch(pattern, name)
        if found:
            return tuple(path.format(*found.groups()) for path in paths)
    return None


@functools.cache
def files_of(path):
    """One that ends in `?` may be missing."""
    found = sorted(ROOT.glob(path.removesuffix("?")))
    if not found and not path.endswith("?"):
        sys.exit(f"tests/turns.py: {path} does not exist, of which a test is said to be")
    files = []
    for start in found:
        files += [start] if start.is_file() else [file for file in start.rglob("*") if file.is_file()]
    return sorted(file for file in files if "__pycache__" not in file.parts)


@functools.cache
def digest_of(path):
    whole = hashlib.sha256()
    for file in files_of(path):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        whole.update(f"{file.relative_to(ROOT)} {content}\n".encode())
    return whole.hexdigest()


def key_of(paths):
    return hashlib.sha256("".join(digest_of(path) for path in paths).encode()).hexdigest()


@functools.cache
def last_changed():
    """Files that the last commit changed, a merge's whole branch, or nobody committed yet; None if git does not know."""
    git = ["git", "-C", ROOT, "-c", "core.quotePath=off"]
    changed = subprocess.run([*git, "diff", "--name-only", "HEAD^1"], capture_output=True, text=True)
    new = subprocess.run([*git, "ls-files", "--others", "--exclude-standard"], capture_output=True, text=True)
    if changed.returncode or new.returncode:
        return None
    return {ROOT / line for line in (changed.stdout + new.stdout).splitlines()}


def touched(paths, changed):
    if changed is None:
        return True
    # A file that was removed changed its folder.
    folders = [ROOT / path.removesuffix("?") for path in paths]
    return any(file in changed for path in paths for file in files_of(path)) or any(
        folder in file.parents for folder in folders for file in changed
    )


def is_due(name, seen, day, changed=last_changed):
    """`seen`: of each test the keys with which it passed or waited."""
    paths = paths_of(name)
    if paths is None or is_its_turn(name, day):
        return True
    if name in seen:
        return key_of(paths) not in seen[name]
    return touched(paths, changed())


def learn(seen, name, outcome):
    """`outcome`: passed, failed, skipped, or None of a test that was not taken."""
    key = key_of(paths_of(name))
    keys = [other for other in seen.get(name, []) if other != key]
    if outcome == "failed":
        seen[name] = keys
    elif outcome != "skipped":
        seen[name] = [*keys, key][-KEPT:]


def outcomes(report):
    words = {"run": "passed", "fail": "failed"}
    cases = xml.etree.ElementTree.parse(report).getroot().iter("testcase")
    return {case.get("name"): words.get(case.get("status"), "skipped") for case in cases}


def bare(name):
    """Without what gtest's parameters look like, which ctest keeps in the name."""
    return name.partition("  #")[0]


def listed(command):
    """Names in the order that -I counts them in: that of the tests which the other options leave."""
    said = subprocess.run([*command, "--show-only=json-v1"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [bare(test["name"]) for test in json.loads(said)["tests"]]


def option(tests, taken):
    return "0,0,0," + ",".join(str(number) for number, name in enumerate(tests, 1) if name in taken)


def main():
    arguments = sys.argv[1:]
    report = arguments[1] if arguments[0] == "--ended" else None
    preset, *filters = arguments[2:] if report else arguments
    cache = pathlib.Path(os.environ.get("PODIUM_TEST_CACHE") or ROOT / "build" / preset / "test-cache")
    memory = cache / "turns" / f"{preset}.json"
    seen = json.loads(memory.read_text()) if memory.exists() else {}
    tests = listed(["ctest", "--preset", preset, *filters])
    if not report:
        taken = {name for name in tests if is_due(name, seen, today())}
        print(f"tests/turns.py: {len(tests) - len(taken)} tests of {preset} wait for their turn", file=sys.stderr)
        print(option(tests, taken))
        return
    ended = {bare(name): outcome for name, outcome in outcomes(report).items()}
    for name in tests:
        if paths_of(name) is not None:
            learn(seen, name, ended.get(name))
    memory.parent.mkdir(parents=True, exist_ok=True)
    draft = memory.with_suffix(f".{os.getpid()}")
    draft.write_text(json.dumps(seen))
    draft.replace(memory)


if __name__ == "__main__":
    main()
