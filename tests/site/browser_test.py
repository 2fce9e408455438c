# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""The site in a real browser, headless Chromium: from files and over http below a path, on a desktop and on a phone."""

import csv
import io
import math
import os
import re
import sys
import time
import unittest
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

import building
from browsing import DESKTOP, PHONE, InBrowser, touching_names

sys.path.insert(0, str(building.ROOT / "site"))
from podium_site import document as documents, text  # noqa: E402

WHOLE = "PODIUM_TEST_WHOLE" in os.environ  # not a sample: scripts/test --all

# As tests/report/format_test.cpp has it of `podium report`.
CSV = {
    "=1+1": "'=1+1", "+cmd|' /C calc'!A0": "'+cmd|' /C calc'!A0", "-1+1": "'-1+1", "@SUM(A1)": "'@SUM(A1)", "\n=1": "\"'\n=1\"",
    "＝1": "'＝1", "-1.5": "-1.5", "+2e3": "+2e3", "-5 %": "'-5 %", "a,b": '"a,b"', 'a "b"\nc': '"a ""b""\nc"', "plain": "plain",
    "a;=1": '"a;=1"', "\t=1": "\"'\t=1\"",
}  # fmt: skip
MARKDOWN = {
    "a|b": "a\\|b", "<script>&": "&lt;script>&amp;", "[x](y) *z* `w` ~~v~~": "\\[x\\](y) \\*z\\* \\`w\\` \\~\\~v\\~\\~",
    "two_pass _x_": "two_pass \\_x\\_", "![i](u) $x$": "!\\[i\\](u) \\$x\\$", "a\\|b": "a\\\\\\|b",
    "see http://x.y or HTTPS://x": "see http:&#8203;//x.y or HTTPS:&#8203;//x", "www.x.y Www.x": "www&#8203;.x.y Www&#8203;.x",
    "@all a@b.c me@": "@&#8203;all a@&#8203;b.c me@", "fixes #12, o/r#3, C#": "fixes #&#8203;12, o/r#&#8203;3, C#", "a: b // c": "a: b // c",
    "# heading": "\\# heading", "> quotation": "\\> quotation", "- item": "\\- item", "---": "\\---", "+ item": "\\+ item", "===": "\\===",
    "12. item": "12\\. item", "1) item": "1\\) item", "-5.0 % and 1.5 µs": "-5.0 % and 1.5 µs",
}  # fmt: skip


class Browser(InBrowser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.small = building.made_up(cls.parent, "small")
        cls.hostile = building.made_up(cls.parent, "hostile", problems=6, contestants=30, runs=2, hostile=True)

    def file(self, path, folder=None):
        return f"{(folder or self.small).as_uri()}/{path}"

    def http(self, path):
        return f"http://127.0.0.1:{self.server.server_port}/small/{path}"

    def every_kind(self, folder):
        """All pages; of the hostile site, and of a sample, a few of those that one template makes in great numbers."""
        most = {} if WHOLE and folder == self.small else {"contestant": 4, "run": 3, "source": 2}
        for file in sorted(folder.glob("*.html")):
            yield file.name
        for kind in ("problem", "device", "contestant", "run", "source"):
            for file in sorted((folder / kind).glob("*.html"))[: most.get(kind)]:
                yield f"{kind}/{file.name}"

    def first(self, kind):
        return f"{kind}/{sorted((self.small / kind).glob('*.html'))[0].name}"

    # Every page

    def test_every_page_renders_on_desktop_and_phone(self):
        page = self.page()
        for folder in (self.small, self.hostile):
            for path in self.every_kind(folder):
                page.goto(self.file(path, folder))
                self.assertTrue(page.title().endswith("Podium"), path)
                self.assertIsNone(page.evaluate("window.broken ?? null"), path)
                for viewport in (DESKTOP, PHONE):
                    page.set_viewport_size(viewport)
                    self.assertLessEqual(self.overflow(page), 0, f"{path} at {viewport['width']}")
        self.assertEqual(page.locator("main").count(), 1)

    def test_no_script_runs_but_those_beside_the_pages(self):
        for address in (self.file("index.html"), self.http("index.html")):
            page = self.page()
            page.goto(address)
            with page.expect_event("console", lambda message: "Content Security Policy" in message.text):
                page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"window.broken = 1\">')")
            page.evaluate("document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.broken = 2' }))")
            self.assertIsNone(page.evaluate("window.broken ?? null"))
            self.assertTrue(self.faults and all("Content Security Policy" in fault for fault in self.faults), self.faults)
            self.faults.clear()

    def test_every_page_renders_over_http_below_a_path(self):
        page = self.page()
        for path in self.every_kind(self.small):
            page.goto(self.http(path))
            self.assertTrue(page.evaluate("document.documentElement.classList.contains('js')"), path)

    def test_details_open_without_overflow(self):
        page = self.page(viewport=PHONE)
        for path in (self.first("problem"), self.first("run")):
            page.goto(self.file(path))
            page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
            self.assertLessEqual(self.overflow(page), 0, path)

    def test_axe_finds_nothing_serious(self):
        axe = Axe()
        paths = [*(file.name for file in sorted(self.small.glob("*.html")) if file.name != "diff.html"), self.sides()]
        paths += [*map(self.first, ("problem", "device", "contestant", "run", "source")), "device/cuda-emulated-sm_100a.html"]
        self.assertIn("comparison.html", paths)
        today = int(os.environ.get("PODIUM_TEST_DAY") or time.time() // 86400)
        for turn, (viewport, colours) in enumerate(((DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"))):
            page = self.page(viewport=viewport, colours=colours)
            # In a sample each page in one way, in another one each day.
            for path in (path for number, path in enumerate(paths) if WHOLE or (number + today) % 3 == turn):
                page.goto(self.http(path))  # axe reads style sheets, which a page from a file may not
                page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
                if path == "compare.html":
                    page.wait_for_selector("#result tbody tr")
                with self.subTest(path=path, colours=colours, width=viewport["width"]):
                    self.assertEqual(self.serious(axe.run(page)), [])

    def test_it_reads_without_scripts(self):
        page = self.page(java_script_enabled=False)
        page.goto(self.file(self.first("problem")))
        self.assertGreater(page.locator("table.ranking tbody tr:visible").count(), 3)
        self.assertEqual(page.locator(".filters:visible").count(), 0)
        self.assertGreater(page.locator(".bars:visible").count(), 0)

    # What can be done with a page

    def test_sorting_takes_numbers_for_numbers(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        table = page.locator("table.ranking").first
        time = table.locator("thead th").all_inner_texts().index("time")
        values = lambda: table.locator("tbody tr").evaluate_all(f"rows => rows.map(r => Number(r.cells[{time}].dataset.v))")
        table.get_by_role("button", name="time", exact=True).click()
        self.assertEqual(values(), sorted(values()))
        table.get_by_role("button", name="time", exact=True).click()
        self.assertEqual(values(), sorted(values(), reverse=True))
        self.assertEqual(table.locator("th[aria-sort=descending]").inner_text().strip().split("\n")[0], "time")
        self.assertEqual(table.locator(".tie:visible").count(), 0)
        page.reload()
        self.assertEqual(values(), sorted(values(), reverse=True))
        self.assertIn("sort=", page.url)

    def test_sorting_knows_units(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        table = page.locator("table[data-copy$=-winners]")
        table.get_by_role("button", name="time", exact=True).click()
        units = [words.split()[-1] for words in table.locator("tbody tr td:nth-child(5)").all_inner_texts() if words.strip()]
        self.assertEqual(units, sorted(units, key=["ns", "µs", "ms", "s"].index))
        self.assertEqual(set(units), {"µs", "ms"})

    def test_sorting_by_keyboard(self):
        page = self.page()
        page.goto(self.file("runs.html"))
        page.get_by_role("button", name="boards").focus()
        page.keyboard.press("Enter")
        self.assertEqual(page.locator("th[aria-sort=ascending]").count(), 1)

    def test_filters_hide_boards_and_rows_and_stand_in_the_address(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        boards = page.locator("section.board:visible")
        self.assertEqual(boards.count(), 5)
        page.get_by_label("Vendor").select_option("NVIDIA")
        self.assertEqual(boards.count(), 3)
        page.get_by_label("Language").select_option("Triton")
        languages = page.locator("section.board tbody tr[id]:visible").evaluate_all("rows => [...new Set(rows.map(r => r.dataset.lang))]")
        self.assertEqual(languages, ["Triton"])
        self.assertEqual(page.locator("section.board tbody:visible:not(:has(tr:visible))").count(), 0)
        address = page.url
        self.assertIn("vendor=NVIDIA", address)
        other = self.page()
        other.goto(address)
        self.assertEqual(other.locator("section.board:visible").count(), boards.count())
        self.assertEqual(other.get_by_label("Language").input_value(), "Triton")
        page.get_by_role("button", name="Reset").click()
        self.assertEqual(boards.count(), 5)
        self.assertNotIn("#", page.url)
        page.get_by_label("Run since").fill("2027-01-01")
        self.assertEqual(boards.count(), 0)

    def test_search_and_tier_and_author(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        rows = page.locator("section.board tbody tr[id]:visible")
        for label, value, key in (("Tier", "sealed", "tier"), ("Author", "author 1", "author")):
            page.get_by_label(label).select_option(value)
            self.assertEqual(rows.evaluate_all(f"rows => [...new Set(rows.map(r => r.dataset.{key}))]"), [value])
            page.get_by_role("button", name="Reset").click()
        page.get_by_label("Search").fill("contestant_03")
        self.assertEqual(rows.count(), 5)

    def test_a_permanent_link_marks_its_row_and_keeps_filters(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        page.get_by_label("Vendor").select_option("NVIDIA")
        row = page.locator("table.ranking tbody tr:visible").nth(2)
        name = row.get_attribute("id")
        row.hover()
        row.locator("a.link").click()
        self.assertIn("vendor=NVIDIA", page.url)
        self.assertIn(f"at={name}", page.url)
        self.assertTrue(page.locator(f"tr.at[id='{name}']").is_visible())
        other = self.page()
        other.goto(page.url)
        self.assertTrue(other.locator(f"tr.at[id='{name}']").is_visible())
        other.goto(self.file(f"{self.first('problem')}#{name}"))
        self.assertEqual(other.locator("tr:target").get_attribute("id"), name)

    def test_each_row_has_a_permanent_link(self):
        page = self.page()
        for path in self.every_kind(self.small):
            page.goto(self.file(path))
            if path == "compare.html":
                page.wait_for_selector("#result tbody tr")
            rows = page.locator("tbody tr").evaluate_all(
                "rows => rows.map(r => [r.id, ...[...r.querySelectorAll('a.link')].flatMap(l => [decodeURIComponent(l.hash.slice(1)), l.ariaLabel])])"
            )
            for name, *link in rows:
                self.assertTrue(name, path)
                self.assertEqual(link[0], name, path)
                self.assertRegex(link[1], r"^Permanent link to \S", path)
            self.assertEqual(len({name for name, *_ in rows}), len(rows), path)

    def test_permanent_links_of_rows_without_a_rank(self):
        for path in ("index.html", "comparison.html", "compare.html", "history.html", "device/nvidia-h200-sm_90-140g.html", self.first("problem")):
            page = self.page()
            page.goto(self.file(path))
            row = page.locator("table:not(.ranking) tbody tr").nth(1)
            row.wait_for(state="attached")
            name = row.get_attribute("id")
            row.hover()
            row.locator("a.link").click()
            self.assertIn(name, page.url)
            other = self.page()
            other.goto(page.url)
            other.locator(f"tr.at[id='{name}']").wait_for()

    def test_a_permanent_link_opens_what_folds_its_row_away(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        name = page.locator("table[data-copy$=-workloads] tbody tr").last.get_attribute("id")
        for address in (f"#{name}", f"#f?tier=native&at={name}"):
            page.goto("about:blank")
            page.goto(self.file(self.first("problem") + address))
            self.assertTrue(page.locator(f"tr.at[id='{name}']").is_visible())

    def test_the_address_names_the_sorted_table_and_its_column(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        copied = page.locator("table.ranking").nth(1).get_attribute("data-copy")
        page.locator("table.ranking").nth(1).get_by_role("button", name="language", exact=True).click()
        self.assertTrue(page.url.endswith(f"#f?sort={copied}.language.a"), page.url)
        page.reload()
        self.assertEqual(page.locator("th[aria-sort]").inner_text(), "language")
        self.assertEqual(page.locator("table.ranking").nth(1).locator("th[aria-sort=ascending]").count(), 1)
        for earlier in ("0.4.a", "0.99.d", "x", ".."):
            page.goto("about:blank")
            page.goto(self.file(f"{self.first('problem')}#f?sort={earlier}"))
            self.assertEqual(page.locator("th[aria-sort]").count(), 0)
        page.goto(self.http("compare.html"))
        page.get_by_role("button", name="speed-up", exact=True).click()
        self.assertIn("sort=comparison.speed-up.a", page.url)
        page.reload()
        page.locator("th[aria-sort=ascending]").wait_for()

    def sides(self):
        keys = sorted(file.stem for file in (self.small / "source").glob("*.js"))[:2]
        return f"diff.html#a={keys[0]}&b={keys[1]}"

    def test_two_sources_side_by_side(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        form = page.locator("form[data-diff]")
        names = form.locator("select[name=a] option").all_inner_texts()
        form.locator("select[name=b]").select_option(index=2)
        form.get_by_role("button").click()
        page.wait_for_selector(".sides .head")
        self.assertEqual([h.split(" ")[0] for h in page.locator(".sides .head").all_inner_texts()], [names[0], names[2]])
        self.assertRegex(page.locator("#summary").inner_text(), r"^\d+ lines only on the left")
        self.assertGreater(page.locator(".sides .d, .sides .a").count(), 1)
        removed, added = (page.locator(f".sides .{kind}").count() for kind in "da")
        self.assertEqual(page.locator("#summary").inner_text(), f"{removed} lines only on the left (−), {added} only on the right (+).")
        page.goto(self.file("diff.html#a=../../x&b=0"))
        page.reload()
        self.assertIn("Nothing to compare", page.locator("#summary").inner_text())

    def test_sources_of_two_boards_side_by_side(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        form = page.locator("form[data-diff]")
        self.assertEqual(form.count(), 1)
        groups = form.locator("select[name=b] optgroup")
        boards = page.locator("section.board > h2").all_inner_texts()
        self.assertEqual(len(boards), 5)
        for label, board in zip(groups.evaluate_all("all => all.map(g => g.label)"), boards, strict=True):
            self.assertIn(label, board)
        name = form.locator("select[name=a] option:checked").inner_text()
        last = groups.last.locator("option").filter(has_not_text=name).last
        other = last.inner_text()
        form.locator("select[name=b]").select_option(index=last.evaluate("o => o.index"))
        form.get_by_role("button").click()
        page.wait_for_selector(".sides .head")
        self.assertEqual([h.split(" ")[0] for h in page.locator(".sides .head").all_inner_texts()], [name, other])

    def test_a_source_opens_over_the_page(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        link = page.locator("table.ranking a[data-source]").first
        lines = int(link.inner_text().split()[0])
        link.click()
        page.wait_for_selector("dialog[open] .source")
        self.assertEqual(page.locator("dialog .source > span").count(), lines)
        first = page.locator("dialog h2").inner_text()
        page.get_by_role("button", name="Next").click()
        page.wait_for_function("first => document.querySelector('dialog h2').innerText !== first", arg=first)
        page.keyboard.press("Escape")
        self.assertEqual(page.locator("dialog[open]").count(), 0)
        self.assertTrue(page.url.startswith(self.file(self.first("problem"))))

    def held(self, page, pattern):
        """Requests of that pattern wait until they are let go."""
        waiting = []
        page.route(pattern, lambda route: waiting.append(route))
        return waiting

    def until(self, page, done):
        while not done():
            page.wait_for_timeout(20)

    def choose(self, page, a, b):
        form = page.locator("#sides")
        form.locator("select[name=a]").select_option(a)
        form.locator("select[name=b]").select_option(b)

    def test_a_slow_answer_to_an_earlier_choice_is_not_shown(self):
        page = self.page()
        page.goto(self.http("compare.html"))
        runs = page.locator("#sides select[name=a] option").evaluate_all("all => all.map(o => o.value).filter(v => v.startsWith('run:'))")
        slow = self.held(page, f"**/data/run-{runs[0][4:]}.js")
        self.choose(page, runs[0], "vendor:AMD")
        self.until(page, lambda: slow)
        self.choose(page, "vendor:NVIDIA", "vendor:AMD")
        page.wait_for_selector("#result tbody tr")
        shown = page.locator("#result").inner_html()
        slow[0].continue_()
        page.evaluate("run => boardsOf(run).then(() => new Promise(requestAnimationFrame))", runs[0][4:])
        self.assertEqual(page.locator("#result").inner_html(), shown)

    def test_a_slow_source_of_an_earlier_choice_is_not_shown(self):
        keys = sorted(file.stem for file in (self.small / "source").glob("*.js"))[:3]
        page = self.page()
        slow = self.held(page, f"**/source/{keys[0]}.js")
        page.goto(self.http(f"diff.html#a={keys[0]}&b={keys[1]}"), wait_until="commit")
        self.until(page, lambda: slow)
        page.evaluate(f"location.hash = 'a={keys[1]}&b={keys[2]}'")
        page.wait_for_selector(".sides .head")
        shown = page.locator("#sides").inner_html()
        slow[0].continue_()
        page.evaluate("key => podium.source(key).then(() => new Promise(requestAnimationFrame))", keys[0])
        self.assertEqual(page.locator("#sides").inner_html(), shown)

    def best(self, boards, belongs=lambda row: True, per_device=False):
        found = {}
        for board in boards:
            key = (board.problem, board.types, board.revision, tuple(board.workloads), board.run.device if per_device else "")
            for row in filter(belongs, board.timed):
                found[key] = min(row, found.get(key, row), key=lambda r: r.time)
        return found

    def check_comparison(self, page, a, b):
        """Every number on the page against the document: `a` and `b` are the best rows of the two sides."""
        both = {key: (a[key], b[key]) for key in a if key in b}
        self.assertGreater(len(both), 0)
        page.wait_for_function("n => document.querySelectorAll('#result tbody tr').length === n", arg=len(both))
        shown = page.locator("#result tbody tr").evaluate_all("rows => rows.map(r => [...r.cells].map(c => c.textContent.trim()))")
        expected, tally = [], {"A": 0, "B": 0, "not separated": 0}
        for key, (one, other) in both.items():
            apart = one.interval[1] < other.interval[0] or other.interval[1] < one.interval[0]
            verdict = "not separated" if not apart else "A" if one.time < other.time else "B"
            tally[verdict] += 1
            side = lambda row: f"{row.name} {row.language} {text.time(row.time)}"
            expected.append([key[0], key[1], f"{other.time / one.time:.3f}×", "", verdict, side(one), side(other)])
        self.assertEqual(sorted(line[:7] for line in shown), sorted(expected))
        mean = math.exp(sum(math.log(other.time / one.time) for one, other in both.values()) / len(both))
        words = page.locator("#sides output").inner_text()
        self.assertIn(f"A faster on {tally['A']}, B on {tally['B']}, not separated on {tally['not separated']}", words)
        self.assertIn(f"geometric mean of A's speed-ups {mean:.3f}×", words)
        return tally

    def test_compare(self):
        page = self.page()
        page.goto(self.http("compare.html"))
        site = documents.load(self.small.with_suffix(".json"))
        counting = [board for board in site.boards() if board.timed]
        of = lambda choose: self.best([board for board in counting if choose(board)])
        vendor = lambda name: lambda board: site.devices[board.run.device].vendor == name
        options = page.locator("#sides select[name=a] option").evaluate_all("all => all.map(o => o.value)")
        self.assertFalse([o for o in options if "emulated" in o])

        # Libraries against the others, on each device: what the page begins with.
        libraries, others = (self.best(counting, lambda row: row.library is wanted, per_device=True) for wanted in (True, False))
        self.check_comparison(page, libraries, others)

        devices = [device for device in site.devices.values() if not device.emulated]
        self.assertEqual([o for o in options if o.startswith("device:")], [f"device:{device.page}" for device in devices])
        first, second = devices[0], devices[1]
        self.choose(page, f"device:{first.page}", f"device:{second.page}")
        self.check_comparison(page, of(lambda b: b.run.device == first.slug), of(lambda b: b.run.device == second.slug))
        self.assertIn(f"a=device%3A{first.page}", page.url)

        self.choose(page, "vendor:NVIDIA", "vendor:AMD")
        self.check_comparison(page, of(vendor("NVIDIA")), of(vendor("AMD")))

        self.choose(page, "vendor:AMD", "who:libraries")
        self.check_comparison(page, of(vendor("AMD")), self.best(counting, lambda row: row.library))

        # Two runs of one device and one revision.
        earlier, later = [run for run in site.runs if run.device == first.slug][:2]
        self.choose(page, f"run:{earlier.slug}", f"run:{later.slug}")
        tally = self.check_comparison(page, self.best(earlier.boards), self.best(later.boards))
        self.assertGreater(tally["A"] + tally["B"], 0)
        self.choose(page, f"run:{later.slug}", f"run:{later.slug}")
        page.wait_for_function("n => document.querySelector('#sides output').textContent.includes(`not separated on ${n};`)", arg=len(self.best(later.boards)))
        other = self.page()
        other.goto(page.url)
        other.wait_for_selector("#result tbody tr")
        self.assertEqual(other.locator("select[name=a]").input_value(), f"run:{later.slug}")

    def test_a_point_of_history_opens_its_source(self):
        page = self.page()
        page.goto(self.file("history.html"))
        point = page.locator("svg.past a").first
        point.focus()
        page.keyboard.press("Enter")
        page.wait_for_url("**/source/*.html")

    def colours(self, page):
        """Every colour that the style sheet names, as the browser draws it."""
        return page.evaluate(
            """() => {
              const names = [...document.styleSheets[0].cssRules[0].style].filter((name) => name.startsWith('--') && name !== '--sans' && name !== '--mono');
              const probe = document.body.appendChild(document.createElement('i'));
              const drawn = names.map((name) => ((probe.style.color = `var(${name})`), [name, getComputedStyle(probe).color]));
              probe.remove();
              return Object.fromEntries(drawn);
            }"""
        )

    def test_the_same_colours_by_choice_and_as_the_system_asks(self):
        found = {}
        for system in ("light", "dark"):
            page = self.page(colours=system)
            page.goto(self.http("index.html"))
            found[system] = self.colours(page)
            for _ in range(2):
                page.locator("button.theme").click()
                chosen = page.evaluate("document.documentElement.dataset.theme")
                found[f"{chosen} chosen, system {system}"] = self.colours(page)
            page.emulate_media(media="print")
            found[f"{chosen} chosen, system {system}, printed"] = self.colours(page)
        self.assertGreater(len(found["light"]), 20)
        for way, drawn in found.items():
            self.assertEqual(drawn, found["light" if "printed" in way else way.split(" ")[0]], way)
        self.assertEqual([name for name in found["light"] if found["light"][name] == found["dark"][name]], [])

    def test_colours_can_be_chosen_and_last(self):
        page = self.page()
        page.goto(self.http("index.html"))
        paper = "getComputedStyle(document.body).backgroundColor"
        light = page.evaluate(paper)
        button = page.locator("button.theme")
        button.click(), button.click()
        self.assertIn("dark", button.get_attribute("aria-label"))
        self.assertNotEqual(page.evaluate(paper), light)
        page.goto(self.http("runs.html"))
        self.assertNotEqual(page.evaluate(paper), light)
        self.assertEqual(page.evaluate("document.documentElement.dataset.theme"), "dark")

    def test_copies_of_hostile_tables_are_safe_in_a_spreadsheet_and_in_markdown(self):
        page = self.page()
        for path in ("contestants.html", "index.html", *(f"problem/{file.name}" for file in sorted((self.hostile / "problem").glob("*.html"))[:2])):
            page.goto(self.file(path, self.hostile))
            for copied in page.evaluate("[...document.querySelectorAll('table[data-copy]')].map((t) => podium.tableAs(t, 'csv'))"):
                lines = list(csv.reader(io.StringIO(copied), strict=True))
                self.assertEqual({len(line) for line in lines}, {len(lines[0])}, path)
                self.assertEqual([c for line in lines for c in line if re.match(r"[=+@\t\r\n-]", c) and not re.fullmatch(r"[+-]?[\d.]+(e[+-]?\d+)?", c)], [])
            for copied in page.evaluate("[...document.querySelectorAll('table[data-copy]')].map((t) => podium.tableAs(t, 'md'))"):
                lines = copied.strip().split("\n")
                self.assertEqual(len({len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in lines}), 1, path)
                self.assertNotRegex(copied, r"<|@(?=[a-z])|\bwww\.|://|(?<!\\)[`*\[]")
        page.goto(self.file("contestants.html", self.hostile))
        copied = page.evaluate("podium.tableAs(document.querySelector('#contestants'), 'csv')")
        self.assertIn("\n'=cmd|' /C calc'!A0,", copied)

    def test_copies_escape_as_reports_do(self):
        page = self.page()
        page.goto(self.file("index.html"))
        for function, cases in (("csvCell", CSV), ("markdownCell", MARKDOWN)):
            for text_, expected in cases.items():
                self.assertEqual(page.evaluate(f"t => podium.{function}(t)", text_), expected)

    def test_copy_as_csv_has_numbers(self):
        page = self.page(permissions=["clipboard-read", "clipboard-write"])
        page.goto(self.http(self.first("problem")))
        page.locator(".ranking").first.locator("xpath=../following-sibling::div[1]").get_by_text("Copy CSV").click()
        page.wait_for_function("document.body.textContent.includes('Copied')")
        head, first, *_ = csv.reader(io.StringIO(page.evaluate("navigator.clipboard.readText()")))
        self.assertEqual(head[:2], ["rank", "contestant"])
        self.assertIn("time_us", head)
        self.assertGreater(float(first[head.index("time_us")]), 0)
        with page.expect_download() as saved:
            page.locator(".ranking").first.locator("xpath=../following-sibling::div[1]").get_by_text("Save CSV").click()
        self.assertEqual(saved.value.suggested_filename, "problem_00-amd-instinct-mi300x-gfx942-192g--bf16.csv")
        self.assertEqual(Path(saved.value.path()).read_text().splitlines()[0].split(",")[:2], ["rank", "contestant"])

    def test_print_shows_tables_without_controls(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        page.emulate_media(media="print")
        self.assertEqual(page.locator("nav:visible, .filters:visible, .copy:visible, .theme:visible").count(), 0)
        self.assertGreater(page.locator("table.ranking:visible").count(), 0)

    def test_a_printed_page_is_no_wider_than_paper(self):
        page = self.page(viewport={"width": 1000, "height": 700})  # A4 and letter but for their margins, at 96 pixels an inch
        page.emulate_media(media="print")
        for path in (self.first("problem"), self.first("contestant"), "index.html", "history.html", "runs.html"):
            page.goto(self.file(path))
            self.assertLessEqual(self.overflow(page), 0, path)

    def test_figures_have_text_alternatives_and_tables_captions(self):
        page = self.page()
        page.goto(self.file(self.first("problem")))
        self.assertEqual(page.evaluate("[...document.querySelectorAll('[role=img], svg:not([aria-hidden])')].filter((s) => !s.getAttribute('aria-label')).length"), 0)
        self.assertEqual(page.evaluate("[...document.querySelectorAll('table')].filter((t) => !t.caption).length"), 0)

    def test_names_in_rooflines_touch_neither_each_other_nor_points(self):
        page = self.page()
        for path in ("device/nvidia-h200-sm_90-140g.html", "device/amd-instinct-mi300x-gfx942-192g.html", "problem/problem_00.html", "problem/problem_01.html"):
            page.goto(self.file(path))
            self.assertEqual(touching_names(page), [], path)
            shown = " ".join(page.locator("svg.roof .roofname").all_text_contents())
            for name in (r"f32 matrix [\d.]+", r"bf16, f32 multiply-add [\d.]+, [\d.]+", r"f64 multiply-add [\d.]+") if path.startswith("device") else ():
                self.assertRegex(shown, f"{name} [TP]FLOP/s", path)


if __name__ == "__main__":
    unittest.main(verbosity=2)
