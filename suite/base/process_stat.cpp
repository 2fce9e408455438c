// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/process_stat.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>

#include "suite/base/descriptor.hpp"

namespace podium {
namespace {

void skip_fields(std::string_view& line, int count) {
  for (int passed = 0; passed < count && !line.empty(); ++passed)
    line.remove_prefix(std::min(line.find(' '), line.size() - 1) + 1);
}

void read_number(std::string_view line, int& number) {
  std::from_chars(line.data(), line.data() + line.size(), number);
}

}  // namespace

ProcessStat read_stat(int file) {
  std::array<char, 1024> text;
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  std::string_view line(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const auto name_end = line.rfind(')');  // the name before it may hold anything
  if (name_end == std::string_view::npos || name_end + 2 >= line.size()) return {};
  line.remove_prefix(name_end + 2);
  ProcessStat seen{.state = line[0]};
  constexpr int state_to_group = 2, group_to_processor = 34;  // fields
  skip_fields(line, state_to_group);
  read_number(line, seen.group);
  skip_fields(line, group_to_processor);
  read_number(line, seen.processor);
  return seen;
}

ProcessStat stat_of(pid_t pid) {
  const Descriptor file(open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
  return file ? read_stat(file.get()) : ProcessStat{};
}

}  // namespace podium
