#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""sentences.py CHECKOUT [PAGE...]: no sentence of README, CONTRIBUTING and the reference pages has over 30 words.

Code blocks, tables and headings do not count. A link counts as its text, inline code as one word. --over N lists the
sentences of more than N words instead.
"""
import argparse
import pathlib
import re
import sys

LIMIT = 30  # words; CONTRIBUTING asks writers for 25
FEWEST = 1000  # sentences; if fewer are found, the search no longer works

FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")
SKIPPED = re.compile(r"^\s*(?:\||#{1,6} |$)")  # a row of a table, a heading, an empty line
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)")
# A full stop ends a sentence unless a lower-case word follows that is no file's name and has no digit.
END = re.compile(r"""(?<=[.!?])(?<!e\.g\.)(?<!i\.e\.)["'”’)*_]*[ \n]+(?=[^a-zα-ω]|\w*\d|[\w/]+\.\w)""")


def paragraphs(text: str) -> list[tuple[int, str]]:
    """Each paragraph and each item of a list, with the number of its first line; its lines stay apart."""
    found: list[tuple[int, str]] = []
    fenced = inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if FENCE.match(line):
            fenced, inside = not fenced, False
        elif fenced or SKIPPED.match(line):
            inside = False
        elif inside and not ITEM.match(line):
            found[-1] = found[-1][0], f"{found[-1][1]}\n{line.strip()}"
        else:
            found.append((number, ITEM.sub("", line).strip()))
            inside = True
    return found


def sentences(text: str) -> list[tuple[int, str]]:
    """Each sentence as a reader sees it, with the number of its first line."""
    found = []
    for first, paragraph in paragraphs(text):
        plain = LINK.sub(r"\1", CODE.sub(lambda code: code[0].replace(" ", "\N{NO-BREAK SPACE}"), paragraph))
        begin = 0
        for end in [match.end() for match in END.finditer(plain)] + [len(plain)]:
            found.append((first + plain.count("\n", 0, begin), " ".join(re.split(r"[ \n]+", plain[begin:end].strip()))))
            begin = end
    return found


def words(sentence: str) -> int:
    return sum(any(letter.isalnum() for letter in word) for word in CODE.sub("Code", sentence).split())


def check_itself() -> None:
    text = "# A heading\n\nOne [two three](four five.md) `six. Seven eight`\nnine (e.g. ten). A second, v1.2!\n\n" \
           "| a table |\n\n1. An item.\n\n   ```sh\n   code and more code\n   ```\n"
    counted = [(line, words(sentence)) for line, sentence in sentences(text)]
    expected = [(3, 7), (4, 3), (8, 2)]
    if counted != expected:
        sys.exit(f"the search counts {counted} in a known text, expected {expected}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("pages", nargs="*", help="instead of README.md, CONTRIBUTING.md and docs/*.md")
    parser.add_argument("--over", type=int, default=LIMIT, metavar="WORDS")
    given = parser.parse_args()
    check_itself()
    pages = [given.checkout / page for page in given.pages or ("README.md", "CONTRIBUTING.md")]
    if not given.pages:
        pages += sorted((given.checkout / "docs").glob("*.md"))
    read, long = 0, 0
    for page in pages:
        for line, sentence in sentences(page.read_text(encoding="utf-8")):
            read += 1
            if words(sentence) > given.over:
                long += 1
                beginning = " ".join(sentence.split(" ")[:10])
                print(f"{page.relative_to(given.checkout)}:{line}: {words(sentence)} words: {beginning} ...")
    if not given.pages and read < FEWEST:
        sys.exit(f"found {read} sentences, expected at least {FEWEST}; does the search still work?")
    if long:
        print(f"{long} sentences have more than {given.over} words: write one idea a sentence", file=sys.stderr)
    return 1 if long else 0


if __name__ == "__main__":
    sys.exit(main())
