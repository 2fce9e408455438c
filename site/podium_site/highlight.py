# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Sources as lines of HTML, highlighted by Pygments."""

import re

from markupsafe import Markup, escape
from pygments.lexer import inherit
from pygments.lexers import CppLexer, CudaLexer, PythonLexer, TextLexer, YamlLexer
from pygments.token import Comment, Keyword, Literal, Name, Operator, Text

# The few kinds that have a colour of their own.
_CLASSES = (
    (Comment.Preproc, "p"),
    (Comment.PreprocFile, "s"),
    (Comment, "c"),
    (Keyword.Type, "t"),
    (Keyword, "k"),
    (Literal.String, "s"),
    (Literal.Number, "n"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Decorator, "p"),
    (Name.Builtin, "t"),
    (Operator.Word, "k"),
)


def _class_of(kind, known={}):
    if kind not in known:
        known[kind] = next((name for parent, name in _CLASSES if kind in parent), "")
    return known[kind]


# What has no colour and is most of a source comes before Pygments' own rules, of which it would try thirty.
_PLAIN = {
    "whitespace": [(r"(?<=[^\n])[^\S\n]+", Text), inherit],
    "statements": [(r"(?:[^\S\n]|[()\[\],~!%^&*+=|?:<>])+", Text), inherit],
}


class _Cuda(CudaLexer):
    tokens = _PLAIN


class _Cpp(CppLexer):
    tokens = _PLAIN


# A line break of any kind that a browser or an editor knows.
_BREAKS = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")


def _lexer(file):
    if file.endswith(".py"):
        return PythonLexer()
    if file.endswith((".yaml", ".yml")):
        return YamlLexer()
    if file.endswith((".cu", ".cuh", ".hip", ".gpu.cpp")):
        return _Cuda()
    if file.endswith((".cpp", ".hpp", ".h", ".c", ".cc")):
        return _Cpp()
    return TextLexer()


def _tokens(file, source):
    """Pairs of a kind and its text; neighbours of one class are one."""
    kept, texts = None, []
    for _, kind, value in _lexer(file).get_tokens_unprocessed(source):
        name = _class_of(kind)
        if texts and name != kept:
            yield kept, "".join(texts)
            texts = []
        kept = name
        texts.append(value)
    if texts:
        yield kept, "".join(texts)


def lines(file, source):
    """Each line of `source` as HTML."""
    result, line = [], []
    for name, value in _tokens(file, _BREAKS.sub("\n", source)):
        for i, part in enumerate(value.split("\n")):
            if i:
                result.append("".join(line))
                line = []
            if part:
                line.append(f'<span class="{name}">{escape(part)}</span>' if name else str(escape(part)))
    if line:
        result.append("".join(line))
    return result


def numbered(lines, anchors=False):
    """Lines as HTML elements with their numbers; `anchors`: that a link may lead to."""
    element = '<span id="L{0}" data-n="{0}">{1}</span>' if anchors else '<span data-n="{0}">{1}</span>'
    return Markup("".join(element.format(i, line) for i, line in enumerate(lines, 1)))
