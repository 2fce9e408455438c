// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The limits of a compilation, as the environment changes them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "suite/base/error.hpp"
#include "suite/compile/amount.hpp"
#include "suite/compile/job.hpp"

namespace podium::compile {
namespace {

bool set(Limits& limits, std::string_view name, std::string_view value) {
  if (name == "seconds") {
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), limits.seconds);
    return error == std::errc() && end == value.data() + value.size() && limits.seconds > 0;
  }
  const auto bytes = parse_amount(value);
  if (!bytes || *bytes == 0) return false;
  if (name == "memory")
    limits.bytes = *bytes;
  else if (name == "disk")
    limits.disk = *bytes;
  else if (name == "messages")
    limits.log = *bytes;
  else
    return false;
  return true;
}

}  // namespace

Limits limits_of_compilation() {
  Limits limits;
  const char* const stated = std::getenv("PODIUM_COMPILE_LIMITS");
  for (std::string_view rest = stated ? stated : ""; !rest.empty();) {
    const auto end = std::min(rest.find(','), rest.size());
    const auto one = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto equals = std::min(one.find('='), one.size());
    if (!set(limits, one.substr(0, equals), one.substr(std::min(equals + 1, one.size()))))
      throw Error(
          fmt::format("PODIUM_COMPILE_LIMITS: found '{}', expected seconds=NUMBER, memory=, disk= or "
                      "messages= with an amount such as 4GiB",
                      one));
  }
  return limits;
}

}  // namespace podium::compile
