// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/pressure.hpp"

#include <charconv>
#include <fstream>
#include <string>

namespace podium {

double waited_for_processors() {
  std::ifstream file("/proc/pressure/cpu");
  std::string line;
  std::getline(file, line);
  return waited_in(line);
}

double waited_by(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/schedstat");
  double ran = 0, waited = 0;  // nanoseconds
  return file >> ran >> waited ? waited / 1000 : 0;
}

double waited_in(std::string_view text) {
  constexpr std::string_view name = "total=";
  const auto at = text.find(name);
  if (!text.starts_with("some ") || at == std::string_view::npos) return 0;
  double total = 0;
  text.remove_prefix(at + name.size());
  std::from_chars(text.data(), text.data() + text.size(), total);
  return total;
}

}  // namespace podium
