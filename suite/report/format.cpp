// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Numbers and words as people read them.
#include "suite/report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace podium::report {
namespace {

constexpr int digits = 4;
constexpr char32_t invalid = 0xfffd;

// The next character of non-empty `text`, which loses it; `invalid` and one byte where it is no UTF-8.
char32_t take(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80       ? 1
                             : first >> 5 == 6  ? 2
                             : first >> 4 == 14 ? 3
                             : first >> 3 == 30 ? 4
                                                : 0;
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  char32_t character = length == 1 ? first : first & (0x7f >> length);
  bool valid = length > 0 && length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = byte(i) >> 6 == 2;
    character = character << 6 | (byte(i) & 0x3f);
  }
  valid = valid && character >= smallest[length] && character <= 0x10ffff &&
          (character < 0xd800 || character > 0xdfff);
  text.remove_prefix(valid ? length : 1);
  return valid ? character : invalid;
}

// Controls, and what turns or hides the text around it: bidirectional and zero-width characters.
bool harmful(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

// Whether a spreadsheet would take it for a formula: it begins like one and is no number. Those of East Asia
// take the wide characters, too.
bool runs_as_formula(std::string_view text) {
  constexpr std::string_view narrow = "=+-@\t\r\n";
  constexpr std::array wide{"＝", "＋", "－", "＠"};
  if (std::ranges::any_of(wide, [&](const char* c) { return text.starts_with(c); })) return true;
  if (text.empty() || narrow.find(text.front()) == narrow.npos) return false;
  double number = 0;
  const char* const first = text.data() + (text.front() == '+' ? 1 : 0);
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), number);
  return error != std::errc() || end != text.data() + text.size();
}

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_alphanumeric(std::string_view one) { return !one.empty() && is_alphanumeric(one.front()); }

// A space without width. An escape does not keep GitHub and GitLab from links that Markdown does not know:
// they look for them in what Markdown has made.
constexpr std::string_view breaks_words = "&#8203;";

// A mention or a mail address (@name), an issue (#1), the address of a page (http://).
bool begins_reference(std::string_view text) {
  return text.front() == '@' || text.starts_with("://") ||
         (text.front() == '#' && is_alphanumeric(text.substr(1, 1)));
}

// www.
bool begins_host(std::string_view text) {
  return text.size() > 3 && text[3] == '.' &&
         std::ranges::all_of(text.substr(0, 3), [](char c) { return c == 'w' || c == 'W'; });
}

// Where the mark ends that would make a heading, a list or a quotation of the line; 0: it begins with none.
std::size_t end_of_block_marker(std::string_view line) {
  if (line.empty()) return 0;
  if (std::string_view("#>=").find(line.front()) != std::string_view::npos) return 1;
  if (std::string_view("-+").find(line.front()) != std::string_view::npos)
    return line.size() == 1 || line[1] == ' ' || line[1] == line[0] ? 1 : 0;
  const std::size_t digits = line.find_first_not_of("0123456789");
  if (digits == 0 || digits == line.npos || (line[digits] != '.' && line[digits] != ')')) return 0;
  return digits + 1 == line.size() || line[digits + 1] == ' ' ? digits + 1 : 0;
}

// "412.3 µs" of 412.3 and "s".
std::string from_millionths(double value, std::string_view unit) {
  constexpr double rounds_up = 999.95;  // would show as "1000.0"
  const auto text = [&](double factor, std::string_view prefix) {
    return fmt::format("{} {}{}", significant(value * factor), prefix, unit);
  };
  if (value < 0.99995) return text(1e3, "n");
  if (value < rounds_up) return text(1, "µ");
  if (value < rounds_up * 1e3) return text(1e-3, "m");
  return text(1e-6, "");
}

}  // namespace

std::string significant(double value) { return significant(value, digits); }

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  // The exponent after rounding: 9.9996 has two digits before the point.
  const std::string scientific = fmt::format("{:.{}e}", value, digits - 1);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  return fmt::format("{:.{}f}", value, std::clamp(digits - 1 - exponent, 0, 12));
}

std::string time_text(double microseconds) { return from_millionths(microseconds, "s"); }
std::string energy_text(double microjoules) { return from_millionths(microjoules, "J"); }

std::string size_text(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1023.5 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return fmt::format("{} {}", unit == 0 ? fmt::format("{:.0f}", bytes) : significant(bytes), units[unit]);
}

std::string ratio_text(double ratio) {  // an interval about 1 reads best with decimals of one length
  return ratio >= 0.1 && ratio < 1 ? fmt::format("{:.3f}", ratio)
                                   : significant(ratio, ratio < 1 ? digits - 1 : digits);
}
std::string percent_text(double share) { return fmt::format("{:.1f}", share * 100); }

std::string or_none(const std::optional<double>& value, std::string (*text)(double)) {
  return value ? text(*value) : std::string(none);
}

std::string one_line(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t character = take(text);
    if (character == invalid) {
      result += '?';
    } else if (harmful(character) || character == ' ') {
      if (!result.empty() && result.back() != ' ') result += ' ';
    } else {
      result += before.substr(0, before.size() - text.size());
    }
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

std::string ascii(std::string_view text) {
  constexpr std::pair<char32_t, char> twins[] = {{U'µ', 'u'}, {U'–', '-'}, {U'×', 'x'}, {U'±', '~'},
                                                 {U'·', '|'}, {U'δ', 'd'}, {U'─', '-'}, {U'…', '~'},
                                                 {U'≥', '>'}, {U'’', '\''}};
  std::string result;
  while (!text.empty()) {
    const char32_t character = take(text);
    const auto* twin = std::ranges::find(twins, character, &std::pair<char32_t, char>::first);
    result += character < 0x80 ? static_cast<char>(character) : twin != std::end(twins) ? twin->second : '?';
  }
  return result;
}

std::size_t width(std::string_view utf8) {
  std::size_t columns = 0;
  for (; !utf8.empty(); take(utf8)) ++columns;
  return columns;
}

std::string shortened(std::string_view utf8, std::size_t columns) {
  if (width(utf8) <= columns) return std::string(utf8);
  if (columns == 0) return "";
  std::string_view rest = utf8;
  for (std::size_t i = 1; i < columns; ++i) take(rest);
  return std::string(utf8.substr(0, utf8.size() - rest.size())) + "…";
}

std::string markdown_escaped(std::string_view text) {
  const std::string line = one_line(text);
  const std::size_t marker = end_of_block_marker(line);
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const std::string_view rest = std::string_view(line).substr(i);
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else if (begins_reference(rest) && i + 1 < line.size()) {
      result += c;
      result += breaks_words;
    } else if (begins_host(rest)) {
      result += line.substr(i, 3);
      result += breaks_words;
      i += 2;
    } else {
      const bool markup = std::string_view("\\`*_[]|~$").find(c) != std::string_view::npos;
      const bool in_word =
          c == '_' && i > 0 && is_alphanumeric(line[i - 1]) && is_alphanumeric(rest.substr(1, 1));
      if ((markup && !in_word) || i + 1 == marker) result += '\\';
      result += c;
    }
  }
  return result;
}

std::string csv_escaped(std::string_view text) {
  const std::string safe = runs_as_formula(text) ? fmt::format("'{}", text) : std::string(text);
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string result = "\"";
  for (const char c : safe) result.append(c == '"' ? 2 : 1, c);
  return result.append(1, '"');
}

std::string latex_escaped(std::string_view text) {
  const std::string line = one_line(text);
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\')
      result += "\\textbackslash{}";
    else if (c == '~')
      result += "\\textasciitilde{}";
    else if (c == '^')
      result += "\\textasciicircum{}";
    else if (c == '<')
      result += "\\textless{}";
    else if (c == '>')
      result += "\\textgreater{}";
    else if (c == '|')
      result += "\\textbar{}";
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      result += fmt::format("\\{}", c);
    else
      result += c;
    const bool ligature = std::string_view("-`'").find(c) != std::string_view::npos &&
                          line.substr(i + 1, 1) == std::string(1, c);
    if (ligature) result += "{}";
  }
  return result;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    line += csv_escaped(fields[i]);
  }
  return line + '\n';
}

std::string csv_number(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

}  // namespace podium::report
