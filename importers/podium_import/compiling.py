# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Lets torch.utils.cpp_extension compile within a worker.

PyTorch hands its compilations to ninja, which starts each command in a process group of its own. A worker's sandbox
denies that: whoever left the group would outlive the worker. So `ninja` becomes this file, which runs the commands of
PyTorch's build.ninja one after another. Importers copy it into problems' folders; adapters import it.
"""

import os
import re
import subprocess
import sys
import tempfile


def expanded(text, names):
    """Variables replaced, `$ `, `$:` and `$$` unescaped."""

    def one(match):
        found = match[1] or match[2]
        return names.get(found, "") if found else match[0][1]

    return re.sub(r"\$(?:\{(\w+)\}|(\w+)|.)", one, text)


def logical_lines(text):
    return re.sub(r"\$\n\s*", "", text).splitlines()


def steps(text):
    """The commands of a build.ninja, in the order of its build statements: outputs come before they are needed."""
    names, rules, rule = {}, {}, None
    for line in logical_lines(text):
        if line.startswith((" ", "\t")):
            key, _, value = line.strip().partition(" = ")
            if rule is not None:
                rules[rule][key] = value
        elif line.startswith("rule "):
            rule = line.split()[1]
            rules[rule] = {}
        elif line.startswith("build "):
            rule = None
            left, _, right = re.sub(r"\$:", "\0", line[6:]).partition(":")
            words = [word.replace("\1", " ") for word in right.replace("$ ", "\1").split()]
            # Words behind | are needed, and are no arguments of the command.
            sources = words[1 : words.index("|")] if "|" in words else words[1:]
            local = {
                "out": expanded(left.replace("\0", ":").strip(), names),
                "in": " ".join(expanded(word.replace("\0", ":"), names) for word in sources),
            }
            if "command" in rules.get(words[0], {}):
                yield expanded(rules[words[0]]["command"], {**names, **local})
        elif " = " in line or line.endswith(" ="):
            rule = None
            key, _, value = line.partition("=")
            names[key.strip()] = expanded(value.strip(), names)


def main():
    if "--version" in sys.argv:
        print("1.11.1")
        return 0
    with open("build.ninja", encoding="utf-8") as file:
        text = file.read()
    for command in steps(text):
        ended = subprocess.run(["/bin/sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ended.returncode:
            print(f"FAILED: {command}\n{ended.stdout}")
            return 1
    return 0


def install():
    """Puts this file onto PATH as `ninja`."""
    folder = tempfile.mkdtemp()
    program = os.path.join(folder, "ninja")
    with open(__file__, encoding="utf-8") as file:
        source = file.read()
    with open(program, "w", encoding="utf-8") as file:
        file.write(f"#!{sys.executable} -IB\n{source}")
    os.chmod(program, 0o755)
    os.environ["PATH"] = folder + os.pathsep + os.environ.get("PATH", os.defpath)
    os.environ.setdefault("TORCH_EXTENSIONS_DIR", os.path.join(folder, "extensions"))


if __name__ == "__main__":
    sys.exit(main())
else:
    install()
