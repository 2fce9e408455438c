// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "suite/base/error.hpp"
#include "suite/report/board.hpp"
#include "suite/report/calibration.hpp"
#include "suite/report/format.hpp"
#include "suite/report/table.hpp"

namespace podium::report {
namespace {

constexpr double width_px = 1000, height_px = 620, left = 80, right = 740, top = 60, bottom = 550;
constexpr double line_px = 15;  // between labels

struct Roof {
  std::string name, unit, colour;
  double rate = 0;
  std::string label() const { return label_of(name); }
};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

// Whole decades on both axes.
struct Axes {
  double x_min, x_max, y_min, y_max;
  double x(double intensity) const {
    return left + (right - left) * std::log10(intensity / x_min) / std::log10(x_max / x_min);
  }
  double y(double rate) const {
    return bottom - (bottom - top) * std::log10(rate / y_min) / std::log10(y_max / y_min);
  }
};

double decade_below(double value) { return std::pow(10, std::floor(std::log10(value))); }
double decade_above(double value) { return std::pow(10, std::ceil(std::log10(value))); }

// A slope begins at the left edge where it is in sight, and ends at the highest level.
struct Bounds {
  std::vector<Roof> slopes, levels;
  std::vector<RooflinePoint> points;

  Axes axes() const {
    const double slowest = std::ranges::min(slopes, {}, &Roof::rate).rate;
    double lowest = std::ranges::min(levels, {}, &Roof::rate).rate, highest = this->highest();
    double least = 0.1, most = 4 * highest / slowest;
    for (const auto& p : points) {
      const double intensity = p.operations_per_second / p.bytes_per_second;
      least = std::min(least, intensity), most = std::max(most, intensity);
      lowest = std::min(lowest, p.operations_per_second);
      highest = std::max(highest, p.operations_per_second);
    }
    const double x_min = decade_below(least);
    return {x_min, decade_above(most), decade_below(std::min(lowest, slowest * x_min)),
            decade_above(1.2 * highest)};
  }
  double highest() const { return std::ranges::max(levels, {}, &Roof::rate).rate; }
  double steepest() const { return std::ranges::max(slopes, {}, &Roof::rate).rate; }
};

std::string line_of(const Roof& roof, double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line id=\"roof-{}\" class=\"roof {}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" "
      "y2=\"{:.2f}\"><title>{}: "
      "{}</title></line>\n",
      escaped(roof.name), roof.colour, x1, y1, x2, y2, escaped(roof.label()),
      value_text(roof.rate, roof.unit));
}

std::string prefix_text(double power_of_ten) {
  const int exponent = static_cast<int>(std::lround(std::log10(power_of_ten)));
  constexpr const char* names[] = {"", "k", "M", "G", "T", "P", "E"};
  if (exponent < 0 || exponent > 20) return fmt::format("1e{}", exponent);
  return fmt::format("{:.0f} {}", std::pow(10, exponent % 3), names[exponent / 3]);
}

void put_axes(std::string& out, const Axes& axes) {
  out += fmt::format(
      "<g id=\"axes\" data-x-min=\"{:g}\" data-x-max=\"{:g}\" data-y-min=\"{:g}\" data-y-max=\"{:g}\" "
      "data-left=\"{:g}\" data-right=\"{:g}\" data-top=\"{:g}\" data-bottom=\"{:g}\">\n",
      axes.x_min, axes.x_max, axes.y_min, axes.y_max, left, right, top, bottom);
  const auto decades = [](double from, double to) {
    return static_cast<int>(std::lround(std::log10(to / from)));
  };
  for (int i = 0; i <= decades(axes.x_min, axes.x_max); ++i) {
    const double x = axes.x_min * std::pow(10, i);
    out += fmt::format(
        "<line class=\"grid\" x1=\"{0:.2f}\" y1=\"{1:g}\" x2=\"{0:.2f}\" y2=\"{2:g}\"/><text x=\"{0:.2f}\" "
        "y=\"{3:g}\" text-anchor=\"middle\">{4:g}</text>\n",
        axes.x(x), top, bottom, bottom + 18, x);
  }
  for (int i = 0; i <= decades(axes.y_min, axes.y_max); ++i) {
    const double y = axes.y_min * std::pow(10, i);
    out += fmt::format(
        "<line class=\"grid\" x1=\"{1:g}\" y1=\"{0:.2f}\" x2=\"{2:g}\" y2=\"{0:.2f}\"/><text x=\"{3:g}\" "
        "y=\"{4:.2f}\" text-anchor=\"end\">{5}</text>\n",
        axes.y(y), left, right, left - 8, axes.y(y) + 4, prefix_text(y));
  }
  out += fmt::format(
      "<text x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">arithmetic intensity (operations per byte)</text>\n"
      "<text transform=\"translate(22 {:g}) rotate(-90)\" text-anchor=\"middle\">operations per "
      "second</text>\n</g>\n",
      (left + right) / 2, bottom + 44, (top + bottom) / 2);
}

void put_slope(std::string& out, const Axes& axes, const Roof& roof, double highest) {
  const double from = std::max(axes.x_min, axes.y_min / roof.rate), to = highest / roof.rate;
  const double x1 = axes.x(from), y1 = axes.y(roof.rate * from), x2 = axes.x(to), y2 = axes.y(highest);
  out += line_of(roof, x1, y1, x2, y2);
  const double angle = std::atan2(y2 - y1, x2 - x1) * 180 / 3.14159265358979323846;
  // The cache's slope has its name above it, that of memory below.
  const bool above = roof.name == "cache_read";
  out += fmt::format(
      "<text class=\"{}\" transform=\"translate({:.2f} {:.2f}) rotate({:.2f})\" dy=\"{}\">{}: {}</text>\n",
      roof.colour, x1 + 0.03 * (x2 - x1), y1 + 0.03 * (y2 - y1), angle, above ? -6 : 15,
      escaped(roof.label()), value_text(roof.rate, "B/s"));
}

// Names stand right of their levels, each moved down as far as the one above it asks, and all moved up again
// where that led out of the picture.
void put_levels(std::string& out, const Axes& axes, std::vector<Roof> levels, double steepest) {
  std::ranges::sort(levels, std::greater{}, &Roof::rate);
  std::vector<double> at;
  for (const Roof& roof : levels)
    at.push_back(std::max(axes.y(roof.rate), at.empty() ? top : at.back() + line_px));
  double room = bottom;
  for (auto y = at.rbegin(); y != at.rend(); ++y, room -= line_px) *y = std::min(*y, room);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Roof& roof = levels[i];
    const double y = axes.y(roof.rate);
    out += line_of(roof, axes.x(std::max(axes.x_min, roof.rate / steepest)), y, right, y);
    out += fmt::format(
        "<line class=\"leader\" x1=\"{:g}\" y1=\"{:.2f}\" x2=\"{:g}\" y2=\"{:.2f}\"/><text class=\"{}\" "
        "x=\"{:g}\" "
        "y=\"{:.2f}\">{}: {}</text>\n",
        right, y, right + 16, at[i], roof.colour, right + 20, at[i] + 4, escaped(roof.label()),
        value_text(roof.rate, roof.unit));
  }
}

void put_points(std::string& out, const Axes& axes, const std::vector<RooflinePoint>& points) {
  for (const RooflinePoint& p : points) {
    const double x = axes.x(p.operations_per_second / p.bytes_per_second),
                 y = axes.y(p.operations_per_second);
    const bool leftward = x > (left + right) / 2;  // where a name to its right would meet those of the levels
    out += fmt::format(
        "<circle class=\"point\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"4\"><title>{}: {}, {}</title></circle>"
        "<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" class=\"name\">{}</text>\n",
        x, y, escaped(p.label), value_text(p.operations_per_second, "FLOP/s"),
        value_text(p.bytes_per_second, "B/s"), leftward ? x - 7 : x + 7, y + 14, leftward ? "end" : "start",
        escaped(p.label));
  }
}

constexpr const char* style =
    "<style>\n"
    "svg { background: #ffffff; } text { font: 12px sans-serif; fill: #24292f; } .title { font-size: 16px; "
    "}\n"
    ".grid { stroke: #d0d7de; stroke-width: 1; } .leader { stroke: #8c959f; stroke-width: 1; }\n"
    ".roof { stroke-width: 2; fill: none; } .name { font-size: 10px; } .point { fill: #24292f; }\n"
    "line.memory { stroke: #0550ae; } text.memory { fill: #0550ae; }\n"
    "line.fma { stroke: #116329; } text.fma { fill: #116329; }\n"
    "line.matrix { stroke: #a40e26; } text.matrix { fill: #a40e26; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "svg { background: #0d1117; } text { fill: #e6edf3; } .grid { stroke: #30363d; } .point { fill: #e6edf3; "
    "}\n"
    "line.memory { stroke: #79c0ff; } text.memory { fill: #79c0ff; }\n"
    "line.fma { stroke: #7ee787; } text.fma { fill: #7ee787; }\n"
    "line.matrix { stroke: #ffa198; } text.matrix { fill: #ffa198; }\n"
    "}\n</style>\n";

}  // namespace

std::string roofline(const record::Calibration& calibration, const std::vector<RooflinePoint>& points) {
  Bounds bounds{.slopes = {}, .levels = {}, .points = points};
  for (const auto& q : calibration.quantities) {
    if (q.samples == 0 || q.value <= 0) continue;
    if (q.name == "copy" || q.name == "cache_read")
      bounds.slopes.push_back({q.name, q.unit, "memory", q.value});
    for (const char* kind : {"fma", "matrix"})
      if (q.name.starts_with(std::string(kind) + "_"))
        bounds.levels.push_back({q.name, q.unit, kind, q.value});
  }
  if (bounds.slopes.empty() || bounds.levels.empty())
    throw Error(
        "a roofline needs a rate of memory and one of arithmetic, and the calibration has none; run `podium "
        "calibrate` again");
  const Axes axes = bounds.axes();
  const auto& p = calibration.provenance;
  std::string out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
      "{0:g} {1:g}\" "
      "width=\"{0:g}\" height=\"{1:g}\" role=\"img\">\n{2}<text class=\"title\" x=\"{3:g}\" "
      "y=\"32\">{4}</text>\n",
      width_px, height_px, style, left,
      escaped(fmt::format("Roofline of {}, measured {}", device_text(p.device), p.started)));
  put_axes(out, axes);
  for (const Roof& slope : bounds.slopes) put_slope(out, axes, slope, bounds.highest());
  put_levels(out, axes, bounds.levels, bounds.steepest());
  put_points(out, axes, points);
  return out + "</svg>\n";
}

std::vector<RooflinePoint> points_of(const record::Run& run, const record::Calibration& calibration) {
  const Report report = report_of(run);
  const auto &ours = calibration.provenance.device, &theirs = report.provenance.device;
  if (record::slug(ours) != record::slug(theirs))
    throw Error(fmt::format("{}: a run on {}, expected one on the calibrated {}", run.folder.string(),
                            record::slug(theirs), record::slug(ours)));
  std::vector<RooflinePoint> points;
  for (const BoardReport& board : report.boards)
    for (const Row& row : board.rows) {
      if (!row.gb_per_s || !row.tflop_per_s || *row.gb_per_s <= 0 || *row.tflop_per_s <= 0) continue;
      points.push_back({fmt::format("{} {} {}", board.problem, board.types, row.contestant),
                        *row.gb_per_s * 1e9, *row.tflop_per_s * 1e12});
      break;
    }
  return points;
}

}  // namespace podium::report
