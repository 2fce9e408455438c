// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/failure.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "suite/problem/yaml/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::contest {

Verdict of_judge(Verdict said) {
  const bool sayable = (said >= Verdict::right && said <= Verdict::out_of_memory && said != Verdict::none) ||
                       said == Verdict::missing_library || said == Verdict::no_verdict;
  return sayable ? said : Verdict::broke_protocol;
}

Failure failure_of(const std::optional<sandbox::End>& end) {
  if (!end) return {Verdict::crashed, "closed its channel"};
  if (const auto* exited = std::get_if<sandbox::Exited>(&*end))
    return {Verdict::exited, fmt::format("with status {}", exited->status)};
  return {Verdict::crashed, name_of(std::get<sandbox::Killed>(*end))};
}

std::string plain(const std::string& words) { return yaml::excerpt(words, protocol::max_text); }

namespace {

std::string tail_of(int output, std::size_t most) {
  std::string words(most, '\0');
  const off_t end = lseek(output, 0, SEEK_END);
  const ssize_t got = pread(output, words.data(), most, std::max<off_t>(0, end - static_cast<off_t>(most)));
  words.resize(static_cast<std::size_t>(std::max<ssize_t>(0, got)));
  while (!words.empty() && std::isspace(static_cast<unsigned char>(words.back()))) words.pop_back();
  return words;
}

}  // namespace

std::string last_words(int output) {
  std::string words = tail_of(output, 2048);
  if (const auto line = words.find_last_of('\n'); line != std::string::npos) words.erase(0, line + 1);
  return plain(words);
}

std::string last_printed(int output) {
  std::string all;
  std::istringstream lines(tail_of(output, 4096));
  for (std::string line; std::getline(lines, line);) all += (all.empty() ? "" : "\n") + plain(line);
  return all;
}

}  // namespace podium::contest
