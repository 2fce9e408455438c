# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""Pages of a site as tests read them."""

import html.parser


class Page(html.parser.HTMLParser):
    """Links, resources, ids, event handlers and the visible text of a page."""

    def __init__(self, file):
        super().__init__(convert_charrefs=True)
        self.links, self.resources, self.ids, self.handlers, self.inline, self.text = [], [], [], [], [], []
        self.commands = []  # that can be copied
        self.tables = []  # whether each can be copied and has a caption
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "table":
            self.tables.append(["data-copy" in values, False])
        if tag == "caption":
            self.tables[-1][1] = True
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("script", "img") and values.get("src"):
            self.resources.append(values["src"])
        if tag == "script" and not values.get("src"):
            self.inline.append(values)
        if tag == "link":
            self.resources.append(values["href"])
        if "data-copy-text" in values:
            self.commands.append(values["data-copy-text"])
        if "id" in values:
            self.ids.append(values["id"])
        self.handlers += [name for name in values if name.startswith("on")]

    def handle_data(self, data):
        self.text.append(data)


def broken_links(folder):
    """Links and resources of the site in `folder` that lead out of it, to no file, or to no place in one."""
    pages = {file.resolve(): Page(file) for file in folder.rglob("*.html")}
    broken = []
    for file, page in pages.items():
        for link in page.links + page.resources:
            if link.startswith("https://"):
                continue
            path, _, place = link.partition("#")
            target = (file.parent / path).resolve() if path else file
            found = target.is_relative_to(folder.resolve()) and target.is_file()
            if not found or (place and target in pages and place not in pages[target].ids):
                broken.append(f"{file.relative_to(folder.resolve())}: {link}")
    return broken


def unreachable(folder):
    """Pages of the site in `folder` to which no links lead from its front page. Forms alone lead to diff.html."""
    pages = {file.resolve() for file in folder.rglob("*.html")}
    found, left = set(), [(folder / "index.html").resolve()]
    while left:
        file = left.pop()
        if file in pages - found:
            found.add(file)
            left += [(file.parent / link.partition("#")[0]).resolve() for link in Page(file).links if not link.startswith(("https://", "#"))]
    return sorted(str(file.relative_to(folder.resolve())) for file in pages - found - {(folder / "diff.html").resolve()})
