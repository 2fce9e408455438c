# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a source is nothing but kernels: compilers of Python load it as a module, and what a module does then, or
what a kernel's compile-time expressions reach, would be the contestant's code on the machine of the judge.

Allowed are imports of the kernel language, names for literals, and decorated functions; within them, names that the
file defines, a few built-in functions, and what the language itself offers. A language's RULES, in with_NAME.py:
`imports`, the modules that a file may import; `packages`, whose names it may use; `roots`, packages of which it may use
the names given; `decorators` of kernels; `called_decorators`, whether these may have arguments; `constants`, what may be
called outside of kernels.
"""

import ast
import builtins
import importlib
import types

BUILTINS = {"abs", "bool", "float", "int", "len", "max", "min", "range", "tuple"}
FORBIDDEN = (ast.Import, ast.ImportFrom, ast.ClassDef, ast.AsyncFunctionDef, ast.Await, ast.Yield, ast.YieldFrom,
             ast.Global, ast.Nonlocal, ast.Lambda, ast.Try, ast.Raise, ast.With, ast.AsyncWith, ast.Delete)


class Gate:
    def __init__(self, language, refused):
        self.rules = importlib.import_module(f"with_{language}").RULES
        self.refused = refused
        self.modules = {}  # alias -> name of the module
        self.functions = set()
        self.names = set()  # that the file gives to literals

    def refuse(self, node, sentence):
        raise self.refused(node.lineno, sentence)

    def check(self, tree):
        for node in tree.body:
            if isinstance(node, ast.Import):
                self.imports(node)
            elif isinstance(node, ast.ImportFrom):
                self.imports_from(node)
            elif isinstance(node, ast.FunctionDef):
                self.functions.add(node.name)
                self.function(node)
            elif isinstance(node, ast.Assign) and all(isinstance(target, ast.Name) for target in node.targets):
                self.calls(node.value, self.rules["constants"])
                self.expressions(node.value, set())
                self.names.update(target.id for target in node.targets)
            elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                self.refuse(node, "found a statement that runs on the host, expected imports of the kernel language, "
                                  "NAME = literal, and kernels")

    def known(self, node, name):
        if name not in self.rules["imports"]:
            self.refuse(node, f"found an import of {name}, expected one of {', '.join(sorted(self.rules['imports']))}")
        importlib.import_module(name)  # so that its attributes can be looked up
        return name

    def imports(self, node):
        for alias in node.names:
            self.known(node, alias.name)
            if alias.asname is None and "." in alias.name:
                self.modules[alias.name.split(".")[0]] = alias.name.split(".")[0]
            else:
                self.modules[alias.asname or alias.name] = alias.name

    def imports_from(self, node):
        for alias in node.names:
            name = self.known(node, f"{node.module}.{alias.name}")
            self.modules[alias.asname or alias.name] = name

    def function(self, node):
        allowed = self.rules["decorators"]
        for decorator in node.decorator_list:
            call = decorator.func if isinstance(decorator, ast.Call) else decorator
            if self.dotted(call) not in allowed or (
                    isinstance(decorator, ast.Call) and not self.rules["called_decorators"]):
                self.refuse(decorator, f"found another decorator, expected @{allowed[0]}")
        if not node.decorator_list:
            self.refuse(node, f"found a function of the host, expected @{allowed[0]} above it")
        for decorator in node.decorator_list:
            for argument in [*getattr(decorator, "args", []), *getattr(decorator, "keywords", [])]:
                self.calls(argument, ())
        self.calls(node.args, ())
        local = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        local |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for part in ast.walk(node):
            if part is not node and isinstance(part, (*FORBIDDEN, ast.FunctionDef)):
                self.refuse(part, f"found {type(part).__name__.lower()} in a kernel, expected device code alone")
        hidden = local & set(self.modules)
        if hidden:
            self.refuse(node, f"found '{sorted(hidden)[0]}' for a variable, which is a module; give it another name")
        self.expressions(node, local)

    def calls(self, tree, allowed):
        """What Python evaluates when it loads the file calls nothing."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and self.dotted(node.func) not in allowed:
                self.refuse(node, "found a call that runs on the host, expected literals outside of kernels")

    def dotted(self, node):
        """The full name of module.attribute…; "" of anything else."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.modules:
            return ""
        return ".".join([self.modules[node.id], *reversed(parts)])

    def expressions(self, tree, local):
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                self.attribute(node)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                known = local | self.names | self.functions | set(self.modules) | BUILTINS
                if node.id not in known:
                    what = "a built-in function of Python's" if hasattr(builtins, node.id) else "an unknown name"
                    self.refuse(node, f"found '{node.id}', {what}, expected what this file defines or one of "
                                      f"{', '.join(sorted(BUILTINS))}")

    def attribute(self, node):
        if node.attr.startswith("_"):
            self.refuse(node, f"found '.{node.attr}', expected no name that begins with _")
        if isinstance(node.value, ast.Constant) or (isinstance(node.value, ast.Name)
                                                    and node.value.id in self.functions):
            self.refuse(node, f"found '.{node.attr}' of a literal or function, expected device code alone")
        name = self.dotted(node)
        if name and not self.offered(name):
            self.refuse(node, f"found {name}, expected what the kernel language offers")

    def offered(self, name):
        """Whether the language itself defines this, rather than something that it imports."""
        root, *path = name.split(".")
        packages = self.rules["packages"]
        within = any(package.startswith(name + ".") or package == name for package in packages)
        if within:
            return True
        if root in self.rules["roots"] and path[0] not in self.rules["roots"][root]:
            return False
        found = importlib.import_module(root)
        for part in path:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
            if isinstance(found, types.ModuleType) and not self.inside(found.__name__):
                if not any(package.startswith(found.__name__ + ".") for package in packages):
                    return False
        home = found.__name__ if isinstance(found, types.ModuleType) else getattr(found, "__module__", None)
        return home is None or self.inside(home) or home.split(".")[0] == root

    def inside(self, module):
        return any(module == package or module.startswith(package + ".") for package in self.rules["packages"])


def check(tree, language, refused):
    """Raises refused(line, sentence) at the first thing that is not allowed."""
    Gate(language, refused).check(tree)


def line_of(error, source, function_line):
    """Where in the source a compiler's exception points, as far as it says so."""
    node = getattr(error, "node", None)
    if node is not None and hasattr(node, "lineno"):  # of the syntax tree, counted from the function's own line
        return function_line + node.lineno - 1
    location = getattr(error, "loc", None)
    if location is not None and getattr(location, "filename", None) == source:
        return location.line
    return function_line
