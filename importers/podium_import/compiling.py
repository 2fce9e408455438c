# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Lets torch.utils.cpp_extension compile within a worker.

PyTorch hands its compilations to ninja, which starts each command in a process group of its own. A worker's sandbox
denies that: whoever left the group would outlive the worker. So `ninja` becomes this file, which runs the commands of
PyTorch's build.ninja one after another. Importers copy it into problems' folders; adapters import it.

Libraries are kept: PODIUM_KEPT is a folder with those that were built when Podium prepared the contestant, before there
were inputs. One is taken in place of a build if the commands, the sources and the headers beside them are the same.
"""

import hashlib
import json
import os
import re
import shutil
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


def without_scratch(text):
    """The text with $SCRATCH for the temporary folder, which each process has of its own."""
    for folder in sorted({tempfile.gettempdir(), os.path.realpath(tempfile.gettempdir())}, key=len, reverse=True):
        text = text.replace(folder, "$SCRATCH")
    return text


def digest_of(path):
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return ""


class Build:
    """What a build.ninja builds, and the library that is kept of it."""

    def __init__(self, text):
        self.text = text
        named = re.findall(r"^build (.*?): link ((?:[^|\n]|\$\n)*)", text.replace("$\n", ""), re.MULTILINE)
        self.library = expanded(named[-1][0], {}) if named else None
        self.folder = os.environ.get("PODIUM_KEPT", "")
        self.key = hashlib.sha256(without_scratch(text).encode()).hexdigest()

    def taken(self):
        """Whether the kept library is there, and has become that of this build."""
        if not self.library or not self.folder:
            return False
        try:
            with open(os.path.join(self.folder, f"{self.key}.json"), encoding="utf-8") as file:
                read = json.load(file)
            if not read or any(digest_of(self.found(path)) != digest for path, digest in read.items()):
                return False
            shutil.copyfile(os.path.join(self.folder, f"{self.key}.so"), self.library)
        except (OSError, ValueError):
            return False
        return True

    def keep(self):
        """Where nothing can be kept there is no folder, and after Podium has prepared the contestant nobody looks."""
        read = {without_scratch(path): digest_of(path) for path in self.sources()}
        if not self.library or not self.folder or not read or "" in read.values():
            return
        try:
            shutil.copyfile(self.library, os.path.join(self.folder, f"{self.key}.so"))
            with open(os.path.join(self.folder, f"{self.key}.json"), "w", encoding="utf-8") as file:
                json.dump(read, file)
        except OSError:
            pass

    @staticmethod
    def found(path):
        return path.replace("$SCRATCH", tempfile.gettempdir())

    def sources(self):
        """Sources, and the headers that a compiler noted beside its objects, as far as they are the contestant's."""
        found = set()
        for line in logical_lines(self.text):
            if line.startswith("build ") and not re.match(r"build .*?: (link|phony)\b", line):
                right = re.sub(r"\$:", "\0", line).partition(": ")[2].split("|")[0]
                found.update(expanded(word.replace("\0", ":"), {}) for word in right.split()[1:])
        for name in os.listdir("."):
            if name.endswith(".d"):
                with open(name, encoding="utf-8", errors="replace") as file:
                    words = file.read().replace("\\\n", " ").split()
                found.update(os.path.abspath(word) for word in words if not word.endswith(":"))
        scratch = {tempfile.gettempdir(), os.path.realpath(tempfile.gettempdir())}
        return {path for path in found if any(path.startswith(folder + os.sep) for folder in scratch)}


def main():
    if "--version" in sys.argv:
        print("1.11.1")
        return 0
    with open("build.ninja", encoding="utf-8") as file:
        text = file.read()
    build = Build(text)
    if build.taken():
        return 0
    for command in steps(text):
        ended = subprocess.run(["/bin/sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if ended.returncode:
            print(f"FAILED: {command}\n{ended.stdout}")
            return 1
    build.keep()
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
    # The same place in each worker's scratch, since commands name it.
    os.environ.setdefault("TORCH_EXTENSIONS_DIR", os.path.join(tempfile.gettempdir(), "podium-extensions"))


if __name__ == "__main__":
    sys.exit(main())
else:
    install()
