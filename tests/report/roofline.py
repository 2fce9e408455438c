# SPDX-FileCopyrightText: The Podium authors
# SPDX-License-Identifier: Apache-2.0
"""roofline.py FILE.svg CALIBRATION.json: whether every roof lies where its number says, worked out anew."""

import json
import math
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
NEAR = 0.02  # pixels: coordinates have two decimals


def main(svg, calibration):
    root = ET.parse(svg).getroot()
    assert root.tag == SVG + "svg", root.tag
    with open(calibration, encoding="utf-8") as file:
        rates = {q["name"]: q["value"] for q in json.load(file)["quantities"] if q["samples"] > 0}
    levels = {k: v for k, v in rates.items() if k.startswith(("fma_", "matrix_"))}
    slopes = {k: v for k, v in rates.items() if k in ("copy", "cache_read")}
    axes = next(e for e in root.iter(SVG + "g") if e.get("id") == "axes")
    a = {k[5:]: float(v) for k, v in axes.items() if k.startswith("data-")}

    def x(intensity):
        share = (math.log(intensity) - math.log(a["x-min"])) / (math.log(a["x-max"]) - math.log(a["x-min"]))
        return a["left"] + share * (a["right"] - a["left"])

    def y(rate):
        share = (math.log(rate) - math.log(a["y-min"])) / (math.log(a["y-max"]) - math.log(a["y-min"]))
        return a["bottom"] - share * (a["bottom"] - a["top"])

    def expect(name, found, wanted):
        assert all(abs(f - w) <= NEAR for f, w in zip(found, wanted)), f"{name}: found {found}, expected {wanted}"

    lines = {e.get("id")[5:]: e for e in root.iter(SVG + "line") if (e.get("id") or "").startswith("roof-")}
    assert lines.keys() == levels.keys() | slopes.keys(), f"{sorted(lines)}, expected {sorted({**levels, **slopes})}"
    steepest, highest = max(slopes.values()), max(levels.values())
    for name, line in lines.items():
        found = [float(line.get(k)) for k in ("x1", "y1", "x2", "y2")]
        rate = rates[name]
        if name in levels:
            expect(name, found, (max(x(rate / steepest), a["left"]), y(rate), a["right"], y(rate)))
        else:
            start = max(a["x-min"], a["y-min"] / rate)
            expect(name, found, (x(start), y(rate * start), x(highest / rate), y(highest)))
        assert a["left"] - NEAR <= found[0] < found[2] <= a["right"] + NEAR, f"{name}: {found}"
        assert all(a["top"] - NEAR <= v <= a["bottom"] + NEAR for v in (found[1], found[3])), f"{name}: {found}"
        title = line.find(SVG + "title").text
        assert any(c.isdigit() for c in title) and title.endswith("/s"), title

    words = ["".join(e.itertext()) for e in root.iter(SVG + "text")]
    for name in levels:
        dtype = name.split("_")[1]
        assert any(f", {dtype}: " in w for w in words), f"no label names {name}: {words}"
    for axis in ("operations per byte", "operations per second"):
        assert any(axis in w for w in words), f"no axis says {axis}"
    assert "prefers-color-scheme: dark" in root.find(SVG + "style").text
    heights = sorted(float(e.get("y")) for e in root.iter(SVG + "text") if e.get("class") in ("fma", "matrix") and e.get("y"))
    assert all(b - t >= 12 for t, b in zip(heights, heights[1:])), f"labels overlap: {heights}"
    print(f"{len(lines)} roofs, {sum(1 for e in root.iter(SVG + 'circle'))} points")


main(*sys.argv[1:])
