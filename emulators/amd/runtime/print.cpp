// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/print.hpp"

#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

namespace podium::amd {
namespace {

class Words {
 public:
  explicit Words(std::span<const std::uint64_t> words) : words_(words) {}
  std::optional<std::uint64_t> next() {
    if (words_.empty()) return std::nullopt;
    const std::uint64_t word = words_.front();
    words_ = words_.subspan(1);
    return word;
  }
  std::optional<std::string> text() {
    if (words_.empty()) return std::nullopt;
    const auto* const begin = reinterpret_cast<const char*>(words_.data());
    const std::size_t length = strnlen(begin, words_.size_bytes());
    words_ = words_.subspan(std::min(words_.size(), length / sizeof(std::uint64_t) + 1));
    return std::string(begin, length);
  }

 private:
  std::span<const std::uint64_t> words_;
};

template <class T>
std::string with(const std::string& format, T value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int length = std::snprintf(nullptr, 0, format.c_str(), value);
  if (length < 0) return format;
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
#pragma GCC diagnostic pop
  text.pop_back();
  return text;
}

// An integer as the length before its conversion means it: "hh", "h", "" for int, or 64 bits.
std::int64_t narrowed(std::uint64_t word, std::string_view length) {
  if (length == "hh") return static_cast<std::int8_t>(word);
  if (length == "h") return static_cast<std::int16_t>(word);
  return length.empty() ? static_cast<std::int32_t>(word) : static_cast<std::int64_t>(word);
}
std::uint64_t narrowed_unsigned(std::uint64_t word, std::string_view length) {
  if (length == "hh") return static_cast<std::uint8_t>(word);
  if (length == "h") return static_cast<std::uint16_t>(word);
  return length.empty() ? static_cast<std::uint32_t>(word) : word;
}

// One conversion, from its % to its letter, or nothing: an argument is missing, or it is no conversion.
std::optional<std::string> converted(std::string_view conversion, Words& words) {
  std::string format;  // with numbers in place of asterisks, without the length
  std::string_view rest = conversion;
  for (; !rest.empty() && std::strchr("%-+ #0123456789.*", rest.front()); rest.remove_prefix(1)) {
    if (rest.front() != '*') {
      format += rest.front();
    } else if (const auto word = words.next()) {
      const auto number = static_cast<std::int32_t>(*word);
      if (number < 0 && format.ends_with('.'))
        format.pop_back();  // as if there were no precision
      else
        format += std::to_string(number);
    } else {
      return std::nullopt;
    }
  }
  const std::string_view length = rest.substr(0, rest.size() - 1);
  const char letter = rest.back();
  if (letter == 's') {
    const auto text = words.text();
    return text ? std::optional(with(format + 's', text->c_str())) : std::nullopt;
  }
  const auto word = words.next();
  if (!word) return std::nullopt;
  switch (letter) {
    case 'd':
    case 'i':
      return with(format + "ll" + letter, static_cast<long long>(narrowed(*word, length)));
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return with(format + "ll" + letter, static_cast<unsigned long long>(narrowed_unsigned(*word, length)));
    case 'c':
      return with(format + letter, static_cast<int>(*word));
    case 'p':
      return with(format + letter, reinterpret_cast<const void*>(*word));
    case 'n':
      return "";  // nothing can be counted into the device's memory
    default:
      return with(format + letter, std::bit_cast<double>(*word));
  }
}

}  // namespace

std::string printed(std::span<const std::uint64_t> from) {
  Words words(from);
  const std::string format = words.text().value_or("");
  std::string text;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      text += format[at++];
      continue;
    }
    if (format.compare(at, 2, "%%") == 0) {
      text += '%';
      at += 2;
      continue;
    }
    const std::size_t last = format.find_first_of("diouxXcspnfFeEgGaA", at);
    if (last == std::string::npos) return text + format.substr(at);
    const std::string conversion = format.substr(at, last + 1 - at);
    text += converted(conversion, words).value_or(conversion);
    at = last + 1;
  }
  return text;
}

}  // namespace podium::amd
