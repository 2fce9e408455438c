// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Numbers and words as people read them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podium::report {

inline constexpr std::string_view none = "–";  // a cell without a value

// Four significant digits, no exponent, trailing zeros kept: "3.710", "412.3", "4223", "0.05120".
std::string significant(double value);
std::string significant(double value, int digits);
std::string time_text(double microseconds);   // "512.0 ns", "412.3 µs", "1.604 ms", "2.000 s"
std::string energy_text(double microjoules);  // "840.2 nJ", "12.31 µJ", "1.604 mJ", "2.000 J"
std::string size_text(double bytes);          // "512 B", "1.526 MiB", "2.000 GiB"
std::string ratio_text(double ratio);         // "1.083", "0.996", "12.41", "0.0731"
std::string percent_text(double share);       // "61.3": of a share of 1
std::string or_none(const std::optional<double>& value, std::string (*text)(double));

// One line that does no harm to a terminal: control characters and white space become single spaces, what is
// no UTF-8 becomes '?'.
std::string one_line(std::string_view text);
std::string ascii(
    std::string_view text);  // of the characters used here, width kept: "µ" becomes "u"; others '?'
std::size_t width(std::string_view utf8);                           // columns, taking each character for one
std::string shortened(std::string_view utf8, std::size_t columns);  // ends in "…" if cut
// Text of contestants is hostile. What a format makes of it is said here and in docs/exports.md.
// One line in which nothing is markup, ends a table's cell, becomes a link or mentions anybody.
std::string markdown_escaped(std::string_view text);
// RFC 4180; an apostrophe stands before what a spreadsheet would take for a formula.
std::string csv_escaped(std::string_view text);
std::string latex_escaped(std::string_view text);  // nothing in it is a command, nor ends a table's cell
std::string csv_line(const std::vector<std::string>& fields);  // escaped, with the line's end
std::string csv_number(const std::optional<double>& value);    // all its digits; "" if there is none

}  // namespace podium::report
