# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""recipes_test.py SOURCE: the recipes of containers/, without building them.

hadolint finds nothing to say of a Dockerfile; its base has a tag; the Apptainer definition beside it has the same base
and runs the same commands; what these name is there: scripts, presets, options of scripts/setup. Each of these checks
must find its own mistake, too.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

INSIDE = "/opt/podium-source/"  # where recipes have the checkout
root = pathlib.Path(sys.argv[1])


def hadolint():
    prefix = os.environ.get("PODIUM_PREFIX") or (
        "/opt/podium" if os.getuid() == 0 else os.path.expanduser("~/.local/share/podium")
    )
    return shutil.which("hadolint", path=f"{prefix}/hadolint/bin")


def docker_steps(text):
    """Base and commands of a Dockerfile; it has no continued lines."""
    base = re.findall(r"^FROM (\S+)$", text, re.M)
    return (base[0] if len(base) == 1 else ""), re.findall(r"^RUN (.+)$", text, re.M)


def apptainer_steps(text):
    base = re.findall(r"^From: (\S+)$", text, re.M)
    post = re.search(r"^%post\n((?:  .*\n|\n)*)", text, re.M)
    return (base[0] if len(base) == 1 else ""), [line.strip() for line in (post[1] if post else "").splitlines() if line.strip()]


def mistakes_in(folder):
    """A sentence for each mistake of one folder's two recipes."""
    found = []
    docker, definition = folder / "Dockerfile", folder / "podium.def"
    for recipe in (docker, definition):
        if not recipe.exists():
            return [f"{recipe} does not exist"]
        place = f"containers/{folder.name}/{recipe.name}"
        if place not in recipe.read_text():
            found.append(f"{place}: the command that builds it does not name it")
    base, commands = docker_steps(docker.read_text())
    if not re.fullmatch(r"[a-z0-9./-]+:[A-Za-z0-9._-]+", base) or base.endswith(":latest"):
        found.append(f"{docker}: its base is '{base}', expected one with a tag that is not latest")
    if (base, commands) != apptainer_steps(definition.read_text()):
        found.append(f"{definition}: base and commands are not those of the Dockerfile beside it")
    if not commands:
        found.append(f"{docker}: runs nothing")
    presets = {one["name"] for one in json.loads((root / "CMakePresets.json").read_text())["configurePresets"]}
    setup = (root / "scripts/setup").read_text()
    for command in commands:
        words = command.split()
        script = root / words[0].removeprefix(INSIDE)
        if not words[0].startswith(INSIDE) or not os.access(script, os.X_OK):
            found.append(f"{docker}: {words[0]} is no script of the checkout")
        if len(words) < 2 or words[1] not in presets:
            found.append(f"{docker}: {command} names no preset")
        found += [f"{docker}: scripts/setup has no option {one}" for one in words[2:] if f"    {one}" not in setup]
    return found


def lint(program, recipe):
    done = subprocess.run([program, str(recipe)], text=True, capture_output=True)
    return [line for line in (done.stdout + done.stderr).splitlines() if line] if done.returncode else []


def changed(folder, scratch, file, old, new):
    copy = pathlib.Path(scratch) / folder.name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy)
    text = (copy / file).read_text()
    assert old in text, (file, old)
    (copy / file).write_text(text.replace(old, new))
    return copy


def main():
    program = hadolint()
    if not program:
        print("needs hadolint, which is not installed: scripts/setup --cluster", file=sys.stderr)
        sys.exit(1 if os.environ.get("PODIUM_TEST_CLUSTER") else 77)
    folders = sorted(path for path in (root / "containers").iterdir() if path.is_dir())
    found = [] if len(folders) >= 3 else ["containers/ has fewer than three recipes"]
    for folder in folders:
        found += mistakes_in(folder) + lint(program, folder / "Dockerfile")
    cpu = root / "containers/cpu"
    both = "FROM debian:bookworm"
    with tempfile.TemporaryDirectory() as scratch:
        for file, old, new in [
            ("Dockerfile", both, "FROM debian"),
            ("Dockerfile", both, "FROM debian:latest"),
            ("Dockerfile", "containers/install host", "containers/instal host"),
            ("Dockerfile", "install host", "install hots"),
            ("Dockerfile", "install host", "install host --cudaa"),
            ("Dockerfile", "containers/cpu/Dockerfile", "Dockerfile"),
            ("podium.def", "From: debian:bookworm", "From: debian:trixie"),
            ("podium.def", "containers/install host", "true"),
        ]:
            if not mistakes_in(changed(cpu, scratch, file, old, new)):
                found.append(f"not found: {file} with '{new}' for '{old}'")
        if not lint(program, changed(cpu, scratch, "Dockerfile", both, "FROM debian") / "Dockerfile"):
            found.append("hadolint accepts a base without a tag")
    print("\n".join(found))
    sys.exit(bool(found))


main()
